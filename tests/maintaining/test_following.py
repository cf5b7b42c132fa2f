"""Maintenance offers to follow cited lines that stand elsewhere: a line each, as `lineage reanchor` would do it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from person import Person

LINES = "def retry(call):\n    for _ in range(3):\n        call()\n"
LIMIT = "LIMIT = 40\n"
KEY = "project-fact/queue.limit"


@pytest.fixture
def desk(tmp_path: Path) -> Person:
    """A fact and a canonical value that rest on lines of code; then the lines moved, or their file was renamed."""
    desk = Person(tmp_path)
    desk.write("src/retry.py", LINES)
    desk.write("src/queue.py", LIMIT)
    desk.do("add", "A call is retried three times.", "--source", "src/retry.py#L1-L3")
    desk.do("canon", "init")
    desk.do("canon", "set", KEY, "Forty.", "--source", "src/queue.py#L1")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "retry")
    desk.write("src/retry.py", "import time\n\n" + LINES)
    desk.git("mv", "src/queue.py", "src/bounds.py")
    return desk


def steps(preview: dict[str, Any]) -> dict[str, str]:
    return {one["subject"]: one["message"] for one in preview["data"]["steps"]}


def doubts(desk: Person) -> set[str]:
    findings = desk.json("check", "--all")["data"]["findings"]
    return {one["rule"] for one in findings if one["rule"].startswith("source-")}


def citing(desk: Person, *files: str) -> list[int]:
    """How many things rest on each file."""
    return [len(desk.json("lineage", "affected", file)["data"]["affected"]) for file in files]


def test_each_citation_that_moved_is_a_line_that_is_kept_or_dropped(desk: Person) -> None:
    assert doubts(desk) == {"source-moved", "source-vanished"}
    preview = desk.json("maintain")
    (fact,) = desk.json("facts", "list")["data"]["facts"]
    assert steps(preview) == {
        f"reanchor {fact['handle']}": "src/retry.py#L1-L3 is src/retry.py#L3-L5 now: “A call is retried three times.”",
        f"reanchor ctx:{KEY}": "src/queue.py#L1 is src/bounds.py#L1 now",
    }
    assert preview["data"]["findings"] == [], "what is offered is not reported too"
    assert preview["data"]["conflicts"] == [], "what a step says is not noted again"
    receipt = desk.json("confirm", preview["data"]["operation_id"])["data"]["receipt"]
    assert doubts(desk) == set()
    assert citing(desk, "src/retry.py", "src/bounds.py") == [1, 1]
    assert "steps" not in desk.json("maintain")["data"]
    desk.do("undo", receipt["seg"])
    assert doubts(desk) == {"source-moved", "source-vanished"}


def test_lineage_reanchor_plans_the_same(desk: Person) -> None:
    desk.do("lineage", "reanchor", f"ctx:{KEY}")
    assert doubts(desk) == {"source-moved"}
    desk.do("lineage", "reanchor")
    assert doubts(desk) == set()
    assert desk.run("lineage", "reanchor").status == 2


def test_what_is_left_out_is_only_reported(desk: Person) -> None:
    preview = desk.json("maintain", "--skip", "reanchor")
    assert "steps" not in preview["data"]
    assert {one["rule"] for one in preview["data"]["findings"]} == {"source-moved", "source-vanished"}


def test_a_fact_that_expires_is_not_followed_in_the_same_breath(desk: Person) -> None:
    desk.do("add", "Two.", "--source", "src/retry.py#L3-L5", "--expires", "2026-02-01")
    desk.write("src/retry.py", LINES)
    desk.environment["AIWG_MEMORY_NOW"] = "2026-03-01T08:00:00Z"
    assert [name.split()[0] for name in steps(desk.json("maintain"))] == ["expire", "reanchor"]


def test_lines_that_moved_again_before_the_yes_refuse_it(desk: Person) -> None:
    operation = desk.json("maintain")["data"]["operation_id"]
    desk.write("src/retry.py", LINES)
    assert desk.run("confirm", operation).status == 3
    assert doubts(desk) == {"source-vanished"}
