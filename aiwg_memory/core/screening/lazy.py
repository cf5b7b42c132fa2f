"""Patterns compiled when a text first needs one, and kept: screening prose compiles nearly none."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """``pattern`` compiled; only ever called with the rules' own constants, so the store is bounded."""
    return re.compile(pattern, flags)
