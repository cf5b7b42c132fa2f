"""Candidates as rows: how many are in which state, and the page of them that is shown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from aiwg_memory.core.candidates import RECORDS, STATES
from aiwg_memory.core.catalogue import Part, Place, Query, Row, ask
from aiwg_memory.core.counting import counted
from aiwg_memory.core.items import Fragment, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version
from aiwg_memory.core.tree import Tree


class Label(NamedTuple):
    """What a candidate is counted as. ``state`` is its status, or ``closed``; ``forked``: decided in two ways."""

    state: str
    forked: bool
    type: str


def state_of(version: Version) -> str:
    return "closed" if version.value.get("closed") else version.status


def _parse(path: RepoPath, data: bytes) -> Fragment:
    from aiwg_memory.addons.compound_memory.candidates.store import parse

    return parse(path, data)


def _rows(handle: str, units: Sequence[Unit], versions: Sequence[Version]) -> Iterator[Row]:
    from aiwg_memory.core.records import fold

    del units
    head = fold(versions)[handle]
    current = head.current
    label = json.dumps(Label(state_of(current), bool(head.fork), current.text("type")))
    fork = [one.digest for one in head.heads] if head.fork else []
    yield Row(handle, label, current.at, {"record": current.value, "fork": fork})


PART = Part("candidates", 1, (Place(RECORDS, ".jsonl", "candidate-file-name"),), _parse, _rows)


@lru_cache(maxsize=256)
def read_label(label: str) -> Label:
    return Label(*json.loads(label))


def taking(states: Sequence[str], kind: str | None) -> Callable[[str], bool]:
    """Labels in one of ``states`` and of type ``kind``; None is any."""

    def wanted(label: str) -> bool:
        told = read_label(label)
        return told.state in states and (not kind or told.type == kind)

    return wanted


def record(row: Row) -> Version:
    value: Mapping[str, Any] = row.value["record"]
    return Version(value)


def status(tree: Tree) -> dict[str, Any]:
    """``state`` is ready, or degraded with ``reasons``; ``counts`` and ``next`` are for a person."""
    answer = ask(tree, PART, Query())
    states: Counter[str] = Counter()
    forks = 0
    for label, count in answer.tally.items():
        told = read_label(label)
        states[told.state] += count
        forks += count if told.forked else 0
    following = [f"{counted(states['pending'], 'shared candidate')} to review: `review`"] if states["pending"] else []
    following += [f"{counted(forks, 'candidate')} to settle: `candidates resolve`"] if forks else []
    counts = {f"{state} candidates": states[state] for state in (*STATES, "closed") if states[state]}
    reasons = list(answer.problems)
    return {"state": "degraded" if reasons else "ready", "reasons": reasons, "counts": counts, "next": following}
