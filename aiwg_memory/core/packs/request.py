"""What a pack is asked for, and the sections it may have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from aiwg_memory.core.budget import Budget
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.delivery import DeliveryOptions
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.errors import UsageError

PACKER = "pack.1"
"""How packs are put together, part of their identity beside how hits are scored: change it when a choice changes."""

DEFAULT_FLOOR = 0.1
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


class Section(NamedTuple):
    """``weight`` 0: allocated first and whole; else its part of what is left. ``layers`` are the items it takes."""

    name: str
    weight: int
    layers: tuple[str, ...] = ()


# In the order they are allocated, which is also the order of precedence among the weighted ones.
SECTIONS = (
    Section("working", 0),
    Section("always", 0),
    Section("instructions", 0),
    Section("skills", 0),
    Section("sessions", 1, ("sessions",)),
    Section("canonical", 3, ("canonical", "canonical-context")),
    Section("wiki", 8, ("wiki", "llm-wiki")),
    Section("facts", 4, ("facts", "line-memory")),
    Section("other", 1),
)
# Instructions and canonical context come before what they outrank.
PRINTED = ("working", "instructions", "canonical", "always", "skills", "wiki", "facts", "other", "sessions")
# When two sections hold one claim, the earlier one here keeps it.
PRECEDENCE = ("working", "instructions", "always", "canonical", "wiki", "facts", "skills", "other", "sessions")
WEIGHTED = tuple(section.name for section in SECTIONS if section.weight)
LOCATORS = "locators"
_OF_LAYER = {layer: section.name for section in SECTIONS for layer in section.layers}


def section_of(layer: str) -> str:
    return _OF_LAYER.get(layer, "other")


class Given(NamedTuple):
    """An item that was not searched for: a requirement pinned to the task, an instruction, a skill.

    ``rank`` None is never dropped; otherwise the highest rank is shed first when room is short. ``labels`` stand before
    its text as they are.
    """

    section: str
    item: MemoryItem
    labels: tuple[str, ...] = ()
    rank: int | None = None


class PackRequest:
    """``target`` is the path the task is about ("" the whole workspace); ``as_of`` is a UTC date, the only clock.

    ``weights`` and ``caps`` are per section; a cap is hard and in the budget's first measure, and ``locators`` caps all
    locator lines together. ``floor`` is the least coverage an item needs. Raises UsageError, all problems together.
    """

    def __init__(
        self,
        task: str,
        as_of: str,
        *,
        target: str = "",
        budget: Budget | None = None,
        format: str = "markdown",  # noqa: A002 - what the request and the command line call it
        weights: Mapping[str, int] = MappingProxyType({}),
        caps: Mapping[str, int] = MappingProxyType({}),
        floor: float = DEFAULT_FLOOR,
        options: DeliveryOptions | None = None,
        no_digest: bool = False,
        no_touch: bool = True,
        include_instructions: bool = False,
    ) -> None:
        self.task, self.as_of, self.target = task, as_of, target
        self.budget = Budget() if budget is None else budget
        self.format = format
        self.weights, self.caps, self.floor = weights, caps, floor
        self.options = DeliveryOptions() if options is None else options
        self.no_digest, self.no_touch, self.include_instructions = no_digest, no_touch, include_instructions
        self._check()

    def _check(self) -> None:
        problems = [] if _DATE.match(self.as_of) else [f"as_of {self.as_of!r} is not a date such as 2026-03-09"]
        for what, given, known in (("weight", self.weights, WEIGHTED), ("cap", self.caps, (*WEIGHTED, LOCATORS))):
            problems += [
                f"{what} {name!r} is not one of {', '.join(known)}" for name in sorted(given) if name not in known
            ]
            problems += [f"{what} {name} is {value}, under 0" for name, value in sorted(given.items()) if value < 0]
        if not 0 <= self.floor <= 1:
            problems.append(f"floor {self.floor} is not between 0 and 1")
        if problems:
            raise UsageError("; ".join(problems))

    @property
    def task_digest(self) -> str | None:
        return None if self.no_digest else digest(self.task.encode("utf-8", "surrogatepass"))

    def weight(self, section: str) -> int:
        default = next(known.weight for known in SECTIONS if known.name == section)
        return self.weights.get(section, default)

    def to_json(self) -> dict[str, Any]:
        """What the pack's id covers: neither the tree nor the format, which change no selection by themselves."""
        options = self.options
        return {
            "task_digest": self.task_digest,
            "target": self.target,
            "as_of": self.as_of,
            "budget": self.budget.to_json(),
            "weights": {name: self.weight(name) for name in WEIGHTED},
            "caps": dict(self.caps),
            "options": {
                "floor": self.floor,
                "incognito": options.incognito,
                "history": options.history,
                "user": options.user,
                **({"user_tree": options.user_tree} if options.user_tree else {}),
                "project": options.project,
                "session": options.session,
                "asked": list(options.asked),
                "filters": {name: list(values) for name, values in options.filters.items()},
                "no_digest": self.no_digest,
                "no_touch": self.no_touch,
                "include_instructions": self.include_instructions,
            },
        }
