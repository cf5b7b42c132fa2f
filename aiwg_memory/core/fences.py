"""The two lines around what this tool generates in files that people write, and what an editor may leave of them."""

from __future__ import annotations

import re

BEGIN = re.compile(r"<!-- aiwg-memory:begin ([0-9a-f]{16}) -->\Z")
END = "<!-- aiwg-memory:end -->"
_LIKE = re.compile(r"\s*\ufeff?<!--\s*aiwg-memory:(begin|end)\b")


def marker(line: str) -> str:
    """``begin`` or ``end`` of a line that is one of the two, indented, reformatted or edited ones included; else ""."""
    found = _LIKE.match(line)
    return found[1] if found else ""
