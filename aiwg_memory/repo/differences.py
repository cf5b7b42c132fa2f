"""What differs between two commits, or a commit and the index or the disk: every name, and which files were renamed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError
from aiwg_memory.repo.changes import Touched
from aiwg_memory.repo.repository import SUBMODULES, Repository
from aiwg_memory.repo.trees import Node, node_kind

# Above so many candidates git looks for exact renames alone.
_RAW = ("--raw", "--full-index", "-M", "-l300", "--no-ext-diff", SUBMODULES, "-z", "--relative")
_ABSENT = "000000"
# Untracked files that are compared with files that went, and how large they may be.
_COMPARED, _SIZE = 200, 1 << 20


class Difference(NamedTuple):
    """``renames`` leads from a path that went to the one that came with the same or nearly the same content.

    ``base`` and ``head`` are ids of commits; None: the index, or the disk. An empty ``base`` is nothing at all.
    """

    base: str
    head: str | None
    touched: tuple[Touched, ...]
    renames: dict[str, str]


def commits(repository: Repository, base: str, head: str) -> Difference:
    listed = repository._git("diff-tree", "-r", *_RAW, base, head).out
    return _difference(base, head, listed)


def staged(repository: Repository, base: str | None) -> Difference:
    """``base`` None: before the first commit."""
    first = base or repository.empty_tree
    listed = repository._git("diff-index", "--cached", "--ita-invisible-in-index", *_RAW, first).out
    return _difference(base or "", None, listed)


def on_disk(repository: Repository, base: str | None, disk: Tree) -> Difference:
    """Tracked files whose bytes are not those of ``base``, and files that git neither tracks nor ignores.

    Nothing that git's settings would run on a file is run: bytes are compared as they lie there.
    """
    first = base or repository.empty_tree
    raw = [each for each in _RAW if each not in ("-M", "-l300")]
    known = _difference(base or "", None, repository._git("diff-index", "--no-renames", *raw, first).out)
    touched = [each for each in known.touched if not _same(disk, each)]
    names = repository._git("ls-files", "-o", "--exclude-standard", "-z").out.split(b"\0")
    new = [name.decode("utf-8", "surrogateescape") for name in names if name]
    touched += [Touched(name, None, Node("file", "")) for name in new]
    went = {each.before.id: each.path for each in touched if each.before and not each.after and each.before.id}
    renames: dict[str, str] = {}
    for name in new[:_COMPARED] if went else ():
        blob = _blob(disk, name, len(next(iter(went))))
        if blob in went and not name.startswith(".aiwg/"):
            renames.setdefault(went[blob], name)
    return Difference(base or "", None, tuple(sorted(touched, key=lambda one: one.path)), renames)


def _same(disk: Tree, each: Touched) -> bool:
    """Whether git only was not sure; a file that is gone, or is no file, differs."""
    if each.before is None or each.after is None or each.before.kind != "file" != each.after.kind:
        return False
    return _blob(disk, each.path, len(each.before.id)) == each.before.id


def _blob(disk: Tree, name: str, width: int) -> str:
    """The id git would give the bytes; "" for what cannot be read, or is large."""
    if path_problem(name):
        return ""
    try:
        data = disk.read(RepoPath(name), limit=_SIZE)
    except AiwgError:
        return ""
    kind = hashlib.sha256 if width == 64 else hashlib.sha1
    return kind(b"blob %d\0" % len(data) + data).hexdigest()


def _difference(base: str, head: str | None, listed: bytes) -> Difference:
    touched: dict[str, Touched] = {}
    renames: dict[str, str] = {}
    for path, before, after, to in _entries(listed.split(b"\0")):
        if to:
            touched[path] = Touched(path, before, None)
            touched[to] = Touched(to, None, after)
            renames[path] = to
        else:
            touched[path] = Touched(path, before, after)
    return Difference(base, head, tuple(touched[path] for path in sorted(touched)), renames)


def _entries(fields: Sequence[bytes]) -> Iterator[tuple[str, Node | None, Node | None, str]]:
    """``:mode mode id id letter NUL path NUL``, and a second path where the letter is R or C."""
    at = 0
    while at + 1 < len(fields):
        old, new, before, after, letter = fields[at].decode()[1:].split()
        two = letter[:1] in "RC"
        names = [name.decode("utf-8", "surrogateescape") for name in fields[at + 1 : at + 2 + two]]
        at += 2 + two
        if letter == "U":
            yield names[0], None, Node("file", "", conflicted=True), ""
        else:
            yield names[0], _node(old, before), _node(new, after), names[1] if two else ""


def _node(mode: str, blob: str) -> Node | None:
    return None if mode == _ABSENT else Node(node_kind(mode), "" if set(blob) == {"0"} else blob)
