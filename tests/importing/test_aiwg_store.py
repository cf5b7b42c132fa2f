"""What is taken in of another tool's store: all of it once, pending, in the state it had, and its files untouched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from neighbour import BERTHS, OLD, PILOTS, TYPED, fact, records, sha, store, usual, value
from person import Person

from aiwg_memory.core.foreign import File
from aiwg_memory.core.foreign.aiwg import read

LATER = {"AIWG_MEMORY_NOW": "2026-01-31T09:00:00Z"}


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    person = Person(tmp_path)
    person.do("canon", "init")
    return person


def test_the_own_store_comes_in_whole_and_stays_byte_for_byte(ada: Person) -> None:
    usual(ada.root)
    before = ada.files()
    receipt = ada.do("import", "aiwg")
    assert {name: ada.files()[name] for name in before} == before
    assert [one["path"] for one in receipt["changes"] if one["before"] is not None] == []
    found = {one["digest"]: one for one in records(ada).values()}
    assert {found[sha(text)]["status"] for text in (BERTHS, PILOTS, TYPED)} == {"active"}
    assert all(one["review"] == "pending" for one in found.values())
    assert all(one["provenance"] == "import" for one in found.values())
    assert all(one["dependencies"]["state"] == "unknown" for one in found.values())
    assert found[sha(BERTHS)]["foreign_id"] == "lm_one"
    assert found[sha(BERTHS)]["sources"] == [{"ref": "docs/quay.md", "digest": None, "span": None}]
    assert "foreign_id" not in found[sha(TYPED)]
    assert BERTHS in ada.run("facts", "show", "lm_one").out, "it is found by the handle it had there"
    assert found[sha(BERTHS)]["origin"]["reviewers"] == ["harbour"]
    old = found[sha(OLD)]
    assert (old["status"], old["replacement"]) == ("superseded", found[sha(PILOTS)]["handle"])
    assert old["origin"]["disposition"]["reason"] == "moved"
    assert not (ada.root / f".aiwg/memory/facts/{old['handle'][3:]}.txt").exists()


def test_canonical_context_comes_in_with_its_history_and_an_expired_value_is_expired(ada: Person) -> None:
    usual(ada.root)
    ada.do("import", "aiwg")
    history = ada.json("canon", "history", "decision/ferry.day")["data"]
    told = [(one["version"], one["status"], one["value"], one["foreign_id"]) for one in history["versions"]]
    assert sorted(told) == [(1, "superseded", "Fridays", "ctx-1"), (2, "active", "Tuesdays", "ctx-2")]
    assert "expired" in ada.run("canon", "list").out
    output = next(iter(records(ada, "memory/outputs.d").values()))
    assert output["foreign_id"] == sha("registration")
    assert "cannot-rebuild" in ada.run("outputs", "verify").out


def test_a_second_run_takes_in_only_what_is_new(ada: Person) -> None:
    usual(ada.root)
    ada.do("import", "aiwg")
    again = ada.json("import", "aiwg", env=LATER)
    assert again["data"]["changes"] == []
    path = ada.root / ".aiwg/memory/line-memory.txt"
    path.write_text(path.read_text() + "Tickets are sold at the quay.\n")
    receipt = ada.do("import", "aiwg", env=LATER)
    assert [subject[:3] for subject in receipt["subjects"]] == ["lm_"]
    assert len(receipt["subjects"]) == 1


def test_what_a_person_stated_or_ended_here_stays_so(ada: Person) -> None:
    ada.do("add", BERTHS)
    ada.do("add", PILOTS)
    ada.do("facts", "revoke", next(handle for handle, one in records(ada).items() if one["digest"] == sha(PILOTS)))
    usual(ada.root)
    preview = ada.json("import", "aiwg", env=LATER)["data"]
    assert any("revoked here and stays so" in note["message"] for note in preview["conflicts"])
    ada.do("import", "aiwg", env=LATER)
    found = {one["digest"]: one for one in records(ada).values()}
    assert found[sha(PILOTS)]["status"] == "revoked"
    assert (found[sha(BERTHS)]["review"], found[sha(BERTHS)]["provenance"]) == ("confirmed", "operator")
    assert "dependencies" not in found[sha(BERTHS)], "what a person stated rests on nothing unknown"


def test_another_project_is_read_from_outside_and_its_pages_come_too(ada: Person) -> None:
    other = ada.base / "old"
    usual(other)
    page = other / ".aiwg/wiki/harbour/quay.md"
    page.parent.mkdir(parents=True)
    page.write_text(
        "---\nsource: sources/quay.md\nprovenance: operator\ndelivery: always\n---\n# Quay\n\nTwo berths.\n"
    )
    ada.do("import", "aiwg", "../old")
    text = (ada.root / ".aiwg/wiki/harbour/quay.md").read_text()
    assert "provenance: import" in text
    assert "always" not in text
    assert "source: sources/quay.md" in text
    assert str(ada.base) not in "".join(
        data.decode("utf-8", "replace") for name, data in ada.files().items() if name.startswith(".aiwg/")
    )


def test_an_import_can_be_undone_and_the_other_tools_file_keeps_its_lines(ada: Person) -> None:
    usual(ada.root)
    usual(ada.base / "old")
    before = ada.files()
    receipt = ada.do("import", "aiwg")
    ada.do("undo", receipt["seg"], env=LATER)
    assert {name: ada.files()[name] for name in before} == before
    told = {one["text"]: one["provenance"] for one in ada.json("facts", "list")["data"]["facts"]}
    assert told == dict.fromkeys((BERTHS, PILOTS, TYPED), "external"), "they were there before, and judged by nobody"
    assert "archived" in ada.run("canon", "history", "decision/ferry.day").out


def test_an_import_from_elsewhere_is_gone_when_it_is_undone(ada: Person) -> None:
    usual(ada.base / "old")
    receipt = ada.do("import", "aiwg", "../old")
    ada.do("undo", receipt["seg"], env=LATER)
    assert ada.json("facts", "list")["data"]["facts"] == []
    assert {one["status"] for one in records(ada).values()} == {"removed"}


def test_without_canonical_context_the_rest_comes_in_and_it_is_said(tmp_path: Path) -> None:
    bob = Person(tmp_path)
    usual(bob.root)
    preview = bob.json("import", "aiwg")["data"]
    assert any("canon init" in note["message"] for note in preview["conflicts"])
    assert not any(one["path"].endswith(".yaml") for one in preview["changes"])


SECRET = "The key is AKIA" + "QYLPMN5HHHFPZAM2."


@pytest.mark.parametrize(
    ("facts", "lines", "said", "kept"),
    [
        ([fact("lm_a", BERTHS, status="strange")], [], "is not known here", 0),
        ([fact("lm_a", BERTHS)], [], "is not in memory/line-memory.txt any more", 0),
        ([fact("lm_a", BERTHS, digest=sha("other"))], [BERTHS], "digest is not that of its text", 1),
        ([fact("lm_a", BERTHS, status="removed")], [BERTHS], "its line is still there", 1),
        ([fact("lm_a", BERTHS, scope="team")], [], "", 0),
        ([fact("lm_a", BERTHS), fact("lm_b", BERTHS.replace(" ", "  "))], [BERTHS], "", 1),
    ],
    ids=["a strange status", "a line that went", "a text that was changed", "an ended line", "a scope", "twice"],
)
def test_what_cannot_be_taken_as_it_stands_is_said(
    tmp_path: Path, facts: list[Any], lines: list[str], said: str, kept: int
) -> None:
    store(tmp_path, facts, lines=lines)
    home = tmp_path / ".aiwg"
    files = {str(path.relative_to(home)): File(path.read_bytes()) for path in home.rglob("*") if path.is_file()}
    found = read(files)
    assert len({" ".join(one.text.split()) for one in found.facts}) == kept
    assert any(said in one.message for one in found.remarks) or not said


@pytest.mark.parametrize(
    ("text", "said"),
    [(SECRET, "is left out"), ("x" * 600, "1 to 500 characters"), ("Ring\x07the bell.", "control characters")],
    ids=["a secret", "too long", "a bell"],
)
def test_what_may_not_be_a_fact_is_left_out_and_the_rest_comes_in(ada: Person, text: str, said: str) -> None:
    store(ada.root, [fact("lm_a", text), fact("lm_b", BERTHS)])
    done = ada.json("import", "aiwg")
    assert any(said in note["message"] for note in done["data"]["conflicts"])
    assert SECRET[11:-1] not in str(done)
    assert [one["after"] is not None for one in done["data"]["changes"]] == [True, True]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (value("c", "system.prompt", "x"), "higher authority"),
        (value("c", "Bad Key", "x"), "is left out"),
        (value("c", "k", "x", classification="private"), "no place in canonical context"),
        (value("c", "k", "x", scope="team"), "no like here"),
        (value("c", "k", "x", status="odd"), "not known here"),
    ],
)
def test_a_canonical_value_that_has_no_place_here_is_left_out(ada: Person, entry: Any, said: str) -> None:
    store(ada.root, [fact("lm_b", BERTHS)], [entry])
    preview = ada.json("import", "aiwg")["data"]
    assert any(said in note["message"] for note in preview["conflicts"]), preview["conflicts"]
    assert not any(one["path"].endswith(".yaml") for one in preview["changes"])


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"a":1,"a":2}', b'{"schemaVersion":"aiwg.line-memory.v9"}', b"\xff"])
def test_a_file_that_is_not_of_its_form_is_said_and_read_no_further(data: bytes) -> None:
    found = read({"memory/line-memory.meta.json": File(data), "memory/line-memory.txt": File(BERTHS.encode())})
    assert [one.text for one in found.facts] == [BERTHS]
    assert len(found.remarks) == 1


def test_nothing_is_read_through_a_link(ada: Person) -> None:
    usual(ada.base / "old")
    (ada.base / "old/.aiwg/memory/line-memory.txt").unlink()
    (ada.base / "old/.aiwg/memory/line-memory.txt").symlink_to("/etc/hostname")
    done = ada.json("import", "aiwg", "../old", status=4)
    assert "link" in done["error"]["message"]
