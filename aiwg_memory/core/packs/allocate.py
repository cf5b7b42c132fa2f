"""Who gets the room: what comes first whole, then shares by weight, then what is left to the best of the rest."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from aiwg_memory.core.budget import Cost
from aiwg_memory.core.claims import normalised, sketch
from aiwg_memory.core.packs.candidates import Candidate, Considered, Excluded
from aiwg_memory.core.packs.ledger import Entry, Ledger, display, doubts, entry
from aiwg_memory.core.packs.request import LOCATORS, PRECEDENCE, SECTIONS, PackRequest
from aiwg_memory.core.paths import parted
from aiwg_memory.core.quoting import cut
from aiwg_memory.core.ranking.text import terms
from aiwg_memory.core.render import Shown

LENGTH_POWER = 0.2
"""A text is worth its score over its length to this power. Evidence recall at 8,000 characters (2,000 in brackets), 200
questions a set: Cranfield 0.397 (0.178) at 0.15 and 0.394 (0.184) at 0.3, 0.375 (0.173) at 0, 0.333 (0.150) at 0.8;
XQuAD as one sentence a line 0.980 (0.955) at 0.3, 0.975 (0.965) at 0.15 and at 0."""
PAGE_CROWDING = 0.05
"""What each passage of a page takes off the next one of it. XQuAD English at 2,000: 0.970 at 0, 0.960 from 0.1 on."""
NEAR_COPY, NEAR_COPY_SHARE = 0.8, 0.25
"""A text with this share of the words of one already in is worth this share of its value. No set here has copies; it
costs none of them anything."""
SMALLEST_CUT = 100
"""Room below which a passage is not cut to fit, in the first measure. Cranfield 0.408 (0.191) at 80, 0.402 (0.176) at
160, 0.398 (0.153) at 400. Cutting every passage to a part of the room instead of the last alone loses: XQuAD English at
2,000 0.967 without, 0.947 at a half, 0.813 at a quarter."""
_FRAME_OF_CUT = 60
_CUTTABLE = ("wiki",)


class Allocator:
    """Fills one ledger. ``failed`` holds why a candidate is not in yet; it may still come in on a later round."""

    def __init__(self, ledger: Ledger, request: PackRequest, considered: Considered) -> None:
        self.ledger, self.request, self.considered = ledger, request, considered
        self.failed: dict[str, str] = {}
        self._in: set[str] = set()
        self._shown: dict[str, tuple[Shown, tuple[str, ...]]] = {}
        self._pages: dict[str, int] = {}
        self._marks: dict[int, list[int]] = {}
        self._sketches: dict[str, frozenset[int]] = {}
        self._copies = 0
        self._disputes: dict[str, int] = {}
        self._smallest = ledger.budget.cost(["x" * SMALLEST_CUT])
        self._least = ledger.budget.cost(["- x", "> x"])

    def first(self) -> Cost:
        """Take what is never dropped, whatever it costs; the caller looks whether it fits. The cost of it all."""
        before = self.ledger.spent
        for candidate in self.considered.first:
            self._put([candidate], self._entries([candidate]))
        return tuple(now - then for now, then in zip(self.ledger.spent, before, strict=True))

    def optional(self) -> None:
        """What was given and may be shed: the lowest rank first, each whole, while there is room."""
        for candidate in sorted(self.considered.optional, key=lambda one: one.sheds or 0):
            entries = self._entries([candidate])
            cost = self.ledger.price(entries)
            if self.ledger.fits(cost):
                self._put([candidate], entries, cost)
            else:
                self.failed[candidate.item.handle] = "no-room"

    def disputes_of_first(self) -> None:
        """The other sides of what is always on come in before anything else that was found."""
        for candidate in [one.candidate for one in self.ledger.entries]:
            for other in self.considered.sides.get(candidate.item.handle, ()):
                if other.item.handle not in self._in and other.rank is not None:
                    self._try(other, limit=None)

    def shares(self) -> None:
        found = self.considered.found
        names = [section.name for section in SECTIONS if any(one.section == section.name for one in found)]
        weights = {name: self.request.weight(name) for name in names}
        room = self.ledger.budget.bound[0] - self.ledger.spent[0]
        given = dict(self.ledger.sections)
        whole = sum(weights.values())
        if len(names) > 1 and whole:
            self._best_of(names)
            for name in names:
                share = given.get(name, 0) + room * weights[name] // whole
                self._fill([one for one in found if one.section == name], share)
        self._fill(found, None)

    def _best_of(self, names: Sequence[str]) -> None:
        """The best of each section, in order of rank: a share that is smaller than one item would show nothing."""
        best = [min((one for one in self.considered.found if one.section == name), key=_rank) for name in names]
        for candidate in sorted(best, key=_rank):
            if candidate.item.handle not in self._in and self._may_fit(candidate, None):
                self._try(candidate, None, whole=True)

    def _fill(self, candidates: Iterable[Candidate], limit: int | None) -> None:
        """Best first, by value per length as it stands after what is already in: values only ever fall."""
        heap = []
        for candidate in candidates:
            if candidate.item.handle not in self._in:
                value = self._value(candidate)
                heap.append((-value, candidate.rank or 0, candidate.item.handle, candidate))
        heapq.heapify(heap)
        while heap:
            negative, rank, handle, candidate = heapq.heappop(heap)
            if handle in self._in:
                continue
            if not self._may_fit(candidate, limit):
                self.failed[handle] = "no-room"
                continue
            value = self._value(candidate) * self._freshness(candidate)
            if heap and value < -heap[0][0] and value < -negative:
                heapq.heappush(heap, (-value, rank, handle, candidate))
                continue
            self._try(candidate, limit)

    def _may_fit(self, candidate: Candidate, limit: int | None) -> bool:
        """A cheap look that spares screening and sketching what is far too long for the room there is."""
        if not self.ledger.fits(self._least):
            return False
        room = self.ledger.budget.bound[0] - self.ledger.spent[0]
        if limit is not None:
            room = min(room, limit - self.ledger.sections.get(candidate.section, 0))
        characters = room // 200 if self.ledger.budget.measure == "tokens" else room
        return len(candidate.item.text) <= characters or (
            candidate.section in _CUTTABLE and characters >= SMALLEST_CUT + _FRAME_OF_CUT
        )

    def _value(self, candidate: Candidate) -> float:
        crowd = 1 + PAGE_CROWDING * self._pages.get(_page(candidate), 0)
        value = max(candidate.score or 0.0, 0.0) / math.pow(len(candidate.item.text) + 40, LENGTH_POWER) / crowd
        return round(value, 9)

    def _freshness(self, candidate: Candidate) -> float:
        marks = self._sketch(candidate)
        seen = Counter(chain.from_iterable(self._marks.get(mark, ()) for mark in marks))
        most = max(seen.values(), default=0)
        return NEAR_COPY_SHARE if marks and most >= NEAR_COPY * len(marks) else 1.0

    def _try(self, candidate: Candidate, limit: int | None, *, whole: bool = False) -> None:
        sides = self.considered.sides.get(candidate.item.handle, ())
        group = [candidate, *(one for one in sides if one.item.handle != candidate.item.handle)]
        group = [one for one in group if one.item.handle not in self._in]
        entries = self._entries(group)
        cost = self.ledger.price(entries)
        code = self._refusal(entries, cost, limit)
        cuttable = candidate.section in _CUTTABLE and not sides and not whole
        if cuttable and code in ("no-room", "wiki-cap"):
            shortened = self._shortened(entries[0], code, limit)
            if shortened is not None:
                self._put(group, [shortened])
                return
        if code is None:
            self._put(group, entries, cost)
            return
        for one in group:
            self.failed[one.item.handle] = code

    def _refusal(self, entries: Sequence[Entry], cost: Cost, limit: int | None) -> str | None:
        section = entries[0].candidate.section
        caps = self.request.caps
        after = self.ledger.sections.get(section, 0) + cost[0]
        if not self.ledger.fits(cost) or (limit is not None and after > limit):
            return "no-room"
        if section in caps and self.ledger.budget.units(after) > caps[section]:
            return f"{section}-cap"
        if LOCATORS in caps:
            named = self.ledger.locators + self.ledger.locator_cost(entries)
            return "locator-cap" if self.ledger.budget.units(named) > caps[LOCATORS] else None
        return None

    def _shortened(self, whole: Entry, code: str, limit: int | None) -> Entry | None:
        """What fits of a passage; None when that would not be worth its frame."""
        if self._refusal([whole], self._smallest, limit) is not None:
            return None
        size = sum(map(len, whole.shown.lines))

        def as_entry(lines: tuple[str, ...], removed: int) -> Entry:
            why = f"{code}, {removed} of {size} characters"
            return whole._replace(shown=whole.shown._replace(lines=lines, cut=why), removed=removed)

        def fits(lines: tuple[str, ...], removed: int) -> bool:
            part = [as_entry(lines, removed)]
            return self._refusal(part, self.ledger.price(part), limit) is None

        found = cut(whole.shown.lines, fits, _weigher(whole.candidate.matched))
        if found is None or size - found.characters < SMALLEST_CUT // 2:
            return None
        return as_entry(found.lines, found.characters)

    def _entries(self, group: Sequence[Candidate]) -> list[Entry]:
        entries = []
        for one in group:
            sides = self.considered.sides.get(one.item.handle, ())
            host = min((side.section for side in sides), key=PRECEDENCE.index) if sides else ""
            number = self._disputes.get(sides[0].item.handle, len(self._disputes) + 1) if sides else 0
            shown, marks = self._display(one)
            entries.append(entry(one, shown, marks=marks, host=host, dispute=number))
        return entries

    def _sketch(self, candidate: Candidate) -> frozenset[int]:
        handle = candidate.item.handle
        if handle not in self._sketches:
            self._sketches[handle] = sketch(normalised(candidate.item.text))
        return self._sketches[handle]

    def _display(self, candidate: Candidate) -> tuple[Shown, tuple[str, ...]]:
        handle = candidate.item.handle
        if handle not in self._shown:
            self._shown[handle] = (display(candidate), doubts(candidate))
        return self._shown[handle]

    def _put(self, group: Sequence[Candidate], entries: Sequence[Entry], cost: Cost | None = None) -> None:
        self.ledger.take(entries, self.ledger.price(entries) if cost is None else cost)
        for candidate in group:
            sides = self.considered.sides.get(candidate.item.handle)
            if sides:
                self._disputes.setdefault(sides[0].item.handle, entries[0].dispute)
            handle = candidate.item.handle
            self._in.add(handle)
            self.failed.pop(handle, None)
            page = _page(candidate)
            self._pages[page] = self._pages.get(page, 0) + 1
            for mark in self._sketch(candidate):
                self._marks.setdefault(mark, []).append(self._copies)
            self._copies += 1

    def left(self) -> list[Excluded]:
        every = [*self.considered.optional, *self.considered.found]
        return [
            Excluded(one.item, one.section, self.failed.get(one.item.handle, "no-room"), one.rank, one.score)
            for one in every
            if one.item.handle not in self._in
        ]


def _rank(candidate: Candidate) -> int:
    return candidate.rank or 0


def _page(candidate: Candidate) -> str:
    page, part = parted(candidate.item.locator)
    return page if part else candidate.item.handle


def _weigher(matched: Sequence[str]) -> Callable[[str], float]:
    """How much of the query's words a sentence holds, inflected or not."""
    words = [kept for kept in (frozenset(terms(word)) for word in matched) if kept]

    def weigh(sentence: str) -> float:
        held = set(terms(sentence))
        return round(sum(len(word & held) / len(word) for word in words), 6)

    return weigh
