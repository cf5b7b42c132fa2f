"""Verdicts and lifecycle of pages: confirm, reject, archive, restore, revoke, supersede."""

from __future__ import annotations

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import page_handle, page_path, relative
from aiwg_memory.addons.llm_wiki.state import review
from aiwg_memory.addons.llm_wiki.verdicts import edited, stamped
from aiwg_memory.core.document import parse_document
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree

_VERDICTS = {"confirm": "confirmed", "reject": "rejected"}
_STATUSES = {"archive": "archived", "restore": "active", "revoke": "revoked"}
# From which status an operation leads on; what is revoked comes back only by restoring it.
_FROM = {
    "archive": ("active", "superseded"),
    "restore": ("archived", "superseded", "revoked"),
    "revoke": ("active", "superseded", "archived"),
}


def decide(tree: Tree, request: Request) -> Plan:
    """One verdict, or one status, for every target. A verdict that stands already changes nothing, and what is history
    gets none."""
    verb = request.kind.rpartition(".")[2]
    desk = Desk(tree, request, needs=("targets",), takes=("reason",) if verb in _VERDICTS else ())
    reason = desk.arguments.get("reason", "")
    desk.screen(reason, "", strict=True)
    for target in desk.arguments["targets"]:
        found = desk.page(target)
        if found is None:
            continue
        path, data = found
        if verb in _VERDICTS:
            _verdict(desk, path, data, _VERDICTS[verb], reason)
        else:
            _status(desk, path, data, verb)
    names = ", ".join(relative(page_path(handle)) for handle in sorted(desk.subjects))
    return desk.plan(f"{verb} {names}")


def _verdict(desk: Desk, path: RepoPath, data: bytes, verdict: str, reason: str) -> None:
    front = parse_document(path, data)[0].front
    status = front.get("status") or "active"
    if status != "active":
        said = f"{page_handle(path)} is {status}, and history is not judged"
        desk.wrong("page-status", said, "restore it first", path)
    elif review(front, data) == verdict:
        desk.duplicates.append(Note(page_handle(path), f"is {verdict} already"))
    else:
        if verdict == "confirmed":
            desk.accept(path, data)
        desk.place(path, stamped(data, desk.request, verdict, reason))


def _status(desk: Desk, path: RepoPath, data: bytes, verb: str) -> None:
    front = parse_document(path, data)[0].front
    present = front.get("status") or "active"
    if present == _STATUSES[verb]:
        desk.duplicates.append(Note(page_handle(path), f"is {present} already"))
    elif present not in _FROM[verb]:
        desk.wrong("page-status", f"{page_handle(path)} is {present}; {verb} does not lead on from there", "", path)
    else:
        changes: dict[str, str | None] = {"status": _STATUSES[verb]}
        if verb == "restore":
            changes["superseded_by"] = None
        if verb == "restore":
            desk.accept(path, data)
        desk.place(path, edited(data, desk.request, changes))


def supersede(tree: Tree, request: Request) -> Plan:
    """The targets give way to ``replacement``, a page that is there, whole and active; both sides say so."""
    desk = Desk(tree, request, needs=("targets", "replacement"))
    found = desk.page(desk.arguments["replacement"])
    pairs = [desk.page(target) for target in desk.arguments["targets"]]
    if found is None or None in pairs:
        return desk.plan("")
    successor, text = found
    front = parse_document(successor, text)[0].front
    if (front.get("status") or "active") != "active":
        desk.wrong("page-status", f"{page_handle(successor)} is {front['status']} and replaces nothing", "", successor)
    stated = front.get("supersedes") or []
    named = [str(each) for each in (stated if isinstance(stated, list) else [stated])]
    for pair in pairs:
        assert pair is not None
        path, data = pair
        status = parse_document(path, data)[0].front.get("status") or "active"
        if path == successor:
            desk.wrong("page-status", f"{page_handle(path)} cannot replace itself", "", path)
        elif status not in ("active", "archived"):
            desk.wrong("page-status", f"{page_handle(path)} is {status} already", "", path)
        else:
            desk.place(path, edited(data, request, {"status": "superseded", "superseded_by": relative(successor)}))
            desk.supersedes.append(Note(page_handle(path), f"gives way to {page_handle(successor)}"))
            named += [relative(path)] if relative(path) not in named else []
    desk.place(successor, edited(text, request, {"supersedes": named}))
    names = ", ".join(relative(pair[0]) for pair in pairs if pair)
    return desk.plan(f"supersede {names} by {relative(successor)}")
