"""What a reader cannot see is reported and shown; what a script or an emoji needs stays."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.screening import escape_invisible, reserved_namespace, screen
from aiwg_memory.core.screening.characters import oddities

HIDDEN = [
    ("ig\u200bnore", "invisible-character", "ig\\u200bnore"),
    ("zero\u200cwidth", "invisible-character", "zero\\u200cwidth"),
    ("a\u200db", "invisible-character", "a\\u200db"),
    ("word\u2060joiner", "invisible-character", "word\\u2060joiner"),
    ("soft\u00adhyphen", "invisible-character", "soft\\xadhyphen"),
    ("a\ufeffmark", "invisible-character", "a\\ufeffmark"),
    ("\ufeff\ufeffmark", "invisible-character", "\\ufeff\\ufeffmark"),
    ("filler\u3164", "invisible-character", "filler\\u3164"),
    ("bell\x07", "invisible-character", "bell\\x07"),
    ("\x1b[31mred", "invisible-character", "\\x1b[31mred"),
    ("c1\x85", "invisible-character", "c1\\x85"),
    ("line\u2028end", "invisible-character", "line\\u2028end"),
    ("half\ud800", "invisible-character", "half\\ud800"),
    ("A\ufe0f", "invisible-character", "A\\ufe0f"),
    ("😀\ufe0f\ufe01", "invisible-character", "😀\ufe0f\\ufe01"),
    ("x\U000e0100", "invisible-character", "x\\U000e0100"),
    ("user\u202etxt.exe", "bidirectional-control", "user\\u202etxt.exe"),
    ("a\u2066b\u2069", "bidirectional-control", "a\\u2066b\\u2069"),
    ("a\u200fb", "bidirectional-control", "a\\u200fb"),
    ("\U000e0041\U000e0042", "tag-character", "\\U000e0041\\U000e0042"),
    ("🏴\U000e0069\U000e0067\U000e007f", "tag-character", "🏴\\U000e0069\\U000e0067\\U000e007f"),
]
LEGITIMATE = [
    "plain text\twith a tab\r\nand lines",
    "naïve café — “quotes” … ½ µm λ-calculus, ΔT in Ω",
    "می\u200cخواهم",  # Persian with a non-joiner
    "क्\u200dष and ශ්\u200dරී",  # Devanagari and Sinhala conjuncts
    "👩\u200d👩\u200d👧\u200d👦 and 👩🏽\u200d💻 and 🏳\ufe0f\u200d🌈",
    "❤\ufe0f 1\ufe0f\u20e3 ©\ufe0f",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
    "葛\U000e0100城",  # an ideographic variant
    "שלום\u200f!",  # a right-to-left mark behind Hebrew
    "ᠮᠣᠩᠭᠣᠯ\u180b",
    "⠓⠊\u2800⠞⠓⠑⠗⠑",
    "Привет, мир! Ελληνικά. 한국어 日本語 ไทย हिन्दी العربية",
]


@pytest.mark.parametrize(("text", "rule", "shown"), HIDDEN)
def test_hidden_characters_are_reported_and_shown(text: str, rule: str, shown: str) -> None:
    assert {f.rule for f in screen(text, path="a.md", line=1)} == {rule}
    assert escape_invisible(text) == shown


@pytest.mark.parametrize("text", LEGITIMATE)
def test_legitimate_text_is_left_alone(text: str) -> None:
    assert screen(text, path="a.md", line=1, strict=True) == []
    assert escape_invisible(text) == text


@pytest.mark.parametrize(("strict", "severity"), [(True, "error"), (False, "warning")])
def test_keys_and_titles_are_refused_where_text_is_warned_about(strict: bool, severity: str) -> None:
    for text in ("ig\u200bnore", "pаypal", "a\u202eb", "\U000e0041"):
        assert [f.severity for f in screen(text, path="a.md", strict=strict)] == [severity]


@pytest.mark.parametrize("word", ["pаypal", "Аpple", "micrоsoft", "GΟΟGLE"])
def test_words_of_look_alike_letters_are_reported(word: str) -> None:
    assert [f.rule for f in screen(word, path="a.md", line=3)] == ["homoglyph-mix"]


@pytest.mark.parametrize("word", ["API-ключ", "μm", "Δt", "λx", "Москва", "αβγ", "kΩ"])
def test_words_of_two_scripts_that_deceive_nobody_pass(word: str) -> None:
    assert screen(word, path="a.md") == []


@given(
    st.text(
        alphabet=st.one_of(st.characters(), st.sampled_from("\u200d\u200c\ufe0f\u202e\u2066😀👩אم葛\U000e0067a \n"))
    )
)
@settings(max_examples=300)
def test_escaping_leaves_nothing_hidden_and_is_idempotent(text: str) -> None:
    shown = escape_invisible(text)
    assert escape_invisible(shown) == shown
    assert [rule for _, rule in oddities(shown) if rule != "homoglyph-mix"] == []
    assert all(c in "\t\r\n" or unicodedata.category(c) not in ("Cc", "Cs") for c in shown)


@pytest.mark.parametrize(
    ("key", "taken"),
    [("system/limits", "system"), ("System.x", "system"), ("developer", "developer"), ("provider:x", "provider"),
     ("agent/identity", "agent"), ("ｓystem/x", "system"), ("sys\u200btem/x", "system"), ("/agent", "agent"),
     ("agents/notes", None), ("systematic", None), ("project/system", None), ("deploy/agent-pool", None), ("", None)],
)  # fmt: skip
def test_keys_of_a_higher_authority_are_reserved(key: str, taken: str | None) -> None:
    assert reserved_namespace(key) == taken


def test_the_byte_order_mark_of_a_file_put_behind_another_stays_in_text_and_not_in_a_title() -> None:
    text = "\ufeffmark\nand\n\ufeffОсновные"
    assert screen(text, path="a.md", line=1) == []
    assert escape_invisible(text) == text
    assert [found.severity for found in screen("\ufeffTitle", path="a.md", strict=True)] == ["error"]
