"""What a fact's text is, and when two facts say the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.addons.line_memory.text import HANDLE, handle_of, initial, near_key, normalise


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("  two   words ", "two words"),
        ("tab\there\nand\r\nthere", "tab here and there"),
        ("wide\u3000space and\u00a0no-break", "wide space and no-break"),
        ("测试数据库每晚重建。", "测试数据库每晚重建。"),
        ("Сборка идёт ночью", "Сборка идёт ночью"),
        ("قاعدة البيانات تُبنى ليلاً", "قاعدة البيانات تُبنى ليلاً"),
        ("빌드는 밤에 돈다 🚀", "빌드는 밤에 돈다 🚀"),
        ("x" * 500, "x" * 500),
        ("😀" * 500, "😀" * 500),
    ],
)
def test_whitespace_becomes_one_space_and_nothing_else_changes(raw: str, text: str) -> None:
    assert normalise(raw, 500) == text


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "at least one"),
        (" \t\n\u3000", "at least one"),
        ("a\x00b", "control"),
        ("a\x1bb", "control"),
        ("a\x1cb", "control"),
        ("a\x85b", "control"),
        ("a\x7fb", "control"),
        ("a\ud800b", "control"),
        ("x" * 501, "1 to 500 characters; this one has 501"),
    ],
)
def test_what_is_no_fact_is_refused_in_words(raw: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        normalise(raw, 500)


@settings(max_examples=150)
@given(st.text(min_size=1, max_size=40))
def test_normalising_twice_changes_nothing_and_the_handle_is_that_of_the_text(raw: str) -> None:
    try:
        text = normalise(raw, 500)
    except ValueError:
        return
    assert normalise(text, 500) == text
    assert text.encode().decode() == text
    assert HANDLE.match(handle_of(text))
    near_key(text)


SAME = [
    ("Use tabs.", "use TABS"),
    ("Use tabs, not spaces!", "use tabs not spaces"),
    ("“Quoted” words", '"quoted" words'),
    ("The flag `--fast` is off", "the flag --fast is off."),
    ("Straße", "STRASSE"),
    ("Ｆｕｌｌ ｗｉｄｔｈ", "full width"),
    ("测试数据库每晚重建。", "测试数据库每晚重建"),
    ("ДАННЫЕ хранятся здесь", "данные хранятся здесь."),
    ("هل تعمل؟", "هل تعمل"),
    ("빌드는 밤에 돈다.", "빌드는 밤에 돈다"),
    ("e\u0301te\u0301", "été"),
    ("Wait… what?", "wait what"),
]
DIFFERENT = [
    ("Write it in C", "Write it in C++"),
    ("Write it in C", "Write it in C#"),
    ("retries >= 5", "retries < 5"),
    ("retries >= 5", "retries > 5"),
    ("the limit is 5", "the limit is -5"),
    ("the limit is 10²", "the limit is 102"),
    ("take 1½", "take 11⁄2"),
    ("Do not retry", "Do retry"),
    ("never deploy on Friday", "deploy on Friday"),
    ("runs on .NET", "runs on net"),
    ("if !ready wait", "if ready wait"),
    ("a == b", "a != b"),
    ("costs 5%", "costs 5"),
    ("costs $5", "costs €5"),
    ("version 1.2", "version 12"),
    ("a/b", "ab"),
    ("we like it 👍", "we like it 👎"),
    ("数据库每天重建", "数据库每晚重建"),
    ("не удалять", "удалять"),
]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_case_form_and_punctuation_make_no_other_claim(one: str, two: str) -> None:
    assert near_key(one) == near_key(two)
    assert handle_of(one) != handle_of(two)


@pytest.mark.parametrize(("one", "two"), DIFFERENT)
def test_symbols_and_words_that_change_the_meaning_are_kept(one: str, two: str) -> None:
    assert near_key(one) != near_key(two)


@pytest.mark.parametrize("pair", SAME)
def test_texts_that_make_one_claim_begin_alike(pair: tuple[str, str]) -> None:
    assert initial(pair[0]) == initial(pair[1]) != ""


@given(st.text("aAzZ09 .,;:!?'\"`()[]{}-+<>=_%$#@^~|&*/\\ß½é测", max_size=12))
def test_how_a_text_begins_is_how_its_claim_begins(text: str) -> None:
    key = near_key(text)
    assert initial(text) == next((one for one in key if one.isalnum()), "")
