"""Pins as they are stored: one write-once manifest a revision, and the texts of all pins by their digest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from aiwg_memory.addons.instructions.manifests import PINS, Pin, folder_of, read_pin
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.snapshot import Source
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, Damaged, NotFound

OBJECTS = RepoPath(".aiwg/pins/objects")
MAX_TEXT = 256 * 1024
_NAME = re.compile(r"([0-9]{4})-([0-9a-f]{12})\.json\Z")


class History(NamedTuple):
    """All revisions of one target, oldest first; of a revision that was confirmed twice differently, both."""

    target: str
    pins: tuple[Pin, ...]

    @property
    def last(self) -> int:
        return self.pins[-1].revision if self.pins else 0

    @property
    def heads(self) -> tuple[Pin, ...]:
        """The last revision, and each of a revision confirmed twice that no later one came after: more is a fork.

        Of two branches one may have gone on: its later revision does not speak for what the other confirmed.
        """
        if len(self.pins) == 1:
            return self.pins
        followed = {each for pin in self.pins for each in pin.value["previous"]}
        twice = {one.revision for one, other in pairwise(self.pins) if one.revision == other.revision}
        return tuple(
            pin
            for pin in self.pins
            if pin.revision == self.last or (pin.revision in twice and pin.digest not in followed)
        )

    @property
    def current(self) -> Pin | None:
        """What is delivered: the only head, or the last revision before the heads that was confirmed once only.

        Nothing where that withdrew the pin.
        """
        heads = self.heads
        if len(heads) == 1:
            return None if heads[0].withdrawn else heads[0]
        before = min((pin.revision for pin in heads), default=0)
        once = Counter(pin.revision for pin in self.pins)
        found = [pin for pin in self.pins if pin.revision < before and once[pin.revision] == 1]
        return None if not found or found[-1].withdrawn else found[-1]


def read_history(tree: Tree, target: str, *, last: bool = False) -> History:
    """Every revision of ``target``, or with ``last`` the highest alone, where each was confirmed once.

    Raises Damaged for a manifest that cannot be read as one, and for revisions of which one is gone; with all of them
    also for one that does not follow from those before it. UnsafePath for a link or special file.
    """
    return History(target, tuple(_read(tree, folder_of(target), target, last)))


def _read(tree: Tree, folder: RepoPath, target: str, last: bool) -> Sequence[Pin]:
    pins = _pins(tree, folder, [entry.name for entry in tree.list(folder)], last)
    other = next((pin for pin in pins if target and pin.target != target), None)
    if other is not None:
        message = f"{other.path} is a pin of {other.target}, not of {target}"
        raise Damaged(message, hint="take the folder back from git")
    return pins


def _pins(tree: Tree, folder: RepoPath, names: Sequence[str], last: bool) -> Sequence[Pin]:
    """Of the sorted names of one folder. Raises Damaged as well for revisions that do not follow one from the other."""
    names = [name for name in names if _NAME.match(name)]
    chosen = last_of(names) if last else names
    revisions = sorted({int(name[:4]) for name in names})
    if revisions[:1] == [0]:
        raise Damaged(f"{folder}: there is no revision 0, and a file is named so", hint=_UNCHAINED)
    if revisions and len(revisions) != revisions[-1]:
        gone = next(number for number, there in enumerate(revisions, 1) if number != there)
        raise Damaged(f"{folder}: revision {gone} is gone, and revision {revisions[-1]} is there", hint=_UNCHAINED)
    pins = [read_pin(tree, join(folder, name)) for name in chosen]
    known = {pin.digest: pin.revision for pin in pins}
    for pin in pins if len(chosen) == len(names) else ():
        followed = [known.get(each, 0) for each in pin.value["previous"]]
        if followed and (0 in followed or max(followed) != pin.revision - 1):
            raise Damaged(f"{pin.path} follows a revision that is not there, or not any more", hint=_UNCHAINED)
    return pins


_UNCHAINED = "pins are never edited: take the folder back from git, or a revision out that nobody confirmed"


def last_of(names: Sequence[str]) -> Sequence[str]:
    """Of the sorted names of one folder the last; all where a revision has two, which may be a fork. Others go."""
    names = [name for name in names if _NAME.match(name)]
    return names[-1:] if len({name[:4] for name in names}) == len(names) else names


def sources_of(tree: Tree, pin: Pin) -> tuple[Source, ...]:
    """The pinned texts. Raises Damaged when one is gone or not what its name says."""
    return tuple(each._replace(content=text_of(tree, each.content_sha256)) for each in pin.sources)


def text_of(tree: Tree, content_sha256: str) -> str:
    path = join(OBJECTS, content_sha256)
    try:
        data = tree.read(path, limit=MAX_TEXT)
    except NotFound as error:
        raise Damaged(f"{path} is gone: a pinned text", hint="take it back from git") from error
    if short(digest(data), 64) != content_sha256:
        raise Damaged(f"{path} is not the text its name says", hint="take it back from git")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Damaged(f"{path} is not UTF-8: no text that was ever pinned", hint="take it back from git") from error


def read_all(tree: Tree, problems: list[Finding], *, last: bool = False) -> Iterable[History]:
    """The history of every pinned target, by folder; what cannot be read goes to ``problems``."""
    found: list[History] = []
    for entry in tree.list(PINS):
        path = join(PINS, entry.name) if entry.kind != "illegal" else PINS
        if path == OBJECTS:
            continue
        if entry.kind != "dir":
            problems.append(Finding(path, 0, "unknown-file", "is no pin", "warning", "move it away"))
            continue
        found += _history(path, partial(_read, tree, path, "", last), problems)
    return found


def read_these(
    tree: Tree, manifests: Mapping[RepoPath, Sequence[str]], whole: Collection[RepoPath], problems: list[Finding]
) -> Sequence[History]:
    """As ``read_all``, of the folders and names given; every revision of the folders in ``whole``, else the last."""
    found: list[History] = []
    for folder, names in sorted(manifests.items()):
        found += _history(folder, partial(_pins, tree, folder, names, folder not in whole), problems)
    return found


def _history(folder: RepoPath, read: Callable[[], Sequence[Pin]], problems: list[Finding]) -> Sequence[History]:
    try:
        pins = tuple(read())
    except AiwgError as error:
        problems.append(Finding(folder, 0, "pin", error.message, hint=error.hint))
        return ()
    return (History(pins[0].target, pins),) if pins else ()
