"""A full, read-only or failing disk: one sentence with the path and a way out, and never half a change."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cases import BASE, NOW, PLANS, after, apply, lay, local, plan_of, state
from power import PowerDisk

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import DiskFailed
from aiwg_memory.journal import Journal
from aiwg_memory.worktree.disk import Disk, disk_failed
from aiwg_memory.worktree.failures import NO_WAY_OUT
from aiwg_memory.worktree.local import JOURNALS, UNDO, prepare

HERE = str(Path(__file__).parent)


class FullDisk(PowerDisk):
    """Fails from one call on, in every call that needs room; ``once``: in that one alone."""

    failing, once, number = 0, False, errno.ENOSPC

    def _call(self, name: str, path: RepoPath | None) -> None:
        super()._call(name, path)
        hit = self.calls == self.failing if self.once else self.calls >= self.failing
        if self.failing and hit and name not in ("unlink", "remove_dir"):
            raise disk_failed(path or ".", OSError(self.number, os.strerror(self.number)))


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_a_failure_at_any_call(tmp_path: Path, number: int, once: bool) -> None:
    plan = plan_of(PLANS["mixture"])
    call = 1
    while True:
        root = lay(tmp_path / str(call))
        disk = FullDisk(str(root))
        disk.failing, disk.once, disk.number = call, once, number
        failed: DiskFailed | None = None
        try:
            apply(Journal(str(root), disk=disk), plan)
        except DiskFailed as error:
            failed = error
        if failed is not None:
            assert failed.exit_status == 74
            assert failed.hint
            journal = local(root, "journal") != []
            committed = journal or state(root) == after(plan)
            assert committed or state(root) == BASE
            assert ("recover" in failed.hint) == committed
            receipts = Journal(str(root)).recover(NOW)
            assert state(root) == (after(plan) if committed else BASE)
            assert bool(receipts) == journal
            assert (local(root, "stage"), local(root, "journal")) == ([], [])
        elif disk.calls < call:
            break
        call += 1
    assert call > 50


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EPERM, errno.EOPNOTSUPP, errno.ESTALE, errno.EMFILE])
@pytest.mark.parametrize("work", [prepare, lambda disk: disk.replace(RepoPath("kept"), b"new")])
def test_no_draft_stays_where_a_file_could_not_be_replaced(
    tmp_path: Path, work: Callable[[Disk], None], number: int
) -> None:
    for call in range(1, 99):
        root = lay(tmp_path / str(call))
        (root / "kept").write_bytes(b"old")
        disk = FullDisk(str(root))
        disk.failing, disk.number = call, number
        failed = None
        try:
            work(disk)
        except DiskFailed as error:
            failed = error
        assert [path for path in root.rglob("*") if path.name.endswith(".tmp")] == []
        if failed is None:
            break
        assert (root / "kept").read_bytes() == b"old"
        assert failed.hint != NO_WAY_OUT
    assert call > 2


@pytest.mark.parametrize("place", [UNDO, JOURNALS])
def test_a_failure_after_all_was_done_says_that_it_is_confirmed(tmp_path: Path, place: RepoPath) -> None:
    class Lost(Disk):
        def names(self, path: RepoPath) -> list[str]:
            if path == place and state(root) == after(plan):
                raise disk_failed(path, OSError(errno.ESTALE, os.strerror(errno.ESTALE)))
            return super().names(path)

    root, plan = lay(tmp_path / "w"), plan_of(PLANS["mixture"])
    with pytest.raises(DiskFailed) as caught:
        apply(Journal(str(root), disk=Lost(str(root))), plan)
    assert "it is confirmed" in caught.value.hint
    assert state(root) == after(plan)
    assert Journal(str(root)).recover(NOW) == []


def test_a_root_that_is_gone_is_a_failure_of_the_disk(tmp_path: Path) -> None:
    disk = Disk(str(tmp_path))
    disk.close()
    with pytest.raises(DiskFailed, match="Bad file descriptor"):
        disk.names(UNDO)


TINY = """
import resource, sys
sys.path.insert(0, sys.argv[2])
from cases import apply, plan_of
from aiwg_memory.errors import DiskFailed
from aiwg_memory.journal import Journal
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    apply(Journal(sys.argv[1]), plan_of({"small.md": b"x", "large.md": b"x" * 100_000}))
except DiskFailed as error:
    print(error.message, "|", error.hint)
"""
DENIED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from cases import PLANS, apply, plan_of
from aiwg_memory.errors import DiskFailed
from aiwg_memory.journal import Journal, apply as _, back, finish, readers, recover, undo
from aiwg_memory.worktree import lock
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    apply(Journal(sys.argv[1]), plan_of(PLANS["mixture"]))
except DiskFailed as error:
    print(error.message, "|", error.hint)
"""


def run(program: str, root: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, str(root), HERE], capture_output=True, text=True, cwd=HERE, check=True
    )
    return done.stdout


def test_a_file_larger_than_the_system_allows(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    assert "large" in run(TINY, root)
    assert state(root) == BASE
    assert (local(root, "stage"), local(root, "journal")) == ([], [])


def test_a_directory_nobody_may_write_in(tmp_path: Path) -> None:
    """Seen before the commit point, although only the placing would fail."""
    root = lay(tmp_path / "w")
    for path in (root, *root.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    for above in (tmp_path, *tmp_path.parents[:2]):
        above.chmod(above.stat().st_mode | 0o055)
    (root / ".aiwg/wiki/deep").chmod(0o555)
    assert ".aiwg/wiki/deep/only.md" in run(DENIED, root)
    assert state(root) == BASE
    assert (local(root, "stage"), local(root, "journal")) == ([], [])


def test_an_unfinished_operation_is_not_read_past_where_one_may_not_write(tmp_path: Path) -> None:
    program = """
import os, sys
from aiwg_memory.errors import Locked
from aiwg_memory.journal import Journal, apply as _, back, finish, readers, recover, undo
from aiwg_memory.worktree import lock
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    Journal(sys.argv[1]).read(lambda: "read", "2026-01-31T08:00:00Z")
except Locked as error:
    print(error.exit_status)
"""
    root = lay(tmp_path / "w")
    disk = FullDisk(str(root))
    disk.between = lambda call: setattr(disk, "failing", call) if local(root, "journal") else None
    with pytest.raises(DiskFailed) as caught:
        apply(Journal(str(root), disk=disk), plan_of(PLANS["new"]))
    assert "recover" in caught.value.hint
    for above in (tmp_path, *tmp_path.parents[:2]):
        above.chmod(above.stat().st_mode | 0o055)
    for path in (root, root / ".aiwg", *(root / ".aiwg/.local").rglob("*"), root / ".aiwg/.local"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.geteuid() != 0:
        root.chmod(0o555)
    assert run(program, root) == "75\n"


def test_another_file_system_is_refused_before_anything(tmp_path: Path) -> None:
    class TwoDisks(Disk):
        def nearest(self, path: RepoPath) -> tuple[int, bool]:
            device, allowed = super().nearest(path)
            return (device + 1 if path.startswith(".aiwg/facts.d") else device), allowed

    root = lay(tmp_path / "w")
    with pytest.raises(DiskFailed, match="another file system"):
        apply(Journal(str(root), disk=TwoDisks(str(root))), plan_of(PLANS["new"]))
    assert state(root) == BASE
