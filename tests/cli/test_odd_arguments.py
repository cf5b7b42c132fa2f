"""Whatever is typed: a status that is documented, one clear error, nothing written, and never a traceback."""

from __future__ import annotations

import io
import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from person import NOW, Person

from aiwg_memory.cli.app import App
from aiwg_memory.cli.boundary import run
from aiwg_memory.cli.manifest import COMMANDS
from aiwg_memory.cli.root import root

STATUSES = {0, 1, 2, 3, 4, 5, 74, 75, 130}
ODD = [
    "", " ", "-", "--", "---", "\n", "\t", "\0", "\x1b[31m", "a\nb", "x" * 5000, "lm_", "lm_zzzz",
    "op_", "op_zz", "op_00000000", "op_" + "0" * 64, "pack_0", "raw:", "wiki:", "wiki:../x", "../../etc/passwd",
    "/dev/zero", ".aiwg", ".aiwg/config.yaml", ".git/config", "CON", "a:b", "a\\b", "*", "**/*", "{}", "[]", "null",
    "{0}", "-1", "0", "1e9", "99999999999999999999", "NaN", "2026-02-30", "9999-99-99", "path:", "path:../x", "user",
    "\u202e", "\u200b", "\ufeff", "é", "e\u0301", "\U0001f600", "\udcff", "ünï/cödé.md", "a=b", "=", "tags=[",
    "%00", "$(id)", "`id`", "; rm x", "HEAD", "HEAD~99", "@{-1}", "--exec=x", "sha256:" + "0" * 64, "file://x", "http://[",
]  # fmt: skip


@pytest.fixture
def ada(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    person = Person(tmp_path)
    person.do("add", "Builds run on Linux.")
    person.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")
    monkeypatch.chdir(person.root)
    for name in list(os.environ):
        if name not in person.environment:
            monkeypatch.delenv(name)
    for name, value in person.environment.items():
        monkeypatch.setenv(name, value)
    return person


def forms() -> Iterator[tuple[tuple[str, ...], list[list[str]]]]:
    """Each command's words, and the options it takes: alone, or with a value to come."""
    context = click.Context(root, obj=App())
    for name in COMMANDS:
        found = root.get_command(context, name)
        leaves = found.commands.items() if isinstance(found, click.Group) else [("", found)]
        for inner, each in leaves:
            assert each is not None
            options = [[o.opts[0]] for o in each.params if isinstance(o, click.Option) and o.is_flag]
            valued = [[o.opts[0], ""] for o in each.params if isinstance(o, click.Option) and not o.is_flag]
            yield tuple(word for word in (name, inner) if word), options + valued


def carried_out(arguments: list[str], monkeypatch: pytest.MonkeyPatch, stdin: bytes) -> tuple[int, str, str]:
    streams = [io.TextIOWrapper(io.BytesIO(data)) for data in (stdin, b"", b"")]
    for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
        monkeypatch.setattr(sys, name, stream)
    try:
        status = run(arguments)
    finally:
        monkeypatch.undo()
    for stream in streams:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams[1:])
    return status, out, err


@pytest.mark.parametrize("words", [words for words, _ in forms()], ids=" ".join)
def test_odd_arguments_are_answered(ada: Person, words: tuple[str, ...]) -> None:
    options = dict(forms())[words]
    chance = random.Random(" ".join(words))
    before = ada.files()
    for turn in range(6):
        arguments = list(words)
        for option in chance.sample(options, k=min(len(options), chance.randint(0, 2))):
            if option[0] not in ("-C", "--user-store"):
                arguments += [option[0], *(chance.choice(ODD) for _ in option[1:])]
        arguments += [chance.choice(ODD) for _ in range(chance.randint(0, 3))]
        stdin = chance.choice((b"", b"\xff\xfe", b"\0", b"text\n", b"x" * 70000, "\u202e\n".encode()))
        with pytest.MonkeyPatch.context() as patch:
            status, out, err = carried_out(arguments, patch, stdin)
        said = f"{arguments!r} (turn {turn}): {status}\n{out[:2000]}\n{err[:2000]}"
        assert status in STATUSES, said
        assert "Traceback" not in err, said
        assert "\x1b" not in out + err, said
        assert "\0" not in out + err, said
        if out.startswith("{"):
            json.loads(out)
        elif status not in (0, 1):
            assert err.startswith("error[") or "\nerror[" in err, said
    assert ada.files() == before


def test_the_time_that_the_tests_rely_on_is_legal() -> None:
    assert App(environ={"AIWG_MEMORY_NOW": NOW}).now == NOW
