"""The journal of one apply: what it changes, and where the staged bytes lie. Its appearance is the commit point."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import DIGEST, canonical_json
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.errors import AiwgError, Damaged
from aiwg_memory.worktree.disk import Disk
from aiwg_memory.worktree.local import JOURNALS, STAGE
from aiwg_memory.worktree.origin import origin

SCHEMA = "aiwg.journal.v1"
LIMIT = 16 * 1024 * 1024
RECEIPT = "receipt"


class Step(NamedTuple):
    """One file: digests of what was there and of what comes, None for nothing. ``name`` is what it is staged as."""

    name: str
    path: RepoPath
    before: str | None
    after: str | None


class Entry(NamedTuple):
    """``kept`` are paths a person settled as theirs; ``back`` means what was made is being taken back.

    ``origin`` is the name of the ``.aiwg/.local`` it was written in: one that came with a repository does not have it.
    """

    id: str
    steps: tuple[Step, ...]
    receipt: Step | None
    origin: str
    kept: tuple[str, ...] = ()
    back: bool = False

    @property
    def path(self) -> RepoPath:
        return join(JOURNALS, f"{self.id}.json")

    @property
    def stage(self) -> RepoPath:
        return join(STAGE, self.id)

    def staged(self, step: Step) -> RepoPath:
        return join(self.stage, step.name)

    def gone(self, step: Step) -> RepoPath:
        return join(self.stage, f"{step.name}.gone")

    def to_bytes(self) -> bytes:
        value = {
            "schema": SCHEMA,
            "id": self.id,
            "origin": self.origin,
            "changes": [_to_json(step) for step in self.steps],
            "receipt": _to_json(self.receipt) if self.receipt else None,
            "kept": list(self.kept),
            "back": self.back,
        }
        return canonical_json(value) + b"\n"


def read_entries(disk: Disk) -> list[Entry]:
    """Every journal there is, by name. Raises Damaged for one that cannot be read as a journal."""
    names = [name for name in disk.names(JOURNALS) if name.endswith(".json")]
    return [_read(disk, join(JOURNALS, name)) for name in names]


def _read(disk: Disk, path: RepoPath) -> Entry:
    try:
        entry = _parse(json.loads(disk.read(path, limit=LIMIT)))
        if entry.path != path:
            raise ValueError(f"it is the journal of {entry.id}")
        if not entry.origin or entry.origin != origin(disk):
            raise ValueError("it was not written here, but came with the repository or a copy of it")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, AiwgError) as error:
        raise Damaged(
            f"{path} cannot be read as a journal: {error}",
            hint="keep a copy, compare the working tree with git, then remove the file",
        ) from error
    return entry


def _parse(value: Mapping[str, Any]) -> Entry:
    if value["schema"] != SCHEMA:
        raise ValueError(f"its schema is {value['schema']!r}")
    steps = tuple(_step(each) for each in value["changes"])
    receipt = _step(value["receipt"]) if value["receipt"] else None
    kept, back = tuple(value.get("kept", ())), bool(value.get("back", False))
    return Entry(str(value["id"]), steps, receipt, str(value["origin"]), kept, back)


def _step(value: Mapping[str, Any]) -> Step:
    name = str(value["staged"])
    if not (name.isdecimal() or name == RECEIPT):
        raise ValueError(f"{name!r} is not the name of a staged file")
    for digest in (value["before"], value["after"]):
        if digest is not None and not DIGEST.match(digest):
            raise ValueError(f"{digest!r} is not a digest")
    return Step(name, RepoPath(value["path"]), value["before"], value["after"])


def _to_json(step: Step) -> dict[str, Any]:
    return {"path": step.path, "before": step.before, "after": step.after, "staged": step.name}
