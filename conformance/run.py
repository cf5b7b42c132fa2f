#!/usr/bin/env python3
"""Run the conformance cases against any implementation of the command line.

    python conformance/run.py [CASE…] [--command 'aiwg-memory']

Each case runs in an empty directory of its own with a clean environment. Exit status 0: all hold, 1: some do not.
The form of a case is described in README.md beside this file.
"""

from __future__ import annotations

import argparse
import base64
import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

CASES = Path(__file__).parent / "cases"
SCHEMAS = Path(__file__).parents[1] / "schemas"
SECONDS = 60
NOW = "2026-01-31T08:00:00Z"
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "AIWG_MEMORY_NOW": NOW,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_DATE": NOW,
    "GIT_COMMITTER_DATE": NOW,
}
IDENTITY = ("Ada Lovelace", "ada@example.org")

_CASE = {"title", "why", "git", "tree", "steps"}
_STEP = {"run", "times", "stdin", "environment", "write", "delete", "git", "expect", "keep"}
_EXPECT = {"status", "stdout", "stderr", "tree"}
_TEXT = {"equals", "contains", "lacks", "matches", "at_most", "json", "data", "answers"}
_ENOUGH = 0.95
_TREE = {"present", "absent", "content", "count", "unchanged"}


class Malformed(Exception):
    """A case that does not have the form of one."""


def load_case(path: Path) -> dict[str, Any]:
    """A case as data. Raises Malformed for anything it should not hold: a misspelled expectation must not pass."""
    case = yaml.safe_load(path.read_text("utf-8"))
    _closed(case, _CASE, path.name)
    if not case.get("steps"):
        raise Malformed(f"{path.name} has no steps")
    for number, step in enumerate(case["steps"], 1):
        where = f"{path.name} step {number}"
        _closed(step, _STEP, where)
        expect = step.get("expect", {})
        _closed(expect, _EXPECT, f"{where} expect")
        for stream in ("stdout", "stderr"):
            _closed(expect.get(stream, {}), _TEXT, f"{where} {stream}")
        _closed(expect.get("tree", {}), _TREE, f"{where} tree")
        if "run" in step and "status" not in expect:
            raise Malformed(f"{where} states no status")
    return dict(case)


def _closed(value: Any, keys: set[str], where: str) -> None:
    if not isinstance(value, dict):
        raise Malformed(f"{where} is no mapping")
    if strange := sorted(str(key) for key in set(value) - keys):
        raise Malformed(f"{where}: unknown {', '.join(strange)}; known are {', '.join(sorted(keys))}")


def run_case(path: Path, command: Sequence[str]) -> list[str]:
    """What does not hold, in sentences; an empty list when all does. Steps after a failed one are not run."""
    case = load_case(path)
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        base = Path(name).resolve()
        root, home = base / "project", base / "home"
        root.mkdir()
        home.mkdir()
        environment = {**ENVIRONMENT, "PATH": os.environ.get("PATH", os.defpath), "HOME": str(home)}
        if case.get("git", True):
            _start_git(root, environment)
        _write(root, case.get("tree", {}))
        kept: dict[str, str] = {}
        for number, step in enumerate(case["steps"], 1):
            problems = list(_step(_filled(step, kept), root, command, environment, kept))
            if problems:
                return [f"step {number} {step.get('run', '')}: {problem}" for problem in problems]
    return []


def _step(
    step: Mapping[str, Any], root: Path, command: Sequence[str], environment: Mapping[str, str], kept: dict[str, str]
) -> Iterator[str]:
    _write(root, step.get("write", {}))
    for path in step.get("delete", []):
        (root / path).unlink()
    for arguments in step.get("git", []):
        _git(root, environment, *arguments)
    expect = step.get("expect", {})
    before = snapshot(root)
    if "run" in step:
        done = _run(step, root, command, environment)
        for _ in range(step.get("times", 1) - 1):
            again = _run(step, root, command, environment)
            if (again.returncode, again.stdout) != (done.returncode, done.stdout):
                yield f"it said something else the next time\nfirst: {done.stdout!r}\nthen: {again.stdout!r}"
                return
        stdout, stderr = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        if done.returncode != expect["status"]:
            yield f"exit status {done.returncode}, not {expect['status']}\nstdout: {stdout}\nstderr: {stderr}"
            return
        if "--json" in step["run"]:
            yield from judge_schema("stdout", stdout, "envelope.v1")
        yield from judge_text("stdout", stdout, expect.get("stdout", {}))
        yield from judge_text("stderr", stderr, expect.get("stderr", {}))
        yield from _keep(step.get("keep", {}), stdout, kept)
    yield from judge_tree(before, snapshot(root), expect.get("tree", {}))


def _run(
    step: Mapping[str, Any], root: Path, command: Sequence[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*command, *map(str, step["run"])],
        cwd=root,
        env={**environment, **step.get("environment", {})},
        input=str(step.get("stdin", "")).encode(),
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )


def judge_text(name: str, text: str, expect: Mapping[str, Any]) -> Iterator[str]:
    if "equals" in expect and text != expect["equals"]:
        yield f"{name} is {text!r}, not {expect['equals']!r}"
    for part in expect.get("contains", []):
        if part not in text:
            yield f"{name} lacks {part!r}: {text!r}"
    for part in expect.get("lacks", []):
        if part in text:
            yield f"{name} holds {part!r}: {text!r}"
    if "matches" in expect and not re.search(expect["matches"], text, re.MULTILINE):
        yield f"{name} does not match {expect['matches']!r}: {text!r}"
    if len(text) > expect.get("at_most", len(text)):
        yield f"{name} has {len(text)} characters, at most {expect['at_most']}"
    if "data" in expect:
        yield from judge_schema(name, text, expect["data"], "data")
    if "answers" in expect:
        yield from judge_answers(name, text, expect["answers"])
    if "json" in expect:
        try:
            value = json.loads(text)
        except ValueError:
            yield f"{name} is no JSON: {text!r}"
        else:
            yield from subset(expect["json"], value, name)


def judge_answers(name: str, text: str, wanted: Sequence[str]) -> Iterator[str]:
    """Of the items of a printed pack at least 0.95 hold one of the ``wanted`` texts, and of these at least 0.95 are
    held by one."""
    try:
        items = [str(item["text"]) for item in json.loads(text)["data"]["pack"]["items"]]
    except (ValueError, LookupError, TypeError):
        yield f"{name} holds no pack: {text!r}"
        return
    right = sum(any(one in item for one in wanted) for item in items)
    found = sum(any(one in item for item in items) for one in wanted)
    if right < _ENOUGH * len(items) or found < _ENOUGH * len(wanted):
        yield f"{name}: {right} of {len(items)} items answer, {found} of {len(wanted)} answers are there: {items}"


def judge_schema(name: str, text: str, kind: str, key: str = "") -> Iterator[str]:
    """Judge the JSON in ``text``, or what it holds under ``key``, by ``schemas/<kind>.json``."""

    def stored(uri: str) -> Resource[Any]:
        return Resource.from_contents(json.loads((SCHEMAS / uri).read_text("utf-8")))

    registry: Any = Registry
    try:
        value = json.loads(text)
        value = value[key] if key else value
    except (ValueError, LookupError, TypeError):
        yield f"{name} is no JSON{' that holds ' + key if key else ''}: {text!r}"
        return
    schema = json.loads((SCHEMAS / f"{kind}.json").read_text("utf-8"))
    for error in Draft202012Validator(schema, registry=registry(retrieve=stored)).iter_errors(value):
        yield f"{name} breaks {kind} at {error.json_path}: {error.message}"


def subset(wanted: Any, found: Any, where: str) -> Iterator[str]:
    """Objects may hold more than is asked for, lists may not; ``{matches: PATTERN}`` asks for the form of a text."""
    if isinstance(wanted, dict) and set(wanted) == {"matches"}:
        if not isinstance(found, str) or not re.search(wanted["matches"], found):
            yield f"{where} is {found!r}, which does not match {wanted['matches']!r}"
    elif isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            if key in found:
                yield from subset(value, found[key], f"{where}/{key}")
            else:
                yield f"{where} lacks {key!r}: {sorted(found)}"
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for index, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from subset(one, other, f"{where}/{index}")
    elif wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        yield f"{where} is {found!r}, not {wanted!r}"


def judge_tree(before: Mapping[str, bytes], after: Mapping[str, bytes], expect: Mapping[str, Any]) -> Iterator[str]:
    """What is under ``.git`` and ``.aiwg/.local`` is an implementation's own affair and not looked at."""
    for pattern in expect.get("present", []):
        if not fnmatch.filter(after, pattern):
            yield f"{pattern} is not there; there are {sorted(after)}"
    for pattern in expect.get("absent", []):
        if found := fnmatch.filter(after, pattern):
            yield f"{', '.join(sorted(found))} is there"
    for path, content in expect.get("content", {}).items():
        if after.get(path) != _bytes(content):
            yield f"{path} holds {after.get(path)!r}, not {_bytes(content)!r}"
    for pattern, count in expect.get("count", {}).items():
        if len(found := fnmatch.filter(after, pattern)) != count:
            yield f"{len(found)} files are {pattern}, not {count}: {sorted(found)}"
    if expect.get("unchanged") and before != after:
        changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
        yield f"the tree changed: {', '.join(changed)}"


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file's bytes by its path; a link's target as ``link:…``."""
    found = {}
    for folder, folders, names in os.walk(root):
        here = Path(folder).relative_to(root).as_posix()
        folders[:] = [name for name in folders if (here, name) not in ((".", ".git"), (".aiwg", ".local"))]
        for name in (*names, *(each for each in folders if (Path(folder) / each).is_symlink())):
            path = Path(folder) / name
            data = b"link:" + os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
            found[path.relative_to(root).as_posix()] = data
    return found


def _keep(wanted: Mapping[str, str], stdout: str, kept: dict[str, str]) -> Iterator[str]:
    """``/data/operation_id`` takes a text from JSON, anything else is a pattern whose first group is taken."""
    for name, source in wanted.items():
        found = _pointed(stdout, source) if source.startswith("/") else re.search(source, stdout, re.MULTILINE)
        if found is None:
            yield f"nothing to keep as {name}: {source!r} is not in {stdout!r}"
        else:
            kept[name] = found if isinstance(found, str) else found.group(1)


def _pointed(text: str, pointer: str) -> str | None:
    try:
        value = json.loads(text)
        for part in pointer[1:].split("/"):
            value = value[int(part) if isinstance(value, list) else part]
    except (ValueError, LookupError, TypeError):
        return None
    return value if isinstance(value, str) else None


def _filled(value: Any, kept: Mapping[str, str]) -> Any:
    """``value`` with every ``{name}`` of something kept replaced; other braces stay as they are."""
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda match: kept.get(match.group(1), match.group(0)), value)
    if isinstance(value, dict):
        return {_filled(key, kept): _filled(each, kept) for key, each in value.items()}
    return [_filled(each, kept) for each in value] if isinstance(value, list) else value


def _bytes(content: Any) -> bytes:
    return base64.b64decode(content["base64"]) if isinstance(content, dict) else str(content).encode()


def _write(root: Path, files: Mapping[str, Any]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict) and "link" in content:
            path.symlink_to(content["link"])
        else:
            path.write_bytes(_bytes(content))


def _start_git(root: Path, environment: Mapping[str, str]) -> None:
    _git(root, environment, "init", "--quiet", "--initial-branch", "main")
    _git(root, environment, "config", "user.name", IDENTITY[0])
    _git(root, environment, "config", "user.email", IDENTITY[1])


def _git(root: Path, environment: Mapping[str, str], *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, env=dict(environment), check=True, capture_output=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run the conformance cases against an implementation.")
    parser.add_argument("cases", nargs="*", type=Path, metavar="CASE", help="files; without any, all of them")
    parser.add_argument("--command", help="the program to run; default: this Python with -m aiwg_memory")
    options = parser.parse_args(arguments)
    command = shlex.split(options.command) if options.command else [sys.executable, "-m", "aiwg_memory"]
    failed = 0
    cases = options.cases or sorted(CASES.glob("*.yaml"))
    for path in cases:
        try:
            problems = run_case(path, command)
        except (Malformed, OSError, subprocess.SubprocessError) as error:
            problems = [str(error)]
        failed += bool(problems)
        print(f"{'FAIL' if problems else 'ok  '} {path.stem}", *problems, sep="\n     ")
    print(f"{len(cases) - failed} of {len(cases)} cases hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
