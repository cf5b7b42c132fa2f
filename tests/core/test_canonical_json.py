"""Equal values have one spelling, one digest and one short name."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aiwg_memory.core.canonical import DIGEST, canonical_json, digest, digest_json, short, slug

_TEXT = st.text(st.characters(codec="utf-8"))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("value", "spelling"),
    [
        ({"b": 1, "a": [True, None]}, b'{"a":[true,null],"b":1}'),
        ("\u00e9\u6f22", '"\u00e9\u6f22"'.encode()),
        ("line\n\x01", b'"line\\n\\u0001"'),
        ({}, b"{}"),
        (1.5, b"1.5"),
    ],
)
def test_one_spelling(value: object, spelling: bytes) -> None:
    assert canonical_json(value) == spelling


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_float_that_is_no_number_has_no_spelling(value: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json([value])


@given(_JSON)
def test_spelling_reads_back_and_does_not_depend_on_order(value: object) -> None:
    spelled = canonical_json(value)
    assert json.loads(spelled) == value
    assert canonical_json(json.loads(spelled)) == spelled
    assert b"\n" not in spelled
    if isinstance(value, dict):
        assert canonical_json(dict(reversed(value.items()))) == spelled


@given(st.binary())
def test_digests_have_one_form(data: bytes) -> None:
    assert DIGEST.match(digest(data))
    assert digest_json(data.hex()) == digest(canonical_json(data.hex()))


def test_known_digest() -> None:
    assert digest(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert not DIGEST.match(digest(b"") + "\n")


@pytest.mark.parametrize(
    ("full", "length", "expected"),
    [("sha256:abcdef", 4, "abcd"), ("op_0123456789", 6, "012345"), ("abc", 16, "abc")],
)
def test_short_names(full: str, length: int, expected: str) -> None:
    assert short(full, length) == expected


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("AGENTS.md", "agents-md-"),
        ("src/App \u00c9t\u00e9", "src-app-ete-"),
        ("\u6f22\u5b57", ""),
        ("---", ""),
        ("x" * 99, "x" * 40 + "-"),
    ],
)
def test_slugs_are_readable(name: str, beginning: str) -> None:
    assert re.fullmatch(re.escape(beginning) + "[0-9a-f]{8}", slug(name))


@given(_TEXT, _TEXT)
def test_slugs_are_short_plain_and_apart(one: str, other: str) -> None:
    assert re.fullmatch(r"(?:[a-z0-9]+(?:-[a-z0-9]+)*-)?[0-9a-f]{8}", slug(one))
    assert len(slug(one)) <= 49
    assert (slug(one) == slug(other)) == (one == other)
