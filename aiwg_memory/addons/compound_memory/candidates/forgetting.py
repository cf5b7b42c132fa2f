"""Plan that a candidate's words are erased wherever the files of this store hold them. Its digests stay."""

from __future__ import annotations

from aiwg_memory.addons.compound_memory.candidates.desk import CandidateDesk
from aiwg_memory.core.candidates import RECORDS
from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import join
from aiwg_memory.core.records import SEGMENT_LIMIT, read_line
from aiwg_memory.core.tree import Tree

ERASED = "[forgotten]"


def forget(tree: Tree, request: Request) -> Plan:
    """The assertion's file goes, and a reason that repeats its words; a rejected record whose chain verifies stays."""
    desk = CandidateDesk(tree, request, needs=("targets",), takes=("reason",))
    texts: dict[str, str] = {}
    for target in desk.arguments["targets"]:
        taken = desk.take(target)
        if taken is None:
            continue
        handle = taken.current.handle
        if not taken.recorded:
            desk.wrong("not-recorded", f"{handle} lies in the inbox of this machine alone", "reject it")
            continue
        if taken.current.value.get("forgotten"):
            desk.duplicates.append(Note(handle, "is forgotten already"))
            continue
        if taken.text is not None:
            texts[handle] = taken.text
        desk.decide(taken, {"status": "rejected", "forgotten": True})
        desk.drop(handle)
        left = "its digest stays, and that of a short secret can be guessed; commits that hold the text keep it"
        desk.conflicts.append(Note(handle, left))
    _rewrite(desk, texts)
    return desk.plan(f"forget the text of {len(desk.subjects)} candidate{'' if len(desk.subjects) == 1 else 's'}")


def _rewrite(desk: CandidateDesk, texts: dict[str, str]) -> None:
    """A reason is in no digest, so taking one out breaks no chain; every other line keeps its bytes."""
    for entry in desk.tree.list(RECORDS):
        if entry.kind != "file" or not texts:
            continue
        path = join(RECORDS, entry.name)
        lines = desk.tree.read(path, limit=SEGMENT_LIMIT).split(b"\n")
        for number, line in enumerate(lines):
            value, problem = read_line(line) if line.strip() else (None, None)
            if problem:
                message = f"{path}:{number + 1} cannot be read, so it may hold the text"
                desk.wrong("broken-record", message, "repair it first")
            elif value and value.get("reason") and texts.get(value["handle"], "\0") in value["reason"]:
                lines[number] = canonical_json({**value, "reason": ERASED})
        desk.draft.write(path, b"\n".join(lines))
