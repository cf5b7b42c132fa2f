"""The index and any commit as trees: what git holds, listed without a checkout and read without a filter."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from aiwg_memory.core.paths import RepoPath, display, join
from aiwg_memory.core.tree import Entry, Kind
from aiwg_memory.errors import AiwgError, Damaged, NotFound, TooLarge, UnsafePath, UsageError
from aiwg_memory.repo.objects import Objects

MAX_TREE = 64 * 1024 * 1024
MAX_TARGET = 4096
# Folders that are read one by one as fast as together, where their sizes have to be asked for first.
_FEW = 2

_PHRASE = {"dir": "a directory", "link": "a link", "special": "a submodule"}
# By the type bits of git's octal modes; permissions, and zeros before them, differ in old repositories.
_KINDS: dict[int, Kind] = {0o100000: "file", 0o040000: "dir", 0o120000: "link"}
_TYPE = 0o170000


class Node(NamedTuple):
    """One name as git has it. ``conflicted``: the index holds several stages of it, none of which can be committed."""

    kind: Kind
    id: str
    conflicted: bool = False


Listing = Callable[[str], dict[str, Node]]


class GitTree:
    """A tree over a ``listing``: the names in a folder that is there ("" is the root).

    ``identity`` names exactly this content. Stamps are blob ids. Not to be shared between threads.
    """

    def __init__(self, listing: Listing, objects: Objects, identity: str) -> None:
        self.identity = identity
        self._listing = listing
        self._objects = objects
        self._folders: dict[str, dict[str, Node]] = {}
        self._sizes: dict[str, int] = {}

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        """The blob as it is stored. Raises NotFound, UnsafePath, TooLarge, Damaged (unmerged, or not fetched)."""
        return read_node(self._objects, self._sizes, self._find(path), path, limit)

    def learn(self, paths: Iterable[RepoPath]) -> None:
        """Fetch the sizes and the small contents of these at once; what is no file is left for who looks at it."""
        nodes = []
        for path in paths:
            with suppress(AiwgError):
                node = self._find(path)
                if node is not None and node.kind == "file":
                    nodes.append((path.name, node))
        self._entries(nodes)
        self._objects.hold({node.id: self._sizes[node.id] for _, node in nodes})

    def stat(self, path: RepoPath) -> Entry | None:
        node = self._find(path)
        return None if node is None else self._entries([(path.name, node)])[0]

    def link_target(self, path: RepoPath) -> str | None:
        """What the link at ``path`` says, which is not followed; None when there is no link."""
        node = self._find(path)
        if node is None or node.kind != "link":
            return None
        return self._objects.read(node.id, limit=MAX_TARGET, name=path).decode("utf-8", "surrogateescape")

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        """One level, sorted by the bytes of the names; raises Damaged when one of them is unmerged."""
        if path is not None:
            node = self._find(path)
            if node is None:
                self._refuse_file_above(path)
                return
            if node.kind != "dir":
                raise UnsafePath(f"{path} is not a directory")
        found = sorted(self._children(path or "").items(), key=_by_bytes)
        for name, node in found:
            refuse_conflict(node, f"{path}/{name}" if path else name)
        yield from self._entries([_judged(path, name, node) for name, node in found])

    def names(self, folder: RepoPath) -> Iterable[str]:
        """One level, as git has it: nothing is measured or refused. Nothing where no directory is."""
        node = self._find(folder)
        return self._children(folder) if node is not None and node.kind == "dir" else ()

    def _find(self, path: RepoPath) -> Node | None:
        folder, _, last = path.rpartition("/")
        # A folder that was listed is a directory all the way down to it.
        if folder not in self._folders and not self._reach(folder):
            return None
        found = self._children(folder).get(last)
        if found is not None:
            refuse_conflict(found, path)
        return found

    def _reach(self, path: str) -> bool:
        """Whether directories lead to ``path``, which is one. Raises UnsafePath where a link or submodule does."""
        folder = ""
        for part in path.split("/") if path else ():
            node = self._children(folder).get(part)
            folder = f"{folder}/{part}" if folder else part
            if node is None or node.kind == "file":
                return False
            refuse_conflict(node, folder)
            if node.kind != "dir":
                raise UnsafePath(f"{folder} is {_PHRASE[node.kind]}; nobody reads through it")
        return True

    def _refuse_file_above(self, path: RepoPath) -> None:
        above = path.parent
        while above is not None:
            node = self._find(above)
            if node is not None and node.kind != "dir":
                raise UnsafePath(f"{above} is a file, not a directory")
            above = above.parent

    def _children(self, folder: str) -> dict[str, Node]:
        if folder not in self._folders:
            self._folders[folder] = self._listing(folder)
        return self._folders[folder]

    def _entries(self, found: Sequence[tuple[str, Node]]) -> Sequence[Entry]:
        unknown = [node.id for _, node in found if node.kind == "file" and node.id not in self._sizes]
        if unknown:
            self._sizes.update(zip(unknown, self._objects.sizes(unknown), strict=True))
        return [
            Entry(name, "file", self._sizes[node.id], node.id) if node.kind == "file" else Entry(name, node.kind, 0)
            for name, node in found
        ]


def read_node(objects: Objects, sizes: Mapping[str, int], node: Node | None, path: RepoPath, limit: int) -> bytes:
    """What is stored at ``path``, of which ``node`` is what git has there. Raises NotFound, UnsafePath, TooLarge.

    ``sizes`` are those that are known: what is too large by them is not asked for.
    """
    if node is None:
        raise NotFound(f"{path} is not there")
    if node.kind != "file":
        raise UnsafePath(f"{path} is {_PHRASE[node.kind]}, not a regular file")
    if sizes.get(node.id, 0) > limit:
        raise TooLarge(f"{path} has {sizes[node.id]} bytes; at most {limit} are read here")
    return objects.read(node.id, limit=limit, name=path)


class Folders:
    """A commit or a tree below ``prefix``, asked path by path: each folder is one object, read and parsed once."""

    def __init__(self, objects: Objects, start: str, prefix: str) -> None:
        self._objects = objects
        self._start, self._prefix = start, prefix
        self._width = len(start) // 2
        self._read: dict[str, bytes | None] = {}
        self._rows: dict[str, dict[bytes, tuple[bytes, bytes]]] = {}

    def find(self, path: str) -> Node | None:
        """None also below a link or a submodule: nobody reads through those."""
        folder, _, name = path.rpartition("/")
        tree = self._folder(folder)
        wanted = name.encode("utf-8", "surrogateescape")
        # Most that is asked for is new, and not there: that needs no parsing.
        if tree is None or b" " + wanted + b"\0" not in tree:
            return None
        found = self._parsed(folder, tree).get(wanted)
        return None if found is None else Node(node_kind(found[0]), found[1].hex())

    def learn(self, paths: Iterable[str]) -> None:
        """Fetch the folders of ``paths``, many of one level at once."""
        levels: dict[int, dict[str, None]] = {}
        for path in paths:
            folder = path.rpartition("/")[0]
            while folder and folder not in self._read:
                levels.setdefault(folder.count("/"), {})[folder] = None
                folder = folder.rpartition("/")[0]
        for depth in sorted(levels):
            if len(levels[depth]) > _FEW:
                nodes = [self.find(folder) for folder in levels[depth]]
                self._objects.learn([node.id for node in nodes if node is not None and node.kind == "dir"])
            for folder in levels[depth]:
                self._folder(folder)

    def names(self, folder: str) -> Iterator[str]:
        """What is in the folder, as git has it; nothing where no directory is."""
        tree = self._folder(folder)
        for name in self._parsed(folder, tree) if tree is not None else ():
            yield name.decode("utf-8", "surrogateescape")

    def below(self, folder: str) -> list[bytes]:
        """The paths of all that is no directory below the folder: a few questions to git for each level of folders."""
        found: list[bytes] = []
        level = [folder]
        while level:
            deeper: dict[str, str] = {}
            for each in level:
                tree, lead = self._folder(each), each.encode("utf-8", "surrogateescape") + b"/"
                for name, (mode, blob) in self._parsed(each, tree).items() if tree is not None else ():
                    if node_kind(mode) == "dir":
                        deeper[f"{each}/{name.decode('utf-8', 'surrogateescape')}"] = blob.hex()
                    else:
                        found.append(lead + name)
            self._objects.learn(list(dict.fromkeys(deeper.values())))
            level = list(deeper)
        return found

    def _parsed(self, folder: str, tree: bytes) -> dict[bytes, tuple[bytes, bytes]]:
        if folder not in self._rows:
            self._rows[folder] = _rows(tree, self._width)
        return self._rows[folder]

    def _folder(self, path: str) -> bytes | None:
        if path not in self._read:
            self._read[path] = self._fetch(path)
        return self._read[path]

    def _fetch(self, path: str) -> bytes | None:
        if not path:
            return self._top()
        node = self.find(path)
        return self._tree(node.id) if node is not None and node.kind == "dir" else None

    def _top(self) -> bytes | None:
        tree = self._tree(tree_of(self._objects, self._start))
        for part in self._prefix.split("/") if self._prefix else ():
            node = _parsed(tree, self._width).get(part)
            if node is None or node.kind != "dir":
                return None
            tree = self._tree(node.id)
        return tree

    def _tree(self, wanted: str) -> bytes:
        return self._objects.read(wanted, limit=MAX_TREE, name="a directory in git")


def tree_of(objects: Objects, start: str) -> str:
    """The tree of a commit; a tree is its own."""
    data = objects.read(start, limit=MAX_TREE, name="the commit")
    first = data.partition(b"\n")[0]
    return first[len("tree ") :].decode() if first.startswith(b"tree ") and len(first) == 5 + len(start) else start


def commit_listing(objects: Objects, commit: str, prefix: str) -> Listing:
    """Folders of ``commit`` below ``prefix`` ("" or ``a/b``), each one tree object, read when it is asked for."""
    trees: dict[str, str] = {}
    first, _, _ = objects.read(commit, limit=MAX_TREE, name="the commit").partition(b"\n")
    if not first.startswith(b"tree "):
        raise UsageError(f"{commit} is not a commit", hint="name a branch, a tag or a commit")
    root = first[len("tree ") :].decode()

    def below(tree: str) -> dict[str, Node]:
        return _parsed(objects.read(tree, limit=MAX_TREE, name="a directory in git"), len(commit) // 2)

    for part in prefix.split("/") if prefix else ():
        node = below(root).get(part)
        if node is None or node.kind != "dir":
            return lambda _: {}
        root = node.id

    def listing(folder: str) -> dict[str, Node]:
        found = below(trees[folder] if folder else root)
        for name, node in found.items():
            if node.kind == "dir":
                trees[f"{folder}/{name}" if folder else name] = node.id
        return found

    return listing


def _parsed(tree: bytes, width: int) -> dict[str, Node]:
    return {
        name.decode("utf-8", "surrogateescape"): Node(node_kind(mode), blob.hex())
        for name, (mode, blob) in _rows(tree, width).items()
    }


def _rows(tree: bytes, width: int) -> dict[bytes, tuple[bytes, bytes]]:
    """A tree object: ``mode name NUL id`` again and again; ``width`` is the length of an id in bytes.

    It is parsed from its beginning: a mode and a name can stand within another name.
    """
    rows = re.findall(rb"([0-7]+) ([^\0]*)\0(.{%d})" % width, tree, re.DOTALL)
    if sum(len(mode) + len(name) for mode, name, _ in rows) + (width + 2) * len(rows) != len(tree):
        raise Damaged("a directory in git is not what git writes", hint="run `git fsck`")
    found = {name: (mode, blob) for mode, name, blob in rows}
    if len(found) < len(rows):
        twice = Counter(name for _, name, _ in rows).most_common(1)[0][0]
        raise Damaged(
            f"a directory in git holds {display(twice.decode('utf-8', 'surrogateescape'))} twice", hint="run `git fsck`"
        )
    return found


def index_listing(staged: bytes) -> Listing:
    """Folders of the index, from the output of ``git ls-files -s -z``, which is sorted by the bytes of the paths."""
    entries = staged.split(b"\0")
    entries.pop()

    def listing(folder: str) -> dict[str, Node]:
        prefix = f"{folder}/".encode("utf-8", "surrogateescape") if folder else b""
        found: dict[str, Node] = {}
        at = bisect_left(entries, prefix, key=_path)
        while at < len(entries):
            head, _, path = entries[at].partition(b"\t")
            if not path.startswith(prefix):
                break
            raw, deeper, _ = path[len(prefix) :].partition(b"/")
            name = raw.decode("utf-8", "surrogateescape")
            mode, blob, stage = head.decode().split()
            if (stage != "0" and not deeper) or name in found:
                found[name] = Node("file", blob, conflicted=True)
            else:
                found[name] = Node("dir", "") if deeper else Node(node_kind(mode), blob)
            # "0" follows "/": the first path after everything below this directory.
            at = bisect_left(entries, prefix + raw + b"0", at + 1, key=_path) if deeper else at + 1
        return found

    return listing


def _path(entry: bytes) -> bytes:
    return entry.partition(b"\t")[2]


@lru_cache(maxsize=64)
def node_kind(mode: str | bytes) -> Kind:
    """What a mode of a tree object or of the index stands for, as git itself takes it."""
    return _KINDS.get(int(mode, 8) & _TYPE, "special")


def _by_bytes(item: tuple[str, Node]) -> bytes:
    return item[0].encode("utf-8", "surrogateescape")


def _judged(folder: RepoPath | None, name: str, node: Node) -> tuple[str, Node]:
    try:
        join(folder, name if "/" not in name else "")
    except UnsafePath:
        return display(name), Node("illegal", "")
    return name, node


def refuse_conflict(node: Node, path: str) -> None:
    """Raises Damaged for a name of which the index holds several stages."""
    if node.conflicted:
        raise Damaged(
            f"{display(path)} is unmerged in the index",
            hint="resolve it and `git add` it, or `git merge --abort`",
        )
