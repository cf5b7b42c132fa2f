"""Gathering moves lines and drops none: whatever the history, and whichever branches gathered what."""

from __future__ import annotations

from pathlib import Path

import pytest
from household import FACTS, Household
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.addons.compound_memory.maintaining.gathering import gatherable, gathered
from aiwg_memory.core.operations import Draft
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, fold, parse_segment, render_segment, succeed
from aiwg_memory.core.tree import MemoryTree

Files = dict[str, bytes | None]
STATES = ("active", "archived", "removed", "revoked", "expired")


def versions_of(files: Files) -> list[Version]:
    return [one for path, data in files.items() for one in parse_segment(RepoPath(path), data or b"")[0]]


def gather_all(files: Files, at: str) -> Files:
    """Every month as maintenance would gather it."""
    tree = MemoryTree(files)
    draft = Draft(tree)
    for _, segments in gatherable(tree, at, 1000):
        assert not gathered(tree, draft, segments)
    done = dict(files)
    for change in draft.changes:
        if change.after is None:
            del done[change.path]
        else:
            done[change.path] = change.after
    return done


@st.composite
def histories(draw: st.DrawFn) -> list[Files]:
    """Two branches of one history: each decision a segment, some the same on both."""
    common: Files = {}
    heads: dict[str, Version] = {}

    def decide(files: Files, heads: dict[str, Version], number: int) -> None:
        handle = f"lm_{draw(st.integers(0, 3)):016x}"
        at = f"2026-0{draw(st.integers(1, 3))}-0{draw(st.integers(1, 9))}T08:00:00Z"
        seg = at.replace("-", "").replace(":", "") + f"-{number:012x}"
        values = {"schema": "aiwg.fact_record.v1", "handle": handle, "status": draw(st.sampled_from(STATES))}
        before = heads.get(handle)
        made = succeed((before,) if before else (), {**values, "at": at, "seg": seg})
        files[f"{FACTS}/{seg}.jsonl"] = render_segment([made])
        heads[handle] = made

    for number in range(draw(st.integers(3, 8))):
        decide(common, heads, number)
    branches = []
    for side in range(2):
        files, own = dict(common), dict(heads)
        for number in range(draw(st.integers(0, 5))):
            decide(files, own, 100 * (side + 1) + number)
        branches.append(files)
    return branches


@settings(max_examples=60)
@given(histories(), st.booleans(), st.booleans())
def test_gathering_changes_nothing_of_what_is_true(branches: list[Files], first: bool, second: bool) -> None:
    plain = fold(versions_of({**branches[0], **branches[1]}))
    sides = [
        gather_all(side, "2026-04-01T00:00:00Z") if on else side
        for side, on in zip(branches, (first, second), strict=True)
    ]
    merged = {**sides[0], **sides[1]}
    lines = {one.canonical for one in versions_of({**branches[0], **branches[1]})}
    assert {one.canonical for one in versions_of(merged)} == lines
    assert fold(versions_of(merged)) == plain
    again = gather_all(merged, "2026-04-01T00:00:00Z")
    assert {one.canonical for one in versions_of(again)} == lines
    assert fold(versions_of(again)) == plain


def segment(day: str, number: int, pad: int = 0) -> tuple[str, bytes]:
    at = f"{day}T08:00:00Z"
    seg = at.replace("-", "").replace(":", "") + f"-{number:012x}"
    value = {
        "schema": "aiwg.fact_record.v1", "handle": f"lm_{number:016x}", "version": 1, "previous": None,
        "status": "active", "at": at, "seg": seg, "reason": "x" * pad,
    }  # fmt: skip
    return f"{FACTS}/{seg}.jsonl", render_segment([Version(value)])


@pytest.mark.parametrize(
    ("segments", "left"),
    [
        ([("2026-01-01", 1, 0), ("2026-01-02", 2, 0)], 2),
        ([("2026-01-01", 1, 0), ("2026-01-02", 2, 0), ("2026-01-03", 3, 0)], 1),
        ([("2026-01-01", 1, 5000), ("2026-01-02", 2, 0), ("2026-01-03", 3, 0)], 3),
        ([("2026-01-01", 1, 5000), ("2026-01-02", 2, 0), ("2026-01-03", 3, 0), ("2026-01-04", 4, 0)], 2),
        ([("2026-04-01", 1, 0), ("2026-04-02", 2, 0), ("2026-04-03", 3, 0)], 3),
        ([("2026-01-01", 1, 0), ("2026-02-02", 2, 0), ("2026-03-03", 3, 0)], 3),
    ],
    ids=[
        "two are too few",
        "three become one",
        "one is half of it",
        "all but the large one",
        "this month",
        "three months",
    ],
)
def test_only_whole_past_months_and_no_segment_that_is_half_of_the_result(
    segments: list[tuple[str, int, int]], left: int
) -> None:
    files: Files = dict(segment(*one) for one in segments)
    assert len(gather_all(files, "2026-04-15T00:00:00Z")) == left


def test_a_broken_segment_is_left_alone_and_named(tmp_path: Path) -> None:
    house = Household.begun(tmp_path)
    for number in range(3):
        house.add(f"Fact {number}.")
    torn = sorted((house.root / FACTS).iterdir())[0]
    torn.write_bytes(torn.read_bytes() + b"<<<<<<< HEAD\n")
    house.day = "2026-03-01"
    plan = house.maintenance(only=["gather"])
    assert not plan.changes
    assert any("broken lines are not gathered" in note.message for note in plan.conflicts)


def test_two_branches_that_both_gathered_merge_cleanly_with_stock_git(tmp_path: Path) -> None:
    house = Household.begun(tmp_path / "one", git=True)
    for number in range(6):
        house.add(f"Fact {number}.", on=f"2026-01-1{number}")
    house.commit()
    other = house.clone(tmp_path / "two")
    house.add("Added here.", on="2026-01-20")
    house.do("line-memory.archive", {"targets": [{"handle": house.add("Gone soon."), "expected": 1}]})
    other.add("Added there.", on="2026-01-21")
    for one in (house, other):
        one.day = "2026-02-03"
        one.maintain(only=["gather"])
        assert len(one.segments()) == 1
        one.commit()
    expected = {**{h: head.current.status for h, head in house.store.heads.items()}}
    expected |= {h: head.current.status for h, head in other.store.heads.items()}
    house.pull(other)
    assert {h: head.current.status for h, head in house.store.heads.items()} == expected
    assert not any(head.fork for head in house.store.heads.values())
    assert len(house.segments()) == 2
    assert house.git("status", "--porcelain") == ""


def test_a_branch_that_gathered_and_one_that_went_on_merge_cleanly(tmp_path: Path) -> None:
    house = Household.begun(tmp_path / "one", git=True)
    handles = [house.add(f"Fact {number}.") for number in range(4)]
    house.commit()
    other = house.clone(tmp_path / "two")
    house.day = other.day = "2026-02-03"
    house.maintain(only=["gather"])
    other.do("line-memory.revoke", {"targets": [{"handle": handles[0], "expected": 1}]})
    house.commit()
    other.commit()
    house.pull(other)
    assert house.store.heads[handles[0]].current.status == "revoked"
    assert not house.store.heads[handles[0]].fork
