"""What a command asks on a terminal, and that it asks nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from person import Person


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def editor(ada: Person, script: str) -> dict[str, str]:
    path = ada.base / "editor"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    return {"EDITOR": str(path), "VISUAL": ""}


@pytest.mark.parametrize("answer", ["y", "yes", "Y"])
def test_yes_applies_what_was_shown(ada: Person, answer: str) -> None:
    terminal = ada.terminal("add", "Builds run on Linux.")
    terminal.until("Apply? [y]es / [e]dit / [N]o ")
    terminal.type(answer + "\n")
    assert terminal.end() == 0
    assert "Done: line-memory.add" in terminal.seen
    assert ada.json("facts", "list")["data"]["total"] == 1


@pytest.mark.parametrize("answer", ["n\n", "\n", "no\n", "perhaps\n", "\x04"])
def test_anything_else_changes_nothing_and_is_no_failure(ada: Person, answer: str) -> None:
    before = ada.files()
    terminal = ada.terminal("add", "Builds run on Linux.")
    terminal.until("[N]o ")
    terminal.type(answer)
    assert terminal.end() == 0
    assert "Nothing was changed" in terminal.seen
    assert ada.files() == before


@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04", "\x03"])
def test_a_preview_that_was_answered_does_not_wait_any_more(ada: Person, answer: str) -> None:
    other = ada.preview("add", "Tests run on every push.")
    terminal = ada.terminal("add", "Builds run on Linux.")
    terminal.until("[N]o ")
    terminal.type(answer)
    terminal.end()
    assert "confirm op_" not in terminal.seen
    told = ada.json("status")["data"]
    assert told["waiting"] == [f"preview {other[:15]}: add 1 fact: “Tests run on every push.”"]
    assert told["next"] == [f"aiwg-memory previews show {other[:15]}"]


@pytest.mark.parametrize(
    ("command", "module"),
    [(["status"], "click"), (["status"], "aiwg_memory.workspace"), (["check", "--staged"], "aiwg_memory.workspace")],
)
def test_an_interrupt_while_it_starts_ends_with_130_too(ada: Person, command: list[str], module: str) -> None:
    ada.write(
        "early/sitecustomize.py",
        "import os, signal, sys\n"
        "class Early:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        name == {module!r} and os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Early())\n",
    )
    done = ada.run(*command, env={"PYTHONPATH": f"{ada.root}/early:{ada.environment['PYTHONPATH']}"})
    assert (done.status, done.err.strip()) == (130, "interrupted; nothing is half-done")


def test_an_interrupt_at_the_prompt_ends_with_130_and_changes_nothing(ada: Person) -> None:
    before = ada.files()
    terminal = ada.terminal("add", "Builds run on Linux.")
    terminal.until("[N]o ")
    terminal.interrupt()
    assert terminal.end() == 130
    assert "Traceback" not in terminal.seen
    assert ada.files() == before


def test_edit_previews_the_edited_fact_and_asks_again(ada: Person) -> None:
    terminal = ada.terminal("add", "Builds run on Linux.", env=editor(ada, 'echo "Builds run on BSD." > "$1"\n'))
    terminal.until("[N]o ")
    terminal.type("e\n")
    terminal.until("+Builds run on BSD.")
    terminal.until("[N]o ", times=2)
    terminal.type("y\n")
    assert terminal.end() == 0
    assert [row["text"] for row in ada.json("facts", "list")["data"]["facts"]] == ["Builds run on BSD."]
    assert ada.json("previews")["data"]["total"] == 0


@pytest.mark.parametrize("script", ["exit 1\n", ': > "$1"\n', "exit 0\n"])
def test_an_editor_that_fails_or_returns_nothing_changes_nothing(ada: Person, script: str) -> None:
    before = ada.files()
    terminal = ada.terminal("add", "Builds run on Linux.", env=editor(ada, script))
    terminal.until("[N]o ")
    terminal.type("e\n")
    assert terminal.end() in (0, 2)
    assert "Traceback" not in terminal.seen
    assert "othing was changed" in terminal.seen
    assert ada.files() == before
    assert ada.json("previews")["data"]["total"] == 0


def test_an_edit_that_is_refused_is_told_and_changes_nothing(ada: Person) -> None:
    secret = "https://deploy:9f3kQz81LmXvTr@git.example.org/m.git"
    before = ada.files()
    terminal = ada.terminal("add", "Builds run on Linux.", env=editor(ada, f'echo "Mirror {secret}" > "$1"\n'))
    terminal.until("[N]o ")
    terminal.type("e\n")
    assert terminal.end() == 4
    assert "9f3kQz81LmXvTr" not in terminal.seen
    assert ada.files() == before


def test_a_page_is_edited_in_the_editor_before_it_is_shown(ada: Person) -> None:
    ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")
    terminal = ada.terminal("wiki", "edit", "storage.md", env=editor(ada, 'echo "A second line." >> "$1"\n'))
    terminal.until("[N]o ")
    assert "+A second line." in terminal.seen
    terminal.type("y\n")
    assert terminal.end() == 0
    assert (ada.root / ".aiwg/wiki/storage.md").read_text().endswith("A second line.\n")


@pytest.mark.parametrize("script", ["exit 1\n", "exit 0\n", ': > "$1"\n'])
def test_an_editor_that_gives_no_page_leaves_the_page(ada: Person, script: str) -> None:
    ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")
    before = ada.files()
    terminal = ada.terminal("wiki", "edit", "storage.md", env=editor(ada, script))
    status = terminal.end()
    assert status == 2, terminal.seen
    assert "nothing was changed" in terminal.seen
    assert "Traceback" not in terminal.seen
    assert ada.files() == before


def test_off_a_terminal_nothing_asks_and_nothing_is_applied(ada: Person) -> None:
    before = ada.files()
    done = ada.run("add", "Builds run on Linux.", stdin=b"y\n")
    assert done.status == 0
    assert "Apply?" not in done.out + done.err
    assert "To apply exactly this: aiwg-memory confirm op_" in done.out
    assert ada.files() == before


def test_with_json_nothing_asks_even_on_a_terminal(ada: Person) -> None:
    terminal = ada.terminal("add", "Builds run on Linux.", "--json")
    assert terminal.end() == 0
    assert "Apply?" not in terminal.seen
    assert '"status": "preview"' in terminal.seen


def test_a_plan_without_changes_needs_no_answer(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.")
    terminal = ada.terminal("add", "Builds run on Linux.")
    assert terminal.end() == 0
    assert "Apply?" not in terminal.seen
    assert "nothing to change" in terminal.seen


def test_there_is_no_way_to_skip_the_preview(ada: Person) -> None:
    for option in ("--yes", "-y", "--force"):
        assert ada.run("add", "Builds run on Linux.", option).status == 2
