"""From what a person types to the levels that apply: the root, then each directory down to the target's."""

from __future__ import annotations

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, display, join
from aiwg_memory.core.tree import Entry, Tree
from aiwg_memory.errors import Refused, TooLarge, UnsafePath

MAX_DEPTH = 32
Known = dict[RepoPath, tuple[Entry | None, tuple[RepoPath | None, ...]]]
"""What was looked at on the way to targets: the entry, and of a directory its levels, itself included."""
_WHAT = {"link": "a link", "file": "a file, not a directory"}


def target_path(target: str) -> RepoPath | None:
    """The normalised target; None is the workspace root. Raises Refused (escape), UnsafePath (no legal path)."""
    name = target
    while name.startswith("./"):
        name = name[2:].lstrip("/")
    if name.startswith("/") or ".." in name.split("/"):
        raise Refused(
            f"{display(target)} is no path below the workspace root",
            code="escape",
            hint="name a path relative to the workspace root, without '..'",
        )
    name = name.rstrip("/")
    if target and name in ("", "."):
        return None
    return RepoPath(name)


def levels(
    tree: Tree,
    target: str,
    problems: list[Finding],
    *,
    depth: int = MAX_DEPTH,
    known: Known | None = None,
) -> tuple[str, tuple[RepoPath | None, ...]]:
    """The normalised target and its levels, root (None) first.

    A target may be a file or a directory, there or not; a missing one uses its nearest existing parent, and every part
    that exists must be a real directory: what is not goes to ``problems``, and the levels above it are returned.
    ``known`` keeps what was looked at, for whoever asks for several targets. Raises Refused (escape), UnsafePath (no
    legal path), TooLarge (its directory lies more than ``depth`` levels deep).
    """
    path = target_path(target)
    if path is None:
        return ".", (None,)
    parts = path.parts
    if len(parts) - 1 > depth:
        raise _too_deep(target, len(parts) - 1, depth)
    known = {} if known is None else known
    found: tuple[RepoPath | None, ...] = (None,)
    here = path.parent
    if here in known and known[here][1]:
        found = known[here][1]
    for part in parts[len(found) - 1 :]:
        here = join(found[-1], part)
        try:
            entry = known[here][0] if here in known else tree.stat(here)
        except UnsafePath as error:
            problems.append(Finding(here, 0, "symlink", error.message, hint=error.hint))
            break
        is_folder = entry is not None and entry.kind == "dir"
        known[here] = entry, (*found, here) if is_folder else ()
        if entry is None or (entry.kind == "file" and here == path):
            break
        if not is_folder:
            rule = "symlink" if entry.kind == "link" else "special-file"
            what = _WHAT.get(entry.kind, "a special file")
            problems.append(
                Finding(here, 0, rule, f"is {what}, on the way to the target", hint="name the real path as the target")
            )
            break
        found = known[here][1]
    if len(found) - 1 > depth:
        raise _too_deep(target, len(found) - 1, depth)
    return str(path), found


def _too_deep(target: str, deep: int, depth: int) -> TooLarge:
    return TooLarge(
        f"{display(target)} lies {deep} levels deep; at most {depth} are followed",
        code="too-deep",
        hint="name a directory above it",
    )
