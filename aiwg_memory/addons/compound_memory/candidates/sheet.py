"""The queue as a sheet that a person edits, and what that person made of it.

A header stands at the margin, an assertion is indented by four spaces, and ``#`` begins a remark::

    keep cand_3f9c2a11d0e4a5b6@1:9b1c2d3e4f5a decision scope=global
        Releases are cut from the stable branch.

What cannot be read as this is an error with its line: a sheet is never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aiwg_memory.core.candidates import TYPES
from aiwg_memory.core.canonical import short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.screening import escape_invisible
from aiwg_memory.errors import UsageError

VERBS = {
    "keep": "pending", "pick": "pending", "accept": "accepted", "reject": "rejected", "drop": "rejected",
    "defer": "deferred",
}  # fmt: skip
HELP = """\
# What this batch shall be when you are done; nothing is changed before you have seen one diff and confirmed it.
#   accept · reject (or drop) · defer · keep    the first word of a header
#   another text below a header                 makes a new candidate, with the old one as its parent
#   accept ID + ID decision                     makes one of several; take the other's own entry out
#   scope=global | scope=path:DIR               where it applies
# Every candidate has to stand in exactly one header. An empty sheet changes nothing.
"""
_HEADER = re.compile(r"(\S+)[ \t]+(.+)\Z")
_ID = re.compile(r"(cand_[0-9a-f]{16})@([0-9]+):([0-9a-f]{12})\Z")


def render_sheet(rows: Iterable[Mapping[str, Any]]) -> str:
    """The sheet of candidates as ``row`` shows them: ``candidates list`` prints them"""
    parts = [HELP]
    for row in rows:
        said = {"accepted": "accept", "rejected": "reject", "deferred": "defer"}.get(row["state"], "keep")
        name = f"{row['candidate_id']}@{row['version']}:{short(row['fingerprint'], 12)}"
        lines = [f"{said} {name} {row['type']} scope={row['scope']}"]
        lines += [f"    {line}".rstrip() for line in escape_invisible(row["assertion"] or "").split("\n")]
        lines += [f"# {remark}" for remark in _remarks(row)]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _remarks(row: Mapping[str, Any]) -> list[str]:
    evidence = [one["ref"] + (f"#{one['span']}" if one.get("span") else "") for one in row["evidence"]]
    remarks = [f"by {row['proposed_by']} at {row['at']}; rests on {', '.join(evidence) or 'nothing that is named'}"]
    if row["warnings"]:
        remarks.append("to accept it, acknowledge by name: " + ", ".join(row["warnings"]))
    return [escape_invisible(remark).replace("\n", " ") for remark in remarks]


def parse_sheet(sheet: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The entries of the batch, each ``{from: [handle…], status, type, scope, text}``; [] for a sheet without any line.

    Raises UsageError with every problem and its line: what is no entry, a candidate that is missing, named twice, or
    not as it was shown.
    """
    known = {row["candidate_id"]: row for row in rows}
    entries: list[dict[str, Any]] = []
    wrong: list[Finding] = []
    for number, line in enumerate(sheet.replace("\r\n", "\n").split("\n"), 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if entries:
                entries[-1]["lines"].append("")
        elif line.startswith("    "):
            if entries:
                entries[-1]["lines"].append(line[4:])
            else:
                wrong.append(_problem(number, "a text stands above the first header"))
        else:
            entry = _header(line, number, known, wrong)
            if entry is not None:
                entries.append(entry)
    if not entries and not wrong:
        return []
    named = [handle for entry in entries for handle in entry["from"]]
    wrong += [_problem(0, f"{handle} is named twice") for handle in sorted(set(named)) if named.count(handle) > 1]
    wrong += [_problem(0, f"{handle} is not named; write reject to drop it") for handle in known if handle not in named]
    if wrong:
        message = "; ".join(f"line {one.line}: {one.message}" if one.line else one.message for one in wrong)
        raise UsageError(f"the sheet cannot be read: {message}", code="sheet", findings=wrong)
    return [_finished(entry, known) for entry in entries]


def _header(
    line: str, number: int, known: Mapping[str, Mapping[str, Any]], wrong: list[Finding]
) -> dict[str, Any] | None:
    match = _HEADER.match(line.rstrip())
    if match is None or match[1] not in VERBS:
        wrong.append(_problem(number, f"{line.strip()[:60]!r} is no header; it begins with {', '.join(VERBS)}"))
        return None
    entry: dict[str, Any] = {"from": [], "status": VERBS[match[1]], "lines": [], "line": number}
    for word in match[2].split():
        named = _ID.match(word)
        if word == "+":
            continue
        if named:
            row = known.get(named[1])
            shown = row and (str(row["version"]), short(row["fingerprint"], 12)) == (named[2], named[3])
            if not shown:
                wrong.append(_problem(number, f"{word} is not a candidate of this sheet, as it was shown"))
            entry["from"].append(named[1])
        elif word.startswith("scope="):
            entry["scope"] = word.removeprefix("scope=")
        elif word in TYPES:
            entry["type"] = word
        else:
            wrong.append(_problem(number, f"{word!r} is neither a candidate, a type nor a scope"))
    if not entry["from"]:
        wrong.append(_problem(number, "the header names no candidate"))
        return None
    return entry


def _finished(entry: dict[str, Any], known: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    row = known[entry["from"][0]]
    text = "\n".join(entry["lines"]).strip("\n")
    made: dict[str, Any] = {key: entry[key] for key in ("from", "status", "type", "scope") if key in entry}
    # A text that is as it was shown is not new words, even where it was shown with its invisible characters escaped.
    if text and text != escape_invisible(row["assertion"] or ""):
        made["text"] = text
    return made


def _problem(line: int, message: str) -> Finding:
    return Finding("", line, "sheet", message)
