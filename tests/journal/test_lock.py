"""One process changes a workspace at a time; a dead one holds nothing, and a child never holds what its parent took."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cases import NOW, PLANS, after, apply, lay, local, plan_of, receipt_file, state

from aiwg_memory.errors import Locked
from aiwg_memory.journal import Journal

HERE = str(Path(__file__).parent)
HOLD = """
import os, subprocess, sys, time
from aiwg_memory.journal import Journal
with Journal(sys.argv[1]).locked():
    if sys.argv[2] == "spawn":
        print(subprocess.Popen(["sleep", "60"]).pid, flush=True)
    elif sys.argv[2] == "fork":
        child = os.fork()
        if not child:
            time.sleep(60)
            os._exit(0)
        print(child, flush=True)
    else:
        print("held", flush=True)
    time.sleep(60)
"""
CONFIRM = """
import sys
sys.path.insert(0, sys.argv[2])
from cases import PLANS, apply, plan_of
from aiwg_memory.errors import AiwgError
from aiwg_memory.journal import Journal
try:
    apply(Journal(sys.argv[1]), plan_of(PLANS[sys.argv[3]]))
except AiwgError as error:
    print(error.code)
else:
    print("applied")
"""


def holder(root: Path, how: str = "hold") -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(root), how], stdout=subprocess.PIPE, text=True, cwd=HERE
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    if process.stdout:
        process.stdout.close()


def test_a_living_holder_is_named(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    process, _ = holder(root)
    try:
        with pytest.raises(Locked, match=f"process {process.pid} ") as caught:
            apply(Journal(str(root), timeout_ms=80), plan_of(PLANS["new"]))
        assert caught.value.exit_status == 75
    finally:
        end(process)
    apply(Journal(str(root), timeout_ms=0), plan_of(PLANS["new"]))
    assert state(root) == after(plan_of(PLANS["new"]))


@pytest.mark.parametrize("how", ["spawn", "fork"])
def test_a_child_does_not_keep_the_lock_of_a_killed_holder(tmp_path: Path, how: str) -> None:
    root = lay(tmp_path / "w")
    process, child = holder(root, how)
    end(process)
    try:
        # A forked child lets go once it is given a processor; one that did not would sleep for a minute.
        with Journal(str(root), timeout_ms=20_000).locked():
            assert Path(f"/proc/{child}").exists()
    finally:
        subprocess.run(["kill", "-9", child], check=False)


def test_waiting_gets_the_lock_when_it_is_given_up(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    process, _ = holder(root)
    waiting = subprocess.Popen(
        [sys.executable, "-c", CONFIRM, str(root), HERE, "new"], stdout=subprocess.PIPE, text=True, cwd=HERE
    )
    time.sleep(0.3)
    assert waiting.poll() is None
    end(process)
    assert waiting.communicate(timeout=30)[0] == "applied\n"


def test_two_processes_confirm_at_once(tmp_path: Path) -> None:
    """The same plan: one applies, the other finds its files changed. Different ones: both."""
    for plans, outcome in ((("new", "new"), ["applied", "stale-preview"]), (("new", "delete"), ["applied", "applied"])):
        root = lay(tmp_path / "-".join(plans))
        both = [
            subprocess.Popen(
                [sys.executable, "-c", CONFIRM, str(root), HERE, name], stdout=subprocess.PIPE, text=True, cwd=HERE
            )
            for name in plans
        ]
        assert sorted(process.communicate(timeout=30)[0].strip() for process in both) == outcome
        assert all(receipt_file(plan_of(PLANS[name])) in state(root) for name in plans)
        assert (local(root, "stage"), local(root, "journal")) == ([], [])


def test_the_first_file_written_ignores_everything(tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    with Journal(str(root)).locked():
        assert (root / ".aiwg/.local/.gitignore").read_bytes() == b"*\n"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    found = subprocess.run(["git", "-C", str(root), "status", "--porcelain"], capture_output=True, check=True)
    assert found.stdout == b""


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from cases import PLANS, apply, plan_of
from power import PowerDisk
from aiwg_memory.journal import Journal
disk = PowerDisk(sys.argv[1])
stop = int(sys.argv[4])
disk.between = lambda call: os.kill(os.getpid(), 9) if call == stop else None
apply(Journal(sys.argv[1], disk=disk), plan_of(PLANS[sys.argv[3]]))
"""
SLOW = """
import sys, time
sys.path.insert(0, sys.argv[2])
from cases import PLANS, apply, plan_of
from power import PowerDisk
from aiwg_memory.journal import Journal
disk = PowerDisk(sys.argv[1])
disk.between = lambda call: time.sleep(0.002)
print("ready", flush=True)
apply(Journal(sys.argv[1], disk=disk), plan_of(PLANS[sys.argv[3]]))
"""


def check_recovered(root: Path, plan_name: str) -> None:
    plan = plan_of(PLANS[plan_name])
    Journal(str(root), timeout_ms=0).recover(NOW)
    base = dict(state(lay(root.with_name(root.name + "-base"))).items())
    assert state(root) in (base, after(plan))
    assert (local(root, "stage"), local(root, "journal")) == ([], [])


def test_a_process_killed_at_its_calls(tmp_path: Path) -> None:
    call = 1
    while True:
        root = lay(tmp_path / str(call))
        done = subprocess.run([sys.executable, "-c", KILLED, str(root), HERE, "mixture", str(call)], cwd=HERE)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        check_recovered(root, "mixture")
        call += 2
    assert call > 40


@pytest.mark.parametrize("milliseconds", range(3, 120, 13))
def test_a_process_killed_from_outside(tmp_path: Path, milliseconds: int) -> None:
    root = lay(tmp_path / "w")
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(root), HERE, "mixture"], stdout=subprocess.PIPE, text=True, cwd=HERE
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(milliseconds / 1000)
    end(process)
    check_recovered(root, "mixture")
