"""A handle or a locator names something and says nothing: it is no text of a fact or a proposal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from person import Person

from aiwg_memory.core.naming import names_alone

NAMES = (
    "lm_0123456789abcdef", "raw_0123", "cand_0123456789abcdef", "out_0123456789ab", "ctx:project-fact/catalog.engine",
    "ctx:project-fact/catalog.engine:v3", "wiki:storage/hosted.md#limits", "a.py#L4-L5", "docs/a.md#L3@0123abcd",
)  # fmt: skip
SAYINGS = (
    "lm_x", "wiki: a place to write", "See ctx:project-fact/catalog.engine.", "C#", "issue #L", "raw_material", "ctx:",
    "src/retry.py", "The limit is in src/retry.py#L4",
)  # fmt: skip


@pytest.mark.parametrize("text", NAMES)
def test_a_name_alone(text: str) -> None:
    assert names_alone(text)
    assert names_alone(f" {text}\n")


@pytest.mark.parametrize("text", SAYINGS)
def test_what_says_something(text: str) -> None:
    assert not names_alone(text)


@given(st.sampled_from(NAMES), st.from_regex(r"[a-z]+", fullmatch=True))
def test_a_word_beside_it_says_something(name: str, word: str) -> None:
    assert not names_alone(f"{word} {name}")
    assert not names_alone(f"{name} {word}")


@pytest.mark.parametrize("name", ["lm_0123456789abcdef", "ctx:project-fact/catalog.engine"])
def test_it_is_refused_with_the_option_that_was_meant(tmp_path: Path, name: str) -> None:
    person = Person(tmp_path)
    (fact,) = person.do("add", "The catalogue is kept in SQLite.")["subjects"]
    before = person.files()
    for words, option in ((("add",), "--source"), (("facts", "supersede", fact), "--by")):
        error = person.json(*words, name, status=2)["error"]
        assert f"{name} names something and says nothing" in error["message"]
        assert f"{option} {name}" in error["hint"]
    (told,) = person.json("candidates", "propose", name, status=4)["data"]["proposals"]
    assert told["outcome"] == "refused"
    assert f"--evidence {name}" in told["hint"]
    assert person.files() == before
