"""Settings and front matter of plain words are read without the parser, and mean exactly what it says they mean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.strict_yaml import flat, load
from aiwg_memory.errors import Damaged

# A tab in a comment changes no meaning, and leaves the text to the parser.
PARSED = "\n#\t"

PIECES = st.sampled_from(
    [
        "a", "b", "_c", "a-b", "true", "null", "No", "y", "~", "0", "-1", "007", "1.5", "1e3", "1e999", ".5", "1_0",
        "12:30", "sha256:00ff", "https://x.org/a_b",
        "2026-05-01T10:00:00Z", "Ada Lovelace <ada@example.org>", "<<", "=",
        ": ", ":", ":\n", ": \n", ":  ", "- ", "-", "\n", "\n", "\n",
        "\n  ", "\n  ", "\n    ", "\n- ", "\n  - ", " ", "  ", "# x",
        " # x", "\n# x: y\n", "#", ",", "[a]", "{}", "'a'", '"a"', "&a ", "*a", "!t ", "|", ">", "%", "@", "---", "...",
        "? ", "\t", "\r", "\u2028", "\u00e9", "\x85", "\ufeff", "(", ")", "+=", "~-", "\\",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=24).map("".join))
@settings(max_examples=500)
def test_what_is_read_without_the_parser_is_what_the_parser_reads(text: str) -> None:
    found = flat(text)
    if found is not None:
        assert repr(found) == repr(load(text + PARSED, path="config.yaml"))


KEYS = st.sampled_from(["a", "b", "kind", "review_policy", "true", "No"])
WORDS = st.sampled_from(
    ["a", "12", "true", "null", "Ada Lovelace <ada@example.org>", "sha256:00ff", "a - b, c", "1.50"]
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    lines = []
    for key in draw(st.lists(KEYS, max_size=4)):
        indent = draw(st.sampled_from(["", "  ", "   "]))
        form = draw(st.sampled_from(["word", "list", "mapping", "rows", "nothing"]))
        if form == "word":
            lines.append(f"{key}: {draw(WORDS)}")
            continue
        lines.append(f"{key}:")
        if form == "rows":
            for _ in range(draw(st.integers(1, 3))):
                lines.append(f"{indent}- {draw(KEYS)}: {draw(WORDS)}")
                inner = draw(st.sampled_from([f"{indent}  ", f"{indent}   "]))
                lines += [f"{inner}{key}: {draw(WORDS)}" for key in draw(st.lists(KEYS, max_size=2))]
            continue
        for word in draw(st.lists(WORDS, min_size=1, max_size=3)) if form != "nothing" else ():
            lines.append(f"{indent}- {word}" if form == "list" else f"{indent}{draw(KEYS)}: {word}")
        lines += draw(st.sampled_from([[], [""], ["# said between: the lines"]]))
    return "\n".join(lines)


@given(documents())
def test_lists_and_mappings_of_words_are_read_as_the_parser_reads_them(text: str) -> None:
    found = flat(text)
    try:
        parsed = load(text + PARSED, path="config.yaml")
    except Damaged:
        parsed = None
    assert found is None or repr(found) == repr(parsed)


@pytest.mark.parametrize(
    "text",
    [
        "# settings\nschema: aiwg.config.v1\n\nworkspace: ws_00ff\n",
        "reviewers:\n  - Ada Lovelace <ada@example.org>\n  - Bob\ncontext:\n  total: 4000\n  unit: tokens\n",
        "sources:\n  - ref: https://example.org/hours\n    digest: sha256:00ff\n  - ref: notes/hours.txt\n",
        "title: Retry policy of the import client\ntags:\n- import\n- retry\nupdated: 2026-05-01\n",
    ],
)
def test_ordinary_settings_and_front_matter_need_no_parser(text: str) -> None:
    assert flat(text) is not None
    assert flat(text) == load(text + PARSED, path="config.yaml")
