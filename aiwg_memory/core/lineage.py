"""Lineage: what rests on what, across all stores, and what becomes of whatever rested on a source that is withdrawn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from aiwg_memory.core.dependencies import unite
from aiwg_memory.core.paths import parted

if TYPE_CHECKING:
    from aiwg_memory.core.operations import Plan, Request
    from aiwg_memory.core.tree import Tree

    Dispose: TypeAlias = Callable[[Tree, Request, Sequence["Decision"]], Plan]

ACTIONS = ("retain", "revoke", "supersede", "origin-unavailable", "delete")
LEGAL: Mapping[str, tuple[str, ...]] = {
    "facts": ACTIONS,
    "wiki": ACTIONS,
    "outputs": ACTIONS,
    "canonical": ("retain", "revoke", "origin-unavailable"),
    "candidates": ("retain", "revoke", "origin-unavailable", "delete"),
    "raw": ("revoke", "origin-unavailable", "delete"),
}
"""What may become of something, by the layer it is in."""
MAX_RETAINED = 64


class Thing(NamedTuple):
    """Something stored that others may rest on, or that rests on others.

    ``names`` is everything it may be cited by (handle, digests, locators, paths); ``grounds`` what it cites, with
    ``ref`` and ``digest``; ``live``: it still counts, so withdrawing what it rests on has to decide about it.
    ``expected`` is the version a decision about it names; ``classification`` who may read what it says.
    """

    handle: str
    layer: str
    status: str
    live: bool
    text: str
    names: tuple[str, ...] = ()
    grounds: tuple[Mapping[str, Any], ...] = ()
    expected: Any = None
    dependencies: Mapping[str, Any] = MappingProxyType({})
    classification: str = "internal"

    @property
    def digest(self) -> str:
        """Of its bytes, "" where they are gone and nothing says what they were."""
        return next((name for name in self.names if name.startswith("sha256:")), "")


class Decision(NamedTuple):
    """What one store is told to do with one of its things. ``envelope`` is the dependency envelope it leaves."""

    thing: Thing
    action: str
    replacement: str = ""
    envelope: Mapping[str, Any] = MappingProxyType({})


class Reached(NamedTuple):
    """A thing that rests on a source, over ``depth`` steps, the last of which leads to ``via``."""

    thing: Thing
    depth: int
    via: str


class Part(NamedTuple):
    """What a plan that spans stores may ask of one addon."""

    things: Callable[[Tree], Iterable[Thing]]
    dispose: Dispose


class Graph:
    """Who cites whom. Cycles are no harm: nothing is visited twice."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self.things: dict[str, Thing] = {thing.handle: thing for thing in things}
        self._named: dict[str, dict[str, None]] = {}
        for thing in self.things.values():
            for name in (thing.handle, *thing.names):
                self._named.setdefault(name, {})[thing.handle] = None
        self._citing: dict[str, dict[str, None]] = {}
        for thing in self.things.values():
            for ground in thing.grounds:
                for name in self.cited(ground):
                    if name != thing.handle:
                        self._citing.setdefault(name, {})[thing.handle] = None

    def cited(self, ground: Mapping[str, Any]) -> list[str]:
        """The handles that a citation means: of several things of one name those with the digest it states. What
        nothing here is called stays as it is written, without lines."""
        stated = ground.get("ref")
        ref = stated if isinstance(stated, str) else ""
        digest = ground.get("digest")
        exact = self._named.get(digest, {}) if isinstance(digest, str) else {}
        named = self._named.get(ref) or self._named.get(plain(ref), {})
        both = [handle for handle in named if handle in exact]
        return both or list(named or exact) or [plain(ref)]

    def roots(self, source: str) -> list[str]:
        """What a person may mean by ``source``: a handle or the beginning of one, a digest, a locator, a path."""
        named = self._named.get(source) or self._named.get(plain(source))
        if named:
            return list(named)
        if len(source) >= 7:
            begun = {one for name, several in self._named.items() if name.startswith(source) for one in several}
            citing = [name for name in self._citing if name.startswith(source)]
            if len(begun) == 1 or (not begun and len(citing) == 1):
                return sorted(begun) or citing
        return [plain(source)] if plain(source) in self._citing else []

    def affected(self, roots: Iterable[str]) -> list[Reached]:
        """Whatever rests on ``roots``, however far: nearest first, then by handle. The roots are not among them."""
        seen = set(roots)
        found: list[Reached] = []
        waiting = deque((root, 0) for root in sorted(seen))
        while waiting:
            name, depth = waiting.popleft()
            for handle in sorted(self._citing.get(name, ())):
                if handle not in seen:
                    seen.add(handle)
                    found.append(Reached(self.things[handle], depth + 1, name))
                    waiting.append((handle, depth + 1))
        return found

    def rests_on(self, handle: str) -> list[tuple[Mapping[str, Any], list[str]]]:
        """Each citation of a thing and the handles it means; a leaf that something nearer rests on comes last."""
        thing = self.things.get(handle)
        return [(ground, self.cited(ground)) for ground in thing.grounds] if thing else []

    def resting(self, name: str) -> list[str]:
        """The handles that cite ``name`` directly."""
        return sorted(self._citing.get(name, ()))


def plain(ref: str) -> str:
    """A reference without the lines, the passage and the digest behind it."""
    head, _, tail = ref.rpartition("@")
    if head and len(tail) == 8 and all(one in "0123456789abcdef" for one in tail):
        ref = head
    return parted(ref)[0]


def grounds_of(value: Mapping[str, Any], *lists: str) -> tuple[Mapping[str, Any], ...]:
    """What a record cites: the entries of ``lists`` in order (objects with ``ref``, or plain handles), then the leaves
    of its envelope. What has no legal form is left out; each citation stands once."""
    envelope = value.get("dependencies")
    leaves = envelope.get("leaves") if isinstance(envelope, Mapping) else None
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for several in (*(value.get(name) for name in lists), leaves):
        for one in several if isinstance(several, list | tuple) else ():
            stated = {"ref": one} if isinstance(one, str) else one
            if isinstance(stated, Mapping) and isinstance(stated.get("ref"), str):
                found.setdefault((stated["ref"], str(stated.get("digest") or "")), stated)
    return tuple(found.values())


def leaf(thing: Thing) -> dict[str, Any]:
    digest = next((name for name in thing.names if name.startswith("sha256:")), None)
    return {"kind": thing.layer, "ref": thing.handle, "digest": digest, "scope": "global"}


def withdrawn(thing: Thing, leaves: Sequence[Mapping[str, Any]], retained: Mapping[str, Any] | None) -> dict[str, Any]:
    """The envelope of something that is kept although what it rests on was withdrawn: revoked, with who kept it and
    why; or unknown, where the origin is merely out of reach (``retained`` None)."""
    before = dict(thing.dependencies) or {"state": "known"}
    earlier = before.get("retained")
    revision = before.get("revision")
    state, reason = ("revoked", "") if retained is not None else ("unknown", "a source is not available any more")
    added: dict[str, Any] = {"state": state, "leaves": list(leaves), "reason": reason}
    added["revision"] = 1 + (revision if isinstance(revision, int) else 0)
    united = unite([before, added])
    if retained is None:
        return united
    kept = earlier.get("sources") if isinstance(earlier, Mapping) else ()
    sources = sorted({*map(str, kept if isinstance(kept, list) else ()), *retained["sources"]})[:MAX_RETAINED]
    return {**united, "retained": {**retained, "sources": sources}}


def covers(retained: Any, refs: Iterable[str]) -> bool:
    """Whether a person kept something although these sources were withdrawn: all of them are named."""
    if not isinstance(retained, Mapping) or not retained.get("by") or not retained.get("at"):
        return False
    named = retained.get("sources")
    return isinstance(named, list) and all(ref in named or plain(ref) in named for ref in refs)


def lines(graph: Graph, handle: str, *, up: bool) -> Iterator[tuple[int, str, bool]]:
    """``(depth, name, seen before)``: what a thing rests on, back to what rests on nothing here, or what rests on it.

    A citation that something printed nearer already leads to is not repeated at the top.
    """
    seen = {handle}

    def below(name: str) -> list[str]:
        if not up:
            return graph.resting(name)
        return list(dict.fromkeys(one for _, several in graph.rests_on(name) for one in several))

    stack = [(1, name) for name in reversed(_direct(below(handle), below))]
    while stack:
        depth, name = stack.pop()
        again = name in seen
        yield depth, name, again
        if not again:
            seen.add(name)
            stack += [(depth + 1, one) for one in reversed(_direct(below(name), below))]


def _direct(names: Sequence[str], below: Callable[[str], Sequence[str]]) -> list[str]:
    """Those of ``names`` that no other of them leads to; all where they lead to each other in a cycle."""
    reached = {far for name in names for far in below(name) if far != name}
    return [name for name in names if name not in reached] or list(names)
