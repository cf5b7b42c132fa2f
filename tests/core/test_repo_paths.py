"""The one definition of a legal path."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aiwg_memory.core import paths
from aiwg_memory.core.paths import MAX_BYTES, MAX_PARTS, RepoPath, display, join, part_problem, parted, path_problem
from aiwg_memory.errors import UnsafePath

LEGAL = [
    "a",
    "a/b",
    ".aiwg/facts/x.jsonl",
    "with space.md",
    "-dash",
    "\u00e9t\u00e9.md",
    "\u6f22\u5b57/\u306f.md",
    "star*?.md",
    ".gitignore",
    ".github/x",
    ".git-keep",
    "git",
    "gitx~1",
    "con-text.md",
    "console.log",
    "com",
    "com10",
    "lpt",
    "nullable",
    "auxiliary.txt",
    "a..b",
    "...a",
    "~",
    "x~1",
    "a.b.c",
    "\U0001f600",
    "docs/secretary.md",
    "a'b\"c",
    "%2e%2e",
    "/".join("a" * 64),
    "n" * MAX_BYTES,
    "conin",
    "prn_",
    "nul-terminated",
]
ILLEGAL = [
    "",
    "/",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "a/..",
    "../a",
    "a/./b",
    "./a",
    "a\\b",
    "..\\a",
    "C:",
    "c:/x",
    "a:b",
    "a\0b",
    "a\nb",
    "a\rb",
    "a\tb",
    "\x1b[0m",
    "a\x7f",
    "a\x85",
    "a\u2028b",
    "a\u2029b",
    "e\u0301",
    "\udcff",
    "\ud800",
    ".git",
    ".GIT",
    ".Git/config",
    "a/.git/hooks",
    ".git.",
    ".git ",
    ".git . .",
    "git~1",
    "GIT~2",
    "a/git~10",
    ".g\u200cit",
    ".git\ufeff",
    ".\u202egit",
    "con",
    "CON",
    "con.txt",
    "Con .txt",
    "prn",
    "aux.",
    "nul",
    "NUL.tar.gz",
    "com1",
    "COM9.log",
    "com\u00b9",
    "lpt\u00b3.x",
    "conin$",
    "CONOUT$",
    "a/nul/b",
    "...",
    ". .",
    "x" * (MAX_BYTES + 1),
    "\u6f22" * 1366,
    "/".join("a" * 65),
    "\u212bngstrom",
    "com0",
]


@pytest.mark.parametrize("path", LEGAL)
def test_a_plain_name_is_legal(path: str) -> None:
    assert RepoPath(path) == path
    assert "/".join(RepoPath(path).parts) == path


@pytest.mark.parametrize("path", ILLEGAL)
def test_a_name_that_could_lead_elsewhere_is_refused_with_the_rule(path: str) -> None:
    problem = path_problem(path)
    assert problem
    with pytest.raises(UnsafePath) as raised:
        RepoPath(path)
    assert problem in raised.value.message
    assert raised.value.message.isprintable()
    assert len(raised.value.message) < 700


def test_parts_parent_and_place() -> None:
    path = RepoPath("a/b/c.md")
    assert (path.name, path.parent, path.parts) == ("c.md", "a/b", ("a", "b", "c.md"))
    assert isinstance(path.parent, RepoPath)
    assert RepoPath("a").parent is None
    assert path.under(None)
    assert path.under(path)
    assert path.under(RepoPath("a/b"))
    assert not path.under(RepoPath("a/b/c"))
    assert not RepoPath("ab").under(RepoPath("a"))


def test_a_path_is_not_judged_twice() -> None:
    path = RepoPath("a")
    assert RepoPath(path) is path


_PART = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
_LIKELY = st.text(st.sampled_from("aZ09._-~ $gitcomnulaxpr/\\:\u200c\u0301\u00e9"), min_size=1, max_size=9)


@given(st.lists(_PART | _LIKELY, min_size=1, max_size=5).map("/".join))
def test_legal_paths_come_back_whole_and_illegal_ones_never(value: str) -> None:
    if path_problem(value) is None:
        path = RepoPath(value)
        assert path == value
        assert path.encode().decode() == value
        assert all(part_problem(part) is None for part in path.parts)
        assert not {"", ".", ".."} & set(path.parts)
    else:
        with pytest.raises(UnsafePath):
            RepoPath(value)


@given(st.lists(_PART.filter(lambda part: part_problem(part) is None), max_size=12))
def test_code_point_order_is_byte_order(names: list[str]) -> None:
    assert sorted(names) == sorted(names, key=str.encode)


@given(_LIKELY | _PART)
def test_the_short_way_allows_nothing_the_rules_do_not(part: str) -> None:
    if paths._PLAIN.match(part):
        slow = paths._PLAIN
        paths._PLAIN = re.compile(r"(?!)")
        try:
            assert part_problem(part) is None
        finally:
            paths._PLAIN = slow


@given(st.lists(_PART.filter(lambda part: part_problem(part) is None), min_size=1, max_size=5), _LIKELY | _PART)
def test_joining_is_judging_the_whole(parts: list[str], name: str) -> None:
    folder = RepoPath("/".join(parts))
    if path_problem(f"{folder}/{name}") is None:
        assert join(folder, name) == RepoPath(f"{folder}/{name}")
        assert join(None, name) == name
    else:
        with pytest.raises(UnsafePath):
            join(folder, name)


@pytest.mark.parametrize(
    ("folder", "name"),
    [("/".join("a" * MAX_PARTS), "b"), ("n" * (MAX_BYTES - 1), "b"), ("\u6f22" * 340 + "/" + "a" * 1000, "b" * 2100)],
)
def test_joining_keeps_the_bounds(folder: str, name: str) -> None:
    with pytest.raises(UnsafePath, match="more than"):
        join(RepoPath(folder), name)


@given(st.text())
def test_what_is_shown_is_one_printable_line(value: str) -> None:
    shown = display(value)
    assert shown
    assert shown.isprintable()
    assert len(shown) <= 200 * 10 + 1


@pytest.mark.parametrize(
    ("reference", "name", "part"),
    [
        ("docs/a.md#L3-L9", "docs/a.md", "L3-L9"),
        ("C#.md", "C#.md", ""),
        ("C#.md#L3", "C#.md", "L3"),
        ("docs/C#/guide.md#L3", "docs/C#/guide.md", "L3"),
        ("docs/C#/guide", "docs/C#/guide", ""),
        ("wiki:a.md#retries-0123abcd-2.3", "wiki:a.md", "retries-0123abcd-2.3"),
        ("docs/F#", "docs/F#", ""),
        ("#L1", "#L1", ""),
    ],
)
def test_a_number_sign_in_a_name_is_not_taken_for_lines_of_another_file(reference: str, name: str, part: str) -> None:
    assert parted(reference) == (name, part)
