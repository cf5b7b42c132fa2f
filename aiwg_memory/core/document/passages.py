"""Passages: one heading's worth of text each, long ones cut again, with the exact lines they stand on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aiwg_memory.core.document.blocks import Heading, Layout, layout_of
from aiwg_memory.core.document.model import Document
from aiwg_memory.core.document.sentences import cut
from aiwg_memory.core.patterns import pattern

# Characters a passage aims at. A section is cut at paragraph borders when it is longer; only a paragraph of more than
# twice as much is cut inside, and a code fence never is.
PASSAGE = 1000
_WORD = pattern(r"[^\W_]")


class Passage(NamedTuple):
    """``text`` is the file's lines ``first_line`` to ``last_line`` (from 1, both included, without the heading), or a
    part of them where a paragraph was cut.

    ``heading_path`` is outermost first, empty above the first heading. ``occurrence`` tells sections with one heading
    path apart and ``part`` the pieces of one section, both from 1. ``contradicted``: the section holds a callout.
    """

    heading_path: tuple[str, ...]
    title: str
    first_line: int
    last_line: int
    text: str
    occurrence: int = 1
    part: int = 1
    contradicted: bool = False


def passages(document: Document, *, title: str = "") -> list[Passage]:
    """The passages in order. ``title`` stands in where neither front matter nor a first-level heading gives one."""
    lines = document.body.split("\n")
    layout = layout_of(document.body)
    title = page_title(document, layout.headings) or title
    found: list[Passage] = []
    seen: dict[tuple[str, ...], int] = {}
    for path, first, last in _sections(layout.headings, len(lines)):
        pieces = [piece for piece in _pieces(lines, layout, first, last) if _WORD.search(piece[2])]
        if not pieces:
            continue
        seen[path] = occurrence = seen.get(path, 0) + 1
        contradicted = any(first <= line < last for line in layout.callouts)
        for part, (start, end, text) in enumerate(pieces, 1):
            found.append(
                Passage(
                    path,
                    title,
                    document.first_line + start,
                    document.first_line + end,
                    text,
                    occurrence,
                    part,
                    contradicted,
                )
            )
    return found


def title_of(document: Document) -> str:
    """``page_title`` for who has no headings at hand."""
    return page_title(document, layout_of(document.body).headings)


def page_title(document: Document, headings: Sequence[Heading]) -> str:
    """The title of the front matter, else the first heading of the first level, else nothing."""
    stated = document.front.get("title")
    if isinstance(stated, str) and stated.strip():
        return stated.strip()
    return next((heading.text for heading in headings if heading.level == 1), "")


def _sections(headings: Sequence[Heading], count: int) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Heading path and the lines between the headings, the last one excluded."""
    yield (), 0, headings[0].first if headings else count
    trail: list[Heading] = []
    for number, heading in enumerate(headings):
        while trail and trail[-1].level >= heading.level:
            trail.pop()
        trail.append(heading)
        end = headings[number + 1].first if number + 1 < len(headings) else count
        yield tuple(each.text for each in trail), heading.last + 1, end


def _pieces(lines: Sequence[str], layout: Layout, first: int, last: int) -> Iterator[tuple[int, int, str]]:
    """``(first line, last line, text)`` from 0, both included, of at most about PASSAGE characters."""
    start = end = -1
    size = 0
    for begin, stop, length in _blocks(lines, layout, first, last):
        if start >= 0 and size + length > PASSAGE:
            yield start, end, "\n".join(lines[start : end + 1])
            start, size = -1, 0
        if length > 2 * PASSAGE and not _fenced(layout, begin, stop):
            yield from cut(lines[begin : stop + 1], begin, PASSAGE)
            continue
        start = begin if start < 0 else start
        end = stop
        size += length + 2
    if start >= 0:
        yield start, end, "\n".join(lines[start : end + 1])


def _blocks(lines: Sequence[str], layout: Layout, first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Runs of lines between blank ones, with their characters; a fence is never parted, blank lines in it or not."""
    start = -1
    size = 0
    for number in range(first, last):
        line = lines[number]
        if layout.inside[number] or (line and not line.isspace()):
            start = number if start < 0 else start
            size += len(line) + 1
        elif start >= 0:
            yield start, number - 1, size
            start, size = -1, 0
    if start >= 0:
        stop = last - 1
        while stop > start and not lines[stop].strip():
            stop -= 1
        yield start, stop, size


def _fenced(layout: Layout, first: int, last: int) -> bool:
    return any(layout.inside[first : last + 1])
