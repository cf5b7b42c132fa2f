"""Reports name what is not public by handle and digest only, whatever is asked of them and in whatever format."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from person import Person

MARK = {"public": "quokka", "internal": "walrus", "private": "ocelot"}
"""A word that stands in every text and reason of that classification, and nowhere else."""


class Made(NamedTuple):
    person: Person
    handles: dict[str, tuple[str, ...]]
    first: str


def page(kind: str, body: str) -> str:
    said = f"title: The {MARK[kind]}\nclassification: {kind}\nsources:\n  - ref: notes.txt\n"
    return f"---\n{said}---\n# An animal\n\n{body}\n"


def commit(person: Person, day: int) -> str:
    person.git("add", "-A")
    person.git("commit", "-q", "--no-verify", "-m", "change")
    person.environment["AIWG_MEMORY_NOW"] = f"2026-02-{day:02d}T08:00:00Z"
    return person.git("rev-parse", "HEAD").strip()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Of each classification a fact that was reworded, one that was rejected, a page, a key and a candidate."""
    person = Person(tmp_path_factory.mktemp("privacy"))
    person.write("notes.txt", "Said.\n")
    person.do("canon", "init")
    handles = {}
    for kind, word in MARK.items():
        said = ("--classification", kind, "--source", "notes.txt")
        old, kept = person.do("add", *said, f"The {word} sleeps.", f"A {word} eats leaves.")["subjects"]
        person.write("../draft.md", page(kind, f"The {word} is shy."))
        person.do("wiki", "add", f"{kind}.md", "--file", "../draft.md")
        keys = [f"project-fact/{kind}"]
        if kind != "private":
            person.do("canon", "set", "--classification", kind, keys[0], f"One {word}")
        handles[kind] = (old, kept, f"wiki:{kind}.md", *(f"ctx:{key}" for key in keys if kind != "private"))
    first = commit(person, 2)
    for kind, word in MARK.items():
        old, kept, *_ = handles[kind]
        person.do("facts", "supersede", old, f"The {word} wakes.", "--reason", f"the {word} was seen")
        person.do("facts", "reject", kept, "--reason", f"no {word} does")
        person.write("../draft.md", page(kind, f"The {word} is bold."))
        person.do("wiki", "edit", f"{kind}.md", "--file", "../draft.md")
        if kind != "private":
            person.do(
                "canon", "set", "--acknowledge", "v1", f"project-fact/{kind}", f"Two {word}", "--classification", kind
            )
        told = {
            "type": "task",
            "assertion": f"Feed the {word}.",
            "classification": kind,
            "evidence": [{"ref": "notes.txt"}],
        }
        person.json("candidates", "propose", stdin=json.dumps(told).encode())
    person.write(".aiwg/memory/line-memory.txt", "The walrus sleeps.\n")
    person.write(".aiwg/wiki/public.md", page("public", "See [there](gone.md)."))
    person.git("mv", "notes.txt", "said.txt")
    person.git("add", "-A")
    return Made(person, handles, first)


REPORTS = [
    ("diff", "FIRST"),
    ("diff", "--staged"),
    ("diff", "FIRST", "--format", "markdown"),
    ("blame", "EACH"),
    ("log", "EACH"),
]
DESK = [("lineage", "show", "EACH"), ("lineage", "show", "notes.txt"), ("lineage", "affected", "notes.txt")]
CHECKS = [("check",), ("check", "--all"), ("check", "--staged"), ("check", "--format", "github")]


def printed(made: Made, words: tuple[str, ...], *more: str) -> str:
    """All that a report prints, as text and as JSON; ``EACH`` is asked for every handle."""
    out = ""
    handles = [one for group in made.handles.values() for one in group] if "EACH" in words else [""]
    for handle in handles:
        asked = [{"EACH": handle, "FIRST": made.first}.get(word, word) for word in words]
        for how in ((),) if "--format" in asked else ((), ("--json",)):
            done = made.person.run(*asked, *more, *how)
            assert done.status in (0, 1), done
            assert "Traceback" not in done.err
            out += done.out + done.err
    return out


@pytest.mark.parametrize("words", REPORTS, ids=" ".join)
def test_a_report_shows_internal_texts_when_asked_and_private_ones_never(made: Made, words: tuple[str, ...]) -> None:
    quiet = printed(made, words)
    assert [kind for kind, word in MARK.items() if word in quiet and kind != "public"] == []
    asked = printed(made, words, "--show-internal")
    assert MARK["private"] not in asked
    if words[0] != "blame":
        assert MARK["internal"] in asked


@pytest.mark.parametrize("words", DESK, ids=" ".join)
def test_what_rests_on_what_is_told_in_words_but_for_what_is_private(made: Made, words: tuple[str, ...]) -> None:
    out = printed(made, words)
    assert MARK["internal"] in out
    assert MARK["private"] not in out


@pytest.mark.parametrize("words", CHECKS, ids=" ".join)
def test_a_finding_quotes_no_item(made: Made, words: tuple[str, ...]) -> None:
    out = printed(made, words)
    assert [word for kind, word in MARK.items() if word in out and kind != "public"] == []
