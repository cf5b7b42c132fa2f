"""YAML means one thing to everybody, or it is refused with the line."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.strict_yaml import MAX_BYTES, load
from aiwg_memory.errors import Damaged

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(ord('b') + n)}: &{chr(ord('b') + n)} [{', '.join(['*' + chr(ord('a') + n)] * 9)}]\n" for n in range(9)
)


def refusal(text: str | bytes, **more: Any) -> list[tuple[str, int]]:
    with pytest.raises(Damaged) as caught:
        load(text, path="page.md", **more)
    assert all(isinstance(finding, Finding) and finding.path == "page.md" for finding in caught.value.findings)
    return [(finding.rule, finding.line) for finding in caught.value.findings if isinstance(finding, Finding)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: on\nb: off\nc: yes\nd: No\ne: y", {"a": "on", "b": "off", "c": "yes", "d": "No", "e": "y"}),
        ("a: true\nb: False\nc: null\nd: ~\ne:", {"a": True, "b": False, "c": None, "d": None, "e": None}),
        ("a: 2026-05-01\nb: 2026-05-01T10:00:00Z", {"a": "2026-05-01", "b": "2026-05-01T10:00:00Z"}),
        ("a: 12\nb: -3\nc: 1.5\nd: 1e3", {"a": 12, "b": -3, "c": 1.5, "d": 1000.0}),
        ("a: 007\nb: 0x1f\nc: 1_000", {"a": "007", "b": "0x1f", "c": "1_000"}),
        ("a: 12:30:45\nb: 0o17", {"a": "12:30:45", "b": "0o17"}),
        ("a: 1234567890123456", {"a": "1234567890123456"}),
        ("a: .inf\nb: .nan\nc: 1e999", {"a": ".inf", "b": ".nan", "c": "1e999"}),
        ("a: '1'\nb: \"true\"\nc: |\n  null\n", {"a": "1", "b": "true", "c": "null\n"}),
        ("<<: x\n=: y", {"<<": "x", "=": "y"}),
        ("yes: 1\nno: 2", {"yes": 1, "no": 2}),
        ("- a\n- [b, {c: d}]", ["a", ["b", {"c": "d"}]]),
        ("标题: 导入目录", {"标题": "导入目录"}),
        ("\ufeffa: b", {"a": "b"}),
    ],
)  # fmt: skip
def test_what_is_read(text: str, value: Any) -> None:
    assert load(text, path="page.md") == value


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("a: 1\nb: 2\na: 3", "yaml-duplicate-key", 3),
        ("a:\n  b: 1\n  b: 2", "yaml-duplicate-key", 3),
        ("a: &x 1", "yaml-anchor", 1),
        ("a: 1\nb: *x", "yaml-alias", 2),
        ("a: !!python/object/apply:os.system [true]", "yaml-tag", 1),
        ("a: !!str 1", "yaml-tag", 1),
        ("1: a", "yaml-key", 1),
        ("a: 1\ntrue: b", "yaml-key", 2),
        ("? [a]\n: b", "yaml-key", 1),
        ("a: " + "[" * 40 + "]" * 40, "yaml-depth", 1),
        ("a: 1\n---\nb: 2", "yaml-documents", 2),
        ("a: 1\nb: ]", "yaml-syntax", 2),
        ("a: 1\n\tb: 2", "yaml-syntax", 2),
        ("a: 1\n<<<<<<< ours\nb: 2", "yaml-syntax", 3),
        ("a: \x07", "yaml-syntax", 1),
    ],
)
def test_what_is_refused(text: str, rule: str, line: int) -> None:
    assert (rule, line) in refusal(text)


def test_lines_count_from_where_the_text_begins() -> None:
    assert refusal("a: 1\na: 2", first_line=10) == [("yaml-duplicate-key", 11)]


def test_several_problems_are_told_together() -> None:
    assert refusal("a: 1\na: 2\nb: &x 3\nc: !!str 4") == [
        ("yaml-duplicate-key", 2),
        ("yaml-anchor", 3),
        ("yaml-tag", 4),
    ]


def test_a_billion_laughs_are_not_expanded() -> None:
    assert {rule for rule, _ in refusal(LAUGHS)} == {"yaml-anchor", "yaml-alias"}


def test_size_and_encoding_are_bounded() -> None:
    assert refusal("a: " + "x" * MAX_BYTES) == [("yaml-size", 1)]
    assert refusal(b"a: \xff") == [("encoding", 1)]
    assert load("a: " + "x" * MAX_BYTES, path="p", limit=2 * MAX_BYTES)["a"][:2] == "xx"


TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**14), 10**14) | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=8).filter(str.isprintable), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=150)
@given(TREES, st.booleans())
def test_what_another_writer_quotes_is_read_back(value: Any, flow: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow)
    if "!!" not in text and "? " not in text and "&" not in text:
        assert load(text, path="p") == value


@settings(max_examples=150)
@given(st.text(alphabet="ab:-[]{}\"'#&*!|> \n\t0123", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = load(text, path="p")
    except Damaged:
        return
    assert not isinstance(value, float) or math.isfinite(value)
