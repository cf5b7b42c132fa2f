"""The runner of the conformance cases: it passes what holds, and lets nothing that does not hold pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance import run
from conformance.run import Malformed, load_case, run_case

FAKE = """
import json, os, pathlib, sys
word = sys.argv[1]
if word == "plan":
    print(json.dumps({"status": "preview", "data": {"operation_id": "op_" + "a" * 8, "list": [1, 2]}}))
elif word == "confirm":
    text = sys.stdin.read() or "done"
    pathlib.Path(".aiwg").mkdir(exist_ok=True)
    pathlib.Path(".aiwg", sys.argv[2] + ".txt").write_text(text)
    print("confirmed", sys.argv[2])
elif word == "whole":
    envelope = {"schema": "aiwg.envelope.v1", "status": "ok", "command": "whole", "warnings": [], "error": None}
    print(json.dumps({**envelope, "data": {"findings": []}}))
elif word == "pack":
    print(json.dumps({"data": {"pack": {"items": [{"text": "a red one"}, {"text": "a green one"}]}}}))
elif word == "count":
    with open("count.txt", "a") as file:
        file.write("x")
        print(file.tell())
elif word == "time":
    print(os.environ["AIWG_MEMORY_NOW"], os.environ.get("EXTRA", ""))
else:
    print("error: no", word, file=sys.stderr)
    sys.exit(2)
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "fake.py").write_text(FAKE)
    return [sys.executable, str(tmp_path / "fake.py")]


def outcome(tmp_path: Path, command: list[str], *steps: dict[str, Any], **case: Any) -> list[str]:
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump({"title": "t", "steps": list(steps), **case}))
    return run_case(path, command)


def step(*words: str, status: int = 0, keep: dict[str, str] | None = None, **expect: Any) -> dict[str, Any]:
    return {"run": list(words), "expect": {"status": status, **expect}, "keep": keep or {}}


def test_an_id_from_one_step_is_used_in_the_next(tmp_path: Path, command: list[str]) -> None:
    first = step("plan", keep={"op": "/data/operation_id"}, tree={"unchanged": True})
    second = step(
        "confirm",
        "{op}",
        stdout={"equals": "confirmed op_aaaaaaaa\n"},
        tree={"content": {".aiwg/{op}.txt": "done"}, "present": [".aiwg/*.txt"], "count": {".aiwg/*": 1}},
    )
    assert outcome(tmp_path, command, first, second) == []


HOLDS = [
    {**step("time", stdout={"contains": ["2026"]}), "times": 3},
    step("pack", stdout={"answers": ["red", "green"]}),
    step("whole", "--json", stdout={"data": "check.v1"}),
    step("plan", stdout={"json": {"status": "preview", "data": {"operation_id": {"matches": "^op_a+$"}}}}),
    step("plan", stdout={"json": {"data": {"list": [1, 2]}}}),
    step("nonsense", status=2, stderr={"matches": "^error: no", "contains": ["nonsense"]}, stdout={"equals": ""}),
    step("time", stdout={"contains": ["2026-01-31T08:00:00Z"], "at_most": 22}),
    {**step("time", stdout={"contains": ["more"]}), "environment": {"EXTRA": "more"}},
    {**step("confirm", "a", tree={"content": {".aiwg/a.txt": "typed"}}), "stdin": "typed"},
    {**step("time", tree={"content": {"a/b.txt": {"base64": "AP8="}}}), "write": {"a/b.txt": {"base64": "AP8="}}},
]
FAILS = [
    ({**step("count"), "times": 2}, "it said something else the next time"),
    (step("pack", stdout={"answers": ["red"]}), "1 of 2 items answer, 1 of 1 answers are there"),
    (step("pack", stdout={"answers": ["red", "green", "blue"]}), "2 of 2 items answer, 2 of 3 answers are there"),
    (step("time", stdout={"answers": ["red"]}), "holds no pack"),
    (step("time", status=1), "exit status 0, not 1"),
    (step("time", stdout={"equals": "x"}), "not 'x'"),
    (step("time", stdout={"contains": ["x"]}), "lacks 'x'"),
    (step("time", stdout={"lacks": ["2026"]}), "holds '2026'"),
    (step("time", stdout={"matches": "^x"}), "does not match"),
    (step("plan", "--json"), "stdout breaks envelope.v1 at $: 'schema' is a required property"),
    (step("whole", "--json", stdout={"data": "search_data.v1"}), "breaks search_data.v1 at $: 'hits' is a required"),
    (step("time", stdout={"data": "check.v1"}), "is no JSON that holds data"),
    (step("time", stdout={"at_most": 5}), "at most 5"),
    (step("time", stdout={"json": {}}), "is no JSON"),
    (step("plan", stdout={"json": {"data": {"list": [1]}}}), "/data/list is [1, 2], not [1]"),
    (step("plan", stdout={"json": {"data": {"list": [True, 2]}}}), "/list/0 is 1, not True"),
    (step("plan", stdout={"json": {"absent": 1}}), "lacks 'absent'"),
    (step("plan", stdout={"json": {"status": {"matches": "^x"}}}), "does not match"),
    (step("plan", keep={"op": "op=(x)"}), "nothing to keep as op"),
    (step("plan", keep={"op": "/data/absent"}), "nothing to keep as op"),
    (step("time", keep={"op": "/data"}), "nothing to keep as op"),
    (step("time", tree={"present": ["x"]}), "x is not there"),
    (step("confirm", "a", tree={"absent": [".aiwg/*"]}), ".aiwg/a.txt is there"),
    (step("confirm", "a", tree={"unchanged": True}), "the tree changed: .aiwg/a.txt"),
    (step("confirm", "a", tree={"content": {".aiwg/a.txt": "x"}}), "not b'x'"),
    (step("confirm", "a", tree={"count": {".aiwg/*": 2}}), "1 files are .aiwg/*, not 2"),
]


@pytest.mark.parametrize("each", HOLDS)
def test_what_holds_passes(tmp_path: Path, command: list[str], each: dict[str, Any]) -> None:
    assert outcome(tmp_path, command, each) == []


@pytest.mark.parametrize(("each", "said"), FAILS)
def test_what_does_not_hold_is_told(tmp_path: Path, command: list[str], each: dict[str, Any], said: str) -> None:
    problems = outcome(tmp_path, command, each)
    assert said in problems[0]


def test_the_given_tree_may_hold_bytes_and_links_and_be_changed_by_git(tmp_path: Path, command: list[str]) -> None:
    tree = {"a.txt": "one\n", "b": {"link": "a.txt"}, "c/d": {"base64": "AA=="}}
    content = {"a.txt": "one\n", "b": "link:a.txt", "c/d": {"base64": "AA=="}}
    first = {**step("time", tree={"content": content}), "git": [["add", "."], ["commit", "-qm", "all"]]}
    second = {**step("time", tree={"absent": ["a.txt"]}), "delete": ["a.txt"]}
    third = {**step("time", tree={"present": ["a.txt"]}), "git": [["checkout", "-q", "."]]}
    assert outcome(tmp_path, command, first, second, third, tree=tree) == []


@pytest.mark.parametrize(
    "case",
    [
        {"steps": [], "titel": "x"},
        {"steps": [{"run": ["x"]}]},
        {"steps": [{"run": ["x"], "expects": {}}]},
        {"steps": [{"run": ["x"], "expect": {"status": 0, "stdout": {"contain": ["x"]}}}]},
        {"steps": [{"run": ["x"], "expect": {"status": 0, "tree": {"gone": ["x"]}}}]},
    ],
)
def test_a_misspelled_expectation_is_no_pass(tmp_path: Path, case: dict[str, Any]) -> None:
    (tmp_path / "case.yaml").write_text(yaml.safe_dump(case))
    with pytest.raises(Malformed):
        load_case(tmp_path / "case.yaml")


def test_it_runs_by_hand_against_any_program_and_says_which_case_failed(tmp_path: Path, command: list[str]) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(yaml.safe_dump({"title": "t", "steps": [step("time")]}))
    bad.write_text(yaml.safe_dump({"title": "t", "steps": [step("time", status=9)]}))
    done = subprocess.run(
        [sys.executable, run.__file__, str(good), str(bad), "--command", " ".join(command)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "ok   good\n" in done.stdout
    assert "FAIL bad\n     step 1 ['time']: exit status 0, not 9" in done.stdout
    assert done.stdout.endswith("1 of 2 cases hold\n")
