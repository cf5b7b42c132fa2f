"""The record of what was delivered, and what it answers: what a pack held, and why an item was in it or not.

It proves delivery, not that anyone followed what was delivered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.codes import meaning
from aiwg_memory.errors import NotFound

if TYPE_CHECKING:
    from aiwg_memory.core.items import MemoryItem
    from aiwg_memory.core.packs import Pack

KEPT_DAYS, KEPT_ROWS = 30, 5000
LISTED = 50
UNMATCHED = "no word of it answered the task"


def delivery(pack: Pack, *, at: str, surface: str = "cli") -> dict[str, Any]:
    """One row of the delivery log. ``at`` is when it was handed over (RFC 3339); ``surface`` is who asked.

    Holds handles, digests and numbers, no text. The first 50 exclusions are listed, all are counted.
    """
    request = pack.request.to_json()
    delivered = [
        _item(one.candidate.item, one.candidate.section, one.candidate.rank, one.candidate.score)
        | {"decision": "delivered", "reason": _reason(one.candidate.section, one.candidate.rank, one.removed)}
        for one in pack.entries
    ]
    withheld = [
        _item(out.item, out.section, out.rank, out.score) | {"decision": "excluded", "reason": out.code}
        for out in pack.excluded[:LISTED]
    ]
    return {
        "schema": "aiwg.delivery.v1",
        "pack": pack.id,
        "text_digest": pack.text_digest,
        "tree": pack.tree,
        "task_digest": request["task_digest"],
        "target": request["target"],
        "as_of": request["as_of"],
        "budget": request["budget"],
        "used": {"total": pack.used, "sections": dict(pack.sections)},
        "at": at,
        "surface": surface,
        "items": [*delivered, *withheld],
        "excluded": dict(pack.counts()),
    }


def _item(item: MemoryItem, section: str, rank: int | None, score: float | None) -> dict[str, Any]:
    return {
        "handle": item.handle,
        "locator": item.locator,
        "digest": item.digest,
        "section": section,
        "layer": item.layer,
        "scope": item.scope,
        "review": item.review,
        "rank": rank,
        "score": score,
    }


def _reason(section: str, rank: int | None, removed: int) -> str:
    if rank is None:
        return "always" if section == "always" else "given"
    return "cut" if removed else "ranked"


def kept(records: Sequence[Mapping[str, Any]], *, today: str) -> list[Mapping[str, Any]]:
    """The rows to keep, oldest first: those of the last 30 days, at most 5,000. ``today`` is a UTC date."""
    return [row for row in records if _days(today) - _days(str(row["at"])) < KEPT_DAYS][-KEPT_ROWS:]


def _days(date: str) -> int:
    from datetime import date as day

    return day.fromisoformat(date[:10]).toordinal()


def find(records: Iterable[Mapping[str, Any]], pack: str) -> Mapping[str, Any]:
    """The latest record of a pack, by its id or the beginning of it. Raises NotFound."""
    found = [row for row in records if str(row["pack"]).startswith(pack)]
    if not pack.startswith("pack_") or not found:
        raise NotFound(
            f"no delivery of {pack!r} is on record",
            hint="deliveries are kept for 30 days; a pack's id is in its first line",
        )
    return found[-1]


def explain(record: Mapping[str, Any]) -> str:
    """What the pack held and left out, as text; the record itself is the data."""
    used, budget = record["used"], record["budget"][0]
    lines = [
        f"{record['pack']}",
        f"tree {record['tree']}, as of {record['as_of']}, delivered {record['at']} to {record['surface']}",
        f"{used['total']}/{budget['limit']} {budget['measure']}",
    ]
    lines += [f"  {name} {size}" for name, size in used["sections"].items()]
    for decision in ("delivered", "excluded"):
        rows = [row for row in record["items"] if row["decision"] == decision]
        lines += [f"{decision}: {len(rows)}", *(_row(row) for row in rows)] if rows else []
    if record["excluded"]:
        lines.append("left out: " + ", ".join(f"{count} {code}" for code, count in record["excluded"].items()))
        lines += [f"  {code}: {meaning(code)}" for code in record["excluded"]]
    return "\n".join(lines) + "\n"


def _row(row: Mapping[str, Any]) -> str:
    ranked = f" rank {row['rank']} score {row['score']:.3f}" if row["rank"] is not None else ""
    place = f" ({row['locator']})" if row.get("locator", row["handle"]) != row["handle"] else ""
    return f"  {row['handle']}{place} {row['section']}{ranked} {row['reason']}"


def why(handle: str, record: Mapping[str, Any], unmatched: str = UNMATCHED) -> dict[str, Any]:
    """Why one item was in that pack or not: layer, scope, review, budget, rank. ``decision`` may be ``not-considered``,
    for the reason ``unmatched``.

    An item beyond the listed exclusions is ``not-listed``: it was left out, and the record does not say by which rule.
    """
    for row in record["items"]:
        if row["handle"] == handle:
            return {**row, "pack": record["pack"], "used": record["used"]["total"], "budget": record["budget"]}
    unlisted = sum(record["excluded"].values()) > sum(row["decision"] == "excluded" for row in record["items"])
    return {
        "handle": handle,
        "pack": record["pack"],
        "used": record["used"]["total"],
        "budget": record["budget"],
        "decision": "not-listed" if unlisted else "not-considered",
        "reason": "beyond the exclusions on record" if unlisted else unmatched,
    }
