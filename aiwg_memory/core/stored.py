"""What everybody knows of a stored file: how large, what its bytes are, and where receipts and the view lie."""

from __future__ import annotations

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import TooLarge

MAX_FILE = 16 * 1024 * 1024
RECEIPTS = RepoPath(".aiwg/receipts.d")
VIEW = RepoPath(".aiwg/wiki/index.md")
"""Generated from pages, and not in git unless a team wants it: no part of what a tree holds, nothing to account for."""


def current_digest(tree: Tree, path: RepoPath) -> str | None:
    """The digest of the regular file at ``path``; anything else counts as absent here, and the apply refuses it."""
    entry = tree.stat(path)
    if entry is None or entry.kind != "file":
        return None
    if entry.size > MAX_FILE:
        raise TooLarge(f"{path} has {entry.size} bytes; a change replaces at most {MAX_FILE}")
    return digest(tree.read(path, limit=MAX_FILE))
