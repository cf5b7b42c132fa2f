"""Patterns mean what they mean in a .gitignore, end in good time, and a preview says what they lose."""

from __future__ import annotations

from pathlib import Path

import pytest
from casebook import Link, build
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from pathspec import PathSpec

from aiwg_memory.addons.instructions.ignoring import ignore
from aiwg_memory.core.instructions.ignoring import IgnoreFile, parse_ignore, pattern_problem
from aiwg_memory.core.operations import Request
from aiwg_memory.errors import Refused, UsageError
from aiwg_memory.worktree.read import WorkTree

PATHS = st.lists(st.sampled_from(["a", "b", "CLAUDE.md", "docs", "x.md"]), min_size=1, max_size=4).map("/".join)
PLAIN = st.tuples(PATHS, st.sampled_from(["", "/"])).map("".join)
WILD = st.lists(st.sampled_from(["a", "*", "**", "?", "*.md", "docs", "x*"]), min_size=1, max_size=4).map("/".join)


@given(PLAIN, PATHS, st.booleans())
def test_a_plain_pattern_agrees_with_the_library(pattern: str, path: str, folder: bool) -> None:
    path = f"{path}/" if folder else path
    expected = PathSpec.from_lines("gitignore", [pattern]).match_file(path)
    assert IgnoreFile((pattern,)).matches(path) == expected


@given(PLAIN, PATHS)
def test_a_leading_dot_ties_a_pattern_to_the_root(pattern: str, path: str) -> None:
    expected = PathSpec.from_lines("gitignore", [f"/{pattern}"]).match_file(path)
    assert IgnoreFile((f"./{pattern}",)).matches(path) == expected


@given(WILD, PATHS)
def test_a_wild_pattern_agrees_with_the_library(pattern: str, path: str) -> None:
    assume(pattern_problem(pattern) is None)
    expected = PathSpec.from_lines("gitignore", [pattern]).match_file(path)
    assert IgnoreFile((pattern,)).matches(path) == expected


@settings(max_examples=60)
@given(st.text("a*/[", min_size=1, max_size=60), st.integers(1, 40))
@example("[" * 4000, 1)
@example("[" * 32 + "a" * 4000, 1)
def test_no_legal_pattern_hangs(pattern: str, depth: int) -> None:
    assume(pattern_problem(pattern) is None)
    IgnoreFile((pattern,)).matches("/".join(["a" * 60] * depth))


@given(st.binary(max_size=200))
def test_any_bytes_are_patterns_or_problems(data: bytes) -> None:
    problems: list[object] = []
    found = parse_ignore(data, problems)  # type: ignore[arg-type]
    assert found.present
    found.matches("a/CLAUDE.md")


def _plan(root: Path, *patterns: str, files: tuple[str, ...]) -> list[tuple[str, str]]:
    arguments = {"patterns": list(patterns), "files": list(files)}
    asked = Request("instructions.ignore", arguments, "2026-01-31T08:00:00Z", "Ada", "ws")
    with WorkTree(str(root)) as tree:
        plan = ignore(tree, asked)
    return [(note.subject, note.message) for note in plan.conflicts]


def test_a_preview_says_which_texts_are_lost(tmp_path: Path) -> None:
    root = build(
        tmp_path,
        {"AGENTS.md": "1\n", "CLAUDE.md": Link("AGENTS.md"), "d/CLAUDE.md": "2\n",
         "e/AGENTS.md": Link("../.agents/x.md"),
         "f/AGENTS.md": Link("/etc/hostname")},
    )  # fmt: skip
    files = ("AGENTS.md", "CLAUDE.md", "d/CLAUDE.md", "e/AGENTS.md", "f/AGENTS.md")
    assert _plan(root, "./CLAUDE.md", files=files) == []
    assert [path for path, _ in _plan(root, "CLAUDE.md", files=files)] == ["d/CLAUDE.md"]
    lost = dict(_plan(root, "e/AGENTS.md", "f/", files=files))
    assert ".agents/x.md" in lost["e/AGENTS.md"]
    assert "outside the workspace" in lost["f/AGENTS.md"]


@pytest.mark.parametrize("pattern", ["/x", "../x", "!x", "a\\b", "*", "c:/x", "*a*a*a"])
def test_a_bad_pattern_is_refused_before_it_is_written(pattern: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        _plan(build(tmp_path, {}), pattern, files=())


def test_a_file_that_would_be_too_long_is_refused(tmp_path: Path) -> None:
    root = build(tmp_path, {".aiwg/instructions.ignore": "".join(f"x/{n}\n" for n in range(128))})
    with pytest.raises(Refused):
        _plan(root, "one/more", files=())
