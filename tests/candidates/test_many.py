"""Ten thousand pending candidates: what is looked at stays what was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from queue_of import ADA, Queue

from aiwg_memory.addons.compound_memory.candidates.desk import first_version
from aiwg_memory.core.candidates import FOLDER, assertion_path
from aiwg_memory.core.operations import Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import render_segment
from aiwg_memory.workspace.candidates import candidate_rows
from aiwg_memory.workspace.reporting import status

MANY = 10_000


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Queue:
    queue = Queue.begun(tmp_path_factory.mktemp("crowd"))
    asked = Request("candidate.share", {}, "2026-02-01T08:00:00Z", ADA, "w")
    versions = []
    (queue.root / FOLDER).mkdir(parents=True)
    for number in range(MANY):
        text = f"Statement {number}."
        proposal = {"type": "task", "at": f"2026-01-{1 + number % 28:02}T08:00:00Z", "proposed_by": "Lin"}
        versions.append(first_version(asked, proposal, text))
        (queue.root / assertion_path(versions[-1].handle)).write_text(text + "\n")
    queue.write(f".aiwg/memory/candidates.d/{asked.seg}.jsonl", render_segment(versions).decode())
    return queue


def test_the_queue_reads_the_texts_it_shows_and_no_more(crowd: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    found = crowd.workspace()
    reads: list[RepoPath] = []
    true = found.tree.read

    def counted(path: RepoPath, *, limit: int) -> bytes:
        reads.append(path)
        return true(path, limit=limit)

    monkeypatch.setattr(found.tree, "read", counted)
    rows, total = candidate_rows(found, ("pending",), 20)
    assert (len(rows), total) == (20, MANY)
    assert all(row["at"].startswith("2026-01-01") for row in rows), "the oldest first"
    assert len([path for path in reads if path.under(FOLDER)]) == 20


def test_status_stays_a_few_lines(crowd: Queue) -> None:
    told = status(crowd.workspace())
    assert any(f"{MANY} pending candidates" in line for line in told["ready"])
    assert len(json.dumps(told)) < 4000


def test_one_of_many_is_decided_about(crowd: Queue, tmp_path: Path) -> None:
    handle = crowd.rows(limit=1)[0]["candidate_id"]
    crowd.decide("reject", handle)
    assert crowd.state(handle) == "rejected"
    assert candidate_rows(crowd.workspace(), ("pending",), 1)[1] == MANY - 1
