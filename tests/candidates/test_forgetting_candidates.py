"""Forgetting a candidate, and what the outbox still holds."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from queue_of import ADA, TEXT, Queue

from aiwg_memory.addons.compound_memory.candidates.checking import check
from aiwg_memory.core.operations import Request
from aiwg_memory.errors import UsageError
from aiwg_memory.workspace.forgetting import forget_request
from aiwg_memory.workspace.mutations import Mutations


def forget(queue: Queue, *handles: str) -> None:
    queue.minutes += 1
    found = queue.workspace()
    asked: Request = forget_request(found, handles, "", ADA)
    queue.confirm(Mutations(found).preview(asked))


def places(queue: Queue) -> list[str]:
    """Every file that holds the words, plain or in base64, but the source they came from."""
    coded = base64.b64encode(TEXT.encode())[:40]
    found = (path for path in queue.root.rglob("*") if path.is_file())
    holding = (path for path in found if TEXT.encode() in path.read_bytes() or coded in path.read_bytes())
    return sorted(str(path.relative_to(queue.root)) for path in holding if path.name != "harbour.md")


@pytest.mark.parametrize("state", ["pending", "accepted", "deferred"])
def test_the_words_are_gone_everywhere_and_the_record_stays(tmp_path: Path, state: str) -> None:
    queue = Queue.begun(tmp_path)
    handle = queue.proposed()
    decision = {"pending": "share", "accepted": "accept", "deferred": "defer"}[state]
    queue.decide(decision, handle, reason=f"because {TEXT}")
    assert places(queue)
    forget(queue, handle)
    assert places(queue) == []
    assert queue.state(handle) == "rejected"
    assert not [each for each in check(queue.workspace().tree, None) if each.severity == "error"]
    assert queue.propose()["outcome"] == "duplicate"
    with pytest.raises(UsageError, match="was forgotten"):
        queue.decide("reopen", handle)


def test_nothing_is_forgotten_that_the_outbox_still_holds(tmp_path: Path) -> None:
    queue = Queue.begun(tmp_path)
    handle = queue.accepted()
    plan = queue.promotion(handle)
    page = next(change.path for change in plan.changes if "wiki" in change.path)
    (tmp_path / page).mkdir(parents=True)
    queue.confirm(plan)
    fact = next(each for each in queue.receipts()[0]["subjects"] if each.startswith("lm_"))
    for name in (handle, fact):
        with pytest.raises(UsageError) as told:
            forget(queue, name)
        assert told.value.code == "still-owed"
    (tmp_path / page).rmdir()
    queue.deliver()
    for name in (fact, handle, "wiki:" + page.removeprefix(".aiwg/wiki/")):
        forget(queue, name)
    assert places(queue) == []
