"""A preview that waits can be looked at again, exactly as it was shown, and dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from person import Person

SECOND = {"AIWG_MEMORY_NOW": "2026-01-31T08:00:01Z"}


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def page(ada: Person) -> None:
    ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")


def forgetting(ada: Person) -> tuple[str, ...]:
    """What comes with a note that is no part of the plan: the commits that keep the text."""
    handle = ada.do("add", "The door code is on the wall.")["subjects"][0]
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")
    return ("forget", handle)


REQUESTS = {
    "init": lambda ada: ("init",),
    "add": lambda ada: ("add", "Builds run on Linux.", "--source", "docs/build.md"),
    "wiki add": lambda ada: ("wiki", "add", "storage.md"),
    "ingest": lambda ada: ("ingest", "-", "--source", "https://example.org/decision"),
    "forget": forgetting,
}


@pytest.mark.parametrize("name", REQUESTS)
def test_what_is_shown_again_is_what_was_shown_first(ada: Person, name: str) -> None:
    words = REQUESTS[name](ada)
    first = ada.run(*words, stdin=b"# Storage\n\nOne table.\n")
    assert first.status == 0, first
    operation = ada.json("previews")["data"]["previews"][0]["operation_id"]
    before = ada.files()
    assert ada.run("previews", "show", operation[3:15], env=SECOND).out == first.out
    told = ada.json("previews", "show", operation, kind="preview_data.v1", env=SECOND)
    assert told["status"] == "preview"
    assert told["data"]["operation_id"] == operation
    assert ada.files() == before
    assert ada.json("confirm", operation)["data"]["duplicate"] is False


def test_what_would_no_longer_happen_is_said_with_a_fresh_preview(ada: Person) -> None:
    page(ada)
    operation = ada.preview("wiki", "edit", "storage.md", stdin=b"# Storage\n\nTwo tables.\n", env=SECOND)
    ada.do("wiki", "edit", "storage.md", "--set", "tags=[sqlite]")
    done = ada.run("previews", "show", operation)
    assert done.status == 3
    assert ".aiwg/wiki/storage.md: changed since the preview" in done.err


def test_dropping_removes_that_preview_and_nothing_else(ada: Person) -> None:
    one, two = ada.preview("add", "Builds run on Linux."), ada.preview("add", "Tests run on every push.")
    before = ada.files()
    assert ada.json("previews", "drop", one[:15])["data"] == {"dropped": [one]}
    assert [row["operation_id"] for row in ada.json("previews")["data"]["previews"]] == [two]
    assert ada.json("previews", "list")["data"] == ada.json("previews")["data"]
    assert ada.json("confirm", one, status=2)["error"]["code"] == "usage"
    assert ada.files() == before


def test_several_are_dropped_at_once_or_none(ada: Person) -> None:
    made = [ada.preview("add", f"Stage {number} runs on Linux.") for number in range(3)]
    before = ada.json("previews")["data"]
    assert ada.run("previews", "drop", made[0], "op_00000000").status == 2
    assert ada.run("previews", "drop").status == 2
    assert ada.json("previews")["data"] == before
    assert ada.json("previews", "drop", made[0], made[2], made[0][:15])["data"] == {
        "dropped": sorted([made[0], made[2]])
    }
    assert [row["operation_id"] for row in ada.json("previews")["data"]["previews"]] == [made[1]]


def test_what_is_stale_is_dropped_together_and_the_rest_stays(ada: Person) -> None:
    page(ada)
    stale = ada.preview("wiki", "edit", "storage.md", stdin=b"# Storage\n\nTwo tables.\n", env=SECOND)
    ada.do("wiki", "edit", "storage.md", "--set", "tags=[sqlite]")
    good = ada.preview("add", "Builds run on Linux.")
    assert ada.json("previews", "drop", "--stale")["data"] == {"dropped": [stale]}
    assert [row["operation_id"] for row in ada.json("previews")["data"]["previews"]] == [good]
    assert ada.run("previews", "drop", "--stale").out == "No preview is stale.\n"


def test_a_preview_that_cannot_be_read_is_dropped_by_the_command_that_is_named(ada: Person) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    (ada.root / ".aiwg/.local/previews" / f"{operation}.json").write_text("{")
    hint = ada.json("previews", "show", operation, status=5)["error"]["hint"]
    assert f"aiwg-memory previews drop {operation[:15]}" in hint
    assert ada.run("previews", "drop", operation[:15]).status == 0
    assert ada.json("previews")["data"]["total"] == 0


@pytest.mark.parametrize("verb", ["show", "drop"])
def test_an_id_that_names_none_or_several_is_a_usage_error(ada: Person, verb: str) -> None:
    operation = ada.preview("add", "Builds run on Linux.")
    folder = ada.root / ".aiwg/.local/previews"
    (folder / f"{operation[:-1]}{'1' if operation.endswith('0') else '0'}.json").write_text("{}")
    for name, said in ((operation[:15], "fits 2 previews"), ("op_00000000", "there is no preview"), ("x", "not an")):
        error = ada.json("previews", verb, name, status=2)["error"]
        assert said in error["message"]
        assert error["hint"]
    assert len(list(folder.iterdir())) == 2


def test_what_was_confirmed_and_is_still_owed_is_not_shown_as_waiting(ada: Person) -> None:
    """The preview file of a confirmed operation is still there when the process ended before it was removed."""
    operation = ada.preview("add", "Builds run on Linux.")
    file = ada.root / ".aiwg/.local/previews" / f"{operation}.json"
    held = file.read_bytes()
    ada.json("confirm", operation)
    file.write_bytes(held)
    assert "was confirmed" in ada.json("previews", "show", operation, status=2)["error"]["message"]


def test_records_are_told_in_words_to_a_person_and_whole_to_a_program(ada: Person) -> None:
    shown = ada.run("add", "Builds run on Linux.", "--source", "docs/build.md", "--reason", "we say so").out
    assert "+Builds run on Linux.\n" in shown
    assert "version 1: active, review confirmed, by Ada Lovelace <ada@example.org>" in shown
    assert "+  sources: docs/build.md\n" in shown
    assert "+  reason: we say so\n" in shown
    assert '{"' not in shown
    operation = ada.json("previews")["data"]["previews"][0]["operation_id"]
    whole = ada.json("previews", "show", operation)["data"]["diff"]
    assert '+{"at":"2026-01-31T08:00:00Z",' in whole
    changes = ada.json("confirm", operation)["data"]["receipt"]["changes"]
    (path,) = (change["path"] for change in changes if "facts.d" in change["path"])
    assert "+" + (ada.root / path).read_text() in whole


@pytest.mark.parametrize(
    "text", ["The door code is 4711.", 'The “old” "code" of the 门 is 4711, ' + "and so on " * 20 + "to the end."]
)
def test_nothing_that_waits_quotes_what_was_forgotten(ada: Person, text: str) -> None:
    handle = ada.do("add", text)["subjects"][0]
    ada.preview("facts", "archive", handle)
    ada.preview("facts", "supersede", handle, "The door has no code.", env=SECOND)
    other = ada.preview("add", "Builds run on Linux.")
    ada.do("forget", handle)
    assert [row["operation_id"] for row in ada.json("previews")["data"]["previews"]] == [other]
    kept = b"".join(path.read_bytes() for path in (ada.root / ".aiwg").rglob("*") if path.is_file())
    assert b"door code" not in kept
    assert b"4711" not in kept
