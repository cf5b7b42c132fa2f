"""A number with its noun."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """``1 fact``, ``2 facts``; a noun of several words has its plural at its end."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
