"""Plan the final state of a batch: some kept, some decided, some in other words, some made into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aiwg_memory.addons.compound_memory.candidates.deciding import may
from aiwg_memory.addons.compound_memory.candidates.desk import CandidateDesk, Taken, first_version
from aiwg_memory.core.candidates import House, candidate_id, narrower, normalise, sourced, text_digest, widens_scope
from aiwg_memory.core.dependencies import unite
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.screening import screen
from aiwg_memory.core.tree import Tree

_NAMES = {"accepted": "accept", "rejected": "reject", "deferred": "defer"}


def review(tree: Tree, request: Request, house: House) -> Plan:
    """One entry for each candidate that comes out. New words, or several in ``from``, make a new candidate with those
    as its parents; they are rejected in its favour. Its provenance is the request's: a person wrote it."""
    takes = ("acknowledged", "provenance", "reason")
    desk = CandidateDesk(tree, request, needs=("batch",), takes=takes)
    named = [target["handle"] for entry in desk.arguments["batch"] for target in entry["from"]]
    for handle in sorted({one for one in named if named.count(one) > 1}):
        desk.wrong("argument", f"{handle} stands in two entries of the batch")
    for entry in desk.arguments["batch"]:
        olds = [taken for target in entry["from"] if (taken := desk.take(target)) is not None]
        if len(olds) == len(entry["from"]):
            _settle(desk, entry, olds, house)
    count = len(desk.subjects)
    return desk.plan(f"review {count} candidate{'' if count == 1 else 's'}")


def _settle(desk: CandidateDesk, entry: Mapping[str, Any], olds: Sequence[Taken], house: House) -> None:
    text = entry.get("text")
    old = olds[0]
    kind = entry.get("type", old.current.text("type"))
    same = text is None or normalised(text) == old.text
    if len(olds) > 1 or not same or kind != old.current.text("type"):
        _reworded(desk, entry, olds, house)
        return
    scope = entry.get("scope", old.current.text("scope"))
    status = entry["status"]
    if status == old.current.status and scope == old.current.text("scope"):
        return
    name = _NAMES.get(status)
    if name and status != old.current.status and not may(desk, old, name):
        return
    _decide(desk, old, status, scope, old.text, house)


def normalised(text: str) -> str | None:
    try:
        return normalise(text)
    except ValueError:
        return None


def _decide(desk: CandidateDesk, taken: Taken, status: str, scope: str, text: str | None, house: House) -> None:
    current = taken.current
    if status == "accepted":
        desk.acknowledge(current.list("warnings"), current.handle)
        desk.grounded(current, house)
    if scope != current.text("scope"):
        verb = "widens" if widens_scope(current.text("scope"), scope) else "changes"
        desk.conflicts.append(Note(current.handle, f"its scope {verb} from {current.text('scope')} to {scope}"))
    desk.decide(taken, {"status": status, "scope": scope, "acknowledged": sorted(desk.acknowledged)})
    if status == "rejected":
        desk.drop(current.handle)
    elif text is None:
        desk.wrong("text-gone", f"the assertion of {current.handle} can no longer be found")
    else:
        desk.keep(current.handle, text)


def _reworded(desk: CandidateDesk, entry: Mapping[str, Any], olds: Sequence[Taken], house: House) -> None:
    try:
        text = normalise(entry.get("text") or olds[0].text or "")
    except ValueError as error:
        desk.wrong("assertion", str(error))
        return
    current = [old.current for old in olds]
    free = [old for old in olds if may(desk, old, "reject")]
    if len(free) < len(olds):
        return
    scopes = sorted({one.text("scope") for one in current})
    if "scope" not in entry and len(scopes) > 1:
        desk.wrong("argument", f"the candidates differ in scope ({' and '.join(scopes)})", "state the scope")
        return
    evidence = sourced(each for one in current for each in one.list("evidence"))
    kind = entry.get("type", current[0].text("type"))
    if desk.store.heads.get(candidate_id(kind, text_digest(text), evidence)):
        desk.wrong("argument", "these words with this evidence are another candidate already", "decide about that one")
        return
    found = {one.rule for one in screen(text, path="") if one.severity == "warning"}
    proposal = {
        "type": kind,
        "evidence": evidence,
        "at": desk.request.at,
        "proposed_by": desk.request.reviewer,
        "provenance": desk.arguments.get("provenance", "external"),
        "scope": entry.get("scope", scopes[0]),
        "classification": narrower(one.text("classification") for one in current),
        "warnings": sorted(found | ({"no-evidence"} if not evidence else set())),
        "dependencies": unite(one.object("dependencies") for one in current),
        "parents": [one.handle for one in current],
    }
    first = first_version(desk.request, proposal, text)
    desk.screen_candidate(first, text)
    desk.written.append(first)
    desk.subjects[first.handle] = None
    for old in olds:
        desk.decide(old, {"status": "rejected", "replacement": first.handle})
        desk.drop(old.current.handle)
        desk.supersedes.append(Note(old.current.handle, f"becomes {first.handle}"))
    if entry["status"] == "pending":
        desk.keep(first.handle, text)
    else:
        _decide(desk, Taken((first,), text, False), entry["status"], first.text("scope"), text, house)
