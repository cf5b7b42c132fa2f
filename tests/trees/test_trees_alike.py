"""One behaviour over every tree: what can be read, what is not there, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from built import RAW, TREES, Description
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aiwg_memory.core.paths import RepoPath, part_problem
from aiwg_memory.core.tree import MemoryTree, Tree, files, walk
from aiwg_memory.errors import NotFound, TooLarge, UnsafePath

Build = Callable[[Description], Tree]

DEEP = "/".join(f"d{level}" for level in range(63)) + "/leaf.md"
CONTENT: Description = {
    "a.md": b"alpha\n",
    "a/b.md": b"beta\n",
    "a/c/d.md": b"delta\r\n",
    "a0.md": b"\x00\xff binary",
    "empty": b"",
    "B.md": b"upper",
    "\u00e9t\u00e9/\u6f22\u5b57.md": "\u6f22\n".encode(),
    "\U0001f600.md": b"astral",
    "\uff5e.md": b"below the astral ones in bytes as in code points",
    "with space.md": b"s",
    "-dash": b"d",
    "star*.md": b"*",
    DEEP: b"deep",
    "links/to-file": "../a.md",
    "links/to-dir": "../a",
    "links/outside": "/etc",
    "links/dangling": "nowhere",
}


@pytest.fixture(params=sorted(TREES))
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Tree:
    return TREES[request.param](tmp_path / "root" if request.param != "memory" else tmp_path, CONTENT)


@pytest.fixture(autouse=True)
def _root(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()


def test_every_file_reads_as_it_was_written(tree: Tree) -> None:
    for name, content in CONTENT.items():
        if isinstance(content, bytes):
            assert tree.read(RepoPath(name), limit=len(content)) == content


def test_listing_has_everything_sorted_by_bytes(tree: Tree) -> None:
    names = [entry.name for entry in tree.list()]
    assert names == sorted({name.partition("/")[0] for name in CONTENT}, key=str.encode)
    assert [(entry.name, entry.kind) for entry in tree.list(RepoPath("a"))] == [("b.md", "file"), ("c", "dir")]


def test_sizes_are_those_of_the_bytes(tree: Tree) -> None:
    sizes = {path: entry.size for path, entry in files(tree, RepoPath("a"))}
    assert sizes == {"a/b.md": 5, "a/c/d.md": 7}
    assert {entry.size for entry in tree.list(RepoPath("links"))} == {0}


def test_a_look_and_a_listing_agree(tree: Tree) -> None:
    for folder in (None, RepoPath("a"), RepoPath("links")):
        for entry in tree.list(folder):
            assert tree.stat(RepoPath(f"{folder}/{entry.name}" if folder else entry.name)) == entry


def test_walk_meets_each_entry_once(tree: Tree) -> None:
    met = [f"{parent}/{entry.name}" if parent else entry.name for parent, entry in walk(tree)]
    assert sorted(met) == sorted(CONTENT)


@pytest.mark.parametrize("path", ["missing", "a/missing", "missing/below", "a.md/below", "a.md/far/below"])
def test_what_is_not_there_is_none_and_not_found(tree: Tree, path: str) -> None:
    assert tree.stat(RepoPath(path)) is None
    with pytest.raises(NotFound, match="is not there"):
        tree.read(RepoPath(path), limit=10)


@pytest.mark.parametrize("path", ["missing", "a/missing", "missing/below"])
def test_a_directory_that_is_not_there_lists_as_nothing(tree: Tree, path: str) -> None:
    assert list(tree.list(RepoPath(path))) == []


@pytest.mark.parametrize("path", ["a.md", "a.md/below", "links/to-dir", "links/to-dir/c", "links/outside"])
def test_a_listing_through_a_file_or_link_is_refused(tree: Tree, path: str) -> None:
    with pytest.raises(UnsafePath):
        list(tree.list(RepoPath(path)))


@pytest.mark.parametrize("name", ["to-file", "to-dir", "outside", "dangling"])
def test_a_link_is_seen_and_never_read(tree: Tree, name: str) -> None:
    path = RepoPath(f"links/{name}")
    entry = tree.stat(path)
    assert entry is not None
    assert entry.kind == "link"
    with pytest.raises(UnsafePath, match=f"links/{name} is a link"):
        tree.read(path, limit=10)


@pytest.mark.parametrize("path", ["links/to-dir/b.md", "links/outside/passwd", "links/to-file/x", "links/dangling/x"])
def test_a_link_on_the_way_is_refused_by_its_name(tree: Tree, path: str) -> None:
    above = path.rpartition("/")[0]
    with pytest.raises(UnsafePath, match=f"{above} is a link"):
        tree.read(RepoPath(path), limit=10_000)
    with pytest.raises(UnsafePath, match=f"{above} is a link"):
        tree.stat(RepoPath(path))


@pytest.mark.parametrize("path", ["a", "links"])
def test_a_directory_is_not_read_as_a_file(tree: Tree, path: str) -> None:
    with pytest.raises(UnsafePath, match="is a directory, not a regular file"):
        tree.read(RepoPath(path), limit=10)


def test_one_byte_over_the_limit_is_refused_and_the_tree_still_answers(tree: Tree) -> None:
    with pytest.raises(TooLarge, match=r"a\.md has 6 bytes; at most 5 are read here"):
        tree.read(RepoPath("a.md"), limit=5)
    assert tree.read(RepoPath("a.md"), limit=6) == b"alpha\n"


def test_other_content_has_another_stamp_or_none(tree: Tree) -> None:
    first, second = tree.stat(RepoPath("a.md")), tree.stat(RepoPath("B.md"))
    assert first is not None
    assert second is not None
    assert first.stamp != second.stamp or first.stamp == ""


ILLEGAL = ["new\nline.md", "back\\slash", "co:lon", "aux.txt", "e\u0301.md", "bad\udcffname", "git~1", "trail/nul"]


@pytest.mark.parametrize("kind", sorted(RAW))
def test_illegal_names_are_reported_at_their_level(kind: str, tmp_path: Path) -> None:
    tree = RAW[kind](tmp_path / "root", {**dict.fromkeys(ILLEGAL, b"x"), "fine.md": b"y"})
    found = {entry.name: entry.kind for entry in tree.list()}
    assert found.pop("fine.md") == "file"
    assert found.pop("trail") == "dir"
    assert set(found.values()) == {"illegal"}
    assert len(found) == len(ILLEGAL) - 1
    assert all(name.isprintable() for name in found)
    assert [entry.kind for entry in tree.list(RepoPath("trail"))] == ["illegal"]


@pytest.mark.parametrize("kind", sorted(RAW))
def test_a_file_deeper_than_any_path_is_reported_not_skipped(kind: str, tmp_path: Path) -> None:
    name = "/".join("d" for _ in range(65)) + "/x.md"
    tree = RAW[kind](tmp_path / "root", {name: b"x"})
    assert [entry.kind for _, entry in walk(tree)] == ["illegal"]


_PARTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6).filter(
    lambda part: part_problem(part) is None and len(part.encode()) < 200
)
_TREES = st.dictionaries(
    st.lists(_PARTS, min_size=1, max_size=3).map("/".join), st.binary(max_size=40), min_size=1, max_size=6
).filter(lambda made: not any(other.startswith(f"{path}/") for path in made for other in made))


@pytest.mark.parametrize("kind", ["disk", "checked", "index", "commit"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=_TREES)
def test_any_legal_tree_answers_as_a_dict_does(
    kind: str, content: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    tree, plain = RAW[kind](tmp_path_factory.mktemp("any"), dict(content)), MemoryTree(content)
    assert _shape(tree) == _shape(plain)
    for path, data in content.items():
        assert tree.read(RepoPath(path), limit=40) == data


def _shape(tree: Tree) -> list[tuple[str | None, str, str, int]]:
    return [(parent, entry.name, entry.kind, entry.size) for parent, entry in walk(tree)]
