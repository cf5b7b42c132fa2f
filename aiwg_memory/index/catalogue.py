"""Catalogues kept beside the search rows: asked where nothing changed, else first brought in step, file by file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from aiwg_memory.addons import Addon
from aiwg_memory.core.catalogue import Answer, Part, Query, Row, read_answer
from aiwg_memory.index import file
from aiwg_memory.index.layout import Wanted, chunked, fingerprint, made_by
from aiwg_memory.index.listing import GRANULARITY

if TYPE_CHECKING:
    from aiwg_memory.worktree.read import WorkTree

SMALL = 128 * 1024
"""Bytes of a part that are sooner read than an index is opened."""
_COLUMNS = "handle, label, at, value, due, problems"


class Kept:
    """The catalogues of one workspace's files. Whatever is wrong with the index, the answer is that of the files.

    ``addons`` gives those whose units the search index holds, since both lie in one file; parts of less than ``small``
    bytes are read.
    """

    def __init__(self, root: str, addons: Callable[[], Sequence[Addon]], small: int = SMALL) -> None:
        self._root = root
        self._small = small
        self._wanted = Wanted(made_by(), lambda: fingerprint(addons()))

    def answer(self, tree: WorkTree, part: Part, query: Query, now: float) -> Answer:
        """``now`` is seconds since the epoch, taken before the call. Raises what reading the files raises."""
        # The look comes before the listing: what changes in between differs from it the next time.
        young = int((now - GRANULARITY) * 1e9)
        look = tree.look([place.folder for place in part.places], young)
        if look is None or look.size < self._small:
            return read_answer(tree, part, query)
        try:
            with closing(file.connect(self._root, self._wanted)[0]) as connection:
                return _answer(connection, tree, part, query, look.digest, str(young))
        except file.FAILURES as error:
            # Broken, deleted or blocked under our hands: the rows are only a copy of what the files say.
            if file.broken(error):
                file.discard(self._root)
            return read_answer(tree, part, query)


def _answer(connection: sqlite3.Connection, tree: WorkTree, part: Part, query: Query, look: str, young: str) -> Answer:
    connection.execute("begin")
    version, held = _stamp(connection, part)
    if look and (version, held) == (str(part.version), look):
        return _asked(connection, part, query)
    connection.execute("rollback")
    from aiwg_memory.index.holding import hold

    connection.execute("begin immediate")
    hold(connection, tree, part, young, fresh=_stamp(connection, part)[0] != str(part.version))
    connection.execute("replace into meta values(?, ?)", (f"part {part.name}", f"{part.version} {look}"))
    # Before others may write again: what is answered is what was just looked at.
    answer = _asked(connection, part, query)
    # Nothing is lost with rows that could not be kept; what is not committed ends with the connection.
    with suppress(sqlite3.OperationalError):
        connection.execute("commit")
    return answer


def _stamp(connection: sqlite3.Connection, part: Part) -> tuple[str, str]:
    """The version of the part whose rows are kept, and the look they are in step with."""
    found = connection.execute("select value from meta where key = ?", (f"part {part.name}",)).fetchone()
    version, _, look = str(found[0] if found else "").partition(" ")
    return version, look


def _asked(connection: sqlite3.Connection, part: Part, query: Query) -> Answer:
    tally = dict(connection.execute("select label, count(*) from rows where part = ? group by label", (part.name,)))
    late = _due(connection, part, query)
    wanted = [label for label in tally if query.wanted(label)]
    total = sum(tally[label] for label in wanted) - sum(row.label in wanted for row, _ in late)
    told = [one for one in late if query.wanted(query.judged(one[0]))]
    rows = [*told, *_page(connection, part, query, wanted)]
    rows.sort(key=lambda one: (one[0].at, one[0].handle, one[1]), reverse=query.newest)
    return Answer(
        tally,
        tuple(_problems(connection, part)),
        tuple(row for row, _ in rows[: query.limit]),
        total + len(told),
        frozenset(_among(connection, part, query.among)),
    )


def _due(connection: sqlite3.Connection, part: Part, query: Query) -> list[tuple[Row, int]]:
    found = connection.execute(
        f"select {_COLUMNS}, nth from rows where part = ? and due != '' and due <= ?", (part.name, query.today)
    )
    return [_row(row) for row in found]


def _page(connection: sqlite3.Connection, part: Part, query: Query, wanted: Sequence[str]) -> Iterator[tuple[Row, int]]:
    """The first rows that no date concerns, of each so many labels."""
    order = "desc" if query.newest else "asc"
    for labels, marks in chunked(wanted if query.limit else ()):
        found = connection.execute(
            f"select {_COLUMNS}, nth from rows where part = ? and label in ({marks})"
            f" and not (due != '' and due <= ?) order by at {order}, handle {order}, nth {order} limit ?",
            (part.name, *labels, query.today, query.limit),
        )
        yield from (_row(row) for row in found)


def _row(found: tuple[str, str, str, str, str, str, int]) -> tuple[Row, int]:
    handle, label, at, value, due, problems, nth = found
    return Row(handle, label, at, json.loads(value), due, tuple(json.loads(problems or "[]"))), nth


def _problems(connection: sqlite3.Connection, part: Part) -> Iterator[str]:
    for table, order in (("held", "path"), ("rows", "handle, nth")):
        found = f"select problems from {table} where part = ? and problems != '' order by {order}"
        for (told,) in connection.execute(found, (part.name,)):
            yield from json.loads(told)


def _among(connection: sqlite3.Connection, part: Part, handles: Sequence[str]) -> Iterator[str]:
    for some, marks in chunked(handles):
        yield from (
            handle
            for (handle,) in connection.execute(
                f"select distinct handle from rows where part = ? and handle in ({marks})", (part.name, *some)
            )
        )
