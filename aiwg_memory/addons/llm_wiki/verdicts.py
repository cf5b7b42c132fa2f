"""A person's verdict on a page, written into the page itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.state import review, review_digest
from aiwg_memory.core.document import edit_front, parse_document
from aiwg_memory.core.operations import Request

_UNREAD = "sha256:" + "0" * 64


def stamped(data: bytes, request: Request, verdict: str, reason: str = "") -> bytes:
    """``data`` with the verdict of the request's reviewer on exactly this text."""
    said: dict[str, Any] = {"verdict": verdict, "by": request.reviewer, "at": request.at, "seg": request.seg}
    if reason:
        said["reason"] = reason
    # Whether a page has front matter at all depends on the verdict being there, so it is taken out of the page that
    # holds one, not out of the page before.
    placed = edit_front(data, {"reviewed": {**said, "digest": _UNREAD}})
    return edit_front(placed, {"reviewed": {**said, "digest": review_digest(placed)}})


def edited(data: bytes, request: Request, changes: Mapping[str, Any]) -> bytes:
    """``data`` with front matter changed by an operation of its own, and a verdict that stood before standing again:
    whoever confirms the operation sees the whole change and answers for it."""
    before = review(parse_document("", data)[0].front, data)
    after = edit_front(data, changes)
    if before == "pending" or after == data:
        return after
    reviewed = parse_document("", data)[0].front["reviewed"]
    return stamped(after, request, before, str(reviewed.get("reason", "")))
