"""Anchors: evidence that is a few lines of a file which goes on changing. Do they still stand, and where?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.patterns import pattern

VERIFIED, MOVED, GONE = "verified", "moved", "gone"
MAX_LINES = 10_000
MAX_PLACES = 64
"""How many places that begin like the span are looked at; a span that begins with a common line may be missed."""
MAX_COMPARED = 100_000
"""Lines hashed to find a span of which nobody noted how it begins; one that moved farther is missed."""

_SPAN = pattern(r"L([1-9][0-9]{0,8})(?:-L([1-9][0-9]{0,8}))?\Z")


class Found(NamedTuple):
    """``span`` is where the lines are now, "" where they are not."""

    state: str
    span: str = ""


def lines_of(span: str) -> tuple[int, int] | None:
    """First and last line of ``L3-L9`` or ``L3``, both counted from 1; None for what is no span."""
    match = _SPAN.match(span)
    if match is None:
        return None
    first = int(match[1])
    last = int(match[2] or first)
    return (first, last) if first <= last < first + MAX_LINES else None


def _split(data: bytes) -> list[bytes]:
    """Lines without their ends, so that a checkout with other line ends is the same text."""
    rows = data.replace(b"\r\n", b"\n").split(b"\n")
    return rows[:-1] if rows and not rows[-1] else rows


def held(data: bytes, span: str) -> list[bytes] | None:
    """The lines a span names, without their ends. None where the file has no such lines."""
    place = lines_of(span)
    rows = _split(data)
    return None if place is None or place[1] > len(rows) else rows[place[0] - 1 : place[1]]


def anchored(data: bytes, span: str) -> dict[str, Any] | None:
    """``digest`` of the lines a span names; in ``anchor`` those of the file and of the first line, by which they are
    found again. None where the file has no such lines."""
    rows = held(data, span)
    return (
        None if rows is None else {"digest": _digest(rows), "anchor": {"file": digest(data), "first": digest(rows[0])}}
    )


def locate(data: bytes, source: Mapping[str, Any]) -> Found:
    """Where the lines that ``source`` cites (``digest``, ``span``, ``anchor``) stand in ``data``: in their place, else
    the nearest place below or above. Each line is hashed at most once, and at most 64 places are compared; without an
    anchor the places around it. A citation without one may state the digest of the file as a whole."""
    place, wanted = lines_of(str(source.get("span") or "")), source.get("digest")
    if place is None or not isinstance(wanted, str):
        return Found(GONE)
    anchor = source.get("anchor")
    rows = _split(data)
    first, last = place
    if _digest(rows[first - 1 : last]) == wanted and last <= len(rows):
        return Found(VERIFIED, str(source["span"]))
    if anchor is None and last <= len(rows) and digest(data) == wanted:
        return Found(VERIFIED, str(source["span"]))
    begins = anchor.get("first") if isinstance(anchor, Mapping) else None
    count = last - first + 1
    end = len(rows) - count + 1
    alike, most = (_places(rows, begins, end), MAX_PLACES) if isinstance(begins, str) else _around(first, count, end)
    for at in sorted(alike, key=lambda at: (abs(at + 1 - first), at))[:most]:
        if _digest(rows[at : at + count]) == wanted:
            return Found(MOVED, _span(at + 1, at + count))
    return Found(GONE)


def _around(first: int, count: int, end: int) -> tuple[list[int], int]:
    most = MAX_COMPARED // count
    return list(range(max(0, first - 1 - most), max(0, min(end, first - 1 + most)))), most


def _places(rows: list[bytes], begins: str, end: int) -> list[int]:
    known: dict[bytes, bool] = {}
    found = []
    for at in range(max(0, end)):
        row = rows[at]
        if row not in known:
            known[row] = digest(row) == begins
        if known[row]:
            found.append(at)
    return found


def _digest(rows: list[bytes]) -> str:
    return digest(b"\n".join(rows) + b"\n")


def _span(first: int, last: int) -> str:
    return f"L{first}" if first == last else f"L{first}-L{last}"
