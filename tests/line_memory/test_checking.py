"""What a check says about facts, alone and against a base; status and dependents."""

from __future__ import annotations

from typing import Any

import pytest
from desk_of import ADA, LIN, Facts, file_of, handle

from aiwg_memory.addons.line_memory.checking import check
from aiwg_memory.addons.line_memory.status import dependents, status
from aiwg_memory.core.tree import MemoryTree

CONFIG = ".aiwg/config.yaml"
LINES = ".aiwg/memory/line-memory.txt"
FOLDER = ".aiwg/memory/facts"


def rules(facts: Facts, base: Facts | None = None, as_of: str = "") -> list[tuple[str, str]]:
    found = check(facts.tree, base.tree if base else None, as_of)
    assert found == sorted(found)
    return sorted((one.rule, one.severity) for one in found)


def plain() -> Facts:
    facts = Facts()
    facts.do("add", texts=["one", "two"], provenance="operator")
    return facts


def test_a_store_that_the_tool_wrote_has_no_findings() -> None:
    facts = plain()
    facts.decide("archive", "one")
    facts.decide("supersede", "two", texts=["three"])
    assert rules(facts) == []
    assert check(MemoryTree({}), None) == []


BROKEN: list[tuple[dict[str, bytes | None], tuple[str, str]]] = [
    ({LINES: b"typed\n"}, ("fact-unrecorded", "note")),
    ({LINES: b"one\n"}, ("fact-duplicate", "warning")),
    ({file_of("One."): b"One.\n"}, ("fact-near-duplicate", "warning")),
    ({FOLDER + "/notes.md": b"x"}, ("fact-file-name", "error")),
    ({FOLDER + "/sub/x.txt": b"x"}, ("fact-file-name", "error")),
    ({FOLDER + "/0123456789abcdef.txt": None}, ("fact-file-name", "error")),
    ({file_of("one"): b"uno\n"}, ("fact-edited", "warning")),
    ({file_of("one"): b"one"}, ("fact-not-normalised", "warning")),
    ({file_of("x" * 300): b"x" * 501 + b"\n"}, ("fact-too-long", "warning")),
    ({".aiwg/memory/facts.d/a.jsonl": b"<<<<<<< HEAD\n"}, ("merge-marker", "error")),
    ({".aiwg/memory/facts.d/a.jsonl": b"{\n"}, ("broken-record", "error")),
    ({LINES: b"password = k3Jd82HsPq0LmZx7Vt5YwRb1\n"}, ("secret-assignment", "error")),
]


@pytest.mark.parametrize(("added", "expected"), BROKEN)
def test_each_thing_that_is_wrong_is_named_and_only_new_things_against_a_base(
    added: dict[str, bytes | None], expected: tuple[str, str]
) -> None:
    facts = plain()
    before = Facts(facts.files)
    facts.files |= added
    found = rules(facts)
    if expected[0].startswith("secret-"):
        assert any(rule.startswith("secret-") and severity == "error" for rule, severity in found)
    else:
        assert expected in found
    assert rules(facts, before) == found
    assert rules(facts, Facts(facts.files)) == []


def test_a_record_without_its_file_and_a_file_of_an_ended_fact_are_errors() -> None:
    facts = plain()
    del facts.files[file_of("one")]
    assert rules(facts) == [("fact-file-missing", "error")]
    facts = plain()
    facts.decide("revoke", "one")
    facts.files[file_of("one")] = b"one\n"
    assert rules(facts) == [("fact-ended", "error")]


def test_a_fork_names_both_reviewers() -> None:
    facts = plain()
    other = Facts(facts.files)
    facts.decide("expire", "one", reviewer=ADA)
    other.minutes = 30
    other.decide("reject", "one", reviewer=LIN)
    facts.files |= {path: data for path, data in other.files.items() if path.endswith(".jsonl")}
    (found,) = check(facts.tree, None)
    assert found.rule == "record-fork"
    assert ADA in found.message
    assert LIN in found.message
    assert status(facts.tree)["state"] == "degraded"


def test_what_a_change_lost_is_an_error_and_what_it_ended_is_not() -> None:
    base = plain()
    facts = Facts(base.files)
    facts.minutes = 10
    facts.decide("remove", "one")
    assert rules(facts, base) == []
    for path in [path for path in facts.files if path.endswith(".jsonl") and path in base.files]:
        del facts.files[path]
    assert {rule for rule, _ in rules(facts, base)} >= {"record-lost", "broken-chain"}


def test_dates_act_when_the_day_is_known() -> None:
    facts = Facts()
    facts.do("add", texts=["one"], expires_at="2026-06-01", review_at="2026-05-01")
    assert rules(facts) == []
    assert rules(facts, as_of="2026-05-31") == [("fact-review-due", "warning")]
    assert rules(facts, as_of="2026-06-01") == [("fact-expired", "warning"), ("fact-review-due", "warning")]


def test_what_is_for_one_user_does_not_belong_in_a_shared_store() -> None:
    facts = Facts()
    facts.do("add", texts=["one"])
    (path,) = [path for path in facts.files if path.endswith(".jsonl")]
    facts.files[path] = (facts.files[path] or b"").replace(b'"scope":"global"', b'"scope":"user"')
    assert rules(facts) == [("fact-user-scope", "error")]


def test_more_facts_than_wanted_are_a_warning() -> None:
    facts = Facts({LINES: b"".join(b"fact %d\n" % number for number in range(201))})
    assert ("facts-over-limit", "warning") in rules(facts)


def test_status_counts_and_says_what_to_do_next() -> None:
    facts = plain()
    facts.do("add", texts=["three"])
    facts.decide("archive", "two")
    facts.files[LINES] = b"typed\n"
    found: dict[str, Any] = status(facts.tree)
    assert found["state"] == "ready"
    assert found["counts"] == {"facts": 3, "unrecorded": 1, "confirmed": 1, "pending": 2, "archived": 1}
    assert found["next"] == [
        "1 fact without a record: `facts adopt`",
        "1 fact to review: `facts list --review pending`",
    ]


@pytest.mark.parametrize("source", ["docs/a.md", "sha256:" + "1" * 64, "raw_0123456789abcdef", handle("root")])
def test_dependents_are_the_live_facts_that_rest_on_a_source(source: str) -> None:
    facts = Facts()
    facts.do("add", texts=["by source", "ended"], sources=[{"ref": "docs/a.md", "digest": "sha256:" + "1" * 64}])
    leaves = {"state": "known", "leaves": [{"kind": "raw", "ref": "raw_0123456789abcdef"}]}
    facts.do("add", texts=["by leaf"], dependencies=leaves)
    facts.decide("archive", "ended")
    facts.do("add", texts=["root"])
    facts.decide("supersede", "root", texts=["child"])
    expected = {"docs/a.md": "by source", "raw_0123456789abcdef": "by leaf", handle("root"): "child"}
    assert list(dependents(facts.tree, source)) == [handle(expected.get(source, "by source"))]


def test_a_copy_is_reported_where_it_stands_and_not_in_the_file_of_the_fact() -> None:
    facts = plain()
    facts.files |= {LINES: b"one\n", FOLDER + "/0000000000000000.txt": b"two\n"}
    copies = [(one.path, one.line) for one in check(facts.tree, None) if one.rule == "fact-duplicate"]
    assert copies == [(FOLDER + "/0000000000000000.txt", 1), (LINES, 1)]


def test_a_secret_in_a_record_is_an_error_of_the_change_that_brought_it() -> None:
    facts = Facts()
    facts.do("add", texts=["one"], reason="because")
    base = Facts(facts.files)
    (path,) = [path for path in facts.files if path.endswith(".jsonl")]
    secret = b"ghp_" + b"k3Jd82HsPq0LmZx7Vt5YwRb1NcGf4TuEa9Xo"
    facts.files[path] = (facts.files[path] or b"").replace(b'"because"', b'"' + secret + b'"')
    (found,) = check(facts.tree, base.tree)
    assert (found.path, found.line, found.severity) == (path, 1, "error")
    assert found.rule.startswith("secret-")
    assert rules(facts, Facts(facts.files)) == []
