"""Receipts are found by their name, read in any order, and account for files or say where they do not."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from cases import PLANS, plan_of, receipt_file, receipt_of
from hypothesis import given
from hypothesis import strategies as st

from aiwg_memory.core.canonical import canonical_json, digest
from aiwg_memory.core.operations import receipt_bytes
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.receipts import (
    changed_paths,
    find_operation,
    find_receipt,
    last_receipt_for,
    parse_receipts,
    read_receipt,
    read_receipts,
    verify,
)  # fmt: skip
from aiwg_memory.core.schema import cheap
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.errors import NotFound, UsageError

PLAN = plan_of(PLANS["new"])
OTHER = plan_of(PLANS["delete"])
TREE = MemoryTree({receipt_file(plan): receipt_bytes(receipt_of(plan)) for plan in (PLAN, OTHER)})
PAGE = RepoPath(".aiwg/wiki/page.md")


def step(number: int, before: bytes | None, after: bytes | None, path: str = PAGE) -> dict[str, Any]:
    change = {"path": path, "before": before and digest(before), "after": after and digest(after)}
    return {**receipt_of(PLAN), "operation_id": f"op_{number:064x}", "changes": [change]}


def messages(current: bytes | None, *receipts: dict[str, Any]) -> list[str]:
    tree = MemoryTree({PAGE: current} if current is not None else {})
    return [finding.message for finding in verify(tree, receipts, [PAGE])]


def test_a_receipt_is_what_its_schema_says() -> None:
    assert cheap("receipt.v1", receipt_of(PLAN)) is None


def test_lookups() -> None:
    seg = PLAN.request.seg
    assert find_receipt(TREE, seg) == receipt_of(PLAN)
    assert find_receipt(TREE, seg[:-2]) == receipt_of(PLAN)
    assert find_operation(TREE, PLAN.operation_id[:11]) == receipt_of(PLAN)
    assert find_operation(TREE, PLAN.operation_id[3:]) == receipt_of(PLAN)
    assert find_operation(TREE, "op_00000000") is None
    assert last_receipt_for(TREE, PLAN.changes[0].path) == receipt_of(PLAN)
    assert last_receipt_for(TREE, "nowhere.md") is None
    assert read_receipt(TREE, RepoPath(".aiwg/receipts.d/none.jsonl")) is None
    with pytest.raises(UsageError):
        find_receipt(TREE, "2026")
    six = MemoryTree({f".aiwg/receipts.d/2026-{name}.jsonl": receipt_bytes(receipt_of(PLAN)) for name in "abcdef"})
    with pytest.raises(UsageError, match="fits 6 receipts") as caught:
        find_receipt(six, "2026")
    assert caught.value.hint == "such as 2026-f, 2026-e, 2026-d, 2026-c, 2026-b …"
    with pytest.raises(NotFound):
        find_receipt(TREE, "2025")
    assert changed_paths([receipt_of(PLAN)]) == [change.path for change in PLAN.changes]


def test_newest_first() -> None:
    late = {**receipt_of(PLAN), "confirmed_at": "2026-02-01T00:00:00Z", "seg": "late"}
    tree = MemoryTree(
        {".aiwg/receipts.d/a.jsonl": receipt_bytes(receipt_of(PLAN)), ".aiwg/receipts.d/b.jsonl": receipt_bytes(late)}
    )
    assert [receipt["seg"] for receipt in read_receipts(tree)[0]] == ["late", PLAN.request.seg]


@given(st.lists(st.sampled_from([b"a", b"b", b"c"]), max_size=5))
def test_lines_in_any_order_and_repeated_with_unknown_fields(order: list[bytes]) -> None:
    values = [{**receipt_of(PLAN), "sink": name.decode(), "new-field": [1]} for name in order]
    found, findings = parse_receipts("r", b"".join(canonical_json(value) + b"\n" for value in values))
    assert findings == []
    assert {receipt["sink"] for receipt in found} == {name.decode() for name in order}
    assert len(found) == len(set(order))
    assert all(receipt["new-field"] == [1] for receipt in found)


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b'{"schema":"aiwg.receipt.v9"}', b'{"schema":"aiwg.receipt.v1"}', b"\xff",
     canonical_json({**receipt_of(PLAN), "changes": [{"path": "../x"}]})],
)  # fmt: skip
def test_a_line_that_is_no_receipt_is_a_finding_with_its_line(line: bytes) -> None:
    good = receipt_bytes(receipt_of(PLAN))
    found, findings = parse_receipts("r", good + line + b"\n" + good)
    assert found == [receipt_of(PLAN)]
    assert [(finding.path, finding.line) for finding in findings] == [("r", 2)]


def test_chains_that_account_for_a_file() -> None:
    assert messages(b"2", step(1, None, b"1"), step(2, b"1", b"2")) == []
    assert messages(b"2", step(2, b"1", b"2"), step(1, None, b"1"), step(1, None, b"1")) == []
    assert messages(b"2", step(1, b"older than receipts", b"2")) == []
    assert messages(None, step(1, None, b"1"), step(2, b"1", None)) == []
    assert messages(b"1", step(1, b"1", b"2"), step(2, b"2", b"1")) == []
    assert messages(b"3", step(1, None, b"1"), step(2, b"1", None), step(3, None, b"3")) == []
    assert messages(None) == []


def test_an_adoption_accounts_for_what_was_written_by_hand_and_for_nothing_else() -> None:
    def adopt(number: int, before: bytes, after: bytes | None) -> dict[str, Any]:
        return {**step(number, before, after), "kind": "line-memory.adopt"}

    assert messages(None, step(1, None, b"1"), adopt(2, b"by hand", None)) == []
    assert messages(b"rest", adopt(1, b"hand", b"1"), adopt(2, b"more", b"rest")) == []
    assert "since its last receipt" in messages(b"4", step(1, None, b"1"), adopt(2, b"by hand", None))[0]
    left = (step(1, None, b"1"), adopt(2, b"by hand", b"3"), step(3, b"2", b"4"))
    assert "between receipts" in messages(b"4", *left)[0]


def test_gaps() -> None:
    assert messages(b"by hand") == ["no receipt names this file"]
    assert "since its last receipt" in messages(b"by hand", step(1, None, b"1"))[0]
    assert "gone" in messages(None, step(1, None, b"1"))[0]
    assert "between receipts" in messages(b"3", step(1, None, b"1"), step(2, b"2", b"3"))[0]
    assert "two receipts" in messages(b"2", step(1, None, b"1"), step(2, b"1", b"2"), step(3, b"1", b"3"))[0]


@given(st.lists(st.binary(min_size=1, max_size=2), min_size=1, max_size=8), st.randoms())
def test_one_walk_is_always_accounted_for_in_any_order(versions: list[bytes], chance: Any) -> None:
    walk: list[bytes | None] = [None]
    for version in versions:
        if version != walk[-1]:
            walk.append(version)
    receipts = [step(n, *pair) for n, pair in enumerate(pairwise(walk))]
    chance.shuffle(receipts)
    assert messages(walk[-1], *receipts) == []
    assert len(messages(b"by hand", *receipts)) == 1
