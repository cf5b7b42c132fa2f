"""Every rule of the check does what its two examples say, and no finding has a rule that is not in the table."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from clone import PROGRAM, environment

from aiwg_memory.addons import BUILTIN, load
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.gate.change import Change, Touch
from aiwg_memory.core.rules import RULES, Example, Rule, covers
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.workspace.checking import check
from aiwg_memory.workspace.gating import check_change

Bytes = Mapping[str, bytes | None]
_KIND = {True: None, False: "file"}


def stored(files: Mapping[str, str | None]) -> dict[str, bytes | None]:
    return {path: None if text is None else text.encode("utf-8", "surrogateescape") for path, text in files.items()}


def touched(after: Bytes, before: Bytes) -> list[Touch]:
    names = sorted(name for name in {*before, *after} if before.get(name, b"\0") != after.get(name, b"\0"))
    return [Touch(name, _kind(before, name), _kind(after, name)) for name in names]


def _kind(files: Bytes, name: str):  # type: ignore[no-untyped-def]
    if name not in files:
        return None
    return "link" if files[name] is None else "file"


def on_disk(example: Example) -> list[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in example.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text or "")
        for name, other in example.links.items():
            os.link(Path(folder, other), Path(folder, name))
        said = subprocess.run(
            [PROGRAM, "check", "--all", "--format", "json"],
            cwd=folder, env=environment(Path(folder)), capture_output=True, text=True, check=False,
        )  # fmt: skip
        found = json.loads(said.stdout)["data"]["findings"]
        return [Finding(**{name: value for name, value in one.items() if name in Finding._fields}) for one in found]


def judged(example: Example) -> list[Finding]:
    if example.disk:
        return on_disk(example)
    after = stored(example.files)
    if example.before is None:
        return check(load(tuple(BUILTIN)), MemoryTree(after), everything=True, as_of=example.day)
    before = stored(example.before)
    return check_change(Change(MemoryTree(after), MemoryTree(before), touched(after, before)), new_only=False)


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_the_bad_example_is_found_and_the_good_one_is_not(rule: Rule) -> None:
    found = [one for one in judged(rule.bad) if covers(rule, one.rule)]
    assert {one.severity for one in found} == {rule.severity}, judged(rule.bad)
    assert not [one for one in judged(rule.good) if covers(rule, one.rule) and one.severity != "note"]


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_the_examples_give_no_finding_that_is_not_in_the_table(rule: Rule) -> None:
    for one in (*judged(rule.bad), *judged(rule.good)):
        assert any(covers(known, one.rule) for known in RULES), one
