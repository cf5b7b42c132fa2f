"""Which known words an unknown one may be a slip of: Damerau-Levenshtein distance 1, or 2 for long words."""

from __future__ import annotations

from collections.abc import Iterator

SHORTEST = 5
"""Characters from which a word may be a slip at all: shorter ones are one letter from everything."""

LONG = 8
"""Characters from which two slips are believed."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def slips(word: str) -> Iterator[str]:
    """Every word one deletion, exchange, replacement or insertion away, repetitions among them."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        for letter in _LETTERS:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]


def near(word: str, other: str, limit: int = 2) -> bool:
    """Whether ``other`` is at most ``limit`` slips away; neighbours exchanged are one slip."""
    if abs(len(word) - len(other)) > limit:
        return False
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, letter in enumerate(word, 1):
        line = [row]
        for column, there in enumerate(other, 1):
            cost = min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != there))
            if row > 1 and column > 1 and letter == other[column - 2] and word[row - 2] == there:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        if min(line) > limit:
            return False
        before, above = above, line
    return above[-1] <= limit
