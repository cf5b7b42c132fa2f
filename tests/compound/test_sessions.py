"""One project over several sittings: evidence, facts and a page make a pack, and an output is held to that pack."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from shore import FACTS, LETTER, OLD, REVIEW, TASK, Shore


@pytest.fixture(scope="module")
def shore(tmp_path_factory: pytest.TempPathFactory) -> Shore:
    """The first sitting: set up, keep the sources, add the facts, commit."""
    shore = Shore.begun(tmp_path_factory.mktemp("shore") / "project")
    shore.do("init")
    shore.do("ingest", "sources")
    shore.do("add", *FACTS[:2], "--source", "sources/review.md")
    shore.do("add", stdin="\n".join(FACTS[2:]))
    shore.commit("collect")
    return shore


def test_sources_are_kept_byte_for_byte_and_once(shore: Shore) -> None:
    copies = sorted(path.read_text("utf-8") for path in (shore.root / ".aiwg/wiki/raw").iterdir())
    assert copies == sorted([REVIEW, LETTER])
    assert (shore.root / "sources/review.md").read_text("utf-8") == REVIEW
    again = shore.ask("ingest", "sources")["data"]
    assert (again["changes"], len(again["duplicates"])) == ([], 2)


def test_two_facts_that_differ_in_a_symbol_are_two(shore: Shore) -> None:
    texts = [fact["text"] for fact in shore.ask("facts", "list")["data"]["facts"]]
    assert sorted(texts) == sorted(FACTS)


def test_the_pack_holds_what_answers_the_task_and_nothing_else(shore: Shore) -> None:
    pack = shore.pack(TASK)["pack"]
    items = [item["handle"].partition("#")[2] or item["text"] for item in pack["items"]]
    wanted = ("sailing-times-sailing-times-at-start", "sailing-times-cancelled-sailings", *FACTS[:2])
    assert len(items) == 4
    assert all(any(item.startswith(want) for item in items) for want in wanted)


def test_every_form_of_the_pack_is_bounded_and_the_same_each_time(shore: Shore) -> None:
    first = shore.pack(TASK)
    for form in ("markdown", "xml", "json"):
        text = shore.run("context", TASK, "--budget", "1200", "--format", form)
        assert len(text) <= 1200
        assert text == shore.run("context", TASK, "--budget", "1200", "--format", form)
        assert "password" not in text
        assert OLD.splitlines()[-1] not in text
        assert shore.pack(TASK, "--format", form)["pack"]["id"] == first["pack"]["id"]


def test_a_task_in_another_language_finds_the_fact_in_that_language_first(shore: Shore) -> None:
    assert shore.pack("Bis wann gilt der Winterfahrplan?")["pack"]["items"][0]["text"] == FACTS[3]


@pytest.fixture(scope="module")
def registered(shore: Shore) -> tuple[Shore, str, str]:
    """The second sitting: an output is made with a pack, registered, committed; its handle and its pack."""
    pack = shore.pack(TASK)["pack"]["id"]
    shore.write("output/notice.md", "# What passengers are told\n\nKeep your ticket: the number stays.\n")
    (handle,) = shore.do("outputs", "register", "output/notice.md", "--pack", pack[:20])["subjects"]
    shore.commit("use")
    return shore, handle, pack


def test_registering_leaves_the_file_and_promotes_nothing(registered: tuple[Shore, str, str]) -> None:
    shore, handle, pack = registered
    told = shore.ask("outputs", "show", handle[:12])["data"]["output"]
    assert shore.ask("outputs", "show", told["path"])["data"]["output"] == told
    assert (told["path"], told["media_type"], told["file"]) == ("output/notice.md", "text/markdown", "unchanged")
    assert (told["classification"], told["pack"]["id"]) == ("derived", pack)
    assert len(told["sources"]) == 4
    assert shore.ask("search", "passengers keep your ticket number")["data"]["hits"] != []
    hits = shore.ask("search", "what passengers are told")["data"]["hits"]
    assert all(not hit["handle"].startswith("out_") for hit in hits)
    assert len(shore.ask("facts", "list")["data"]["facts"]) == len(FACTS)


def test_the_same_registration_again_is_a_duplicate(registered: tuple[Shore, str, str]) -> None:
    shore, handle, pack = registered
    told = shore.ask("outputs", "register", "output/notice.md", "--pack", pack)["data"]
    assert told["changes"] == []
    assert [note["subject"] for note in told["duplicates"]] == [handle]


def test_anyone_with_the_repository_can_verify_the_pack(registered: tuple[Shore, str, str], tmp_path: Path) -> None:
    shore, handle, pack = registered
    shore.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = Shore(tmp_path / "clone")
    clone.git("config", "user.name", "Lin")
    clone.git("config", "user.email", "lin@example.org")
    clone.do("add", "The quay lamps are lit at dusk.")
    assert clone.ask("pack", "verify", pack[:20])["data"]["verdict"] == "match"
    (row,) = clone.ask("outputs", "verify")["data"]["outputs"]
    assert (row["handle"], row["file"], row["verdict"]) == (handle, "unchanged", "match")


def test_a_pack_is_found_again_after_its_commits_were_squashed(
    registered: tuple[Shore, str, str], tmp_path: Path
) -> None:
    shore, _, pack = registered
    squashed = Shore(tmp_path / "squashed")
    shutil.copytree(shore.root, squashed.root, ignore=shutil.ignore_patterns(".git", ".local"))
    squashed.git("init", "-q", "-b", "main")
    squashed.git("config", "user.name", "Lin")
    squashed.git("config", "user.email", "lin@example.org")
    squashed.commit("all of it at once")
    squashed.do("add", "The quay lamps are lit at dusk.")
    assert squashed.ask("pack", "verify", pack[:20])["data"]["verdict"] == "match"


def test_check_finds_no_error(registered: tuple[Shore, str, str]) -> None:
    shore, _, _ = registered
    findings = shore.ask("check", "--all")["data"]["findings"]
    assert [one for one in findings if one["severity"] == "error"] == []


def test_on_the_last_day_the_first_pack_still_comes_out_the_same(registered: tuple[Shore, str, str]) -> None:
    """The third sitting: canonical context wins over the facts, an output takes the place of another."""
    shore, handle, pack = registered
    facts = {one["text"]: one["handle"] for one in shore.ask("facts", "list")["data"]["facts"]}
    shore.do("canon", "init")
    shore.do(
        "canon", "set", "project-fact/sailing.times", "Read from the timetable service.", "--source", facts[FACTS[0]]
    )
    shore.commit("canonical context")
    items = shore.pack("Where are the sailing times read from?")["pack"]["items"]
    assert items[0]["layer"] == "canonical"
    assert {"facts", "wiki"} & {item["layer"] for item in items[1:]}
    later = shore.pack("Where are the sailing times read from?")["pack"]["id"]
    shore.write("output/notice.md", "# What passengers are told\n\nAsk the service.\n")
    shore.do("outputs", "register", "output/notice.md", "--pack", later, "--supersedes", handle[:12])
    shore.do("facts", "archive", facts[FACTS[2]])
    shore.commit("compound")
    assert shore.ask("pack", "verify", pack)["data"]["verdict"] == "match"
    rows = shore.ask("outputs", "list", "--all")["data"]["outputs"]
    assert sorted((row["status"], row["file"]) for row in rows) == [("active", "unchanged"), ("superseded", "changed")]
    (row,) = shore.ask("outputs", "verify")["data"]["outputs"]
    assert (row["file"], row["verdict"]) == ("unchanged", "match")
    findings = shore.ask("check", "--all")["data"]["findings"]
    assert [one for one in findings if one["severity"] == "error"] == []
