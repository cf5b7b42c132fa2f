"""Front matter is edited without loss: one key's lines change, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.document import edit_front, parse_document, without
from aiwg_memory.errors import Damaged, UsageError

PAGE = b"""---
# who looks after it
title: 'Import catalog'   # quoted on purpose
kind: reference

sources:
- ref: a.md
  digest: null
# between
- ref: b.md

tags: [storage,   sqlite]
custom:
    deep: {x: 1}
text: |
  # not a comment

  last
# at the end
---

# Body\r
trailing  \r
no end"""

PLAIN = PAGE.replace(b"\r", b"")


def front(data: bytes) -> dict[str, Any]:
    document, findings = parse_document("p.md", data)
    assert not [finding for finding in findings if finding.severity == "error"]
    return dict(document.front)


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"title": "New"}, b"title: 'Import catalog'   # quoted", b"title: New   # quoted"),
        ({"title": "yes"}, b"title: 'Import catalog'   # quoted", b'title: "yes"   # quoted'),
        ({"kind": None}, b"kind: reference\n", b""),
        ({"tags": ["a b", "C++: x"]}, b"tags: [storage,   sqlite]", b'tags:\n  - a b\n  - "C++: x"'),
        ({"sources": None}, b"sources:\n- ref: a.md\n  digest: null\n# between\n- ref: b.md\n", b""),
        ({"text": "x"}, b"text: |\n  # not a comment\n\n  last\n", b"text: x\n"),
        ({"status": "archived"}, b"# at the end\n---", b"# at the end\nstatus: archived\n---"),
        (
            {"reviewed": {"by": "Ada <a@b.org>", "at": "2026-05-01T00:00:00Z"}},
            b"# at the end\n---",
            b'# at the end\nreviewed:\n  by: "Ada <a@b.org>"\n  at: "2026-05-01T00:00:00Z"\n---',
        ),
    ],
)
def test_only_the_lines_of_the_key_change(changes: dict[str, Any], old: bytes, new: bytes) -> None:
    assert PAGE.count(old) == 1
    assert edit_front(PAGE, changes) == PAGE.replace(old, new)


@pytest.mark.parametrize(
    "changes", [{}, {"title": "Import catalog"}, {"absent": None}, {"tags": ["storage", "sqlite"]}]
)
def test_an_edit_that_changes_nothing_keeps_every_byte(changes: dict[str, Any]) -> None:
    assert edit_front(PAGE, changes) is PAGE


@pytest.mark.parametrize(
    ("data", "changes", "result"),
    [
        (b"# Body\n", {"title": "T"}, b"---\ntitle: T\n---\n# Body\n"),
        (b"", {"title": "T"}, b"---\ntitle: T\n---\n"),
        (b"---\n---\nbody", {"title": "T"}, b"---\ntitle: T\n---\nbody"),
        (b"---\n# only a comment\n---\n", {"title": "T"}, b"---\n# only a comment\ntitle: T\n---\n"),
        (b"---\ntitle: T\n---\nbody", {"title": None}, b"---\n---\nbody"),
        (b"---\r\na: 1\r\n---\r\nx\r\ny\n", {"a": 2, "b": 3}, b"---\r\na: 2\r\nb: 3\r\n---\r\nx\r\ny\n"),
        (b"\xef\xbb\xbf---\na: 1\n---\nx", {"a": True}, b"\xef\xbb\xbf---\na: true\n---\nx"),
        (b"---\na: 1\n---", {"a": 2}, b"---\na: 2\n---"),
        (b"---\na: 1\n", {"b": 2}, b"---\nb: 2\n---\n---\na: 1\n"),
        (b"---\na:\n---\n", {"a": None}, b"---\n---\n"),
        (b"---\na: 1\n---\n", {"a": True}, b"---\na: true\n---\n"),
    ],
)
def test_front_matter_is_begun_emptied_and_kept_in_its_form(
    data: bytes, changes: dict[str, Any], result: bytes
) -> None:
    assert edit_front(data, changes) == result


def test_what_cannot_be_edited_without_loss_is_refused() -> None:
    with pytest.raises(UsageError, match="flow style"):
        edit_front(b"---\n{a: 1, b: 2}\n---\n", {"a": 3})
    with pytest.raises(UsageError, match="not text"):
        edit_front(b"x", {"a": "\ud800"})
    with pytest.raises(UsageError):
        edit_front(b"x", {"a": object()})
    with pytest.raises(Damaged):
        edit_front(b"---\na: 1\na: 2\n---\n", {"b": 3})
    with pytest.raises(Damaged):
        edit_front(b"---\na list\n---\n", {"b": 3})


SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(st.characters(codec="utf-8"), max_size=30)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("abc é:#", min_size=1, max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
KEYS = st.sampled_from(["title", "kind", "tags", "sources", "custom", "text", "new", "другой", "a: b", "- x", "yes"])


@settings(max_examples=300)
@given(KEYS, VALUES)
def test_one_key_changes_and_the_rest_stays(key: str, value: Any) -> None:
    before = front(PAGE)
    after = edit_front(PAGE, {key: value})
    expected = {name: kept for name, kept in {**before, key: value}.items() if name != key or value is not None}
    assert front(after) == expected
    assert after.partition(b"\n---\n")[2] == PAGE.partition(b"\n---\n")[2]
    untouched = [
        line
        for line in PAGE.split(b"\n")
        if line.startswith((b"# who", b"# at", b"title", b"kind", b"tags", b"custom"))
    ]
    assert all(line in after.split(b"\n") or line.startswith(key.encode()) for line in untouched)
    assert edit_front(after, {key: value}) == after
    assert without(PLAIN, key) == edit_front(PLAIN, {key: None})


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from("abcdef"), VALUES.filter(lambda value: value is not None)), KEYS, VALUES)
def test_setting_and_taking_out_a_new_key_leaves_the_page_as_it_was(
    start: dict[str, Any], key: str, value: Any
) -> None:
    page = edit_front(b"---\nz: 1\n---\nbody\n", start)
    assert edit_front(edit_front(page, {key: value}), {key: None}) == page
