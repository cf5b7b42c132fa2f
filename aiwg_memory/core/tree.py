"""Tree: a readable set of files. The working tree, the index and a commit answer alike; so does a plain dict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Protocol

from aiwg_memory.core.canonical import digest_json
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.errors import NotFound, TooLarge, UnsafePath

Kind = Literal["file", "dir", "link", "special", "illegal"]


class Entry(NamedTuple):
    """One name of a directory. ``size`` is in bytes, 0 for what is not a regular file.

    ``kind`` "illegal" is a name that is on disk but may not be part of a RepoPath; ``name`` is then its display form.
    ``stamp`` equal on two looks means equal content (a blob id, or times and inode); empty means: read it to know.
    ``links`` counts the names a file has on disk.
    """

    name: str
    kind: Kind
    size: int
    stamp: str = ""
    links: int = 1


class Tree(Protocol):
    """What every addon is handed. Nothing here follows a link, and nothing returns part of a file."""

    @property
    def identity(self) -> str:
        """What a pack or a finding says it was read from."""

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        """The whole file. Raises NotFound, UnsafePath (a link or special file on the way), TooLarge (over limit)."""

    def stat(self, path: RepoPath) -> Entry | None:
        """None when nothing is there. Raises UnsafePath when a link or special file stands on the way to it."""

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        """One level, byte-wise sorted by name; nothing for a directory that is not there. None is the root.

        Raises UnsafePath when ``path`` or a part of it is a link, special or a file.
        """


def walk(tree: Tree, folder: RepoPath | None = None) -> Iterator[tuple[RepoPath | None, Entry]]:
    """Every entry below ``folder`` that is not a directory, depth first, byte-wise, as ``(parent, entry)``.

    Links, special files and illegal names are yielded, not judged.
    """
    for entry in tree.list(folder):
        if entry.kind == "dir":
            yield from walk(tree, join(folder, entry.name))
        else:
            yield folder, entry


def files(tree: Tree, folder: RepoPath) -> Iterator[tuple[RepoPath, Entry]]:
    """Every regular file below ``folder`` with its path; anything else met on the way raises UnsafePath."""
    for parent, entry in walk(tree, folder):
        if entry.kind != "file":
            raise UnsafePath(
                f"{parent}/{entry.name} is {_PHRASE[entry.kind]}; only regular files may lie here",
                hint="move it away, or replace it by a regular file; nobody reads through it",
            )
        yield join(parent, entry.name), entry


_PHRASE = {"link": "a link", "special": "a special file", "illegal": "a name that is not legal here"}


class MemoryTree:
    """A tree from a dict: bytes are files, None is a link. For tests and for planning on top of a plan."""

    def __init__(self, content: Mapping[str, bytes | None]) -> None:
        self._content = {RepoPath(path): data for path, data in content.items()}

    @property
    def identity(self) -> str:
        listing = {
            path: digest_json(data.decode("latin-1")) for path, data in self._content.items() if data is not None
        }
        return "memory:" + digest_json(listing)

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        entry = self.stat(path)
        if entry is None:
            raise NotFound(f"{path} is not there")
        data = self._content.get(path)
        if data is None:
            raise UnsafePath(f"{path} is {'a directory' if entry.kind == 'dir' else 'a link'}, not a regular file")
        if len(data) > limit:
            raise TooLarge(f"{path} has {len(data)} bytes; at most {limit} are read here")
        return data

    def stat(self, path: RepoPath) -> Entry | None:
        parts = path.parts
        for end in range(1, len(parts)):
            above = RepoPath("/".join(parts[:end]))
            if above in self._content:
                if self._content[above] is None:
                    raise UnsafePath(f"{above} is a link; nobody reads through it")
                return None
        if path in self._content:
            data = self._content[path]
            return Entry(path.name, "link", 0) if data is None else Entry(path.name, "file", len(data))
        if any(other.startswith(path + "/") for other in self._content):
            return Entry(path.name, "dir", 0)
        return None

    def _refuse_file_above(self, path: RepoPath) -> None:
        above = path.parent
        while above is not None:
            if above in self._content:
                raise UnsafePath(f"{above} is a file, not a directory")
            above = above.parent

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        if path is not None:
            entry = self.stat(path)
            if entry is None:
                self._refuse_file_above(path)
                return
            if entry.kind != "dir":
                raise UnsafePath(f"{path} is not a directory")
        prefix = f"{path}/" if path else ""
        names = {other[len(prefix) :].partition("/")[0] for other in self._content if other.startswith(prefix)}
        for name in sorted(names):
            entry = self.stat(join(path, name))
            assert entry is not None
            yield entry
