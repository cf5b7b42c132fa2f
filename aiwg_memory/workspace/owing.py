"""What is owed: whether it may still be delivered, how often that was tried, and what is wrong with the outbox."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons import resolve
from aiwg_memory.core.candidates import STORE_OFF
from aiwg_memory.core.canonical import canonical_json, short
from aiwg_memory.core.following import fault
from aiwg_memory.core.outbox import OUTBOX, Owed, read_outbox
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.screening import screen
from aiwg_memory.core.screening.reviewer import reviewer_problem
from aiwg_memory.errors import AiwgError, Refused
from aiwg_memory.workspace.addons import owner_of_path
from aiwg_memory.workspace.composing import standing

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

ATTEMPTS = RepoPath(".aiwg/.local/owed")
MAX_ERROR = 512


def owes(workspace: Workspace) -> bool:
    """Whether there is an outbox: something is owed, or was paid elsewhere and has to be cleared away."""
    return next(workspace.tree.list(OUTBOX), None) is not None


def owed_rows(workspace: Workspace) -> list[dict[str, Any]]:
    """What is owed, with how often this machine tried to deliver it and what it failed with the last time."""
    return [_row(workspace, owed) for owed in read_outbox(workspace.tree).owed]


def owed_line(row: Mapping[str, Any]) -> str:
    tried = f"; tried {row['attempts']}x, last: {row['error']}" if row["attempts"] else ""
    return f"{row['seg']}-{row['sink']} is owed: {row['handle']}{tried}"


def require_deliverable(workspace: Workspace, owed: Owed) -> None:
    """Raises Refused for what nobody can have confirmed here, and where the candidate or its grounds changed since."""
    for error in _forged(workspace, owed):
        raise error
    from aiwg_memory.addons.compound_memory.candidates.store import read

    head = read(workspace.tree).heads.get(owed.handle)
    if head is None or head.current.status != "accepted" or head.current.value.get("closed"):
        state = "not here" if head is None else head.current.status
        raise Refused(f"{owed.handle} is {state} now; what it was promoted to is not delivered", code="revoked-since",
                      hint=f"`aiwg-memory recover --drop {owed.sink}` closes it")  # fmt: skip
    look = standing(workspace, workspace.tree)
    for ground in owed.evidence:
        problem = fault(workspace.tree, ground, look)
        if problem is not None:
            closes = f"`aiwg-memory recover --drop {owed.sink}` closes it"
            hint = f"{problem.hint}; {closes}" if problem.rule == STORE_OFF else closes
            raise Refused(f"{owed.handle}: {problem.message}", code=problem.rule, hint=hint)


def _forged(workspace: Workspace, owed: Owed) -> Iterator[Refused]:
    """Why a line cannot have been confirmed here: another workspace, a machine's yes, files that are not the sink's."""
    home = str(owed.receipt.get("workspace"))
    if home != workspace.config.workspace:
        yield Refused(f"{owed.path} is of another workspace, {home}", code="forged-outbox")
    who = reviewer_problem(str(owed.receipt.get("reviewer", "")), workspace.config.reviewers)
    if who:
        yield Refused(f"{owed.path}: {who}", code="forged-outbox")
    addon = next((one for one in workspace.addons if owed.sink in one.sinks), None)
    if addon is None:
        yield Refused(f"no enabled addon takes what is owed to {owed.sink}", code="no-sink")
        return
    for change in owed.changes:
        if owner_of_path(workspace.addons, change.path) is not addon:
            yield Refused(f"{owed.path}: {change.path} is no file of {addon.name}", code="forged-outbox")
        elif change.after is not None:
            text = change.after.decode("utf-8", "replace")
            wrong = [one for one in screen(text, path=change.path) if one.severity == "error"]
            wrong += [
                one for one in resolve(addon.parse)(change.path, change.after).findings if one.severity == "error"
            ]
            if wrong:
                yield Refused(f"{change.path}: {wrong[0].message}", code="invalid-plan", findings=wrong)


def _row(workspace: Workspace, owed: Owed) -> dict[str, Any]:
    noted = {"attempts": 0, "error": "", "tried_at": ""}
    with suppress(AiwgError, ValueError):
        noted |= json.loads(workspace.journal.disk.read(_note(owed), limit=4096))
    return {
        "operation_id": owed.operation_id, "seg": owed.seg, "sink": owed.sink, "handle": owed.handle,
        "reviewer": owed.receipt["reviewer"], "paths": [change.path for change in owed.changes], **noted,
    }  # fmt: skip


def note_attempt(workspace: Workspace, owed: Owed, error: AiwgError, now: str) -> dict[str, Any]:
    """What is owed, with this attempt; where that cannot be noted, it is owed and said all the same."""
    row = _row(workspace, owed)
    noted = {"attempts": row["attempts"] + 1, "error": error.message[:MAX_ERROR], "tried_at": now}
    with suppress(AiwgError):
        workspace.journal.disk.make_dirs(ATTEMPTS)
        workspace.journal.disk.replace(_note(owed), canonical_json(noted) + b"\n")
    return {**row, **noted, "code": error.code, "hint": error.hint}


def forget_attempts(workspace: Workspace, owed: Owed) -> None:
    with suppress(AiwgError):
        if workspace.journal.disk.stat(_note(owed)) is not None:
            workspace.journal.disk.unlink(_note(owed))


def _note(owed: Owed) -> RepoPath:
    return join(ATTEMPTS, f"{owed.seg}-{owed.sink}-{short(owed.operation_id, 12)}.json")
