"""A change: two trees, and the names that differ between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.stored import MAX_FILE, RECEIPTS, VIEW
from aiwg_memory.core.tree import Kind, Tree

STORE = RepoPath(".aiwg")
LOCAL = STORE + "/.local/"


class Touch(NamedTuple):
    """One name that differs, legal as a path or not. None: nothing is there on that side."""

    path: str
    before: Kind | None
    after: Kind | None


class Change:
    """``head`` is what is judged, ``base`` what it came from; ``touched`` is byte-wise sorted."""

    def __init__(self, head: Tree, base: Tree, touched: Iterable[Touch]) -> None:
        self.head = head
        self.base = base
        self.touched = tuple(touched)
        self._digests: dict[tuple[bool, RepoPath], str | None] = {}

    @cached_property
    def paths(self) -> tuple[RepoPath, ...]:
        """The touched names that are legal paths."""
        return tuple(RepoPath(each.path) for each in self.touched if path_problem(each.path) is None)

    @cached_property
    def misnamed(self) -> tuple[tuple[str, RepoPath], ...]:
        """The touched names that no path may have, each with the nearest folder above it that a path may be."""
        found = []
        for each in self.touched:
            folder = each.path
            while folder and path_problem(folder) is not None:
                folder = folder.rpartition("/")[0]
            if folder and folder != each.path:
                found.append((each.path, RepoPath(folder)))
        return tuple(found)

    def files(self, *, was: bool = False) -> Iterator[RepoPath]:
        """The touched paths that are regular files of a readable size, in ``head`` or, if ``was``, in ``base``."""
        return iter(self._was_files if was else self._now_files)

    @cached_property
    def _now_files(self) -> tuple[RepoPath, ...]:
        return tuple(_readable(self.head, (each.path for each in self.touched if each.after == "file")))

    @cached_property
    def _was_files(self) -> tuple[RepoPath, ...]:
        return tuple(_readable(self.base, (each.path for each in self.touched if each.before == "file")))

    def data(self, path: RepoPath, *, was: bool = False) -> bytes:
        return (self.base if was else self.head).read(path, limit=MAX_FILE)

    def digest(self, path: RepoPath, *, was: bool = False) -> str | None:
        """Of a regular file; None for anything else, and for what is too large to be stored by an operation."""
        key = (was, path)
        if key not in self._digests:
            entry = (self.base if was else self.head).stat(path)
            readable = entry is not None and entry.kind == "file" and entry.size <= MAX_FILE
            self._digests[key] = digest(self.data(path, was=was)) if readable else None
        return self._digests[key]


def _readable(tree: Tree, names: Iterable[str]) -> Iterator[RepoPath]:
    for name in names:
        if path_problem(name) is None:
            path = RepoPath(name)
            entry = tree.stat(path)
            if entry is not None and entry.size <= MAX_FILE:
                yield path


def kept(path: str) -> bool:
    """Whether operations keep this file: of the store, but no receipt, no generated view, nothing of one machine."""
    return path.startswith(STORE + "/") and not path.startswith((LOCAL, RECEIPTS + "/")) and path != VIEW


def is_segment(path: RepoPath) -> bool:
    """Whether this is a file of records, which operations add and never edit."""
    folder = path.parent
    return folder is not None and folder.endswith(".d") and path.endswith(".jsonl") and not folder.under(RECEIPTS)
