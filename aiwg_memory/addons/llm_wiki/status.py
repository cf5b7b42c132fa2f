"""Whether the wiki can do its work, how much there is, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.catalogue import EVIDENCE, HELD, HISTORY, PAGES, UNREADABLE
from aiwg_memory.core.catalogue import Query, ask
from aiwg_memory.core.counting import counted
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def status(tree: Tree) -> Mapping[str, Any]:
    """``state`` ready or degraded, ``reasons``, ``counts`` and ``next``."""
    counts = dict.fromkeys(("pages", "confirmed", "pending", "rejected", HISTORY, UNREADABLE, "raw"), 0)
    reasons = []
    try:
        evidence = ask(tree, EVIDENCE, Query())
        counts["raw"] = evidence.tally.get(HELD, 0)
        reasons += [f"{counted(len(evidence.problems), 'broken line')} in raw.d"] if evidence.problems else []
    except AiwgError as error:
        reasons.append(error.message)
    pages = ask(tree, PAGES, Query())
    counts |= pages.tally
    counts[UNREADABLE] += len(pages.problems)
    counts["pages"] = sum(pages.tally.values()) + len(pages.problems)
    if counts[UNREADABLE]:
        reasons.append(f"{counted(counts[UNREADABLE], 'page')} that cannot be read")
    steps = ["`check` names what cannot be read"] if reasons else []
    if counts["pending"]:
        steps.append(f"{counted(counts['pending'], 'page')} to review: `wiki list --review pending`")
    return {"state": "degraded" if reasons else "ready", "reasons": reasons, "counts": counts, "next": steps}
