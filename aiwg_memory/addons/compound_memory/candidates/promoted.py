"""What became of candidates: read from the receipts and the outbox, kept nowhere else."""

from __future__ import annotations

from typing import Any

from aiwg_memory.core.outbox import Owed, read_outbox
from aiwg_memory.core.receipts import Receipt, read_receipts
from aiwg_memory.core.tree import Tree

KIND = "candidate.promote"


def promotions(tree: Tree, handle: str | None = None) -> list[Receipt]:
    """The receipts of delivered promotions, of one candidate or of all, the last confirmed first."""
    return [
        receipt
        for receipt in read_receipts(tree)[0]
        if receipt["kind"] == KIND and receipt["changes"] and (handle is None or handle in subjects(receipt))
    ]


def subjects(receipt: Receipt) -> list[Any]:
    stated = receipt.get("subjects")
    return stated if isinstance(stated, list) else []


def owed(tree: Tree) -> tuple[Owed, ...]:
    return tuple(read_outbox(tree).owed)
