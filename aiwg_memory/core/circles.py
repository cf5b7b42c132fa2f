"""Things that take the place of each other in a circle, so that none of them counts."""

from __future__ import annotations

from collections.abc import Mapping


def circles(after: Mapping[str, str]) -> list[str]:
    """Those names that lead back to themselves, sorted, where ``after`` is what took the place of each."""
    seen: set[str] = set()
    found: list[str] = []
    for start in after:
        way: list[str] = []
        here = start
        while here in after and here not in seen:
            seen.add(here)
            way.append(here)
            here = after[here]
        found += way[way.index(here) :] if here in way else ()
    return sorted(found)
