"""What a change does to what agents are told: instruction files, and the pins that were moved."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.addons.instructions.manifests import PINS, Pin, read_pin
from aiwg_memory.addons.instructions.store import OBJECTS
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.changes.entry import Described, Entry
from aiwg_memory.core.changes.sides import Sides
from aiwg_memory.core.changes.steps import listed
from aiwg_memory.core.config import Config
from aiwg_memory.core.counting import counted
from aiwg_memory.core.instructions.agents import level_of
from aiwg_memory.core.instructions.content import prepare
from aiwg_memory.core.instructions.names import IGNORE_FILE
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

_SHOWN = 2


def describe(sides: Sides, config: Config) -> Described:
    """Instruction files are read by everyone who has the repository, so their text is told whoever may see it."""
    del config
    entries: list[Entry] = []
    for path in sides.change.paths:
        if path.under(PINS):
            if not path.under(OBJECTS) and path.endswith(".json"):
                entries += _pin(sides, path)
        elif path == IGNORE_FILE or level_of(path) is not None:
            entries += _file(sides, path)
    return Described(tuple(entries))


def _file(sides: Sides, path: RepoPath) -> Iterator[Entry]:
    was, now = (sides.data(path, was=side) for side in (True, False))
    if was == now:
        return
    said = [_prepared(path, data) for data in (was, now)]
    entry = Entry(
        "instructions",
        "added" if was is None else "removed" if now is None else "reworded",
        path,
        path,
        digest(now or was or b""),
        "public",
        detail=_sizes(was, now),
        gone=now is None,
    )
    if said[0] == said[1]:
        yield entry._replace(action="changed", detail="only what this tool generates, or white space, differs")
        return
    came, went = _lines(said[1], said[0]), _lines(said[0], said[1])
    counts = listed(entry.detail, f"{counted(len(came), 'line')} added, {len(went)} taken out" if was and now else "")
    yield entry._replace(before=_some(went), after=_some(came), detail=counts)


def _prepared(path: RepoPath, data: bytes | None) -> str:
    return "" if data is None else prepare(path, data.decode("utf-8", "replace"), imports=False).content


def _sizes(was: bytes | None, now: bytes | None) -> str:
    if was is None or now is None:
        return f"{len(now or was or b'')} bytes"
    return f"{len(was)} → {len(now)} bytes"


def _lines(text: str, other: str) -> list[str]:
    """The lines of one text that the other has not, in order."""
    known = set(other.split("\n"))
    return [line.strip() for line in text.split("\n") if line.strip() and line not in known]


def _some(lines: list[str]) -> str:
    left = len(lines) - _SHOWN
    return "\n".join([*lines[:_SHOWN], *([f"… and {left} more lines"] if left > 0 else [])])


def _pin(sides: Sides, path: RepoPath) -> Iterator[Entry]:
    pin = _read(sides.change.head, path)
    was = _read(sides.change.base, path)
    if pin is None:
        if was is not None:
            yield _told(was)._replace(
                action="removed", detail="its manifest is gone; history is never shortened", gone=True
            )
    elif was is None:
        before = _before(sides, pin)
        if pin.withdrawn:
            yield _told(pin)._replace(action="retired", detail="withdrawn: nothing is pinned for this target any more")
        else:
            what = f"revision {before.revision} → {pin.revision}" if before else f"revision {pin.revision}, the first"
            action = "moved" if before else "added"
            yield _told(pin)._replace(action=action, detail=listed(what, _drift(before, pin)))


def _told(pin: Pin) -> Entry:
    reason = str(pin.value.get("reason") or "")
    return Entry("pins", "moved", pin.handle, pin.path, f"sha256:{short(pin.fingerprint, 64)}", "public", reason=reason)


def _read(tree: Tree, path: RepoPath) -> Pin | None:
    try:
        return read_pin(tree, path)
    except AiwgError:
        return None


def _before(sides: Sides, pin: Pin) -> Pin | None:
    """The revision this one names as its predecessor; of several, the last."""
    folder = pin.path.parent
    try:
        names = [RepoPath(f"{folder}/{entry.name}") for entry in sides.change.base.list(folder)]
    except AiwgError:
        names = []
    touched = [path for path in sides.change.paths if path.parent == folder]
    found = [_read(sides.change.head if path in touched else sides.change.base, path) for path in {*names, *touched}]
    earlier = [one for one in found if one is not None and one.digest in pin.value["previous"]]
    return max(earlier, key=lambda one: (one.revision, one.path), default=None)


def _drift(before: Pin | None, pin: Pin) -> str:
    if before is None:
        return f"{len(pin.value['sources'])} files"
    was, now = ({each["path"]: each["content_sha256"] for each in one.value["sources"]} for one in (before, pin))
    changed = sum(was[path] != now[path] for path in was.keys() & now.keys())
    parts = ((len(now.keys() - was.keys()), "added"), (changed, "changed"), (len(was.keys() - now.keys()), "removed"))
    return ", ".join(f"{count} file{'s' if count > 1 else ''} {word}" for count, word in parts if count)
