"""Whether the wiki can do its work, how much there is, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, pages
from aiwg_memory.addons.llm_wiki.sources import HELD, read_evidence
from aiwg_memory.addons.llm_wiki.state import attributes
from aiwg_memory.core.document import parse_document
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


def status(tree: Tree) -> Mapping[str, Any]:
    """``state`` ready or degraded, ``reasons``, ``counts`` and ``next``."""
    counts = {"pages": 0, "confirmed": 0, "pending": 0, "rejected": 0, "history": 0, "unreadable": 0, "raw": 0}
    reasons = []
    try:
        evidence = read_evidence(tree)
        counts["raw"] = sum(head.current.status in HELD for head in evidence.heads.values())
        broken = sum(finding.severity == "error" for finding in evidence.findings)
        reasons += [f"{broken} broken lines in raw.d"] if broken else []
    except AiwgError as error:
        reasons.append(error.message)
    for path, entry in pages(tree):
        counts["pages"] += 1
        if entry.size > MAX_PAGE:
            counts["unreadable"] += 1
            continue
        data = tree.read(path, limit=MAX_PAGE)
        document, findings = parse_document(path, data)
        if any(finding.severity == "error" for finding in findings):
            counts["unreadable"] += 1
            continue
        said = attributes(document.front, data)
        active = said["lifecycle"] in ("active", "stale")
        counts[said["review"] if active else "history"] += 1
    if counts["unreadable"]:
        reasons.append(f"{counts['unreadable']} pages cannot be read")
    steps = ["run check and correct what it names"] if reasons else []
    steps += [f"review {counts['pending']} pending pages"] if counts["pending"] else []
    return {"state": "degraded" if reasons else "ready", "reasons": reasons, "counts": counts, "next": steps}
