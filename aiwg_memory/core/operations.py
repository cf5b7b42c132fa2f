"""Change, Plan, operation id, Receipt: what a mutation is before, while and after it happens.

A planner is a pure function ``plan(tree, request) -> Plan``; equal tree and equal request give equal ids anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aiwg_memory.core.canonical import canonical_json, digest, digest_json, short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.stored import RECEIPTS, current_digest
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import UsageError


@dataclass(frozen=True)
class Request:
    """The validated arguments of one mutation. ``at`` is the preview's time (RFC 3339, Z).

    ``inputs`` maps a digest to bytes that cannot be read again (standard input, a file outside the workspace); the
    arguments name them by digest, so they are part of the id, and they are kept beside the preview. ``part_of`` is the
    id of the compound request that this is one sink's part of.
    """

    kind: str
    arguments: Mapping[str, Any]
    at: str
    reviewer: str
    workspace: str
    inputs: Mapping[str, bytes] = field(default_factory=dict)
    part_of: str = ""

    def __post_init__(self) -> None:
        """Raises UsageError for text that no file can hold."""
        try:
            self.id  # noqa: B018  (asked for by whoever plans it)
        except UnicodeEncodeError as error:
            raise UsageError(
                f"{self.kind}: what was given holds bytes that are not UTF-8, or half a character",
                hint="type it again, or convert it first",
            ) from error

    def part(self, kind: str, arguments: Mapping[str, Any]) -> Request:
        """What one sink is asked within this request: the files and records it names carry this request's id."""
        return Request(kind, arguments, self.at, self.reviewer, self.workspace, part_of=self.id)

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "arguments": dict(self.arguments), "at": self.at, "reviewer": self.reviewer}

    @cached_property
    def id(self) -> str:
        return self.part_of or "rq_" + short(digest_json({**self.to_json(), "workspace": self.workspace}), 64)

    @cached_property
    def seg(self) -> str:
        """The name of every file this request adds to a ``.d`` directory, without ``.jsonl``."""
        return self.at.replace("-", "").replace(":", "") + "-" + short(self.id, 12)


@dataclass(frozen=True)
class Change:
    """One file: ``before`` is the digest of the bytes replaced (None: nothing was there), ``after`` the new bytes.

    ``after`` None means the file goes. ``read_only`` is how raw evidence is kept.
    """

    path: RepoPath
    before: str | None
    after: bytes | None
    read_only: bool = False

    @cached_property
    def after_digest(self) -> str | None:
        return None if self.after is None else digest(self.after)

    def to_json(self) -> dict[str, Any]:
        return {"path": self.path, "before": self.before, "after": self.after_digest}


@dataclass(frozen=True, slots=True)
class Note:
    """Something the person should know before saying yes: what it is about, and one sentence."""

    subject: str
    message: str

    def to_json(self) -> dict[str, str]:
        return {"subject": self.subject, "message": self.message}


@dataclass(frozen=True, slots=True)
class Sink:
    """The part of a compound operation that one store takes: delivered by an apply of its own, with its own receipt."""

    name: str
    paths: tuple[RepoPath, ...]
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What would happen, in one sentence and in bytes. No changes: there is nothing to confirm.

    ``subjects`` are the handles it is about; ``warnings`` are screening results that do not refuse. ``sinks`` says, for
    a compound operation, which changes belong to which sink: each change to exactly one. ``steps`` are the parts of it
    that a person may keep or drop, one a line.
    """

    request: Request
    summary: str
    changes: tuple[Change, ...] = ()
    subjects: tuple[str, ...] = ()
    duplicates: tuple[Note, ...] = ()
    conflicts: tuple[Note, ...] = ()
    supersedes: tuple[Note, ...] = ()
    warnings: tuple[Finding, ...] = ()
    sinks: tuple[Sink, ...] = ()
    steps: tuple[Note, ...] = ()

    def changes_of(self, sink: Sink) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.path in sink.paths)

    @cached_property
    def operation_id(self) -> str:
        covered: dict[str, Any] = {
            "request_id": self.request.id,
            "duplicates": [note.to_json() for note in self.duplicates],
            "conflicts": [note.to_json() for note in self.conflicts],
            "supersedes": [note.to_json() for note in self.supersedes],
            "changes": [change.to_json() for change in self.changes],
        }
        if self.sinks:
            covered["sinks"] = [[sink.name, *sink.paths] for sink in self.sinks]
        return "op_" + short(digest_json(covered), 64)


Planner = Callable[[Tree, Request], Plan]


class Draft:
    """Collects the changes of one plan against a tree: one change a path, nothing that would change nothing."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._changes: dict[RepoPath, Change] = {}

    def write(self, path: RepoPath, data: bytes, *, read_only: bool = False) -> None:
        self._put(Change(path, current_digest(self._tree, path), data, read_only))

    def remove(self, path: RepoPath) -> None:
        self._put(Change(path, current_digest(self._tree, path), None))

    def _put(self, change: Change) -> None:
        if change.before == change.after_digest:
            self._changes.pop(change.path, None)
        else:
            self._changes[change.path] = change

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(self._changes[path] for path in sorted(self._changes))


def receipt_path(seg: str, sink: str = "") -> RepoPath:
    return RepoPath(f"{RECEIPTS}/{seg}-{sink}.jsonl" if sink else f"{RECEIPTS}/{seg}.jsonl")


def receipt(
    plan: Plan, *, confirmed_at: str, git_head: str | None, sink: Sink | None = None, delivered_by: str | None = None
) -> dict[str, Any]:
    """The record that it happened, of the whole plan or of one sink's part of it.

    It names the HEAD it was made on; it cannot name the commit that will hold it.
    """
    request = plan.request
    changes = plan.changes_of(sink) if sink else plan.changes
    return {
        "schema": "aiwg.receipt.v1",
        "operation_id": plan.operation_id,
        "request_id": request.id,
        "seg": request.seg,
        "kind": request.kind,
        "workspace": request.workspace,
        "reviewer": request.reviewer,
        "previewed_at": request.at,
        "confirmed_at": confirmed_at,
        "git_head": git_head,
        "changes": [change.to_json() for change in changes],
        "subjects": list(sink.subjects if sink else plan.subjects),
        "sink": sink.name if sink else "",
        "delivered_by": delivered_by or request.reviewer,
    }


def receipt_bytes(value: Mapping[str, Any]) -> bytes:
    return canonical_json(value) + b"\n"
