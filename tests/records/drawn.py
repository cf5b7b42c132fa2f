"""Record versions as branches make them: chains that fork, decisions taken twice, lines in any order and any cut."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from aiwg_memory.core.records import Version, succeed

HANDLES = ("lm_00000000000000aa", "lm_00000000000000bb", "cand_01")


def first(handle: str = HANDLES[0], **fields: Any) -> Version:
    value = {
        "schema": "aiwg.fact_record.v1", "handle": handle, "status": "active", "digest": "sha256:" + "0" * 64,
        "kind": "fact", "scope": "global", "delivery": "retrieved", "review": "pending", "provenance": "external",
        "at": "2026-01-01T00:00:00Z", "seg": "20260101T000000Z-000000000000", "reviewer": "Ada <ada@example.org>",
        "sources": [],
    }  # fmt: skip
    return succeed((), {**value, **fields})


TIMES = st.integers(1, 28).map(lambda day: f"2026-02-{day:02}T10:00:00Z")
DECISIONS = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["active", "archived", "removed", "superseded", "revoked", "expired"]),
        "review": st.sampled_from(["confirmed", "pending", "rejected"]),
        "scope": st.sampled_from(["global", "path:src", "path:src/deep", "project:p", "user", "session:1"]),
        "at": TIMES,
        "reviewer": st.sampled_from(["Ada <ada@example.org>", "Lin <lin@example.org>"]),
        "reason": st.text(max_size=3),
        "sources": st.lists(st.sampled_from("abcd").map(lambda ref: {"ref": ref}), max_size=3),
        "unknown": st.integers(0, 3),
    }
)


@st.composite
def histories(draw: st.DrawFn, most: int = 12) -> list[Version]:
    """A record set: every version but the first of its handle names one or two earlier ones of that handle."""
    made: list[Version] = []
    for _ in range(draw(st.integers(1, most))):
        handle = draw(st.sampled_from(HANDLES))
        own = [version for version in made if version.handle == handle]
        decision = draw(DECISIONS)
        if not own or draw(st.integers(0, 5)) == 0:
            made.append(first(handle, **decision))
        else:
            made.append(succeed(draw(st.lists(st.sampled_from(own), min_size=1, max_size=2)), decision))
    return made
