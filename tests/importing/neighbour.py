"""A small store in the form another tool keeps, and a workspace beside it."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from person import Person

BERTHS = "The quay has two berths."
PILOTS = "Pilots answer on channel 12."
OLD = "Pilots answer on channel 9."
TYPED = "The ferry is called Heron."


def sha(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def fact(name: str, text: str, **more: Any) -> tuple[str, dict[str, Any]]:
    value = {
        "id": name, "value": text, "digest": sha(text), "status": "active", "createdAt": "2026-01-02T10:00:00.000Z",
        "sources": [{"ref": "docs/quay.md", "reviewer": "harbour", "reason": None}], **more,
    }  # fmt: skip
    return name, value


def value(name: str, key: str, text: str, **more: Any) -> tuple[str, dict[str, Any]]:
    entry = {
        "target": "decision", "key": key, "value": text, "sourceRef": "docs/quay.md", "sourceDigest": None,
        "reviewer": "harbour", "reason": "agreed", "scope": "project", "classification": "internal", "reviewAt": None,
        "expiresAt": None, "entryId": name, "status": "active", "createdAt": "2026-01-02T10:00:00.000Z", **more,
    }  # fmt: skip
    return name, entry


def store(base: Path, facts: list[Any], values: list[Any] | None = None, lines: list[str] | None = None) -> None:
    """``.aiwg`` below ``base`` with these entries; ``lines`` are those of the text, else the active facts."""
    text = lines if lines is not None else [one["value"] for _, one in facts if one["status"] == "active"]
    _write(base / ".aiwg/memory/line-memory.txt", "".join(line + "\n" for line in text))
    meta = {"schemaVersion": "aiwg.line-memory.v1", "version": 1, "entries": dict(facts)}
    _write(base / ".aiwg/memory/line-memory.meta.json", json.dumps(meta))
    if values:
        context = {"schemaVersion": "aiwg.canonical-context.v1", "revision": 1, "entries": dict(values)}
        _write(base / ".aiwg/context/compound-memory/context.json", json.dumps(context))


def registration(base: Path, path: str, text: str) -> None:
    value = {
        "schemaVersion": "aiwg.output-registration.v1",
        "output": {"locator": path, "mediaType": "text/markdown", "digest": sha(text), "byteLength": len(text)},
        "contextPack": {
            "id": sha("pack"), "digest": sha("text"),
            "sources": [{"kind": "note", "ref": "line-memory:lm_one", "digest": sha(BERTHS), "span": None}],
        },
        "supersedes": [], "conflictsWith": [], "registrationId": sha("registration"),
    }  # fmt: skip
    _write(base / f".aiwg/memory/output-registration/index/{sha('r')[7:]}.json", json.dumps(value))


def usual(base: Path) -> None:
    replaced = {
        "reviewer": "harbour",
        "reason": "moved",
        "replacement": "lm_two",
        "recordedAt": "2026-01-03T10:00:00.000Z",
    }
    store(
        base,
        [
            fact("lm_one", BERTHS),
            fact("lm_two", PILOTS),
            fact("lm_old", OLD, status="superseded", disposition=replaced),
        ],
        [
            value("ctx-1", "ferry.day", "Fridays", status="superseded", createdAt="2026-01-01T10:00:00.000Z"),
            value("ctx-2", "ferry.day", "Tuesdays"),
            value("ctx-3", "ticket.price", "half", expiresAt="2026-01-10T00:00:00.000Z"),
        ],
        [BERTHS, PILOTS, TYPED],
    )
    registration(base, "output/quay.md", "report")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def records(person: Person, folder: str = "memory/facts.d") -> dict[str, dict[str, Any]]:
    """The last version of each record, by handle."""
    found: dict[str, dict[str, Any]] = {}
    home = person.root / ".aiwg" / folder
    for name in sorted(os.listdir(home)) if home.is_dir() else ():
        for line in (home / name).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if record["version"] >= found.get(record["handle"], record)["version"]:
                found[record["handle"]] = record
    return found
