"""What is staged of ours: asked first, and of most commits all there is to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def staging(workspace: Workspace) -> tuple[str, bytes]:
    """What the next commit comes after, and the part of git's raw list that is about the store or what is watched.

    All names are listed and chosen from here: git takes longer for a dozen patterns over the whole index.
    """
    base, listed = workspace.require_repository().staged_changes()
    return base, _ours(listed) if listed else b""


def _ours(listed: bytes) -> bytes:
    from aiwg_memory.workspace.addons import watched

    globs = watched()
    marks = {max(glob.split("*"), key=len).lower().encode() for glob in globs}
    lowered = listed.lower()
    if b"\0.aiwg" not in lowered and not any(mark in lowered for mark in marks):
        return b""
    from aiwg_memory.core.focus import naming

    wanted = naming(globs).fullmatch
    fields = listed.split(b"\0")
    chosen = []
    for head, raw in zip(fields[0::2], fields[1::2], strict=False):
        name = raw.decode("utf-8", "surrogateescape")
        if name[:6].lower() in (".aiwg", ".aiwg/") or wanted(name):
            chosen += [head, raw]
    return b"\0".join([*chosen, b""]) if chosen else b""
