"""A report as data: what may not be shown is named by handle and digest."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from aiwg_memory.core.changes.entry import Break, Entry, Report
from aiwg_memory.core.quoting import shown_lines

MAX_LISTED = 2000


def data(report: Report, visible: Collection[str]) -> dict[str, Any]:
    """At most 2,000 entries and as many breaks; the totals count all."""
    hidden = {entry.handle for entry in report.entries if entry.classification not in visible}
    return {
        "base": report.base,
        "head": report.head,
        "entries": [_entry(one, one.classification in visible) for one in report.entries[:MAX_LISTED]],
        "total": len(report.entries),
        "hidden": len(hidden),
        "breaks": [_break(one) for one in report.breaks[:MAX_LISTED]],
        "breaks_total": len(report.breaks),
        "always": dict(zip(("before", "after", "cap"), report.always, strict=True)) if report.always else None,
        "sight": [{"path": path, "message": message} for path, message in report.sight],
        "loads": [one._asdict() for one in report.loads],
        "truncated": max(len(report.entries), len(report.breaks)) > MAX_LISTED,
    }


def _entry(entry: Entry, shown: bool) -> dict[str, Any]:
    told = {
        "store": entry.store,
        "action": entry.action,
        "handle": entry.handle,
        "digest": entry.digest,
        "classification": entry.classification,
        "detail": entry.detail,
        "by": entry.by,
        "alarm": entry.alarm,
        "shown": shown,
    }
    if not shown:
        return told
    return told | {
        "path": entry.path,
        "line": entry.line,
        "title": _safe(entry.title),
        "before": _safe(entry.before),
        "after": _safe(entry.after),
        "who": _safe(entry.who),
        "reason": _safe(entry.reason),
        "sources": [_safe(ref) for ref in entry.sources],
    }


def _safe(text: str) -> str:
    """Secrets redacted and invisible characters spelt out, as in everything that is handed over."""
    return "\n".join(shown_lines(text))


def _break(found: Break) -> dict[str, Any]:
    return {
        "ref": found.ref,
        "what": found.what,
        "to": found.to,
        "copy": found.copy,
        "holders": [{"handle": holder.handle, "path": holder.path} for holder in found.holders],
    }
