"""Which line says this, and which of those that do wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aiwg_memory.core.instructions.snapshot import Source
from aiwg_memory.core.ranking.text import terms
from aiwg_memory.errors import UsageError

MAX_LINES = 200


@dataclass(frozen=True, slots=True)
class Said:
    """One line of one source. ``whole``: it holds every word asked for; ``wins``: it is the nearest of those."""

    path: str
    line: int
    text: str
    precedence: int
    whole: bool
    wins: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.path, "line": self.line, "text": self.text, "precedence": self.precedence,
            "whole": self.whole, "wins": self.wins,
        }  # fmt: skip


def lines_saying(sources: Sequence[Source], words: str) -> list[Said]:
    """The lines with every word, inflected or not; where there is none, those with the most, at least half of them.

    In order of delivery, at most 200, the last ones: the last with every word wins. Raises UsageError without a word.
    """
    wanted = set(terms(words))
    if not wanted:
        raise UsageError(f"{words!r} holds no word to look for", hint="name a word or two of what should be said")
    found: list[tuple[int, Source, int, str]] = []
    for source in sources:
        for at, line in enumerate(source.content.split("\n")):
            count = len(wanted & set(terms(line))) if line else 0
            if count * 2 >= len(wanted) and count:
                found.append((count, source, source.numbers[at] if at < len(source.numbers) else at + 1, line))
    most = max((count for count, *_ in found), default=0)
    best = [each for each in found if each[0] == most][-MAX_LINES:]
    whole = most == len(wanted)
    last = best[-1][1].path if best and whole else ""
    return [
        Said(source.path, number, line.strip(), source.precedence, whole, whole and source.path == last)
        for _, source, number, line in best
    ]
