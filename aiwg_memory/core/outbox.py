"""The outbox: what a confirmed operation still owes to a sink, frozen to the byte.

One line a sink, written before the first sink is delivered and never rewritten. What is owed are the lines whose
receipt is not in place; a receipt pays a line only if it is of the same operation, sink and changes, or drops it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Change, Plan, receipt_path
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.receipts import Receipt, read_receipt
from aiwg_memory.core.records import read_line
from aiwg_memory.core.schema import cheap
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

OUTBOX = RepoPath(".aiwg/outbox.d")
SCHEMA = "aiwg.outbox.v1"


@dataclass(frozen=True)
class Owed:
    """One sink's part. ``receipt`` is what its receipt will say, but for who delivers it; ``evidence`` what it rests
    on; ``line`` and ``path`` where it is written."""

    operation_id: str
    seg: str
    sink: str
    handle: str
    evidence: tuple[Mapping[str, Any], ...]
    changes: tuple[Change, ...]
    receipt: Receipt
    path: RepoPath
    line: int

    @property
    def id(self) -> str:
        """The name of its apply, and of what this machine notes about attempts."""
        return f"{self.operation_id}-{self.sink}"


@dataclass(frozen=True)
class Outbox:
    """``lines`` is everything written, by file; ``owed`` what no receipt pays yet."""

    lines: tuple[Owed, ...] = ()
    owed: tuple[Owed, ...] = ()
    findings: tuple[Finding, ...] = ()

    def of(self, operation_id: str) -> tuple[Owed, ...]:
        return tuple(one for one in self.owed if one.operation_id == operation_id)


def outbox_path(seg: str) -> RepoPath:
    return join(OUTBOX, f"{seg}.jsonl")


def render_outbox(plan: Plan, receipts: Sequence[Receipt], handle: str, evidence: Iterable[Mapping[str, Any]]) -> bytes:
    """The file of one operation: a line for each sink, in the order of the sinks."""
    grounds = [dict(one) for one in evidence]
    lines = []
    for sink, receipt in zip(plan.sinks, receipts, strict=True):
        lines.append(
            {
                "schema": SCHEMA,
                "operation_id": plan.operation_id,
                "seg": plan.request.seg,
                "sink": sink.name,
                "handle": handle,
                "evidence": grounds,
                "changes": [_change_json(change) for change in plan.changes_of(sink)],
                "receipt": receipt,
            }
        )
    return b"".join(canonical_json(line) + b"\n" for line in lines)


def _change_json(change: Change) -> dict[str, Any]:
    data = None if change.after is None else base64.b64encode(change.after).decode()
    return {**change.to_json(), "base64": data, "read_only": change.read_only}


def read_outbox(tree: Tree) -> Outbox:
    """Every file of the outbox. A line that cannot be what was confirmed is a finding, and owed to nobody."""
    lines: list[Owed] = []
    findings: list[Finding] = []
    for entry in tree.list(OUTBOX):
        if entry.kind == "file" and entry.name.endswith(".jsonl"):
            path = join(OUTBOX, entry.name)
            found, problems = parse_outbox(path, tree.read(path, limit=4 * MAX_FILE))
            lines += found
            findings += problems
    return Outbox(tuple(lines), tuple(one for one in lines if payment(tree, one) is None), tuple(findings))


def parse_outbox(path: RepoPath, data: bytes) -> tuple[list[Owed], list[Finding]]:
    found: list[Owed] = []
    findings: list[Finding] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        value, wrong = read_line(line)
        problem = f"this line cannot be read: {wrong}" if wrong else cheap("outbox.v1", value)
        owed = None if problem else _owed(path, number, value)
        if owed is None:
            message = problem or "this line contradicts itself: it is not what anybody confirmed"
            findings.append(Finding(path, number, "outbox", message, hint=_HINT))
        elif any(owed.sink == other.sink for other in found):
            findings.append(Finding(path, number, "outbox", f"{owed.sink} stands twice", hint=_HINT))
        else:
            found.append(owed)
    return found, findings


_HINT = "bring the file back from git as it was confirmed"


def _owed(path: RepoPath, number: int, value: Mapping[str, Any]) -> Owed | None:
    """The line, if its bytes, its digests, its receipt and the name of its file say the same."""
    receipt = value["receipt"]
    try:
        changes = tuple(_change(one) for one in value["changes"])
    except (ValueError, AiwgError):
        return None
    same = all(receipt.get(name) == value[name] for name in ("operation_id", "seg", "sink"))
    told = [change.to_json() for change in changes] == receipt.get("changes")
    kept = [change.after_digest for change in changes] == [one["after"] for one in value["changes"]]
    if not (same and told and kept and path == outbox_path(value["seg"])):
        return None
    return Owed(
        value["operation_id"], value["seg"], value["sink"], value["handle"], tuple(value["evidence"]), changes, receipt,
        path, number,
    )  # fmt: skip


def _change(value: Mapping[str, Any]) -> Change:
    data = None if value["base64"] is None else base64.b64decode(value["base64"], validate=True)
    return Change(RepoPath(value["path"]), value["before"], data, value["read_only"])


def payment(tree: Tree, owed: Owed) -> Receipt | None:
    """The receipt that pays a line: of the same operation and sink, with its changes or with none because dropped."""
    found = read_receipt(tree, receipt_path(owed.seg, owed.sink))
    if found is None or found["operation_id"] != owed.operation_id or found["sink"] != owed.sink:
        return None
    if found.get("dropped"):
        return found if not found["changes"] else None
    return found if found["changes"] == owed.receipt["changes"] else None


def delivery_receipt(owed: Owed, by: str) -> Receipt:
    return {**owed.receipt, "delivered_by": by}


def drop_receipt(owed: Owed, by: str, now: str, reason: str) -> Receipt:
    """A receipt that says the sink got nothing, who decided that, and when."""
    return {
        **owed.receipt,
        "changes": [],
        "delivered_by": by,
        "dropped": {"by": by, "at": now, "reason": reason},
    }
