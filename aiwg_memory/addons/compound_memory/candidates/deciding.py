"""Plan decisions about candidates: each at the version that was shown, and nothing but what the table lets through."""

from __future__ import annotations

from aiwg_memory.addons.compound_memory.candidates.desk import CandidateDesk, Taken
from aiwg_memory.addons.compound_memory.candidates.promoted import owed, promotions
from aiwg_memory.addons.compound_memory.candidates.store import assertion
from aiwg_memory.core.candidates import DECISIONS, House, text_digest
from aiwg_memory.core.counting import few
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.records import succeed
from aiwg_memory.core.tree import Tree

_TAKES = ("reason",)


def decide(tree: Tree, request: Request) -> Plan:
    """``share``, ``reject``, ``defer``, ``reopen`` (with the ``texts`` that could be found) and ``close``."""
    return _each(CandidateDesk(tree, request, needs=("targets",), takes=(*_TAKES, "texts")), None)


def accept(tree: Tree, request: Request, house: House) -> Plan:
    """Accept what rests on what is there, and whose warnings were acknowledged by name. It is not promoted by that."""
    return _each(CandidateDesk(tree, request, needs=("targets",), takes=(*_TAKES, "acknowledged")), house)


def reclassify(tree: Tree, request: Request) -> Plan:
    """Another classification for candidates, with the reason recorded."""
    desk = CandidateDesk(tree, request, needs=("targets", "classification", "reason"))
    wanted = desk.arguments["classification"]
    for target in desk.arguments["targets"]:
        taken = desk.take(target)
        if taken is None or not may(desk, taken, "reclassify"):
            continue
        before = taken.current.text("classification")
        if before == wanted:
            desk.duplicates.append(Note(taken.current.handle, f"is {wanted} already"))
            continue
        desk.conflicts.append(Note(taken.current.handle, f"classification changes from {before} to {wanted}"))
        desk.decide(taken, {"classification": wanted})
        _text(desk, taken)
    return desk.plan(f"reclassify {_count(len(desk.subjects))} as {wanted}")


def resolve(tree: Tree, request: Request) -> Plan:
    """Settle a fork: of the heads that all were shown, ``keep`` stands."""
    desk = CandidateDesk(tree, request, needs=("target", "keep"), takes=(*_TAKES, "texts"))
    target, keep = desk.arguments["target"], desk.arguments["keep"]
    head = desk.store.heads.get(target["handle"])
    if head is None or not head.fork:
        desk.wrong("transition", f"{target['handle']} was not decided differently on two branches")
    elif sorted(one.digest for one in head.heads) != target["expected"]:
        desk.wrong("wrong-version", f"{target['handle']} was decided again since", "look at it again, then decide")
    elif (stands := next((one for one in head.heads if one.digest == keep), None)) is None:
        desk.wrong("wrong-version", f"{keep[:15]}… is none of the versions of {target['handle']}")
    else:
        said = {"seg": request.seg, "at": request.at, "reviewer": request.reviewer}
        made = succeed(head.heads, {**said, "reason": desk.arguments.get("reason", "")}, stands)
        desk.written.append(made)
        desk.subjects[made.handle] = None
        if made.status == "rejected" or made.value.get("closed"):
            desk.drop(made.handle)
        else:
            _text(desk, Taken((stands,), assertion(tree, stands), True))
    return desk.plan(f"settle {target['handle']}")


def may(desk: CandidateDesk, taken: Taken, name: str) -> bool:
    """Whether a decision takes the candidate as it is; the reason why not is noted."""
    current = taken.current
    _, begin = DECISIONS[name]
    if current.value.get("forgotten"):
        desk.wrong("transition", f"{current.handle} was forgotten", "propose it again, if you have its words")
    elif current.value.get("closed"):
        desk.wrong("transition", f"{current.handle} is closed; what was made of it is in its destinations")
    elif current.status not in begin:
        said = f"{current.handle} is {current.status}; {name} takes what is {' or '.join(begin)}"
        hint = "reopen it first" if current.status in DECISIONS["reopen"][1] else "`aiwg-memory review` shows the queue"
        desk.wrong("transition", said, hint)
    else:
        return True
    return False


def _each(desk: CandidateDesk, house: House | None) -> Plan:
    name = desk.request.kind.rpartition(".")[2]
    status, _ = DECISIONS[name]
    for target in desk.arguments["targets"]:
        taken = desk.take(target)
        if taken is None:
            continue
        current = taken.current
        new = name == "close" or (name == "share" and not taken.recorded) or current.value.get("closed")
        if current.status == status and not new:
            desk.duplicates.append(Note(current.handle, f"is {status} already"))
        elif may(desk, taken, name):
            _carry_out(desk, taken, name, status, house)
    return desk.plan(f"{name} {_count(len(desk.subjects))}: {few(sorted(desk.subjects))}")


def _carry_out(desk: CandidateDesk, taken: Taken, name: str, status: str, house: House | None) -> None:
    current = taken.current
    if house is not None:
        desk.acknowledge(current.list("warnings"), current.handle)
        desk.grounded(current, house)
    if name == "close" and not _closable(desk, current.handle):
        return
    if name == "share":
        desk.subjects[current.handle] = None
    else:
        changes = {"status": status, "acknowledged": sorted(desk.acknowledged), "closed": name == "close"}
        desk.decide(taken, {key: value for key, value in changes.items() if value or current.value.get(key)})
    if name in ("reject", "close"):
        desk.drop(current.handle)
    else:
        _text(desk, taken)


def _closable(desk: CandidateDesk, handle: str) -> bool:
    if any(one.handle == handle for one in owed(desk.tree)):
        desk.wrong("still-owed", f"{handle} is owed to a destination still", "`aiwg-memory recover` delivers it")
        return False
    if not promotions(desk.tree, handle):
        desk.wrong(
            "transition", f"{handle} was not promoted; close ends what was", "promote it, or reopen and reject it"
        )
        return False
    return True


def _text(desk: CandidateDesk, taken: Taken) -> None:
    """The assertion is in its file, or comes back into it; there is no decision about words nobody can read."""
    current = taken.current
    text = taken.text
    if text is None:
        found = [one for one in desk.arguments.get("texts", ()) if text_digest(one) == current.text("digest")]
        text = found[0] if found else None
    if text is None:
        hint = "propose it again in its own words; git has the old ones as long as history has the commit"
        desk.wrong("text-gone", f"the assertion of {current.handle} can no longer be found", hint)
        return
    desk.screen_candidate(current, text)
    desk.keep(current.handle, text)


def _count(number: int) -> str:
    return f"{number} candidate{'' if number == 1 else 's'}"
