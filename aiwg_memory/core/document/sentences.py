"""Cutting a paragraph that is too long: at sentence ends of several scripts, else at white space, else anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aiwg_memory.core.patterns import pattern

# Latin, Cyrillic, Greek and kin need white space behind the stop; Chinese, Japanese, Devanagari, Arabic, Ethiopic,
# Khmer and Burmese stops end a sentence by themselves. A line that begins a list item begins a sentence.
_END = pattern(
    r"[.!?\u2026;]['\")\]\u00bb\u201d\u2019*_]*\s+"
    r"|[\u3002\uff01\uff1f\uff0e\uff61\uff1b\u0964\u0965\u061f\u06d4\u1362\u17d4\u104a\u104b]"
    r"[\u300d\u300f\uff09\u3011\u300b\u201d\u2019\"']*\s*"
    r"|\n(?=[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t])"
)
_LINE = pattern(r"\n")
_SPACE = pattern(r"\s+")


def cut(lines: Sequence[str], first: int, size: int) -> Iterator[tuple[int, int, str]]:
    """``(first line, last line, text)`` of pieces of about ``size`` characters, at most twice as many.

    ``first`` is the number of the first of ``lines``. Joined again, the pieces are the paragraph but for white space
    at the cuts.
    """
    text = "\n".join(lines)
    line = first
    start = 0
    for end in [*_borders(text, size), len(text)]:
        piece = text[start:end]
        lead = len(piece) - len(piece.lstrip())
        line += piece.count("\n", 0, lead)
        shown = piece.strip()
        if shown:
            yield line, line + shown.count("\n"), shown
        line += piece.count("\n", lead)
        start = end


def _borders(text: str, size: int) -> Iterator[int]:
    """Where to cut: the last sentence or line end within ``size``, the next sentence end, white space, or anywhere."""
    start = 0
    while len(text) - start > size + size // 4:
        best = _last(_END, text, start + size // 4, start + size)
        best = best or _last(_LINE, text, start + size // 4, start + size)
        best = best or _first(_END, text, start + size, start + 2 * size)
        best = best or _last(_SPACE, text, start + size // 4, start + 2 * size)
        start = best or start + 2 * size
        if start >= len(text):
            return
        yield start


def _last(pattern: re.Pattern[str], text: str, begin: int, end: int) -> int:
    found = 0
    for match in pattern.finditer(text, begin, end):
        found = match.end()
    return found


def _first(pattern: re.Pattern[str], text: str, begin: int, end: int) -> int:
    match = pattern.search(text, begin, end)
    return match.end() if match else 0
