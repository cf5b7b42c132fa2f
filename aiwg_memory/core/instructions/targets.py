"""From what a person types to the levels that apply: the root, then each directory down to the target's."""

from __future__ import annotations

from aiwg_memory.core.paths import RepoPath, display, join
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused, TooLarge, UnsafePath

MAX_DEPTH = 32


def levels(tree: Tree, target: str, *, depth: int = MAX_DEPTH) -> tuple[str, tuple[RepoPath | None, ...]]:
    """The normalised target and its levels, root (None) first.

    A target may be a file or a directory, there or not; a missing one uses its nearest existing parent, and every part
    that exists must be a real directory. Raises Refused (escape), UnsafePath (a link or special file), TooLarge.
    """
    name = target.removesuffix("/")
    while name.startswith("./"):
        name = name[2:]
    if name in ("", ".") and target:
        return ".", (None,)
    if target.startswith("/") or ".." in name.split("/"):
        raise Refused(
            f"{display(target)} is outside the workspace",
            code="escape",
            hint="name a path relative to the workspace root, without '..'",
        )
    path = RepoPath(name)
    found: list[RepoPath | None] = [None]
    here: RepoPath | None = None
    parts = path.parts
    for number, part in enumerate(parts):
        here = join(here, part)
        entry = tree.stat(here)
        if entry is None:
            break
        if entry.kind == "file" and number == len(parts) - 1:
            break
        if entry.kind != "dir":
            what = {"link": "a link", "file": "a file, not a directory"}.get(entry.kind, "a special file")
            raise UnsafePath(f"{here} is {what}", code="symlink" if entry.kind == "link" else "special-file")
        found.append(here)
    if len(found) - 1 > depth:
        raise TooLarge(
            f"{display(target)} lies {len(found) - 1} levels deep; at most {depth} are followed", code="too-deep"
        )
    return str(path), tuple(found)
