"""What an operation on facts is asked: its arguments, judged all together before anything is planned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Request
from aiwg_memory.core.paths import path_problem
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.errors import UsageError

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


def arguments(request: Request) -> dict[str, Any]:
    """The arguments with moments as times. Raises UsageError with every problem as a finding.

    References are at most 32, of at most 512 bytes each; ``expires_at`` is after the request and within ten years.
    """
    given = dict(request.arguments)
    needs, takes = _TAKES.get(request.kind.rpartition(".")[2], _DECISION)
    messages = [f"/: the key {name!r} is missing" for name in sorted(needs - set(given))]
    messages += [f"/: {request.kind} takes no key {name!r}" for name in sorted(set(given) - needs - takes - {"reason"})]
    if cheap("fact_request.v1", given):
        messages += [finding.message for finding in explain("fact_request.v1", given)]
    else:
        messages += _rules(given, request.at)
    if messages:
        findings = [Finding("", 0, "argument", message) for message in dict.fromkeys(messages)]
        raise UsageError(
            f"{request.kind}: " + "; ".join(finding.message for finding in findings),
            hint="correct the arguments; nothing was planned",
            findings=findings,
        )
    for name in ("expires_at", "review_at"):
        if name in given:
            given[name] = _moment(given[name])
    return given


def _rules(given: Mapping[str, Any], at: str) -> list[str]:
    messages = []
    for index, source in enumerate(given.get("sources", ())):
        size = len(source["ref"].encode())
        if size > 512:
            messages.append(f"/sources/{index}/ref: has {size} bytes; legal is 1 to 512")
    scope = given.get("scope", "")
    if scope.startswith("path:"):
        problem = path_problem(scope.removeprefix("path:"))
        if problem:
            messages.append(f"/scope: the path has {problem}; legal is a relative directory")
    expires = _moment(given["expires_at"]) if "expires_at" in given else ""
    if expires and not at < expires <= f"{int(at[:4]) + YEARS}{at[4:]}":
        messages.append(f"/expires_at: {given['expires_at']} is not after {at} and within {YEARS} years of it")
    handles = [target["handle"] for target in given.get("targets", ())]
    messages += [f"/targets: {handle} stands twice" for handle in sorted(set(handles)) if handles.count(handle) > 1]
    return messages


def _moment(stated: str) -> str:
    return stated if "T" in stated else stated + "T00:00:00Z"
