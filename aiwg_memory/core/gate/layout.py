"""What lies where it may not lie: links, special files, names that no path here may have, and names alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.focus import names
from aiwg_memory.core.gate.change import LOCAL, STORE, Change, Touch
from aiwg_memory.core.paths import RepoPath, display, path_problem
from aiwg_memory.core.patterns import pattern
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

WHAT = {
    "link": "a link; nobody reads through one",
    "special": "a special file or a submodule; only regular files may lie here",
    "illegal": "a name that no path here may have",
}
# Names made from digests and times, all of one case: two of them cannot differ by case alone.
_MADE = pattern(r".*/(?:[0-9a-f]{16}\.txt|[0-9]{6,8}(?:T[0-9]{6}Z)?-[0-9a-f]{12}[a-z0-9-]*\.jsonl)\Z")


def layout(change: Change, stranger: Callable[[str], Finding | None], size: int) -> Iterator[Finding]:
    """``stranger``: what to say of a path that nobody owns here. ``size`` is the most bytes one file may have."""
    alike = Alike(change.head)
    for each in change.touched:
        if each.after is None or not _ours(each.path):
            continue
        problem = path_problem(each.path)
        if problem is not None:
            yield Finding(display(each.path), 0, "unsafe-path", f"the name has {problem}", hint="rename it")
        elif each.after in WHAT:
            yield Finding(each.path, 0, "unsafe-path", f"is {WHAT[each.after]}", hint="move it out of .aiwg")
        else:
            yield from _file(change, each, stranger, size)
            yield from alike.findings(RepoPath(each.path))


def _ours(path: str) -> bool:
    return path.casefold() == STORE or path.casefold().startswith(STORE + "/")


def _file(change: Change, each: Touch, stranger: Callable[[str], Finding | None], size: int) -> Iterator[Finding]:
    if each.path == STORE:
        yield Finding(STORE, 0, "unsafe-path", "is a file, not a directory", hint="move it out of the way")
        return
    if each.path.startswith(LOCAL):
        hint = "take it out of git; what lies there belongs to one machine"
        yield Finding(each.path, 0, "local-file", "is never shared, and is tracked", hint=hint)
        return
    entry = change.head.stat(RepoPath(each.path))
    if entry is not None and entry.size > size:
        message = f"the file has {entry.size} bytes; at most {size} are kept here"
        yield Finding(each.path, 0, "too-large", message, hint="keep large files elsewhere and cite them")
    if each.before is None and (found := stranger(each.path)) is not None:
        yield found


class Alike:
    """Which names of a tree some file systems take for the same. Each folder is looked at once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._seen: dict[str, str] = {}
        self._folders: dict[str, dict[str, list[str]]] = {}

    def findings(self, path: RepoPath) -> Iterator[Finding]:
        other = self._seen.setdefault(path.casefold(), path)
        if not path.under(STORE):
            # Where case does not count this lies in the store, and may take the place of what is there.
            other = STORE
        elif other == path and not _MADE.match(path):
            other = self._sibling(path)
        if other != path:
            message = f"differs from {display(other)} only by case"
            yield Finding(path, 0, "case-collision", message, hint="rename one of them")

    def _sibling(self, path: RepoPath) -> str:
        """A name beside ``path``, or beside a folder on the way to it."""
        here: RepoPath | None = path
        while here is not None and here.parent is not None:
            for name in self._names(here.parent).get(here.name.casefold(), ()):
                if name != here.name:
                    return f"{here.parent}/{name}"
            here = here.parent
        return path

    def _names(self, folder: RepoPath) -> dict[str, list[str]]:
        if folder not in self._folders:
            found: dict[str, list[str]] = {}
            # What cannot be listed is a finding of its own.
            with suppress(AiwgError):
                for name in names(self._tree, folder):
                    found.setdefault(name.casefold(), []).append(name)
            self._folders[folder] = found
        return self._folders[folder]
