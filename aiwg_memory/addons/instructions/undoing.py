"""Taking an operation on instructions back. History never changes: the way back is one more revision."""

from __future__ import annotations

from aiwg_memory.addons.instructions.manifests import PINS, read_pin
from aiwg_memory.addons.instructions.pinning import restored, withdrawal
from aiwg_memory.addons.instructions.store import OBJECTS, read_history
from aiwg_memory.core.before import as_before
from aiwg_memory.core.instructions.names import IGNORE_FILE
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused, UsageError


def undo(tree: Tree, request: Request) -> Plan:
    """The inverse of a receipt: of a pin, what the revision before it held, or its withdrawal where there was none."""
    receipt = request.arguments["receipt"]
    paths = [RepoPath(change["path"]) for change in receipt["changes"]]
    manifests = [path for path in paths if path.under(PINS) and not path.under(OBJECTS)]
    if manifests:
        return _unpinned(tree, request, manifests[0])
    return _ignored(tree, request)


def _unpinned(tree: Tree, request: Request, path: RepoPath) -> Plan:
    made = read_pin(tree, path)
    history = read_history(tree, made.target)
    if history.heads != (made,):
        raise Refused(
            f"{made.handle} is not the last word on {made.target}: revision {history.last} came after it",
            hint="undo that one first, or pin what is right now",
        )
    before = [pin for pin in history.pins if pin.digest in made.value["previous"]]
    if len(before) > 1:
        raise Refused(f"{made.handle} settled two revisions", hint="pin what is right now: that is one more revision")
    if before and not before[0].withdrawn:
        return restored(tree, request, history, before[0])
    if made.withdrawn:
        raise UsageError(f"{made.handle} withdrew nothing that could come back", hint="pin what is right now")
    return withdrawal(tree, request, history, made, f"undo of {request.arguments['receipt']['seg']}")


def _ignored(tree: Tree, request: Request) -> Plan:
    receipt = request.arguments["receipt"]
    if any(change["path"] != IGNORE_FILE for change in receipt["changes"]):
        raise Refused(f"{receipt['seg']} changed more than {IGNORE_FILE}", hint="edit the files by hand")
    return Plan(request, f"Undo {receipt['kind']} of {receipt['seg']}", as_before(tree, request).changes)
