"""Maintenance on a terminal: the list in an editor, lines deleted, and only the rest applied."""

from __future__ import annotations

from pathlib import Path

from person import Person


def test_deleted_lines_are_not_done(tmp_path: Path) -> None:
    ada = Person(tmp_path)
    ada.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\nfacts:\n  max_lines: 1\n")
    for minute, text in enumerate(("The quay has two berths.", "The ferry is called Heron.", "Pilots use channel 12.")):
        ada.environment["AIWG_MEMORY_NOW"] = f"2026-01-31T08:{minute:02}:00Z"
        ada.do("add", text)
    editor = ada.write("edit.sh", '#!/bin/sh\nsed -i /Heron/d "$1"\n')
    editor.chmod(0o755)
    with_editor = {"EDITOR": str(editor), "VISUAL": None, "AIWG_MEMORY_NOW": "2026-01-31T09:00:00Z"}
    terminal = ada.terminal("maintain", env=with_editor)
    terminal.until("Apply?")
    terminal.type("e\n")
    terminal.until("Apply?", times=2)
    terminal.type("y\n")
    assert terminal.end() == 0
    left = {one["text"] for one in ada.json("facts", "list")["data"]["facts"]}
    assert left == {"The ferry is called Heron.", "Pilots use channel 12."}


def test_check_accepts_a_staged_gathering(tmp_path: Path) -> None:
    ada = Person(tmp_path)
    for minute in range(4):
        ada.environment["AIWG_MEMORY_NOW"] = f"2026-01-31T08:{minute:02}:00Z"
        ada.do("add", f"Berth {minute} is free.")
    ada.git("add", "-A")
    ada.git("commit", "-qm", "facts")
    ada.environment["AIWG_MEMORY_NOW"] = "2026-03-01T08:00:00Z"
    ada.do("maintain")
    ada.git("add", "-A")
    done = ada.json("check", "--staged")
    assert [one for one in done["data"]["findings"] if one["severity"] == "error"] == []
    ada.git("commit", "-qm", "gathered")
    assert [
        one for one in ada.json("check", "--range", "HEAD~1..HEAD")["data"]["findings"] if one["severity"] == "error"
    ] == []
