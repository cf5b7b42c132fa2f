"""What everybody knows of a stored file: how large it may be, what its bytes are, and where receipts lie."""

from __future__ import annotations

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import TooLarge

MAX_FILE = 16 * 1024 * 1024
RECEIPTS = RepoPath(".aiwg/receipts.d")


def current_digest(tree: Tree, path: RepoPath) -> str | None:
    """The digest of the regular file at ``path``; anything else counts as absent here, and the apply refuses it."""
    entry = tree.stat(path)
    if entry is None or entry.kind != "file":
        return None
    if entry.size > MAX_FILE:
        raise TooLarge(f"{path} has {entry.size} bytes; a change replaces at most {MAX_FILE}")
    return digest(tree.read(path, limit=MAX_FILE))
