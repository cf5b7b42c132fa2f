"""Colour on a terminal, and nowhere else: what a preview adds and takes away, and the first word of a complaint."""

from __future__ import annotations

_PLAIN = "\x1b[m"
_BOLD, _RED, _GREEN, _YELLOW, _CYAN = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"
_DIFF = (("--- ", _BOLD), ("+++ ", _BOLD), ("@@ ", _CYAN), ("+", _GREEN), ("-", _RED))
_COMPLAINTS = (("error[", _RED), ("warning:", _YELLOW))


def diffs(text: str) -> str:
    """``text``, which is safe to print, with its unified diffs in colour: from a line ``--- `` to a blank one."""
    lines, inside = [], False
    for line in text.split("\n"):
        inside = line.startswith("--- ") or (inside and line != "")
        colour = next((colour for beginning, colour in _DIFF if line.startswith(beginning)), "") if inside else ""
        lines.append(f"{colour}{line}{_PLAIN}" if colour else line)
    return "\n".join(lines)


def complaint(line: str) -> str:
    """A line of standard error with its ``error[…]:`` or ``warning:`` in colour."""
    colour = next((colour for beginning, colour in _COMPLAINTS if line.startswith(beginning)), "")
    head, colon, rest = line.partition(":")
    return f"{colour}{head}{colon}{_PLAIN}{rest}" if colour else line
