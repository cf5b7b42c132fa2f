"""One query over the rows: weigh its words, add up postings from the rarest, lend to neighbours, weigh the items."""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from heapq import nlargest

from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.ranking import score
from aiwg_memory.core.ranking.query import Query
from aiwg_memory.core.ranking.text import terms
from aiwg_memory.core.retrieval import Hit
from aiwg_memory.index.layout import chunked
from aiwg_memory.index.postings import BUCKET, IN_HEADING, Postings, find, unpack
from aiwg_memory.index.rows import load_item
from aiwg_memory.index.vocabulary import Vocabulary, WeighedTerm


class Lookup:
    """The words of one query found in the rows, and the units they lead to."""

    def __init__(self, connection: sqlite3.Connection, query: Query, *, units: int, length: int) -> None:
        self._connection = connection
        self._phrases = query.phrases
        self._units = units
        self._average = max(1.0, length / max(1, units))
        weighed = Vocabulary(connection, units).weigh(query.words)
        self._terms = sorted((term for term in weighed if term.value), key=lambda term: (term.holding, term.term))[
            : score.TERMS
        ]
        self._unheld = [term.weight for term in weighed if not term.value]
        self._covers: dict[str, float] = {}
        self._asked = 1.0
        self._rows: dict[tuple[str, int], Postings] = {}
        self._lengths: dict[int, array[int]] = {}

    def hits(self, limit: int, as_of: str) -> list[Hit]:
        """At most ``limit``, best first."""
        if not self._terms or limit < 1:
            return []
        self._load()
        added, late = self._added()
        own = self._best(added, score.CANDIDATES)
        phrased = self._best(self._phrasing(added), score.CANDIDATES)
        own |= phrased
        for term in late:
            for unit in own:
                own[unit] += self._worth(term, unit)
        lent, lender = self._lent(own)
        chosen = self._best(lent, limit + score.SPARE) | {unit: lent[unit] for unit in phrased}
        return self._judged(chosen, lender, limit, as_of)

    def _load(self) -> None:
        names = [term.term for term in self._terms]
        rows = self._connection.execute(
            f"select term, bucket, data from postings where term in ({','.join('?' * len(names))})", names
        )
        self._rows = {(term, bucket): unpack(data) for term, bucket, data in rows}
        self._weigh_cover()
        self._lengths = {
            bucket: array("H", data) for bucket, data in self._connection.execute("select bucket, data from lengths")
        }

    def _weigh_cover(self) -> None:
        """What each term weighs for coverage: its rarity among the units whose own words hold it, not their titles."""
        own = dict.fromkeys((term.term for term in self._terms), 0)
        for (term, _), (_, counts, _) in self._rows.items():
            own[term] += len(counts) - counts.count(0)
        for one in self._terms:
            rarity = score.idf(self._units, own[one.term] or one.holding) / score.idf(self._units, one.holding)
            self._covers[one.term] = one.weight * rarity
        asked = sorted([*self._covers.values(), *self._unheld], reverse=True)
        self._asked = sum(asked[: score.COVERED]) or 1.0

    def _added(self) -> tuple[dict[int, float], list[WeighedTerm]]:
        """The sum of the rarest terms by unit, and the terms that were too frequent to be added up."""
        scores: dict[int, float] = {}
        late: list[WeighedTerm] = []
        work = 0
        buckets = sorted(self._lengths)
        for term in self._terms:
            work += term.holding
            if work > score.POSTINGS and scores:
                late.append(term)
                continue
            for bucket in buckets:
                row = self._rows.get((term.term, bucket))
                if row is not None:
                    base, lengths = bucket * BUCKET, self._lengths[bucket]
                    score.accumulate(scores, base, row, lengths, self._average, term.value)
        return scores, late

    def _worth(self, term: WeighedTerm, unit: int) -> float:
        bucket, place = divmod(unit, BUCKET)
        row = self._rows.get((term.term, bucket))
        at = -1 if row is None else find(row, place)
        if row is None or at < 0:
            return 0.0
        return score.worth(row[1][at], row[2][at], self._lengths[bucket][place], self._average, term.value)

    def _phrasing(self, scores: Mapping[int, float]) -> dict[int, float]:
        """Those of the units that hold every word of a quoted phrase: they may hold it word for word. The best
        ``CANDIDATES`` of them are looked at."""
        found: dict[int, float] = {}
        for phrase in self._phrases:
            wanted = [term for term in self._terms if term.term in phrase.terms]
            if wanted:
                found |= {
                    unit: value for unit, value in scores.items() if all(self._worth(one, unit) for one in wanted)
                }
        return found

    def _best(self, scores: dict[int, float], count: int) -> dict[int, float]:
        """The ``count`` best; of equals at the end, those whose handles come first."""
        if len(scores) <= count:
            return scores
        least = nlargest(count, scores.values())[-1]
        best = {unit: value for unit, value in scores.items() if value > least}
        equal = [unit for unit, value in scores.items() if value == least]
        for unit in self._by_handle(equal)[: count - len(best)]:
            best[unit] = least
        return best

    def _by_handle(self, units: Sequence[int]) -> list[int]:
        if len(units) < 2:
            return list(units)
        found: list[tuple[str, int]] = []
        for part, marks in chunked(units):
            found += self._connection.execute(f"select handle, id from units where id in ({marks})", part)
        return [unit for _, unit in sorted(found)]

    def _lent(self, own: dict[int, float]) -> tuple[dict[int, float], dict[int, tuple[int, float]]]:
        """Scores with the neighbours' credit, and for each unit that lives on it: who lends, and which share."""
        marks = ",".join("?" * len(score.NEIGHBOUR))
        ranges = self._connection.execute(
            f"select first, first + count, layer from files where layer in ({marks}) and count > 1 order by first",
            list(score.NEIGHBOUR),
        ).fetchall()
        lent, lender = dict(own), {}
        if not ranges:
            return lent, {}
        firsts = [first for first, _, _ in ranges]
        for unit, value in own.items():
            at = bisect_right(firsts, unit) - 1
            if at < 0 or unit >= ranges[at][1]:
                continue
            share = score.NEIGHBOUR[ranges[at][2]]
            for beside in (unit - 1, unit + 1):
                if ranges[at][0] <= beside < ranges[at][1] and share * value > lent.get(beside, 0.0):
                    lent[beside] = share * value
                    lender[beside] = (unit, share)
        return lent, lender

    def _judged(
        self, chosen: dict[int, float], lender: dict[int, tuple[int, float]], limit: int, as_of: str
    ) -> list[Hit]:
        judged = []
        phrases: dict[int, tuple[str, ...]] = {}
        bonus = score.PHRASE * score.most(term.value for term in self._terms)
        for part, marks in chunked(list(chosen)):
            rows = self._connection.execute(f"select id, item, text from units where id in ({marks})", part)
            for unit, row, text in rows:
                if row is not None:
                    item = load_item(row, text)
                    phrases[unit] = self._quoted(item)
                    worth = chosen[unit] + bonus * len(phrases[unit])
                    judged.append((-round(worth * score.prior(item, as_of), 6), item.handle, unit, item))
        judged.sort(key=lambda one: one[:3])
        hits: list[Hit] = []
        seen: set[str] = set()
        for negative, handle, unit, item in judged:
            if handle not in seen:
                seen.add(handle)
                matched, coverage = self._held(unit)
                if unit in lender:
                    other, share = lender[unit]
                    coverage = max(coverage, round(share * self._held(other)[1], 4))
                hits.append(Hit(item, -negative, len(hits) + 1, matched + phrases[unit], coverage))
                if len(hits) == limit:
                    break
        return hits

    def _held(self, unit: int) -> tuple[tuple[str, ...], float]:
        """The query's words found, and the share of its weight that text and heading hold: a title is its page's."""
        bucket, place = divmod(unit, BUCKET)
        words: dict[str, None] = {}
        held = 0.0
        for term in self._terms:
            row = self._rows.get((term.term, bucket))
            at = -1 if row is None else find(row, place)
            if row is not None and at >= 0:
                words[term.word] = None
                if row[1][at] or row[2][at] & IN_HEADING:
                    held += self._covers[term.term]
        return tuple(words), min(1.0, round(held / self._asked, 4))

    def _quoted(self, item: MemoryItem) -> tuple[str, ...]:
        """The quoted phrases, in quotes, that its title, its heading or its text holds word for word."""
        if not self._phrases:
            return ()
        parts = [terms(part) for part in (item.title, item.heading, item.text)]
        return tuple(
            f'"{phrase.surface}"' for phrase in self._phrases if any(score.holds(part, phrase.terms) for part in parts)
        )
