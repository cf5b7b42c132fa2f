"""Verdicts and the ends of facts: which decision is possible in which state, and what it makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiwg_memory.addons.line_memory.desk import Desk
from aiwg_memory.addons.line_memory.first import named
from aiwg_memory.addons.line_memory.store import LIVE
from aiwg_memory.addons.line_memory.text import handle_of
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import Tree


@dataclass(frozen=True, slots=True)
class Decision:
    """Possible from ``begin``; ``changes`` is what it makes of a record. Where that is so already, it is nothing."""

    done: str
    begin: tuple[str, ...]
    changes: Mapping[str, Any]


ENDED = ("archived", "removed", "superseded", "merged", "revoked")
DECISIONS: Mapping[str, Decision] = {
    "confirm": Decision("confirmed", ("active",), {"review": "confirmed"}),
    "reject": Decision("rejected", ("active",), {"review": "rejected"}),
    "archive": Decision("archived", LIVE, {"status": "archived"}),
    "remove": Decision("removed", (*LIVE, "archived"), {"status": "removed"}),
    "revoke": Decision("revoked", (*LIVE, "archived", "removed", "superseded", "merged"), {"status": "revoked"}),
    "expire": Decision("expired", ("active", "origin_unavailable"), {"status": "expired"}),
    "origin-unavailable": Decision("origin_unavailable", ("active", "expired"), {"status": "origin_unavailable"}),
    "restore": Decision("active", (*LIVE, *ENDED), {"status": "active"}),
}


def decide(tree: Tree, request: Request) -> Plan:
    """One decision about each target. Text goes with the end of a fact; ``restore`` needs it again in ``texts``."""
    desk = Desk(tree, request)
    name = request.kind.rpartition(".")[2]
    texts = _given(desk)
    for target in desk.arguments.get("targets", ()):
        heads = desk.heads(target)
        if heads is not None:
            _decide(desk, name, target["handle"], heads, texts)
    for handle in sorted(set(texts) - {target["handle"] for target in desk.arguments.get("targets", ())}):
        desk.wrong("fact-text", f"the text of {handle} was given, which is none of the facts to restore")
    return desk.plan(
        f"{name} {named([desk.store.text(handle) or texts.get(handle, handle) for handle in desk.subjects])}"
    )


def _given(desk: Desk) -> dict[str, str]:
    found = (desk.fact(raw, f"text {index + 1}") for index, raw in enumerate(desk.arguments.get("texts", ())))
    return {handle_of(one[0]): one[0] for one in found if one is not None}


def _decide(desk: Desk, name: str, handle: str, heads: tuple[Version, ...], texts: Mapping[str, str]) -> None:
    decision = DECISIONS[name]
    status = heads[0].status if heads else "active"
    changes = dict(decision.changes)
    if name == "restore":
        changes |= _restoring(heads)
    if heads and all(heads[0].value.get(key) == value for key, value in changes.items()):
        desk.duplicates.append(Note(handle, f"is {decision.done} already"))
    elif status not in decision.begin:
        legal = ", ".join(decision.begin)
        desk.wrong("transition", f"{handle} is {status}; {name} takes a fact that is {legal}", "restore it first")
    elif name == "restore" and status in ENDED:
        _bring_back(desk, handle, heads, changes, texts)
    elif changes.get("status", "active") in LIVE:
        _keep(desk, handle, heads, changes)
    else:
        desk.record(handle, heads, changes, text=desk.store.text(handle) or "")
        desk.drop(handle)


def _restoring(heads: tuple[Version, ...]) -> dict[str, Any]:
    changes: dict[str, Any] = {"replacement": None} if heads and heads[0].text("replacement") else {}
    if heads and heads[0].value.get("forgotten"):
        changes["forgotten"] = False
    if heads and heads[0].text("review") == "rejected":
        changes["review"] = "pending"
    return changes


def _keep(desk: Desk, handle: str, heads: tuple[Version, ...], changes: Mapping[str, Any]) -> None:
    text = desk.store.text(handle)
    if text is None:
        desk.wrong("fact-file-missing", f"the text of {handle} is gone", "bring its file back from git, or remove it")
    elif heads or desk.fact(text):
        desk.record(handle, heads, changes, text=text)
        desk.place(text)


def _bring_back(
    desk: Desk, handle: str, heads: tuple[Version, ...], changes: Mapping[str, Any], texts: Mapping[str, str]
) -> None:
    text = texts.get(handle) or desk.store.text(handle)
    if text is None:
        hint = "give the text; git has it as long as history has the commit, undo for a while"
        desk.wrong("fact-text", f"the text of {handle} is gone with its file", hint)
    elif heads[0].status == "archived" or desk.ended(heads[0]):
        desk.record(handle, heads, changes)
        desk.place(text)
