"""The files of a receipt as they were before it: what an undo of plain files comes down to."""

from __future__ import annotations

from aiwg_memory.core.operations import Draft, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.stored import current_digest
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused


def as_before(tree: Tree, request: Request) -> Draft:
    """What ``arguments["receipt"]`` created goes, what it wrote over is as in ``inputs`` again.

    Raises Refused for a file that was changed since, or of which the earlier bytes are not kept.
    """
    draft = Draft(tree)
    for change in request.arguments["receipt"]["changes"]:
        path = RepoPath(change["path"])
        if current_digest(tree, path) != change["after"]:
            raise Refused(f"{path} was changed after this receipt", hint="edit it by hand; nothing was changed")
        if change["before"] is None:
            draft.remove(path)
        elif change["before"] in request.inputs:
            draft.write(path, request.inputs[change["before"]])
        else:
            raise Refused(f"the earlier text of {path} is no longer kept", hint="git may still have it")
    return draft
