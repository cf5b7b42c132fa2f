"""How the texts of a report are shortened, and how its entries are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from aiwg_memory.core.changes.entry import ACTIONS, Entry, Load
from aiwg_memory.core.quoting import one_line

EXCERPT = 240
_ONE = {
    "facts": "fact", "pages": "page", "passages": "passage", "canonical": "canonical key", "raw": "raw copy",
    "candidates": "candidate", "outputs": "output", "pins": "pin", "instructions": "instruction file",
}  # fmt: skip
_MANY = {"raw": "raw copies"}


def excerpt(text: str, limit: int = EXCERPT) -> str:
    """On one line, secrets redacted, invisible characters spelt out, at most ``limit`` characters."""
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def both(before: str, after: str) -> tuple[str, str]:
    """Excerpts of two texts that show where they differ, however far down that is."""
    was, now = one_line(before), one_line(after)
    if max(len(was), len(now)) <= EXCERPT or not was or not now:
        return excerpt(before), excerpt(after)
    start = 0
    while start < min(len(was), len(now)) and was[start] == now[start]:
        start += 1
    start = max(0, start - EXCERPT // 4)
    start = was.rfind(" ", 0, start + 1) + 1 if start else 0
    lead = "… " if start else ""
    return excerpt(lead + was[start:]), excerpt(lead + now[start:])


def counted(entries: Iterable[Entry]) -> str:
    """``2 facts added, 1 page judged, 1 passage reworded`` in the order they are told."""
    counts = Counter((_kind(entry), entry.action) for entry in entries)
    ranked = sorted(counts, key=lambda key: (_ORDER.index(key[0]), ACTIONS.index(key[1])))
    return ", ".join(f"{counts[key]} {_named(key[0], counts[key])} {key[1]}" for key in ranked)


def loaded(loads: Iterable[Load]) -> Iterator[tuple[str, str]]:
    """``("src", "Codex 35 → 63, Claude Code 35 → 16")`` for each directory."""
    for target, group in groupby(loads, key=lambda one: one.target):
        yield target, ", ".join(f"{one.agent} {one.before} → {one.after}" for one in group)


_ORDER = tuple(_ONE)


def _kind(entry: Entry) -> str:
    return "passages" if entry.store == "pages" and "#" in entry.handle else entry.store


def _named(kind: str, count: int) -> str:
    return _ONE[kind] if count == 1 else _MANY.get(kind, f"{_ONE[kind]}s")
