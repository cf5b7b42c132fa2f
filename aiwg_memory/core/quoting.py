"""Retrieved text as lines that cannot be anything but quoted data, and where such a text may be cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from aiwg_memory.core.screening import escape_invisible, redact
from aiwg_memory.core.screening.speech import speech

# Sentence ends: after the marks of scripts that write no space, else only before white space. One mark at a time: a set
# of characters from far apart takes longer to compile than any text takes to search.
_BORDER = re.compile(
    r"(?<=。)|(?<=！)|(?<=？)|(?<=；)|(?:(?<=[.!?][\"')\]»])|(?<=[.!?]”)|(?<=[.!?]’)|(?<=[.!?])|(?<=…))\s+"
)


def shown_lines(text: str) -> tuple[str, ...]:
    """A text as it is shown: secrets redacted, invisible characters spelt out, every sort of line break a line end.

    Lines hold no line break and no trailing white space; blank lines at either end go.
    """
    lines = [escape_invisible(line).rstrip() for line in redact(text)[0].splitlines()]
    first, last = 0, len(lines)
    while first < last and not lines[first]:
        first += 1
    while last > first and not lines[last - 1]:
        last -= 1
    return tuple(lines[first:last])


def one_line(text: str) -> str:
    """A title, heading or locator on one line, screened like any retrieved text."""
    return " ".join(shown_lines(text)).replace("\t", " ").strip()


def speaks(text: str) -> bool:
    """Whether a text gives orders, forges a turn or calls a tool: it is delivered as data, and labelled."""
    return any(True for _ in speech(text, text.replace("\u0130", "i").lower()))


MOST_STARTS = 64
"""Sentences tried as the middle of a cut; when so many of the weightiest are too long, the rest is not looked at."""


class Cut(NamedTuple):
    """A run of whole sentences or lines of a text, and how many of its characters are not there."""

    lines: tuple[str, ...]
    characters: int


def cut(
    lines: Sequence[str], fits: Callable[[tuple[str, ...], int], bool], weigh: Callable[[str], float]
) -> Cut | None:
    """The longest run of sentences round the weightiest one for which ``fits(lines, characters cut)``; None if none.

    Grows towards the heavier neighbour, and to the following sentence when both weigh the same.
    """
    pieces = [(number, piece) for number, line in enumerate(lines) for piece in _sentences(line)]
    if len(pieces) < 2:
        return None
    total = sum(len(line) for line in lines)
    weights = [weigh(piece) for _, piece in pieces]

    def joined(first: int, last: int) -> Cut:
        rows: list[str] = []
        at = -1
        for number, piece in pieces[first:last]:
            if number == at:
                rows[-1] += piece
            else:
                rows.append(piece)
                at = number
        while len(rows) > 1 and not rows[0].strip():
            del rows[0]
        while len(rows) > 1 and not rows[-1].strip():
            del rows[-1]
        kept = tuple(row.rstrip() for row in rows)
        return Cut(kept, total - sum(map(len, kept)))

    return _grow(weights, joined, fits)


def _grow(
    weights: Sequence[float],
    joined: Callable[[int, int], Cut],
    fits: Callable[[tuple[str, ...], int], bool],
) -> Cut | None:
    best: Cut | None = None
    for start in sorted(range(len(weights)), key=lambda place: (-weights[place], place))[:MOST_STARTS]:
        found = joined(start, start + 1)
        if fits(found.lines, found.characters):
            best, first, last = found, start, start + 1
            break
    if best is None:
        return None
    steps = [(first, last)]
    while steps[-1] != (0, len(weights)):
        steps.append(_wider(weights, *steps[-1]))
    low, high, reach = 0, len(steps) - 1, 1
    while low < high:
        # Twice as far while it fits, then by halves: looking costs what is taken, not what is there.
        middle = min(low + reach, (low + high + 1) // 2)
        reach *= 2
        wider = joined(*steps[middle])
        if fits(wider.lines, wider.characters):
            low, best = middle, wider
        else:
            high = middle - 1
    return best


def _wider(weights: Sequence[float], first: int, last: int) -> tuple[int, int]:
    if last < len(weights) and (first == 0 or weights[last] >= weights[first - 1]):
        return first, last + 1
    return first - 1, last


def _sentences(line: str) -> list[str]:
    """The sentences of a line, each with the white space after it."""
    ends = [match.end() for match in _BORDER.finditer(line) if 0 < match.end() < len(line)]
    return [line[start:end] for start, end in zip([0, *ends], [*ends, len(line)], strict=True)]
