"""What a maintenance is asked, with this machine's recency notes; and the steps of it as a text to edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.canonical import canonical_json, digest
from aiwg_memory.core.maintenance import RECENCY
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.receipts import latest_of_kind
from aiwg_memory.errors import UsageError
from aiwg_memory.workspace.anchors import as_notes, moves
from aiwg_memory.workspace.recency import last_used
from aiwg_memory.workspace.requests import request

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

_HEAD = """\
# One step a line. Delete the lines of the steps you do not want; what is left is previewed again.
"""


def maintenance_request(workspace: Workspace, only: Sequence[str], skip: Sequence[str], reviewer: str) -> Request:
    arguments: dict[str, Any] = {}
    arguments |= {"only": sorted(set(only))} if only else {}
    arguments |= {"skip": sorted(set(skip))} if skip else {}
    last = latest_of_kind(workspace.tree, "maintenance.run")
    arguments |= {"after": last["seg"]} if last else {}
    inputs: dict[str, bytes] = {}
    used = last_used(workspace)
    if used:
        notes = canonical_json(used)
        arguments[RECENCY] = digest(notes)
        inputs[digest(notes)] = notes
    if (not only or "reanchor" in only) and "reanchor" not in skip:
        more, moved = as_notes(moves(workspace))
        arguments |= more
        inputs |= moved
    return request(workspace, "maintenance.run", arguments, reviewer, inputs)


def render_steps(plan: Plan) -> str:
    return _HEAD + "".join(f"{note.subject}  # {note.message}\n" for note in plan.steps)


def without_deleted(asked: Request, plan: Plan, text: str) -> Request:
    """The request that leaves out the steps whose lines are gone. Raises UsageError for a line that is no step."""
    kept = [line.partition("  # ")[0].strip() for line in text.split("\n") if line.strip() and line[0] != "#"]
    names = [note.subject for note in plan.steps]
    strange = sorted(set(kept) - set(names))
    if strange:
        raise UsageError(f"{strange[0]!r} is no step of this maintenance", hint="delete lines; do not change them")
    left = {*asked.arguments.get("leave", ()), *(name for name in names if name not in set(kept))}
    return replace(asked, arguments={**asked.arguments, "leave": sorted(left)}) if left else asked
