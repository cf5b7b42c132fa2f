"""What an agent would load for a target, by its row of the table: files, totals, what it cuts and never sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from aiwg_memory.core.instructions.agents import EVERY_FOLDER, EVERY_NAME, Agent, Files, Rules
from aiwg_memory.core.instructions.content import blank, references
from aiwg_memory.core.instructions.matching import front_matter, matches
from aiwg_memory.core.instructions.settled import inside, link_target
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.tree import Entry, Tree
from aiwg_memory.errors import AiwgError

MAX_READ = 4 * 1024 * 1024
MAX_IMPORTS = 64
MAX_NAMES = 1024
_BELOW = {"never": "lies below the directory it was started in", "when touched": "when something there is touched"}


class Row(NamedTuple):
    """One file in the order of loading. ``size`` is on disk, ``seen`` what is loaded of it, ``total`` so far; bytes.

    ``state``: loaded, cut, dropped, skipped, or later (loaded when something is touched).
    """

    path: str
    size: int
    seen: int
    total: int
    state: str
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.path, "size": self.size, "seen": self.seen, "total": self.total, "state": self.state,
            "note": self.note,
        }  # fmt: skip


class View(NamedTuple):
    """What one agent sees for one target. ``unseen`` are files on the way that it does not load, and why."""

    agent: str
    title: str
    limit: int | None
    rows: tuple[Row, ...]
    unseen: tuple[tuple[str, str], ...]

    @property
    def total(self) -> int:
        return self.rows[-1].total if self.rows else 0

    @property
    def lost(self) -> int:
        """Bytes of its own files that it does not see, for want of room."""
        return sum(row.size - row.seen for row in self.rows if row.state in ("cut", "dropped"))

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "title": self.title,
            "limit": self.limit,
            "total": self.total,
            "lost": self.lost,
            "files": [row.to_json() for row in self.rows],
            "unseen": [{"path": path, "why": why} for path, why in self.unseen],
        }


class Shelf:
    """The instruction files of a tree, looked up and read once for all targets and agents."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._levels: dict[RepoPath | None, dict[RepoPath, Entry]] = {}
        self._data: dict[RepoPath, bytes | None] = {}

    def names(self, level: RepoPath | None) -> dict[RepoPath, Entry]:
        """What lies at one level, by path, in the order it was looked for."""
        if level not in self._levels:
            self._levels[level] = dict(self._names(level))
        return self._levels[level]

    def _names(self, level: RepoPath | None) -> Iterator[tuple[RepoPath, Entry]]:
        for name in EVERY_NAME:
            entry = self.look(join(level, name))
            if entry is not None and entry.kind in ("file", "link"):
                yield join(level, name), entry
        for rules in EVERY_FOLDER:
            if level is None or not rules.root:
                yield from self._below(join(level, rules.folder), rules.suffix)

    def _below(self, folder: RepoPath, suffix: str) -> Iterator[tuple[RepoPath, Entry]]:
        waiting, looked = [folder], 0
        while waiting and looked < MAX_NAMES:
            here = waiting.pop()
            for entry in self.list(here):
                looked += 1
                if entry.kind == "dir" and len(here.parts) < 48:
                    waiting.append(join(here, entry.name))
                elif entry.kind in ("file", "link") and entry.name.endswith(suffix):
                    yield join(here, entry.name), entry

    def list(self, folder: RepoPath) -> list[Entry]:
        entry = self.look(folder)
        try:
            return list(self.tree.list(folder)) if entry is not None and entry.kind == "dir" else []
        except AiwgError:
            return []

    def look(self, path: RepoPath) -> Entry | None:
        """None as well for what stands behind a link: what is refused here is said by ``show``."""
        try:
            return self.tree.stat(path)
        except AiwgError:
            return None

    def data(self, path: RepoPath) -> bytes | None:
        """None when it cannot be read, or has more than 4 MiB."""
        if path not in self._data:
            try:
                self._data[path] = self.tree.read(path, limit=MAX_READ)
            except AiwgError:
                self._data[path] = None
        return self._data[path]

    def text(self, path: RepoPath) -> str:
        return (self.data(path) or b"").decode("utf-8", "replace")


class Chain:
    """The instruction files on the way to one target."""

    def __init__(self, shelf: Shelf, levels: Sequence[RepoPath | None], target: str) -> None:
        self.shelf, self.levels, self.target = shelf, levels, target
        self.is_folder = target == "." or bool(levels[-1] == target)
        self.present: dict[RepoPath, Entry] = {}
        for level in levels:
            self.present |= shelf.names(level)

    def real(self, path: RepoPath, follow: bool) -> tuple[RepoPath | None, Entry | None, str]:
        """The regular file behind a name, one link away at most and inside the workspace; else why not."""
        entry = self.present.get(path) or self.shelf.look(path)
        if entry is None or entry.kind == "file":
            return (path if entry else None), entry, ""
        if entry.kind != "link" or not follow:
            return None, None, "a link" if entry.kind == "link" else "no regular file"
        target = link_target(self.shelf.tree, path)
        where = inside(path, target) if target is not None else None
        if where is None:
            return None, None, "a link out of the workspace; not looked at"
        behind = self.shelf.look(where)
        if behind is None or behind.kind != "file":
            return None, None, f"a link to {where}, which is no regular file"
        return where, behind, f"a link to {where}"


def view(chain: Chain, agent: Agent, started: int | None = None) -> View:
    """``started`` is how deep in the chain the agent was started; None: in the target's own directory."""
    deepest = len(chain.levels) - 1 if started is None else min(started, len(chain.levels) - 1)
    loading = _Loading(chain, agent, deepest)
    loading.run()
    seen = {row.path for row in loading.rows if row.state != "skipped"}
    unseen = [
        (str(path), loading.why.get(path, "not one of its names")) for path in sorted(chain.present) if path not in seen
    ]
    return View(agent.name, agent.title, agent.total, tuple(loading.rows), tuple(unseen))


class _Loading:
    def __init__(self, chain: Chain, agent: Agent, deepest: int) -> None:
        self.chain, self.agent, self.deepest = chain, agent, deepest
        self.rows: list[Row] = []
        self.why: dict[RepoPath, str] = {}
        self.total = 0
        self.imports = 0

    def run(self) -> None:
        nearest = {files: self._nearest(files) for files in self.agent.files if files.pick == "nearest"}
        for depth, level in enumerate(self.chain.levels):
            for files in self.agent.files:
                if not (files.root and level is not None):
                    self._files(files, level, depth, nearest.get(files))
            for rules in self.agent.rules:
                if not (rules.root and level is not None):
                    self._rules(rules, level, depth)

    def _nearest(self, files: Files) -> int:
        found = [
            depth
            for depth, level in enumerate(self.chain.levels)
            if any(join(level, name) in self.chain.present for name in files.names)
        ]
        return found[-1] if found else -1

    def _files(self, files: Files, level: RepoPath | None, depth: int, nearest: int | None) -> None:
        there = [path for name in files.names if (path := join(level, name)) in self.chain.present]
        hidden = next((str(path) for path in self._above(files.unless)), "")
        if there and hidden:
            self.why |= dict.fromkeys(there, f"not read beside {hidden}")
            return
        if nearest is not None and depth != nearest:
            self.why |= dict.fromkeys(there, "a nearer one takes its place")
            return
        if files.pick == "first":
            self.why |= dict.fromkeys(there[1:], f"hidden by {there[0]}" if there else "")
            there = there[:1]
        for path in there:
            self._load(path, depth)

    def _above(self, names: Sequence[str]) -> Iterator[RepoPath]:
        for level in self.chain.levels[: self.deepest + 1]:
            for name in names:
                if join(level, name) in self.chain.present:
                    yield join(level, name)

    def _rules(self, rules: Rules, level: RepoPath | None, depth: int) -> None:
        folder = join(level, rules.folder)
        for path in sorted(self.chain.present):
            if not (path.under(folder) and path != folder and path.endswith(rules.suffix)):
                continue
            real = self.chain.real(path, self.agent.links is not False)[0]
            front = front_matter(self.chain.shelf.text(real)) if real else None
            patterns = front.keys.get(rules.key, (0, ()))[1] if front and not front.problem else ()
            if front and rules.always and front.keys.get(rules.always, (0, ()))[1] == ("true",):
                self._load(path, depth)
            elif not patterns and not (rules.unkeyed or (front and front.problem)):
                self.why[path] = f"has no {rules.key}"
            elif not patterns:
                self._load(path, depth)
            elif self.chain.is_folder:
                self._later(path, f"when a file that {rules.key} names is touched")
            elif any(matches(each, self._relative(level)) for each in patterns):
                self._load(path, depth)
            else:
                self.why[path] = f"its {rules.key} does not name this target"

    def _relative(self, level: RepoPath | None) -> str:
        return self.chain.target.removeprefix(f"{level}/") if level else self.chain.target

    def _later(self, path: RepoPath, note: str) -> None:
        entry = self.chain.real(path, True)[1]
        self.rows.append(Row(path, entry.size if entry else 0, 0, self.total, "later", note))

    def _load(self, path: RepoPath, depth: int) -> None:
        if depth > self.deepest:
            if self.agent.below == "never":
                self.why[path] = _BELOW["never"]
                return
            if self.agent.below == "when touched":
                self._later(path, _BELOW["when touched"])
                return
        real, entry, note = self.chain.real(path, self.agent.links is not False)
        if real is None or entry is None:
            self.why[path] = note or "not there"
            return
        if note and self.agent.links is None:
            note += "; whether it is followed is not stated"
        self._take(path, real, entry, note)
        if self.agent.hops:
            self._import(real, self.agent.hops, {real})

    def _take(self, path: RepoPath, real: RepoPath, entry: Entry, note: str) -> None:
        data = self.chain.shelf.data(real)
        if self.agent.each is not None and entry.size > self.agent.each:
            self.rows.append(Row(path, entry.size, 0, self.total, "skipped", f"has over {self.agent.each} bytes"))
            return
        if self.agent.skips_blank and data is not None and blank(data.decode("utf-8", "replace")):
            self.rows.append(Row(path, entry.size, 0, self.total, "skipped", "blank"))
            self.why[path] = "blank"
            return
        room = entry.size if self.agent.total is None else max(0, self.agent.total - self.total)
        seen = min(entry.size, room)
        self.total += seen
        state = "loaded" if seen == entry.size else "cut" if seen else "dropped"
        if state == "cut":
            note = "; ".join(filter(None, (note, _cut(data, seen, entry.size))))
        elif state == "dropped":
            note = "; ".join(filter(None, (note, "no room is left: nothing of it is seen")))
        self.rows.append(Row(path, entry.size, seen, self.total, state, note))

    def _import(self, source: RepoPath, hops: int, before: set[RepoPath]) -> None:
        for number, name in references(self.chain.shelf.text(source)):
            self.imports += 1
            if self.imports > MAX_IMPORTS:
                if self.imports == MAX_IMPORTS + 1:
                    note = f"in line {number} of {source}: more than {MAX_IMPORTS} imports are not looked at"
                    self.rows.append(Row(f"@{name}", 0, 0, self.total, "skipped", note))
                return
            at = f"imported in line {number} of {source}"
            path = None if name.startswith(("~", "/")) else inside(source, name)
            if path is None:
                self.rows.append(Row(f"@{name}", 0, 0, self.total, "skipped", f"{at}: outside; not looked at"))
                continue
            real, entry, note = self.chain.real(path, True)
            if real is None or entry is None or real in before:
                why = "a loop" if real in before else note or "not there"
                self.rows.append(Row(f"@{name}", 0, 0, self.total, "skipped", f"{at}: {why}"))
                continue
            self._take(path, real, entry, at)
            if hops > 1:
                self._import(real, hops - 1, before | {real})


def _cut(data: bytes | None, at: int, size: int) -> str:
    if data is None:
        return f"cut after byte {at}: {size - at} bytes are never seen"
    line = data[:at].count(b"\n") + 1
    middle = ", inside a character" if data[at] & 0xC0 == 0x80 else ""
    return f"cut after byte {at}, in line {line}{middle}: {size - at} bytes are never seen"
