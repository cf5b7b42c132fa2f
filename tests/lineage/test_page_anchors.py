"""A page rests on lines of code that moves: a label says so, maintenance follows them, and the verdict stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from person import Person

from aiwg_memory.core.anchors import GONE, MOVED, VERIFIED, anchored, locate
from aiwg_memory.core.canonical import digest

CODE = "import time\n\n\ndef retry(call):\n    for _ in range(3):\n        call()\n"
HELD = anchored(CODE.encode(), "L4-L6") or {}
PAGE = f"""\
---
# how often
title: Retrying
sources:
  - ref: src/retry.py
    span: L4-L6
    digest: {HELD["digest"]}
---

# Retrying

A call is retried three times.
"""


@pytest.fixture
def person(tmp_path: Path) -> Person:
    person = Person(tmp_path)
    person.write("src/retry.py", CODE)
    person.write(".aiwg/wiki/retry.md", PAGE)
    person.do("wiki", "confirm", "wiki:retry.md")
    person.environment["AIWG_MEMORY_NOW"] = "2026-02-01T08:00:00Z"
    return person


def rules(person: Person) -> set[str]:
    return {one["rule"] for one in person.json("check", "--all")["data"]["findings"] if "retry" in one["path"]}


def labels(person: Person) -> list[str]:
    (item,) = person.json("context", "How often is a call retried?")["data"]["pack"]["items"]
    return [*item["labels"], item["review"]]


def test_lines_that_stand_are_no_change_and_moved_ones_are_followed(person: Person) -> None:
    assert not {"source-changed", "source-moved"} & rules(person)
    assert not [one for one in labels(person) if "source" in one]
    person.write("src/retry.py", "# Calls again.\n" + CODE)
    assert "source-moved" in rules(person)
    assert "source moved" in labels(person)
    told = person.json("maintain")["data"]
    assert [one["subject"] for one in told["steps"]] == ["reanchor wiki:retry.md"]
    assert "source-moved" not in {one["rule"] for one in told["findings"]}, "what is a step is not reported too"
    person.json("confirm", told["operation_id"])
    text = (person.root / ".aiwg/wiki/retry.md").read_text()
    assert "span: L5-L7" in text
    assert "# how often" in text
    assert not {"source-changed", "source-moved"} & rules(person)
    assert "source moved" not in labels(person)
    assert "confirmed" in labels(person)


def test_a_file_that_was_renamed_is_followed_by_name_of_the_page(person: Person) -> None:
    person.git("add", "-A")
    person.git("commit", "-qm", "before")
    person.git("mv", "src/retry.py", "src/calls.py")
    person.do("lineage", "reanchor", "wiki:retry.md")
    assert "ref: src/calls.py" in (person.root / ".aiwg/wiki/retry.md").read_text()
    person.environment["AIWG_MEMORY_NOW"] = "2026-02-02T08:00:00Z"
    (receipt, *_) = person.json("receipts", "list")["data"]["receipts"]
    person.do("undo", receipt["seg"])
    assert "ref: src/retry.py" in (person.root / ".aiwg/wiki/retry.md").read_text()


def test_what_was_rewritten_is_a_change_and_nobody_follows_it(person: Person) -> None:
    person.write("src/retry.py", CODE.replace("3", "4"))
    assert "source-changed" in rules(person)
    assert "steps" not in person.json("maintain")["data"]
    assert person.run("lineage", "reanchor").status == 2


def test_lines_without_an_anchor_are_found_around_their_place_and_a_whole_file_counts_as_cited() -> None:
    source = {"span": "L4-L6", "digest": HELD["digest"]}
    assert locate(CODE.encode(), source).state == VERIFIED
    assert locate(b"x\n" * 50 + CODE.encode(), source) == (MOVED, "L54-L56")
    assert locate(CODE.replace("3", "4").encode(), source).state == GONE
    assert locate(b"", source).state == GONE
    assert locate(CODE.encode(), {**source, "digest": digest(CODE.encode())}).state == VERIFIED


def test_a_source_given_by_its_name_is_cited_with_the_digest_and_the_lines_it_has(person: Person) -> None:
    person.write(".aiwg/wiki/calls.md", "# Calls\n\nA call is retried.\n")
    person.do("wiki", "edit", "calls.md", "--set", "sources=[src/retry.py#L4-L6, {ref: notes/talk.md}]")
    text = (person.root / ".aiwg/wiki/calls.md").read_text()
    assert f'  - ref: src/retry.py\n    digest: "{HELD["digest"]}"\n    span: L4-L6\n' in text
    assert "  - ref: notes/talk.md\n" in text
    person.do("wiki", "edit", "calls.md", "--set", "sources=src/retry.py")
    assert digest(CODE.encode()) in (person.root / ".aiwg/wiki/calls.md").read_text()
    assert "has 6 lines" in person.run("wiki", "edit", "calls.md", "--set", "sources=src/retry.py#L9").err
