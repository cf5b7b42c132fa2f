"""Budgets: measures of what is emitted, several limits that hold together, and costs that add exactly per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

from aiwg_memory.core.tokens import DEFAULT_PROFILE, pricer
from aiwg_memory.errors import Refused, UsageError

MEASURES = ("characters", "bytes", "tokens", "json-escaped")
SMALLEST, LARGEST, DEFAULT_TOTAL = 256, 65536, 8000

Cost = tuple[int, ...]


def _characters(line: str) -> int:
    return len(line) + 1


def _bytes(line: str) -> int:
    return len(line.encode("utf-8", "surrogatepass")) + 1


def _escaped(line: str) -> int:
    """UTF-16 units of the line inside a JSON string, as a JavaScript host counts them; the newline is two."""
    encoded = json.dumps(line, ensure_ascii=False)  # its two quotes stand for the newline
    return len(encoded) if encoded.isascii() else len(encoded.encode("utf-16-le", "surrogatepass")) // 2


class Limit:
    """At most ``limit`` of ``measure``. ``profile`` names the token estimate, and is empty for other measures."""

    def __init__(self, measure: str, limit: int, profile: str = "") -> None:
        if measure not in MEASURES:
            raise UsageError(f"{measure!r} is not a measure", hint=f"measures are {', '.join(MEASURES)}")
        if not SMALLEST <= limit <= LARGEST:
            raise UsageError(f"a budget of {limit} {measure} is out of range; the range is {SMALLEST} to {LARGEST}")
        self.measure: Final = measure
        self.limit: Final = limit
        self.profile: Final = profile or (DEFAULT_PROFILE if measure == "tokens" else "")

    def to_json(self) -> dict[str, str | int]:
        named = {"profile": self.profile} if self.profile else {}
        return {"measure": self.measure, "limit": self.limit, **named}


class Budget:
    """Limits that hold together; the first is the one that shares, caps and the header are stated in.

    A cost is one whole number a limit, in the measure's own unit (tokens: thousandths, margin included).
    """

    def __init__(self, limits: tuple[Limit, ...] = (Limit("characters", DEFAULT_TOTAL),)) -> None:
        if not limits:
            raise UsageError("a budget needs at least one limit", hint="give --budget, or leave the default of 8,000")
        self.limits: Final = limits
        self._prices: Final = tuple(_price(limit) for limit in limits)

    @property
    def measure(self) -> str:
        return self.limits[0].measure

    @property
    def total(self) -> int:
        return self.limits[0].limit

    @cached_property
    def bound(self) -> Cost:
        """What may be spent, in the units costs are in; the two quotes of a JSON string are taken off already."""
        return tuple(limit.limit * _scale(limit) - 2 * (limit.measure == "json-escaped") for limit in self.limits)

    def cost(self, lines: Iterable[str]) -> Cost:
        """What these lines cost when printed, each with its newline. No line may hold a newline."""
        kept = lines if isinstance(lines, (list, tuple)) else list(lines)
        return tuple([sum(map(price, kept)) for price in self._prices])

    def measured(self, text: str) -> Cost:
        """The same for a printed text, which ends in a newline."""
        return self.cost(text.split("\n")[:-1])

    def shown(self, cost: Cost) -> int:
        """A cost in the first measure, in whole units, rounded up."""
        return self.units(cost[0]) + (2 if self.measure == "json-escaped" else 0)

    def units(self, part: int) -> int:
        """A part of a cost in the first measure, as people are told it and cap it: in whole units, rounded up."""
        return -(-part // _scale(self.limits[0]))

    def to_json(self) -> list[dict[str, str | int]]:
        return [limit.to_json() for limit in self.limits]


def _scale(limit: Limit) -> int:
    return 1000 if limit.measure == "tokens" else 1


def _price(limit: Limit) -> Callable[[str], int]:
    if limit.measure == "tokens":
        return pricer(limit.profile)
    return {"characters": _characters, "bytes": _bytes, "json-escaped": _escaped}[limit.measure]


def within(cost: Cost, bound: Cost) -> bool:
    return all(map(int.__le__, cost, bound))


def plus(left: Cost, right: Cost) -> Cost:
    return tuple(map(int.__add__, left, right))


def total_cost(costs: Sequence[Cost], width: int) -> Cost:
    return tuple(map(sum, zip(*costs, strict=True))) if costs else (0,) * width


def window_limit(total: int, *, window: int, reserve: int, used: int, profile: str = DEFAULT_PROFILE) -> Limit:
    """Tokens a pack may take in a context window: the least of total, 8 % of the window, and what is left of it.

    Raises Refused when that is under the smallest budget.
    """
    allowed = min(total, window * 8 // 100, window - reserve - used)
    if allowed < SMALLEST:
        raise Refused(
            f"a window of {window} tokens with {reserve} reserved and {used} used leaves {max(allowed, 0)} for memory; "
            f"a pack needs at least {SMALLEST}",
            hint="compact the conversation, or lower --reserve",
        )
    return Limit("tokens", allowed, profile)
