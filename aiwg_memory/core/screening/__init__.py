"""Screening: secrets, text that speaks to the agent, characters nobody sees, sources that may not be read.

Pure and lazy: importing this compiles no rule. Who may review is in ``reviewer``.
"""

from __future__ import annotations

from aiwg_memory.core.screening.kinds import VERSION
from aiwg_memory.core.screening.screen import escape_invisible, redact, reserved_namespace, screen
from aiwg_memory.core.screening.sources import protected_source

__all__ = [
    "VERSION",
    "escape_invisible",
    "protected_source",
    "redact",
    "reserved_namespace",
    "screen",
]
