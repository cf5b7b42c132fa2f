"""How rare the words of a query are in the tree, and what an unknown one may have meant."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aiwg_memory.core.ranking import score
from aiwg_memory.core.ranking.query import Word
from aiwg_memory.core.ranking.spelling import LONG, SHORTEST, near, slips
from aiwg_memory.core.ranking.text import terms_of
from aiwg_memory.index.layout import chunked
from aiwg_memory.index.postings import WIDTH


class WeighedTerm(NamedTuple):
    """``weight`` is what the query asks for with it, ``value`` what a unit gets for it; ``holding`` units have it."""

    term: str
    word: str
    holding: int
    weight: float
    value: float


class Vocabulary:
    def __init__(self, connection: sqlite3.Connection, units: int) -> None:
        self._connection = connection
        self._units = units
        self._slips = score.SLIPS

    def weigh(self, words: Sequence[Word]) -> list[WeighedTerm]:
        """The terms that count. Where every known one is common in the tree, all of them do."""
        holding = self._holding([term for word in words for term in word.terms])
        weighed: list[WeighedTerm] = []
        common: list[WeighedTerm] = []
        for word in words:
            known = [term for term in word.terms if term in holding]
            for one in self._known(word, known, holding) if known else self._unknown(word):
                (common if self._is_common(one.holding) else weighed).append(one)
        return weighed if any(one.value for one in weighed) else weighed + common

    def _is_common(self, holding: int) -> bool:
        return self._units >= score.COMMON_FROM and holding > score.COMMON_SHARE * self._units

    def _holding(self, terms: Sequence[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for part, marks in chunked(terms):
            found.update(
                self._connection.execute(
                    f"select term, sum(length(data)) / {WIDTH} from postings where term in ({marks}) group by term",
                    part,
                )
            )
        return found

    def _known(self, word: Word, known: Sequence[str], holding: dict[str, int]) -> Iterator[WeighedTerm]:
        """Parts of a word the tree does not know are not asked for where it knows others."""
        share = 1.0 if word.terms[0].isascii() else len(word.terms) ** -score.GRAM_POWER
        for term in known:
            weight = share * score.idf(self._units, holding[term])
            yield WeighedTerm(term, word.surface, holding[term], weight, weight)

    def _unknown(self, word: Word) -> Iterator[WeighedTerm]:
        if word.dense:
            return
        weight = score.idf(self._units, 0)
        meant = self._meant(word.spelled) if len(word.spelled) >= SHORTEST and self._slips > 0 else []
        holding = self._holding(meant)
        if not holding:
            yield WeighedTerm(word.terms[0], word.surface, 0, weight, 0.0)
        for term in meant:
            if term in holding:
                value = score.SLIP * score.idf(self._units, holding[term])
                yield WeighedTerm(term, word.surface, holding[term], value, value)

    def _meant(self, spelled: str) -> list[str]:
        """The terms of the likeliest known words within a slip or two."""
        self._slips -= 1
        found: list[tuple[int, str]] = []
        for part, marks in chunked(sorted(set(slips(spelled)))):
            found += self._connection.execute(f"select -units, word from words where word in ({marks})", part)
        if not found and len(spelled) >= LONG:
            rows = self._connection.execute(
                "select -units, word from words where word >= ? and word < ? and length(word) between ? and ?",
                (spelled[:2], spelled[0] + chr(ord(spelled[1]) + 1), len(spelled) - 2, len(spelled) + 2),
            )
            found = [(units, word) for units, word in rows if near(spelled, word)]
        return list(dict.fromkeys(term for _, word in sorted(found)[: score.READINGS] for term in terms_of(word)))
