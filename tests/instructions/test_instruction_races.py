"""A file that is swapped while it is read is delivered whole or refused, and nothing outside is ever opened."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from casebook import CASES, SECRET, Link, Pipe, build

# What the child does: run discovery while an audit hook sees every path that is opened, and may act at one of them.
CHILD = """
import json, os, sys, time
from aiwg_memory.core.instructions.discover import discover
from aiwg_memory.core.screening import redact, screen
import aiwg_memory.core.screening.screen, pathspec
from aiwg_memory.errors import AiwgError
from aiwg_memory.worktree.read import WorkTree

workspace, target, at, action = sys.argv[1:5]
screen("warm", path="x"); redact("warm")
opened, done = [], []

def act():
    path = os.path.join(workspace, at)
    if action == "link":
        os.unlink(path); os.symlink("../outside/AGENTS.md", path)
    elif action == "pipe":
        os.unlink(path); os.mkfifo(path)
    elif action == "rewrite":
        with open(path + ".new", "w") as file: file.write("two\\n")
        os.replace(path + ".new", path)
    elif action == "folder":
        os.rename(os.path.dirname(path), workspace + ".moved"); os.symlink("../outside", os.path.dirname(path))
    elif action == "grow":
        with open(path, "a") as file: file.write("more\\n")

def hook(event, arguments):
    if event != "open" or not isinstance(arguments[0], (str, bytes)):
        return
    name = os.fsdecode(arguments[0])
    if done and done[0] is None:
        return
    opened.append(name)
    if action and not done and os.path.basename(name) == os.path.basename(at):
        done.append(None); act(); done[0] = True

tree = WorkTree(workspace, lambda: time.time() + 60)
sys.addaudithook(hook)
try:
    snapshot = discover(tree, target, loaded_at="2026-01-31T08:00:00Z")
    told = {"sources": {each.path: each.content for each in snapshot.sources}}
except AiwgError as error:
    told = {"code": error.code, "rules": [each.rule for each in error.findings], "text": str(error)}
print(json.dumps({**told, "opened": opened, "acted": bool(done)}))
"""


def _run(workspace: Path, target: str = ".", at: str = "", action: str = "") -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(workspace), target, at, action],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith(("link", "special", "target", "order"))])
def test_nothing_but_names_below_the_root_is_opened(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    if "\0" in case.target:
        return
    told = _run(build(tmp_path, case.files), case.target)
    # The reader opens one name at a time from its parent's descriptor: no path, no way up, nothing absolute. A
    # directory that is there already is opened once more, as itself, to be listed.
    own = [each for each in told["opened"] if not each.endswith((".py", ".pyc"))]
    assert [each for each in own if "/" in each or each in ("", "..")] == []
    assert SECRET not in json.dumps(told)


@pytest.mark.parametrize("action", ["link", "pipe", "rewrite", "grow"])
def test_a_file_swapped_at_the_moment_it_is_opened_is_refused(action: str, tmp_path: Path) -> None:
    told = _run(build(tmp_path, {"AGENTS.md": "one\n"}), at="AGENTS.md", action=action)
    assert told["acted"]
    assert told["code"] == "instructions"
    assert SECRET not in json.dumps(told)


def test_a_directory_swapped_for_a_link_is_refused(tmp_path: Path) -> None:
    told = _run(build(tmp_path, {"sub/AGENTS.md": "one\n"}), "sub", at="sub/AGENTS.md", action="folder")
    assert told["acted"]
    assert "sources" not in told or told["sources"] == {"sub/AGENTS.md": "one\n"}
    assert SECRET not in json.dumps(told)


def test_an_override_that_appears_meanwhile_is_noticed(tmp_path: Path) -> None:
    from aiwg_memory.core.instructions.discover import Discovery
    from aiwg_memory.worktree.read import WorkTree

    workspace = build(tmp_path, {"AGENTS.md": "one\n"})
    with WorkTree(str(workspace)) as tree:
        discovery = Discovery(tree)
        discovery.snapshot(".", loaded_at="x")
        assert discovery.moved() == []
        (workspace / "AGENTS.override.md").write_text("o\n")
        assert [(each.path, each.rule) for each in discovery.moved()] == [("AGENTS.override.md", "changed")]
        (workspace / "AGENTS.override.md").unlink()
        (workspace / ".aiwg").mkdir()
        (workspace / ".aiwg/instructions.ignore").write_text("AGENTS.md\n")
        assert {each.path for each in discovery.moved()} == {".aiwg/instructions.ignore"}


MUTATOR = """
import os, sys, time
os.chdir(sys.argv[1])
texts = [letter * 60000 + b"\\n" for letter in (b"A", b"B")]
end = time.monotonic() + 3
turn = 0
while time.monotonic() < end:
    turn += 1
    with open("next", "wb") as file: file.write(texts[turn % 2])
    os.replace("next", "ws/AGENTS.md")
    time.sleep(0.002)
"""


def test_a_file_replaced_again_and_again_is_whole_or_refused(tmp_path: Path) -> None:
    texts = [letter * 60000 + "\n" for letter in ("A", "B")]
    workspace = build(tmp_path, {"AGENTS.md": texts[0]})
    allowed = {hashlib.sha256(text.encode()).hexdigest() for text in texts}
    mutator = subprocess.Popen([sys.executable, "-c", MUTATOR, str(tmp_path)])
    try:
        for _ in range(6):
            told = _run(workspace)
            for content in told.get("sources", {}).values():
                assert hashlib.sha256(content.encode()).hexdigest() in allowed
            assert "sources" in told or told["code"] == "instructions"
    finally:
        mutator.wait()


def test_a_young_file_is_waited_for_once(tmp_path: Path) -> None:
    import time

    from aiwg_memory.core.instructions.discover import discover
    from aiwg_memory.worktree.read import WorkTree

    workspace = build(tmp_path, {"AGENTS.md": "one\n"})
    with WorkTree(str(workspace), time.time) as tree:
        assert len(discover(tree, ".", loaded_at="x").sources) == 1


def test_pipes_and_links_do_not_hang_the_command(tmp_path: Path) -> None:
    workspace = build(tmp_path, {"AGENTS.md": Pipe(), "CLAUDE.md": Link("AGENTS.md"), ".aiwg/rules/x.md": Pipe()})
    done = subprocess.run(
        [sys.executable, "-m", "aiwg_memory", "-C", str(workspace), "instructions", "show"],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert done.returncode == 4
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    for path in ("AGENTS.md", "CLAUDE.md", ".aiwg/rules/x.md"):
        assert f"  {path}: " in done.stderr
