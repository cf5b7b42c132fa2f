"""plan → preview → confirm, over the doors. The rules are the planners'; the order of the steps is here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons import resolve
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Plan, Planner, Request, receipt, receipt_path
from aiwg_memory.errors import AiwgError, NotFound, Refused, StalePreview, UsageError
from aiwg_memory.workspace.addons import owner_of_kind, owner_of_path, unknown_kind
from aiwg_memory.workspace.confirmation import Confirmation
from aiwg_memory.workspace.forgetting import erase_local, forgotten_texts
from aiwg_memory.workspace.people import require_person

if TYPE_CHECKING:
    from aiwg_memory.core.tree import Tree
    from aiwg_memory.workspace import Workspace

CORE_PLANS = {
    "workspace.init": "aiwg_memory.core.setup:plan_init",
    "workspace.undo": "aiwg_memory.core.setup:plan_undo",
    "adapters.refresh": "aiwg_memory.core.adapters:plan_refresh",
    "adapters.remove": "aiwg_memory.core.adapters:plan_remove",
    "adapters.undo": "aiwg_memory.core.setup:plan_undo",
}


class Mutations:
    """Every way a stored file of this workspace changes."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def plan(self, request: Request) -> Plan:
        """The plan of a request against the working tree, each file held to its store's own parser."""
        from aiwg_memory.workspace.blocks import stores_part, with_blocks

        tree = self._workspace.tree
        plan = with_blocks(self._workspace, tree, request, self._planner(request.kind)(tree, stores_part(request)))
        findings = [finding for change in plan.changes for finding in self._judge(change.path, change.after)]
        if findings:
            raise Refused("the planned files would not be valid", code="invalid-plan", findings=findings)
        return plan

    def _planner(self, kind: str) -> Planner:
        if kind in CORE_PLANS:
            core: Planner = resolve(CORE_PLANS[kind])
            return core
        addon = owner_of_kind(self._workspace.addons, kind)
        if addon is not None and kind in addon.composed:
            return self._composed(addon.composed[kind])
        dotted = "" if addon is None else addon.plans.get(kind, "") or (addon.undo if kind.endswith(".undo") else "")
        if not dotted:
            raise unknown_kind(kind)
        planner: Planner = resolve(dotted)
        return planner

    def _composed(self, dotted: str) -> Planner:
        """A plan that asks other addons, as a planner like every other."""
        from aiwg_memory.workspace.composing import house

        workspace, plan = self._workspace, resolve(dotted)
        return lambda tree, request: plan(
            tree, request, replace(house(workspace, tree), findings=lambda: _today(workspace, tree))
        )

    def _judge(self, path: str, after: bytes | None) -> list[Finding]:
        addon = owner_of_path(self._workspace.addons, path)
        if after is None or addon is None or not addon.parse:
            return []
        return [finding for finding in resolve(addon.parse)(path, after).findings if finding.severity == "error"]

    def preview(self, request: Request, notes: tuple[str, ...] = ()) -> Plan:
        """Plan, and keep the preview for seven days when there is something to confirm. Nothing else is written.

        ``notes`` are lines that are shown with it and are no part of the plan.
        """
        journal = self._workspace.journal
        journal.recover(self._workspace.now)
        plan = self.plan(request)
        if plan.changes:
            journal.previews.save(plan, self._workspace.now, notes)
        return plan

    def again(self, operation: str) -> tuple[Plan, tuple[str, ...]]:
        """The plan of a preview that waits, and its notes, as they were shown. Raises as ``confirm`` does."""
        journal = self._workspace.journal
        journal.recover(self._workspace.now)
        saved = journal.previews.find(operation, self._workspace.now)
        if saved is None:
            raise _unknown(operation)
        confirmed = self._receipt_of(saved.request.seg, saved.operation_id) or self._compound(saved, operation)
        if confirmed:
            raise UsageError(
                f"{saved.operation_id[:15]} was confirmed",
                hint="`aiwg-memory receipts show` shows it; `aiwg-memory recover` delivers what is still owed",
            )
        plan = self._again(saved, saved.request)
        if plan.operation_id != saved.operation_id:
            raise self._stale(saved, plan)
        return plan, saved.notes

    def drop(self, operations: Iterable[str]) -> list[str]:
        """Remove previews, readable or not; their whole ids. Raises UsageError, and removes none, for an unknown or
        ambiguous one."""
        previews = self._workspace.journal.previews
        found = {operation: previews.named(operation) for operation in operations}
        for operation, name in found.items():
            if name is None:
                raise _unknown(operation)
        names = sorted({name for name in found.values() if name})
        for name in names:
            previews.remove(name)
        return names

    def confirm(self, operation: str, *, reviewer: str, now: str) -> Confirmation:
        """Apply exactly what was previewed; the receipt, and whether it had happened before. What was confirmed and is
        still owed to a sink is delivered now.

        Raises StalePreview (with the fresh preview saved), Refused, Locked, Damaged, UsageError for an unknown id.
        """
        from aiwg_memory.workspace.delivering import confirm_compound, settle

        require_person(self._workspace)
        journal = self._workspace.journal
        with journal.locked():
            journal.recover(now)
            saved = journal.previews.find(operation, now)
            compound = self._compound(saved, operation)
            if compound is not None:
                return self._done(settle(self._workspace, compound, reviewer, now), compound)
            if saved is None:
                return Confirmation(self._delivered(operation), True)
            request = saved.request
            done = self._receipt_of(request.seg, saved.operation_id)
            if done is not None:
                return self._done(Confirmation(done, True), saved.operation_id)
            if reviewer != request.reviewer:
                request = Request(
                    request.kind, request.arguments, request.at, reviewer, request.workspace, request.inputs
                )
            plan = self._again(saved, request)
            if plan.operation_id != saved.operation_id:
                raise self._stale(saved, plan)
            head = self._workspace.repository.head() if self._workspace.repository else None
            if plan.sinks:
                return self._done(confirm_compound(self._workspace, plan, now, head), plan.operation_id)
            record = receipt(plan, confirmed_at=now, git_head=head)
            held = forgotten_texts(self._workspace.tree, plan)
            journal.apply(plan, record, plan.operation_id, now)
            try:
                self._afterwards(plan, held)
            except AiwgError as error:
                error.hint = f"{error.hint}; it is confirmed: receipt {record['seg']}".lstrip("; ")
                raise
        return Confirmation(record, False)

    def _afterwards(self, plan: Plan, held: Sequence[bytes]) -> None:
        """What of this machine's own goes with what was confirmed."""
        self._workspace.journal.previews.remove(plan.operation_id)
        if plan.request.kind.startswith("candidate."):
            from aiwg_memory.workspace.inbox import clear

            clear(self._workspace, plan.subjects)
        if plan.request.kind.endswith(".forget"):
            erase_local(self._workspace, plan, held)

    def _compound(self, saved: Any, operation: str) -> str | None:
        """The id of an operation with sinks that was confirmed before. Only composed plans have sinks."""
        from aiwg_memory.workspace.delivering import known_operation, was_confirmed

        if saved is None:
            return known_operation(self._workspace, operation)
        if not any(saved.request.kind in addon.composed for addon in self._workspace.addons):
            return None
        found = was_confirmed(self._workspace, saved.operation_id, saved.request.seg)
        return str(saved.operation_id) if found else None

    def _done(self, confirmation: Confirmation, operation_id: str) -> Confirmation:
        if not confirmation.owed:
            self._workspace.journal.previews.remove(operation_id)
        return confirmation

    def _again(self, saved: Any, request: Request) -> Plan:
        """The plan as the tree is now; what can no longer be done is stale too."""
        here = self._workspace.config.workspace
        if request.workspace != here and request.kind != "workspace.init":
            raise UsageError(
                f"{saved.operation_id[:15]} is a preview of another workspace, {request.workspace or 'a nameless one'}",
                hint="preview it here, then confirm",
                code="other-workspace",
            )
        previews = self._workspace.journal.previews
        try:
            plan = self.plan(request)
        except (UsageError, NotFound) as error:
            from aiwg_memory.workspace.moved import impossible

            previews.mark(saved.operation_id, impossible=True)
            raise impossible(self._workspace, saved, error) from error
        if saved.impossible:
            previews.mark(saved.operation_id, impossible=False)
        return plan

    def _receipt_of(self, seg: str, operation_id: str) -> dict[str, Any] | None:
        from aiwg_memory.core.receipts import read_receipt

        found = read_receipt(self._workspace.tree, receipt_path(seg))
        return found if found is not None and found["operation_id"] == operation_id else None

    def _delivered(self, operation: str) -> dict[str, Any]:
        from aiwg_memory.core.receipts import find_operation

        found = find_operation(self._workspace.tree, operation)
        if found is None:
            raise _unknown(operation, ", and no receipt of it")
        return found

    def _stale(self, saved: Any, fresh: Plan) -> StalePreview:
        from aiwg_memory.workspace.moved import stale

        return stale(self._workspace, saved, fresh)


def _today(workspace: Workspace, tree: Tree) -> list[Finding]:
    from aiwg_memory.workspace.everywhere import today

    return today(workspace, tree)


def _unknown(operation: str, more: str = "") -> UsageError:
    hint = "`aiwg-memory previews` lists what waits; previews are kept for seven days"
    return UsageError(f"there is no preview {operation}{more}", hint=hint)
