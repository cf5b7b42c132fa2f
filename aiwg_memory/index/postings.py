"""Which units hold a term: packed arrays, one row a term and bucket, so that a change rewrites little.

A bucket is ``BUCKET`` neighbouring unit ids. A row is, for its n units in order: n places within the bucket (two bytes
each), n counts in the text (one byte, 255 for more), n flags whether title or heading hold the term (one byte).
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.ranking.text import spellings, terms

BUCKET = 4096
WIDTH = 4
"""Bytes of a row for each unit in it."""

_SLOTS = 500

Postings = tuple[Sequence[int], Sequence[int], Sequence[int]]
_Entry = tuple[int, int] | None


def unpack(data: bytes) -> Postings:
    size = len(data) // WIDTH
    places = array("H")
    places.frombytes(data[: 2 * size])
    return places, data[2 * size : 3 * size], data[3 * size :]


def find(postings: Postings, place: int) -> int:
    """Where ``place`` stands in the row, or -1."""
    places = postings[0]
    at = bisect_left(places, place)
    return at if at < len(places) and places[at] == place else -1


def chunked(values: Sequence[object], size: int = _SLOTS) -> Iterator[tuple[Sequence[object], str]]:
    """Slices of ``values`` with as many question marks, for one statement each."""
    for at in range(0, len(values), size):
        part = values[at : at + size]
        yield part, ",".join("?" * len(part))


class PostingChanges:
    """What units add to and take from the postings, gathered until ``flush`` writes each row once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._forget()

    def _forget(self) -> None:
        self._terms: dict[int, dict[str, dict[int, _Entry]]] = {}
        self._lengths: dict[int, dict[int, int]] = {}
        self._words: Counter[str] = Counter()
        self.units = 0
        self.length = 0
        self.pending = 0

    def put(self, unit: int, item: MemoryItem) -> None:
        counts, titled, length = _analysed(item)
        place = unit % BUCKET
        bucket = self._terms.setdefault(unit // BUCKET, {})
        for term in counts.keys() | titled:
            bucket.setdefault(term, {})[place] = (min(counts.get(term, 0), 255), int(term in titled))
        self._lengths.setdefault(unit // BUCKET, {})[place] = length
        self._words.update(spellings(f"{item.title} {item.heading} {item.text}"))
        self.units += 1
        self.length += length
        self.pending += 1

    def take(self, unit: int, item: MemoryItem) -> None:
        counts, titled, length = _analysed(item)
        bucket = self._terms.setdefault(unit // BUCKET, {})
        for term in counts.keys() | titled:
            bucket.setdefault(term, {})[unit % BUCKET] = None
        self._words.subtract(spellings(f"{item.title} {item.heading} {item.text}"))
        self.units -= 1
        self.length -= length
        self.pending += 1

    def flush(self) -> None:
        for bucket, found in sorted(self._terms.items()):
            self._write(bucket, found)
        for bucket, places in self._lengths.items():
            self._write_lengths(bucket, places)
        self._connection.executemany(
            "insert into words values(?, ?) on conflict do update set units = units + excluded.units",
            ((word, change) for word, change in sorted(self._words.items()) if change),
        )
        self._connection.execute("delete from words where units <= 0")
        self._connection.execute("update meta set value = value + ? where key = 'units'", (self.units,))
        self._connection.execute("update meta set value = value + ? where key = 'terms'", (self.length,))
        self._forget()

    def _write(self, bucket: int, found: dict[str, dict[int, _Entry]]) -> None:
        old = self._read(bucket, list(found))
        full, empty = [], []
        for term in sorted(found):
            data = _merged(old.get(term), found[term])
            if data:
                full.append((term, bucket, data))
            else:
                empty.append((term, bucket))
        self._connection.executemany("replace into postings values(?, ?, ?)", full)
        self._connection.executemany("delete from postings where term = ? and bucket = ?", empty)

    def _read(self, bucket: int, wanted: Sequence[str]) -> dict[str, bytes]:
        held = self._connection.execute("select 1 from lengths where bucket = ?", (bucket,)).fetchone()
        if held is None:
            return {}
        old: dict[str, bytes] = {}
        for part, marks in chunked(wanted):
            rows = self._connection.execute(
                f"select term, data from postings where bucket = ? and term in ({marks})", (bucket, *part)
            )
            old.update(rows)
        return old

    def _write_lengths(self, bucket: int, places: dict[int, int]) -> None:
        row = self._connection.execute("select data from lengths where bucket = ?", (bucket,)).fetchone()
        lengths = array("H", row[0] if row else bytes(2 * BUCKET))
        for place, length in places.items():
            lengths[place] = min(length, 65535)
        self._connection.execute("replace into lengths values(?, ?)", (bucket, lengths.tobytes()))


def _analysed(item: MemoryItem) -> tuple[Counter[str], set[str], int]:
    found = terms(item.text)
    return Counter(found), set(terms(f"{item.title} {item.heading}")), min(len(found), 65535)


def _merged(old: bytes | None, changes: dict[int, _Entry]) -> bytes:
    entries: dict[int, _Entry] = dict(changes)
    if old is not None:
        held: Iterable[tuple[int, int, int]] = zip(*unpack(old), strict=True)
        entries = {place: (count, titled) for place, count, titled in held}
        entries.update(changes)
    kept = sorted((place, entry) for place, entry in entries.items() if entry is not None)
    places = array("H", [place for place, _ in kept])
    return places.tobytes() + bytes(entry[0] for _, entry in kept) + bytes(entry[1] for _, entry in kept)
