"""Which files count and what they were when last seen, in one walk; and what a look at them came to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol

from aiwg_memory.addons import Addon
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.stored import VIEW
from aiwg_memory.core.tree import Entry, Tree, walk

GRANULARITY = 2.0
"""Seconds. A file last changed this close to the moment it was indexed, or later, is read again next time: the coarsest
clock of a file system in use (FAT) could give one stamp to two contents (git's "racy" entries)."""


class _Walker(Protocol):
    def walk_files(self, folder: RepoPath | None = None) -> Iterator[tuple[RepoPath | None, Entry]]: ...


class Listed(NamedTuple):
    """A regular file of an addon. ``stamp`` is empty where it proves nothing."""

    path: RepoPath
    addon: Addon
    stamp: str


Progress = Callable[[int, int], None]
"""Told how many of how many files are done."""


class SyncReport(NamedTuple):
    """``tree`` is the digest of path and content of every file that counts; the numbers count files, but ``units``.

    ``skipped`` are paths that could not be read. ``in_memory`` says why the index's file was not used, "" when it was.
    """

    tree: str
    files: int
    units: int
    read: int = 0
    changed: int = 0
    removed: int = 0
    skipped: tuple[str, ...] = ()
    rebuilt: bool = False
    in_memory: str = ""


def listing(tree: Tree, addons: Sequence[Addon], now: float) -> list[Listed]:
    """Every regular file of the addons but the view; links and special files are ``check``'s and hold nothing here."""
    young = str(int((now - GRANULARITY) * 1e9))
    return [
        Listed(path, addon, settled(entry.stamp, young))
        for addon in addons
        for own in addon.paths
        for path, entry in _below(tree, own)
        if path is not None and entry.kind == "file" and path != VIEW
    ]


def _below(tree: Tree, own: str) -> Iterable[tuple[RepoPath | None, Entry]]:
    if not own.endswith("/"):
        path = RepoPath(own)
        entry = tree.stat(path)
        return () if entry is None else ((path, entry),)
    folder = RepoPath(own[:-1])
    walker = getattr(tree, "walk_files", None)
    if walker is not None:
        return walker(folder)  # type: ignore[no-any-return]
    return ((join(parent, entry.name) if entry.kind == "file" else None, entry) for parent, entry in walk(tree, folder))


def glance(tree: Tree, addons: Sequence[Addon], now: float) -> str | None:
    """What tells in one quick look that nothing changed since; None for a tree that has no such look."""
    look = getattr(tree, "glance", None)
    if look is None:
        return None
    places = [RepoPath(own.removesuffix("/")) for addon in addons for own in addon.paths]
    found: str | None = look(places, int((now - GRANULARITY) * 1e9))
    return found


def settled(stamp: str, young: str) -> str:
    """The stamp, or "" when it is made of times and one of them is ``young`` (nanoseconds, in digits) or later."""
    # Times of as many digits compare as texts like their numbers; ten thousand of them are compared on every command.
    size = len(young)
    if stamp[size : size + 1] == ":" == stamp[2 * size + 1 : 2 * size + 2]:
        return stamp if stamp[:size] < young > stamp[size + 1 : 2 * size + 1] else ""
    times = stamp.split(":", 2)[:2]
    return stamp if len(times) < 2 or max(map(int, times)) < int(young) else ""


def stamps_digest(found: Iterable[Listed]) -> str:
    """Equal digests: no file changed since. Empty when one stamp proves nothing."""
    lines: list[str] = []
    for path, _, stamp in found:
        if not stamp:
            return ""
        lines.append(path)
        lines.append(stamp)
    return sha256("\0".join(lines).encode()).hexdigest()
