"""Pins as they are stored: one write-once manifest a revision, and the texts of all pins by their digest.

A manifest holds neither time nor reviewer (its receipt does), so that the same confirmation on two branches is one file
with the same bytes, and two different ones are two files of one revision: a fork, which the next revision settles.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import digest, short, slug
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.names import KIND_NAMES, Kind
from aiwg_memory.core.instructions.snapshot import Source, fingerprint
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.records import read_line
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, Damaged, NotFound

PINS = RepoPath(".aiwg/pins")
OBJECTS = RepoPath(".aiwg/pins/objects")
MAX_MANIFEST = 1 << 20
MAX_TEXT = 256 * 1024
CLASSES = ("mandatory", "optional", "excluded")
REASONS = ("superseded", "not_applicable", "withdrawn")
_NAME = re.compile(r"([0-9]{4})-([0-9a-f]{12})\.json\Z")
_SHA = re.compile(r"[0-9a-f]{64}\Z")
_KINDS = {name: kind for kind, name in KIND_NAMES.items()}


class Pin(NamedTuple):
    """One revision. ``digest`` is that of the manifest's bytes, which later revisions name as ``previous``."""

    path: RepoPath
    digest: str
    value: Mapping[str, Any]

    @property
    def target(self) -> str:
        return str(self.value["target"])

    @property
    def revision(self) -> int:
        return int(self.value["revision"])

    @property
    def handle(self) -> str:
        return f"pin:{self.target}:{self.revision}"

    @property
    def fingerprint(self) -> str:
        return str(self.value["fingerprint"])

    @property
    def withdrawn(self) -> bool:
        return bool(self.value["status"] == "withdrawn")

    @property
    def screening(self) -> str:
        return str(self.value["screening"])

    @property
    def delivery(self) -> dict[str, Mapping[str, str]]:
        """By path: the class a reviewer set, also of paths that are no source at the moment."""
        return {each["path"]: each for each in self.value["delivery"]}

    def delivery_class(self, path: str) -> str:
        return self.delivery[path]["class"] if path in self.delivery else "optional"


class History(NamedTuple):
    """All revisions of one target, oldest first; of a revision that was confirmed twice differently, both."""

    target: str
    pins: tuple[Pin, ...]

    @property
    def last(self) -> int:
        return self.pins[-1].revision if self.pins else 0

    @property
    def heads(self) -> tuple[Pin, ...]:
        return tuple(pin for pin in self.pins if pin.revision == self.last)

    @property
    def current(self) -> Pin | None:
        """What is delivered: the last revision that was confirmed once only, unless that withdrew the pin."""
        for revision in range(self.last, 0, -1):
            found = [pin for pin in self.pins if pin.revision == revision]
            if len(found) == 1:
                return None if found[0].withdrawn else found[0]
        return None


def folder_of(target: str) -> RepoPath:
    return join(PINS, slug(target))


def read_history(tree: Tree, target: str, *, last: bool = False) -> History:
    """Every revision of ``target``, or with ``last`` those of the highest number alone, if that is one.

    Raises Damaged for a manifest that cannot be read as one; UnsafePath for a link or special file.
    """
    return History(target, tuple(_read(tree, folder_of(target), target, last)))


def _read(tree: Tree, folder: RepoPath, target: str, last: bool) -> Iterator[Pin]:
    names = [entry.name for entry in tree.list(folder) if _NAME.match(entry.name)]
    if last and names and sum(name[:4] == names[-1][:4] for name in names) == 1:
        names = names[-1:]
    for name in names:
        pin = read_pin(tree, join(folder, name))
        if target and pin.target != target:
            raise Damaged(f"{pin.path} is a pin of {pin.target}, not of {target}", hint="take the folder back from git")
        yield pin


def read_pin(tree: Tree, path: RepoPath) -> Pin:
    """One manifest. Raises Damaged, NotFound, UnsafePath."""
    data = tree.read(path, limit=MAX_MANIFEST)
    value, wrong = read_line(data)
    problem = f"it cannot be read: {wrong}" if wrong else _problem(path, value)
    if problem:
        raise Damaged(f"{path}: {problem}", hint="pins are never edited: take it back from git")
    return Pin(path, digest(data), value)


def _problem(path: RepoPath, value: Any) -> str:
    """The shape is judged by what is read of it, a hundred pins a command; what is wrong with one the schema says."""
    if _sound(value):
        return _inconsistent(path, value)
    from aiwg_memory.core.schema import cheap

    return cheap("pin.v1", value) or "it is no pin"


_TEXTS = ("handle", "target", "status", "fingerprint", "screening", "reason")
_SOURCE_TEXTS = ("path", "kind", "scope", "content_sha256", "plain_sha256", "why_effective")
_SOURCE_NUMBERS = ("ordinal", "depth", "precedence", "size")


def _sound(value: Any) -> bool:
    try:
        return (
            value["schema"] == "aiwg.pin.v1"
            and all(type(value[name]) is str for name in _TEXTS)
            and type(value["revision"]) is int
            and value["status"] in ("pinned", "withdrawn")
            and all(type(each) is str for each in value["previous"])
            and all(type(each) is int for each in value["limits"].values())
            and all(each["class"] in CLASSES and type(each["path"]) is str for each in value["delivery"])
            and all(type(each["reason"]) is type(each["content_sha256"]) is str for each in value["delivery"])
            and all(map(_sound_source, value["sources"]))
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _sound_source(each: Any) -> bool:
    return (
        all(type(each[name]) is str for name in _SOURCE_TEXTS)
        and all(type(each[name]) is int for name in _SOURCE_NUMBERS)
        and type(each["redacted"]) is bool
        and each["kind"] in _KINDS
        and _SHA.match(each["content_sha256"]) is not None
    )


def _inconsistent(path: RepoPath, value: Mapping[str, Any]) -> str:
    if path.name != _name(value["revision"], value["fingerprint"]):
        return "its name is not that of its revision and fingerprint"
    if path.parent != folder_of(value["target"]):
        return f"it does not lie in the folder of {value['target']}"
    if value["status"] == "pinned" and fingerprint_of(value) != value["fingerprint"]:
        return "its sources do not have its fingerprint"
    return ""


def fingerprint_of(value: Mapping[str, Any]) -> str:
    sources = [source_of(each, "").identity() for each in value["sources"]]
    return fingerprint(value["target"], value["limits"], sources)


def source_of(value: Mapping[str, Any], content: str) -> Source:
    return Source(
        ordinal=value["ordinal"],
        path=value["path"],
        kind=Kind(_KINDS[value["kind"]]),
        scope=value["scope"],
        depth=value["depth"],
        precedence=value["precedence"],
        content=content,
        content_sha256=value["content_sha256"],
        size=value["size"],
        why_effective=value["why_effective"],
        redacted=value["redacted"],
        plain_sha256=value["plain_sha256"],
    )


def sources_of(tree: Tree, pin: Pin) -> tuple[Source, ...]:
    """The pinned texts. Raises Damaged when one is gone or not what its name says."""
    return tuple(source_of(each, text_of(tree, each["content_sha256"])) for each in pin.value["sources"])


def text_of(tree: Tree, content_sha256: str) -> str:
    path = join(OBJECTS, content_sha256)
    try:
        data = tree.read(path, limit=MAX_TEXT)
    except NotFound as error:
        raise Damaged(f"{path} is gone: a pinned text", hint="take it back from git") from error
    if short(digest(data), 64) != content_sha256:
        raise Damaged(f"{path} is not the text its name says", hint="take it back from git")
    return data.decode("utf-8")


def write_manifest(value: Mapping[str, Any]) -> tuple[RepoPath, bytes]:
    path = join(folder_of(value["target"]), _name(value["revision"], value["fingerprint"]))
    return path, (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def _name(revision: int, fingerprint: str) -> str:
    return f"{revision:04d}-{fingerprint[:12]}.json"


def read_all(tree: Tree, problems: list[Finding], *, last: bool = False) -> Iterable[History]:
    """The history of every pinned target, by folder; what cannot be read goes to ``problems``."""
    found = []
    for entry in tree.list(PINS):
        path = join(PINS, entry.name) if entry.kind != "illegal" else PINS
        if path == OBJECTS:
            continue
        if entry.kind != "dir":
            problems.append(Finding(path, 0, "unknown-file", "is no pin", "warning", "move it away"))
            continue
        try:
            pins = tuple(_read(tree, path, "", last))
        except AiwgError as error:
            problems.append(Finding(path, 0, "pin", error.message, hint=error.hint))
            continue
        if pins:
            found.append(History(pins[0].target, pins))
    return found
