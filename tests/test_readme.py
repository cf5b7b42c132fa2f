"""The README's example is what the commands print, but for ids, digests and times."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
# Whatever differs from run to run: ids and digests, and the times in names of receipts.
_DIFFERS = re.compile(r"\b(?:op_|ws_|pack_)[0-9a-f]+|\b\d{8}T\d{6}Z-[0-9a-f]{12}|tree:[0-9a-f]+|@[0-9a-f]{8}\b")


def _steps() -> list[tuple[str, str]]:
    block = re.search(r"```console\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert block is not None
    steps = []
    for part in re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        steps.append((command, output))
    return steps


def test_the_example_prints_what_the_readme_shows(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("AIWG", "CLAUDE", "CODEX"))}
    environment["PATH"] = os.path.dirname(sys.executable) + os.pathsep + environment["PATH"]
    for setting in (
        ["init", "-q"],
        ["config", "user.name", "Ann Example"],
        ["config", "user.email", "ann@example.org"],
    ):
        subprocess.run(["git", *setting], cwd=tmp_path, check=True)
    known: dict[str, str] = {}
    for command, shown in _steps():
        for written, real in known.items():
            command = command.replace(written, real)
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"$ {command}\n{done.stderr}"
        assert _DIFFERS.sub("*", done.stdout) == _DIFFERS.sub("*", shown), f"$ {command}"
        written_ids, real_ids = re.findall(r"op_[0-9a-f]{12}", shown), re.findall(r"op_[0-9a-f]{12}", done.stdout)
        known.update(zip(written_ids, real_ids, strict=True))


def test_the_two_commands_are_there_and_ci_runs_the_second() -> None:
    text = README.read_text("utf-8")
    commands = re.findall(r"^python3 -m venv .*$", text, re.MULTILINE)
    assert len(commands) == 2
    ci = (README.parent / ".ci" / "run").read_text("utf-8")
    assert "-e '.[dev]'" in commands[1]
    assert "-e '.[dev]'" in ci
    assert "pytest" in ci
