"""`why` and `explain`: what an item may be called, and what the reasons mean."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from person import Person

from aiwg_memory.core.codes import meaning

PAGE = (
    b"# Import catalog\n\n## Where it lives\n\nThe catalog is one file.\n"
    b"\n## How it grows\n\nThe catalog grows daily.\n"
)


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    ada = Person(tmp_path)
    ada.do("wiki", "add", "storage/catalog.md", stdin=PAGE)
    ada.do("add", "Import receipts are kept for ninety days.")
    ada.do("add", "Builds run on Linux.")
    ada.run("context", "where is the catalog, and how long are receipts kept")
    return ada


def test_every_name_that_was_printed_is_a_name_for_why(ada: Person) -> None:
    pack = ada.run("context", "where is the catalog, and how long are receipts kept").out
    # A further passage of one page is printed with its lines alone.
    printed = re.findall(r"^- ([^\s#]\S*)$", pack, re.MULTILINE)
    listed = re.findall(r"^ *\d+\. (\S+)", ada.run("search", "catalog receipts").out, re.MULTILINE)
    assert len(printed) + 1 == len(listed) == 3
    for name in (*printed, *listed):
        assert ada.json("why", name)["data"]["decision"] == "delivered", name


def test_a_page_stands_for_its_passages_and_a_line_for_the_one_it_is_in(ada: Person) -> None:
    for name in ("storage/catalog.md", "wiki:storage/catalog.md", ".aiwg/wiki/storage/catalog.md"):
        told = ada.json("why", name)["data"]
        assert [told["decision"], *(each["decision"] for each in told["others"])] == ["delivered"] * 2
    locator = ada.json("search", "grows")["data"]["hits"][0]["locator"]
    assert ada.json("why", locator)["data"]["locator"] == locator
    assert "others" not in ada.json("why", locator)["data"]


def test_what_is_stored_and_matched_nothing_is_told_from_what_does_not_exist(ada: Person) -> None:
    handles = {each["text"]: each["handle"] for each in ada.json("facts", "list")["data"]["facts"]}
    assert "no word of it answered the task" in ada.run("why", handles["Builds run on Linux."]).out
    assert "delivered" in ada.run("why", handles["Import receipts are kept for ninety days."][3:11]).out
    for name in ("nonsense", "lm_deadbeef", "storage/nothing.md", "storage/catalog.md#L900", ""):
        value = ada.json("why", name, status=2)
        assert value["error"]["code"] == "not-found", name
        assert "explain pack_" in value["error"]["hint"]


def test_history_is_said_to_be_history(ada: Person) -> None:
    receipt = ada.do("add", "Tests run on every push.")
    ada.do("facts", "archive", receipt["subjects"][0])
    assert "it is archived, and history is not delivered" in ada.run("why", receipt["subjects"][0]).out


def test_what_is_never_delivered_says_so(ada: Person) -> None:
    """Raw evidence, outputs and candidates are no items, and neither is a canonical value or a page that ended."""
    ada.write("notes.md", b"The catalog is one file.\n")
    (raw,) = ada.do("ingest", "notes.md")["subjects"]
    pack = ada.json("context", "where is the catalog")["data"]["pack"]["id"]
    ada.write("output/report.md", b"One file.\n")
    (output,) = ada.do("outputs", "register", "output/report.md", "--pack", pack)["subjects"]
    proposal = b'{"type": "decision", "assertion": "One file.", "evidence": [{"ref": "notes.md"}]}'
    proposed = ada.json("candidates", "propose", stdin=proposal)["data"]["proposals"]
    ada.do("candidates", "share", proposed[0]["candidate_id"])
    ada.do("canon", "init")
    ada.do("canon", "set", "decision/catalog", "One file.")
    ada.do("canon", "revoke", "decision/catalog")
    ada.do("wiki", "revoke", "storage/catalog.md")
    ada.run("context", "how long are receipts kept")
    for handle, said in (
        (raw, "raw evidence is kept, and never delivered"),
        (output, "an output is never delivered"),
        (proposed[0]["candidate_id"], "a candidate is delivered only as what it is promoted to"),
        ("ctx:decision/catalog", "it is revoked, and history is not delivered"),
        ("wiki:storage/catalog.md", "it is revoked, and history is not delivered"),
    ):
        assert said in ada.run("why", handle).out, handle


def test_a_beginning_that_fits_several_is_refused_with_them(ada: Person) -> None:
    for number in range(2):
        ada.do("wiki", "add", f"deploy-{number}.md", stdin=b"# Deploy\n\nNothing else.\n")
    done = ada.run("why", "wiki:deploy")
    assert done.status == 2
    assert "wiki:deploy-0.md" in done.err
    assert "wiki:deploy-1.md" in done.err


def test_every_code_a_pack_gives_is_explained(ada: Person) -> None:
    told = ada.json("explain", "--codes")["data"]["codes"]
    assert {"ranked", "no-room", "below-floor", "duplicate-claim", "pending-policy", "trust 3"} <= set(told)
    assert meaning("wiki-cap")
    pack = ada.json("context", "catalog", "--budget", "260")["data"]["pack"]
    out = ada.run("explain", pack["id"]).out
    for code in pack["excluded_counts"]:
        assert f"{code}: {meaning(code)}" in out
    assert ada.run("explain").out == out
    assert ada.run("explain", pack["id"], "--codes").status == 2


def test_the_record_of_a_delivery_names_locators(ada: Person) -> None:
    rows = (ada.root / ".aiwg/.local/deliveries.jsonl").read_text().splitlines()
    assert all("#L" in each["locator"] for each in json.loads(rows[-1])["items"] if each["layer"] == "wiki")


def test_without_a_name_the_last_pack_is_meant(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.", "Tests run on every push.")
    ada.run("context", "builds")
    printed = ada.run("context", "tests").out
    assert ada.run("pack", "show").out == printed
    assert ada.run("pack", "verify").out.endswith(": match\n")
