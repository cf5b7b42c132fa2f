"""Citations of lines of files which go on changing: do the lines still stand there?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aiwg_memory.core.anchors import GONE, MOVED, Found, locate
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def with_anchor(sources: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """Those of a thing's sources that are lines of a file and can be found again."""
    for source in sources:
        if isinstance(source, Mapping) and isinstance(source.get("anchor"), Mapping):
            yield source


def found_in(tree: Tree, source: Mapping[str, Any], ref: str = "") -> Found | None:
    """Where the lines are in the file they are cited from, or in ``ref``; None where that file is not there."""
    name = ref or str(source.get("ref"))
    if path_problem(name) or protected_source(name):
        return None
    try:
        entry = tree.stat(RepoPath(name))
        if entry is None or entry.kind != "file":
            return None
        return locate(tree.read(RepoPath(name), limit=MAX_FILE), source)
    except AiwgError:
        return None


def rests_on(handle: str, source: Mapping[str, Any]) -> str:
    return f"{handle} rests on {source['ref']}#{source.get('span')}; "


def doubts(tree: Tree, cited: Iterable[tuple[str, Mapping[str, Any]]], path: str, line: int = 0) -> Iterator[Finding]:
    """Warnings for lines that are not where they were cited, each file read once a citation."""
    for handle, source in cited:
        found = found_in(tree, source)
        said = rests_on(handle, source)
        if found is None:
            hint = "`lineage reanchor` looks for a file it was renamed to"
            yield Finding(path, line, "source-vanished", said + "the file is not there", "warning", hint)
        elif found.state == MOVED:
            hint = "`lineage reanchor` follows them"
            yield Finding(path, line, "source-moved", f"{said}the lines are {found.span} now", "warning", hint)
        elif found.state == GONE:
            hint = "look whether it still holds, then replace or revoke it"
            yield Finding(path, line, "source-changed", said + "the lines are not what was cited", "warning", hint)
