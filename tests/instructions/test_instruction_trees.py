"""One fingerprint for one content, whatever tree it is read from; another one exactly when delivery differs."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from casebook import CASES, Content, build

from aiwg_memory.core.instructions.discover import LIMITS, discover
from aiwg_memory.core.instructions.drift import drift
from aiwg_memory.core.instructions.snapshot import Snapshot
from aiwg_memory.core.tree import MemoryTree, Tree
from aiwg_memory.errors import AiwgError
from aiwg_memory.repo.repository import Repository
from aiwg_memory.worktree.read import WorkTree

AT = "2026-01-31T08:00:00Z"
GIT = ("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "core.autocrlf=false")


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)


def _committed(folder: Path) -> Repository:
    _git(folder, "init", "-q", "-b", "main")
    _git(folder, "add", "-A", "-f")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "all")
    found = Repository.find(str(folder), {"HOME": "/nowhere", "PATH": "/usr/bin:/bin:/usr/local/bin"})
    assert found is not None
    return found


def _snapshot(tree: Tree, target: str) -> Snapshot:
    return discover(tree, target, loaded_at=AT)


PLAIN = [
    name
    for name, case in CASES.items()
    if all(isinstance(each, str | bytes) for each in case.files.values())
    and not any(path.startswith("../") or "\n" in path or "\u0301" in path for path in case.files)
]


@pytest.mark.parametrize("name", PLAIN)
def test_disk_index_commit_and_clone_agree(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    workspace = build(tmp_path, case.files)
    repository = _committed(workspace)
    clone = tmp_path / "elsewhere" / "clone"
    clone.parent.mkdir()
    _git(tmp_path, "clone", "-q", str(workspace), str(clone))
    trees: list[Tree] = [
        WorkTree(str(workspace), lambda: 0.0), repository.index_tree(), repository.commit_tree("HEAD"),
        WorkTree(str(clone), lambda: 0.0),
    ]  # fmt: skip
    told: list[object] = []
    for tree in trees:
        try:
            told.append(_snapshot(tree, case.target).fingerprint)
        except AiwgError as error:
            told.append([(each.rule, each.path) for each in error.findings] or error.code)
    repository.close()
    for tree in trees:
        if isinstance(tree, WorkTree):
            tree.close()
    assert told[1:] == told[:-1]


def test_a_link_is_refused_in_every_tree(tmp_path: Path) -> None:
    from casebook import Link

    workspace = build(tmp_path, {"AGENTS.md": "1\n", "CLAUDE.md": Link("AGENTS.md")})
    repository = _committed(workspace)
    with WorkTree(str(workspace)) as disk:
        for tree in (disk, repository.index_tree(), repository.commit_tree("HEAD")):
            with pytest.raises(AiwgError) as raised:
                _snapshot(tree, ".")
            assert [(each.rule, each.path) for each in raised.value.findings] == [("symlink", "CLAUDE.md")]
    repository.close()


BASE: Mapping[str, Content] = {
    "AGENTS.md": "one\n", "sub/AGENTS.md": "two\n", ".aiwg/rules/10-a.md": "ra\n", ".aiwg/rules/20-b.md": "rb\n",
}  # fmt: skip


def _memory(files: Mapping[str, Content]) -> Tree:
    return MemoryTree({path: data.encode() if isinstance(data, str) else data for path, data in files.items()})  # type: ignore[misc]


@pytest.mark.parametrize(
    "change",
    [
        {"AGENTS.md": "one, changed\n"},
        {"AGENTS.md": "one\n\ntwo\n"},
        {"CLAUDE.md": "more\n"},
        {".aiwg/rules/10-a.md": None},
        {".aiwg/rules/15-new.md": "n\n"},
        {"AGENTS.override.md": "instead\n"},
        {".aiwg/instructions.ignore": "sub/\n"},
    ],
)
def test_what_changes_the_delivery_changes_the_fingerprint(change: Mapping[str, str | None]) -> None:
    before = _snapshot(_memory(BASE), "sub")
    after = _snapshot(_memory({k: v for k, v in {**BASE, **change}.items() if v is not None}), "sub")
    assert before.fingerprint != after.fingerprint
    assert drift(before.sources, after.sources)


@pytest.mark.parametrize(
    "change",
    [
        {"AGENTS.md": "\ufeff\r\n one\r\n\r\n"},
        {"AGENTS.override.md": " \n"},
        {"agents.md": "near miss\n"},
        {"other/AGENTS.md": "beside the way\n"},
        {".aiwg/instructions.ignore": "nothing/here.md\n"},
        {".aiwg/rules/notes.txt": "no rule\n"},
        {"README.md": "x\n"},
    ],
)
def test_what_is_merely_listed_does_not(change: Mapping[str, str]) -> None:
    before = _snapshot(_memory(BASE), "sub")
    after = _snapshot(_memory({**BASE, **change}), "sub")
    assert before.fingerprint == after.fingerprint
    assert not drift(before.sources, after.sources)


def test_limits_and_target_are_part_of_it_and_time_is_not() -> None:
    tree = _memory(BASE)
    one = _snapshot(tree, "sub").fingerprint
    assert one == discover(tree, "./sub/", loaded_at="2027-01-01T00:00:00Z").fingerprint
    assert one != _snapshot(tree, "sub/x.py").fingerprint
    assert one != discover(tree, "sub", loaded_at=AT, limits={**LIMITS, "depth": 31}).fingerprint


def test_drift_names_what_a_person_has_to_look_at() -> None:
    old = _snapshot(_memory(BASE), "sub").sources
    changed = {**BASE, "AGENTS.md": "1\n", "CLAUDE.md": "c\n", "sub/CLAUDE.md": "d\n"}
    del changed[".aiwg/rules/10-a.md"]
    found = drift(old, _snapshot(_memory(changed), "sub").sources)
    assert found.to_json() == {
        "added": ["CLAUDE.md", "sub/CLAUDE.md"], "changed": ["AGENTS.md"], "removed": [".aiwg/rules/10-a.md"],
        "reordered": [], "rescreened": [], "limits": False,
    }  # fmt: skip


def test_the_same_text_screened_by_other_rules_is_no_drift() -> None:
    (source, *rest) = _snapshot(_memory(BASE), "sub").sources
    newer = source._replace(content="[redacted:x]\n", content_sha256="0" * 64, redacted=True)
    found = drift((source, *rest), (newer, *rest))
    assert not found
    assert found.rescreened == ("AGENTS.md",)


def test_conflicts_keep_both_sides_at_neighbouring_levels() -> None:
    files = {**BASE, "sub/.aiwg/rules/20-b.md": "other\n", "sub/deep/CLAUDE.md": "c\n", "CLAUDE.md": "d\n"}
    snapshot = _snapshot(_memory(files), "sub/deep")
    assert [(each.lower, each.higher) for each in snapshot.conflicts] == [
        ("AGENTS.md", "sub/AGENTS.md"), (".aiwg/rules/20-b.md", "sub/.aiwg/rules/20-b.md"),
        ("CLAUDE.md", "sub/deep/CLAUDE.md"),
    ]  # fmt: skip
    assert {each.path for each in snapshot.sources} >= {"AGENTS.md", "sub/AGENTS.md"}
