"""What an operation on facts is asked: which arguments it needs and takes, and what no schema can say of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.core.paths import path_problem

ATTRIBUTES = ("kind", "scope", "delivery", "classification", "epoch", "expires_at", "review_at")
"""What may be said of a fact, and said again later."""

_NEW = frozenset((*ATTRIBUTES, "provenance", "sources", "dependencies", "redact", "acknowledged"))
_TAKES: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "add": (frozenset(["texts"]), _NEW),
    "adopt": (frozenset(), _NEW - {"redact"} | {"handles"}),
    "supersede": (frozenset(["targets"]), _NEW | {"texts", "replacement"}),
    "supersede-by": (frozenset(["targets", "replacement"]), frozenset()),
    "merge": (frozenset(["targets", "texts"]), _NEW),
    "restore": (frozenset(["targets"]), frozenset(["texts", "acknowledged"])),
    "resolve": (frozenset(["targets", "keep"]), frozenset(["texts"])),
    "import": (frozenset(["provenance"]), frozenset()),
    "undo": (frozenset(["receipt"]), frozenset()),
}
_DECISION: tuple[frozenset[str], frozenset[str]] = (frozenset(["targets"]), frozenset())
YEARS = 10


def takes(kind: str) -> tuple[list[str], frozenset[str]]:
    """What a request of ``kind`` needs, in order, and what else it may hold; each may give a reason."""
    needs, more = _TAKES.get(kind.rpartition(".")[2], _DECISION)
    return sorted(needs), more | {"reason"}


def problems(given: Mapping[str, Any], at: str) -> list[str]:
    """References have at most 512 bytes each; ``expires_at`` is after ``at`` and within ten years; no target is named
    twice."""
    messages = []
    for index, source in enumerate(given.get("sources", ())):
        size = len(source["ref"].encode())
        if size > 512:
            messages.append(f"source {index + 1} has {size} bytes; legal is 1 to 512")
    scope = given.get("scope", "")
    if scope.startswith("path:"):
        problem = path_problem(scope.removeprefix("path:"))
        if problem:
            messages.append(f"scope: the path has {problem}; legal is a relative directory")
    expires = _moment(given["expires_at"]) if "expires_at" in given else ""
    if expires and not at < expires <= f"{int(at[:4]) + YEARS}{at[4:]}":
        messages.append(f"expires_at: {given['expires_at']} is not after {at} and within {YEARS} years of it")
    handles = [target["handle"] for target in given.get("targets", ())]
    messages += [f"{handle} stands twice" for handle in sorted(set(handles)) if handles.count(handle) > 1]
    return messages


def dated(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with every date as a moment."""
    return {**given, **{name: _moment(given[name]) for name in ("expires_at", "review_at") if name in given}}


def _moment(stated: str) -> str:
    return stated if "T" in stated else stated + "T00:00:00Z"
