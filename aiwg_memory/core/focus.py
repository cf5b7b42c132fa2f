"""A tree narrowed to what a change touches, so that judging a change costs what the change costs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.patterns import pattern
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Entry, Tree, walk
from aiwg_memory.errors import AiwgError

# Characters of the phrases in one pattern, and how deep their common beginnings are nested.
_PATTERN, _DEPTH = 24_000, 40
# What may stand for one ASCII character between two words, written out or as a link escapes it; and for anything else.
_ONE, _MORE = "([^a-z0-9]{0,12}|%..)", ".{0,12}"
_ATOMS = pattern(f"{re.escape(_ONE)}|{re.escape(_MORE)}|.")
_WORDS = pattern("[A-Za-z0-9]+")


@runtime_checkable
class Searched(Protocol):
    """A tree whose texts can be searched without its files being read one by one."""

    def holding(self, folder: RepoPath, pattern: str, without: Sequence[RepoPath] = ()) -> Sequence[RepoPath]:
        """The files below ``folder`` in which a line matches ``pattern``, without case, byte by byte.

        There may be others among them that a change touches, which is looked at whole anyway.
        """


@runtime_checkable
class Named(Protocol):
    """A tree that answers for names without listing them level by level."""

    def whole(self) -> Tree:
        """The same as one listing, for whoever looks at most of it."""

    def called(self, globs: Sequence[str]) -> Sequence[RepoPath]:
        """Whatever is no directory and has a path that ``naming(globs)`` matches."""

    def names(self, folder: RepoPath) -> Iterable[str]:
        """What is in the folder, of whatever kind."""

    def alike(self, folder: RepoPath, keys: Iterable[str]) -> Iterable[RepoPath]:
        """Whatever lies below ``folder`` and has a file name whose ``key`` is one of ``keys``."""


@runtime_checkable
class Learning(Protocol):
    """A tree that answers faster for what it was told before."""

    def learn(self, paths: Iterable[RepoPath]) -> None:
        """Fetch these at once."""


def learn(tree: Tree, paths: Iterable[RepoPath]) -> None:
    """Say what will be looked at; trees that have nothing to fetch need no such word."""
    if isinstance(tree, Learning):
        tree.learn(paths)


def whole(tree: Tree) -> Tree:
    """The tree as one listing, for whoever looks everywhere; asking for each path could cost a process each."""
    return tree.whole() if isinstance(tree, Named) else tree


def naming(globs: Sequence[str]) -> re.Pattern[str]:
    """Matches a whole path when one of ``globs`` names it, wherever it lies and in any case, in git's sense:
    ``**/`` stands for directories or none, a final ``**`` for everything below, ``*`` for a part of one name.
    """
    return pattern(f"(?:.*/)?(?:{'|'.join(map(_translated, globs))})", re.IGNORECASE | re.DOTALL)


_WILD = {"**/": "(?:.*/)?", "**": ".+", "*": "[^/]*"}


def _translated(glob: str) -> str:
    return "".join(_WILD.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*)", glob))


def called(tree: Tree, globs: Sequence[str]) -> Iterable[RepoPath]:
    """Every path that one of ``globs`` names, links and special files too; illegal names are left out."""
    if isinstance(tree, Named):
        return tree.called(globs)
    wanted = naming(globs)
    paths = (join(parent, entry.name) for parent, entry in walk(tree) if entry.kind != "illegal")
    return [path for path in paths if wanted.fullmatch(path)]


def names(tree: Tree, folder: RepoPath) -> Iterable[str]:
    """What is in the folder, of whatever kind; nothing is asked about any of it."""
    return tree.names(folder) if isinstance(tree, Named) else (entry.name for entry in tree.list(folder))


def key(name: str) -> str:
    """The ASCII letters and digits of a name, in one case: what is left of a title when a file is named after it."""
    return re.sub("[^a-z0-9]+", "", name.lower())


def alike(tree: Tree, folder: RepoPath, names: Iterable[str], suffix: str) -> Iterable[RepoPath]:
    """The files below ``folder`` that are named like one of ``names``, and end in ``suffix``.

    Cost: a look at the names, and none at what is in the files.
    """
    keys = {key(name + suffix) for name in names}
    if not keys:
        return ()
    if isinstance(tree, Named):
        return tree.alike(folder, keys)
    found = (join(parent, entry.name) for parent, entry in walk(tree, folder) if entry.kind == "file")
    return [path for path in found if key(path.name) in keys]


class Focus:
    """Lists only the files it was told of; anything else is still there when it is asked for by name."""

    def __init__(self, tree: Tree, seen: Iterable[RepoPath] = ()) -> None:
        self._tree = tree
        self._names: dict[str, set[str]] = {}
        self.see(seen)

    @property
    def identity(self) -> str:
        return self._tree.identity

    def see(self, paths: Iterable[RepoPath]) -> None:
        for path in paths:
            folder, _, name = path.rpartition("/")
            while name not in self._names.setdefault(folder, set()):
                self._names[folder].add(name)
                folder, _, name = folder.rpartition("/")
                if not name:
                    break

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        return self._tree.read(path, limit=limit)

    def stat(self, path: RepoPath) -> Entry | None:
        """A folder is one where something lies that it was told of: what another tree alone has makes none here."""
        below = self._names.get(path)
        if below is None:
            return self._tree.stat(path)
        there = any(self.stat(join(path, name)) is not None for name in below)
        return Entry(path.name, "dir", 0) if there else None

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        for name in sorted(self._names.get(path or "", ()), key=str.encode):
            entry = self.stat(join(path, name))
            if entry is not None:
                yield entry


def phrase(text: str) -> str | None:
    """A pattern for the ASCII words of ``text`` in a row, however they are joined or escaped; None without a word.

    It is searched without case, so it finds at least every place where ``text`` is named.
    """
    words = _WORDS.findall(text)
    if not words or sum(map(len, words)) < 3:
        return None
    between = [_ONE if len(each) == 1 and each.isascii() else _MORE for each in _WORDS.split(text)[1:-1]]
    return "".join(part for pair in zip(words, [*between, ""], strict=True) for part in pair)


def holding(
    tree: Tree, folder: RepoPath, phrases: Iterable[str], without: Sequence[RepoPath] = ()
) -> Iterable[RepoPath]:
    """The files below ``folder``, but for those below ``without``, in which one of the ``phrases`` stands.

    Cost: one pass over the folder by git's own search, or over its files where the tree knows no better.
    """
    found: dict[RepoPath, None] = {}
    for some in _portions(sorted(set(phrases))):
        pattern = _factored([_ATOMS.findall(each) for each in some])
        if isinstance(tree, Searched):
            found.update(dict.fromkeys(tree.holding(folder, pattern, without)))
        else:
            found.update(dict.fromkeys(_read_through(tree, folder, re.compile(pattern.encode(), re.I), without)))
    return found


def _portions(phrases: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many in one search as fit what a compiled pattern may have."""
    first = size = 0
    for at, each in enumerate(phrases):
        if size and size + len(each) > _PATTERN:
            yield phrases[first:at]
            first, size = at, 0
        size += len(each)
    if size:
        yield phrases[first:]


def _factored(rows: Sequence[Sequence[str]], depth: int = 0) -> str:
    """The alternatives with what they begin with in common written once, so that a thousand cost little more than one.

    ``rows`` are sorted; what begins with another one is left out, since that one is found there as well.
    """
    if depth == _DEPTH:
        return "|".join("".join(row) for row in rows)
    groups: dict[str, list[Sequence[str]]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row)
    return "|".join(_group(group, depth) for group in groups.values())


def _group(rows: Sequence[Sequence[str]], depth: int) -> str:
    """Rows whose first atom is one."""
    first, last = rows[0], rows[-1]
    same = next((at for at, atom in enumerate(first) if at == len(last) or atom != last[at]), len(first))
    begin = "".join(first[:same])
    if any(len(row) == same for row in rows):
        return begin
    return f"{begin}({_factored([row[same:] for row in rows], depth + 1)})"


def _read_through(
    tree: Tree, folder: RepoPath, wanted: re.Pattern[bytes], without: Sequence[RepoPath]
) -> Iterator[RepoPath]:
    for parent, entry in walk(tree, folder):
        if entry.kind != "file":
            continue
        path = join(parent, entry.name)
        if any(path.under(each) for each in without):
            continue
        try:
            found = wanted.search(tree.read(path, limit=MAX_FILE))
        except AiwgError:
            continue
        if found:
            yield path
