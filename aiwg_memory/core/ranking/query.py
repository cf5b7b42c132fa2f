"""A task as the ranker sees it: its words once each, what each is called in the index, and the phrases in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from aiwg_memory.core.ranking.common import COMMON
from aiwg_memory.core.ranking.text import fold, is_dense, runs, spelling, terms, terms_of

CHARACTERS = 20_000
"""Characters of a task that are read; a longer one is a pasted log, whose head says what it is."""

WORDS = 256
"""Different words of a task that are looked up, in order of appearance."""

PHRASES = 8
"""Quoted phrases of a task that are looked for, in order of appearance: a pasted log may be full of quotes."""

_QUOTED = r"[\"“„«]([^\"“”„«»\n]{2,200})[\"”“»]"


class Word(NamedTuple):
    """``terms`` are what the index knows it by; ``spelled`` its plain form where it may be a slip, else empty.

    ``dense`` is a pair of characters of a script without spaces: one that is unknown may be no word at all.
    """

    surface: str
    terms: tuple[str, ...]
    spelled: str = ""
    dense: bool = False


class Phrase(NamedTuple):
    """What stood in quotes, and its terms: two or more, for one word says no more in quotes than without."""

    surface: str
    terms: tuple[str, ...]


class Query(NamedTuple):
    words: tuple[Word, ...]
    phrases: tuple[Phrase, ...] = ()


def parse(text: str) -> Query:
    """Common words are left out; a query of nothing else has no words."""
    text = text[:CHARACTERS]
    shouted = text.isupper()
    words: list[Word] = []
    seen: set[str] = set()
    for run in dict.fromkeys(runs(text)):
        acronym = not shouted and len(run) > 1 and run.isupper()
        if fold(run) in COMMON and not acronym:
            continue
        found = tuple(term for term in dict.fromkeys(terms_of(run)) if term not in seen and term not in COMMON)
        seen.update(found)
        words += [Word(term, (term,), dense=True) for term in found if is_dense(term)]
        rest = tuple(term for term in found if not is_dense(term))
        if rest:
            words.append(Word(run, rest, spelling(run)))
        if len(words) >= WORDS:
            break
    return Query(tuple(words), tuple(_phrases(text)) if any(mark in text for mark in '"“„«') else ())


def _phrases(text: str) -> Iterator[Phrase]:
    quoted = dict.fromkeys(found.strip() for found in re.findall(_QUOTED, text))
    phrases = (Phrase(one, tuple(terms(one))) for one in quoted)
    return islice((one for one in phrases if len(one.terms) > 1), PHRASES)
