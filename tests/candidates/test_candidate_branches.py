"""Two people, two branches: the same decision is one, two different ones are a fork, and stock git merges all of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from queue_of import ADA, LIN, TEXT, Queue

from aiwg_memory.addons.compound_memory.candidates.checking import check
from aiwg_memory.errors import UsageError
from aiwg_memory.workspace.candidates import find_row, resolution_arguments


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def commit(queue: Queue) -> None:
    git(queue.root, "add", "-A")
    git(queue.root, "commit", "-qm", "work")


@pytest.fixture
def two(tmp_path: Path) -> tuple[Queue, Queue, str]:
    """A shared candidate, and a clone of the repository for each of two people."""
    one = Queue.begun(tmp_path / "one")
    git(one.root, "init", "-q", "-b", "main")
    one.write(".aiwg/.gitignore", ".local/\n")
    handle = one.proposed()
    one.decide("share", handle)
    commit(one)
    subprocess.run(["git", "clone", "-q", str(one.root), str(tmp_path / "two")], check=True, capture_output=True)
    return one, Queue(tmp_path / "two", minutes=30), handle


def merge(one: Queue, two: Queue) -> None:
    commit(one)
    commit(two)
    git(one.root, "pull", "-q", "--no-rebase", "--no-edit", str(two.root), "main")


def test_the_same_decision_twice_is_one(two: tuple[Queue, Queue, str]) -> None:
    one, other, handle = two
    one.decide("accept", handle)
    other.decide("accept", handle, reviewer=LIN)
    merge(one, other)
    assert one.state(handle) == "accepted"
    assert not one.store.heads[handle].fork
    assert not [each for each in check(one.workspace().tree, None) if each.severity == "error"]
    one.promote(handle, "line-memory")


@pytest.mark.parametrize("second", ["reject", "defer"])
def test_different_decisions_are_a_fork_that_names_both(two: tuple[Queue, Queue, str], second: str) -> None:
    one, other, handle = two
    one.decide("accept", handle)
    other.decide(second, handle, reviewer=LIN)
    merge(one, other)
    found = [each for each in check(one.workspace().tree, None) if each.rule == "record-fork"]
    assert len(found) == 1
    assert ADA in found[0].message
    assert LIN in found[0].message
    assert one.state(handle) == {"reject": "rejected", "defer": "deferred"}[second], "the stricter one stands meanwhile"
    for decision in ("accept", "reject"):
        with pytest.raises(UsageError, match="decided differently"):
            one.decide(decision, handle)
    with pytest.raises(UsageError, match="decided differently"):
        one.promotion(handle)
    keep = next(each.digest for each in one.store.heads[handle].heads if each.status == "accepted")
    one.do("candidate.resolve", resolution_arguments(one.workspace(), handle, keep[7:19], "the office said so"))
    assert one.state(handle) == "accepted"
    assert find_row(one.workspace(), handle)["assertion"] == TEXT
    assert not [each for each in check(one.workspace().tree, None) if each.severity == "error"]
    one.promote(handle)


def test_a_proposal_made_twice_and_decided_twice_meets_as_one_candidate(tmp_path: Path) -> None:
    one = Queue.begun(tmp_path / "one")
    git(one.root, "init", "-q", "-b", "main")
    one.write(".aiwg/.gitignore", ".local/\n")
    commit(one)
    subprocess.run(["git", "clone", "-q", str(one.root), str(tmp_path / "two")], check=True, capture_output=True)
    other = Queue(tmp_path / "two", minutes=30)
    handle = one.proposed()
    assert other.proposed() == handle
    one.decide("accept", handle)
    other.decide("reject", handle, reviewer=LIN)
    merge(one, other)
    head = one.store.heads[handle]
    assert sorted(each.status for each in head.fork) == ["accepted", "rejected"]
    first = [each for each in one.store.versions if each.version == 1]
    assert len({each.digest for each in first}) == 1


def test_another_clone_delivers_what_is_owed_here(two: tuple[Queue, Queue, str]) -> None:
    one, other, handle = two
    one.decide("accept", handle)
    plan = one.promotion(handle)
    page = next(change.path for change in plan.changes if "wiki" in change.path)
    (one.root / page).mkdir(parents=True)
    assert one.confirm(plan).owed
    (one.root / page).rmdir()
    commit(one)
    git(other.root, "pull", "-q")
    receipts, failed = other.deliver(LIN)
    assert ([each["delivered_by"] for each in receipts], failed) == ([LIN], [])
    commit(other)
    git(one.root, "pull", "-q", str(other.root), "main")
    assert one.confirm(plan).duplicate
    assert one.facts() == [TEXT]
    assert not one.owed()
