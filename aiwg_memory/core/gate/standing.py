"""What every session is given whether it asks or not: how much of it there may be."""

from __future__ import annotations

from collections.abc import Iterable

from aiwg_memory.core.config import PATH, Config
from aiwg_memory.core.counting import counted
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.items import MemoryItem


def over_cap(items: Iterable[MemoryItem], config: Config) -> list[Finding]:
    """One finding when the texts that are always delivered are longer together than the cap, in characters."""
    standing = {
        item.handle: len(item.text)
        for item in items
        if item.delivery == "always" and item.review in config.delivery.always and item.lifecycle == "active"
    }
    total = sum(standing.values())
    if total <= config.delivery.always_cap:
        return []
    longest = sorted(standing, key=lambda handle: (-standing[handle], handle))[:3]
    message = (
        f"{counted(len(standing), 'item')} always delivered, with {total} characters together; "
        f"at most {config.delivery.always_cap} go out: {', '.join(longest)} are the longest"
    )
    return [Finding(PATH, 0, "standing-over-cap", message, "error", "let some be `retrieved`, or raise always_cap")]
