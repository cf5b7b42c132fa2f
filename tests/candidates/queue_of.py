"""A workspace on disk with a queue of candidates, driven through the library; ``do`` previews and confirms."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aiwg_memory.addons.compound_memory.candidates.store import Store, read
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.outbox import Owed, read_outbox
from aiwg_memory.core.receipts import Receipt, read_receipts
from aiwg_memory.journal import Journal
from aiwg_memory.workspace import Workspace
from aiwg_memory.workspace.candidates import candidate_rows, decision_arguments, promotion_arguments
from aiwg_memory.workspace.confirmation import Confirmation
from aiwg_memory.workspace.delivering import deliver
from aiwg_memory.workspace.mutations import Mutations
from aiwg_memory.workspace.proposing import propose
from aiwg_memory.workspace.requests import request
from aiwg_memory.worktree.disk import Disk

ADA = "Ada <ada@example.org>"
LIN = "Lin <lin@example.org>"
NOTES = "notes/harbour.md"
TEXT = "The harbour office answers on channel 12."
BOTH = ("line-memory", "wiki")


class Queue:
    """One clone. ``minutes`` moves on with every request, so that no two are one."""

    def __init__(self, root: Path, *, minutes: int = 0) -> None:
        self.root = root
        self.minutes = minutes

    @classmethod
    def begun(cls, root: Path, config: str = "") -> Queue:
        queue = cls(root)
        queue.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\n" + config)
        queue.write(NOTES, "# Harbour\n\nDecision: The harbour office answers on channel 12.\n")
        return queue

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    @property
    def now(self) -> str:
        return f"2026-03-01T{9 + self.minutes // 60:02}:{self.minutes % 60:02}:00Z"

    def workspace(self, environ: Mapping[str, str] | None = None) -> Workspace:
        return Workspace.open(str(self.root), now=self.now, environ=environ or {}, clock=time.time)

    def on(self, disk: Disk) -> Workspace:
        """The workspace as a process sees it whose disk is ``disk``."""
        found = self.workspace()
        vars(found)["journal"] = Journal(str(self.root), disk=disk)
        return found

    @property
    def store(self) -> Store:
        return read(self.workspace().tree)

    # ---- proposing

    def propose(self, text: str = TEXT, *, environ: Mapping[str, str] | None = None, **more: Any) -> dict[str, Any]:
        self.minutes += 1
        value = {"type": "decision", "assertion": text, "evidence": [{"ref": NOTES}], **more}
        return propose(self.workspace(environ), [value], "Lin")[0]

    def proposed(self, text: str = TEXT, **more: Any) -> str:
        told = self.propose(text, **more)
        assert told["outcome"] == "proposed", told
        return str(told["candidate_id"])

    # ---- deciding

    def plan(self, kind: str, arguments: Mapping[str, Any], reviewer: str = ADA) -> Plan:
        self.minutes += 1
        found = self.workspace()
        return Mutations(found).preview(request(found, kind, arguments, reviewer))

    def confirm(self, plan: Plan, reviewer: str = ADA) -> Confirmation:
        return Mutations(self.workspace()).confirm(plan.operation_id, reviewer=reviewer, now=self.now)

    def do(self, kind: str, arguments: Mapping[str, Any], reviewer: str = ADA) -> Plan:
        plan = self.plan(kind, arguments, reviewer)
        assert plan.changes, plan.summary
        done = self.confirm(plan, reviewer)
        assert not done.owed
        return plan

    def decide(self, name: str, *ids: str, reviewer: str = ADA, reason: str = "", acknowledge: Any = ()) -> Plan:
        arguments = decision_arguments(self.workspace(), name, ids, reason, acknowledge)
        return self.do(f"candidate.{name}", arguments, reviewer)

    def accepted(self, text: str = TEXT, **more: Any) -> str:
        handle = self.proposed(text, **more)
        self.decide("accept", handle)
        return handle

    def promotion(self, handle: str, *places: str, **options: Any) -> Plan:
        arguments = promotion_arguments(self.workspace(), handle, places or BOTH, options)
        return self.plan("candidate.promote", arguments)

    def promote(self, handle: str, *places: str, **options: Any) -> Confirmation:
        return self.confirm(self.promotion(handle, *places, **options))

    # ---- looking

    def deliver(self, by: str = LIN) -> tuple[list[Receipt], list[dict[str, Any]]]:
        return deliver(self.workspace(), by, self.now)

    def owed(self) -> tuple[Owed, ...]:
        return read_outbox(self.workspace().tree).owed

    def receipts(self) -> list[Receipt]:
        return read_receipts(self.workspace().tree)[0]

    def rows(self, *states: str, limit: int = 100) -> list[dict[str, Any]]:
        return candidate_rows(self.workspace(), states or ("pending",), limit)[0]

    def state(self, handle: str) -> str:
        head = self.store.heads[handle].current
        return "closed" if head.value.get("closed") else head.status

    def tracked(self) -> dict[str, bytes]:
        """Every file but those of this machine alone."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not path.is_relative_to(self.root / ".aiwg/.local")
        }

    def facts(self) -> list[str]:
        return sorted(path.read_text().strip() for path in (self.root / ".aiwg/memory/facts").glob("*.txt"))
