"""A broken line is named and spoils no other."""

from __future__ import annotations

import json

import pytest
from drawn import HANDLES, first
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import (
    chain_findings,
    fold,
    fork_findings,
    gather,
    lost_findings,
    parse_segment,
    render_segment,
    succeed,
)
from aiwg_memory.errors import Damaged, UsageError

PATH = RepoPath(".aiwg/memory/facts.d/20260101T000000Z-000000000000.jsonl")
GOOD = first().canonical


def changed(**fields: object) -> bytes:
    return json.dumps({**first().value, **fields}).encode()


BROKEN = [
    (b"<<<<<<< HEAD", "merge-marker"),
    (b"=======", "merge-marker"),
    (b">>>>>>> branch", "merge-marker"),
    (b"||||||| base", "merge-marker"),
    (GOOD[:-5], "broken-record"),
    (b"\xff\xfe", "broken-record"),
    (b"[1]", "broken-record"),
    (b'{"a":1}', "broken-record"),
    (GOOD[:-1] + b',"handle":"lm_other"}', "broken-record"),
    (GOOD[:-1] + b',"x":NaN}', "broken-record"),
    (GOOD[:-1] + b',"x":1e999}', "broken-record"),
    (GOOD[:-1] + b',"x":"\\ud800"}', "broken-record"),
    (GOOD[:-1] + b',"x":' + b"[" * 100_000 + b"}", "broken-record"),
    *((GOOD[:-1] + b',"x":' + b"[" * deep + b"]" * deep + b"}", "broken-record") for deep in (64, 500, 960)),
    (GOOD[:-1] + b',"x":' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}", "broken-record"),
    (changed(schema="fact"), "broken-record"),
    (changed(handle=""), "broken-record"),
    (changed(version=0), "broken-record"),
    (changed(version=True), "broken-record"),
    (changed(previous="abc"), "broken-record"),
    (changed(previous=[1]), "broken-record"),
    (changed(at="yesterday"), "broken-record"),
    (changed(at="2026-01-01T00:00:00+02:00"), "broken-record"),
    (changed(sources="x"), "broken-record"),
    (changed(sources=["x"]), "broken-record"),
    (changed(parents=[1]), "broken-record"),
    (changed(dependencies=[]), "broken-record"),
    (changed(scope=7), "broken-record"),
]


@pytest.mark.parametrize(("line", "rule"), BROKEN)
def test_a_broken_line_is_an_error_with_its_line_and_the_rest_stays_usable(line: bytes, rule: str) -> None:
    other = first(HANDLES[1])
    versions, findings = parse_segment(PATH, GOOD + b"\n" + line + b"\n" + other.canonical + b"\n")
    assert [(one.path, one.line, one.rule, one.severity) for one in findings] == [(PATH, 2, rule, "error")]
    assert versions == [first(), other]
    assert [one.line for one in versions] == [1, 3]


def test_many_brackets_side_by_side_are_not_depth() -> None:
    line = GOOD[:-1] + b',"x":[' + b",".join([b"[[]]"] * 500) + b',"[[["],"y":' + b"[" * 63 + b"]" * 63 + b"}"
    assert parse_segment(PATH, line)[1] == []


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_no_bytes_make_parsing_or_folding_fail(data: bytes) -> None:
    versions, _ = parse_segment(PATH, GOOD + b"\n" + data + b"\n" + GOOD)
    assert first() in versions
    assert HANDLES[0] in fold(versions)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from([*sorted(first().value), "parents", "dependencies", "classification"]), JSON))
def test_no_field_makes_folding_or_rendering_fail(fields: dict[str, object]) -> None:
    data = json.dumps({**first().value, **fields}).encode()
    versions, findings = parse_segment(PATH, data + b"\n" + GOOD)
    assert len(versions) + len(findings) == 2
    fold(versions)
    chain_findings(versions)
    assert parse_segment(PATH, render_segment(versions))[1] == []


def test_a_newer_schema_is_read_and_named_and_unknown_fields_survive() -> None:
    data = changed(schema="aiwg.fact_record.v2", later={"deep": [1]})
    versions, findings = parse_segment(PATH, data, lambda _: "not a record of this version")
    assert [(one.rule, one.severity, one.line) for one in findings] == [("newer-schema", "warning", 1)]
    assert versions[0].newer
    assert b'"later":{"deep":[1]}' in render_segment(versions)


def test_other_line_ends_and_a_byte_order_mark_are_read_and_reported() -> None:
    versions, findings = parse_segment(PATH, b"\xef\xbb\xbf" + GOOD + b"\r\n")
    assert versions == [first()]
    assert {(one.rule, one.severity) for one in findings} == {
        ("byte-order-mark", "warning"),
        ("line-ending", "warning"),
    }


def test_what_cannot_be_read_is_not_gathered() -> None:
    with pytest.raises(Damaged) as caught:
        gather({PATH: GOOD + b"\n{broken\n"})
    assert [(one.path, one.line) for one in caught.value.findings] == [(PATH, 2)]
    later = RepoPath(PATH.replace("202601", "202602"))
    with pytest.raises(UsageError, match="2 months"):
        gather({PATH: GOOD, later: GOOD})
    with pytest.raises(UsageError, match="not named like a segment"):
        gather({RepoPath("notes.jsonl"): GOOD})


def test_a_broken_chain_is_named_and_leaves_a_head_of_its_own() -> None:
    lost = first(review="confirmed")
    orphan = succeed((lost,), {"status": "archived"})
    stranger = succeed((first(),), {"handle": HANDLES[1]})
    versions = parse_segment(PATH, render_segment([first(), orphan, stranger]))[0]
    found = chain_findings(versions)
    assert [one.rule for one in found] == ["broken-chain", "broken-chain"]
    assert any("which is not there" in one.message for one in found)
    assert any(f"a version of {HANDLES[0]}" in one.message for one in found)
    assert all(one.line for one in found)
    heads = fold(versions)
    assert {one.digest for one in heads[HANDLES[0]].heads} == {first().digest, orphan.digest}


def test_a_fork_is_reported_with_both_reviewers() -> None:
    start = first()
    one = succeed((start,), {"status": "archived", "reviewer": "Ada <ada@example.org>"})
    two = succeed((start,), {"review": "confirmed", "reviewer": "Lin <lin@example.org>"})
    (found,) = fork_findings(fold([start, one, two]))
    assert found.severity == "error"
    assert "Ada <ada@example.org> (archived" in found.message
    assert "Lin <lin@example.org> (active, confirmed" in found.message
    assert fork_findings(fold([start, one])) == []


def test_a_version_taken_out_of_the_records_is_lost_and_a_reason_taken_out_is_not() -> None:
    start = first(reason="because")
    ended = succeed((start,), {"status": "removed"})
    assert [one.rule for one in lost_findings([start], [start, ended])] == ["record-lost"]
    assert lost_findings([first(reason=""), ended], [start, ended]) == []


def test_of_a_file_of_nothing_but_broken_lines_a_thousand_are_named_and_the_rest_is_counted() -> None:
    versions, findings = parse_segment(PATH, b"{}\n" * 5000 + GOOD + b"\n")
    assert len(versions) == 1
    assert len(findings) == 1001
    assert findings[-1].message == "4000 more lines of this file are no records"
