"""What a change means: two trees of git, or one and the disk, told by the addons that own what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from aiwg_memory.addons import Addon, resolve
from aiwg_memory.core.changes.entry import Described, Entry, Load, Move, Report, ordered
from aiwg_memory.core.changes.evidence import breaks
from aiwg_memory.core.changes.sides import Parse, Sides
from aiwg_memory.core.config import Config, load_config
from aiwg_memory.core.gate.change import STORE, Change, Touch
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.tree import MemoryTree, Tree
from aiwg_memory.errors import AiwgError, UsageError
from aiwg_memory.workspace.addons import enabled, owner_of_path

if TYPE_CHECKING:
    from aiwg_memory.repo.differences import Difference
    from aiwg_memory.repo.repository import Repository
    from aiwg_memory.workspace import Workspace


def diff(workspace: Workspace, given: str | None, *, staged: bool = False) -> Report:
    """``given``: ``A..B`` (two revisions), ``A...B`` (what B changed since it left A), ``A`` (against the disk, or
    with ``staged`` the index), None for HEAD. Raises UsageError.

    Cost: what differs, and at most two searches by git through the store of the older side.
    """
    from aiwg_memory.repo import differences
    from aiwg_memory.repo.changes import NamedTree

    with workspace.require_repository() as repository:
        first, last = _ends(repository, given, staged)
        if last is not None and first is not None:
            found = differences.commits(repository, first, last)
            head: Tree = repository.commit_tree(last)
        elif staged:
            found = differences.staged(repository, first)
            head = repository.index_tree()
        else:
            found = differences.on_disk(repository, first, workspace.tree)
            head = workspace.tree
        base: Tree = NamedTree(repository, first, {}) if first else MemoryTree({})
        return _report(found, base, head, "the index" if staged else last or "the working tree")


def _ends(repository: Repository, given: str | None, staged: bool) -> tuple[str | None, str | None]:
    if given is None:
        return repository.head(), None
    first, dots, last = given.partition("..")
    if not dots:
        return repository.resolve(given), None
    if staged:
        raise UsageError("--staged compares with one revision", hint="leave out the part from .. on")
    between = last.startswith(".")
    ends = [repository.resolve(rev or "HEAD") for rev in (first, last.removeprefix("."))]
    if between:
        from aiwg_memory.repo.changes import merge_base

        ends[0] = merge_base(repository, *ends)
    return ends[0], ends[1]


def _report(found: Difference, base: Tree, head: Tree, name: str) -> Report:
    change = Change(head, base, list(_touches(found)))
    config = _settings(head, base)
    addons = enabled(config)
    moves = list(_moves(found))
    sides = Sides(change, lambda path: _parser(addons, path), (move.path for move in moves))
    described = [resolve(addon.describe)(sides, config) for addon in addons if addon.describe]
    entries = ordered([entry for one in described for entry in one.entries])
    places = {handle: place for one in described for handle, place in one.places.items()}
    return Report(
        found.base or "nothing",
        name,
        entries,
        breaks(sides, moves, entries, places),
        _always(described, config),
        *_loading(base, head, entries),
    )


def _touches(found: Difference) -> Iterator[Touch]:
    """What is the store's or an agent's; other files matter as evidence alone."""
    from aiwg_memory.core.instructions.agents import level_of

    for each in found.touched:
        if each.path.startswith(STORE + "/") or level_of(each.path) is not None:
            yield Touch(each.path, each.before and each.before.kind, each.after and each.after.kind)


def _moves(found: Difference) -> Iterator[Move]:
    for each in found.touched:
        if each.path.startswith(STORE + "/") or path_problem(each.path) or each.before is None:
            continue
        to = found.renames.get(each.path, "")
        yield Move(RepoPath(each.path), "renamed" if to else "removed" if each.after is None else "changed", to)


def _settings(head: Tree, base: Tree) -> Config:
    for tree in (head, base):
        try:
            return load_config(tree)
        except AiwgError:
            continue
    return Config()


def _parser(addons: Iterable[Addon], path: str) -> Parse | None:
    addon = owner_of_path(tuple(addons), path)
    return resolve(addon.parse) if addon is not None and addon.parse else None


def _always(described: Iterable[Described], config: Config) -> tuple[int, int, int] | None:
    told = list(described)
    before = sum(sum(one.always_before.values()) for one in told)
    after = sum(sum(one.always_after.values()) for one in told)
    return (before, after, config.delivery.always_cap) if before != after else None


def _loading(base: Tree, head: Tree, entries: Iterable[Entry]) -> tuple[tuple[tuple[str, str], ...], tuple[Load, ...]]:
    """What each agent loads more or less of, and how much in all, where instruction files differ."""
    from aiwg_memory.core.instructions.agents import level_of
    from aiwg_memory.workspace.instruction_changes import both_views, sight_lines

    levels = {level_of(entry.path) or "." for entry in entries if entry.store == "instructions"}
    told: dict[tuple[str, str], None] = {}
    loads = []
    for level in sorted(levels):
        pairs = both_views(base, head, level)
        told.update(((path, sentence), None) for _, path, _, sentence in sight_lines(pairs))
        loads += [Load(level, now.title, was.total, now.total) for was, now in pairs if was.total != now.total]
    return tuple(sorted(told)), tuple(loads)
