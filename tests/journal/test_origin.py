"""What a repository brings under ``.aiwg/.local`` is not taken for what this machine wrote there."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from cases import NOW, PLANS, after, apply, lay, local, plan_of, state
from power import PowerDisk, Stopped

from aiwg_memory.errors import Damaged
from aiwg_memory.journal import Journal
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import prepare
from aiwg_memory.worktree.origin import ORIGIN, origin


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-C", str(root), "-c", "user.name=E", "-c", "user.email=e@example.org", *arguments],
        check=True,
        capture_output=True,
    )


def forced_commit(root: Path) -> None:
    if not (root / ".git").exists():
        git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "add", "-f", ".aiwg/.local")
    git(root, "commit", "-qm", "All of it")


def interrupted(root: Path, name: str = "new") -> None:
    """A journal that is complete, and nothing of it made."""
    for stop in range(1, 99):
        shutil.rmtree(root, ignore_errors=True)
        lay(root)
        try:
            apply(Journal(str(root), disk=PowerDisk(str(root), stop=stop)), plan_of(PLANS[name]))
        except Stopped:
            if local(root, "journal"):
                return
    raise AssertionError("no commit point was met")


def test_a_journal_that_was_cloned_changes_nothing(tmp_path: Path) -> None:
    interrupted(tmp_path / "evil")
    forced_commit(tmp_path / "evil")
    git(tmp_path, "clone", "-q", "evil", "victim")
    victim = tmp_path / "victim"
    before = state(victim)
    with pytest.raises(Damaged, match="not written here"):
        Journal(str(victim)).recover(NOW)
    assert state(victim) == before
    Journal(str(tmp_path / "evil")).recover(NOW)
    shutil.rmtree(tmp_path / "evil/.git")
    assert state(tmp_path / "evil") == after(plan_of(PLANS["new"]))


def test_a_journal_that_was_pulled_changes_nothing(tmp_path: Path) -> None:
    """Git overwrites ignored files, the one with the name of the directory too."""
    evil, victim = tmp_path / "evil", tmp_path / "victim"
    lay(evil)
    git(evil, "init", "-q")
    git(evil, "add", "-A")
    git(evil, "commit", "-qm", "Harmless")
    git(tmp_path, "clone", "-q", "evil", "victim")
    with Journal(str(victim)).locked():
        named = origin(Disk(str(victim)))
    kept = evil.with_name("git")
    (evil / ".git").rename(kept)
    interrupted(evil)
    kept.rename(evil / ".git")
    forced_commit(evil)
    git(victim, "pull", "-q")
    assert local(victim, "journal")
    assert origin(Disk(str(victim))) in ("", named)
    before = state(victim)
    with pytest.raises(Damaged, match="not written here"):
        Journal(str(victim)).recover(NOW)
    assert state(victim) == before


def test_a_preview_that_was_cloned_cannot_be_confirmed(tmp_path: Path) -> None:
    root = lay(tmp_path / "evil")
    plan = plan_of(PLANS["new"])
    Journal(str(root)).previews.save(plan, NOW)
    assert Journal(str(root)).previews.find(plan.operation_id, NOW) is not None
    forced_commit(root)
    git(tmp_path, "clone", "-q", "evil", "victim")
    with pytest.raises(Damaged, match="not saved here"):
        Journal(str(tmp_path / "victim")).previews.find(plan.operation_id, NOW)


@pytest.mark.parametrize("how", ["checkout", "archive", "empty", "long", "folder of none"])
def test_a_name_is_believed_only_with_the_time_that_was_set(tmp_path: Path, how: str) -> None:
    disk = Disk(str(lay(tmp_path / "w")))
    prepare(disk)
    named = origin(disk)
    assert len(named) == 32
    prepare(disk)
    assert origin(disk) == named
    place = tmp_path / "w" / ORIGIN
    if how == "checkout":
        place.write_bytes(place.read_bytes())
    elif how == "archive":
        seconds = int(time.time()) * 10**9
        place.write_text(f"{named} {seconds}\n")
        os.utime(place, ns=(seconds, seconds))
    elif how == "empty":
        place.write_bytes(b"")
    elif how == "long":
        place.write_bytes(b"a" * 4096)
    else:
        place.unlink()
    assert origin(disk) == ""
    prepare(disk)
    assert origin(disk) not in ("", named)
    assert sorted(name for name in os.listdir(place.parent) if name.startswith("origin")) == ["origin"]


def test_an_index_that_a_repository_brings_is_thrown_away_unopened(tmp_path: Path) -> None:
    from aiwg_memory.index.search import Index
    from aiwg_memory.worktree.read import WorkTree

    root = lay(tmp_path / "w")
    brought = root / ".aiwg/.local"
    brought.mkdir()
    for name in ("index.sqlite", f"index-{'0' * 32}.sqlite"):
        with sqlite3.connect(brought / name) as connection:
            connection.execute("create table units(text)")
        (brought / f"{name}-journal").write_bytes(b"x" * 512)
    (brought / "origin").write_text(f"{'0' * 32} {10**18}\n")
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        index.sync(tree, [], now=time.time())
    [left] = [path.name for path in brought.iterdir() if path.name.startswith("index")]
    assert left == f"index-{origin(Disk(str(root)))}.sqlite"
