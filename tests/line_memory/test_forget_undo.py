"""What was done can be undone by a new version; what was forgotten is nowhere, and its chain still verifies."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desk_of import LIN, Facts, file_of, handle

from aiwg_memory.addons.line_memory.checking import check
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.records import chain_findings
from aiwg_memory.errors import Refused, UsageError

LINES = ".aiwg/memory/line-memory.txt"
SECRET = "the deploy token is ghp_" + "k3Jd82HsPq0LmZx7Vt5YwRb1NcGf4TuEa9Xo"
T = "The staging password rotates on Mondays"


def state(facts: Facts) -> dict[str, Any]:
    """What readers see of every fact: its text, status, verdict, scope and sources."""
    store = facts.store
    seen = {}
    for name in {*store.heads, *store.units}:
        now = store.current(name)
        fields = [now.value.get(key) for key in ("status", "review", "scope", "sources", "replacement")] if now else []
        seen[name] = (store.text(name), fields)
    return seen


def prepared() -> Facts:
    facts = Facts()
    facts.do("add", texts=["A", "B"], sources=[{"ref": "a.md"}], provenance="operator")
    facts.do("add", texts=["Z"], scope="path:src")
    facts.decide("archive", "Z")
    return facts


OPERATIONS = {
    "confirm": lambda facts: facts.decide("reject", "A"),
    "archive": lambda facts: facts.decide("archive", "A", "B"),
    "remove": lambda facts: facts.decide("remove", "A"),
    "revoke": lambda facts: facts.decide("revoke", "A", "Z"),
    "restore": lambda facts: facts.decide("restore", "Z", texts=["Z"]),
    "known": lambda facts: facts.do("add", texts=["A"], sources=[{"ref": "b.md"}], scope="path:lib"),
    "again": lambda facts: facts.do("add", texts=["Z"], acknowledged=[handle("Z")]),
    "expire": lambda facts: facts.decide("expire", "B"),
}
NEW = {
    "add": lambda facts: facts.do("add", texts=["C"]),
    "supersede": lambda facts: facts.decide("supersede", "A", texts=["C"]),
    "merge": lambda facts: facts.decide("merge", "A", "B", texts=["C"]),
}


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_undoing_brings_every_fact_back_to_what_it_was(name: str) -> None:
    facts = prepared()
    before = state(facts)
    plan: Plan = OPERATIONS[name](facts)
    after = state(facts)
    assert after != before
    undone = facts.undo(plan)
    assert state(facts) == before
    redone = facts.undo(undone)
    assert state(facts) == after
    facts.undo(redone)
    assert state(facts) == before
    assert chain_findings(facts.store.versions) == []


@pytest.mark.parametrize("name", sorted(NEW))
def test_undoing_takes_out_what_was_new_and_undoing_that_brings_it_back(name: str) -> None:
    facts = prepared()
    before = state(facts)
    segments = {path: data for path, data in facts.files.items() if path.endswith(".jsonl")}
    plan: Plan = NEW[name](facts)
    after = state(facts)
    undone = facts.undo(plan)
    assert facts.now("C").status == "removed"
    assert {key: value for key, value in state(facts).items() if key != handle("C")} == before
    assert file_of("C") not in facts.files
    facts.undo(undone)
    assert state(facts) == after
    assert segments.items() <= facts.files.items()


def test_undoing_an_adoption_leaves_the_fact_as_nobody_has_judged_it() -> None:
    facts = Facts({LINES: b"one\ntwo\n"})
    plan = facts.do("adopt", provenance="operator", handles=[handle("one")])
    facts.undo(plan)
    now = facts.now("one")
    assert (now.status, now.text("review"), now.text("provenance")) == ("active", "pending", "external")
    assert facts.files[file_of("one")] == b"one\n"


@pytest.mark.parametrize("kind", ["archive", "add"])
def test_undoing_the_first_record_of_a_hand_typed_fact_leaves_the_fact(kind: str) -> None:
    facts = Facts({LINES: b"one\ntwo\n"})
    plan = facts.do("add", texts=["one"]) if kind == "add" else facts.decide("archive", "one")
    facts.undo(plan)
    assert facts.now("one").status == "active"
    assert facts.files[file_of("one")] == b"one\n"


def test_what_can_no_longer_be_found_or_was_decided_again_is_said_before_anything_happens() -> None:
    facts = prepared()
    plan = facts.decide("archive", "A", "B")
    facts.decide("remove", "B")
    with pytest.raises(UsageError) as caught:
        facts.undo(plan, lost=True)
    assert {found.rule for found in caught.value.findings} == {"changed-since", "text-gone"}
    with pytest.raises(UsageError, match="decided again"):
        facts.undo(plan)


def test_an_operation_that_is_not_here_cannot_be_undone() -> None:
    facts = prepared()
    plan = Facts().plan("add", texts=["elsewhere"], reviewer=LIN)
    with pytest.raises(UsageError, match="wrote no record"):
        facts.undo(plan)


def test_an_undo_of_a_decision_taken_on_two_branches_says_so() -> None:
    facts = prepared()
    other = Facts(facts.files)
    other.minutes = 30
    plan = facts.decide("archive", "A")
    other.decide("archive", "A", reviewer=LIN)
    facts.files |= {path: data for path, data in other.files.items() if path.endswith(".jsonl")}
    assert "another branch" in facts.undo(plan).conflicts[0].message
    assert facts.now("A").status == "active"


def test_forgetting_erases_the_text_wherever_it_stands_and_keeps_the_chain() -> None:
    facts = Facts({LINES: b"other\n"})
    facts.do("add", texts=[T, "other fact"], reason=f"because {T}", sources=[{"ref": "notes.md"}])
    facts.do("add", texts=["neighbour"], sources=[{"ref": f"said: {T}"}], reason=f"see {T}")
    facts.decide("confirm", T, reason="a private reason")
    facts.files[LINES] = b"other\n" + T.encode() + b"\n"
    digests = {version.digest for version in facts.store.versions}
    head = facts.now("neighbour").digest
    plan = facts.decide("forget", T)
    assert "guessed" in plan.conflicts[0].message
    for path, data in facts.files.items():
        assert data is not None
        assert T.encode() not in data, path
        assert b"private reason" not in data
    assert facts.files[LINES] == b"other\n"
    now = facts.now(T)
    assert (now.status, now.value["forgotten"], now.version) == ("removed", True, 3)
    assert digests <= {version.digest for version in facts.store.versions}
    assert facts.now("neighbour").digest == head
    assert facts.now("neighbour").text("reason") == "see [forgotten]"
    assert chain_findings(facts.store.versions) == []
    assert [found.severity for found in check(facts.tree, None)] == ["note"]
    with pytest.raises(UsageError, match="stays forgotten"):
        facts.undo(plan)


def test_forgetting_takes_unknown_fields_of_the_fact_and_leaves_other_lines_to_the_byte() -> None:
    facts = Facts()
    facts.do("add", texts=[T])
    facts.do("add", texts=["other"])
    paths = sorted(path for path in facts.files if path.endswith(".jsonl"))
    mine, others = (facts.files[path] for path in paths)
    assert mine is not None
    assert others is not None
    value = {**json.loads(mine), "summary": T.upper(), "later": {"text": T}}
    spaced = b"  " + others
    facts.files[paths[0]] = json.dumps(value).encode() + b"\n"
    facts.files[paths[1]] = spaced
    facts.decide("forget", T)
    assert facts.files[paths[1]] == spaced
    kept = facts.files[paths[0]]
    assert kept is not None
    assert not {"summary", "later"} & set(json.loads(kept))


def test_a_forgotten_fact_that_was_revoked_stays_revoked_and_one_without_a_record_gets_a_tombstone() -> None:
    facts = Facts({LINES: b"typed\n"})
    facts.do("add", texts=[T])
    facts.decide("revoke", T)
    facts.decide("forget", T, "typed")
    assert facts.now(T).status == "revoked"
    assert facts.now("typed").status == "removed"
    assert LINES not in facts.files


def test_a_line_that_cannot_be_read_may_hold_the_text_and_stops_forgetting() -> None:
    facts = Facts()
    facts.do("add", texts=[T])
    facts.files[".aiwg/memory/facts.d/20260101T000000Z-0123456789ab.jsonl"] = b'{"broken": "' + T.encode() + b"\n"
    with pytest.raises(UsageError, match="cannot be read, so it may hold the text"):
        facts.decide("forget", T)


def test_undoing_the_first_record_of_a_fact_file_leaves_the_file() -> None:
    facts = Facts({file_of("one"): b"one\n"})
    facts.undo(facts.do("add", texts=["one"], provenance="operator"))
    assert (facts.now("one").status, facts.now("one").text("review")) == ("active", "pending")
    assert facts.files[file_of("one")] == b"one\n"


def test_a_secret_does_not_come_back_by_undo() -> None:
    facts = Facts({LINES: SECRET.encode() + b"\n"})
    plan = facts.decide("archive", SECRET)
    with pytest.raises(Refused):
        facts.undo(plan)
