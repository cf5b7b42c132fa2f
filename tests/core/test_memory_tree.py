"""Walking a tree, and what a tree from a dict says of itself."""

from __future__ import annotations

import pytest

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import MemoryTree, files, walk
from aiwg_memory.errors import UnsafePath


def test_identity_follows_the_content_alone() -> None:
    one = MemoryTree({"a": b"1", "b": b"2"})
    assert one.identity == MemoryTree({"b": b"2", "a": b"1"}).identity
    assert one.identity != MemoryTree({"a": b"2", "b": b"1"}).identity
    assert one.identity != MemoryTree({"a": b"1"}).identity


def test_a_walk_goes_depth_first_in_the_order_of_names() -> None:
    tree = MemoryTree({"b": b"", "a/z": b"", "a/c/d": b"", "a.md": b"", "link": None})
    met = [(parent, entry.name) for parent, entry in walk(tree)]
    assert met == [("a/c", "d"), ("a", "z"), (None, "a.md"), (None, "b"), (None, "link")]
    assert [name.name for _, name in walk(tree, RepoPath("a"))] == ["d", "z"]


def test_files_gives_only_regular_ones_and_refuses_the_rest() -> None:
    tree = MemoryTree({"a/x": b"1", "a/b/y": b"22", "l/link": None})
    assert [(path, entry.size) for path, entry in files(tree, RepoPath("a"))] == [("a/b/y", 2), ("a/x", 1)]
    assert list(files(tree, RepoPath("gone"))) == []
    with pytest.raises(UnsafePath, match="l/link is a link; only regular files may lie here"):
        list(files(tree, RepoPath("l")))


@pytest.mark.parametrize("path", ["../a", "/a", "a//b"])
def test_a_tree_cannot_be_made_with_an_illegal_path(path: str) -> None:
    with pytest.raises(UnsafePath):
        MemoryTree({path: b""})
