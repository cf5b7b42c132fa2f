"""What a source locator refers to here: the digest of the evidence that was kept of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def resolve_sources(workspace: Workspace, locators: Iterable[str]) -> list[dict[str, Any]]:
    """``{ref, digest, span}`` of each; the digest is null for what was never ingested. A final ``#L3-L9`` is a span."""
    from aiwg_memory.addons.llm_wiki.sources import read_evidence

    evidence = read_evidence(workspace.tree)
    found = []
    for locator in locators:
        ref, span = _split(locator)
        version = evidence.find(ref)
        found.append({"ref": ref, "digest": version.text("digest") if version else None, "span": span})
    return found


def _split(locator: str) -> tuple[str, str | None]:
    import re

    match = re.search(r"#(L[1-9][0-9]*(?:-L[1-9][0-9]*)?)\Z", locator)
    return (locator[: match.start()], match[1]) if match else (locator, None)
