"""A preview tells a record in words: nothing that says something is left out, and nothing can pretend to be more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from drawn import first
from hypothesis import given
from hypothesis import strategies as st

from aiwg_memory.core.canonical import DIGEST
from aiwg_memory.core.diffs import readable, unified
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, render_segment
from aiwg_memory.core.records.telling import told

SEG = "20260101T000000Z-000000000000"
PATH = RepoPath(f".aiwg/memory/facts.d/{SEG}.jsonl")

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.dictionaries(st.sampled_from(["reason", "tags", "origin", "epoch", "x", "kind"]), VALUES)


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from (key for key, said in value.items() if said not in (None, "", [], {}) and said is not False)
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    elif value not in (None, False, ""):
        yield value


def spelled(value: Any) -> set[str]:
    """How a value may stand in one printable line: as it is, escaped, or as JSON."""
    text = value if isinstance(value, str) else json.dumps(value)
    forms = {text, json.dumps(text, ensure_ascii=False)[1:-1]}
    return forms | {"".join(map(visible, one)) for one in forms}


def visible(char: str) -> str:
    return char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode()


@given(FIELDS)
def test_whatever_a_record_says_stands_in_the_preview(fields: dict[str, Any]) -> None:
    version = Version({**first().value, "seg": SEG, **fields})
    shown = readable(PATH, None, render_segment([version]))
    assert shown.startswith(f"--- /dev/null\n+++ b/{PATH}\n")
    for key, value in version.value.items():
        if key in ("schema", "seg") or value in (None, "", [], {}) or value is False:
            continue
        for leaf in leaves(value):
            if isinstance(leaf, str) and DIGEST.match(leaf):
                assert leaf[:19] in shown
            else:
                assert any(form in shown for form in spelled(leaf)), (key, leaf, shown)
    assert all(line[:1] in "+-@" for line in shown.splitlines())


def test_a_record_is_told_in_a_few_lines_that_a_person_reads() -> None:
    fields = {"sources": [{"ref": "docs/a.md", "span": "L1-L2", "digest": None}], "reason": "it was so, then"}
    said = {"review": "confirmed", "reviewer": "Ada <ada@example.org>", "seg": SEG}
    version = Version({**first().value, **fields, **said})
    lines = told(PATH, render_segment([version]))
    assert lines is not None
    assert lines[0] == f"{version.handle} version 1: active, review confirmed, by Ada <ada@example.org>, {version.at}"
    assert "  sources: docs/a.md#L1-L2" in lines
    assert "  reason: it was so, then" in lines
    assert not any("schema" in line or SEG in line for line in lines)


def test_what_lies_within_what_is_told_in_words_too() -> None:
    leaf = {"digest": None, "kind": "raw", "ref": "docs/a.md", "scope": "global"}
    fields = {
        "dependencies": {"leaves": [leaf], "revision": 2, "state": "known"},
        "pack": {"id": "pack_1", "task": "where, and how", "request": {"target": "", "budget": [{"limit": 8000}]}},
    }
    lines = told(PATH, render_segment([Version({**first().value, "seg": SEG, **fields})]))
    assert lines is not None
    assert [line for line in lines if "{" in line] == []
    assert lines[-7:] == [
        "  dependencies: revision 2, state known",
        "    leaves: docs/a.md",
        "      kind raw, scope global",
        "  pack: id pack_1",
        "    request:",
        "      budget: limit 8000",
        "    task: where, and how",
    ]


def test_what_goes_is_told_like_what_comes() -> None:
    data = render_segment([first()])
    came, went = readable(PATH, None, data), readable(PATH, data, None)
    assert [line[1:] for line in came.splitlines()[3:]] == [line[1:] for line in went.splitlines()[3:]]
    assert all(line.startswith("-") for line in went.splitlines()[3:])


def test_what_is_not_exactly_a_segment_is_shown_as_it_is() -> None:
    good = render_segment([first()])
    for before, after in (
        (good, good + b"\n"),
        (None, good.replace(b'"version":1', b'"version": 1')),
        (None, good + b"<<<<<<< HEAD\n"),
        (None, b"{}\n"),
        (None, b"\xff"),
        (None, b""),
    ):
        assert readable(PATH, before, after) == unified(PATH, before, after)
    assert readable(RepoPath("notes.txt"), None, good) == unified("notes.txt", None, good)
