"""A change with what is needed beside it: the touched files of both sides, and older records of what they speak of.

Cost: the change, and at most two searches through the store of the base, which git does itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from aiwg_memory.core.focus import holding, learn, phrase
from aiwg_memory.core.gate.change import STORE, Change
from aiwg_memory.core.items import Fragment
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Head, Version, fold
from aiwg_memory.core.stored import MAX_FILE, RECEIPTS, VIEW
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

Parse = Callable[[RepoPath, bytes], Fragment]
ParserOf = Callable[[str], Parse | None]

_WITHOUT = (
    RECEIPTS, RepoPath(".aiwg/.local"), RepoPath(".aiwg/wiki/raw"), RepoPath(".aiwg/pins"), RepoPath(".aiwg/outbox.d"),
    VIEW,
)  # fmt: skip
_SUFFIX = re.compile(r"(?:#L[0-9]+(?:-L[0-9]+)?)?(?:@[0-9a-f]{8})?\Z")


class Sides:
    """``before`` and ``after`` are the touched files, parsed; ``kept`` what else was found, the same on both sides."""

    def __init__(self, change: Change, parser_of: ParserOf, refs: Iterable[str]) -> None:
        self.change = change
        self._parser_of = parser_of
        self.learn(change.paths)
        self.before = dict(self._touched(was=True))
        self.after = dict(self._touched(was=False))
        self.kept: dict[RepoPath, Fragment] = {}
        self.refs = frozenset(refs)
        handles = self._moved()
        self._find([*handles, *self.refs, "delivery always"])
        more = self._concerned() - handles
        if more:
            self._find(more)

    def learn(self, paths: Iterable[RepoPath]) -> None:
        """Ask git once for what will be looked at."""
        wanted = list(paths)
        for tree in (self.change.base, self.change.head):
            learn(tree, wanted)

    def heads(self, folder: RepoPath, *, was: bool) -> Mapping[str, Head]:
        """The records below ``folder`` on one side, of every handle the change moves or that matters to it."""
        return fold(version for path, version in self.versions(was=was) if path.under(folder))

    def versions(self, *, was: bool) -> Iterator[tuple[RepoPath, Version]]:
        for path, one in self.fragments(was=was):
            for version in one.versions:
                yield path, version

    def fragments(self, *, was: bool) -> Iterator[tuple[RepoPath, Fragment]]:
        yield from (self.before if was else self.after).items()
        yield from self.kept.items()

    def fragment(self, path: RepoPath, *, was: bool) -> Fragment:
        """Of any file, empty where there is none; a file the change does not touch is read from the base."""
        touched = path in self._names
        side = (self.before if was else self.after) if touched else self.kept
        if path not in side and not touched:
            side[path] = self._parsed(path, self.change.base)
        return side.get(path, Fragment())

    def data(self, path: RepoPath, *, was: bool) -> bytes | None:
        """The bytes of a regular file, None where there is none that can be read."""
        stays = path not in self._names and path not in self.refs
        tree = self.change.base if was or stays else self.change.head
        try:
            entry = tree.stat(path)
            if entry is None or entry.kind != "file" or entry.size > MAX_FILE:
                return None
            return tree.read(path, limit=MAX_FILE)
        except AiwgError:
            return None

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(each.path for each in self.change.touched)

    def _touched(self, *, was: bool) -> Iterator[tuple[RepoPath, Fragment]]:
        tree = self.change.base if was else self.change.head
        for path in self.change.files(was=was):
            if path.under(STORE):
                yield path, self._parsed(path, tree)

    def _parsed(self, path: RepoPath, tree: Tree) -> Fragment:
        parse = self._parser_of(path)
        try:
            entry = tree.stat(path) if parse else None
            if parse is None or entry is None or entry.kind != "file" or entry.size > MAX_FILE:
                return Fragment()
            return parse(path, tree.read(path, limit=MAX_FILE))
        except AiwgError:
            return Fragment()

    def _moved(self) -> set[str]:
        """Every handle whose versions or texts differ between the touched files of the two sides."""
        told = [
            {(v.handle, v.canonical) for one in side.values() for v in one.versions}
            | {(u.handle, u.text.encode()) for one in side.values() for u in one.units}
            for side in (self.before, self.after)
        ]
        return {handle for handle, _ in told[0] ^ told[1]}

    def _find(self, words: Iterable[str]) -> None:
        phrases = sorted({found for word in words if (found := phrase(word))})
        touched = self._names
        holders = holding(self.change.base, STORE, phrases, _WITHOUT)
        new = [path for path in holders if path not in touched and path not in self.kept and self._parser_of(path)]
        self.learn(new)
        self.kept.update((path, self._parsed(path, self.change.base)) for path in new)

    def _concerned(self) -> set[str]:
        """Handles found by the way whose other versions decide: of what is always delivered, and of what cites."""
        found = set()
        for was in (True, False):
            for _, version in self.versions(was=was):
                if version.text("delivery") == "always" or self.refs & set(cited(version.value)):
                    found.add(version.handle)
        return found


def cited(value: Mapping[str, object]) -> Iterator[str]:
    """Every reference that a record or the front matter of a page rests on, without lines and digest."""
    envelope = value.get("dependencies")
    leaves = envelope.get("leaves") if isinstance(envelope, Mapping) else None
    for group in (value.get("sources"), value.get("evidence"), leaves):
        for each in group if isinstance(group, list | tuple) else ():
            if isinstance(each, Mapping) and isinstance(each.get("ref"), str):
                yield plain(each["ref"])


def plain(ref: str) -> str:
    """A reference without the lines and the digest behind it."""
    match = _SUFFIX.search(ref)
    return ref[: match.start()] if match else ref
