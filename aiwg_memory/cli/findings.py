"""Findings as text: for people, and as the annotations of a forge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import display

FORMATS = ("text", "json", "github")
_KINDS = {"error": "error", "warning": "warning", "note": "notice"}


def failed(findings: Sequence[Finding], *, strict: bool) -> bool:
    """Whether the exit status is 1: an error, or with ``strict`` a warning."""
    return any(found.severity == "error" or (strict and found.severity == "warning") for found in findings)


def rendered(findings: Sequence[Finding], style: str) -> str:
    return workflow_commands(findings) if style == "github" else findings_text(findings)


def findings_text(findings: Sequence[Finding]) -> str:
    """One line a finding, its hint below, and a last line that counts."""
    lines = []
    for found in findings:
        path = display(found.path)
        place = f"{path}:{found.line}" if found.line else path
        lines.append(f"{place}: {found.severity}[{found.rule}]: {found.message}")
        if found.hint:
            lines.append(f"    {found.hint}")
    return "\n".join([*lines, summary(findings)])


def summary(findings: Sequence[Finding]) -> str:
    count = Counter(found.severity for found in findings)
    said = [
        f"{count[kind]} {kind}{'s' if count[kind] != 1 else ''}" for kind in ("error", "warning", "note") if count[kind]
    ]
    return ", ".join(said) if said else "No findings."


def workflow_commands(findings: Sequence[Finding]) -> str:
    """GitHub's workflow commands, one a finding; nothing in a finding can end one or begin another."""
    lines = []
    for found in findings:
        place = f"file={_value(found.path)}" + (f",line={found.line}" if found.line else "")
        text = found.message + (f" ({found.hint})" if found.hint else "")
        lines.append(f"::{_KINDS[found.severity]} {place},title={_value(found.rule)}::{_escaped(text)}")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
