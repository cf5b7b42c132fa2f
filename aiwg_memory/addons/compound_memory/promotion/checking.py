"""What is wrong with the outbox of a tree, and what is owed."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import receipt_path
from aiwg_memory.core.outbox import read_outbox
from aiwg_memory.core.stored import current_digest
from aiwg_memory.core.tree import Tree


def check(head: Tree, base: Tree | None) -> list[Finding]:
    """Broken lines, receipts in the place of another's, and, as warnings, what is owed; with ``base`` what is new."""
    found = set(_judge(head))
    return sorted(found if base is None else found - set(_judge(base)))


def _judge(tree: Tree) -> Iterator[Finding]:
    box = read_outbox(tree)
    yield from box.findings
    for line in box.owed:
        place = receipt_path(line.seg, line.sink)
        if current_digest(tree, place) is not None:
            message = f"this is no receipt of what {line.path} owes to {line.sink}"
            yield Finding(place, 0, "forged-receipt", message, hint="bring the true one back from git, or delete it")
        message = f"{line.handle} is confirmed and still owed to {line.sink}"
        yield Finding(line.path, line.line, "owed", message, "warning", "`aiwg-memory recover` delivers it")
