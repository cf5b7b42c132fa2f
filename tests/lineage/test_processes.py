"""Looking whether the lines that a pack rests on still stand starts git once, however many they are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from person import Person

FILES = 12
TASK = "How often is a call of the gateway retried?"
FACTS = ("A call of the gateway is retried three times.", "A call of the gateway is retried after one second.")


@pytest.fixture
def desk(tmp_path: Path) -> Person:
    """Two facts, each resting on the lines of twelve files."""
    desk = Person(tmp_path)
    sources = []
    for number in range(FILES):
        desk.write(f"src/part{number}.py", f"# part {number}\ndef retry_{number}(call):\n    call()\n")
        sources += ["--source", f"src/part{number}.py#L2-L3"]
    desk.do("add", *FACTS, *sources)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "retry")
    return desk


def started(desk: Person, *arguments: str) -> list[str]:
    """What git was started with while a command ran: a git that notes it stands before the true one on the path."""
    true = shutil.which("git")
    assert true is not None
    notes = desk.base / "notes"
    notes.unlink(missing_ok=True)
    folder = desk.base / "bin"
    folder.mkdir(exist_ok=True)
    wrapper = folder / "git"
    wrapper.write_text(f'#!/bin/sh\necho "$*" >> "{notes}"\nexec "{true}" "$@"\n')
    wrapper.chmod(0o755)
    done = desk.run(*arguments, env={"PATH": f"{folder}{os.pathsep}{desk.environment['PATH']}"})
    assert done.status == 0, done
    assert FACTS[0] in done.out
    return notes.read_text().splitlines() if notes.exists() else []


def test_a_pack_of_the_working_tree_looks_at_all_its_anchors_in_one_process(desk: Person) -> None:
    desk.write("src/part0.py", "# moved down\n" + (desk.root / "src/part0.py").read_text())
    assert len(started(desk, "context", TASK)) <= 1
    assert "moved" in desk.run("context", TASK).out


def test_a_pack_of_a_commit_reads_all_its_anchors_through_one_process(desk: Person) -> None:
    """Before git 2.36 another one says of what is asked for how large it is; none is started again for the next."""
    asked = started(desk, "context", "--at", "HEAD", TASK)
    reading = [one.partition(" cat-file ")[2] for one in asked if " cat-file " in one]
    assert sorted(reading) in (["--batch-command --buffer"], ["--batch", "--batch-check"])
