"""The tables of the index, and what must be the same for an old file to be believed."""

from __future__ import annotations

import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from aiwg_memory import __version__
from aiwg_memory.addons import Addon

_SLOTS = 500

_TABLES = """
create table meta(key text primary key, value) without rowid;
create table files(id integer primary key, path text not null unique, stamp text not null, blob text not null,
    addon text not null, layer text not null, first integer not null, count integer not null);
create index files_layer on files(layer, count);
create table units(id integer primary key, file integer not null, handle text not null, text text not null,
    unit text not null, item text, always integer not null default 0);
create index units_handle on units(handle);
create index units_always on units(handle) where always;
create table versions(file integer not null, handle text not null, value text not null);
create index versions_handle on versions(handle);
create index versions_file on versions(file);
create table postings(term text not null, bucket integer not null, data blob not null, primary key(term, bucket))
    without rowid;
create table lengths(bucket integer primary key, data blob not null);
create table words(word text primary key, units integer not null) without rowid;
create table held(id integer primary key, part text not null, path text not null, stamp text not null,
    blob text not null, problems text not null, unique(part, path));
create table held_units(part text not null, file integer not null, handle text not null, text text not null,
    unit text not null);
create index held_units_handle on held_units(part, handle);
create index held_units_file on held_units(file);
create table held_versions(part text not null, file integer not null, line integer not null, handle text not null,
    value text not null);
create index held_versions_handle on held_versions(part, handle);
create index held_versions_file on held_versions(file);
create table rows(part text not null, handle text not null, nth integer not null, label text not null, at text not null,
    due text not null, problems text not null, value text not null, primary key(part, handle, nth));
create index rows_at on rows(part, at, handle, nth, label);
create index rows_label on rows(part, label);
create index rows_due on rows(part, due) where due != '';
create index rows_problems on rows(part, handle) where problems != '';
create index held_problems on held(part, path) where problems != '';
"""


class Wanted(NamedTuple):
    """How the fingerprint of an index that is believed ``begins``, and the ``whole`` one that a new index gets."""

    begins: str
    whole: Callable[[], str]


def made_by() -> str:
    """What the fingerprint of every index of this code begins with: enough for rows that no addon's choice concerns."""
    return f"{zlib.crc32(_TABLES.encode()):08x} {__version__} {sys.byteorder} "


def fingerprint(addons: Sequence[Addon]) -> str:
    """Rows made under another fingerprint were made by other code, or for other files."""
    from aiwg_memory.core.ranking.text import ANALYSER

    named = ";".join(f"{addon.name} {addon.version} {','.join(addon.paths)}" for addon in addons)
    return f"{made_by()}{ANALYSER} {named}."


def create(connection: sqlite3.Connection, wanted: str) -> None:
    """Every table, new and empty, in the transaction that is open."""
    held = connection.execute("select type, name from sqlite_master where type = 'table'").fetchall()
    for _, name in held:
        connection.execute(f'drop table "{name}"')
    for statement in filter(str.strip, _TABLES.split(";")):
        connection.execute(statement)
    connection.executemany(
        "insert into meta values(?, ?)",
        [("fingerprint", wanted), ("listing", ""), ("tree", ""), ("files", 0), ("units", 0), ("terms", 0), ("next", 0)],
    )


def meta(connection: sqlite3.Connection) -> dict[str, str | int]:
    return dict(connection.execute("select key, value from meta"))


def put_meta(connection: sqlite3.Connection, **values: str | int) -> None:
    connection.executemany("replace into meta values(?, ?)", list(values.items()))


def chunked(values: Sequence[object], size: int = _SLOTS) -> Iterator[tuple[Sequence[object], str]]:
    """Slices of ``values`` with as many question marks, for one statement each."""
    for at in range(0, len(values), size):
        part = values[at : at + size]
        yield part, ",".join("?" * len(part))
