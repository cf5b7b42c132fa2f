"""Maintenance: what is proposed, what a person keeps of it, and that it comes to rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from household import Household, steps

from aiwg_memory.errors import UsageError
from aiwg_memory.workspace.maintaining import maintenance_request, render_steps, without_deleted
from aiwg_memory.workspace.mutations import Mutations
from aiwg_memory.workspace.recency import LOG, last_used, touch
from aiwg_memory.workspace.undo import undo_request

FEW = "facts:\n  max_lines: 2\n"


@pytest.fixture
def house(tmp_path: Path) -> Household:
    return Household.begun(tmp_path, FEW)


def test_over_the_limit_the_least_recently_used_are_archived_and_never_what_is_always_there(house: Household) -> None:
    old = house.add("The oldest fact.")
    always = house.add("The fact of every pack.", delivery="always")
    used = house.add("A fact that was used.")
    new = house.add("The newest fact.")
    touch(house.workspace(), [used])
    assert house.maintain() == [f"prune {old}", f"prune {new}"], "never used before used, old before new"
    assert sorted(house.store.live()) == sorted([always, used])
    assert house.store.heads[old].current.status == "archived"


def test_a_fact_that_something_live_rests_on_is_kept_and_its_holders_are_named(house: Household) -> None:
    held = house.add("The quay has two berths.")
    house.add("Pilots answer on channel 12.")
    loose = house.add("The ferry is called Heron.")
    house.write(".aiwg/wiki/quay.md", f"---\nsources:\n  - ref: {held}\n---\n# Quay\n\nTwo berths.\n")
    plan = house.maintenance(only=["prune"])
    assert f"prune {held}" not in steps(plan)
    assert loose not in steps(plan)
    assert any(note.subject == held and "wiki:quay.md" in note.message for note in plan.conflicts)


def test_what_is_past_its_date_expires_or_goes_first_where_there_are_too_many(house: Household) -> None:
    past = house.add("Tickets are half price.", expires_at="2026-02-01")
    house.add("The quay has two berths.")
    house.day = "2026-03-01"
    assert house.maintain(only=["expire"]) == [f"expire {past}"]
    assert house.store.heads[past].current.status == "expired"
    house.add("The ferry is called Heron.")
    assert house.maintain(only=["prune"]) == [f"prune {past}"]


def test_a_canonical_value_past_its_date_expires_too(house: Household) -> None:
    house.do("canonical-context.init", {})
    told = {"target": "preference", "key": "paint", "value": "green", "expected": 0, "provenance": "operator"}
    house.do("canonical-context.set", {**told, "expires_at": "2026-02-01"})
    house.day = "2026-03-01"
    plan = house.maintenance()
    assert steps(plan) == ["expire ctx:preference/paint"]
    house.confirm(plan)
    assert "status: expired" in (house.root / ".aiwg/context/compound-memory/preference/paint.yaml").read_text()


def test_nothing_new_says_so_with_the_last_receipt_and_a_recurring_state_is_maintained_again(house: Household) -> None:
    for number in range(3):
        house.add(f"Fact {number}.")
    first = house.confirm(house.maintenance())
    again = house.maintenance()
    assert not again.changes
    assert [note.subject for note in again.duplicates] == [first.request.seg]
    house.seconds -= 1
    house.add("Fact 3.")
    assert len(house.maintain()) == 1
    assert len(house.store.live()) == 2


def test_two_maintenances_of_one_moment_are_two(house: Household) -> None:
    for number in range(3):
        house.add(f"Fact {number}.")
    plan = house.maintenance(leave=["none of these"])
    house.confirm(plan)
    before = house.tracked()
    house.seconds -= 2
    house.add("Fact 3.")
    house.seconds = int(plan.request.at[17:19]) - 1
    second = house.confirm(house.maintenance())
    assert second.request.at == plan.request.at
    assert {name: house.tracked().get(name) for name in before if name.endswith(".jsonl")} == {
        name: data for name, data in before.items() if name.endswith(".jsonl")
    }, "no record was written over"


@pytest.mark.parametrize(
    ("how", "kinds"),
    [
        ({}, ["prune", "expire", "gather"]),
        ({"only": ["gather"]}, ["gather"]),
        ({"skip": ["gather", "prune"]}, ["expire", "expire"]),
        ({"only": ["prune", "expire"], "skip": ["prune"]}, ["expire", "expire"]),
    ],
)
def test_kinds_are_picked_by_only_and_skip(house: Household, how: dict[str, list[str]], kinds: list[str]) -> None:
    house.add("Tickets are half price.", expires_at="2026-02-01")
    house.add("The quay is closed.", expires_at="2026-02-01")
    house.add("The quay has two berths.")
    house.day = "2026-03-01"
    assert [name.split()[0] for name in steps(house.maintenance(**how))] == kinds


def test_the_lines_a_person_deletes_are_left_out_and_a_changed_line_is_refused(house: Household) -> None:
    for number in range(4):
        house.add(f"Fact {number}.")
    found = house.workspace()
    asked = maintenance_request(found, (), (), "Ada <ada@example.org>")
    plan = Mutations(found).plan(asked)
    lines = render_steps(plan).splitlines()
    first, second = steps(plan)
    kept = without_deleted(asked, plan, "\n".join(line for line in lines if first not in line))
    assert steps(Mutations(found).plan(kept)) == [second]
    assert without_deleted(asked, plan, "\n".join(lines)) == asked
    with pytest.raises(UsageError, match="is no step of this maintenance"):
        without_deleted(asked, plan, "prune everything\n")


def test_it_is_bounded_and_says_where_it_stopped(tmp_path: Path) -> None:
    house = Household.begun(tmp_path, "facts:\n  max_lines: 1\nmaintenance:\n  scan_limit: 2\n")
    house.do("line-memory.add", {"texts": [f"Fact {number}." for number in range(6)], "provenance": "operator"})
    plan = house.maintenance()
    assert len(plan.steps) == 2
    assert [one.rule for one in plan.warnings] == ["scan-limit"]
    house.confirm(plan)
    house.maintain()
    assert len(house.maintain()) == 1
    assert not house.maintenance().changes


def test_what_a_person_has_to_look_at_is_told_and_not_done(house: Household) -> None:
    house.add("The quay has two berths.", review_at="2026-02-01")
    house.add("Always first. " + "x" * 480, delivery="always")
    house.write(".aiwg/wiki/quay.md", "# Quay\n\n> [!contradiction]\n> Three berths.\n")
    house.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\ndelivery:\n  always_cap: 100\n")
    house.day = "2026-03-01"
    before = house.tracked()
    plan = house.maintenance(skip=["gather"])
    assert not plan.changes
    assert {one.rule for one in plan.warnings} == {"fact-review-due", "orphan", "contradiction", "standing-over-cap"}
    assert {one.rule for one in house.maintenance(only=["orphan"]).warnings} == {"orphan"}
    assert house.tracked() == before


def test_a_maintenance_can_be_undone_but_what_was_gathered_stays(house: Household) -> None:
    handles = [house.add(f"Fact {number}.") for number in range(4)]
    house.day = "2026-03-01"
    plan = house.confirm(house.maintenance())
    assert len(house.store.live()) == 2
    house.seconds += 1
    found = house.workspace()
    back = Mutations(found).preview(undo_request(found, plan.request.seg, "Ada <ada@example.org>"))
    assert any("left as they are" in note.message for note in back.conflicts)
    house.confirm(back)
    assert sorted(house.store.live()) == sorted(handles)
    assert house.segments()[0].startswith("202601-")


def test_reading_notes_recency_only_where_touching_is_on_and_a_cut_line_does_no_harm(tmp_path: Path) -> None:
    house = Household.begun(tmp_path)
    touch(house.workspace(), ["lm_0123456789abcdef", "wiki:quay.md"])
    with (house.root / LOG).open("ab") as log:
        log.write(b'{"at":"2026-')
    assert last_used(house.workspace()) == {"lm_0123456789abcdef": house.now}
