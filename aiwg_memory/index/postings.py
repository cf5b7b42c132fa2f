"""Which units hold a term: packed arrays, one row a term and bucket, so that a change rewrites little.

A bucket is ``BUCKET`` neighbouring unit ids. A row is, for its n units in order: n places within the bucket (two bytes
each), n counts in the text (one byte, 255 for more), n sums of ``IN_TITLE`` and ``IN_HEADING`` (one byte).
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence

from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.ranking.text import analyse
from aiwg_memory.index.layout import chunked

BUCKET = 4096
WIDTH = 4
"""Bytes of a row for each unit in it."""

Postings = tuple[Sequence[int], Sequence[int], Sequence[int]]
_Analysed = tuple[dict[str, int], int, set[str]]

IN_TITLE, IN_HEADING = 1, 2

_GONE = -1


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


class PostingChanges:
    """What units add to and take from the postings, gathered until ``flush`` writes each row once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._forget()

    def _forget(self) -> None:
        # By bucket, term and place: four times the count in the text plus where else the term is; or _GONE.
        self._terms: dict[int, defaultdict[str, dict[int, int]]] = {}
        self._lengths: dict[int, dict[int, int]] = {}
        self._words: Counter[str] = Counter()
        self.units = 0
        self.length = 0
        self.pending = 0

    def put(self, unit: int, item: MemoryItem) -> None:
        entries, length, words = _analysed(item)
        place = unit % BUCKET
        bucket = self._bucket(unit)
        for term, entry in entries.items():
            bucket[term][place] = entry
        self._lengths.setdefault(unit // BUCKET, {})[place] = length
        self._words.update(words)
        self.units += 1
        self.length += length
        self.pending += 1

    def take(self, unit: int, item: MemoryItem) -> None:
        entries, length, words = _analysed(item)
        place = unit % BUCKET
        bucket = self._bucket(unit)
        for term in entries:
            bucket[term][place] = _GONE
        self._words.subtract(words)
        self.units -= 1
        self.length -= length
        self.pending += 1

    def _bucket(self, unit: int) -> defaultdict[str, dict[int, int]]:
        return self._terms.setdefault(unit // BUCKET, defaultdict(dict))

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

    def _write(self, bucket: int, found: dict[str, dict[int, int]]) -> None:
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


def _analysed(item: MemoryItem) -> _Analysed:
    """Entries by term, how many terms the text has, and the words as they are spelled."""
    found, words = analyse(item.text)
    entries = {term: 4 * (count if count < 256 else 255) for term, count in Counter(found).items()}
    for place, line in ((IN_TITLE, item.title), (IN_HEADING, item.heading)):
        if line:
            held, more = analyse(line)
            words |= more
            for term in set(held):
                entries[term] = entries.get(term, 0) + place
    return entries, min(len(found), 65535), words


def _merged(old: bytes | None, changes: dict[int, int]) -> bytes:
    entries = changes
    if old is not None:
        entries = {place: 4 * count + where for place, count, where in zip(*unpack(old), strict=True)}
        entries.update(changes)
    kept = sorted((place, entry) for place, entry in entries.items() if entry != _GONE)
    places = array("H", [place for place, _ in kept])
    return places.tobytes() + bytes([entry >> 2 for _, entry in kept]) + bytes([entry & 3 for _, entry in kept])
