"""The canonical context of one tree: every key in every scope, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aiwg_memory.addons.canonical_context.file import CanonFile, empty, read_file
from aiwg_memory.addons.canonical_context.layout import MARKER, MAX_BYTES, ROOT, STORE, Place
from aiwg_memory.addons.canonical_context.reading import is_value
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree, files


@dataclass(frozen=True)
class Store:
    """``started``: somebody turned it on. ``strangers`` are files that are no keys, another tool's among them."""

    files: Mapping[Place, CanonFile]
    findings: tuple[Finding, ...]
    strangers: tuple[RepoPath, ...]
    started: bool

    def scopes(self, place: Place) -> list[CanonFile]:
        """The same key in other scopes."""
        return [each for other, each in self.files.items() if other.base == place.base and other != place]


def read(tree: Tree) -> Store:
    """Raises UnsafePath, TooLarge as the tree does."""
    found: dict[Place, CanonFile] = {}
    findings: list[Finding] = []
    strangers: list[RepoPath] = []
    for path, _ in files(tree, ROOT):
        if not is_value(path):
            strangers += [] if path == STORE else [path]
            continue
        one, problems = read_file(path, tree.read(path, limit=MAX_BYTES))
        findings += problems
        if one is not None:
            found[one.place] = one
    ordered = {place: found[place] for place in sorted(found)}
    return Store(ordered, tuple(findings), tuple(strangers), started(tree))


def started(tree: Tree) -> bool:
    entry = tree.stat(STORE)
    if entry is None or entry.kind != "file":
        return False
    return MARKER.splitlines()[-1] in tree.read(STORE, limit=MAX_BYTES).splitlines()


def read_place(tree: Tree, place: Place) -> tuple[CanonFile, tuple[Finding, ...]]:
    """One key's file, empty where there is none yet; with errors it is not to be written over."""
    path = place.path
    entry = tree.stat(path)
    if entry is None:
        return empty(place), ()
    found, findings = read_file(path, tree.read(path, limit=MAX_BYTES))
    if found is None:
        stops = tuple(Finding(one.path, one.line, one.rule, one.message, hint=one.hint) for one in findings)
        return empty(place), stops
    return found, ()
