"""Lines that are cited are there: in the raw copy, the file, the output or the page they are said to stand in."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from person import Person


@pytest.fixture
def person(tmp_path: Path) -> Person:
    person = Person(tmp_path)
    person.write("docs/release.md", "# Releases\n\nThey are cut\nfrom main.\n\n")
    person.write("src/retry.py", "def retry():\n    pass\n")
    person.do("ingest", "docs/release.md")
    return person


def raw(person: Person) -> str:
    return str(person.json("raw", "list")["data"]["raw"][0]["handle"])


def proposed(person: Person, evidence: str, status: int = 0) -> dict[str, Any]:
    told = person.json("candidates", "propose", "Cut from main.", "--evidence", evidence, status=status)
    return dict(told["data"]["proposals"][0])


@pytest.mark.parametrize("span", ["L6", "L5-L50", "L4-L3"])
def test_a_proposal_cites_lines_that_are_there(person: Person, span: str) -> None:
    handle = raw(person)
    for ref in ("docs/release.md", handle):
        told = proposed(person, f"{ref}#{span}", status=4)
        assert (told["outcome"], told["message"]) == ("refused", f"{ref} has 5 lines, not {span}")
    assert proposed(person, "docs/release.md#L5")["outcome"] == "proposed"
    assert proposed(person, f"{handle}#L3-L4")["outcome"] == "proposed"


def test_they_are_those_of_the_copy_that_was_kept(person: Person) -> None:
    person.write("docs/release.md", "# Releases\n")
    assert proposed(person, "docs/release.md#L5")["outcome"] == "proposed"
    person.write("docs/release.md", "line\n" * 60)
    assert proposed(person, "docs/release.md#L50", status=4)["outcome"] == "refused"


@pytest.mark.parametrize("part", ["foo", "L0"])
@pytest.mark.parametrize("file", ["src/retry.py", "docs/release.md"])
def test_what_names_no_lines_is_refused(person: Person, file: str, part: str) -> None:
    told = proposed(person, f"{file}#{part}", status=4)
    assert told["message"] == f"#{part} names no lines of {file}"
    assert f"{file}#L3-L9" in told["hint"]


def test_a_locator_that_was_printed_cites_what_it_was_printed_for(person: Person) -> None:
    person.do("wiki", "add", "storage.md", stdin=b"# Storage\n\n## Where\n\nIn one table.\n")
    printed = person.run("context", "table").out.split("\n- ")[1].partition("\n")[0]
    assert re.fullmatch(r"storage\.md#L[0-9]+@[0-9a-f]{8}", printed)
    fact = person.json("confirm", person.preview("add", "One table.", "--source", printed))["data"]["receipt"]
    (source,) = person.json("facts", "show", fact["subjects"][0])["data"]["versions"][0]["sources"]
    assert f"{source['ref']}#{source['span']}" == f"wiki:{printed.partition('@')[0]}"
    assert source["digest"]
    assert proposed(person, printed)["outcome"] == "proposed"
    person.do("wiki", "edit", "storage.md", stdin=b"# Storage\n\n## Where\n\nIn two tables.\n")
    told = proposed(person, printed, status=4)
    assert (told["code"], told["message"]) == (
        "evidence-changed",
        f"wiki:{printed.partition('@')[0]} is not what {printed[-9:]} was printed for",
    )


@pytest.mark.parametrize("name", ["storage.md", "hosts/C# 主机.md"])
def test_a_page_is_cited_as_search_prints_it(person: Person, name: str) -> None:
    person.write(f".aiwg/wiki/{name}", "# Storage\n\nIn one table.\n")
    printed = person.json("search", "table")["data"]["hits"][0]["locator"]
    assert printed == f"{name}#L3"
    for said in (printed, name):
        diff = person.json("add", "One table.", "--source", said)["data"]
        assert diff["findings"] == []
        assert f'"ref":"wiki:{name.replace("#", "%23")}"' in diff["diff"]
    person.write(name, "# Another, in the project\n")
    assert '"ref":"wiki:' not in person.json("add", "One table.", "--source", name)["data"]["diff"]


def test_what_was_ingested_by_a_name_is_meant_before_a_page_of_that_name(person: Person) -> None:
    person.write(".aiwg/wiki/docs/release.md", "# Releases\n\nA page.\n")
    (person.root / "docs/release.md").unlink()
    diff = person.json("add", "Cut from main.", "--source", "docs/release.md#L3")["data"]["diff"]
    assert '"ref":"docs/release.md"' in diff


@pytest.mark.parametrize("ending", ["", "#L1", "#L1-L2"])
def test_a_digest_behind_a_file_has_to_be_its_own(person: Person, ending: str) -> None:
    lines = (person.root / "src/retry.py").read_bytes().splitlines(keepends=True)
    data = b"".join(lines[:1] if ending == "#L1" else lines)
    said = hashlib.sha256(data).hexdigest()
    for right in (said, said[:8], f"sha256:{said}"):
        person.json("add", "One try.", "--source", f"src/retry.py{ending}@{right}")
    done = person.run("add", "One try.", "--source", f"src/retry.py{ending}@{'0' * 8}")
    assert (done.status, "is not what @00000000 was printed for" in done.err) == (2, True)


@pytest.mark.parametrize("store", [("add", "Cut from main."), ("canon", "set", "project-fact/branch", "main")])
def test_a_source_has_the_lines_it_is_cited_for(person: Person, store: tuple[str, ...]) -> None:
    person.do("canon", "init")
    for ref in ("docs/release.md", raw(person)):
        done = person.run(*store, "--source", f"{ref}#L50")
        assert done.status == 2
        assert f"{ref} has 5 lines, not L50" in done.err
    assert person.json(*store, "--source", "docs/release.md#L5", status=0)["data"]["findings"] == []


@pytest.mark.parametrize("store", [("add", "Cut from main."), ("canon", "set", "project-fact/branch", "main")])
def test_a_source_that_names_nothing_here_is_kept_and_said(person: Person, store: tuple[str, ...]) -> None:
    """It may be a path of the past, or of another checkout."""
    person.do("canon", "init")
    for ref in ("docs/gone.md", "src/retry.py#foo", "lm_0123456789abcdef", "ctx:project-fact/none"):
        (found,) = person.json(*store, "--source", ref)["data"]["findings"]
        assert (found["rule"], found["severity"], found["path"]) == ("source-missing", "warning", ref)
    told = person.json(*store, "--source", "https://example.org/release", "--source", "src/retry.py")
    assert told["data"]["findings"] == []


def test_one_is_shown_in_words_with_how_its_evidence_stands(person: Person) -> None:
    handle = proposed(person, "docs/release.md#L3-L4")["candidate_id"]
    person.json("candidates", "propose", "Again.", "--evidence", "src/retry.py#L1")
    other = proposed(person, "src/retry.py")["candidate_id"]
    out = person.run("candidates", "show", handle).out
    assert out.startswith(f"{handle}@1:")
    assert "\n  Cut from main.\n  pending, type discovery, scope global" in out
    assert "\n  rests on docs/release.md#L3-L4: there\n" in out
    person.do("accept", handle)
    person.do("promote", handle, "--to", "line-memory")
    (person.root / "src/retry.py").unlink()
    out = person.run("candidates", "show", handle).out
    assert "\n  accepted, " in out
    assert "\n  became lm_" in out
    assert out.count("\n  version ") == len(person.json("candidates", "show", handle)["data"]["versions"])
    assert "\n  rests on src/retry.py: vanished\n" in person.run("candidates", "show", other).out + "\n"


def test_known_already_says_with_this_evidence_only_where_some_was_given(person: Person) -> None:
    (fact,) = person.do("add", "Cut from main.", "--source", "src/retry.py")["subjects"]
    assert proposed(person, "src/retry.py")["message"] == f"already known as {fact}, with this evidence"
    (told,) = person.json("candidates", "propose", "Cut from main.")["data"]["proposals"]
    assert told["message"] == f"already known as {fact}"
