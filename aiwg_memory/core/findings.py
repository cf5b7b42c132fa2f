"""What a check or a screen has to say about one place. Findings are data; nobody raises them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Finding(NamedTuple):
    """One problem: ``line`` counts from 1, 0 is the file as a whole; the message never holds a matched secret."""

    path: str
    line: int
    rule: str
    message: str
    severity: Severity = "error"
    hint: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "severity": self.severity,
            "path": self.path,
            "line": self.line,
            "message": self.message,
            "hint": self.hint,
        }


class ScreeningException(NamedTuple):
    """A class of finding that is allowed at one path or handle; ``class`` in the file."""

    screening_class: str
    where: str
    reason: str
