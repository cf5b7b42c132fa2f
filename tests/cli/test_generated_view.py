"""The index of the wiki is made from the pages: whether it lies here or not says nothing about what is stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from person import Person

PAGE = b"# Storage\n\nOrders are kept in one table.\n"


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    ada = Person(tmp_path, init=False)
    ada.do("init")
    ada.do("wiki", "add", "storage.md", stdin=PAGE)
    ada.do("wiki", "index")
    commit(ada)
    return ada


def commit(ada: Person) -> None:
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")


def test_a_pack_is_the_same_with_and_without_it_and_verifies_after_later_changes(ada: Person) -> None:
    view = ada.root / ".aiwg/wiki/index.md"
    assert view.exists()
    with_it = ada.json("context", "orders table")["data"]["pack"]["id"]
    text = view.read_bytes()
    view.unlink()
    assert ada.json("context", "orders table")["data"]["pack"]["id"] == with_it
    view.write_bytes(text)
    ada.do("add", "Builds run on Linux.")
    commit(ada)
    assert ada.json("pack", "verify", with_it)["data"]["verdict"] == "match"


@pytest.mark.parametrize("there", [b"", b"# Index\n\nBy hand.\n", None])
def test_receipts_do_not_account_for_it(ada: Person, there: bytes | None) -> None:
    view = ada.root / ".aiwg/wiki/index.md"
    view.unlink() if there is None else view.write_bytes(there)
    assert ada.json("receipts", "verify")["data"]["findings"] == []
    assert [one for one in ada.json("check")["data"]["findings"] if one["path"].endswith("index.md")] == []


def test_a_fresh_clone_without_it_is_whole(ada: Person) -> None:
    ada.git("clone", "-q", ".", str(ada.base / "clone"))
    assert not (ada.base / "clone/.aiwg/wiki/index.md").exists()
    assert ada.run("receipts", "verify", cwd=ada.base / "clone").status == 0
    checked = ada.run("check", cwd=ada.base / "clone")
    assert "index.md" not in checked.out + checked.err


def test_a_team_may_keep_it_in_git(ada: Person) -> None:
    ada.git("add", "-f", ".aiwg/wiki/index.md")
    ada.git("commit", "-q", "-m", "index")
    pack = ada.json("context", "orders table")["data"]["pack"]["id"]
    ada.do("wiki", "add", "queues.md", stdin=b"# Queues\n\nNone.\n")
    later = {"AIWG_MEMORY_NOW": "2026-01-31T08:05:00Z"}
    ada.json("confirm", ada.preview("wiki", "index", env=later), env=later)
    commit(ada)
    assert ada.json("pack", "verify", pack)["data"]["verdict"] == "match"
    for arguments in (["receipts", "verify"], ["check"], ["check", "--range", "HEAD~1..HEAD"]):
        assert "index.md" not in ada.run(*arguments).out
