"""Small stores for the examples of the rules, made with the formats' own digests."""

from __future__ import annotations

from typing import Any

from aiwg_memory.core.canonical import canonical_json, digest, short
from aiwg_memory.core.rules.rule import Files

ADA = "Ada Lovelace <ada@example.org>"
AT = "2026-01-31T08:00:00Z"
SEG = "20260131T080000Z-0123456789ab"
LATER = "20260201T080000Z-ba9876543210"
OTHER = "20260202T080000Z-aaaaaaaaaaaa"
KEYS_ON = ".aiwg/context/compound-memory/store.yaml"
KEY = ".aiwg/context/compound-memory/project-fact/catalog.engine.yaml"
LUNCH = "Lunch is at noon."


def text_file(text: str) -> str:
    return f".aiwg/memory/facts/{short(digest(text.encode()))}.txt"


def segment(seg: str = SEG, store: str = "memory/facts.d") -> str:
    return f".aiwg/{store}/{seg}.jsonl"


def record(text: str = LUNCH, **said: Any) -> dict[str, Any]:
    """The record of a fact; ``said`` replaces what it says."""
    whole = digest(text.encode())
    return {
        "at": AT, "delivery": "retrieved", "digest": whole, "handle": f"lm_{short(whole)}", "kind": "fact",
        "previous": None, "provenance": "operator", "review": "confirmed", "reviewer": ADA,
        "schema": "aiwg.fact_record.v1", "scope": "global", "seg": SEG, "status": "active", "version": 1, **said,
    }  # fmt: skip


def lines(*records: dict[str, Any]) -> str:
    return "".join(canonical_json(each).decode() + "\n" for each in records)


def covered(value: dict[str, Any]) -> str:
    """The digest by which a successor names this version."""
    from aiwg_memory.core.records import Version

    return Version(value).digest


def successor(value: dict[str, Any], **said: Any) -> dict[str, Any]:
    return {**value, "previous": covered(value), "version": value["version"] + 1, "seg": LATER, **said}


def fact(text: str = LUNCH, **said: Any) -> dict[str, str | None]:
    """A fact's own file and the segment with its record."""
    return {text_file(text): f"{text}\n", segment(): lines(record(text, **said))}


def receipt(before: Files, after: Files, seg: str = SEG, **said: Any) -> dict[str, str | None]:
    """The file of a receipt for everything that differs."""
    changed = [
        {"path": path, "before": _digest(before.get(path)), "after": _digest(after.get(path))}
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    ]
    value = {
        "schema": "aiwg.receipt.v1", "operation_id": "op_" + "1" * 64, "request_id": "rq_" + "2" * 64, "seg": seg,
        "kind": "line-memory.add", "workspace": "ws_" + "3" * 32, "reviewer": ADA, "previewed_at": AT,
        "confirmed_at": AT, "git_head": None, "changes": changed, "subjects": [], "sink": "", "delivered_by": ADA,
        **said,
    }  # fmt: skip
    return {f".aiwg/receipts.d/{seg}.jsonl": lines(value)}


def _digest(text: str | None) -> str | None:
    return None if text is None else digest(text.encode())


def page(body: str = "# Lunch\n\nAt noon.\n", front: str = "sources:\n  - ref: https://example.org/hours\n") -> str:
    return f"---\n{front}---\n{body}" if front else body


def linked(**pages: str) -> dict[str, str | None]:
    """Pages by name, and an index that leads to each, so that none is an orphan."""
    index = "".join(f"- [{name}]({name}.md)\n" for name in pages)
    return {".aiwg/wiki/index.md": index, **{f".aiwg/wiki/{name}.md": text for name, text in pages.items()}}


def raw(text: str = "Opening hours: noon.\n", **said: Any) -> dict[str, str | None]:
    """A raw copy and its record."""
    whole = digest(text.encode())
    name = f"{short(whole)}-hours.txt"
    value = {
        "schema": "aiwg.raw_record.v1", "handle": f"raw_{short(whole)}", "version": 1, "previous": None,
        "status": "active", "seg": SEG, "at": AT, "digest": whole, "bytes": len(text.encode()), "name": "hours.txt",
        "file": name, "source_kind": "text", "route": "file", "classification": "internal",
        "sources": [{"ref": "notes/hours.txt", "digest": whole, "span": None}], "reviewer": ADA, **said,
    }  # fmt: skip
    return {f".aiwg/wiki/raw/{name}": text, segment(store="wiki/raw.d"): lines(value)}


def key_version(value: str, number: int, **said: Any) -> dict[str, Any]:
    """One version of a key."""
    return {
        "version": number, "status": "active", "value": value, "digest": digest(value.encode()), "scope": "global",
        "delivery": "retrieved", "review": "confirmed", "provenance": "operator", "classification": "internal",
        "reviewer": ADA, "created_at": AT, **said,
    }  # fmt: skip


def key_file(*versions: dict[str, Any], key: str = "catalog.engine") -> dict[str, str]:
    """A store of canonical context that is turned on and holds one key, its versions newest first."""
    from aiwg_memory.core.plain_yaml import render

    value = {"schema": "aiwg.canonical_file.v1", "target": "project-fact", "key": key, "versions": list(versions)}
    return {KEYS_ON: "schema: aiwg.canonical_store.v1\n", KEY.replace("catalog.engine", key): render(value).decode()}
