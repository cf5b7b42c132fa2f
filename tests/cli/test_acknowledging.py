"""What may be done all the same, once a person has named what stands against it: the refusal says the very option."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from person import Person

OTHER = "Tests run on every push."
TEXT = "Builds run on Linux."


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def revoked(ada: Person) -> str:
    handle: str = ada.do("add", TEXT)["subjects"][0]
    ada.do("facts", "revoke", handle)
    return handle


def typed_again(ada: Person) -> tuple[str, ...]:
    handle = revoked(ada)
    ada.write(".aiwg/memory/line-memory.txt", TEXT + "\n")
    return ("facts", "adopt", handle)


def superseding(ada: Person) -> tuple[str, ...]:
    revoked(ada)
    return ("facts", "supersede", ada.do("add", OTHER)["subjects"][0], TEXT)


def merging(ada: Person) -> tuple[str, ...]:
    revoked(ada)
    return ("facts", "merge", *ada.do("add", OTHER, "Releases are cut on Tuesdays.")["subjects"], "--into", TEXT)


def raw_again(ada: Person) -> tuple[str, ...]:
    ada.write("notes.md", "# Notes\n\nOne table.\n")
    handle = next(one for one in ada.do("ingest", "notes.md")["subjects"] if one.startswith("raw_"))
    ada.do("raw", "revoke", handle)
    return ("ingest", "notes.md")


def value(ada: Person) -> None:
    ada.do("canon", "init")
    ada.do("canon", "set", "project-fact/catalog.engine", "SQLite")


def another_value(ada: Person) -> tuple[str, ...]:
    value(ada)
    return ("canon", "set", "project-fact/catalog.engine", "PostgreSQL")


def revoked_value(ada: Person) -> tuple[str, ...]:
    value(ada)
    ada.do("canon", "revoke", "project-fact/catalog.engine")
    return ("canon", "rollback", "project-fact/catalog.engine", "--to", "1")


def imported_value(ada: Person) -> tuple[str, ...]:
    value(ada)
    bundle = ada.run("canon", "export").out
    ada.write("values.json", bundle)
    ada.do("canon", "set", "project-fact/catalog.engine", "PostgreSQL", "--acknowledge", "v1")
    return ("canon", "import", "values.json")


REQUESTS: dict[str, Callable[[Person], tuple[str, ...]]] = {
    "add": lambda ada: ("add", TEXT) if revoked(ada) else (),
    "facts adopt": typed_again,
    "facts restore": lambda ada: ("facts", "restore", revoked(ada)),
    "facts supersede": superseding,
    "facts merge": merging,
    "ingest": raw_again,
    "canon set": another_value,
    "canon rollback": revoked_value,
    "canon import": imported_value,
}


@pytest.mark.parametrize("name", REQUESTS)
def test_what_a_refusal_says_to_acknowledge_lets_it_through(ada: Person, name: str) -> None:
    words = REQUESTS[name](ada)
    first = ada.run(*words)
    said = re.search(r"--acknowledge ([^\s,;)]+)", first.out + first.err)
    assert said is not None, first
    assert ada.json("previews")["data"]["total"] == 0
    begun = said[1][:9] if said[1].startswith("lm_") else said[1]
    assert ada.do(*words, "--acknowledge", begun)["changes"]
