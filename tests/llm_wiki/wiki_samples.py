"""What the tests of the wiki share: a small tree, requests, and applying a plan to a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons import resolve
from aiwg_memory.addons.llm_wiki import ADDON
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.tree import MemoryTree

ADA = "Ada Lovelace <ada@example.org>"
AT = "2026-05-01T10:00:00Z"
PAGE = b"# Import catalog\n\nThe catalog is one SQLite file.\n"
CATALOG = ".aiwg/wiki/storage/catalog.md"


def wiki(**named: bytes) -> dict[str, bytes | None]:
    return {f".aiwg/wiki/{name}": data for name, data in named.items()}


def request(kind: str, at: str = AT, inputs: Mapping[str, bytes] | None = None, **arguments: Any) -> Request:
    return Request(f"wiki.{kind}", arguments, at, ADA, "w", inputs or {})


def plan(files: Mapping[str, bytes | None], asked: Request) -> Plan:
    made: Plan = resolve(ADDON.plans[asked.kind])(MemoryTree(files), asked)
    return made


def applied(files: Mapping[str, bytes | None], made: Plan) -> dict[str, bytes | None]:
    after = dict(files)
    for change in made.changes:
        if change.after is None:
            del after[change.path]
        else:
            after[change.path] = change.after
    return after


def done(files: Mapping[str, bytes | None], kind: str, **arguments: Any) -> dict[str, bytes | None]:
    return applied(files, plan(files, request(kind, **arguments)))


def target(files: Mapping[str, bytes | None], path: str = CATALOG) -> dict[str, str]:
    return {"handle": "wiki:" + path.removeprefix(".aiwg/wiki/"), "expected": digest(files[path] or b"")}


def source(data: bytes, locator: str = "notes/a.md", **more: str) -> dict[str, str]:
    name = locator.rpartition("/")[2]
    return {"locator": locator, "digest": digest(data), "name": name, "kind": "file", "route": "ingest", **more}


def findings(files: Mapping[str, bytes | None], base: Mapping[str, bytes | None] | None = None) -> list[Finding]:
    return list(resolve(ADDON.check)(MemoryTree(files), None if base is None else MemoryTree(base)))


def rules(files: Mapping[str, bytes | None], base: Mapping[str, bytes | None] | None = None) -> set[tuple[str, str]]:
    """``(rule, path below the wiki)`` of all but notes."""
    told = findings(files, base)
    return {(each.rule, each.path.removeprefix(".aiwg/wiki/")) for each in told if each.severity != "note"}
