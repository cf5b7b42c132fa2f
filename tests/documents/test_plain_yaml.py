"""What is written as YAML is read back as it was, by our reader and by readers of YAML 1.1."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.plain_yaml import render
from aiwg_memory.core.strict_yaml import load

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.text(" \t\n-:#'\"|>{}[]&*!%@`ae1.0x", max_size=20),
    st.sampled_from(
        ["yes", "No", "on", "~", "null", "True", "1e5", "0x1f", "1_000", "2026-01-01", "12:30", "-", "=", "<<"]
    ),
)
LEAVES = st.one_of(TEXTS, st.integers(-(10**14), 10**14), st.booleans(), st.none())
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)


@settings(max_examples=300)
@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_every_value_comes_back(value: dict[str, Any]) -> None:
    data = render(value)
    found = load(data, path="x.yaml", limit=1 << 20)
    assert (found or {}) == value
    assert list(found or {}) == list(value)


@settings(max_examples=200)
@given(st.dictionaries(TEXTS.filter(lambda key: key not in ("<<", "=")), TEXTS, max_size=4))
def test_texts_are_texts_to_a_yaml_1_1_reader_too(value: dict[str, Any]) -> None:
    assert (yaml.safe_load(render(value)) or {}) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": "plain words"}, "a: plain words\n"),
        ({"a": "one\n\n  two"}, "a: |-\n  one\n\n    two\n"),
        ({"a": [{"b": "c", "d": ["e"]}]}, "a:\n  - b: c\n    d:\n      - e\n"),
        ({"a": {}, "b": [], "c": None, "d": True, "e": "true"}, 'a: {}\nb: []\nc: null\nd: true\ne: "true"\n'),
    ],
)
def test_it_reads_as_a_person_would_write_it(value: dict[str, Any], text: str) -> None:
    assert render(value).decode() == text
