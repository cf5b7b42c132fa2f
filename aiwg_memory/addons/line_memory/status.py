"""How the facts of a tree are, and which of them rest on a source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.line_memory.catalogue import PART, read_label
from aiwg_memory.core.catalogue import Query, ask
from aiwg_memory.core.counting import counted
from aiwg_memory.core.tree import Tree

if TYPE_CHECKING:
    from aiwg_memory.core.records import Version


def status(tree: Tree) -> dict[str, Any]:
    """``state`` is ready, or degraded with ``reasons``; ``counts`` and ``next`` are for a person."""
    answer = ask(tree, PART, Query())
    told = [(read_label(label), count) for label, count in answer.tally.items()]
    forks = sum(count for one, count in told if one.forked)
    waiting = sum(count for one, count in told if not one.status)
    reviews: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    for one, count in told:
        if not one.live:
            ended[one.status] += count
        elif one.there:
            reviews[one.verdict] += count
    pending = reviews["pending"] - waiting
    following = [f"{counted(forks, 'fact')} to settle: `facts resolve`"] if forks else []
    following += [f"{counted(waiting, 'fact')} without a record: `facts adopt`"] if waiting else []
    following += [f"{counted(pending, 'fact')} to review: `facts list --review pending`"] if pending > 0 else []
    return {
        "state": "degraded" if answer.problems else "ready",
        "reasons": list(answer.problems),
        "counts": {
            "facts": reviews.total(),
            "unrecorded": waiting,
            **dict(sorted(reviews.items())),
            **dict(sorted(ended.items())),
        },
        "next": following,
    }


def dependents(tree: Tree, source: str) -> Iterator[str]:
    """Handles of live facts that rest on ``source`` itself: a locator, a digest or a handle, by handle."""
    from aiwg_memory.addons.line_memory.store import LIVE, read

    for handle, head in read(tree).heads.items():
        if head.current.status in LIVE and source in _rests_on(head.current):
            yield handle


def _rests_on(version: Version) -> set[str]:
    leaves = version.object("dependencies").get("leaves")
    named = [*version.list("sources"), *(leaf for leaf in (leaves if isinstance(leaves, list) else []))]
    stated = {str(one[name]) for one in named if isinstance(one, dict) for name in ("ref", "digest") if one.get(name)}
    return stated | set(version.list("parents"))
