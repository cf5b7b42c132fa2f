"""What a page says of itself: its dimensions, and whether the verdict on it still stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.dimensions import CLASSIFICATIONS, DELIVERIES, KINDS, PROVENANCES
from aiwg_memory.core.document import normalise, without
from aiwg_memory.core.paths import path_problem
from aiwg_memory.core.patterns import pattern
from aiwg_memory.core.schema.formats import is_date, is_date_time
from aiwg_memory.errors import AiwgError

STATUSES = ("active", "superseded", "archived", "revoked")
_SCOPE = pattern(r"(?:global|user|path:\S.*|(?:project|session):[A-Za-z0-9._-]{1,128})\Z")


def review_digest(data: bytes) -> str:
    """What a verdict is given for: the digest of the page, as stored, without its ``reviewed``. Raises AiwgError."""
    return digest(without(normalise(data), "reviewed"))


def review(front: Mapping[str, Any], data: bytes) -> str:
    """confirmed or rejected while the page is what the verdict was given for, else pending."""
    verdict = front.get("reviewed")
    if not isinstance(verdict, dict) or verdict.get("verdict") not in ("confirmed", "rejected"):
        return "pending"
    try:
        stands = verdict.get("digest") == review_digest(data)
    except AiwgError:
        stands = False
    return str(verdict["verdict"]) if stands else "pending"


def attributes(front: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    """The dimensions of a page. A value nobody here knows is read as the most restrictive one of its dimension; a kind
    nobody knows is legacy."""
    reviewed = front.get("reviewed")
    expires, overdue = _moment(front, "expires_at"), _moment(front, "review_at")
    lifecycle = _known(front, "status", STATUSES, "active", "revoked")
    if lifecycle == "active" and (expires is None or overdue is None):
        lifecycle = "expired" if expires is None else "stale"
    return {
        "kind": _known(front, "kind", KINDS, "note", "legacy"),
        "provenance": _known(front, "provenance", PROVENANCES, "external", "external"),
        "scope": _text(front, "scope") or "global",
        "delivery": _known(front, "delivery", DELIVERIES, "retrieved", "on_demand"),
        "review": review(front, data),
        "lifecycle": lifecycle,
        "epoch": _text(front, "epoch"),
        "classification": _known(front, "classification", CLASSIFICATIONS, "internal", "private"),
        "at": _text(reviewed, "at") if isinstance(reviewed, dict) else "",
        "expires_at": expires or "",
        "review_at": overdue or "",
        "sources": [each for each in _list(front, "sources") if isinstance(each, dict)],
        "dependencies": front["dependencies"] if isinstance(front.get("dependencies"), dict) else {},
    }


def scope_problem(front: Mapping[str, Any]) -> str | None:
    """Why nobody can tell where a page applies, or None; such a page is not retrieved anywhere."""
    scope = front.get("scope", "global")
    if not isinstance(scope, str) or not _SCOPE.match(scope):
        return "the scope is none of global, user, path:<directory>, project:<id>, session:<id>"
    if scope.startswith("path:") and (problem := path_problem(scope[5:])):
        return f"the path of the scope has {problem}"
    return None


def _known(front: Mapping[str, Any], key: str, known: tuple[str, ...], absent: str, other: str) -> str:
    value = front.get(key)
    if value is None:
        return absent
    return value if isinstance(value, str) and value in known else other


def _moment(front: Mapping[str, Any], key: str) -> str | None:
    """A date or a time as stated, "" when absent, None when it is neither."""
    value = front.get(key)
    if value is None:
        return ""
    return value if isinstance(value, str) and (is_date(value) or is_date_time(value)) else None


def _text(front: Mapping[str, Any], key: str) -> str:
    value = front.get(key)
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _list(front: Mapping[str, Any], key: str) -> list[Any]:
    value = front.get(key)
    return value if isinstance(value, list) else []
