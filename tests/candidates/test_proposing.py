"""Proposing: open to anyone, screened, bounded, and of no effect on anything that is tracked or retrieved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from queue_of import NOTES, TEXT, Queue

from aiwg_memory.core.candidates import MAX_PROPOSALS
from aiwg_memory.core.canonical import digest
from aiwg_memory.errors import NotFound, Refused
from aiwg_memory.workspace import inbox
from aiwg_memory.workspace.proposing import propose
from aiwg_memory.workspace.reporting import status

AGENT = {"CLAUDECODE": "1"}


def test_a_proposal_changes_nothing_that_is_tracked(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    before = queue.tracked()
    handle = queue.proposed()
    assert queue.tracked() == before
    assert any("1 proposal" in line for line in status(queue.workspace())["waiting"])
    for path in (tmp_path / ".aiwg").rglob("*"):
        if path.is_file() and TEXT.encode() in path.read_bytes():
            assert path == tmp_path / f".aiwg/.local/inbox/{handle[5:]}.json"


def test_the_same_proposal_is_the_same_candidate_everywhere(tmp_path: Path) -> None:
    one, two = Queue.begun(tmp_path / "one"), Queue.begun(tmp_path / "two", "agents: propose\n")
    two.minutes = 50
    handle = one.proposed()
    assert two.proposed(environ=AGENT, confidence=0.2) == handle
    assert one.propose()["outcome"] == "duplicate"
    assert one.propose(type="discovery")["candidate_id"] != handle
    assert one.propose(evidence=[{"ref": NOTES, "span": "L3"}])["candidate_id"] != handle


def test_an_agent_may_propose_unless_that_is_off_and_never_as_an_operator(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path / "on")
    queue.proposed(environ=AGENT)
    assert queue.rows()[0]["provenance"] == "conversation"
    off = Queue.begun(tmp_path / "off", "agents: off\n")
    with pytest.raises(Refused) as told:
        off.propose(environ=AGENT)
    assert told.value.code == "agents-off"
    assert off.propose()["outcome"] == "proposed"
    assert off.rows()[0]["provenance"] == "operator"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"assertion": "password = 'hunter2-Xk29vQ81mz'"}, "screening"),
        ({"assertion": " \n "}, "usage"),
        ({"assertion": "bell \x07"}, "usage"),
        ({"assertion": "x" * 8193}, "usage"),
        ({"type": "truth"}, "usage"),
        ({"state": "accepted"}, "usage"),
        ({"provenance": "operator"}, "usage"),
        ({"warnings": []}, "usage"),
        ({"evidence": [{"ref": "notes/none.md"}]}, "evidence-vanished"),
        ({"evidence": [{"ref": NOTES, "digest": "sha256:" + "0" * 64}]}, "evidence-changed"),
        ({"evidence": [{"ref": "../outside.md"}]}, "evidence-vanished"),
        ({"evidence": [{"ref": ".env"}]}, "protected-source"),
        ({"evidence": [{"ref": "lm_0123456789abcdef"}]}, "evidence-vanished"),
        ({"evidence": [{"ref": ".aiwg/.local/lock"}]}, "evidence-vanished"),
        ({"scope": "user"}, "usage"),
        ({"proposed_by": "Lin\u200b"}, "screening"),
    ],
)
def test_what_is_no_proposal_is_refused_and_leaves_nothing(tmp_path: Path, change: dict[str, Any], code: str) -> None:
    queue = Queue.begun(tmp_path)
    queue.write(".env", "A=1\n")
    told = queue.propose(**change) if "assertion" not in change else queue.propose(change["assertion"])
    assert (told["outcome"], told["code"]) == ("refused", code), told
    assert "hunter2" not in json.dumps(told)
    assert not queue.rows()


def test_one_refused_proposal_does_not_stop_the_others(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    values = [{"type": "fix", "assertion": "One."}, "no object", {"type": "risk", "assertion": "Two."}]
    told = propose(queue.workspace(), values, "Lin")
    assert [one["outcome"] for one in told] == ["proposed", "refused", "proposed"]


def test_the_inbox_is_bounded(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    values = [{"type": "task", "assertion": f"Task {number}."} for number in range(MAX_PROPOSALS + 3)]
    told = propose(queue.workspace(), values, "Lin")
    assert [one["outcome"] for one in told].count("proposed") == MAX_PROPOSALS
    assert {one["code"] for one in told[MAX_PROPOSALS:]} == {"too-large"}
    wide = [{"ref": f"notes/{number}-{'x' * 200}.md"} for number in range(32)]
    for one in wide:
        queue.write(one["ref"], "x\n")
    empty = Queue.begun(tmp_path / "other")
    for one in wide:
        empty.write(one["ref"], "x\n")
    large = empty.propose("y" * 8000, evidence=wide)
    assert (large["outcome"], large["code"]) == ("refused", "too-large")


def test_a_damaged_inbox_is_no_obstacle(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    handle = queue.proposed()
    folder = tmp_path / ".aiwg/.local/inbox"
    (folder / "0123456789abcdef.json").write_text("{")
    (folder / "fedcba9876543210.json").write_text(json.dumps({"type": "truth", "assertion": "x"}))
    assert [row["candidate_id"] for row in queue.rows()] == [handle]
    forged = json.loads((folder / f"{handle[5:]}.json").read_text()) | {"assertion": "Other words."}
    (folder / f"{handle[5:]}.json").write_text(json.dumps(forged))
    assert queue.rows() == [], "a file that is not the proposal it is named as is none"
    with pytest.raises(NotFound, match="cannot be read"):
        queue.decide("accept", handle)
    assert inbox.load(queue.workspace(), "cand_0123456789abcdef") is None


def test_a_private_source_makes_a_private_candidate(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    text = "The mooring fee is negotiable."
    queue.do("line-memory.add", {"texts": [text], "classification": "private", "provenance": "operator"})
    fact = "lm_" + digest(text.encode())[7:23]
    handle = queue.accepted("Fees may differ.", evidence=[{"ref": fact}])
    assert queue.rows("accepted")[0]["classification"] == "private"
    with pytest.raises(Refused, match="is private"):
        queue.promotion(handle)
