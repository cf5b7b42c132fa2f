"""Full JSON Schema validation of every stored record: too slow for a hook, right for ``check --all``."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.records import read_line
from aiwg_memory.core.schema import explain, kinds
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree, walk

STORE = RepoPath(".aiwg")


def exact(tree: Tree) -> Iterator[Finding]:
    """Every line of every ``.jsonl`` below ``.aiwg/`` held to the schema it names; a broken line is not judged here."""
    known = set(kinds())
    for entry in tree.list(STORE):
        if entry.kind != "dir" or entry.name == ".local":
            continue
        for parent, each in walk(tree, join(STORE, entry.name)):
            if each.kind == "file" and each.name.endswith(".jsonl"):
                yield from _lines(tree, join(parent, each.name), known)


def _lines(tree: Tree, path: RepoPath, known: set[str]) -> Iterator[Finding]:
    for number, line in enumerate(tree.read(path, limit=MAX_FILE).split(b"\n"), 1):
        value, wrong = read_line(line)
        if wrong:
            continue
        name = str(value.get("schema", "")) if isinstance(value, dict) else ""
        kind = name.removeprefix("aiwg.")
        if kind in known:
            yield from explain(kind, value, path=path, line=number)
