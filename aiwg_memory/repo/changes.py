"""What a commit or a pull request changes: names with what was there and what is, from one git process."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from aiwg_memory.core.focus import naming
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Entry
from aiwg_memory.errors import UnsafePath, UsageError
from aiwg_memory.repo.repository import RAW, Repository
from aiwg_memory.repo.trees import Folders, GitTree, Node, index_listing, node_kind, read_node, refuse_conflict

# Names given to one git process: far below the bound of a command line on every platform.
_AT_ONCE = 400
_ABSENT = "000000"
# What is no part of a key, but for what parts names.
_NEITHER = bytes(sorted(set(range(1, 256)) - set(b"abcdefghijklmnopqrstuvwxyz0123456789/")))
STORE = RepoPath(".aiwg")


class Touched(NamedTuple):
    """One name that differs; it may be illegal as a path. None: it is not there on that side."""

    path: str
    before: Node | None
    after: Node | None


class Changes(NamedTuple):
    """Two trees that are asked name by name, and what differs between them."""

    base: NamedTree
    head: NamedTree
    touched: tuple[Touched, ...]


class NamedTree:
    """A tree of git that knows the names it was made with, and asks for others as they come.

    ``commit`` is a commit or tree id; None is the index. ``twin`` is the other side of a change of which ``known``
    is all that differs in the store. ``learn`` asks for many names at once. A commit's names cost no process.
    """

    def __init__(
        self,
        repository: Repository,
        commit: str | None,
        known: Mapping[str, Node | None],
        twin: NamedTree | None = None,
    ) -> None:
        self.identity = f"commit:{commit}" if commit else "index"
        self._repository = repository
        self._commit = commit
        self._twin = twin
        self._known = dict(known)
        self._sizes: dict[str, int] = {}
        self._unmeasured = [node for node in known.values() if node is not None]
        self._whole: list[tuple[RepoPath | None, GitTree]] = []
        self._folders = Folders(repository.objects, commit, repository.prefix) if commit else None
        self._differing = dict(known)
        self._above = {above for path in known for above in _above(path)}

    def learn(self, paths: Iterable[RepoPath]) -> None:
        """Fetch what is not known yet of ``paths``, the sizes of all that is known, and the small ones of ``paths``."""
        named = dict.fromkeys(paths)
        asked = [path for path in named if path not in self._known]
        if self._twin is not None:
            asked = self._learn_from(self._twin, asked)
        for start in range(0, len(asked), _AT_ONCE):
            some = asked[start : start + _AT_ONCE]
            found = self._ask(some)
            self._note({path: found.get(path) for path in some})
        self._measure()
        nodes = (node for path in named if (node := self._known[path]) is not None and node.kind == "file" and node.id)
        self._repository.objects.hold({node.id: self._sizes[node.id] for node in nodes})

    def _learn_from(self, twin: NamedTree, asked: Sequence[RepoPath]) -> list[RepoPath]:
        """What lies in the store and does not differ is as it is over there; the rest has to be asked for."""
        same = [path for path in asked if path.under(STORE) and not self._concerns(path)]
        twin.learn(same)
        for path in same:
            self._known[path] = node = twin._known[path]
            if node is not None and node.id in twin._sizes:
                self._sizes[node.id] = twin._sizes[node.id]
        return [path for path in asked if path not in self._known]

    def _concerns(self, path: RepoPath) -> bool:
        """Whether something differs above or below ``path``."""
        return path in self._above or any(above in self._differing for above in _above(path))

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        return read_node(self._repository.objects, self._sizes, self._find(path), path, limit)

    def stat(self, path: RepoPath) -> Entry | None:
        node = self._find(path)
        if node is None:
            return None
        if node.kind != "file":
            return Entry(path.name, node.kind, 0)
        if node.id not in self._sizes:
            self._measure()
        return Entry(path.name, "file", self._sizes[node.id], node.id)

    def list(self, path: RepoPath | None = None) -> Iterator[Entry]:
        """Everything in the folder, whatever is known: this asks git for the folder and what is below it."""
        for above, tree in self._whole:
            if path is not None and path.under(above):
                return tree.list(path)
        self._whole.append((path, self._folder(path)))
        return self._whole[-1][1].list(path)

    def whole(self) -> GitTree:
        """All of it, listed by one process: for whoever looks at most of it."""
        return self._all

    def names(self, folder: RepoPath) -> Iterable[str]:
        if self._folders is not None:
            # Who asks for one folder of a change asks for all of them.
            self._folders.learn([f"{folder}/", *self._differing])
            return self._folders.names(folder)
        differing = self._differing_below(folder)
        if differing is None or any(node is None and "/" in name for name, node in differing):
            # A folder may have gone with the last file in it.
            return self._all.names(folder)
        found = dict.fromkeys(self._other.names(folder))
        for name, _ in differing:
            found.pop(name, None)
        return found | dict.fromkeys(name.partition("/")[0] for name, node in differing if node is not None)

    def holding(self, folder: RepoPath, pattern: str, without: Sequence[RepoPath] = ()) -> Sequence[RepoPath]:
        """By ``git grep`` in a commit; a name that is no legal path is left out.

        Of the index: what the other side of the change holds, and all that differs.
        """
        if self._commit is None:
            differing = self._differing_below(folder)
            assert differing is not None, "only the store is searched"
            found = [path for path in self._other.holding(folder, pattern, without) if path not in self._differing]
            files = (f"{folder}/{name}" for name, node in differing if node is not None and node.kind == "file")
            return found + [
                path for name in files if (path := _legal(name)) and not any(path.under(each) for each in without)
            ]
        assert self._folders is not None
        if self._folders.find(folder) is None:
            return ()
        where = ["--", f":(literal){folder}", *(f":(exclude,literal){each}" for each in without)]
        for syntax in ("-P", "-E"):
            # More threads take longer together: what costs is unpacking, one object after the other.
            # What settings change in the list is said here.
            said = ("--no-color", "--no-full-name", "--no-recurse-submodules")
            asked = ("grep", "--threads=1", "-l", "-z", "-i", "-a", *said, syntax, "-e", pattern)
            done = self._repository._git(*asked, self._commit, *where, ok=(0, 1, 128))
            if done.status != 128:
                break
        names = (name.removeprefix(f"{self._commit}:") for name in _names(done.out))
        return [path for name in names if (path := _legal(name)) is not None]

    def called(self, globs: Sequence[str]) -> Sequence[RepoPath]:
        """From the names of all files, which ``whole`` needs too: a dozen globs take git longer than that."""
        wanted = naming(globs)
        if self._commit:
            listed = self._repository._git("ls-tree", "-r", "-z", "--name-only", self._commit).out
            names = [name for name in _names(listed) if wanted.fullmatch(name)]
        else:
            entries = (
                entry for entry in self._index.split(b"\0") if wanted.fullmatch(_text(entry.partition(b"\t")[2]))
            )
            found = dict(_staged(b"\0".join([*entries, b""])))
            self._note({name: node for name, node in found.items() if name not in self._known})
            names = list(found)
        return [path for name in names if (path := _legal(name)) is not None]

    def alike(self, folder: RepoPath, keys: Iterable[str]) -> Iterable[RepoPath]:
        """From all the names, as one text in which each key is looked for."""
        names = self._names_below(folder)
        keyed = b"\0".join(names).lower().translate(None, _NEITHER) + b"\0"
        found: dict[RepoPath, None] = {}
        for key in keys:
            wanted = b"/" + key.encode() + b"\0"
            at = keyed.find(wanted)
            while at >= 0:
                path = _legal(_text(names[keyed.count(b"\0", 0, at)]))
                if path is not None:
                    found[path] = None
                at = keyed.find(wanted, at + 1)
        return found

    def _names_below(self, folder: RepoPath) -> Sequence[bytes]:
        if self._folders is not None:
            return self._folders.below(folder)
        differing = self._differing_below(folder)
        if differing is None:
            return [entry.partition(b"\t")[2] for entry in self._below(folder).split(b"\0") if entry]
        here = {f"{folder}/{name}".encode("utf-8", "surrogateescape"): node for name, node in differing}
        names = [name for name in self._other._names_below(folder) if name not in here]
        return [*names, *(name for name, node in here.items() if node is not None)]

    @property
    def _other(self) -> NamedTree:
        assert self._twin is not None, "the index is always one side of a change"
        return self._twin

    def _differing_below(self, folder: str) -> Sequence[tuple[str, Node | None]] | None:
        """What differs below a folder of the store, by its path from there; None outside, where not all is known."""
        if folder[:6].lower() not in (STORE, f"{STORE}/"):
            return None
        lead = f"{folder}/"
        return [(path[len(lead) :], node) for path, node in self._differing.items() if path.startswith(lead)]

    def _below(self, folder: str) -> bytes:
        """The part of the index that lies in a folder: it is sorted by the bytes of the names."""
        mark = f"\t{folder}/".encode("utf-8", "surrogateescape")
        first = self._index.find(mark)
        if first < 0:
            return b""
        start = self._index.rfind(b"\0", 0, first) + 1
        return self._index[start : self._index.index(b"\0", self._index.rfind(mark)) + 1]

    def _find(self, path: RepoPath) -> Node | None:
        if path not in self._known:
            self.learn([path])
        node = self._known[path]
        if node is not None:
            refuse_conflict(node, path)
        return node

    def _note(self, found: Mapping[str, Node | None]) -> None:
        self._known.update(found)
        self._unmeasured += [node for node in found.values() if node is not None]

    def _measure(self) -> None:
        """Of what came to be known since the last time; a name once known stays what it is."""
        wanted = {node.id for node in self._unmeasured if node.kind == "file" and node.id}
        unknown = sorted(wanted - self._sizes.keys())
        if unknown:
            self._sizes.update(zip(unknown, self._repository.objects.sizes(unknown), strict=True))
        self._unmeasured = []

    def _ask(self, paths: Sequence[RepoPath]) -> dict[str, Node]:
        if self._folders is not None:
            self._folders.learn(paths)
            return {path: node for path in paths if (node := self._folders.find(path)) is not None}
        listed = self._repository._git("--literal-pathspecs", "ls-files", "-s", "-z", "--", *paths).out
        found: dict[str, Node] = {}
        for path, node in _staged(listed):
            found[path] = node
            # What was known to be a directory has all of those above it known too.
            above = path.rpartition("/")[0]
            while above and above not in found:
                found[above] = Node("dir", "")
                above = above.rpartition("/")[0]
        return found

    @cached_property
    def _all(self) -> GitTree:
        return self._folder(None)

    @cached_property
    def _index(self) -> bytes:
        """All of it below the workspace, as git lists it."""
        return self._repository._git("ls-files", "-s", "-z", "--", ".").out

    def _folder(self, path: RepoPath | None) -> GitTree:
        if self._commit == self._repository.empty_tree:
            return GitTree(index_listing(b""), self._repository.objects, self.identity)
        if self._commit:
            return self._repository.commit_tree(self._commit)
        staged = self._index if path is None else self._below(path)
        return GitTree(index_listing(staged), self._repository.objects, self.identity)


def staged(repository: Repository, base: str, listed: bytes) -> Changes:
    """What the next commit changes, of what ``listed``, a part of git's raw list, names."""
    return _changes(repository, base, None, listed)


def between(repository: Repository, base: str, head: str, specs: Sequence[str]) -> Changes:
    """What ``head`` (a commit) changed since it left ``base`` (a commit): from their merge base, as forges show it."""
    start = merge_base(repository, base, head)
    listed = repository._git("diff-tree", "-r", *RAW, start, head, "--", *specs).out
    return _changes(repository, start, head, listed)


def merge_base(repository: Repository, base: str, head: str) -> str:
    """Raises UsageError when there is none, and says when that is because the clone is shallow."""
    found = repository._git("merge-base", base, head, ok=(0, 1)).out.decode().split()
    if found:
        return found[0]
    if os.path.exists(os.path.join(repository.common_dir, "shallow")):
        raise UsageError(
            f"this clone is shallow: {base[:12]} and {head[:12]} have no commit in common here",
            hint="fetch the history between them: `git fetch --unshallow`, or fetch-depth: 0 in a workflow",
        )
    raise UsageError(f"{base[:12]} and {head[:12]} have no commit in common", hint="name two commits of one history")


def _changes(repository: Repository, base: str, head: str | None, listed: bytes) -> Changes:
    touched = tuple(_touched(listed))
    now, was = {each.path: each.after for each in touched}, {each.path: each.before for each in touched}
    if head is None:
        # The index answers by a process, a commit without one.
        before = NamedTree(repository, base, was)
        return Changes(before, NamedTree(repository, None, now, before), touched)
    after = NamedTree(repository, head, now)
    return Changes(NamedTree(repository, base, was, after), after, touched)


def _touched(listed: bytes) -> Iterator[Touched]:
    """``git diff --raw -z``: ``:mode mode id id letter NUL path NUL`` again and again."""
    fields = listed.split(b"\0")
    for head, name in zip(fields[0::2], fields[1::2], strict=False):
        old, new, before, after, letter = head.decode()[1:].split()
        path = name.decode("utf-8", "surrogateescape")
        if letter == "U":
            yield Touched(path, None, Node("file", "", conflicted=True))
        else:
            yield Touched(path, _node(old, before), _node(new, after))


def _node(mode: str, blob: str) -> Node | None:
    return None if mode == _ABSENT else Node(node_kind(mode), blob)


def _above(path: str) -> Iterator[str]:
    """The folders above a name, which may be illegal as a path."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _staged(listed: bytes) -> Iterator[tuple[str, Node]]:
    """``git ls-files -s -z``; of several stages of one name each is unmerged."""
    for entry in listed.split(b"\0")[:-1]:
        head, _, name = entry.partition(b"\t")
        mode, blob, stage = head.decode().split()
        yield name.decode("utf-8", "surrogateescape"), Node(node_kind(mode), blob, conflicted=stage != "0")


def _names(listed: bytes) -> Iterator[str]:
    return (_text(name) for name in listed.split(b"\0") if name)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _legal(name: str) -> RepoPath | None:
    try:
        return RepoPath(name)
    except UnsafePath:
        return None
