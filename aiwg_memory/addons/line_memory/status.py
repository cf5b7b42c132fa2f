"""How the facts of a tree are, and which of them rest on a source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from aiwg_memory.addons.line_memory.store import LIVE, read
from aiwg_memory.core.records import Version, chain_findings
from aiwg_memory.core.tree import Tree


def status(tree: Tree) -> dict[str, Any]:
    """``state`` is ready, or degraded with ``reasons``; ``counts`` and ``next`` are for a person."""
    store = read(tree)
    waiting = len(list(store.unrecorded()))
    forks = sorted(handle for handle, head in store.heads.items() if head.fork)
    errors = [one for one in (*store.findings, *chain_findings(store.versions)) if one.severity == "error"]
    reasons = [f"{one.path}:{one.line}: {one.message}" for one in errors]
    reasons += [f"{handle} was decided differently on two branches" for handle in forks]
    live = store.live()
    reviews = Counter(_review(store.current(handle)) for handle in live)
    pending = reviews["pending"] - waiting
    following = [f"{_facts(len(forks))} to settle: `facts resolve`"] if forks else []
    following += [f"{_facts(waiting)} without a record: `facts adopt`"] if waiting else []
    following += [f"{_facts(pending)} to review: `facts list --review pending`"] if pending > 0 else []
    ended = Counter(head.current.status for head in store.heads.values() if head.current.status not in LIVE)
    return {
        "state": "degraded" if reasons else "ready",
        "reasons": reasons,
        "counts": {
            "facts": len(live),
            "unrecorded": waiting,
            **dict(sorted(reviews.items())),
            **dict(sorted(ended.items())),
        },
        "next": following,
    }


def _facts(count: int) -> str:
    return f"{count} fact{'' if count == 1 else 's'}"


def _review(version: Version | None) -> str:
    return version.text("review", "pending") if version else "pending"


def dependents(tree: Tree, source: str) -> Iterator[str]:
    """Handles of live facts that rest on ``source`` itself: a locator, a digest or a handle, by handle."""
    for handle, head in read(tree).heads.items():
        if head.current.status in LIVE and source in _rests_on(head.current):
            yield handle


def _rests_on(version: Version) -> set[str]:
    leaves = version.object("dependencies").get("leaves")
    named = [*version.list("sources"), *(leaf for leaf in (leaves if isinstance(leaves, list) else []))]
    stated = {str(one[name]) for one in named if isinstance(one, dict) for name in ("ref", "digest") if one.get(name)}
    return stated | set(version.list("parents"))
