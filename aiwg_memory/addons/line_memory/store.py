"""The facts of one tree: texts, records and what is wrong with either, read once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from aiwg_memory.addons.line_memory.reading import parse
from aiwg_memory.addons.line_memory.text import FACTS, LINES, RECORDS, fact_path
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.items import Unit
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.records import Head, Version, fold
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree

LIVE = ("active", "expired", "origin_unavailable")
"""The statuses whose fact has a file."""


class Store(NamedTuple):
    """``units`` holds every place where a text stands, by handle; more than one place is a duplicate.

    ``files`` are the fact files there are, whatever they hold.
    """

    units: dict[str, tuple[Unit, ...]]
    heads: dict[str, Head]
    versions: tuple[Version, ...]
    files: frozenset[RepoPath]
    findings: tuple[Finding, ...] = ()

    def text(self, handle: str) -> str | None:
        places = self.units.get(handle)
        return places[0].text if places else None

    def current(self, handle: str) -> Version | None:
        head = self.heads.get(handle)
        return head.current if head else None

    def unrecorded(self) -> Iterator[Unit]:
        """One place of every fact that has no record, by handle."""
        for handle in sorted(self.units):
            if handle not in self.heads:
                yield self.units[handle][0]

    def strays(self) -> Iterator[Unit]:
        """Every place that is not the file of its fact: hand-typed lines and edited files, by place."""
        places = [unit for several in self.units.values() for unit in several]
        for unit in sorted(places, key=lambda unit: (unit.path, unit.first)):
            if unit.path != fact_path(unit.handle):
                yield unit

    def live(self) -> dict[str, str]:
        """The text of every fact that is there and not history, with or without a record, by handle."""
        found = {}
        for handle in sorted(self.units):
            head = self.current(handle)
            if head is None or head.status in LIVE:
                found[handle] = self.units[handle][0].text
        return found


def read(tree: Tree) -> Store:
    """Raises UnsafePath, TooLarge as the tree does. Names that are no regular file are findings, and not read."""
    units: dict[str, list[Unit]] = {}
    versions: list[Version] = []
    findings: list[Finding] = []
    files: set[RepoPath] = set()
    for path in _paths(tree, findings):
        fragment = parse(path, tree.read(path, limit=MAX_FILE))
        for unit in fragment.units:
            units.setdefault(unit.handle, []).append(unit)
        versions += fragment.versions
        findings += fragment.findings
        if path.under(FACTS):
            files.add(path)
    return Store(
        {handle: _ordered(places) for handle, places in units.items()},
        fold(versions),
        tuple(versions),
        frozenset(files),
        tuple(findings),
    )


def _ordered(places: list[Unit]) -> tuple[Unit, ...]:
    return tuple(places if len(places) == 1 else sorted(places, key=_own_file_first))


def _own_file_first(unit: Unit) -> tuple[bool, str, int]:
    return unit.path != fact_path(unit.handle), unit.path, unit.first


def _paths(tree: Tree, findings: list[Finding]) -> Iterator[RepoPath]:
    for folder, suffix in ((FACTS, ".txt"), (RECORDS, ".jsonl")):
        for entry in tree.list(folder):
            if entry.kind == "file" and entry.name.endswith(suffix):
                yield join(folder, entry.name)
            else:
                message = f"a {entry.kind} named {entry.name} lies where only files ending in {suffix} belong"
                findings.append(Finding(folder, 0, "fact-file-name", message, hint="move it away"))
    typed = tree.stat(LINES)
    if typed is not None and typed.kind == "file":
        yield LINES
    elif typed is not None:
        findings.append(Finding(LINES, 0, "fact-file-name", f"a {typed.kind} stands where a file belongs"))
