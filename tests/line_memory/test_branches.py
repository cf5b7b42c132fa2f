"""Twenty branches of a real repository, merged one after another by stock git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from desk_of import Facts, Files, file_of, handle

from aiwg_memory.addons.line_memory.checking import check
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.tree import MemoryTree

BRANCHES = 20
SETTINGS = {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
}  # fmt: skip


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, env={**os.environ, **SETTINGS}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def write(root: Path, plan: Plan) -> None:
    for change in plan.changes:
        path = root / change.path
        if change.after is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(change.after)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", plan.summary)


def files_of(root: Path) -> Files:
    found = [path for path in (root / ".aiwg").rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def test_twenty_branches_merge_without_a_conflict_and_every_fact_is_there_once(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    start = Facts()
    write(tmp_path, start.do("add", texts=[f"old {number}" for number in range(3)], provenance="operator"))
    for number in range(BRANCHES):
        git(tmp_path, "checkout", "-q", "-b", f"branch-{number}", "main")
        branch = Facts(files_of(tmp_path))
        branch.minutes = 10 + 3 * number
        who = f"Person {number} <p{number}@example.org>"
        texts = [f"fact {number}.{count}" for count in range(3)] + ["known to all"]
        write(tmp_path, branch.do("add", texts=texts, sources=[{"ref": f"notes-{number}.md"}], reviewer=who))
        if number == 7:
            write(tmp_path, branch.decide("archive", "old 1", reviewer=who))
        if number in (8, 9):
            write(tmp_path, branch.decide("confirm", "known to all", reviewer=who))
    git(tmp_path, "checkout", "-q", "main")
    for number in range(BRANCHES):
        git(tmp_path, "merge", "-q", "--no-edit", f"branch-{number}")
    merged = Facts(files_of(tmp_path))
    live = merged.store.live()
    assert len(live) == 2 + 3 * BRANCHES + 1
    assert all(merged.files[file_of(text)] == text.encode() + b"\n" for text in live.values())
    assert merged.now("old 1").status == "archived"
    shared = merged.store.heads[handle("known to all")]
    assert not shared.fork
    assert shared.current.text("review") == "confirmed"
    first = [one for one in merged.store.versions if one.handle == handle("known to all") and one.version == 1]
    assert len(first) == BRANCHES
    assert check(MemoryTree(merged.files), MemoryTree(start.files)) == []


def test_opposite_decisions_about_one_fact_merge_as_text_and_are_reported_as_a_fork(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    start = Facts()
    write(tmp_path, start.do("add", texts=["disputed"]))
    for minutes, name, kind in ((10, "one", "confirm"), (20, "two", "reject")):
        git(tmp_path, "checkout", "-q", "-b", name, "main")
        branch = Facts(files_of(tmp_path))
        branch.minutes = minutes
        write(tmp_path, branch.decide(kind, "disputed", reviewer=f"{name} <{name}@example.org>"))
    git(tmp_path, "merge", "-q", "--no-edit", "one")
    merged = Facts(files_of(tmp_path))
    assert merged.now("disputed").text("review") == "rejected"
    (found,) = check(merged.tree, None)
    assert found.rule == "record-fork"
    merged.minutes = 30
    keep = merged.store.heads[handle("disputed")].fork[1].digest
    write(tmp_path, merged.decide("resolve", "disputed", keep=keep))
    settled = Facts(files_of(tmp_path))
    assert settled.now("disputed").text("review") == "confirmed"
    assert check(settled.tree, None) == []
