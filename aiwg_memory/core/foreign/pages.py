"""Notes of other tools as pages: their text as it is, and of their front matter what governs nothing here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.document import edit_front, normalise, parse_document
from aiwg_memory.core.foreign import File, Found, Page, unproven
from aiwg_memory.errors import AiwgError

# Keys by which a page here would say who judged it, where it applies or when it is delivered: a note may not.
_GOVERNING = (
    "kind", "status", "sources", "reviewed", "scope", "delivery", "provenance", "classification", "dependencies",
    "epoch", "review_at", "expires_at", "supersedes", "superseded_by", "foreign_id",
)  # fmt: skip
_STATUS = ("superseded", "archived", "revoked")


def page(
    path: str, name: str, file: File, tool: str, found: Found, *, keep: Collection[str] = (), identity: str = "",
    classification: str = "",
) -> None:  # fmt: skip
    """One note becomes one page at ``path`` below the wiki. ``keep`` are governing keys this tool's notes may state."""
    document, problems = parse_document(name, file.data)
    if any(one.severity == "error" for one in problems):
        found.remark(name, f"is left out: {problems[0].message}")
        return
    front = document.front
    changes: dict[str, Any] = {key: None for key in _GOVERNING if key in front and not _kept(key, front, keep)}
    changes |= {key: None for key in ("title", "tags", "aliases") if key in front and not _plain(front[key])}
    changes["dependencies"] = unproven(tool)
    changes |= {"foreign_id": identity or name}
    changes |= {"classification": classification} if classification else {}
    if file.ref:
        changes["sources"] = [{"ref": file.ref, "digest": digest(file.data)}]
    dropped = sorted(key for key, value in changes.items() if value is None)
    try:
        text = edit_front(normalise(file.data), changes).decode()
    except (AiwgError, ValueError) as error:
        found.remark(name, f"is left out: {error}")
        return
    if dropped:
        found.remark(name, f"its front matter says {', '.join(dropped)}, which nobody here takes its word for")
    found.pages.append(Page(path, text, name))


def _kept(key: str, front: Mapping[str, Any], keep: Collection[str]) -> bool:
    value = front[key]
    return key in keep and isinstance(value, str) and (key != "status" or value in _STATUS)


def _plain(value: Any) -> bool:
    several = value if isinstance(value, list) else [value]
    return len(several) <= 64 and all(isinstance(one, str | int | float) and len(str(one)) <= 128 for one in several)
