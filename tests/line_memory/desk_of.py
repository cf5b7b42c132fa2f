"""A store as a dict of files, and operations carried out on it: plan, then put every change in its place."""

from __future__ import annotations

from typing import Any

from aiwg_memory.addons import resolve
from aiwg_memory.addons.line_memory import ADDON
from aiwg_memory.addons.line_memory.store import Store, read
from aiwg_memory.addons.line_memory.text import handle_of, normalise
from aiwg_memory.core.candidates import House, Standing
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.operations import Plan, Request, receipt
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import MemoryTree

ADA = "Ada <ada@example.org>"
LIN = "Lin <lin@example.org>"
NOW = "2026-03-01T09:00:00Z"
Files = dict[str, bytes | None]


def handle(text: str) -> str:
    return handle_of(normalise(text, 500))


def file_of(text: str) -> str:
    return f".aiwg/memory/facts/{handle(text)[3:]}.txt"


class Facts:
    """``files`` is the tree; every ``do`` is one confirmed operation, one minute after the last."""

    def __init__(self, files: Files | None = None) -> None:
        self.files: Files = dict(files or {})
        self.minutes = 0
        self.replaced: dict[str, bytes] = {}

    @property
    def tree(self) -> MemoryTree:
        return MemoryTree(self.files)

    @property
    def store(self) -> Store:
        return read(self.tree)

    def ask(
        self, kind: str, /, *, reviewer: str = ADA, inputs: dict[str, bytes] | None = None, **arguments: Any
    ) -> Request:
        at = f"2026-03-01T{9 + self.minutes // 60:02}:{self.minutes % 60:02}:00Z"
        return Request(f"line-memory.{kind}", arguments, at, reviewer, "workspace-1", inputs or {})

    def plan(
        self, kind: str, /, *, reviewer: str = ADA, inputs: dict[str, bytes] | None = None, **arguments: Any
    ) -> Plan:
        request = self.ask(kind, reviewer=reviewer, inputs=inputs, **arguments)
        made: Plan = resolve(ADDON.plans[request.kind])(self.tree, request)
        return made

    def do(
        self, kind: str, /, *, reviewer: str = ADA, inputs: dict[str, bytes] | None = None, **arguments: Any
    ) -> Plan:
        plan = self.plan(kind, reviewer=reviewer, inputs=inputs, **arguments)
        self.apply(plan)
        return plan

    def apply(self, plan: Plan) -> None:
        self.minutes += 1
        for change in plan.changes:
            data = self.files.get(change.path)
            assert (None if data is None else digest(data)) == change.before
            if data is not None:
                self.replaced[digest(data)] = data
            if change.after is None:
                del self.files[change.path]
            else:
                self.files[change.path] = change.after

    def supersede_by(self, text: str, value: str) -> Plan:
        """The fact gives way to a canonical value that stands."""
        request = self.ask("supersede-by", targets=[self.target(text)], replacement=value)
        house = House(lambda ref: Standing("canonical", ("sha256:0",)) if ref == value else None)
        plan: Plan = resolve(ADDON.composed[request.kind])(self.tree, request, house)
        self.apply(plan)
        return plan

    def undo(self, plan: Plan, *, lost: bool = False) -> Plan:
        """Undo what was planned and done; ``lost``: none of the bytes it replaced can be found."""
        value = receipt(plan, confirmed_at=NOW, git_head=None)
        names = [change["before"] for change in value["changes"] if change["before"]]
        inputs = {} if lost else {name: self.replaced[name] for name in names}
        return self.do("undo", receipt=value, inputs=inputs)

    def now(self, text: str) -> Version:
        return self.store.heads[handle(text)].current

    def target(self, text: str) -> dict[str, Any]:
        head = self.store.heads.get(handle(text))
        if head is None:
            return {"handle": handle(text), "expected": 0}
        expected: Any = sorted(one.digest for one in head.heads) if head.fork else head.current.version
        return {"handle": handle(text), "expected": expected}

    def decide(self, kind: str, /, *texts: str, **arguments: Any) -> Plan:
        return self.do(kind, targets=[self.target(text) for text in texts], **arguments)
