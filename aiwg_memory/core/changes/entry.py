"""One thing that a change does, what it leaves without evidence, and all of it together."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from aiwg_memory.core.paths import RepoPath

STORES = ("facts", "pages", "canonical", "raw", "candidates", "outputs", "pins", "instructions")
ACTIONS = ("added", "restored", "reworded", "changed", "judged", "decided", "adopted", "moved", "retired", "removed")
"""In the order they are told. ``retired`` ended by a decision; ``removed`` is gone without one."""


class Entry(NamedTuple):
    """``before`` and ``after`` are whole texts; a report shortens them. ``digest`` is that of the text meant.

    ``detail`` is our own words and no text of the store; ``by`` the handle of what took its place; ``sources`` the
    references it rests on. ``gone``: it is there before the change alone; ``path`` is then that of ``by``, if it is
    known. ``alarm``: nobody decided it, or two people did differently.
    """

    store: str
    action: str
    handle: str
    path: str
    digest: str = ""
    classification: str = "internal"
    before: str = ""
    after: str = ""
    title: str = ""
    detail: str = ""
    by: str = ""
    who: str = ""
    reason: str = ""
    sources: tuple[str, ...] = ()
    line: int = 0
    gone: bool = False
    alarm: bool = False


class Described(NamedTuple):
    """What one addon says of a change. Two mappings hold, by handle, the characters that are always delivered.

    ``places``: by handle the file that a thing's text is in, of those that have a record elsewhere.
    """

    entries: tuple[Entry, ...] = ()
    always_before: Mapping[str, int] = MappingProxyType({})
    always_after: Mapping[str, int] = MappingProxyType({})
    places: Mapping[str, str] = MappingProxyType({})


class Move(NamedTuple):
    """A file outside the store that is not what it was. ``what``: removed, renamed (``to`` says where) or changed."""

    path: RepoPath
    what: str
    to: str = ""


class Holder(NamedTuple):
    """Something that rests on what is gone: its handle, and the file to look at."""

    handle: str
    path: str


class Break(NamedTuple):
    """``what``: removed, renamed, changed or retired. ``copy`` is the raw evidence that keeps what was there."""

    ref: str
    what: str
    to: str
    holders: tuple[Holder, ...]
    copy: str = ""


class Load(NamedTuple):
    """What an agent loads by itself for a directory, in bytes, where that moved."""

    target: str
    agent: str
    before: int
    after: int


class Report(NamedTuple):
    """``always`` is characters before, after and the cap; None where it did not move. ``sight``: our sentences about
    what agents load, each with the path it is about. ``base`` and ``head`` say what was compared."""

    base: str
    head: str
    entries: tuple[Entry, ...]
    breaks: tuple[Break, ...] = ()
    always: tuple[int, int, int] | None = None
    sight: tuple[tuple[str, str], ...] = ()
    loads: tuple[Load, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries or self.breaks or self.sight or self.loads)


def ordered(entries: list[Entry]) -> tuple[Entry, ...]:
    return tuple(
        sorted(set(entries), key=lambda one: (STORES.index(one.store), ACTIONS.index(one.action), one.handle, one.path))
    )
