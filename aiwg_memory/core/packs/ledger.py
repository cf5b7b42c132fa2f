"""What is in the pack so far, as printed entries, and what one more would cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aiwg_memory.core.budget import Budget, Cost, plus, total_cost, within
from aiwg_memory.core.canonical import short
from aiwg_memory.core.packs.candidates import Candidate
from aiwg_memory.core.packs.request import PRINTED
from aiwg_memory.core.paths import parted
from aiwg_memory.core.quoting import one_line, shown_lines, speaks
from aiwg_memory.core.render import Format, Group, Shown
from aiwg_memory.core.screening import escape_invisible

_FACT = re.compile(r"lm_[0-9a-f]{16}\Z")
_PLACE = {name: number for number, name in enumerate(PRINTED)}

Place = tuple[int, int, Group]


class Entry(NamedTuple):
    """A candidate as it is printed. ``dispute`` numbers the disagreement it is a side of, 0 for none."""

    candidate: Candidate
    shown: Shown
    place: Place
    dispute: int = 0
    removed: int = 0

    @property
    def group(self) -> Group:
        return self.place[2]


def locator_of(candidate: Candidate) -> tuple[str, str]:
    """The page and the span of a locator. A fact is named by the digest of its text: 12 digits of it say both."""
    item = candidate.item
    shown = "".join(map(escape_invisible, item.locator.splitlines()))
    page, span = parted(shown)
    mark = shown[len(page) : len(shown) - len(span)]
    read_with = short(item.digest, 12)
    if not mark and _FACT.match(page) and page[3:15] == read_with:
        return page[:15], ""
    return page, f"{mark}{span}@{read_with[:8]}"


def display(candidate: Candidate) -> Shown:
    """The whole text, screened, under its heading where that says more than the title does."""
    item = candidate.item
    heading = one_line(item.heading) if item.heading and item.heading != item.title else ""
    page, span = locator_of(candidate)
    return Shown(page, span, heading, shown_lines(item.text))


def doubts(candidate: Candidate) -> tuple[str, ...]:
    """What the text itself gives reason to say before it; nothing for what was given as an instruction."""
    if candidate.rank is None and candidate.section != "always":
        return ()
    item = candidate.item
    return ("instruction-like",) if speaks(item.text) or speaks(item.heading) else ()


def entry(
    candidate: Candidate, shown: Shown, *, marks: tuple[str, ...] = (), host: str = "", dispute: int = 0
) -> Entry:
    """``host`` is the section a side of a disagreement is printed in, so that the sides stand together."""
    if dispute:
        marks = (*marks, f"disagreement {dispute}")
    group = Group(candidate.section, (*candidate.labels, *marks))
    return Entry(candidate, shown, (_PLACE[host or candidate.section], dispute, group), dispute)


class Ledger:
    """Costs are exact while entries are only added: a group's lines and a page's name are paid by its first entry."""

    def __init__(self, form: Format, budget: Budget, fixed: Cost) -> None:
        self.form, self.budget = form, budget
        self.spent = fixed
        self.entries: list[Entry] = []
        self.sections: dict[str, int] = {}
        self.locators = 0
        self._groups: set[Place] = set()
        self._pages: set[tuple[Place, str]] = set()

    def price(self, entries: Iterable[Entry]) -> Cost:
        groups: set[Place] = set()
        pages: set[tuple[Place, str]] = set()
        costs = []
        for one in entries:
            lines: list[str] = []
            if one.place not in self._groups and one.place not in groups:
                groups.add(one.place)
                lines += self.form.open(one.group) + self.form.close(one.group)
            page = (one.place, one.shown.page)
            same = "#" in one.shown.span and (page in self._pages or page in pages)
            pages.add(page)
            costs.append(self.budget.cost(lines + self.form.item(one.group, one.shown, same_page=same)))
        return total_cost(costs, len(self.spent))

    def fits(self, cost: Cost) -> bool:
        return within(plus(self.spent, cost), self.budget.bound)

    def locator_cost(self, entries: Iterable[Entry]) -> int:
        return sum(self.budget.cost([one.shown.locator])[0] for one in entries)

    def take(self, entries: Sequence[Entry], cost: Cost) -> None:
        self.spent = plus(self.spent, cost)
        section = entries[0].candidate.section
        self.sections[section] = self.sections.get(section, 0) + cost[0]
        self.locators += self.locator_cost(entries)
        for one in entries:
            self.entries.append(one)
            self._groups.add(one.place)
            self._pages.add((one.place, one.shown.page))

    def layout(self) -> list[Entry]:
        """In printed order: sections, their groups, and in a group the passages of one page together."""
        groups: dict[Place, int] = {}
        blocks: dict[tuple[int, int | Group], int] = {}
        pages: dict[tuple[Place, str], int] = {}
        for number, one in enumerate(self.entries):
            groups.setdefault(one.place, number)
            blocks.setdefault((one.place[0], one.dispute or one.group), number)
            pages.setdefault((one.place, one.shown.page), number)

        def key(numbered: tuple[int, Entry]) -> tuple[int, int, int, int, int]:
            number, one = numbered
            place = one.place
            block = blocks[(place[0], one.dispute or one.group)]
            return (place[0], block, groups[place], pages[(place, one.shown.page)], number)

        return [one for _, one in sorted(enumerate(self.entries), key=key)]

    def lines(self, entries: Sequence[Entry]) -> list[str]:
        lines: list[str] = []
        before: Entry | None = None
        for one in entries:
            if before is None or before.place != one.place:
                if before is not None:
                    lines += self.form.close(before.group)
                lines += self.form.open(one.group)
                before = None
            same = before is not None and "#" in one.shown.span and before.shown.page == one.shown.page
            lines += self.form.item(one.group, one.shown, same_page=same)
            before = one
        return lines + (self.form.close(before.group) if before else [])
