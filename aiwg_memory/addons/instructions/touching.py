"""What a change of some paths has to answer for: those files, the pins whose chain they lie on, and what they push out.

A touched instruction file concerns the targets below its level and no others, so the rest of the tree is not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from aiwg_memory.addons.instructions.asking import Settings, settings
from aiwg_memory.addons.instructions.checking import (
    BOUNDED,
    IMPORTING,
    chain_to,
    cut,
    delivered,
    drifted,
    imports,
    rewritten,
    silent,
    texts,
    wanted,
)
from aiwg_memory.addons.instructions.manifests import PINS
from aiwg_memory.addons.instructions.store import OBJECTS, last_of, read_these
from aiwg_memory.core.canonical import slug_stem
from aiwg_memory.core.config import PATH
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.focus import called, learn, whole
from aiwg_memory.core.instructions.agents import EVERY_FOLDER, EVERY_NAME, level_of
from aiwg_memory.core.instructions.compare import Shelf
from aiwg_memory.core.instructions.discover import Discovery
from aiwg_memory.core.instructions.names import AGENTS, IGNORE_FILE, OVERRIDE, near_level
from aiwg_memory.core.paths import RepoPath, join, path_problem
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

_MANIFESTS = ".aiwg/pins/**/*.json"
_NAMES = (*EVERY_NAME, *(f"{rules.folder}/**/*{rules.suffix}" for rules in EVERY_FOLDER))
_HIDDEN = re.compile(r"/\.(?:aiwg|claude|cursor|github)(?=/|\Z)", re.IGNORECASE)


def touching(head: Tree, base: Tree | None, changed: Sequence[RepoPath]) -> Iterator[Finding]:
    """Findings of ``head`` that the change answers for; with ``base``, that no confirmed revision was edited or lost.

    Beside those about ``changed``: drift of the pins whose chain holds one of them, what an agent no longer sees of
    other files for want of room, limits of a whole chain, and imports of a file that is gone. A change of the ignore
    file or of the settings for instructions concerns every chain.
    """
    tree = whole(head)
    change = _Change(tree, changed, _all_concerned(tree, base, changed))
    found = list(called(head, (_MANIFESTS, *_NAMES)))
    yield from _pins(change, head, [path for path in found if path.under(PINS)])
    if base is not None:
        yield from rewritten(head, base, [path for path in changed if path.under(PINS)])
    yield from _files(change, [path for path in found if level_of(path) is not None])


def _all_concerned(tree: Tree, base: Tree | None, changed: Sequence[RepoPath]) -> bool:
    if IGNORE_FILE in changed:
        return True
    return PATH in changed and (base is None or _settings(base) != _settings(tree))


def _settings(tree: Tree) -> Settings:
    """The defaults for settings that cannot be read: those the gate reports itself."""
    try:
        return settings(tree)
    except AiwgError:
        return Settings()


class _Change:
    """``levels`` are those of the touched instruction files, "" the root; ``everywhere``: every chain is concerned."""

    def __init__(self, tree: Tree, changed: Sequence[RepoPath], everywhere: bool) -> None:
        self.tree, self.changed, self.everywhere = tree, changed, everywhere
        self.settings = _settings(tree)
        self.found = Discovery(tree, limits=self.settings.limits, exceptions=self.settings.exceptions)
        self.files = [path for path in changed if not path.under(PINS) and path not in (PATH, IGNORE_FILE)]
        self.levels = {_level_of(path) for path in self.files}
        counting = tuple(name for agent in BOUNDED for files in agent.files for name in files.names)
        self.counted = {_level_of(path) for path in self.files if path.name in counting}

    @cached_property
    def about(self) -> frozenset[RepoPath]:
        """The touched files, the folders they lie in, and the file that an override beside it hides or shows."""
        found = {*self.changed, *(join(path.parent, AGENTS) for path in self.files if path.name == OVERRIDE)}
        for path in self.changed:
            above = path.parent
            while above is not None and above not in found:
                found.add(above)
                above = above.parent
        return frozenset(found)

    def concerns(self, target: str, levels: set[str] | None = None) -> bool:
        """Whether ``target`` or a directory above it is the level of a touched file."""
        if self.everywhere:
            return True
        here = "" if target == "." else target
        levels = self.levels if levels is None else levels
        while here and here not in levels:
            here = here.rpartition("/")[0]
        return here in levels


def _level_of(path: RepoPath) -> str:
    """The level of a watched path, one that is nearly right or stands in the place of a directory included."""
    exact = level_of(path)
    exact = near_level(path) if exact is None else exact
    if exact is None:
        hidden = _HIDDEN.search(f"/{path}")
        exact = path[: max(0, hidden.start() - 1)] if hidden else path.rpartition("/")[0]
    return exact


def _pins(change: _Change, head: Tree, manifests: Iterable[RepoPath]) -> Iterator[Finding]:
    """``head`` is asked for manifests and texts by name."""
    touched = {RepoPath("/".join(path.parts[:3])) for path in change.changed if path.under(PINS)} - {OBJECTS}
    digests = {path.name for path in change.changed if path.parent == OBJECTS}
    stems = None if digests or change.everywhere else {slug_stem(level) for level in change.levels}
    folders = dict(_folders(manifests, touched, stems))
    learn(head, (join(at, name) for at in folders for name in (folders[at] if at in touched else last_of(folders[at]))))
    problems: list[Finding] = []
    histories = [
        history
        for history in read_these(head, folders, touched, problems)
        if history.pins[0].path.parent in touched or change.concerns(history.target) or digests & wanted([history])
    ]
    current = [history.current for history in histories]
    pinned = {each.path for pin in current if pin is not None for each in pin.sources}
    learn(change.tree, [RepoPath(path) for path in pinned if path_problem(path) is None])
    yield from problems
    yield from drifted(change.found, histories)
    own = [history for history in histories if history.pins[0].path.parent in touched]
    yield from texts(head, wanted(own) | (digests & wanted(histories)))


def _folders(
    manifests: Iterable[RepoPath], touched: Collection[RepoPath], stems: Collection[str] | None
) -> Iterator[tuple[RepoPath, Sequence[str]]]:
    """The sorted names of manifests by folder, of folders that are touched or whose name begins with a stem.

    A folder is called by its target, so that of a target below a level begins like the level. None: every folder.
    """
    folders: dict[RepoPath, list[str]] = {}
    for path in manifests:
        folder = path.parent
        if folder is not None and folder.parent == PINS:
            folders.setdefault(folder, []).append(path.name)
    for folder, names in folders.items():
        if stems is None or folder in touched or any(folder.name.startswith(stem) for stem in stems):
            yield folder, sorted(names)


def _files(change: _Change, names: Sequence[RepoPath]) -> Iterator[Finding]:
    shelf = Shelf(change.tree)
    there = {level for path in names if (level := level_of(path)) is not None}
    at = sorted({"", *there, *change.levels} if change.everywhere else change.levels)
    learn(change.tree, [path for path in names if any(_above(level_of(path), level) for level in at)])
    for level in at:
        where = RepoPath(level) if level else None
        for each in delivered(change.found, where):
            # A name that no path may have is touched as the folder it lies in.
            where_it_lies = each.path.rpartition("/")[0] if each.rule == "bad-name" else each.path
            if change.everywhere or where_it_lies in change.about or each.path == ".":
                yield each
        for each in silent(chain_to(shelf, where), where):
            if each.path in change.about:
                yield each
    for level in sorted(there | set(at)):
        if change.concerns(level or "."):
            yield from _crowded(change, shelf, RepoPath(level) if level else None)
    yield from _left_behind(change, shelf, names)


def _above(level: str | None, other: str) -> bool:
    return level is not None and (not level or f"{other}/".startswith(f"{level}/"))


def _crowded(change: _Change, shelf: Shelf, level: RepoPath | None) -> Iterator[Finding]:
    """Bounds of a chain below a touched file, which may push out what lies there. Sizes are looked at first."""
    if change.found.crowded(level or "."):
        yield from (each for each in delivered(change.found, level) if each.path == ".")
    chain = chain_to(shelf, level)
    for agent in BOUNDED:
        names = {name for files in agent.files for name in files.names}
        if sum(entry.size for path, entry in chain.present.items() if path.name in names) > (agent.total or 0):
            for each in cut(chain, change.settings.agent_overflow):
                if change.concerns(level_of(each.path) or ".", change.counted):
                    yield each


def _left_behind(change: _Change, shelf: Shelf, names: Sequence[RepoPath]) -> Iterator[Finding]:
    """Imports of a touched file that is gone, in files that were not touched."""
    gone = {path for path in change.files if shelf.look(path) is None}
    importing = [path for path in names if gone and path.name in IMPORTING and path not in change.about]
    learn(change.tree, importing)
    for path in importing:
        level = level_of(path)
        for where, finding in imports(chain_to(shelf, RepoPath(level) if level else None), path):
            if where in gone:
                yield finding
