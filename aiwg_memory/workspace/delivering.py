"""Compound operations: each sink by an apply of its own, and an outbox of what is still owed.

The outbox is written first; from then on the operation is confirmed. A sink that fails leaves the others' receipts
standing and stays owed, exactly as it was confirmed, until somebody delivers or drops it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.counting import few
from aiwg_memory.core.operations import Change, Plan, Request, receipt
from aiwg_memory.core.outbox import Owed, delivery_receipt, drop_receipt, outbox_path, read_outbox, render_outbox
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.receipts import Receipt, read_receipt, read_receipts
from aiwg_memory.core.stored import RECEIPTS, current_digest
from aiwg_memory.errors import AiwgError, UsageError
from aiwg_memory.workspace.confirmation import Confirmation
from aiwg_memory.workspace.owing import forget_attempts, note_attempt, require_deliverable

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def confirm_compound(workspace: Workspace, plan: Plan, now: str, head: str | None) -> Confirmation:
    """Carry out a plan with sinks, under the lock. With one sink there is no outbox."""
    records = [receipt(plan, confirmed_at=now, git_head=head, sink=sink) for sink in plan.sinks]
    if len(plan.sinks) == 1:
        workspace.journal.apply(plan, records[0], f"{plan.operation_id}-{plan.sinks[0].name}", now)
        return Confirmation(records[0], False, (records[0],))
    handle, evidence = _rests_on(workspace, plan)
    path = outbox_path(plan.request.seg)
    written = Change(path, None, render_outbox(plan, records, handle, evidence))
    workspace.journal.apply(_carrier(plan.request, (written,)), None, f"{plan.operation_id}-outbox", now)
    return settle(workspace, plan.operation_id, plan.request.reviewer, now)


def _rests_on(workspace: Workspace, plan: Plan) -> tuple[str, list[dict[str, Any]]]:
    from aiwg_memory.addons.compound_memory.candidates.store import read
    from aiwg_memory.core.candidates import grounds

    handle = str(plan.request.arguments["target"]["handle"])
    return handle, grounds(read(workspace.tree).heads[handle].current.value)


def settle(workspace: Workspace, operation_id: str, by: str, now: str) -> Confirmation:
    """Deliver what one operation still owes; what it has delivered before stands."""
    before = read_outbox(workspace.tree).of(operation_id)
    _, failed = deliver(workspace, by, now, operation_id)
    receipts = tuple(receipts_of(workspace, operation_id))
    return Confirmation(receipts[0] if receipts else None, not before, receipts, tuple(failed))


def known_operation(workspace: Workspace, operation: str) -> str | None:
    """The full id of the operation with sinks that ``operation`` is a beginning of, from receipts and outbox."""
    wanted = "op_" + operation.removeprefix("op_")
    found = {one.operation_id for one in read_outbox(workspace.tree).lines}
    found |= {each["operation_id"] for each in read_receipts(workspace.tree)[0] if each["sink"]}
    fitting = sorted(one for one in found if one.startswith(wanted))
    if len(fitting) > 1:
        listed = few([one[:23] for one in fitting])
        raise UsageError(f"{operation} fits {len(fitting)} operations: {listed}", hint="give more of its digits")
    return fitting[0] if fitting else None


def was_confirmed(workspace: Workspace, operation_id: str, seg: str) -> bool:
    """Whether the operation has a receipt of some sink, or is in the outbox; looks at names with its ``seg`` alone."""
    if any(one.operation_id == operation_id for one in read_outbox(workspace.tree).lines):
        return True
    names = (entry.name for entry in workspace.tree.list(RECEIPTS) if entry.name.startswith(f"{seg}-"))
    found = (read_receipt(workspace.tree, join(RECEIPTS, name)) for name in names)
    return any(one is not None and one["operation_id"] == operation_id and one["sink"] for one in found)


def receipts_of(workspace: Workspace, operation_id: str) -> list[Receipt]:
    found = [each for each in read_receipts(workspace.tree)[0] if each["operation_id"] == operation_id]
    return sorted(found, key=lambda each: str(each["sink"]))


def deliver(
    workspace: Workspace, by: str, now: str, operation_id: str | None = None
) -> tuple[list[Receipt], list[dict[str, Any]]]:
    """Every owed sink, of one operation or of all, on its own: the receipts of those delivered now, and why others
    failed. What was merged in as paid already is cleared away."""
    done: list[Receipt] = []
    failed: list[dict[str, Any]] = []
    with workspace.journal.locked():
        for owed in read_outbox(workspace.tree).owed:
            if operation_id not in (None, owed.operation_id):
                continue
            try:
                require_deliverable(workspace, owed)
                done.append(_apply(workspace, owed, _unmade(workspace, owed), delivery_receipt(owed, by), now))
            except AiwgError as error:
                failed.append(note_attempt(workspace, owed, error, now))
        _sweep(workspace, now)
    return done, failed


def _unmade(workspace: Workspace, owed: Owed) -> list[Change]:
    """What is not yet as it was confirmed. Who pulled a half-made delivery has some of it, and no journal of it."""
    made = [current_digest(workspace.tree, change.path) for change in owed.changes]
    return [change for change, now in zip(owed.changes, made, strict=True) if now != change.after_digest]


def drop(workspace: Workspace, name: str, by: str, reason: str, now: str) -> Receipt:
    """Close one owed sink with a receipt that says so. ``name``: the sink's, or ``<seg>-<sink>`` of one of several."""
    with workspace.journal.locked():
        owed = read_outbox(workspace.tree).owed
        found = [one for one in owed if name in (one.sink, f"{one.seg}-{one.sink}")]
        if len(found) != 1:
            listed = ", ".join(f"{one.seg}-{one.sink}" for one in owed) or "nothing to anybody"
            what = f"{name} is owed by {len(found)} operations" if found else f"nothing is owed to {name}"
            raise UsageError(what, hint=f"owed is {listed}")
        return _apply(workspace, found[0], (), drop_receipt(found[0], by, now, reason), now)


def _apply(workspace: Workspace, owed: Owed, changes: Sequence[Change], record: Receipt, now: str) -> Receipt:
    """One apply, which takes the outbox's file away when nothing else in it is owed."""
    closing = _closing(workspace, owed.path, but=owed)
    request = Request(owed.receipt["kind"], {}, owed.receipt["previewed_at"], owed.receipt["reviewer"], "")
    workspace.journal.apply(_carrier(request, (*changes, *closing)), record, owed.id, now)
    forget_attempts(workspace, owed)
    if not read_outbox(workspace.tree).of(owed.operation_id):
        workspace.journal.previews.remove(owed.operation_id)
    return record


def _closing(workspace: Workspace, path: RepoPath, but: Owed | None = None) -> tuple[Change, ...]:
    box = read_outbox(workspace.tree)
    rest = [one for one in box.owed if one.path == path and (but is None or one.sink != but.sink)]
    if rest or any(finding.path == path for finding in box.findings):
        return ()
    return (Change(path, current_digest(workspace.tree, path), None),)


def _sweep(workspace: Workspace, now: str) -> None:
    box = read_outbox(workspace.tree)
    for path in sorted({one.path for one in box.lines}):
        closing = _closing(workspace, path)
        first = next(one for one in box.lines if one.path == path)
        if closing:
            request = Request(first.receipt["kind"], {}, now, first.receipt["reviewer"], "")
            workspace.journal.apply(_carrier(request, closing), None, f"{first.operation_id}-outbox", now)


def _carrier(request: Request, changes: Sequence[Change]) -> Plan:
    return Plan(request, "deliver", tuple(changes))
