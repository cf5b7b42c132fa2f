"""build_pack: the only composer. Every surface calls it and differs in nothing but transport."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aiwg_memory.core.budget import Cost, plus, within
from aiwg_memory.core.delivery import DeliveryPolicy
from aiwg_memory.core.packs.allocate import Allocator
from aiwg_memory.core.packs.candidates import Considered, consider
from aiwg_memory.core.packs.ledger import Entry, Ledger
from aiwg_memory.core.packs.pack import Pack, counts, pack_id
from aiwg_memory.core.packs.request import LOCATORS, Given, PackRequest
from aiwg_memory.core.render import ALL, Format, Head, format_named, printed
from aiwg_memory.core.retrieval import Retriever
from aiwg_memory.errors import Refused

# What naming each code of the last line may cost, as a part of the bound; else it gives their number alone.
TAIL_PART = 25
# Letters and digits in turn are what costs the most tokens.
_ANY_ID = "pack_" + "1a" * 32


def build_pack(
    retriever: Retriever,
    request: PackRequest,
    *,
    policy: DeliveryPolicy | None = None,
    given: Sequence[Given] = (),
    current: Mapping[str, str] | None = None,
) -> Pack:
    """The pack for a request, within every limit of its budget as it is printed, final newline included.

    ``given`` is what comes without being searched for; ``current`` maps handles to what the workspace says of them now
    (see ``consider``). Raises Refused when the bound is below what the frame needs, or when what is never dropped does
    not fit.
    """
    form = format_named(request.format)
    considered = consider(retriever, request, policy or DeliveryPolicy(), given, current or {})
    ledger = Ledger(form, request.budget, (0,) * len(request.budget.limits))
    allocator = Allocator(ledger, request, considered)
    needed = allocator.first()
    full, brief = _frames(retriever, request, form, considered)
    bound = request.budget.bound
    short_tail = full[0] - brief[0] > bound[0] // TAIL_PART or not within(plus(needed, full), bound)
    frame = brief if short_tail else full
    if not within(plus(needed, frame), bound):
        raise _too_small(request, ledger, frame)
    ledger.spent = plus(needed, frame)
    allocator.disputes_of_first()
    allocator.optional()
    allocator.shares()
    return _finished(retriever, request, ledger, considered, allocator, short_tail)


def _head(retriever: Retriever, request: PackRequest, identity: str, used: int) -> Head:
    budget = request.budget
    return Head(identity, retriever.identity, retriever.backends, retriever.quality, used, budget.total, budget.measure)


def _frames(retriever: Retriever, request: PackRequest, form: Format, considered: Considered) -> tuple[Cost, Cost]:
    """The dearest the first and last lines can be: with exclusions by code, and with their number alone."""
    head = form.head(_head(retriever, request, _ANY_ID, request.budget.total))
    open_to = len(considered.found) + len(considered.optional)
    possible = dict(counts(considered.excluded))
    if open_to:
        capped = [f"{name}-cap" for name in request.caps if name != LOCATORS]
        for code in ("no-room", *capped, *(["locator-cap"] if LOCATORS in request.caps else [])):
            possible[code] = open_to + possible.get(code, 0)
    number = open_to + len(considered.excluded)
    full = request.budget.cost(head + form.tail(list(possible.items())))
    brief = request.budget.cost(head + form.tail([(ALL, number)] if number else []))
    return full, brief


def _finished(
    retriever: Retriever,
    request: PackRequest,
    ledger: Ledger,
    considered: Considered,
    allocator: Allocator,
    short_tail: bool,
) -> Pack:
    form, budget = ledger.form, request.budget
    entries = ledger.layout()
    excluded = considered.excluded + allocator.left()
    excluded.sort(key=lambda out: (out.rank is None, out.rank or 0, out.item.handle))
    identity = pack_id(request, entries)
    body = ledger.lines(entries)

    def printed_with(left_out: Sequence[tuple[str, int]]) -> tuple[str, int, Cost]:
        used, tail = 0, form.tail(left_out)
        while True:
            text = printed(form.head(_head(retriever, request, identity, used)) + body + tail)
            measured = budget.measured(text)
            if budget.shown(measured) <= used:
                return text, used, measured
            used = budget.shown(measured)

    text, used, measured = printed_with(counts(excluded))
    if short_tail and excluded and not within(measured, budget.bound):
        # Room for every code was not set aside, and what was is used up.
        text, used, measured = printed_with(((ALL, len(excluded)),))
    assert within(measured, budget.bound), f"{identity} measures {measured}, over {budget.bound}"
    return Pack(
        identity, request, retriever.identity, retriever.backends, retriever.quality, tuple(entries),
        tuple(excluded), used, {name: budget.units(part) for name, part in sorted(ledger.sections.items())},
        text, _warnings(entries),
    )  # fmt: skip


def _warnings(entries: Sequence[Entry]) -> tuple[str, ...]:
    disputes: dict[int, list[str]] = {}
    for one in entries:
        if one.dispute:
            disputes.setdefault(one.dispute, []).append(one.candidate.item.handle)
    return tuple(f"{' and '.join(handles)} disagree" for handles in disputes.values() if len(handles) > 1)


def _too_small(request: PackRequest, ledger: Ledger, frame: Cost) -> Refused:
    budget = request.budget
    place = next((at for at, cost in enumerate(plus(ledger.spent, frame)) if cost > budget.bound[at]), 0)
    limit = budget.limits[place]
    scale = 1000 if limit.measure == "tokens" else 1
    smallest, needed = -(-frame[place] // scale), -(-(ledger.spent[place]) // scale)
    if not ledger.entries or frame[place] > budget.bound[place]:
        return Refused(
            f"{limit.limit} {limit.measure} is below the smallest bound {request.format} can serve here, {smallest}",
            hint=f"give at least {smallest} {limit.measure}",
            code="bound-too-small",
        )
    lines = sorted(ledger.entries, key=lambda one: (-len(one.candidate.item.text), one.candidate.item.handle))
    named = ", ".join(f"{one.candidate.item.handle} ({len(one.candidate.item.text)} characters)" for one in lines[:5])
    return Refused(
        f"what is never dropped needs {needed} {limit.measure} and a bound of {limit.limit} leaves "
        f"{limit.limit - smallest} for it",
        hint=f"shorten, or deliver on demand, the longest: {named}; or give at least {smallest + needed}",
        code="always-on-too-large",
    )
