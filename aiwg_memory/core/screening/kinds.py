"""The rule ids a screen reports, the exceptions people record, and the version of it all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiwg_memory.core.screening.lazy import compiled

if TYPE_CHECKING:
    from aiwg_memory.core.findings import ScreeningException

# Goes into snapshots: text redacted by other rules is screened again, not taken for changed. Raise it with any rule.
VERSION = 1

SECRET = "secret-"
INSTRUCTION = "instruction-like"
ROLE = "role-forgery"
TOOL_CALL = "tool-call-syntax"
INVISIBLE = "invisible-character"
BIDI = "bidirectional-control"
TAG = "tag-character"
HOMOGLYPH = "homoglyph-mix"

_MARK = r"(?:#|<!--|//|--|;|%|/\*)[ \t]{0,4}aiwg:[ \t]{0,4}allow[ \t]{1,4}([a-z0-9-]{1,60})([^\n]{0,400})"


def granted(rule: str, path: str, line_text: str, exceptions: Sequence[ScreeningException]) -> str:
    """The reason recorded for letting ``rule`` through in this line of ``path``, or ''."""
    for mark in compiled(_MARK).finditer(line_text):
        reason = mark[2].replace("-->", " ").replace("*/", " ").strip()
        if reason and _same(mark[1], rule):
            return reason
    for exception in exceptions:
        where = exception.where.rstrip("/")
        if _same(exception.screening_class, rule) and (path == where or path.startswith(where + "/")):
            return exception.reason
    return ""


def _same(name: str, rule: str) -> bool:
    return rule in (name, SECRET + name)
