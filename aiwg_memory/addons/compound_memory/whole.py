"""The addon as one: what its stores, outputs and candidates, and the outbox of promotions answer together."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.addons.compound_memory.candidates import checking as of_candidates
from aiwg_memory.addons.compound_memory.candidates import store as candidates
from aiwg_memory.addons.compound_memory.outputs import checking as of_outputs
from aiwg_memory.addons.compound_memory.outputs import store as outputs
from aiwg_memory.addons.compound_memory.promotion import checking as of_outbox
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.items import Fragment
from aiwg_memory.core.outbox import OUTBOX, parse_outbox
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree


def parse(path: RepoPath, data: bytes) -> Fragment:
    if path.under(OUTBOX):
        return Fragment(findings=tuple(parse_outbox(path, data)[1]))
    return outputs.parse(path, data) if path.under(outputs.RECORDS) else candidates.parse(path, data)


def check(head: Tree, base: Tree | None) -> list[Finding]:
    """Findings of ``head``, sorted; with a ``base`` only what ``head`` brought or lost."""
    return sorted({*of_outputs.check(head, base), *of_candidates.check(head, base), *of_outbox.check(head, base)})


def dependents(tree: Tree, source: str) -> Iterator[str]:
    yield from outputs.dependents(tree, source)
    yield from candidates.dependents(tree, source)
