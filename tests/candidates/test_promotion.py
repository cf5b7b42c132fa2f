"""Promotion: what an accepted candidate becomes, what it carries, and everything that has to be said before it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from queue_of import ADA, NOTES, TEXT, Queue

from aiwg_memory.addons.line_memory.store import read as facts_of
from aiwg_memory.core.document import parse_document
from aiwg_memory.errors import AiwgError, Refused, StalePreview, UsageError
from aiwg_memory.workspace.candidates import destinations
from aiwg_memory.workspace.mutations import Mutations
from aiwg_memory.workspace.undo import undo_request

CONTEXT = "canonical-context:decision/harbour.channel"


def page_of(queue: Queue) -> Path:
    return next((queue.root / ".aiwg/wiki/decision").glob("*.md"))


def test_a_statement_carries_its_sources_provenance_and_dependencies_into_every_sink(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    queue.do("canonical-context.init", {})
    told = queue.propose(environ={"CLAUDECODE": "1"})
    handle = str(told["candidate_id"])
    queue.decide("accept", handle)
    done = queue.promote(handle, "line-memory", "wiki", CONTEXT)
    assert [each["sink"] for each in done.receipts] == ["canonical-context", "line-memory", "wiki"]
    record = queue.store.heads[handle].current
    fact = next(iter(facts_of(queue.workspace().tree).heads.values())).current
    front = parse_document("", page_of(queue).read_bytes())[0].front
    for said in (fact.value, front):
        assert said["provenance"] == "conversation", "who confirms it does not change who said it"
        assert [one["ref"] for one in said["sources"]] == [NOTES]
        assert said["dependencies"] == record.value["dependencies"]
    assert fact.text("review") == "confirmed"
    assert front["reviewed"]["verdict"] == "confirmed"
    assert TEXT in queue.read(".aiwg/context/compound-memory/decision/harbour.channel.yaml")
    for receipt in done.receipts:
        assert handle in receipt["subjects"]
        assert receipt["seg"] == done.receipts[0]["seg"]
    assert not queue.owed()


def test_promotion_and_acceptance_are_separate_and_each_sink_is(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    handle = queue.accepted()
    assert not (tmp_path / ".aiwg/memory/facts").exists()
    first = queue.promote(handle, "line-memory")
    assert first.receipt is not None
    assert first.receipt["sink"] == "line-memory"
    assert not (tmp_path / ".aiwg/outbox.d").exists(), "one sink owes nothing to another"
    again = queue.promotion(handle)
    assert [sink.name for sink in again.sinks] == ["wiki"], "what holds it already is left out"
    assert any("line-memory: already known" in note.message for note in again.duplicates)


def test_a_known_fact_gets_the_evidence(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    queue.do("line-memory.add", {"texts": [TEXT], "provenance": "operator"})
    told = queue.propose()
    assert told["outcome"] == "proposed"
    assert told["known_as"].startswith("lm_")
    queue.decide("accept", told["candidate_id"])
    queue.promote(told["candidate_id"], "line-memory")
    fact = facts_of(queue.workspace().tree).heads[told["known_as"]].current
    assert (fact.version, fact.list("sources")[0]["ref"], fact.text("provenance")) == (2, NOTES, "operator")
    queue.decide("close", told["candidate_id"])
    assert queue.propose(evidence=[{"ref": NOTES}], type="discovery")["outcome"] == "known"


@pytest.mark.parametrize(("scope", "leaf"), [("global", "path:docs"), ("path:docs", "path:docs/api")])
def test_a_wider_scope_is_acknowledged_by_name(tmp_path: Path, scope: str, leaf: str) -> None:
    queue = Queue.begun(tmp_path)
    handle = queue.accepted(scope=leaf)
    with pytest.raises(Refused, match="widened-scope must be acknowledged"):
        queue.promotion(handle, "line-memory", scope=scope)
    plan = queue.promotion(handle, "line-memory", scope=scope, acknowledged=["widened-scope"])
    assert any("widens" in note.message for note in plan.conflicts)


def test_what_a_scoped_fact_supports_does_not_become_global_unnoticed(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    queue.do("line-memory.add", {"texts": ["Docs use tabs."], "scope": "path:docs", "provenance": "operator"})
    fact = next(iter(facts_of(queue.workspace().tree).heads))
    handle = queue.accepted("Everything uses tabs.", evidence=[{"ref": fact}])
    with pytest.raises(Refused, match="widened-scope"):
        queue.promotion(handle, "line-memory")


@pytest.mark.parametrize("classification", ["private", "unknown"])
def test_private_and_unknown_wait_for_a_recorded_reclassification(tmp_path: Path, classification: str) -> None:
    queue = Queue.begun(tmp_path)
    handle = queue.accepted(classification=classification)
    for options in ({}, {"classification": "internal"}):
        with pytest.raises(Refused, match=f"is {classification}; it is not promoted"):
            queue.promotion(handle, "line-memory", **options)
    from aiwg_memory.workspace.candidates import decision_arguments

    asked = decision_arguments(queue.workspace(), "reclassify", [handle], "read it: nothing private")
    queue.do("candidate.reclassify", asked | {"classification": "internal"})
    assert queue.store.heads[handle].current.text("reason") == "read it: nothing private"
    queue.promote(handle, "line-memory")
    with pytest.raises(Refused, match="widened-classification"):
        queue.promotion(handle, "wiki", classification="public")


@pytest.mark.parametrize("what", ["changed", "vanished"])
@pytest.mark.parametrize("step", ["accept", "confirm-accept", "promote", "confirm-promote"])
def test_evidence_is_verified_again_inside_every_confirm(tmp_path: Path, what: str, step: str) -> None:
    from aiwg_memory.workspace.candidates import decision_arguments

    queue = Queue.begun(tmp_path)
    handle = queue.accepted() if "promote" in step else queue.proposed()
    plan = None
    if step == "confirm-accept":
        plan = queue.plan("candidate.accept", decision_arguments(queue.workspace(), "accept", [handle], ""))
    if step == "confirm-promote":
        plan = queue.promotion(handle)
    if what == "changed":
        queue.write(NOTES, "# Harbour\n\nThe channel changed.\n")
    else:
        (tmp_path / NOTES).unlink()
    before = queue.tracked()
    carry_out: dict[str, Callable[[], object]] = {
        "accept": lambda: queue.decide("accept", handle),
        "promote": lambda: queue.promotion(handle),
    }
    with pytest.raises(Refused) as told:
        queue.confirm(plan) if plan is not None else carry_out[step]()
    assert told.value.code == f"evidence-{what}"
    assert NOTES in told.value.message
    assert queue.tracked() == before


def test_a_revoked_source_stops_what_rests_on_it(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    queue.do("line-memory.add", {"texts": ["The radio is on the roof."], "provenance": "operator"})
    fact = next(iter(facts_of(queue.workspace().tree).heads))
    handle = queue.accepted(evidence=[{"ref": fact}])
    queue.do("line-memory.revoke", {"targets": [{"handle": fact, "expected": 1}]})
    with pytest.raises(Refused, match="was revoked"):
        queue.promotion(handle, "wiki")


def test_places_that_cannot_take_it_say_why(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    queue.write(".aiwg/wiki/taken.md", "# Taken\n\nSomething else.\n")
    handle = queue.accepted()
    for place, said in (
        ("wiki:taken.md", "is there with another text"),
        ("wiki:raw/x.md", "cannot be a page"),
        ("memory", "there is no sink memory"),
        ("line-memory:here", "takes no place"),
        ("canonical-context:decision/x", "not turned on"),
        ("canonical-context", "names no target and key"),
    ):
        with pytest.raises(UsageError, match=said):
            queue.promotion(handle, place)
    with pytest.raises(UsageError, match="stands twice"):
        queue.promotion(handle, "wiki:a.md", "wiki:b.md")
    long = queue.accepted("word " * 120)
    with pytest.raises(UsageError, match="1 to 500 characters"):
        queue.promotion(long, "line-memory")
    assert queue.promote(long, "wiki").receipt is not None


def test_a_promotion_is_stale_when_the_decision_changed(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    handle = queue.accepted()
    plan = queue.promotion(handle)
    queue.decide("reopen", handle)
    with pytest.raises(StalePreview):
        queue.confirm(plan)
    assert not queue.owed()


def test_an_edited_assertion_is_not_what_was_accepted(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    handle = queue.accepted()
    queue.write(f".aiwg/memory/candidates/{handle[5:]}.md", "The harbour office answers on channel 16.\n")
    with pytest.raises(AiwgError, match="not what was accepted"):
        queue.promotion(handle)


def test_each_sink_is_undone_on_its_own_and_a_promotion_is_what_its_destination_is(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    queue.do("canonical-context.init", {})
    handle = queue.accepted()
    done = queue.promote(handle, "line-memory", "wiki", CONTEXT)
    before = {one["sink"]: one["state"] for one in destinations(queue.workspace(), handle)}
    assert before == {"wiki": "active", "line-memory": "active", "canonical-context": "active"}
    for receipt in done.receipts:
        queue.minutes += 1
        found = queue.workspace()
        asked = undo_request(found, f"{receipt['seg']}-{receipt['sink']}", ADA)
        queue.confirm(Mutations(found).preview(asked))
    assert queue.facts() == []
    states = {one["sink"]: one["state"] for one in destinations(queue.workspace(), handle)}
    assert states == {"wiki": "gone", "line-memory": "removed", "canonical-context": "gone"}
