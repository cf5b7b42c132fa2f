"""Facts as rows: how many there are of which sort, and the page of them that is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from aiwg_memory.addons.line_memory.text import FACTS, LINES, RECORDS
from aiwg_memory.core.catalogue import Part, Place, Query, Row, ask
from aiwg_memory.core.items import Fragment, MemoryItem, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree

if TYPE_CHECKING:
    from aiwg_memory.core.records import Version

LISTED = ("active", "stale", "contradicted")
"""What is there and not history, as a list shows it when nobody asks for more."""

_DATES = ("expires_at", "review_at")


class Label(NamedTuple):
    """What a fact is counted as. ``there`` is whether it has a text, ``live`` that no record says it may have none,
    ``status`` that of its record ("" without one), ``verdict`` the review in that; the rest is how it is shown,
    ``lifecycle`` empty for what is not."""

    there: bool
    live: bool
    status: str
    verdict: str
    forked: bool
    lifecycle: str = ""
    kind: str = ""
    scope: str = ""
    delivery: str = ""
    review: str = ""
    provenance: str = ""


def _parse(path: RepoPath, data: bytes) -> Fragment:
    from aiwg_memory.addons.line_memory.reading import parse

    return parse(path, data)


def _rows(handle: str, units: Sequence[Unit], versions: Sequence[Version]) -> Iterator[Row]:
    from aiwg_memory.addons.line_memory.store import LIVE
    from aiwg_memory.core.catalogue import errors
    from aiwg_memory.core.records import chain_findings, fold

    head = fold(versions)[handle] if versions else None
    current = head.current if head else None
    problems = errors(chain_findings(versions))
    if head is not None and head.fork:
        problems.append(f"{handle} was decided differently on two branches")
    status = current.status if current else ""
    verdict = current.text("review", "pending") if current else "pending"
    row = shown(handle, units[0] if units else None, current)
    told = (bool(units), not status or status in LIVE, status, verdict, bool(head and head.fork))
    label = Label(*told, *(row.get(name, "") for name in Label._fields[5:]))
    due = min((row[name][:10] for name in _DATES if row.get(name)), default="")
    yield Row(handle, json.dumps(label), row.get("at", ""), row, due, tuple(problems))


def shown(handle: str, unit: Unit | None, head: Version | None) -> dict[str, Any]:
    """A fact as it is listed, with the dates that act on it; empty for one that its record took away."""
    from aiwg_memory.addons.line_memory.reading import item

    if unit is None:
        if head is None:
            return {}
        dimensions = {key: head.text(key) for key in ("kind", "scope", "delivery", "review", "provenance")}
        row = {"handle": handle, "text": None, "lifecycle": head.status, "at": head.at, "version": head.version}
        return {**row, **dimensions}
    found = item(unit, head)
    if found is None:
        return {}
    return {
        "handle": handle,
        "text": found.text,
        "lifecycle": found.lifecycle,
        "at": found.at,
        "version": head.version if head else 0,
        "kind": found.kind,
        "scope": found.scope,
        "delivery": found.delivery,
        "review": found.review,
        "provenance": found.provenance,
        "expires_at": found.expires_at,
        "review_at": found.review_at,
    }


PART = Part(
    "facts",
    1,
    (
        Place(FACTS, ".txt", "fact-file-name"),
        Place(RECORDS, ".jsonl", "fact-file-name"),
        Place(LINES, stray="fact-file-name"),
    ),
    _parse,
    _rows,
)


@lru_cache(maxsize=4096)
def read_label(label: str) -> Label:
    return Label(*json.loads(label))


def fact_page(
    tree: Tree, lifecycle: str | None, wanted: Mapping[str, str], limit: int, today: str
) -> tuple[list[dict[str, Any]], int]:
    """The first ``limit`` facts by time and handle, and how many there are. ``lifecycle`` None: what is not history;
    ``wanted`` holds dimensions as they are shown."""

    def takes(label: str) -> bool:
        told = read_label(label)
        usual = told.lifecycle in LISTED if lifecycle is None else told.lifecycle == lifecycle
        return bool(told.lifecycle) and usual and all(getattr(told, name) == value for name, value in wanted.items())

    def judged(row: Row) -> str:
        return json.dumps(read_label(row.label)._replace(lifecycle=on_day(row.value, today)["lifecycle"]))

    answer = ask(tree, PART, Query(takes, limit, today=today, judged=judged))
    return [on_day(row.value, today) for row in answer.rows], answer.total


def on_day(row: Mapping[str, Any], today: str) -> dict[str, Any]:
    """What ``shown`` gave, with its dates applied and left out."""
    from aiwg_memory.core.delivery import lifecycle_on

    dates = {name: row.get(name, "") for name in _DATES}
    item = MemoryItem("", "", "", "", "", lifecycle=row["lifecycle"], **dates)
    return {**{name: row[name] for name in row if name not in _DATES}, "lifecycle": lifecycle_on(item, today)}
