"""A committed fact is edited by hand and adopted, as offered: nothing is left that calls it unreviewed, or lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from person import Person

OLD, NEW = "Builds run on Linux.", "Builds run on Linux and BSD."


class Edited(Person):
    """``old`` and ``new`` are the handles of the fact as it was and as it was adopted, ``seg`` the adoption."""

    def __init__(self, base: Path, *, commit_edits: Sequence[str] = ()) -> None:
        super().__init__(base, init=False)
        self.do("init")
        self.old = self.do("add", OLD)["subjects"][0]
        self.commit()
        for text in commit_edits:
            self.write(self.file(self.old), text + "\n")
            self.commit()
        self.write(self.file(self.old), NEW + "\n")
        receipt = self.do("facts", "adopt")
        self.seg = receipt["seg"]
        (self.new,) = set(receipt["subjects"]) - {self.old}

    @staticmethod
    def file(handle: str) -> str:
        return f".aiwg/memory/facts/{handle.removeprefix('lm_')}.txt"

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "one")


@pytest.fixture
def ada(tmp_path: Path) -> Edited:
    return Edited(tmp_path)


def unreviewed(ada: Person, *arguments: str) -> list[str]:
    found = ada.json(*arguments)["data"]["findings"]
    return [f"{one['path']}: {one['message']}" for one in found if one["rule"] == "unreviewed"]


def test_every_check_takes_the_adoption_for_the_yes_to_the_edit(ada: Edited) -> None:
    assert unreviewed(ada, "receipts", "verify") == []
    assert unreviewed(ada, "check") == []
    ada.commit()
    assert unreviewed(ada, "check", "--range", "HEAD~1..HEAD") == []


def test_a_deletion_after_it_is_still_found(ada: Edited) -> None:
    ada.commit()
    (ada.root / ada.file(ada.new)).unlink()
    ada.commit()
    found = ada.json("check", "--range", "HEAD~1..HEAD", status=1)["data"]["findings"]
    assert any("it was deleted, and no receipt says so" in one["message"] for one in found)


@pytest.mark.parametrize("copies", [True, False])
def test_undoing_it_brings_back_the_text_that_git_has(ada: Edited, copies: bool) -> None:
    if not copies:
        for copy in (ada.root / ".aiwg/.local/undo").iterdir():
            copy.unlink()
    ada.do("undo", ada.seg)
    assert (ada.root / ada.file(ada.old)).read_text() == OLD + "\n"
    assert (ada.root / ada.file(ada.new)).read_text() == NEW + "\n"
    rows = {row["handle"]: row for row in ada.json("facts", "list")["data"]["facts"]}
    assert [(rows[each]["lifecycle"], rows[each]["review"]) for each in (ada.old, ada.new)] == [
        ("active", "confirmed"),
        ("active", "pending"),
    ]
    assert unreviewed(ada, "receipts", "verify") == []


@pytest.mark.parametrize("edits", [[NEW], ["Builds run on BSD.", NEW], ["Builds run on BSD."]])
def test_an_edit_that_was_committed_first_is_undone_too(tmp_path: Path, edits: list[str]) -> None:
    ada = Edited(tmp_path, commit_edits=edits)
    ada.commit()
    ada.do("undo", ada.seg)
    assert (ada.root / ada.file(ada.old)).read_text() == OLD + "\n"
    assert (ada.root / ada.file(ada.new)).read_text() == NEW + "\n"


def test_the_fact_that_was_edited_is_restored_with_its_own_text(ada: Edited) -> None:
    ada.do("facts", "restore", ada.old, "--acknowledge", ada.old)
    assert (ada.root / ada.file(ada.old)).read_text() == OLD + "\n"


def test_a_text_that_is_nowhere_any_more_is_said_to_be_gone(tmp_path: Path) -> None:
    ada = Person(tmp_path)
    old = ada.do("add", OLD)["subjects"][0]
    ada.write(Edited.file(old), NEW + "\n")
    ada.do("facts", "adopt")
    done = ada.run("facts", "restore", old, "--acknowledge", old)
    assert done.status == 2
    assert f"the text of {old} is gone with its file" in done.err
    assert "was given" not in done.err


@pytest.mark.parametrize("committed", [False, True])
def test_the_verdict_on_a_page_is_the_yes_to_what_was_edited_by_hand(tmp_path: Path, committed: bool) -> None:
    ada = Person(tmp_path)
    ada.do("wiki", "add", "builds.md", stdin=b"# Builds\n\nThey run on Linux.\n")
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")
    path = ada.root / ".aiwg/wiki/builds.md"
    path.write_text(path.read_text() + "And on BSD.\n")
    assert any("builds.md" in one for one in unreviewed(ada, "check"))
    assert "`wiki confirm` says yes to the page as it stands" in ada.run("check").out
    if committed:
        ada.git("commit", "-qam", "by hand")
    ada.do("wiki", "confirm", "builds.md")
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "two")
    assert [one for one in unreviewed(ada, "check") if "builds.md" in one] == []
    assert unreviewed(ada, "check", "--range", "HEAD~1..HEAD") == []
    path.write_text(path.read_text() + "And on nothing else.\n")
    assert any("builds.md" in one for one in unreviewed(ada, "check"))
