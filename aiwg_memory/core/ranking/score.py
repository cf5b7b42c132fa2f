"""The formula: every number that decides an order stands here, with the measurement it comes from.

Measured as evidence recall inside a pack of 8,000 characters (2,000 in brackets) on judged public sets: XQuAD in
English, Russian and Chinese (1,190 questions each), Cranfield (225), and XQuAD English cut into one sentence a line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, MutableMapping, Sequence

from aiwg_memory.core.delivery import DOUBTFUL, lifecycle_on
from aiwg_memory.core.items import MemoryItem

SCORER = "bm25f.2"
"""Part of a pack's identity: change it when any score changes."""

K1 = 1.2
B = 0.75
"""BM25 saturation and length. Cranfield 0.373; with 0.9/0.4 0.334, with 1.2/0.5 0.355, with 1.6/0.75 0.372."""

TITLE = 1.0
"""A word in title or heading counts as one more in the text. Cranfield 0.373; at 0.5 0.354, at 3 0.375 with nothing
gained elsewhere."""

COMMON_SHARE = 0.3
COMMON_FROM = 50
"""A term in more than this share of the units weighs nothing, once there are that many units to judge by."""

GRAM_POWER = 0.5
"""A word cut into n grams weighs idf/n**this each: a long word is not worth more than a short one by its length.
XQuAD Russian 0.980 (0.923); at 0 0.975 (0.913)."""

SLIP = 0.7
"""What a word found under another spelling is worth."""

NEIGHBOUR = {"facts": 0.6}
"""By layer, the share of its score a unit lends to those before and after it in one file. Sentences as lines: 0.980
(0.943); at 0.3 0.978 (0.935), at 0 0.960 (0.923); shuffled lines 0.960 (0.920) with it and 0.960 (0.923) without.
Passages of a page gain nothing (XQuAD English 0.988 with 0.3 and with 0)."""

PHRASE = 3.0
"""A quoted phrase found word for word adds so many times what the whole query could be worth: more than all priors can
make up for, so that what holds it ranks above what holds none."""

TRUST = {3: 1.06, 2: 1.03, 1: 1.0}
CONFIRMED = 1.05
NARROW = 1.03
RECENT = 0.05
RECENT_DAYS = 180
DOUBTED = 0.5
"""Priors multiply. They settle near-ties and no more: who wrote it, whether a person confirmed it, a scope narrower
than global, how long ago it was recorded (half the credit each 180 days). Stale and contradicted are halved."""

POSTINGS = 30_000
"""Places that are added up for one query, from the rarest term on; what is more frequent only tells the best apart.
It bounds a query's cost whatever its length; a short question does not reach it in 10,000 units.
At 100,000 lines a search takes 2 to 4 times what it takes at 1,000."""

CANDIDATES = 600
"""Units that are weighed against each other after that."""

TERMS = 48
"""Terms of a query that count: the rarest."""

COVERED = 12
"""The heaviest terms of a query that coverage is a share of: a long task is about many things, an item about one."""

SPARE = 60
"""Items looked at beyond the limit: the priors may lift them into it."""

READINGS = 3
"""Known words an unknown one may stand for, the most used first."""

SLIPS = 8
"""Unknown words of a query that are looked at for slips: more of them are a language the tree does not speak."""


def idf(total: int, holding: int) -> float:
    """How rare a term is that ``holding`` of ``total`` units hold; above zero for every term."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def accumulate(
    scores: MutableMapping[int, float],
    base: int,
    postings: tuple[Sequence[int], Sequence[int], Sequence[int]],
    lengths: Sequence[int],
    average: float,
    weight: float,
) -> None:
    """Add one term to the scores of the units it is in. ``postings`` are (places, counts in text, not 0 where title or
    heading hold it); a place counts from ``base``, and ``lengths`` are the texts' terms by place."""
    slope, flat = B / average, 1 - B
    gain, get = weight * (K1 + 1), scores.get
    for place, count, titled in zip(*postings, strict=True):
        often = count / (flat + slope * lengths[place]) + (TITLE if titled else 0.0)
        unit = base + place
        scores[unit] = get(unit, 0.0) + gain * often / (often + K1)


def worth(count: int, titled: int, length: int, average: float, weight: float) -> float:
    """What ``accumulate`` adds to one unit."""
    often = count / (1 - B + B / average * length) + (TITLE if titled else 0.0)
    return weight * (K1 + 1) * often / (often + K1)


def most(weights: Iterable[float]) -> float:
    """What no unit's words exceed, whatever their number: the limit of ``worth`` over terms of these weights."""
    return (K1 + 1) * sum(weights)


def prior(item: MemoryItem, as_of: str) -> float:
    """What the item's own dimensions are worth, apart from any query. ``as_of`` is a UTC date."""
    value = TRUST[item.trust]
    if item.review == "confirmed":
        value *= CONFIRMED
    if item.scope != "global":
        value *= NARROW
    age = _days(as_of) - _days(item.at) if item.at and as_of else -1
    if age >= 0:
        value *= 1 + RECENT * 0.5 ** (age / RECENT_DAYS)
    return value * DOUBTED if lifecycle_on(item, as_of) in DOUBTFUL else value


def _days(date: str) -> int:
    """Days of the proleptic Gregorian calendar, to subtract; the calendar's own library costs more to import."""
    year, month, day = int(date[:4]), int(date[5:7]), int(date[8:10])
    if month < 3:
        year, month = year - 1, month + 12
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day


def holds(text: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether the terms of ``phrase`` follow one another in ``text``."""
    first, size = phrase[0], len(phrase)
    return any(term == first and list(text[at : at + size]) == list(phrase) for at, term in enumerate(text))
