"""The inbox: proposals of this machine that nobody decided about. Nothing here is tracked, retrieved or believed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.candidates import MAX_PROPOSAL, MAX_PROPOSALS
from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.catalogue import Part, Place, Row
from aiwg_memory.core.items import Fragment, Unit
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.schema import cheap
from aiwg_memory.errors import AiwgError, TooLarge

if TYPE_CHECKING:
    from aiwg_memory.core.records import Version
    from aiwg_memory.workspace import Workspace

INBOX = RepoPath(".aiwg/.local/inbox")
_LAST = "9999-12-31T23:59:59Z"
"""The time of a proposal that names none: after all others."""


def _parse(path: RepoPath, data: bytes) -> Fragment:
    """A proposal whose file is named as it is; its words stay in the file."""
    from aiwg_memory.addons.compound_memory.candidates.desk import first_version
    from aiwg_memory.core.operations import Request

    proposal = _read(data)
    if proposal is None:
        return Fragment()
    request = Request("candidate.propose", {}, _LAST, proposal.get("proposed_by", "someone"), "")
    first = first_version(request, proposal, proposal["assertion"])
    if _path(first.handle) != path:
        return Fragment()
    return Fragment((Unit(first.handle, "", path, 0, 0, "", "", "", {"type": first.text("type"), "at": first.at}),))


def _rows(handle: str, units: Sequence[Unit], versions: Sequence[Version]) -> Iterator[Row]:
    del versions
    yield from (Row(handle, str(unit.attributes["type"]), str(unit.attributes["at"])) for unit in units)


PART = Part("inbox", 1, (Place(INBOX, ".json", largest=MAX_PROPOSAL + 1024),), _parse, _rows)
"""Counted by type."""


def _read(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if cheap("proposal.v1", value) is None else None


def names(workspace: Workspace) -> list[str]:
    """The handles of what lies there, sorted, by looking at names alone."""
    found = workspace.journal.disk.names(INBOX)
    return [f"cand_{name[:16]}" for name in found if name.endswith(".json") and len(name) == 21]


def load(workspace: Workspace, handle: str) -> dict[str, Any] | None:
    """One proposal; None when it is not there or cannot be read as one."""
    try:
        return _read(workspace.journal.disk.read(_path(handle), limit=MAX_PROPOSAL + 1024))
    except AiwgError:
        return None


def put(workspace: Workspace, handle: str, proposal: Mapping[str, Any], waiting: int) -> None:
    """The lock is held, and ``waiting`` lie there. Raises TooLarge over 16 KiB, and for one after the thousandth."""
    data = canonical_json(proposal) + b"\n"
    if len(data) > MAX_PROPOSAL:
        raise TooLarge(f"the proposal has {len(data)} bytes; at most {MAX_PROPOSAL}", hint="say it in fewer words")
    if waiting >= MAX_PROPOSALS:
        hint = "a person decides about some first: `aiwg-memory review`"
        raise TooLarge(f"the inbox holds {MAX_PROPOSALS} proposals, and takes no more", hint=hint)
    disk = workspace.journal.disk
    disk.make_dirs(INBOX)
    disk.replace(_path(handle), data)


def clear(workspace: Workspace, handles: Iterable[str]) -> None:
    """Take out what was decided about: its words are in the store now, or nowhere."""
    for handle in handles:
        if handle.startswith("cand_"):
            take_out(workspace, handle)


def take_out(workspace: Workspace, handle: str) -> None:
    if workspace.journal.disk.stat(_path(handle)) is not None:
        workspace.journal.disk.unlink(_path(handle))


def _path(handle: str) -> RepoPath:
    return join(INBOX, handle.removeprefix("cand_") + ".json")
