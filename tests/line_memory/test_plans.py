"""A plan is a function of the tree and the request, whatever the history of either."""

from __future__ import annotations

from typing import Any

from desk_of import Facts, file_of, handle
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.addons.line_memory.checking import check
from aiwg_memory.addons.line_memory.store import LIVE
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.errors import Refused, UsageError

TEXTS = ["one", "One!", "C", "C++", "测试", "Сборка", "🚀", ">= 5", "< 5"]
ENDS = ["confirm", "reject", "archive", "remove", "revoke", "expire", "origin-unavailable", "forget"]
STEPS = st.one_of(
    st.tuples(st.just("add"), st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3)),
    st.tuples(st.sampled_from(ENDS), st.lists(st.sampled_from(TEXTS), min_size=1, max_size=2, unique=True)),
    st.tuples(st.just("restore"), st.lists(st.sampled_from(TEXTS), min_size=1, max_size=1)),
    st.tuples(st.just("supersede"), st.lists(st.sampled_from(TEXTS), min_size=2, max_size=2)),
    st.tuples(st.just("merge"), st.lists(st.sampled_from(TEXTS), min_size=3, max_size=3, unique=True)),
    st.tuples(st.just("type"), st.lists(st.sampled_from(TEXTS), min_size=1, max_size=2)),
    st.tuples(st.just("adopt"), st.just([])),
    st.tuples(st.just("undo"), st.just([])),
)
LINES = ".aiwg/memory/line-memory.txt"


def arguments(facts: Facts, kind: str, texts: list[str]) -> dict[str, Any]:
    known = {"acknowledged": [handle(text) for text in TEXTS]}
    if kind == "add":
        return {"texts": texts, "sources": [{"ref": f"{len(texts)}.md"}], **known}
    if kind == "adopt":
        return known
    if kind == "supersede":
        return {"targets": [facts.target(texts[0])], "texts": [texts[1]], **known}
    if kind == "merge":
        return {"targets": [facts.target(text) for text in texts[:2]], "texts": [texts[2]], **known}
    targets = {"targets": [facts.target(text) for text in texts]}
    return {**targets, "texts": texts, **known} if kind == "restore" else targets


def step(facts: Facts, kind: str, texts: list[str], last: Plan | None) -> Plan | None:
    if kind == "type":
        facts.files[LINES] = (facts.files.get(LINES) or b"") + "".join(text + "\n" for text in texts).encode()
        return None
    try:
        if kind == "undo":
            return facts.undo(last) if last and last.changes else None
        plan = facts.plan(kind, **arguments(facts, kind, texts))
        again = facts.plan(kind, **arguments(Facts(dict(reversed(facts.files.items()))), kind, texts))
        assert again.operation_id == plan.operation_id
        assert [change.after for change in again.changes] == [change.after for change in plan.changes]
        assert len({change.path for change in plan.changes}) == len(plan.changes)
        facts.apply(plan)
    except (UsageError, Refused):
        return None
    return plan


@settings(max_examples=60)
@given(st.lists(STEPS, min_size=1, max_size=10))
def test_whatever_is_done_the_store_is_whole_and_a_fact_is_there_exactly_while_it_lives(
    steps: list[tuple[str, list[str]]],
) -> None:
    facts = Facts()
    last: Plan | None = None
    for kind, texts in steps:
        before = set(facts.store.versions)
        last = step(facts, kind, texts, last) or last
        assert {version.digest for version in before} <= {version.digest for version in facts.store.versions}
        for text in TEXTS:
            head = facts.store.heads.get(handle(text))
            if head:
                assert not head.fork
                there = file_of(text) in facts.files
                typed = text in (facts.files.get(LINES) or b"").decode().split("\n")
                assert there == (head.current.status in LIVE) or typed
    rules = {one.rule for one in check(MemoryTree(facts.files), None) if one.severity == "error"}
    assert rules <= {"fact-ended"}


@settings(max_examples=40)
@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=5), st.sampled_from(TEXTS))
def test_a_plan_carried_out_twice_changes_nothing_the_second_time(texts: list[str], other: str) -> None:
    facts = Facts({LINES: other.encode() + b"\n"})
    asked: dict[str, dict[str, Any]] = {"add": {"texts": texts, "sources": [{"ref": "a.md"}]}, "adopt": {}}
    for kind, given_arguments in asked.items():
        facts.do(kind, **given_arguments)
        files = dict(facts.files)
        assert facts.do(kind, **given_arguments).changes == ()
        assert facts.files == files


def test_another_request_or_another_tree_is_another_operation() -> None:
    facts = Facts()
    one = facts.plan("add", texts=["a"])
    assert facts.plan("add", texts=["a"], reviewer="Lin <lin@example.org>").operation_id != one.operation_id
    assert facts.plan("add", texts=["b"]).operation_id != one.operation_id
    facts.files[LINES] = b"A.\n"
    assert facts.plan("add", texts=["a"]).operation_id != one.operation_id
