"""The plans every crash is tried on, and what a tree looks like from outside."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.operations import Change, Plan, Request, receipt, receipt_bytes
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.journal import Journal

NOW = "2026-01-31T08:00:00Z"
Files = dict[str, bytes]

BASE: Files = {
    ".aiwg/config.yaml": b"workspace: w\n",
    ".aiwg/facts.d/a.jsonl": b'{"a":1}\n',
    ".aiwg/wiki/old.md": b"# Old\n",
    ".aiwg/wiki/deep/only.md": b"# Only\n",
    ".aiwg/alone/in/here.md": b"# Here\n",
    "AGENTS.md": b"Be kind.\n",
}

# What each plan makes of BASE; None removes. A key that ends with ! is kept read-only.
PLANS: dict[str, dict[str, bytes | None]] = {
    "new": {".aiwg/facts.d/b.jsonl": b'{"b":1}\n', ".aiwg/facts.d/c.jsonl": b'{"c":1}\n'},
    "replace": {".aiwg/facts.d/a.jsonl": b'{"a":2}\n', "AGENTS.md": b"Be kinder.\n"},
    "delete": {".aiwg/wiki/old.md": None},
    "empties": {".aiwg/wiki/old.md": None, ".aiwg/wiki/deep/only.md": None},
    "nested": {".aiwg/alone/in/here.md": None},
    "read-only": {".aiwg/raw/s1/source.txt!": b"evidence\n"},
    "new-tree": {".aiwg/x/y/z/one.md": b"1\n", ".aiwg/x/two.md": b"2\n", "docs/aiwg/three.md": b"3\n"},
    "moves": {".aiwg/wiki/deep/only.md": None, ".aiwg/wiki/deep/other.md": b"# Other\n"},
    "mixture": {
        ".aiwg/facts.d/b.jsonl": b"",
        ".aiwg/facts.d/a.jsonl": b'{"a":2}\n',
        ".aiwg/wiki/deep/only.md": None,
        ".aiwg/raw/s1/source.txt!": b"evidence\n",
        "AGENTS.md": b"Be kinder.\n",
    },
}


def lay(root: Path, files: Mapping[str, bytes] = BASE) -> Path:
    """A workspace with these files that has been used before, so that ``.aiwg/.local`` is there."""
    root.mkdir(parents=True)
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def plan_of(changes: Mapping[str, bytes | None], files: Mapping[str, bytes] = BASE) -> Plan:
    request = Request("line-memory.add", {"n": sorted(changes)}, NOW, "Ada <ada@example.org>", "w")
    made = []
    for name, after in sorted(changes.items()):
        path = name.removesuffix("!")
        before = digest(files[path]) if path in files else None
        made.append(Change(RepoPath(path), before, after, read_only=name.endswith("!")))
    return Plan(request, "Change files", tuple(made))


def receipt_of(plan: Plan) -> dict[str, Any]:
    return receipt(plan, confirmed_at=NOW, git_head=None)


def receipt_file(plan: Plan) -> str:
    return f".aiwg/receipts.d/{plan.request.seg}.jsonl"


def after(plan: Plan, files: Mapping[str, bytes] = BASE) -> Files:
    """The files there are when the plan and its receipt are in place."""
    result = dict(files)
    for change in plan.changes:
        if change.after is None:
            del result[change.path]
        else:
            result[change.path] = change.after
    result[receipt_file(plan)] = receipt_bytes(receipt_of(plan))
    return result


def state(root: Path | str) -> Files:
    """Every file outside ``.aiwg/.local``."""
    top = Path(root)
    return {
        str(path.relative_to(top)): path.read_bytes()
        for path in sorted(top.rglob("*"))
        if path.is_file() and not path.is_relative_to(top / ".aiwg/.local")
    }


def folders(root: Path | str) -> set[str]:
    """Every directory outside ``.aiwg/.local``."""
    top = Path(root)
    return {
        str(path.relative_to(top))
        for path in top.rglob("*")
        if path.is_dir() and not path.is_relative_to(top / ".aiwg/.local")
    }


def parents(files: Mapping[str, bytes]) -> set[str]:
    return {str(above) for name in files for above in Path(name).parents if str(above) != "."}


def local(root: Path | str, folder: str) -> list[str]:
    path = Path(root) / ".aiwg/.local" / folder
    return sorted(each.name for each in path.iterdir()) if path.is_dir() else []


def apply(journal: Journal, plan: Plan) -> None:
    journal.apply(plan, receipt_of(plan), plan.operation_id, NOW)
