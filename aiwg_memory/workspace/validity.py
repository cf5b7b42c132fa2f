"""Whether what an item rests on still is what it was, looked at for what is about to be delivered and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons import resolve
from aiwg_memory.core.anchors import GONE, MOVED, lines_of, locate
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.delivery import is_retained
from aiwg_memory.core.lineage import covers, grounds_of, plain
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.errors import AiwgError
from aiwg_memory.workspace.addons import missing, with_missing

if TYPE_CHECKING:
    from aiwg_memory.core.candidates import Standing
    from aiwg_memory.core.items import MemoryItem
    from aiwg_memory.core.tree import Tree
    from aiwg_memory.index.search import Index
    from aiwg_memory.workspace import Workspace

REVOKED, VANISHED, CHANGED, MOVED_LINES = "source-revoked", "source-vanished", "source-changed", "source-moved"
RETAINED = "retained-after-revocation"
_WORST = (REVOKED, VANISHED, CHANGED, MOVED_LINES, "")
_OVER = ("superseded", "merged", "archived", "expired", "origin_unavailable")
_NAMED = re.compile(r"(?:lm|out|cand)_[0-9a-f]{16}\Z|(?:wiki|ctx):")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]+:")
_LOCAL = RepoPath(".aiwg/.local")
_RAW = "raw_"
MAX_STEPS = 64
"""How far down a chain of citations is followed: envelopes name what is further."""


class Validity:
    """Answers from one tree and the index of it. A source is looked at once, however many items cite it.

    ``now`` is the workspace as it is, where ``tree`` is an older one: what was revoked since then counts as revoked,
    and what was retained since then as retained.
    """

    def __init__(self, workspace: Workspace, tree: Tree, index: Index, now: Tree | None = None) -> None:
        self._workspace, self._tree, self._index, self._now = workspace, tree, index, now
        self._known: dict[tuple[str, str, str], str] = {}
        self._open: set[str] = set()
        self._cut = False

    def codes(self, items: Iterable[MemoryItem]) -> dict[str, str]:
        """Handle to code, of those items alone that there is something to say about."""
        told = {}
        for item in items:
            if item.sources or item.dependencies:
                self._cut = False
                told[item.handle] = self._item(item)
        return {handle: code for handle, code in told.items() if code}

    def _item(self, item: MemoryItem) -> str:
        cited = grounds_of({"sources": item.sources, "dependencies": item.dependencies}, "sources")
        found = [(str(ground["ref"]), self._ground(ground)) for ground in cited]
        revoked = [ref for ref, code in found if code == REVOKED]
        if revoked:
            if is_retained(item) and covers(item.dependencies.get("retained"), revoked):
                found = [(ref, code) for ref, code in found if code != REVOKED]
            else:
                return self._since(item, revoked)
        return min((code for _, code in found), key=_WORST.index, default="")

    def _since(self, item: MemoryItem, revoked: list[str]) -> str:
        """Revoked, unless a person has kept it since the tree it comes from."""
        thing = self._later.get(item.handle.partition("#")[0]) if self._now is not None else None
        return RETAINED if thing and covers(thing.dependencies.get("retained"), revoked) else REVOKED

    @cached_property
    def _later(self) -> Mapping[str, Any]:
        from aiwg_memory.workspace.lineage import graph

        assert self._now is not None
        return graph(self._workspace, self._now).things

    def _ground(self, ground: Mapping[str, Any]) -> str:
        wanted = ground.get("digest") if isinstance(ground.get("digest"), str) else ""
        key = (str(ground["ref"]), str(wanted or ""), str(ground.get("span") or ""))
        known = self._known.get(key)
        if known is None:
            known = self._look(key[0], key[1], ground)
            # What was found while a cycle, or a long chain, was cut short says nothing of who is asked about next.
            if known or not self._cut:
                self._known[key] = known
        return known

    def _look(self, ref: str, wanted: str, ground: Mapping[str, Any]) -> str:
        if self._now is not None and self._revoked_now(ref, wanted):
            return REVOKED
        if ref.startswith("lm_") and self._facts:
            return self._fact(ref)
        record = self._index.record(_RAW + short(wanted)) if wanted else None
        if record is not None and record.text("digest") == wanted:
            return _ended(record.status) or self._copy(record.text("file"))
        if not _NAMED.match(ref) and wanted:
            return self._file(ref, wanted, ground)
        return self._stands(ref, wanted)

    def _fact(self, ref: str) -> str:
        record = self._index.record(ref)
        item = self._index.item(ref)
        if item is not None:
            return self._below(item)
        return VANISHED if record is None else _ended(record.status)

    def _below(self, item: MemoryItem) -> str:
        """Revoked where something further down was."""
        if item.lifecycle == "revoked":
            return REVOKED
        if item.handle in self._open or len(self._open) == MAX_STEPS:
            self._cut = True
            return ""
        self._open.add(item.handle)
        code = self._item(item)
        self._open.discard(item.handle)
        return REVOKED if code == REVOKED else ""

    def _copy(self, file: str) -> str:
        path = f".aiwg/wiki/raw/{file}"
        entry = self._tree.stat(RepoPath(path)) if not path_problem(path) else None
        return "" if entry is not None and entry.kind == "file" else VANISHED

    def _stands(self, ref: str, wanted: str) -> str:
        item = self._index.item(ref)
        if item is not None and (not wanted or item.digest == wanted):
            return self._below(item)
        found = _standing(self._looks, ref)
        if found is None:
            return ""
        ended = _ended(found.lifecycle)
        if ended or found.lifecycle in _OVER:
            return ended
        if not found.digests:
            return VANISHED
        return CHANGED if wanted and wanted not in found.digests else ""

    def _file(self, ref: str, wanted: str, ground: Mapping[str, Any]) -> str:
        """A file of the repository, or some lines of it; what was ingested once and is cited by its name too."""
        found = _standing(self._looks, ref)
        if found is not None and (code := _ended(found.lifecycle)):
            return code
        name = plain(ref)
        if _ELSEWHERE.match(name):
            return CHANGED if found is not None and found.digests else ""
        data = content(self._tree, name)
        if lines_of(str(ground.get("span") or "")) is None:
            if data is None:
                return CHANGED if found is not None and found.digests else VANISHED
            return "" if digest(data) == wanted else CHANGED
        state = locate(data, ground).state if data is not None else GONE
        return {MOVED: MOVED_LINES, GONE: CHANGED if data is not None else VANISHED}.get(state, "")

    @cached_property
    def _facts(self) -> bool:
        return all(name != "line-memory" for name in missing(self._workspace.addons))

    @cached_property
    def _looks(self) -> list[Callable[[str], Standing | None]]:
        return _looks(self._workspace, self._tree)

    @cached_property
    def _looks_now(self) -> list[Callable[[str], Standing | None]]:
        assert self._now is not None
        return _looks(self._workspace, self._now)

    def _revoked_now(self, ref: str, wanted: str) -> bool:
        named = (_standing(self._looks_now, one) for one in (wanted, ref) if one)
        found = next((one for one in named if one is not None), None)
        return found is not None and found.lifecycle == "revoked"


def _looks(workspace: Workspace, tree: Tree) -> list[Callable[[str], Standing | None]]:
    """An addon that is not enabled is asked too: what was revoked stays so when its store is switched off."""
    return [resolve(addon.standing)(tree) for addon in with_missing(workspace.addons) if addon.standing]


def _standing(looks: list[Callable[[str], Standing | None]], ref: str) -> Standing | None:
    return next((found for look in looks if (found := look(ref)) is not None), None)


def _ended(status: str) -> str:
    if status == "revoked":
        return REVOKED
    return VANISHED if status in ("removed", "forgotten") else ""


def content(tree: Tree, name: str) -> bytes | None:
    """The bytes of a regular file of the project that may be looked into, at most 16 MiB; else None."""
    from aiwg_memory.core.screening.sources import protected_source

    if path_problem(name) or protected_source(name) or RepoPath(name).under(_LOCAL):
        return None
    try:
        entry = tree.stat(RepoPath(name))
        if entry is None or entry.kind != "file" or entry.size > MAX_FILE:
            return None
        return tree.read(RepoPath(name), limit=MAX_FILE)
    except AiwgError:
        return None
