"""Colour is for a person at a terminal who has not declined it; it changes no character of what is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from person import Person

from aiwg_memory.cli.colour import complaint, diffs

XTERM = {"TERM": "xterm-256color"}
COLOUR = re.compile("\x1b\\[[0-9]*m")
PIECES = st.sampled_from(["--- ", "+++ ", "@@ ", "+", "-", " ", "\n", "\n\n", "error[x]: ", "warning: ", "a", "é"])


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


@given(st.lists(PIECES, max_size=30).map("".join))
@example("--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n\n- no diff\n")
def test_what_is_said_is_the_same_without_it(text: str) -> None:
    assert COLOUR.sub("", diffs(text)) == text
    assert COLOUR.sub("", complaint(text)) == text


def test_only_a_diff_has_it() -> None:
    text = "+ 1 note\n--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same\n\n- no diff"
    found = [line for line in diffs(text).split("\n") if COLOUR.search(line)]
    assert [COLOUR.sub("", line) for line in found] == ["--- a", "+++ b", "@@ -1 +1 @@", "-old", "+new"]


def test_a_preview_and_a_complaint_have_it_on_a_terminal(ada: Person) -> None:
    terminal = ada.terminal("add", "Builds run on Linux.", env=XTERM)
    terminal.until("Apply?")
    terminal.type("n\n")
    assert terminal.end() == 0
    assert "\x1b[32m+Builds run on Linux.\x1b[m\n" in terminal.seen
    wrong = ada.terminal("confirm", "op_00000000", env=XTERM)
    assert wrong.end() == 2
    assert wrong.seen.startswith("\x1b[31merror[usage]:\x1b[m there is no preview")


@pytest.mark.parametrize(
    ("arguments", "environment"), [(["--no-color"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"})]
)
def test_it_can_be_declined(ada: Person, arguments: list[str], environment: dict[str, str]) -> None:
    for command, status in ((["add", "Builds run on Linux."], 0), (["confirm", "op_00000000"], 2)):
        terminal = ada.terminal(*command, *arguments, env={**XTERM, **environment})
        if status == 0:
            terminal.until("Apply?")
            terminal.type("n\n")
        assert terminal.end() == status
        assert "\x1b" not in terminal.seen


def test_what_is_piped_has_none(ada: Person) -> None:
    ada.write("notes.md", "# \x1b[31mred\n")
    for command in (["add", "Builds run on Linux."], ["confirm", "op_00000000"], ["ingest", "notes.md"]):
        done = ada.run(*command, env=XTERM)
        assert "\x1b" not in done.out + done.err
