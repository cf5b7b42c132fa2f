"""Pack: the finished thing, as data and as printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import digest, digest_json, short
from aiwg_memory.core.packs.candidates import Excluded
from aiwg_memory.core.packs.ledger import Entry
from aiwg_memory.core.packs.request import PACKER, PackRequest
from aiwg_memory.core.ranking.score import SCORER

LISTED = 50
_NO_ROOM = ("no-room", "locator-cap")


def pack_id(request: PackRequest, entries: Sequence[Entry]) -> str:
    """Over scorer, request and items in printed order; another format of one selection has the same id."""
    covered = {
        "scorer": [SCORER, PACKER],
        "request": request.to_json(),
        "items": [
            [one.candidate.item.handle, one.candidate.item.digest, one.candidate.section, order]
            for order, one in enumerate(entries)
        ],
    }
    return "pack_" + short(digest_json(covered), 64)


class Pack(NamedTuple):
    """``text`` ends in a newline and is what was measured. ``used`` and ``sections`` are in the first measure."""

    id: str
    request: PackRequest
    tree: str
    backends: tuple[str, ...]
    quality: str
    entries: tuple[Entry, ...]
    excluded: tuple[Excluded, ...]
    used: int
    sections: Mapping[str, int]
    text: str
    warnings: tuple[str, ...] = ()

    @property
    def text_digest(self) -> str:
        return digest(self.text.encode("utf-8", "surrogatepass"))

    @property
    def handles(self) -> tuple[str, ...]:
        return tuple(one.candidate.item.handle for one in self.entries)

    def counts(self) -> tuple[tuple[str, int], ...]:
        return counts(self.excluded)

    def shed(self) -> list[dict[str, Any]]:
        """What there was no room for, per section; characters are those of the texts."""
        found: dict[str, tuple[int, int]] = {}
        for out in self.excluded:
            if _no_room(out.code):
                items, characters = found.get(out.section, (0, 0))
                found[out.section] = (items + 1, characters + len(out.item.text))
        return [{"section": name, "items": n, "characters": size} for name, (n, size) in sorted(found.items())]

    def crowded_out(self) -> Excluded | None:
        """The best match where there was no room for it: what ranks above everything found that is in."""
        ranks = [one.candidate.rank for one in self.entries if one.candidate.rank is not None]
        out = next((out for out in self.excluded if out.rank is not None and _no_room(out.code)), None)
        return out if out is not None and (out.rank or 0) < min(ranks, default=1 << 30) else None

    def to_json(self) -> dict[str, Any]:
        """The `pack` object of `context --json`; the first 50 exclusions, and how many there are."""
        request = self.request.to_json()
        return {
            "id": self.id,
            "text_digest": self.text_digest,
            "tree": self.tree,
            "task_digest": request["task_digest"],
            "target": request["target"],
            "as_of": request["as_of"],
            "budget": request["budget"],
            "weights": request["weights"],
            "caps": request["caps"],
            "options": request["options"],
            "format": self.request.format,
            "used": {"total": self.used, "sections": dict(self.sections)},
            "backends": list(self.backends),
            "quality": self.quality,
            "items": [item_json(one) for one in self.entries],
            "excluded": [out.to_json() for out in self.excluded[:LISTED]],
            "excluded_total": len(self.excluded),
            "excluded_counts": dict(self.counts()),
            "shed": self.shed(),
            "warnings": list(self.warnings),
        }


def _no_room(code: str) -> bool:
    return code in _NO_ROOM or code.endswith("-cap")


def counts(excluded: Sequence[Excluded]) -> tuple[tuple[str, int], ...]:
    """How many for each code, the most first."""
    return tuple(sorted(Counter(out.code for out in excluded).items(), key=lambda pair: (-pair[1], pair[0])))


def item_json(entry: Entry) -> dict[str, Any]:
    candidate, item = entry.candidate, entry.candidate.item
    return {
        "section": candidate.section,
        "handle": item.handle,
        "locator": item.locator,
        "digest": item.digest,
        "text": "\n".join(entry.shown.lines),
        "truncated": entry.removed > 0,
        "removed": entry.removed,
        "layer": item.layer,
        "trust": item.trust,
        "review": item.review,
        "lifecycle": item.lifecycle,
        "labels": list(entry.group.labels),
        "disagreement": entry.dispute,
        "score": candidate.score,
        "rank": candidate.rank,
        "matched": list(candidate.matched),
    }
