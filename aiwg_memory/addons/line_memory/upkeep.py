"""What maintenance would do to facts: archive the least used of too many, expire what is past its date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.addons.line_memory.first import quote
from aiwg_memory.addons.line_memory.store import Store, read
from aiwg_memory.core.config import load_config
from aiwg_memory.core.following import moves_of, told
from aiwg_memory.core.maintenance import RECENCY, Step
from aiwg_memory.core.operations import Request
from aiwg_memory.core.records import Version, read_line
from aiwg_memory.core.tree import Tree


def upkeep(tree: Tree, request: Request) -> Iterator[Step]:
    """Nothing of a fork, nothing a newer tool wrote. A fact of delivery ``always`` is never pruned. A fact may be
    offered to be pruned and to be expired: pruning it is the end of it. Cited lines of files are followed to where the
    request says they were found."""
    store = read(tree)
    yield from _unused(store, request, load_config(tree).facts.max_lines)
    yield from _expired(store, request.at)
    yield from _cited(store, request)


def _expired(store: Store, at: str) -> Iterator[Step]:
    for handle, text in store.live().items():
        head = _settled(store, handle)
        if head is not None and head.status == "active" and _past(head, at):
            said = f"expired at {head.text('expires_at')}: {quote(text)}"
            yield Step("expire", handle, said, "line-memory.expire", {"target": _target(handle, head)})


def _cited(store: Store, request: Request) -> Iterator[Step]:
    live = store.live()
    for handle, moves in sorted(moves_of(request).items()):
        head = _settled(store, handle) if handle in live else None
        if head is not None:
            said = f"{told(moves)}: {quote(live[handle])}"
            target = {**_target(handle, head), "moves": list(moves)}
            yield Step("reanchor", handle, said, "line-memory.reanchor", {"target": target})


def _unused(store: Store, request: Request, limit: int) -> Iterator[Step]:
    """The least recently used of the facts that are too many: what is past its date first, then by last use, by age and
    by handle."""
    live = store.live()
    if len(live) <= limit:
        return
    used = _recency(request)
    waiting: list[tuple[bool, str, str, str]] = []
    for handle in live:
        head = _settled(store, handle)
        if handle in store.heads and (head is None or head.text("delivery") == "always"):
            continue
        current = head is None or not (head.status != "active" or _past(head, request.at))
        waiting.append((current, used.get(handle, ""), head.at if head else "", handle))
    for current, last, at, handle in sorted(waiting)[: len(live) - limit]:
        when = f"last used {last[:10]}" if last else f"never used here, recorded {at[:10]}" if at else "never used here"
        when = when if current else f"past its date, {when}"
        said = f"{when}; {len(live)} facts, at most {limit}: {quote(live[handle])}"
        target = {"target": _target(handle, _settled(store, handle))}
        yield Step("prune", handle, said, "line-memory.archive", target)


def _past(head: Version, at: str) -> bool:
    date = head.text("expires_at")
    return bool(date) and date <= at


def _settled(store: Store, handle: str) -> Version | None:
    head = store.heads.get(handle)
    return None if head is None or head.fork or head.current.newer else head.current


def _target(handle: str, head: Version | None) -> dict[str, Any]:
    return {"handle": handle, "expected": head.version if head else 0}


def _recency(request: Request) -> Mapping[str, str]:
    """When each fact was last selected into a pack on this machine; what is no such note counts as never."""
    value, _ = read_line(request.inputs.get(str(request.arguments.get(RECENCY)), b"{}"))
    if not isinstance(value, dict):
        return {}
    return {handle: at for handle, at in value.items() if isinstance(at, str)}
