"""The way back from every operation, back again, and what is said when there is none; recovery as a person sees it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from person import Person

Receipt = dict[str, Any]


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def memory(ada: Person) -> tuple[list[tuple[Any, ...]], dict[str, bytes]]:
    """What people read of facts and pages, and how it stands; not the records of how it came to stand so."""
    facts = ada.json("facts", "list")["data"]["facts"]
    pages = ada.json("wiki", "list")["data"]["pages"]
    rows = [(row["handle"], row["lifecycle"], row["review"]) for row in (*facts, *pages)]
    texts = {
        # A page's front matter also says who decided what, and that has moved on.
        name: data.rpartition(b"---\n")[2]
        for name, data in ada.files().items()
        if name.startswith((".aiwg/memory/facts/", ".aiwg/wiki/")) and "raw.d" not in name
    }
    return rows, texts


def fact(ada: Person) -> str:
    handle: str = ada.do("add", "Builds run on Linux.")["subjects"][0]
    return handle


def decided(name: str, *more: str) -> Callable[[Person], Receipt]:
    return lambda ada: ada.do("facts", name, fact(ada), *more)


def merged(ada: Person) -> Receipt:
    one, two = ada.do("add", "Builds run on Linux.", "Builds run in a container.")["subjects"]
    return ada.do("facts", "merge", one, two, "--into", "Builds run on Linux in a container.")


def restored(ada: Person) -> Receipt:
    handle = fact(ada)
    ada.do("facts", "archive", handle)
    return ada.do("facts", "restore", handle)


def page(ada: Person) -> Receipt:
    return ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")


def edited(ada: Person) -> Receipt:
    page(ada)
    return ada.do("wiki", "edit", "storage.md", stdin=b"# Storage\n\nTwo tables.\n")


def judged(name: str) -> Callable[[Person], Receipt]:
    def work(ada: Person) -> Receipt:
        page(ada)
        return ada.do("wiki", name, "storage.md")

    return work


def ingested(ada: Person) -> Receipt:
    ada.write("call.txt", "Line one.\n")
    return ada.do("ingest", "call.txt")


def adopted(ada: Person) -> Receipt:
    ada.write(".aiwg/memory/line-memory.txt", "Builds run on Linux.\nTests run on every push.\n")
    return ada.do("facts", "adopt")


EVERY: dict[str, Callable[[Person], Receipt]] = {
    "add": lambda ada: ada.do("add", "Builds run on Linux."),
    "adopt": adopted,
    **{name: decided(name) for name in ("reject", "archive", "remove", "revoke")},
    "supersede": decided("supersede", "Builds run on BSD."),
    "merge": merged,
    "restore": restored,
    "wiki add": page,
    "wiki edit": edited,
    **{f"wiki {name}": judged(name) for name in ("reject", "archive", "revoke")},
    "ingest": ingested,
    "init": lambda ada: ada.do("init"),
}


@pytest.mark.parametrize("name", EVERY)
def test_every_operation_is_undone_and_the_undo_is_undone(ada: Person, name: str) -> None:
    receipt = EVERY[name](ada)
    after = memory(ada)
    back = ada.do("undo", receipt["seg"])
    assert back["kind"].endswith(".undo")
    before = memory(ada)
    ada.do("undo", back["seg"])
    assert memory(ada) == after
    if name not in ("init", "adopt"):  # which change nothing that people read
        assert before != after
    assert ada.run("check").status == 0


def test_an_undo_says_what_it_takes_back_before_anything_happens(ada: Person) -> None:
    receipt = ada.do("add", "Builds run on Linux.")
    before = ada.files()
    done = ada.run("undo", receipt["seg"])
    assert done.status == 0
    assert "-Builds run on Linux." in done.out
    assert ada.files() == before


def test_what_was_decided_since_is_named_and_not_undone(ada: Person) -> None:
    receipt = ada.do("add", "Builds run on Linux.")
    ada.do("facts", "archive", receipt["subjects"][0])
    before = ada.files()
    done = ada.run("undo", receipt["seg"])
    assert done.status == 2
    assert "decided again after" in done.err
    assert "undo the later operation first" in done.err
    assert ada.files() == before


def test_a_page_that_was_edited_by_hand_since_is_not_overwritten(ada: Person) -> None:
    receipt = edited(ada)
    with (ada.root / ".aiwg/wiki/storage.md").open("a") as file:
        file.write("By hand.\n")
    before = ada.files()
    done = ada.run("undo", receipt["seg"])
    assert done.status in (2, 3, 4), done
    assert "storage.md" in done.err
    assert ada.files() == before


def test_what_can_no_longer_be_brought_back_is_said(ada: Person) -> None:
    receipt = edited(ada)
    shutil.rmtree(ada.root / ".aiwg/.local/undo")
    before = ada.files()
    done = ada.run("undo", receipt["seg"])
    assert done.status == 2
    assert "storage.md was before is not kept any more" in done.err
    assert ada.files() == before


def test_what_only_git_still_has_is_brought_back_from_there(ada: Person) -> None:
    page(ada)
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")
    receipt = ada.do("wiki", "edit", "storage.md", stdin=b"# Storage\n\nTwo tables.\n")
    shutil.rmtree(ada.root / ".aiwg/.local/undo")
    ada.do("undo", receipt["seg"])
    assert (ada.root / ".aiwg/wiki/storage.md").read_text().endswith("# Storage\n\nOne table.\n")


def test_previews_are_listed_newest_first_with_what_they_would_do(ada: Person) -> None:
    ada.preview("add", "Builds run on Linux.")
    ada.preview("add", "Tests run on every push.", env={"AIWG_MEMORY_NOW": "2026-01-31T09:00:00Z"})
    lines = ada.run("previews", env={"AIWG_MEMORY_NOW": "2026-01-31T09:00:00Z"}).out.splitlines()
    assert len(lines) == 2
    assert "2026-01-31T09:00:00Z" in lines[0]
    assert lines[0].endswith("add 1 fact: “Tests run on every push.”")
    assert ada.run("previews", env={"AIWG_MEMORY_NOW": "2026-02-28T09:00:00Z"}).out == "No preview waits.\n"


def test_nothing_to_recover_is_said(ada: Person) -> None:
    assert ada.run("recover").out == "Nothing was unfinished.\n"
    assert ada.run("recover", "--keep-mine", "x", "--abandon").status == 2
    for arguments in (["--keep-mine", ".aiwg/wiki/x.md"], ["--abandon"]):
        assert ada.run("recover", *arguments).status in (0, 2)


@pytest.mark.parametrize("form", ["{seg}", "{seg}.jsonl", ".aiwg/receipts.d/{seg}.jsonl", "{operation_id}"])
def test_a_receipt_is_named_by_all_that_is_shown_of_it(ada: Person, form: str) -> None:
    receipt = ada.do("add", "Builds run on Linux.")
    assert ada.preview("undo", form.format(**receipt)) == ada.preview("undo", receipt["seg"])


def test_taking_back_the_setting_up_names_a_way_that_is_open(tmp_path: Path) -> None:
    ada = Person(tmp_path, init=False)
    back = ada.preview("undo", ada.do("init")["seg"])
    assert "`aiwg-memory init` sets up anew" in ada.run("confirm", back).out
    ada.do("init")
    assert ada.run("check").status == 0


def test_a_preview_of_many_is_told_by_the_first(ada: Person) -> None:
    ada.preview("add", "Builds run on Linux.", "Tests run on every push.")
    for number in range(7):
        ada.write(f"notes/{number}.md", f"# Note {number}\n")
    ada.preview("ingest", "notes", env={"AIWG_MEMORY_NOW": "2026-01-31T09:00:00Z"})
    files, facts = ada.run("previews", env={"AIWG_MEMORY_NOW": "2026-01-31T09:00:00Z"}).out.splitlines()
    assert files.endswith("ingest 7 files: 0.md, 1.md, 2.md, 3.md, 4.md …")
    assert facts.endswith("add 2 facts: “Builds run on Linux.” …")


def test_receipts_are_listed_with_what_they_are_about(ada: Person) -> None:
    receipt = ada.do("add", "Builds run on Linux.", "Tests run on every push.")
    assert ada.run("receipts", "list").out.splitlines()[0].endswith(f"{receipt['subjects'][0]} and 1 more")


def test_an_acceptance_says_that_nothing_of_it_is_memory_yet(ada: Person) -> None:
    ada.write("docs/builds.md", "Builds run on Linux.\n")
    ada.run("candidates", "propose", "Builds run on Linux.", "--evidence", "docs/builds.md")
    shown = ada.run("review").out.split()[0]
    done = ada.run("confirm", ada.preview("accept", shown))
    assert f"`aiwg-memory promote {shown.partition('@')[0]} --to SINK`" in done.out


def test_front_matter_is_confirmed_in_whatever_order_its_keys_were_given(ada: Person) -> None:
    ada.do("wiki", "add", "builds.md", stdin=b"# Builds\n\nThey run on Linux.\n")
    ada.do("wiki", "edit", "builds.md", "--set", "owners={who: ada, at: desk}", "--set", "aliases=[ci]")
    assert "\nowners:\n  at: desk\n  who: ada\n" in (ada.root / ".aiwg/wiki/builds.md").read_text()


def test_no_way_back_is_promised_from_forgetting(ada: Person) -> None:
    done = ada.run("confirm", ada.preview("forget", fact(ada)))
    assert "undo" not in done.out
    assert "stays forgotten" in done.out


def test_decisions_are_told_by_the_texts_of_their_facts(ada: Person) -> None:
    handle = fact(ada)
    ada.preview("facts", "supersede", handle, "Builds run on a Mac.")
    assert ada.run("previews").out.endswith("supersede 1 fact: “Builds run on Linux.”\n")
    ada.do("facts", "archive", handle)
    ada.preview("facts", "restore", handle)
    assert "restore 1 fact: “Builds run on Linux.”" in ada.run("previews").out
