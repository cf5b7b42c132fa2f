"""A number with its noun."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """``1 fact``, ``2 facts``; a noun of several words has its plural at its end."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def few(names: Sequence[str]) -> str:
    """The first five, and a sign that there are more."""
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
