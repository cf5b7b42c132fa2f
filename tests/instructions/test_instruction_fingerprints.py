"""One fingerprint on disk, staged, committed and checked out elsewhere; another one when another text is delivered."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.instructions.discover import discover
from aiwg_memory.core.instructions.snapshot import Snapshot
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused
from aiwg_memory.repo.repository import Repository
from aiwg_memory.worktree.read import WorkTree

AT = "2026-01-31T08:00:00Z"
TARGETS = (".", "a", "a/b/new.py")
PATHS = (
    "AGENTS.md", "AGENTS.override.md", "CLAUDE.md", ".aiwg/rules/x.md", ".aiwg/instructions.ignore", "a/AGENTS.md",
    "a/.claude/CLAUDE.md", "a/b/AGENTS.md", "a/b/.aiwg/rules/ü.md", "README.md", "b/AGENTS.md",
)  # fmt: skip
TEXTS = (
    b"Run the tests.\n", b"Run the tests.\r\n", b"\xef\xbb\xbfRun the tests.", b"Tabs.\n\nNo spaces.\n", b"AGENTS.md\n",
    b"password: tr0ub4dor-and-3\n", b"\n",
)  # fmt: skip

Edits = Mapping[str, bytes | None]
# None takes the file away.
edits = st.dictionaries(st.sampled_from(PATHS), st.sampled_from((*TEXTS, None)), min_size=1, max_size=5)
Told = Mapping[str, tuple[str, object]]


def git(folder: Path, *words: str) -> None:
    hidden = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    settled = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "core.autocrlf=false"]
    subprocess.run(["git", *settled, *words], cwd=folder, env={**os.environ, **hidden}, check=True, capture_output=True)


def told(tree: Tree) -> Told:
    """By target the fingerprint, and what is delivered; of a refusal, what is said."""
    found: dict[str, tuple[str, object]] = {}
    for target in TARGETS:
        try:
            snapshot = discover(tree, target, loaded_at=AT)
            found[target] = snapshot.fingerprint, delivered(snapshot)
        except Refused as error:
            found[target] = "refused", sorted((each.path, each.rule) for each in error.findings)
    return found


def delivered(snapshot: Snapshot) -> object:
    return [(each.path, each.content, each.redacted) for each in snapshot.sources]


def on_disk(folder: Path) -> Told:
    with WorkTree(str(folder), lambda: 4e9) as tree:
        return told(tree)


def repository(folder: Path) -> Repository:
    found = Repository.find(str(folder), {"PATH": os.environ["PATH"]})
    assert found is not None
    return found


@settings(max_examples=15)
@given(st.lists(edits, min_size=1, max_size=4))
def test_a_fingerprint_is_the_same_wherever_a_tree_is_and_moves_with_what_is_delivered(steps: list[Edits]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        here, there = Path(folder, "here"), Path(folder, "elsewhere", "and deeper")
        here.mkdir()
        git(here, "init", "-q", "-b", "main")
        git(here, "commit", "-q", "--allow-empty", "-m", "begin")
        git(here, "clone", "-q", str(here), str(there))
        seen: list[Told] = []
        for edit in steps:
            for name, data in edit.items():
                (here / name).unlink(missing_ok=True)
                if data is not None:
                    (here / name).parent.mkdir(parents=True, exist_ok=True)
                    (here / name).write_bytes(data)
            git(here, "add", "-A")
            with repository(here) as found:
                staged = told(found.index_tree())
            git(here, "commit", "-q", "--allow-empty", "-m", "step")
            with repository(here) as found:
                committed = told(found.commit_tree("HEAD"))
            git(there, "pull", "-q", "--ff-only")
            assert on_disk(here) == staged == committed == on_disk(there)
            seen.append(staged)
        for one in seen:
            for other in seen:
                for target in TARGETS:
                    assert (one[target][0] == other[target][0]) == (one[target][1] == other[target][1]) or (
                        one[target][0] == other[target][0] == "refused"
                    )
