"""Confirming: exactly what was shown, once, by whoever was shown it, however many try at the same moment."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from person import ADA, Person


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_a_stale_preview_says_what_moved_and_by_whose_receipt(ada: Person) -> None:
    ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")
    old = ada.preview("wiki", "edit", "storage.md", stdin=b"# Storage\n\nTwo tables.\n")
    later = {"AIWG_MEMORY_NOW": "2026-01-31T08:05:00Z"}
    other = ada.preview("wiki", "edit", "storage.md", stdin=b"# Storage\n\nThree tables.\n", env=later)
    seg = ada.json("confirm", other, env=later)["data"]["receipt"]["seg"]
    before = ada.files()
    done = ada.run("confirm", old, env=later)
    assert done.status == 3
    assert f".aiwg/wiki/storage.md: changed since the preview (receipt {seg} by {ADA})" in done.err
    assert ada.files() == before


def test_a_decision_about_what_was_decided_since_names_who_decided(ada: Person) -> None:
    handle = ada.do("add", "Builds run on Linux.")["subjects"][0]
    archive = ada.preview("facts", "archive", handle)
    seg = ada.do("facts", "reject", handle)["seg"]
    before = ada.files()
    done = ada.run("confirm", archive)
    assert done.status == 3
    assert f"{handle}: line-memory.reject since the preview (receipt {seg} by {ADA})" in done.err
    assert ada.files() == before


def test_what_was_found_impossible_is_marked_and_what_it_holds_is_kept(ada: Person) -> None:
    handle = ada.do("add", "Builds run on Linux.")["subjects"][0]
    archive = ada.preview("facts", "archive", handle)
    ada.do("facts", "reject", handle)
    assert "(stale)" not in ada.run("previews").out
    assert "can no longer be done" in ada.run("confirm", archive).err
    assert ada.run("previews").out.endswith("archive 1 fact: “Builds run on Linux.”  (stale)\n")
    told = ada.json("status")["data"]
    assert told["waiting"][0] == f"stale preview {archive[:15]}: archive 1 fact: “Builds run on Linux.”"
    assert told["next"][0] == f"aiwg-memory previews show {archive[:15]}"
    shown = ada.run("previews", "show", archive).err
    assert "can no longer be done" in shown
    assert f"`aiwg-memory previews drop {archive[:15]}` takes this one off the list" in shown


def test_what_can_be_done_again_is_not_called_stale_any_more(ada: Person) -> None:
    handle = ada.do("add", "Builds run on Linux.")["subjects"][0]
    archive = ada.preview("facts", "archive", handle)
    reject = ada.do("facts", "reject", handle)["seg"]
    assert "can no longer be done" in ada.run("confirm", archive).err
    file = ada.root / f".aiwg/memory/facts.d/{reject}.jsonl"
    bytes_of = file.read_bytes()
    file.unlink()
    assert ada.run("previews", "show", archive).status == 0
    assert "(stale)" not in ada.run("previews").out
    file.write_bytes(bytes_of)
    assert "can no longer be done" in ada.run("confirm", archive).err


def test_only_what_is_newer_than_the_preview_can_have_moved_it(ada: Person) -> None:
    handle = ada.do("add", "Builds run on Linux.")["subjects"][0]
    file = f".aiwg/memory/facts/{handle.removeprefix('lm_')}.txt"
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")
    later = {"AIWG_MEMORY_NOW": "2027-01-31T08:00:00Z"}
    archive = ada.preview("facts", "archive", handle, env=later)
    ada.write(file, "Builds run on BSD.\n")
    edited = ada.run("confirm", archive, env=later)
    assert edited.status == 3
    assert f"{file}: changed since the preview (by hand, not yet committed)" in edited.err
    again = ada.preview("facts", "archive", handle, env=later)
    ada.git("checkout", "-q", file)
    back = ada.run("confirm", again, env=later)
    commit = ada.git("rev-parse", "HEAD")[:12]
    assert f"{file}: changed since the preview (it is now as in commit {commit} by {ADA})" in back.err


def test_a_stale_preview_says_which_commit_or_that_it_was_a_hand(ada: Person) -> None:
    ada.do("init")
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")
    operation = ada.preview("add", "Builds run on Linux.")
    ada.write(".aiwg/memory/line-memory.txt", "Builds run on Linux.\n")
    by_hand = ada.run("confirm", operation)
    assert by_hand.status == 3
    assert "line-memory.txt: changed since the preview (by hand, not yet committed)" in by_hand.err


def test_a_stale_preview_comes_with_a_fresh_one_that_can_be_confirmed(ada: Person) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    ada.write(".aiwg/memory/line-memory.txt", "Builds run on Linux.\n")
    value = ada.json("confirm", operation, status=3)
    assert value["status"] == "refused"
    fresh = value["data"]["operation_id"]
    assert fresh != operation
    assert fresh[:15] in value["error"]["hint"]
    assert value["data"]["diff"]
    ada.json("confirm", fresh)
    assert ada.json("facts", "list")["data"]["total"] == 1


def test_another_reviewer_is_stale_and_is_shown_a_preview_of_their_own(ada: Person) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    done = ada.run("confirm", operation, "--reviewer", "Grace Hopper <grace@example.org>")
    assert done.status == 3
    assert f"previewed as {ADA}, confirmed as Grace Hopper <grace@example.org>" in done.err
    assert "To apply exactly this: aiwg-memory confirm op_" in done.out


def test_confirming_twice_happens_once(ada: Person) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    first = ada.json("confirm", operation)["data"]
    before = ada.files()
    second = ada.json("confirm", operation)["data"]
    assert (first["duplicate"], second["duplicate"]) == (False, True)
    assert first["receipt"] == second["receipt"]
    assert ada.files() == before


def test_two_processes_that_confirm_one_preview_make_one_change(ada: Person) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    both = [ada.start("confirm", operation, "--json") for _ in range(2)]
    said = [process.communicate(timeout=60)[0].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert sorted('"duplicate": true' in each for each in said) == [False, True]
    assert len(list((ada.root / ".aiwg/receipts.d").iterdir())) == 1


def test_two_processes_that_change_one_page_are_exact_or_stale(ada: Person) -> None:
    ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")
    operations = [
        ada.preview("wiki", "edit", "storage.md", stdin=f"# Storage\n\nTable {each}.\n".encode()) for each in "AB"
    ]
    both = [ada.start("confirm", operation) for operation in operations]
    for process in both:
        process.communicate(timeout=60)
    assert sorted(process.returncode for process in both) == [0, 3]
    assert ada.run("receipts", "verify").err == ""


def hold(ada: Person, kill: bool) -> int:
    """A process that holds the workspace's lock; with ``kill`` it is killed while it does."""
    ada.run("add", "Something to make the folders.")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        from aiwg_memory.journal import Journal

        with Journal(str(ada.root)).locked():
            os.write(writer, b"held")
            time.sleep(120)
        os._exit(0)
    os.close(writer)
    assert os.read(reader, 4) == b"held"
    os.close(reader)
    if kill:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return child


def test_a_lock_that_a_living_process_holds_is_waited_for_and_its_holder_named(ada: Person) -> None:
    ada.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\nmaintenance: {lock_timeout_ms: 200}\n")
    operation = ada.preview("add", "Builds run on Linux.")
    before = ada.files()
    child = hold(ada, kill=False)
    try:
        done = ada.run("confirm", operation)
        assert done.status == 75
        assert str(child) in done.err
        assert "error[locked]" in done.err
        assert ada.files() == before
        assert ada.run("search", "builds").status == 0
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_lock_dies_with_its_holder(ada: Person) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    hold(ada, kill=True)
    assert ada.run("confirm", operation).status == 0


def test_a_preview_belongs_to_its_workspace(ada: Person, tmp_path: Path) -> None:
    other = Person(tmp_path / "other")
    other.write(".aiwg/config.yaml", "workspace: ws_ffffffffffffffff\n")
    operation = ada.preview("add", "Builds run on Linux.")
    assert other.run("confirm", operation).status == 2
    other.preview("add", "Something else.")  # so that there is a folder for previews
    name = f".aiwg/.local/previews/{operation}.json"
    other.write(name, (ada.root / name).read_bytes())
    before = other.files()
    done = other.run("confirm", operation)
    assert done.status == 5
    assert "was not saved here" in done.err
    assert other.files() == before


def test_an_id_that_fits_several_or_none_is_told(ada: Person) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    twin = operation[:12] + "".join("0" if digit != "0" else "1" for digit in operation[12:])
    folder = ada.root / ".aiwg/.local/previews"
    (folder / f"{twin}.json").write_bytes((folder / f"{operation}.json").read_bytes())
    several = ada.run("confirm", operation[:11])
    assert several.status == 2
    assert "fits 2 previews" in several.err
    (folder / f"{twin}.json").unlink()
    assert ada.run("confirm", "op_00000000").status == 2
    assert ada.run("confirm", operation[:10]).status == 2
    assert ada.run("confirm", operation[:11]).status == 0


def test_a_preview_that_expired_is_not_confirmed(ada: Person) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    done = ada.run("confirm", operation, env={"AIWG_MEMORY_NOW": "2026-02-07T08:00:01Z"})
    assert done.status == 2
    assert "seven days" in done.err


@pytest.mark.parametrize("text", ["", "{", '{"schema":"aiwg.preview.v9"}', "[]"])
def test_a_preview_that_cannot_be_read_stops_nothing_but_itself(ada: Person, text: str) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    ada.write(f".aiwg/.local/previews/{operation}.json", text)
    assert ada.run("confirm", operation).status == 5
    assert ada.run("status").status == 0
    assert ada.run("previews").status == 0
    assert ada.run("add", "Tests run on every push.").status == 0


def test_what_went_stale_is_marked_where_it_is_listed(ada: Person) -> None:
    ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")
    first = ada.preview("wiki", "edit", "storage.md", stdin=b"# Storage\n\nTwo tables.\n")
    assert "(stale)" not in ada.run("previews").out
    ada.do("wiki", "edit", "storage.md", stdin=b"# Storage\n\nThree tables.\n")
    ada.preview("add", "Builds run on Linux.", env={"AIWG_MEMORY_NOW": "2026-01-30T08:00:00Z"})
    stale, other = ada.run("previews").out.splitlines()
    assert (first[:15] in stale, stale.endswith("(stale)"), other.endswith("add 1 fact: “Builds run on Linux.”")) == (
        True,
        True,
        True,
    )
    status = ada.run("status").out
    assert f"stale preview {first[:15]}" in status
    assert f"aiwg-memory previews show {first[:15]}" in status
