"""One fact, candidate or receipt, whole, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def fact_text(told: Mapping[str, Any]) -> str:
    """The text, how it stands, what it comes from, and a line for every version of its record."""
    fact, versions = told["fact"], told["versions"]
    lines = [fact["handle"], f"  {fact['text'] if fact['text'] is not None else '(text gone)'}"]
    names = ("lifecycle", "review", "kind", "scope", "delivery", "provenance")
    lines.append("  " + ", ".join(f"{name} {fact[name]}" for name in names))
    latest = versions[-1] if versions else {}
    lines += [f"  source {source['ref']}{_span(source)}" for source in latest.get("sources") or ()]
    lines += [f"  from {parent}" for parent in latest.get("parents") or ()]
    if latest.get("replacement"):
        lines.append(f"  replaced by {latest['replacement']}")
    lines += [f"  {day} {latest[day]}" for day in ("expires_at", "review_at") if latest.get(day)]
    if not versions:
        lines.append("  no record yet: typed by hand, reviewed by nobody")
    return "\n".join([*lines, *_history(versions), *_fork(told["fork"])])


def candidate_text(told: Mapping[str, Any], states: Sequence[str]) -> str:
    """What a decision names, the text, how each piece of evidence stands, every version, and what became of it."""
    from aiwg_memory.workspace.candidates import shown_id

    row = told["candidate"]
    text = row["assertion"] if row["assertion"] is not None else "(the text is gone)"
    lines = [shown_id(row), *(f"  {line}" for line in text.split("\n"))]
    lines.append(f"  {row['state']}, {', '.join(f'{name} {row[name]}' for name in _CANDIDATE if row[name])}")
    lines.append(f"  by {row['proposed_by']} at {row['at']}, {'in the inbox' if row['where'] == 'inbox' else 'shared'}")
    lines += [
        f"  rests on {one['ref']}{_span(one)}: {state}" for one, state in zip(row["evidence"], states, strict=True)
    ] or ["  names no evidence"]
    lines += [f"  warned of {one}" for one in row["warnings"] or ()]
    lines += [f"  from {parent}" for parent in row["parents"] or ()]
    lines += [f"  became {one['handle']}, {one['state']}: receipt {one['receipt']}" for one in told["promotions"]]
    heads = ", ".join(head.removeprefix("sha256:")[:12] for head in row["fork"])
    fork = [f"  decided differently on two branches: {heads}; `candidates resolve` settles it"] if heads else []
    return "\n".join([*lines, *_history(told["versions"]), *fork])


_CANDIDATE = ("type", "scope", "classification", "provenance", "confidence")


def _span(source: Mapping[str, Any]) -> str:
    return f"#{source['span']}" if source.get("span") else ""


def _history(versions: list[Mapping[str, Any]]) -> Iterator[str]:
    for each in versions:
        who = each.get("reviewer") or "nobody"
        why = f": {each['reason']}" if each.get("reason") else ""
        state = ", ".join(each[name] for name in ("status", "review") if each.get(name))
        short = each["version_digest"].removeprefix("sha256:")[:12]
        yield f"  version {each['version']}  {short}  {each['at']}  {state}  {who}{why}"


def _fork(heads: list[str]) -> Iterator[str]:
    if heads:
        listed = ", ".join(head.removeprefix("sha256:")[:12] for head in heads)
        yield f"  decided differently on two branches: {listed}; `facts resolve` settles it"


def receipt_record(record: Mapping[str, Any]) -> str:
    """What was done, by whom and when, to which handles, and every file it changed."""
    sink = f"-{record['sink']}" if record.get("sink") else ""
    lines = [f"{record['seg']}{sink}  {record['kind']}", f"  by {record['reviewer']}"]
    lines.append(f"  previewed {record['previewed_at']}, confirmed {record['confirmed_at']}")
    if record.get("delivered_by", record["reviewer"]) != record["reviewer"]:
        lines.append(f"  delivered by {record['delivered_by']}")
    lines.append(
        f"  at git's {record['git_head']}" if record.get("git_head") else "  before the first commit, or outside git"
    )
    lines += [f"  about {subject}" for subject in record.get("subjects", ())]
    for change in record["changes"]:
        what = "new" if change["before"] is None else "removed" if change["after"] is None else "changed"
        lines.append(f"  {what} {change['path']}")
    return "\n".join([*lines, f"  operation {record['operation_id']}"])
