"""The first version of a fact's record, and the forms that records and notes share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aiwg_memory.addons.line_memory.asking import ATTRIBUTES
from aiwg_memory.addons.line_memory.text import handle_of, text_digest
from aiwg_memory.core.counting import counted


def first_record(text: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What a request states about a new fact, and the defaults; a person's own word begins confirmed."""
    provenance = arguments.get("provenance", "external")
    stated = {name: arguments[name] for name in (*ATTRIBUTES, "dependencies") if name in arguments}
    return {
        "schema": "aiwg.fact_record.v1",
        "handle": handle_of(text),
        "status": "active",
        "digest": text_digest(text),
        "kind": "fact",
        "scope": "global",
        "delivery": "retrieved",
        "review": "confirmed" if provenance == "operator" else "pending",
        "provenance": provenance,
        "classification": "internal",
        "epoch": "",
        "sources": sourced(arguments.get("sources", ())),
        "parents": [],
        "replacement": None,
        **stated,
    }


def sourced(sources: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Sources with all three keys, each once, in the order given."""
    found = {}
    for source in sources:
        whole = {**source, "digest": source.get("digest"), "span": source.get("span")}
        found[whole["ref"], whole["digest"], whole["span"]] = whole
    return list(found.values())


def named(texts: Sequence[str]) -> str:
    """How many facts, and what the first of them says: previews that wait are told apart by it."""
    said = f": {quote(texts[0])}{' …' if len(texts) > 1 else ''}" if texts else ""
    return f"{counted(len(texts), 'fact')}{said}"


def quote(text: str) -> str:
    """At most 80 characters of a fact, for a note."""
    return f"“{text if len(text) <= 80 else text[:79] + '…'}”"
