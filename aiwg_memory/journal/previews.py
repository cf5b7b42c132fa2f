"""What was shown and waits for a person's yes: ``.aiwg/.local/previews/<operation id>.json``, for seven days."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from aiwg_memory.core.canonical import canonical_json, digest
from aiwg_memory.core.counting import few
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.schema import cheap
from aiwg_memory.errors import AiwgError, Damaged, TooLarge, UsageError
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import PREVIEWS, prepare
from aiwg_memory.worktree.origin import origin

SCHEMA = "aiwg.preview.v1"
KEPT_SECONDS = 7 * 24 * 3600
MAX_PREVIEWS = 256
MAX_BYTES = 64 * 1024 * 1024

_NAME = re.compile(r"op_[0-9a-f]{64}\.json\Z")
_PREFIX = re.compile(r"(?:op_)?([0-9a-f]{8,64})\Z")


@dataclass(frozen=True, slots=True)
class Preview:
    """A saved request, and what it would have changed: ``changes`` are path, before and after (digests or None).

    ``notes`` are lines that were shown with it and are no part of the plan. ``impossible`` is whether it was found that
    it can no longer be done.
    """

    operation_id: str
    request: Request
    summary: str
    created: str
    changes: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()
    impossible: bool = False


class Previews:
    """Written by rename, so nobody reads half of one; not synced, for a preview that is lost is shown again."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def save(self, plan: Plan, now: str, notes: tuple[str, ...] = ()) -> None:
        """Keep the preview of ``plan``; those expired at ``now``, and the oldest beyond 256, go. Raises TooLarge."""
        request = plan.request
        prepare(self._disk)
        value = {
            "schema": SCHEMA,
            "operation_id": plan.operation_id,
            "origin": origin(self._disk),
            "request": request.to_json(),
            "workspace": request.workspace,
            "summary": plan.summary,
            "created": now,
            "changes": [change.to_json() for change in plan.changes],
            "inputs": {name: base64.b64encode(data).decode() for name, data in request.inputs.items()},
            "notes": list(notes),
        }
        data = canonical_json(value) + b"\n"
        if len(data) > MAX_BYTES:
            raise TooLarge(f"the preview would have {len(data)} bytes; at most {MAX_BYTES} are kept")
        self._disk.make_dirs(PREVIEWS)
        self.expire(now)
        self._disk.replace(_path(plan.operation_id), data)

    def find(self, prefix: str, now: str) -> Preview | None:
        """The one whose id begins so (at least 8 hex digits, with or without ``op_``); None: none that is not expired.

        Raises UsageError for what is no such beginning or fits several, Damaged for a preview that cannot be read.
        """
        operation_id = self.named(prefix)
        preview = self._load(operation_id) if operation_id else None
        return preview if preview is not None and not _expired(preview.created, now) else None

    def named(self, prefix: str) -> str | None:
        """The whole id of the one that begins so, readable or not. Raises UsageError as ``find`` does."""
        wanted = _PREFIX.match(prefix)
        if wanted is None:
            raise UsageError(f"{prefix!r} is not an operation id", hint="give op_ and at least 8 of its hex digits")
        found = [name for name in self._names() if name.startswith("op_" + wanted[1])]
        if len(found) > 1:
            listed = few([name.removesuffix(".json")[:23] for name in found])
            raise UsageError(f"{prefix} fits {len(found)} previews: {listed}", hint="give more of its digits")
        return found[0].removesuffix(".json") if found else None

    def waiting(self, now: str) -> list[dict[str, Any]]:
        """Those that can still be confirmed, newest first: operation_id, kind, reviewer, created, summary, changes,
        and whether it was found ``stale``: that it can no longer be done.

        One that cannot be read (power was lost while it was written) is listed last, with what is wrong as its summary.
        """
        rows = []
        for name in self._names():
            operation_id = name.removesuffix(".json")
            try:
                preview = self._load(operation_id)
            except Damaged as error:
                rows.append(_row(operation_id, "", "", "", error.message, ()))
                continue
            if not _expired(preview.created, now):
                request = preview.request
                said = request.kind, request.reviewer, preview.created, preview.summary, preview.changes
                rows.append(_row(operation_id, *said, stale=preview.impossible))
        return sorted(rows, key=lambda row: (row["created"], row["operation_id"]), reverse=True)

    def remove(self, operation_id: str) -> None:
        if self._disk.stat(_path(operation_id)) is not None:
            self._unlink(_path(operation_id))

    def mark(self, operation_id: str, *, impossible: bool) -> None:
        """Note whether it can still be done. It stays either way, for what was typed may be nowhere else."""
        value = json.loads(self._disk.read(_path(operation_id), limit=MAX_BYTES))
        self._disk.replace(_path(operation_id), canonical_json({**value, "impossible": impossible}) + b"\n")

    def expire(self, now: str) -> None:
        """Remove what is older than seven days at ``now``, by the file's time, then the oldest beyond 255."""
        seconds = datetime.fromisoformat(now).timestamp()
        files = []
        for name in self._disk.names(PREVIEWS):
            status = self._disk.stat(join(PREVIEWS, name))
            if status is not None:
                files.append((status.st_mtime, join(PREVIEWS, name)))
        for place, (changed, path) in enumerate(sorted(files, reverse=True)):
            if seconds - changed > KEPT_SECONDS or place >= MAX_PREVIEWS - 1:
                self._unlink(path)

    def _names(self) -> list[str]:
        return [name for name in self._disk.names(PREVIEWS) if _NAME.match(name)]

    def _unlink(self, path: RepoPath) -> None:
        # Previews are written without the lock: another process may have removed it at this moment.
        try:
            self._disk.unlink(path)
        except FileNotFoundError:
            return

    def _load(self, operation_id: str) -> Preview:
        path = _path(operation_id)
        try:
            value = json.loads(self._disk.read(path, limit=MAX_BYTES))
            if not value["origin"] or value["origin"] != origin(self._disk):
                raise ValueError("it was not saved here, but came with the repository or a copy of it")
            problem = cheap("preview.v1", value)
            if problem:
                raise ValueError(problem)
            preview = _parse(value)
            if preview.operation_id != operation_id:
                raise ValueError(f"it is the preview of {preview.operation_id}")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, AiwgError) as error:
            raise Damaged(
                f"{path} cannot be read as a preview: {error}",
                hint=f"`aiwg-memory previews drop {operation_id[:15]}`, and preview again",
            ) from error
        return preview


def _parse(value: Mapping[str, Any]) -> Preview:
    inputs = {name: base64.b64decode(text, validate=True) for name, text in value["inputs"].items()}
    for name, data in inputs.items():
        if digest(data) != name:
            raise ValueError(f"an input is not what {name} names")
    saved = value["request"]
    request = Request(saved["kind"], saved["arguments"], saved["at"], saved["reviewer"], value["workspace"], inputs)
    datetime.fromisoformat(value["created"])
    changes, notes = tuple(value["changes"]), tuple(value.get("notes", ()))
    impossible = bool(value.get("impossible"))
    return Preview(value["operation_id"], request, value["summary"], value["created"], changes, notes, impossible)


def _row(
    operation_id: str,
    kind: str,
    reviewer: str,
    created: str,
    summary: str,
    changes: Iterable[Mapping[str, Any]],
    *,
    stale: bool = False,
) -> dict[str, Any]:
    return {
        "operation_id": operation_id,
        "kind": kind,
        "reviewer": reviewer,
        "created": created,
        "summary": summary,
        "changes": [dict(change) for change in changes],
        "stale": stale,
    }


def _expired(created: str, now: str) -> bool:
    return (datetime.fromisoformat(now) - datetime.fromisoformat(created)).total_seconds() > KEPT_SECONDS


def _path(operation_id: str) -> RepoPath:
    return join(PREVIEWS, f"{operation_id}.json")
