"""Plan the end of a registration: archived or revoked. The file it speaks of stays where it is."""

from __future__ import annotations

from collections.abc import Mapping

from aiwg_memory.addons.compound_memory.outputs.store import LIVE, RECORDS, read
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import render_segment, succeed
from aiwg_memory.core.tree import Tree

_ENDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "archive": ("archived", (LIVE,)),
    "revoke": ("revoked", (LIVE, "archived", "superseded", "removed")),
}


def end(tree: Tree, request: Request) -> Plan:
    """One decision about each of ``targets``, at the version that was shown."""
    desk = Desk(tree, request, "output_request.v1", needs=("targets",), takes=("reason",))
    store = read(tree)
    name = request.kind.rpartition(".")[2]
    status, begin = _ENDS[name]
    reason = desk.arguments.get("reason", "")
    desk.screen(reason, RECORDS)
    written = []
    for target in desk.arguments["targets"]:
        handle = target["handle"]
        head = store.heads.get(handle)
        if head is None:
            desk.wrong("not-found", f"there is no output {handle}", "`outputs list` shows the handles")
        elif head.current.version != target["expected"]:
            said = f"{handle} is at version {head.current.version} ({head.current.status}), not {target['expected']}"
            desk.wrong("wrong-version", said, "look at it again, then decide")
        elif head.current.status == status:
            desk.duplicates.append(Note(handle, f"is {status} already"))
        elif head.current.status not in begin:
            desk.wrong("transition", f"{handle} is {head.current.status}; {name} takes what is {', '.join(begin)}")
        else:
            made = {"seg": request.seg, "at": request.at, "reviewer": request.reviewer, "reason": reason}
            written.append(succeed(head.heads, {"status": status, **made}))
            desk.subjects[handle] = None
    if written:
        desk.draft.write(RepoPath(f"{RECORDS}/{request.seg}.jsonl"), render_segment(written))
    return desk.plan(f"{name} {len(written)} output{'' if len(written) == 1 else 's'}")
