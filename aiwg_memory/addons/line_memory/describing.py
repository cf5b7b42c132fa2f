"""What a change does to the facts: which came, were reworded, judged or retired, by whom and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from aiwg_memory.addons.line_memory.reading import item
from aiwg_memory.addons.line_memory.store import LIVE
from aiwg_memory.addons.line_memory.text import FACTS, LINES, RECORDS, fact_path, text_digest
from aiwg_memory.core.changes.entry import Described, Entry
from aiwg_memory.core.changes.sides import Sides
from aiwg_memory.core.changes.steps import WORDS, forked, listed, narrowest, refs, same, sourced, steps
from aiwg_memory.core.config import Config
from aiwg_memory.core.items import Unit
from aiwg_memory.core.records import Head, Version


@dataclass(frozen=True, slots=True)
class _State:
    """One fact on one side of the change."""

    unit: Unit | None
    head: Head | None

    @property
    def current(self) -> Version | None:
        return self.head.current if self.head else None

    @property
    def text(self) -> str:
        return self.unit.text if self.unit else ""

    @property
    def live(self) -> bool:
        return self.unit is not None and (self.current is None or self.current.status in LIVE)

    @property
    def value(self) -> Mapping[str, Any]:
        return self.current.value if self.current else {}


_Pair: TypeAlias = tuple[_State, _State]


def describe(sides: Sides, config: Config) -> Described:
    """Cost: the touched files, and the text of every other fact that a touched record speaks of."""
    heads = [sides.heads(RECORDS, was=was) for was in (True, False)]
    typed = [_units(sides, was=was) for was in (True, False)]
    handles = sorted({*heads[0], *heads[1], *typed[0], *typed[1]})
    sides.learn(path for handle in handles if handle not in typed[0] and (path := fact_path(handle)))
    states: dict[str, _Pair] = {
        handle: (
            _state(sides, handle, typed[0], heads[0], was=True),
            _state(sides, handle, typed[1], heads[1], was=False),
        )
        for handle in handles
    }
    entries = [entry for handle in handles for entry in _entry(handle, *states[handle], states)]
    replaced = {entry.by for entry in entries if entry.action == "reworded"}
    told = [one for one in entries if not (one.action in ("added", "adopted") and one.handle in replaced)]
    sizes = [{h: n for h, pair in states.items() if (n := _always(pair[side], config))} for side in (0, 1)]
    places = {handle: now.unit.path for handle, (_, now) in states.items() if now.unit}
    return Described(tuple(told), sizes[0], sizes[1], places)


def _state(sides: Sides, handle: str, typed: Mapping[str, Unit], heads: Mapping[str, Head], *, was: bool) -> _State:
    return _State(typed.get(handle) or _unit(sides, handle, was=was), heads.get(handle))


def _units(sides: Sides, *, was: bool) -> dict[str, Unit]:
    side = sides.before if was else sides.after
    found: dict[str, Unit] = {}
    for path in sorted(side, reverse=True):
        if path.under(FACTS) or path == LINES:
            found.update((unit.handle, unit) for unit in side[path].units)
    return found


def _unit(sides: Sides, handle: str, *, was: bool) -> Unit | None:
    return next((unit for unit in sides.fragment(fact_path(handle), was=was).units if unit.handle == handle), None)


def _always(state: _State, config: Config) -> int:
    found = item(state.unit, state.current) if state.unit and state.live else None
    stands = found is not None and found.delivery == "always" and found.review in config.delivery.always
    return len(found.text) if found and stands else 0


def _entry(handle: str, was: _State, now: _State, states: Mapping[str, _Pair]) -> Iterator[Entry]:
    if was.text == now.text and same(was.head, now.head):
        return
    value = now.value or was.value
    unit = now.unit or was.unit
    base = Entry(
        "facts",
        "changed",
        handle,
        unit.path if unit else fact_path(handle),
        text_digest(now.text or was.text) if now.text or was.text else str(value.get("digest") or ""),
        narrowest(str(was.value.get("classification") or ""), str(now.value.get("classification") or "")),
        who=str(now.value.get("reviewer") or ""),
        reason=str(now.value.get("reason") or ""),
        sources=refs(value),
        line=now.unit.first if now.unit and now.unit.path == LINES else 0,
        gone=now.unit is None,
        alarm=bool(now.head and now.head.fork),
    )
    if now.live and not was.live:
        yield _came(base, was, now)
    elif was.live and not now.live:
        yield _went(base, was, now, states)
    elif was.live:
        yield from _changed(base, was, now)
    elif was.current and now.current and was.current.status != now.current.status:
        yield base._replace(action="retired", detail=f"{was.current.status} → {now.current.status}")


def _came(base: Entry, was: _State, now: _State) -> Entry:
    if now.current is None:
        detail = "typed by hand, no record: nobody confirmed it"
        return base._replace(action="added", after=now.text, detail=detail, alarm=True)
    said = [f"{name} {now.value[name]}" for name in ("kind", "scope", "delivery") if _telling(now, name)]
    review = str(now.value.get("review") or "pending")
    detail = listed(review, *said, forked(now.head))
    return base._replace(action="restored" if was.current else "added", after=now.text, detail=detail)


def _telling(state: _State, name: str) -> bool:
    usual = {"kind": ("fact",), "scope": ("global",), "delivery": ("retrieved",)}
    return state.value.get(name) not in (None, "", *usual[name])


def _went(base: Entry, was: _State, now: _State, states: Mapping[str, _Pair]) -> Entry:
    head = now.current
    base = base._replace(before=was.text)
    if head is None:
        return base._replace(action="removed", detail="taken out by hand; it had no record", alarm=True)
    if head.status in LIVE:
        detail = f"its text is gone, its record still says {head.status}"
        return base._replace(action="removed", detail=detail, alarm=True)
    by = head.text("replacement")
    after = states[by][1].text if by in states else ""
    if by and head.status in ("superseded", "merged"):
        kind = narrowest(base.classification, str(states[by][1].value.get("classification") or "") if after else "")
        merged = "merged with others" if head.status == "merged" else ""
        detail = listed(merged, forked(now.head))
        sources = states[by][1].value if by in states else {}
        return base._replace(
            action="reworded",
            path=_place(by, states, base.path),
            by=by,
            after=after,
            detail=detail,
            classification=kind,
            sources=refs(sources),
        )
    return base._replace(action="retired", by=by, detail=listed(head.status.replace("_", " "), forked(now.head)))


def _place(handle: str, states: Mapping[str, _Pair], other: str) -> str:
    """The file of what took a fact's place; a canonical value is not looked up here."""
    unit = states[handle][1].unit if handle in states else None
    return unit.path if unit else other


def _changed(base: Entry, was: _State, now: _State) -> Iterator[Entry]:
    base = base._replace(after=now.text)
    if was.current is None:
        yield base._replace(action="adopted", detail=str(now.value.get("review") or "pending"))
        return
    status = f"{was.value['status']} → {now.value.get('status', 'no record')}".replace("_", " ")
    moved = "" if was.value["status"] == now.value.get("status") else status
    verdict = steps(was.value, now.value, ("review",))
    rest = steps(was.value, now.value, [name for name in WORDS if name != "review"])
    detail = listed(verdict, moved, rest, sourced(was.value, now.value), forked(now.head))
    if detail:
        yield base._replace(action="judged" if verdict else "changed", detail=detail)
