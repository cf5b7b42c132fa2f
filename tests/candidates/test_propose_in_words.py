"""Whoever learned something proposes it in a sentence; of many lines, what is refused says which it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from person import Person

from aiwg_memory.cli.candidates import TYPES
from aiwg_memory.core import candidates


@pytest.fixture
def person(tmp_path: Path) -> Person:
    person = Person(tmp_path)
    person.write("docs/release.md", "# Releases\n\nThey are cut\nfrom main.\n")
    return person


def test_a_sentence_with_its_evidence_is_a_proposal(person: Person) -> None:
    words = ("Releases are cut from main.", "--kind", "decision", "--evidence", "docs/release.md#L3-L4")
    told = person.json("candidates", "propose", *words)["data"]["proposals"]
    assert [one["outcome"] for one in told] == ["proposed"]
    (row,) = person.json("review")["data"]["candidates"]
    assert (row["type"], row["assertion"], row["warnings"]) == ("decision", words[0], [])
    assert [(one["ref"], one["span"]) for one in row["evidence"]] == [("docs/release.md", "L3-L4")]
    evidence = [{"ref": "docs/release.md", "span": "L3-L4"}]
    line = json.dumps({"type": "decision", "assertion": words[0], "evidence": evidence}).encode()
    (again,) = person.json("candidates", "propose", stdin=line)["data"]["proposals"]
    assert (again["outcome"], again["candidate_id"]) == ("duplicate", row["candidate_id"])


def test_it_is_a_discovery_unless_it_says_what_it_is_and_needs_no_evidence(person: Person) -> None:
    assert person.run("candidates", "propose", "--", "-Os is slower here.").status == 0
    (row,) = person.json("review")["data"]["candidates"]
    assert (row["type"], row["assertion"], row["warnings"]) == ("discovery", "-Os is slower here.", ["no-evidence"])


def test_what_is_said_of_no_sentence_and_evidence_that_is_not_there_are_refused(person: Person) -> None:
    assert person.run("candidates", "propose", "--kind", "fix", stdin=b'{"type": "fix"}').status == 2
    assert person.run("candidates", "propose", "No.", "--kind", "rumour").status == 2
    done = person.run("candidates", "propose", "No.", "--evidence", "docs/other.md")
    assert done.status == 4
    assert "the evidence docs/other.md is not here" in done.out
    assert person.json("review")["data"]["candidates"] == []


def test_of_many_lines_the_refused_one_is_named(person: Person) -> None:
    lines = b'{"type": "fix", "assertion": "One."}\n\n{"type": "fix"}\n'
    done = person.run("candidates", "propose", stdin=lines)
    assert done.status == 4
    assert "\nline 3  refused: this is no proposal" in done.out
    told = person.json("candidates", "propose", stdin=lines, status=4)["data"]["proposals"]
    assert [(one["line"], one["outcome"]) for one in told] == [(1, "duplicate"), (3, "refused")]
    done = person.run("candidates", "propose", stdin=b"\n\nJust words.\n")
    assert done.status == 2
    assert "line 3:" in done.err
    assert 'candidates propose "TEXT"' in done.err


def test_the_types_of_the_option_are_those_there_are() -> None:
    assert TYPES == candidates.TYPES
