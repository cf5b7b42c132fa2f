"""Catalogues: a line for each thing in a store, so that counting and paging need not read what every thing says.

A ``Part`` says as data how the files of a store become rows. What answers from files alone is here, and is the meaning
of a catalogue; a tree that keeps rows beside the files answers the same, and reads only what changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Entry, Tree, walk

if TYPE_CHECKING:
    from aiwg_memory.core.items import Fragment, Unit
    from aiwg_memory.core.records import Version

LARGEST = 16 * 1024 * 1024


class Place(NamedTuple):
    """One level of files ending in ``suffix``, or, ``deep``, all levels; without a suffix the one file ``folder``.

    What else lies there is a finding of the rule ``stray``; where that is empty, nobody's business. ``takes`` leaves
    out more. A file of more than ``largest`` bytes is a finding and not read; without that reading it raises TooLarge.
    """

    folder: RepoPath
    suffix: str = ""
    stray: str = ""
    deep: bool = False
    takes: Callable[[str], bool] = lambda path: True
    largest: int = 0


class Part(NamedTuple):
    """How the files of some places become rows.

    ``parse`` is pure and for one file alone; ``rows`` takes a handle and everything that all files hold of it.
    ``version`` goes up when either gives something else for the same bytes. Where nothing changed neither is called, so
    both import what they need inside.
    """

    name: str
    version: int
    places: tuple[Place, ...]
    parse: Callable[[RepoPath, bytes], Fragment]
    rows: Callable[[str, Sequence[Unit], Sequence[Version]], Iterable[Row]]


class Row(NamedTuple):
    """``label`` is what it is counted as, in the store's own words. ``due`` is the day (or time) from which the label
    may be another; ``problems`` are what is wrong with the thing, for status; ``value`` is JSON."""

    handle: str
    label: str
    at: str = ""
    value: Mapping[str, Any] = MappingProxyType({})
    due: str = ""
    problems: tuple[str, ...] = ()


class Query(NamedTuple):
    """``limit`` rows of the labels that ``wanted`` takes, by time and handle, or the other way round.

    Rows due by ``today`` are taken under the label that ``judged`` gives them. ``among`` are handles of which is asked
    whether they are there.
    """

    wanted: Callable[[str], bool] = lambda label: False
    limit: int = 0
    newest: bool = False
    today: str = ""
    judged: Callable[[Row], str] = lambda row: row.label
    among: Sequence[str] = ()


class Answer(NamedTuple):
    """``tally`` counts all rows by their stored label; ``total`` those that were wanted. ``problems`` are the errors of
    the files, by path and line, then those of the rows."""

    tally: Mapping[str, int]
    problems: tuple[str, ...]
    rows: tuple[Row, ...]
    total: int
    known: frozenset[str]


def ask(tree: Tree, part: Part, query: Query) -> Answer:
    """From what the tree keeps, else from its files. Raises UnsafePath, TooLarge as the tree does."""
    kept = getattr(tree, "catalogue", None)
    answer: Answer = kept(part, query) if kept is not None else read_answer(tree, part, query)
    return answer


def read_answer(tree: Tree, part: Part, query: Query) -> Answer:
    """From the files alone."""
    units: dict[str, list[Unit]] = {}
    versions: dict[str, list[Version]] = {}
    problems: dict[str, list[str]] = {}
    for path, found in listed(tree, part):
        if isinstance(found, Finding):
            problems[path] = errors((found,))
            continue
        fragment = part.parse(RepoPath(path), tree.read(RepoPath(path), limit=LARGEST))
        problems[path] = errors(fragment.findings)
        for unit in fragment.units:
            units.setdefault(unit.handle, []).append(unit)
        for version in fragment.versions:
            versions.setdefault(version.handle, []).append(version)
    rows = [
        row
        for handle in sorted({*units, *versions})
        for row in part.rows(handle, units.get(handle, ()), versions.get(handle, ()))
    ]
    return _answer(rows, [told for path in sorted(problems) for told in problems[path]], query)


def _answer(rows: Sequence[Row], problems: Sequence[str], query: Query) -> Answer:
    told = [row for row in rows if query.wanted(query.judged(row) if is_due(row, query.today) else row.label)]
    order = sorted(range(len(told)), key=lambda at: (told[at].at, told[at].handle, at), reverse=query.newest)
    handles = {row.handle for row in rows}
    return Answer(
        dict(Counter(row.label for row in rows)),
        (*problems, *(problem for row in rows for problem in row.problems)),
        tuple(told[at] for at in order[: query.limit]),
        len(told),
        frozenset(handle for handle in query.among if handle in handles),
    )


def is_due(row: Row, today: str) -> bool:
    return bool(row.due) and row.due <= today


def listed(tree: Tree, part: Part) -> Iterator[tuple[str, Entry | Finding]]:
    """Every file of the part with its path, place by place; a finding for what does not belong where it lies."""
    for place in part.places:
        for parent, entry in _below(tree, place):
            path = f"{parent}/{entry.name}" if parent else entry.name
            if entry.kind == "file" and path.endswith(place.suffix):
                if not place.takes(path):
                    continue
                if 0 < place.largest < entry.size:
                    yield path, Finding(path, 0, "too-large", f"has {entry.size} bytes; at most {place.largest}")
                else:
                    yield path, entry
            elif place.stray:
                what = f"only files ending in {place.suffix} belong" if place.suffix else "a file belongs"
                message = f"a {entry.kind} named {entry.name} lies where {what}"
                yield path, Finding(parent or place.folder, 0, place.stray, message, hint="move it away")


def _below(tree: Tree, place: Place) -> Iterable[tuple[RepoPath | None, Entry]]:
    if place.deep:
        return walk(tree, place.folder)
    if place.suffix:
        return ((place.folder, entry) for entry in tree.list(place.folder))
    entry = tree.stat(place.folder)
    return () if entry is None else ((place.folder.parent, entry),)


def errors(findings: Iterable[Finding]) -> list[str]:
    return [f"{one.path}:{one.line}: {one.message}" for one in findings if one.severity == "error"]
