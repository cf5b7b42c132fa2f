"""From one file to the facts and record versions in it, and from a fact and its record to a memory item."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from aiwg_memory.addons.line_memory.text import FACTS, FILE_NAME, LINES, RECORDS, handle_of, normalise, text_digest
from aiwg_memory.core.dimensions import KINDS, LIFECYCLES
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.items import Fragment, MemoryItem, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, parse_segment
from aiwg_memory.core.schema import cheap

LAYER = "facts"
NO_LIMIT = 1 << 30


@lru_cache(maxsize=512)
def parse(path: RepoPath, data: bytes) -> Fragment:
    """Facts typed by hand are one a line; blank lines and lines that begin with ``#`` are not facts.

    The length of a fact is not judged here: what is too long for a new fact is still there to be read.
    """
    if path.under(RECORDS):
        versions, findings = parse_segment(path, data, _record_problem)
        return Fragment(versions=tuple(versions), findings=tuple(findings))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Fragment(findings=(Finding(path, line, "fact-text", "the file is not UTF-8"),))
    if path == LINES:
        return _hand_typed(path, text)
    return _fact_file(path, text)


def _record_problem(value: Mapping[str, Any]) -> str | None:
    wrong = cheap("fact_record.v1", value)
    if wrong is None and value["handle"] != "lm_" + value["digest"][7:23]:
        return "`handle` does not begin `digest`"
    return wrong


def _hand_typed(path: RepoPath, text: str) -> Fragment:
    units: dict[str, Unit] = {}
    findings = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            fact = normalise(line, NO_LIMIT)
        except ValueError as error:
            findings.append(Finding(path, number, "fact-text", str(error), hint="retype the line"))
            continue
        handle = handle_of(fact)
        if handle in units:
            message = f"the same fact stands in line {units[handle].first}"
            findings.append(Finding(path, number, "fact-duplicate", message, "warning", "keep one of the two lines"))
            continue
        units[handle] = Unit(handle, LAYER, path, number, number, "", "", fact, {"unrecorded": True})
    return Fragment(tuple(units.values()), (), tuple(findings))


def without_lines(data: bytes, handles: Collection[str]) -> bytes:
    """Facts typed by hand without those of ``handles``; comments, blank lines and what is no fact stay as they are."""
    kept = []
    for line in data.decode().split("\n"):
        try:
            fact = normalise(line.removeprefix("\ufeff"), NO_LIMIT)
        except ValueError:
            fact = ""
        if not fact or line.startswith("#") or handle_of(fact) not in handles:
            kept.append(line)
    return "\n".join(kept).encode()


def _fact_file(path: RepoPath, text: str) -> Fragment:
    if path.parent != FACTS or not FILE_NAME.match(path.name):
        message = "this name is not that of a fact file: 16 hex digits and .txt"
        hint = f"`add` writes the fact, or a line of {LINES} and `facts adopt`; then take this file away"
        return Fragment(findings=(Finding(path, 0, "fact-file-name", message, hint=hint),))
    try:
        fact = normalise(text.removeprefix("\ufeff"), NO_LIMIT)
    except ValueError as error:
        return Fragment(findings=(Finding(path, 0, "fact-text", str(error), hint="retype it, or remove the fact"),))
    findings = []
    if text != fact + "\n":
        message = "the fact is not stored as one line with single spaces and one final newline"
        findings.append(Finding(path, 0, "fact-not-normalised", message, "warning", "`facts adopt` rewrites it"))
    handle = handle_of(fact)
    if path.name != handle[3:] + ".txt":
        message = f"the text is that of {handle}, not of lm_{path.name[:16]}: it was edited"
        findings.append(
            Finding(
                path, 0, "fact-edited", message, "warning", "`facts adopt` offers it as the successor of the old fact"
            )
        )
    return Fragment((Unit(handle, LAYER, path, 1, 1, "", "", fact),), (), tuple(findings))


def item(unit: Unit, head: Version | None) -> MemoryItem | None:
    """A fact without a record is pending and external. A removed one is nothing, whatever its file says.

    A record speaks for its text alone: sixteen digits of a digest can be made to agree, the whole cannot.
    """
    digest = text_digest(unit.text)
    if head is None or head.text("digest") != digest:
        return MemoryItem(unit.handle, LAYER, unit.text, digest, unit.handle, unrecorded=True)
    if head.status not in LIFECYCLES:
        return None
    kind = head.text("kind", "legacy")
    return MemoryItem(
        handle=unit.handle,
        layer=LAYER,
        text=unit.text,
        digest=digest,
        locator=unit.handle,
        kind=kind if kind in KINDS else "legacy",
        provenance=head.text("provenance", "external"),
        scope=head.text("scope", "global"),
        delivery=head.text("delivery", "retrieved"),
        review=head.text("review", "pending"),
        lifecycle=head.status,
        epoch=head.text("epoch"),
        classification=head.text("classification", "internal"),
        at=head.at,
        expires_at=head.text("expires_at"),
        review_at=head.text("review_at"),
        sources=head.list("sources"),
        dependencies=head.object("dependencies"),
    )
