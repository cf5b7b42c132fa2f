"""Steps carried out: the plan of each by its own store's operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aiwg_memory.core.candidates import House
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.maintenance import Step
from aiwg_memory.core.operations import Plan

_MOST_TARGETS = 1000


def carried_out(desk: Desk, house: House, steps: Iterable[Step], more: Mapping[str, Any]) -> list[Plan]:
    """One plan for each operation on several targets, one for each that names its own arguments; ``more`` goes to all.
    What needs no operation is left out."""
    together: dict[str, list[Any]] = {}
    asked: list[tuple[str, Mapping[str, Any]]] = []
    for step in steps:
        if set(step.arguments) == {"target"}:
            together.setdefault(step.operation, []).append(step.arguments["target"])
        elif step.operation:
            asked.append((step.operation, step.arguments))
    for operation, targets in together.items():
        for first in range(0, len(targets), _MOST_TARGETS):
            asked.append((operation, {"targets": targets[first : first + _MOST_TARGETS]}))
    planned = ((house.planner(operation), operation, arguments) for operation, arguments in asked)
    return [
        planner(desk.tree, desk.request.part(operation, {**arguments, **more}))
        for planner, operation, arguments in planned
        if planner is not None
    ]
