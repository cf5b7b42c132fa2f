"""Facts as a person looks at them: rows, histories, and handles by their beginnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.line_memory.catalogue import fact_page, on_day, shown
from aiwg_memory.addons.line_memory.text import fact_path, handle_of
from aiwg_memory.core.counting import few
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import NotFound, UsageError

if TYPE_CHECKING:
    from aiwg_memory.addons.line_memory.store import Store
    from aiwg_memory.workspace import Workspace

_ORDINARY = {"lifecycle": "active", "review": "confirmed", "scope": "global", "delivery": "retrieved"}


def fact_rows(
    workspace: Workspace, *, lifecycle: str | None, wanted: Mapping[str, str], limit: int
) -> tuple[list[dict[str, Any]], int]:
    """The first ``limit`` facts with their dimensions, by time and handle, and how many there are. ``lifecycle`` None:
    what is there and not history."""
    return fact_page(workspace.kept, lifecycle, wanted, limit, workspace.now[:10])


def _row(store: Store, handle: str, today: str) -> dict[str, Any] | None:
    row = shown(handle, next(iter(store.units.get(handle, ())), None), store.current(handle))
    return on_day(row, today) if row else None


def _read(workspace: Workspace) -> Store:
    from aiwg_memory.addons.line_memory.store import read

    return read(workspace.tree)


def fact_line(row: Mapping[str, Any]) -> str:
    said = [str(row[key]) for key, usual in _ORDINARY.items() if row[key] != usual]
    if not row["version"]:
        said.append("unreviewed")
    return f"{row['handle'][:11]}  {row['text'] or '(text gone)'}" + (f"  [{', '.join(said)}]" if said else "")


def fact_history(workspace: Workspace, handle: str) -> dict[str, Any]:
    """One fact and every version of its record, oldest first, each with its digest. Raises NotFound."""
    store = _read(workspace)
    full = _full(store, handle)
    versions = sorted(
        (each for each in store.versions if each.handle == full), key=lambda each: (each.version, each.at)
    )
    head = store.heads.get(full)
    return {
        "fact": _row(store, full, workspace.now[:10]),
        "fork": [each.digest for each in head.heads] if head and head.fork else [],
        "versions": [{**each.value, "version_digest": each.digest} for each in versions],
    }


def full_handles(workspace: Workspace, handles: Sequence[str]) -> list[str]:
    """Each handle from its beginning (at least ``lm_`` and 4 hex digits), or from what the tool it was taken in from
    calls it. Raises NotFound, UsageError if ambiguous."""
    store = _read(workspace)
    return [_full(store, handle) for handle in handles]


def _full(store: Store, handle: str) -> str:
    known = {*store.units, *store.heads, *(f"lm_{path.name[:16]}" for path in store.files)}
    if handle in known:
        return handle
    found = sorted(each for each in known if each.startswith(handle)) if len(handle) >= 7 else []
    found = found or sorted(name for name, head in store.heads.items() if head.current.text("foreign_id") == handle)
    if not found:
        raise NotFound(f"there is no fact {handle}", hint="`aiwg-memory facts list` shows the handles")
    if len(found) > 1:
        raise UsageError(f"{handle} fits {len(found)} facts: {few(found)}", hint="give more of its digits")
    return found[0]


def decision_arguments(workspace: Workspace, name: str, handles: Sequence[str], reason: str) -> dict[str, Any]:
    """Targets at the version they are at now, which the preview shows; for ``restore`` the texts that can be found."""
    store = _read(workspace)
    full = [_full(store, handle) for handle in dict.fromkeys(handles)]
    arguments: dict[str, Any] = {"targets": [_target(store, handle) for handle in full]}
    if reason:
        arguments["reason"] = reason
    if name == "restore":
        texts = [text for handle in full if handle not in store.units and (text := _lost_text(workspace, handle))]
        arguments |= {"texts": texts} if texts else {}
    return arguments


def _target(store: Store, handle: str) -> dict[str, Any]:
    head = store.heads.get(handle)
    if head is None:
        return {"handle": handle, "expected": 0}
    if head.fork:
        return {"handle": handle, "expected": sorted(each.digest for each in head.heads)}
    return {"handle": handle, "expected": head.current.version}


def _lost_text(workspace: Workspace, handle: str) -> str | None:
    """The text of a fact whose file is gone: from the undo copy of whoever removed it, else from git."""
    from aiwg_memory.workspace.undo import last_bytes

    for data in last_bytes(workspace, RepoPath(fact_path(handle))):
        text = data.decode("utf-8", "replace").strip()
        if handle_of(text) == handle:
            return text
    return None


def resolution_arguments(workspace: Workspace, handle: str, keep: str, reason: str) -> dict[str, Any]:
    """For a fork: all heads as expected, and the one whose digest begins with ``keep``."""
    store = _read(workspace)
    full = _full(store, handle)
    head = store.heads.get(full)
    if head is None or not head.fork:
        hint = f"`aiwg-memory facts show {full}` shows its versions"
        raise UsageError(f"{full} was not decided differently on two branches: there is nothing to settle", hint=hint)
    heads = sorted(each.digest for each in head.heads)
    found = [each for each in heads if each.removeprefix("sha256:").startswith(keep.removeprefix("sha256:"))]
    if len(found) != 1:
        listed = ", ".join(each[7:19] for each in heads) or "none"
        raise UsageError(f"--keep {keep} names no single version of {full}", hint=f"its versions are {listed}")
    arguments: dict[str, Any] = {"targets": [_target(store, full)], "keep": found[0]}
    text = None if full in store.units else _lost_text(workspace, full)
    return arguments | ({"texts": [text]} if text else {}) | ({"reason": reason} if reason else {})
