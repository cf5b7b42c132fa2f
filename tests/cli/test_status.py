"""What a person sees first, in every state a workspace can be in: what there is, what waits, what to type next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from person import ADA, NOW, Person

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.operations import Change, Plan, Request, receipt
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.journal import Journal
from aiwg_memory.journal.apply import commit


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def status(ada: Person, *arguments: str) -> dict[str, Any]:
    told: dict[str, Any] = ada.json("status", *arguments, kind="status_data.v1")["data"]
    return told


def test_nothing_set_up_says_init_and_no_more(tmp_path: Path) -> None:
    ada = Person(tmp_path, init=False)
    told = status(ada)
    assert told["initialised"] is False
    assert told["next"] == ["aiwg-memory init"]
    operation = ada.preview("init")
    assert status(ada)["next"] == [f"aiwg-memory previews show {operation[:15]}"]


def test_set_up_and_empty_says_how_to_begin(ada: Person) -> None:
    told = status(ada)
    assert told["ready"] == ["nothing is stored yet"]
    assert (told["waiting"], told["broken"]) == ([], [])
    assert told["next"] == ['aiwg-memory add "what is worth knowing"']


def test_what_there_is_is_counted_and_what_there_is_none_of_is_not_named(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.", "Tests run on every push.")
    ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")
    told = status(ada)
    assert told["ready"][:2] == ["line-memory: 2 facts, 2 confirmed", "llm-wiki: 1 page, 1 confirmed"]
    assert not any(" 0 " in row for row in told["ready"])
    assert told["next"] == ['aiwg-memory context "what you are about to do"']


def test_what_waits_for_a_person_is_named_with_what_to_type(ada: Person) -> None:
    ada.write(".aiwg/memory/line-memory.txt", "Builds run on Linux.\n")
    told = status(ada)
    assert told["waiting"] == ["1 fact without a record: `facts adopt`"]


def test_a_few_previews_are_named_and_many_are_counted(ada: Person) -> None:
    made = [
        ada.preview("add", f"Fact {number}.", env={"AIWG_MEMORY_NOW": f"2026-01-31T07:00:0{number}Z"})
        for number in range(5)
    ]
    ada.run("previews", "drop", made.pop(0))
    assert status(ada)["waiting"][-1] == "1 older preview"
    made.insert(0, ada.preview("add", "Fact 0.", env={"AIWG_MEMORY_NOW": "2026-01-31T07:00:00Z"}))
    told = status(ada)
    assert told["waiting"][0] == f"preview {made[4][:15]}: add 1 fact: “Fact 4.”"
    assert told["waiting"][-1] == "2 older previews"
    assert len(told["waiting"]) == 4
    assert told["next"] == [f"aiwg-memory previews show {made[4][:15]}", "aiwg-memory previews"]


def test_what_is_broken_comes_with_the_command_that_names_it_all(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.")
    for number in range(15):
        ada.write(f".aiwg/memory/facts.d/20260101T0000{number:02}Z-0123456789ab.jsonl", "<<<<<<< HEAD\n")
    told = status(ada)
    assert len(told["broken"]) == 11
    assert told["broken"][-1] == "… and 5 more"
    assert told["next"] == ["aiwg-memory check"]


def test_a_fork_is_said_with_how_to_settle_it(ada: Person) -> None:
    handle = ada.do("add", "Builds run on Linux.")["subjects"][0]
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")
    ada.git("switch", "-q", "-c", "other")
    ada.do("facts", "archive", handle)
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "two")
    ada.git("switch", "-q", "main")
    ada.do("facts", "reject", handle)
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "three")
    ada.git("merge", "-q", "other")
    told = status(ada)
    assert any("decided differently on two branches" in row for row in told["broken"])
    assert "1 fact to settle: `facts resolve`" in told["waiting"]


def stopped(ada: Person) -> str:
    """An operation that was committed to and stopped there; its id."""
    page = RepoPath(".aiwg/wiki/storage.md")
    before = ada.write(page, "# Storage\n\nOne table.\n").read_bytes()
    request = Request("wiki.edit", {}, NOW, ADA, "ws_0123456789abcdef")
    plan = Plan(request, "edit", (Change(page, digest(before), b"# Storage\n\nTwo tables.\n"),))
    journal = Journal(str(ada.root))
    journal.previews.save(plan, NOW)
    with journal.locked():
        commit(journal.disk, plan.changes, receipt(plan, confirmed_at=NOW, git_head=None), plan.operation_id)
    return plan.operation_id


def unfinished(ada: Person) -> None:
    """The same, and a person who edited its page in between."""
    stopped(ada)
    ada.write(".aiwg/wiki/storage.md", "# Storage\n\nBy hand.\n")


@pytest.mark.parametrize(
    "looking",
    [
        ("status",), ("check",), ("facts", "list"), ("wiki", "list"), ("wiki", "show", "storage.md"), ("wiki", "lint"),
        ("receipts", "list"), ("receipts", "verify"), ("search", "tables"), ("context", "tables"), ("review",),
        ("blame", "wiki:storage.md"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_whoever_looks_after_a_crash_sees_the_operation_whole_and_is_told(
    ada: Person, looking: tuple[str, ...]
) -> None:
    stopped(ada)
    done = ada.run(*looking)
    assert "wiki.edit had been interrupted, and is finished now: receipt " in done.err
    assert (ada.root / ".aiwg/wiki/storage.md").read_text() == "# Storage\n\nTwo tables.\n"
    assert "interrupted" not in ada.run(*looking).err
    assert ada.run("previews").out == "No preview waits.\n"


def test_an_unfinished_operation_comes_first_and_its_ways_out_work(ada: Person) -> None:
    unfinished(ada)
    told = status(ada)
    assert any(row.startswith(".aiwg/wiki/storage.md changed while op_") for row in told["broken"])
    assert told["next"][0] == "aiwg-memory recover"
    change = ada.run("add", "Builds run on Linux.")
    assert change.status == 5
    assert change.err.count(".aiwg/wiki/storage.md") <= 2
    assert "recover --keep-mine" in change.err
    read = ada.run("search", "by hand")
    assert read.status == 0
    assert "warning:" in read.err
    assert "By hand." in read.out
    assert ada.run("recover").status == 5
    done = ada.run("recover", "--keep-mine", ".aiwg/wiki/storage.md")
    assert done.status == 0, done
    assert (ada.root / ".aiwg/wiki/storage.md").read_text() == "# Storage\n\nBy hand.\n"
    assert ada.run("add", "Builds run on Linux.").status == 0
    assert not any("unfinished" in row for row in status(ada)["broken"])


def test_an_unfinished_operation_can_be_abandoned(ada: Person) -> None:
    unfinished(ada)
    done = ada.run("recover", "--abandon")
    assert done.status == 0, done
    assert done.out.startswith("Taken back: op_")
    assert (ada.root / ".aiwg/wiki/storage.md").read_text() == "# Storage\n\nBy hand.\n"
    assert not (ada.root / ".aiwg/receipts.d").exists()
    assert ada.run("add", "Builds run on Linux.").status == 0


def test_what_to_type_next_names_the_place_it_was_asked_about(ada: Person, tmp_path: Path) -> None:
    (ada.home / ".gitconfig").write_text("[user]\nname = Ada Lovelace\nemail = ada@example.org\n")
    ada.do("init", "--user-store")
    assert all(row.startswith("aiwg-memory --user-store ") for row in status(ada, "--user-store")["next"])
    assert "aiwg-memory -C desk add" in ada.run("status", "-C", "desk", cwd=tmp_path).out
