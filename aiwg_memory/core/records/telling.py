"""Records as a person reads them in a preview: every field that says something, in a few lines a record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.core.canonical import DIGEST, canonical_json, indented_json
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records.segment import parse_segment, read_line, render_segment
from aiwg_memory.core.records.version import Version

_LEAD = ("handle", "version", "status", "review", "reviewer", "at")
_CITED = {"ref", "span", "digest", "anchor"}
_DIGESTS = re.compile(r"\bsha256:[0-9a-f]{64}\b")
_WORD = re.compile(r"\S{1,80}\Z")


def told_pin(data: bytes) -> list[str] | None:
    """The same of the manifest of a pin; None for what is not exactly one as it is written."""
    value, wrong = read_line(data)
    if wrong or not isinstance(value, dict) or value.get("schema") != "aiwg.pin.v1" or indented_json(value) != data:
        return None
    try:
        # What is not known here is shown as it stands.
        known = all(_SOURCE.issuperset(one) for one in value["sources"])
        return list(_told_pin(value)) if known else None
    except (KeyError, TypeError):
        return None


def _told_pin(pin: Mapping[str, Any]) -> Iterator[str]:
    yield f"{pin['handle']}: {pin['status']}, fingerprint {pin['fingerprint'][:12]}…"
    for source in pin["sources"]:
        redacted = ", redacted" if source["redacted"] else ""
        text = f"{source['size']} bytes, {source['content_sha256'][:12]}…{redacted}"
        yield f"  {source['ordinal']}. {source['path']}, {text}: {source['why_effective']}"
    for one in pin["conflicts"]:
        yield f"  {one['lower']} and {one['higher']}: {one['resolution']}"
    rest = {key: said for key, said in sorted(pin.items()) if key not in _OF_A_PIN and not _empty(said)}
    yield from _fields(rest, "  ")


_SOURCE = frozenset((
    "content_sha256", "depth", "kind", "ordinal", "path", "plain_sha256", "precedence", "redacted", "scope", "size",
    "why_effective",
))  # fmt: skip
_OF_A_PIN = ("schema", "handle", "status", "fingerprint", "sources", "conflicts", "revision", "target")


def told(path: RepoPath, data: bytes) -> list[str] | None:
    """The lines that tell the records of a segment; None for what is not exactly a segment as it is written here.

    Left out are ``schema``, ``seg`` where it is the file's name, and what is empty; a digest is its first 12 digits.
    """
    versions, findings = parse_segment(path, data)
    if findings or not versions or render_segment(versions) != data:
        return None
    return [line for version in versions for line in _told(version, path.name.removesuffix(".jsonl"))]


def _told(version: Version, seg: str) -> Iterator[str]:
    value = version.value
    review = f", review {value['review']}" if value.get("review") else ""
    by = f", by {value['reviewer']}" if value.get("reviewer") else ""
    yield f"{version.handle} version {version.version}: {version.status}{review}{by}, {version.at}"
    rest = {key: said for key, said in sorted(value.items()) if key not in (*_LEAD, "schema") and not _empty(said)}
    if rest.get("seg") == seg:
        del rest["seg"]
    yield from _fields(rest, "  ")


def _fields(fields: Mapping[str, Any], indent: str, lead: str = "") -> Iterator[str]:
    """What takes a word on one line after ``lead``; a line, or a block one step deeper, for each of the others."""
    words = {key: text for key, said in fields.items() if (text := _word(said)) is not None}
    if words or lead:
        yield (indent + lead + ", ".join(f"{key} {text}" for key, text in words.items())).rstrip()
    deeper = indent + "  " if lead else indent
    for key, said in fields.items():
        if key not in words:
            for each in said if isinstance(said, list) else [said]:
                yield from _field(key, each, deeper)


def _field(key: str, said: Any, indent: str) -> Iterator[str]:
    if not isinstance(said, Mapping):
        yield f"{indent}{key}: {_said(said)}"
        return
    fields = {name: each for name, each in sorted(said.items()) if not _empty(each)}
    if isinstance(said.get("ref"), str):
        yield f"{indent}{key}: {_cited(said)}"
        yield from _fields({name: each for name, each in fields.items() if name not in _CITED}, indent + "  ")
    else:
        yield from _fields(fields, indent, f"{key}: ")


def _empty(said: Any) -> bool:
    return said is None or said is False or said in ("", [], {})


def _word(said: Any) -> str | None:
    """A value that needs no line of its own."""
    if isinstance(said, str):
        return _digest(said) or (said if _WORD.match(said) and "," not in said else None)
    return canonical_json(said).decode() if isinstance(said, bool | int | float) else None


def _digest(text: str) -> str:
    return _shortened(text) if DIGEST.match(text) else ""


def _shortened(text: str) -> str:
    return _DIGESTS.sub(lambda found: found[0][:19] + "…", text)


def _said(each: Any) -> str:
    if isinstance(each, str):
        return _digest(each) or each
    return _shortened(canonical_json(each).decode())


def _cited(each: Mapping[str, Any]) -> str:
    anchor = each.get("anchor")
    marks = [each.get("digest"), *(anchor.values() if isinstance(anchor, Mapping) else [anchor])]
    named = ", ".join(_said(mark) for mark in marks if not _empty(mark))
    return str(each["ref"]) + (f"#{each['span']}" if each.get("span") else "") + (f" ({named})" if named else "")
