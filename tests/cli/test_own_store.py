"""A person's own store: outside every repository, of one scope, and in a pack only when asked."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from person import Person

OWN = "--user-store"
ASK = "which editor do I like"


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    person = Person(tmp_path)
    (person.home / ".gitconfig").write_text("[user]\nname = Ada Lovelace\nemail = ada@example.org\n")
    return person


def own(ada: Person) -> Path:
    return ada.home / ".local/share/aiwg-memory"


def told(ada: Person, *arguments: str) -> dict[str, Any]:
    data: dict[str, Any] = ada.json("context", ASK, *arguments)["data"]
    return data


def test_it_is_made_by_preview_and_confirm_for_its_owner_alone(ada: Person) -> None:
    before = ada.files()
    preview = ada.run("init", OWN)
    assert f"in {own(ada)}" in preview.out
    assert "aiwg-memory --user-store confirm op_" in preview.out
    ada.do("init", OWN)
    assert stat.S_IMODE(own(ada).stat().st_mode) == 0o700
    assert (own(ada) / ".aiwg/config.yaml").is_file()
    assert list((own(ada) / ".aiwg/receipts.d").iterdir())
    assert ada.files() == before


def test_xdg_data_home_moves_it_and_no_repository_is_needed(ada: Person, tmp_path: Path) -> None:
    where = {"XDG_DATA_HOME": str(tmp_path / "data")}
    outside = tmp_path / "nowhere"
    outside.mkdir()
    done = ada.run("init", OWN, env=where, cwd=outside)
    assert done.status == 0
    assert (tmp_path / "data/aiwg-memory").is_dir()
    assert not own(ada).exists()


@pytest.mark.parametrize("arguments", [["status"], ["add", "x"], ["facts", "list"], ["search", "x"], ["check"]])
def test_before_it_is_there_every_command_says_how_to_make_it(ada: Person, arguments: list[str]) -> None:
    done = ada.run(*arguments, OWN)
    assert done.status == 2
    assert "hint: aiwg-memory --user-store init" in done.err
    assert not own(ada).exists()


def test_what_is_added_there_has_the_scope_user_and_no_other(ada: Person) -> None:
    ada.do("init", OWN)
    ada.do("add", "I like a small editor.", OWN)
    facts = ada.json("facts", "list", OWN)["data"]["facts"]
    assert [(fact["scope"], fact["text"]) for fact in facts] == [("user", "I like a small editor.")]
    for scope in ("global", "path:src", "project:x", "session:y"):
        done = ada.run("add", "I like tabs.", OWN, "--scope", scope)
        assert done.status == 2
        assert "legal is user" in done.err
    assert ada.run("check", OWN, "--all", "--strict").status == 0
    assert "I like a small editor." in ada.run("search", "editor", OWN).out
    assert "I like a small editor." in ada.run("context", "editor", OWN).out
    assert ada.json("status", OWN)["data"]["broken"] == [], "a store of facts alone lacks nothing"


def test_what_is_typed_there_by_hand_becomes_ones_own_too(ada: Person) -> None:
    ada.do("init", OWN)
    typed = own(ada) / ".aiwg/memory/line-memory.txt"
    typed.parent.mkdir(parents=True)
    typed.write_text("I like a small editor.\n")
    ada.do("facts", "adopt", OWN)
    assert ada.json("facts", "list", OWN)["data"]["facts"][0]["scope"] == "user"


def test_a_shared_store_takes_no_fact_of_one_person(ada: Person) -> None:
    before = ada.files()
    done = ada.run("add", "I like a small editor.", "--scope", "user")
    assert done.status == 2
    assert "--user-store" in done.err
    assert ada.files() == before


def test_every_change_there_has_its_receipt_there_and_is_undone_there(ada: Person) -> None:
    ada.do("init", OWN)
    receipt = ada.do("add", "I like a small editor.", OWN)
    archived = ada.do("facts", "archive", receipt["subjects"][0], OWN)
    again = ada.do("undo", archived["seg"], OWN)
    assert again["kind"] == "line-memory.undo"
    assert ada.json("facts", "list", OWN)["data"]["total"] == 1
    assert ada.json("receipts", "list")["data"]["total"] == 0
    assert ada.run("undo", receipt["seg"]).status == 2


def test_a_preview_of_one_store_is_not_confirmed_in_the_other(ada: Person) -> None:
    ada.do("init", OWN)
    operation = ada.preview("add", "I like a small editor.", OWN)
    assert ada.run("confirm", operation).status == 2
    assert ada.run("confirm", operation, OWN).status == 0


def test_packs_take_it_in_only_when_asked(ada: Person) -> None:
    ada.do("init", OWN)
    ada.do("add", "I like a small editor.", OWN)
    ada.do("add", "The team likes any editor that formats on save.")
    assert "I like a small editor." not in told(ada)["text"]
    assert "I like a small editor." not in ada.run("search", "editor").out
    both = told(ada, "--user")
    assert "I like a small editor." in both["text"]
    assert "formats on save" in both["text"]
    incognito = told(ada, "--user", "--incognito")
    assert "editor" not in incognito["text"]


def test_the_settings_of_ones_own_store_do_not_reach_the_pack(ada: Person) -> None:
    ada.do("init", OWN)
    ada.do("add", "I like a small editor.", OWN)
    ada.write(".aiwg/memory/line-memory.txt", "The editor of the team is any editor.\n")
    ada.do("wiki", "add", "editors.md", stdin=b"# Editors\n\nThe editor settings lie in one file.\n")
    both = told(ada, "--user")["text"]
    for text in ("I like a small editor.", "editor of the team", "settings lie in one file"):
        assert text in both


def test_what_both_know_is_the_repositorys(ada: Person) -> None:
    ada.do("init", OWN)
    fact = "Every editor here is set to four spaces."
    mine = ada.do("add", fact, OWN)["subjects"]
    ada.do("add", fact)
    ada.do("facts", "archive", *mine, OWN)
    both = told(ada, "--user")
    assert both["text"].count(fact) == 1
    assert "contradicted" not in both["text"]


def test_ones_own_facts_are_part_of_the_packs_identity(ada: Person) -> None:
    ada.do("init", OWN)
    without = told(ada, "--user")["pack"]["id"]
    ada.do("add", "I like a small editor.", OWN)
    first = told(ada, "--user")["pack"]["id"]
    ada.do("add", "Rain is wet.", OWN)  # which no pack for this task would hold
    second = told(ada, "--user")["pack"]["id"]
    assert len({without, first, second, told(ada)["pack"]["id"]}) == 4
    assert told(ada, "--user")["pack"]["id"] == second


def test_verifying_such_a_pack_says_that_nobody_else_can(ada: Person) -> None:
    ada.do("init", OWN)
    ada.do("add", "I like a small editor.", OWN)
    pack = told(ada, "--user")["pack"]["id"]
    mine = ada.run("pack", "verify", pack)
    assert mine.status == 0
    assert "nobody else can verify it" in mine.out
    assert "I like a small editor." in ada.run("pack", "show", pack).out
    ada.do("add", "Rain is wet.", OWN)
    changed = ada.json("pack", "verify", pack, status=1)["data"]
    assert changed["verdict"] == "cannot-rebuild"
    assert "one person's own store" in changed["why"]
    shutil.rmtree(own(ada))
    theirs = ada.json("pack", "verify", pack, status=1)["data"]
    assert theirs["verdict"] == "cannot-rebuild"


def test_asking_for_it_before_it_is_there_says_how_to_make_it(ada: Person) -> None:
    done = ada.run("context", ASK, "--user")
    assert done.status == 2
    assert "aiwg-memory --user-store init" in done.err


def test_it_is_in_one_place_only(ada: Person) -> None:
    done = ada.run("status", OWN, "-C", str(ada.root))
    assert done.status == 2
    assert "exclude each other" in done.err


def test_a_link_in_its_place_is_refused(ada: Person) -> None:
    own(ada).parent.mkdir(parents=True)
    own(ada).symlink_to(ada.root)
    for arguments in (["init"], ["status"], ["add", "x"]):
        done = ada.run(*arguments, OWN)
        assert done.status == 4, done
        assert "link" in done.err


def test_a_home_that_is_a_repository_is_told_to_ignore_it(ada: Person) -> None:
    ada.git("init", "-q", str(ada.home))
    done = ada.run("init", OWN)
    assert "keep it ignored there" in done.err
    assert ada.do("init", OWN)["git_head"] is None
