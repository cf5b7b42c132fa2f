"""What `context` says beside the pack when the item that answers best had no room in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from person import Person

LONG = "The import catalog is one SQLite file beside the project; " + ", ".join(
    f"table{n} holds {n}" for n in range(24)
)
SHORT = "The catalog is backed up at midnight."
TASK = "where is the import catalog"


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    ada = Person(tmp_path)
    ada.do("add", LONG, SHORT)
    return ada


def test_the_best_match_that_had_no_room_is_named_with_its_length(ada: Person) -> None:
    best = ada.json("search", TASK)["data"]["hits"][0]
    assert best["text"] == LONG
    done = ada.run("context", TASK, "--budget", "400")
    assert best["handle"][:12] in done.err
    assert f"has {len(LONG)} characters, and the bound is 400 characters; a larger --budget" in done.err
    assert len(done.err.splitlines()) == 1
    assert LONG not in done.out
    told = ada.json("context", TASK, "--budget", "400")
    assert told["data"]["text"] == done.out == ada.run("context", TASK, "--budget", "400", "--quiet").out
    assert told["warnings"] == [done.err.removeprefix("warning: ").rstrip()]
    assert told["data"]["pack"]["warnings"] == []


@pytest.mark.parametrize("arguments", [("--budget", "4000"), ("--budget", "256", "--incognito")])
def test_nothing_is_said_where_the_best_match_is_in_or_nothing_was_asked_for(
    ada: Person, arguments: tuple[str, ...]
) -> None:
    done = ada.run("context", TASK, *arguments)
    assert done.status == 0
    assert done.err == ""


def test_what_is_said_of_the_best_match_is_true_for_every_measure(ada: Person) -> None:
    for unit in ("bytes", "tokens", "json-escaped"):
        done = ada.run("context", TASK, "--budget", "256", "--unit", unit)
        held = ada.json("context", TASK, "--budget", "256", "--unit", unit)["data"]["pack"]["items"]
        ranks = [item["rank"] for item in held]
        assert ("the best match had no room" in done.err) == (1 not in ranks), done
