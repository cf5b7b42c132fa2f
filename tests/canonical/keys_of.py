"""Canonical context as a dict of files, and operations carried out on it: plan, then put every change in its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons import resolve
from aiwg_memory.addons.canonical_context import ADDON
from aiwg_memory.addons.canonical_context.file import CanonFile
from aiwg_memory.addons.canonical_context.layout import Place
from aiwg_memory.addons.canonical_context.store import Store, read
from aiwg_memory.core.canonical import canonical_json, digest
from aiwg_memory.core.operations import Plan, Request, receipt
from aiwg_memory.core.tree import MemoryTree

ADA = "Ada <ada@example.org>"
HARBOUR = Place("project-fact", "harbour.depth")


class Keys:
    """Every ``do`` is one confirmed operation, one minute after the last, on ``place`` unless another is named."""

    def __init__(self, *, started: bool = True, workspace: str = "ws_one") -> None:
        self.files: dict[str, bytes | None] = {}
        self.minutes = 0
        self.workspace = workspace
        self.replaced: dict[str, bytes] = {}
        if started:
            self.do("init", place=None)

    @property
    def tree(self) -> MemoryTree:
        return MemoryTree(self.files)

    @property
    def store(self) -> Store:
        return read(self.tree)

    def file(self, place: Place = HARBOUR) -> CanonFile:
        return self.store.files[place]

    def states(self, place: Place = HARBOUR) -> list[str]:
        """Oldest first."""
        return [str(one["status"]) for one in reversed(self.file(place).versions)]

    def values(self, place: Place = HARBOUR) -> list[str]:
        return [str(one["value"]) for one in reversed(self.file(place).versions)]

    def plan(
        self, kind: str, /, *, place: Place | None = HARBOUR, inputs: Mapping[str, bytes] | None = None, **given: Any
    ) -> Plan:
        arguments = dict(given)
        if place is not None:
            found = self.store.files.get(place)
            named = {"target": place.target, "key": place.key, "expected": found.last if found else 0}
            arguments = {**named, **({"scope": place.scope} if place.scope != "global" else {}), **arguments}
            if kind in ("set", "rollback"):
                arguments.setdefault("provenance", "operator")
        at = f"2026-03-01T{9 + self.minutes // 60:02}:{self.minutes % 60:02}:00Z"
        request = Request(f"canonical-context.{kind}", arguments, at, ADA, self.workspace, inputs or {})
        planner = resolve(ADDON.plans[request.kind])
        made: Plan = planner(self.tree, request)
        # What is confirmed is planned from the request as it was saved, keys in another order.
        saved = Request(request.kind, json.loads(canonical_json(arguments)), at, ADA, self.workspace, inputs or {})
        assert planner(self.tree, saved).operation_id == made.operation_id
        return made

    def do(
        self, kind: str, /, *, place: Place | None = HARBOUR, inputs: Mapping[str, bytes] | None = None, **given: Any
    ) -> Plan:
        plan = self.plan(kind, place=place, inputs=inputs, **given)
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
        return plan

    def set(self, value: str, /, *, place: Place = HARBOUR, force: bool = False, **given: Any) -> Plan:
        """``force`` acknowledges every version there is."""
        found = self.store.files.get(place)
        if force and found:
            given["acknowledged"] = [found.version_handle(one["version"]) for one in found.versions]
        return self.do("set", place=place, value=value, **given)

    def undo(self, plan: Plan, *, lost: bool = False) -> Plan:
        value = receipt(plan, confirmed_at="2026-03-02T00:00:00Z", git_head=None)
        names = [change["before"] for change in value["changes"] if change["before"]]
        inputs = {} if lost else {name: self.replaced[name] for name in names}
        return self.do("undo", place=None, inputs=inputs, receipt=value)
