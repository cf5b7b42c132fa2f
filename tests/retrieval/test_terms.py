"""What words of every kind and script are called in the index."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.ranking.common import COMMON
from aiwg_memory.core.ranking.stem import stem
from aiwg_memory.core.ranking.text import LONGEST, fold, terms

SAME = [
    ("the retries are retried", "retry"),
    ("migrations were running", "migration run"),
    ("connected connections", "connect"),
    ("caches", "cache"),
    ("Straße", "STRASSE"),
    ("naïve café", "naive cafe"),
    ("Ｆｕｌｌ ｗｉｄｔｈ", "full width"),
    ("ЁЛКА", "елка"),
    ("the server's port", "server port"),
    ("Beyoncé’s", "beyonce"),
]

PARTS = [
    ("parseHTTPHeader", {"pars", "http", "header", "parsehttpheader"}),
    ("retry_policy", {"retri", "polici", "retrypolicy"}),
    ("retry-policy", {"retri", "polici", "retrypolicy"}),
    ("src/net/retry.py", {"src", "net", "retri", "py", "srcnetretrypy"}),
    ("aiwg.core.Unit", {"aiwg", "core", "unit", "aiwgcoreunit"}),
    ("MAX_RETRIES", {"max", "retri", "maxretries"}),
    ("--dry-run", {"dry", "run", "dryrun"}),
    ("sha256", {"sha", "256", "sha256"}),
    ("C++", {"c", "c++"}),
    ("C#", {"c", "c#"}),
    ("v1.2.3", {"1.2.3", "1.2"}),
    ("python3.11", {"python", "3.11", "python3.11"}),
    ("2024-05-06", {"2024-05-06", "2024"}),
    ("lm_3f9c2a11b0de4455", {"lm", "3f9c2a11b0de4455", "lm3f9c2a11b0de4455"}),
]

SCRIPTS = [
    ("数据库", ["数据", "据库"]),
    ("猫", ["猫"]),
    ("データ", ["デー", "ータ"]),
    ("안녕하세요", ["안녕", "녕하", "하세", "세요"]),
    ("ภาษาไทย", ["ภาษ", "าษา", "ษาไ", "าไท", "ไทย"]),
    ("привет", ["при", "рив", "иве", "вет"]),
    ("дом", ["дом"]),
    ("مرحبا", ["مرح", "رحب", "حبا"]),
    ("مَرْحَبًا", ["مرح", "رحب", "حبا"]),
    ("नमस्ते", ["नमस", "मस्", "स्त", "्ते"]),
    ("घर।", ["घर"]),
    ("ที่", ["ที่"]),
    ("север-юг", ["сев", "еве", "вер", "юг"]),
    ("می‌رود", ["میر", "یرو", "رود"]),
    ("使用Python的", ["使用", "python", "的"]),
    ("łódź", ["łodz"]),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_and_inflections_of_one_word_meet(one: str, other: str) -> None:
    assert set(terms(other)) <= set(terms(one))


@pytest.mark.parametrize(("run", "expected"), PARTS)
def test_an_identifier_is_found_whole_and_by_its_parts(run: str, expected: set[str]) -> None:
    assert set(terms(run)) == expected


@pytest.mark.parametrize(("text", "expected"), SCRIPTS)
def test_scripts_without_spaces_or_stemmer_are_cut_into_grams(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("one", "other"), [("retryPolicy", "retry_policy"), ("RetryPolicy", "retry-policy"), ("e-mail", "email")]
)
def test_the_ways_of_joining_words_meet(one: str, other: str) -> None:
    assert set(terms(one)) & set(terms(other)) - {"e", "mail", "retri", "polici"}


@pytest.mark.parametrize(("one", "other"), [("C++", "C"), ("C#", "C"), ("1.2.3", "1.2.4"), ("v1.2", "v1.3")])
def test_what_a_symbol_or_digit_tells_apart_stays_apart(one: str, other: str) -> None:
    assert set(terms(one)) != set(terms(other))


@pytest.mark.parametrize("text", ["", " \n\t", "... --- !!!", "\u200b\u200d"])
def test_no_words_no_terms(text: str) -> None:
    assert terms(text) == []


@pytest.mark.parametrize(
    ("word", "expected"),
    # From the paper's own examples.
    [
        ("caresses", "caress"), ("ponies", "poni"), ("agreed", "agre"), ("plastered", "plaster"), ("hopping", "hop"),
        ("falling", "fall"), ("filing", "file"), ("happy", "happi"), ("sky", "sky"), ("relational", "relat"),
        ("rational", "ration"), ("digitizer", "digit"), ("operator", "oper"), ("hopefulness", "hope"),
        ("triplicate", "triplic"), ("electrical", "electr"), ("adoption", "adopt"), ("probate", "probat"),
        ("controlling", "control"), ("rolling", "roll"), ("bed", "bed"), ("is", "is"),
    ],
)  # fmt: skip
def test_english_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


@settings(max_examples=150)
@given(st.text(max_size=200))
def test_any_text_gives_bounded_terms_and_folds_once(text: str) -> None:
    found = terms(text)
    assert all(term and len(term) <= LONGEST + 2 for term in found)
    assert fold(fold(text)) == fold(text)


def test_a_megabyte_without_a_space_is_no_trouble() -> None:
    assert len(terms("a" * 1_000_000)) == 0
    assert len(terms("数" * 100_000)) == 99_999
    assert terms("Ab0" * 100_000)


def test_common_words_are_listed_as_they_are_looked_up() -> None:
    assert {word for word in COMMON if fold(word) != word} == set()
    assert COMMON.isdisjoint({"die", "war", "man", "bin", "pour", "son", "sin", "go", "c"})
