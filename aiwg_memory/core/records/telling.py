"""Records as a person reads them in a preview: every field that says something, in a few lines a record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.core.canonical import DIGEST, canonical_json
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records.segment import parse_segment, render_segment
from aiwg_memory.core.records.version import Version

_LEAD = ("handle", "version", "status", "review", "reviewer", "at")
_CITED = {"ref", "span", "digest", "anchor"}
_DIGESTS = re.compile(r"\bsha256:[0-9a-f]{64}\b")
_WORD = re.compile(r"\S{1,80}\Z")


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
