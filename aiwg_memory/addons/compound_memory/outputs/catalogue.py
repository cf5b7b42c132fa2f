"""Registered outputs as rows, and how they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.compound_memory.outputs.layout import LIVE, RECORDS
from aiwg_memory.core.catalogue import Part, Place, Query, Row, ask, errors
from aiwg_memory.core.config import load_config
from aiwg_memory.core.counting import counted
from aiwg_memory.core.items import Fragment, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree

if TYPE_CHECKING:
    from aiwg_memory.core.records import Version


def _parse(path: RepoPath, data: bytes) -> Fragment:
    from aiwg_memory.addons.compound_memory.outputs.store import parse

    return parse(path, data)


def _rows(handle: str, units: Sequence[Unit], versions: Sequence[Version]) -> Iterator[Row]:
    from aiwg_memory.core.records import chain_findings, fold

    del units
    current = fold(versions)[handle].current
    yield Row(handle, current.status, current.at, problems=tuple(errors(chain_findings(versions))))


PART = Part("outputs", 1, (Place(RECORDS, "", "output-file-name", deep=True),), _parse, _rows)


def status(tree: Tree) -> dict[str, Any]:
    """``state`` is ready, or degraded with ``reasons``; ``counts`` and ``next`` are for a person."""
    answer = ask(tree, PART, Query())
    states = dict(sorted(answer.tally.items()))
    return {
        "state": "degraded" if answer.problems else "ready",
        "reasons": list(answer.problems),
        "counts": {"outputs": states.pop(LIVE, 0), **states},
        "next": _unlinked(tree),
    }


def _unlinked(tree: Tree) -> list[str]:
    config = load_config(tree)
    if all(tree.stat(folder) is None for folder in config.sources.output_folders):
        return []
    from aiwg_memory.addons.compound_memory.outputs.store import unlinked

    waiting, more = unlinked(tree, config.sources.output_folders, config.maintenance.scan_limit)
    return (
        [f"{'over ' if more else ''}{counted(len(waiting), 'output')} without a pack: `outputs register`"]
        if waiting
        else []
    )
