"""What an addon is, and in which order addons come.

An addon is a folder that declares itself as data (``ADDON`` in its ``__init__``): the paths it owns, and the functions
it answers with, by dotted name, so that nothing is imported before it is used. It is handed a ``Tree`` and never
writes; it imports ``core``, no door and no other addon.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from aiwg_memory.errors import UsageError

BUILTIN = {
    "line-memory": "aiwg_memory.addons.line_memory",
    "llm-wiki": "aiwg_memory.addons.llm_wiki",
    "canonical-context": "aiwg_memory.addons.canonical_context",
    "instructions": "aiwg_memory.addons.instructions",
    "compound-memory": "aiwg_memory.addons.compound_memory",
}


class Addon(NamedTuple):
    """One addon. Every string in the second half is ``module:function``, empty when it has nothing to say.

    paths      files and directories (with a final ``/``) it owns, relative to the workspace root
    watches    git's globs of files, wherever they lie and in any case, that it does not own and whose change it judges
    parse      ``(path, data) -> Fragment``, pure and for one file alone, so that an index can keep the result
    item       ``(unit, head: Version | None) -> MemoryItem | None``; None: this unit is nothing to retrieve
    check      ``(head: Tree, base: Tree | None) -> Iterable[Finding]``; base None judges everything
    around     ``(head: Tree, base: Tree, changed: Sequence[RepoPath]) -> Iterable[RepoPath]``: the files, beside those
               changed and the records of their handles, that have to be seen to judge the change; empty: all of them
    touching   ``(head: Tree, base: Tree | None, changed: Sequence[RepoPath]) -> Iterable[Finding]``: all that a change
               of these paths has to answer for, in place of ``check`` and ``around``; base None judges it as it is
    describe   ``(sides: Sides, config: Config) -> Described``: what a change means, in entries with before and after
    status     ``(tree) -> Mapping``: ``ready`` or ``degraded`` and why, counts, next actions
    dependents ``(tree, source) -> Iterable[str]``: handles that rest on a source
    withheld   ``(tree) -> Mapping[str, str]``: handles that are not delivered any more, whatever an older tree says,
               and why in one word (``revoked``, ``forgotten``)
    standing   ``(tree) -> (reference) -> Standing | None``: what a handle or locator of this addon names in that tree
    things     ``(tree) -> Iterable[Thing]``: everything of this addon that rests on something or may be rested on
    dispose    ``(tree, request, decisions: Sequence[Decision]) -> Plan``: what becomes of some of those things when
               what they rest on is withdrawn; one part of a plan that spans addons
    cites      ``(tree) -> Iterable[tuple[str, Mapping]]``: handle and source of every citation of lines of a file that
               goes on changing
    sinks      name -> ``(tree, request, statement: Statement) -> Plan``: an accepted candidate becomes something here
    takes      sort of entry (facts, values, pages, outputs) -> ``(tree, request, entries) -> Plan``: what another tool
               kept becomes something here; what may not is said and left out
    upkeep     ``(tree, request) -> Iterable[Step]``: what maintenance would do to it
    composed   operation kind -> ``(tree, request, house: House) -> Plan``, for plans that ask other addons
    undo       ``(tree, request) -> Plan`` for a receipt of one of its kinds; ``request.arguments["receipt"]`` is the
               receipt, ``request.inputs`` the bytes of each ``before`` that could be found
    plans      operation kind -> ``(tree, request) -> Plan``
    commands   command name -> click command
    """

    name: str
    version: str
    summary: str
    requires: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    watches: str = ""
    schemas: tuple[str, ...] = ()
    parse: str = ""
    item: str = ""
    check: str = ""
    around: str = ""
    touching: str = ""
    describe: str = ""
    status: str = ""
    dependents: str = ""
    withheld: str = ""
    standing: str = ""
    things: str = ""
    dispose: str = ""
    cites: str = ""
    undo: str = ""
    sinks: Mapping[str, str] = MappingProxyType({})
    takes: Mapping[str, str] = MappingProxyType({})
    upkeep: str = ""
    composed: Mapping[str, str] = MappingProxyType({})
    plans: Mapping[str, str] = MappingProxyType({})
    commands: Mapping[str, str] = MappingProxyType({})

    def owns(self, path: str) -> bool:
        return path.startswith(self.paths) and any(
            path.startswith(own) if own.endswith("/") else path == own for own in self.paths
        )


def resolve(dotted: str) -> Any:
    """The object that ``module:name`` names."""
    module, _, name = dotted.partition(":")
    return getattr(import_module(module), name)


def load(names: Sequence[str], found: Mapping[str, str] = BUILTIN) -> tuple[Addon, ...]:
    """The named addons in dependency order. ``found`` maps a name to the module that holds its ``ADDON``.

    Raises UsageError, all problems together: unknown names, missing requirements, cycles, two owners of one path.
    """
    unknown = [name for name in names if name not in found]
    if unknown:
        raise UsageError(
            f"unknown addon{'s' if len(unknown) > 1 else ''} {', '.join(unknown)}",
            hint=f"known are {', '.join(sorted(found))}; others are installed as packages",
        )
    addons = {name: import_module(found[name]).ADDON for name in dict.fromkeys(names)}
    problems = [
        f"{addon.name} requires {need}, which is not enabled"
        for addon in addons.values()
        for need in addon.requires
        if need not in addons
    ]
    ordered = _order(addons, problems)
    problems += _shared_paths(ordered)
    if problems:
        raise UsageError("; ".join(problems), hint="change `addons` in .aiwg/config.yaml")
    return tuple(ordered)


def _order(addons: Mapping[str, Addon], problems: list[str]) -> list[Addon]:
    ordered: list[Addon] = []
    waiting = dict(addons)
    while waiting:
        ready = [
            addon
            for addon in waiting.values()
            if not any(need in waiting for need in (*addon.requires, *addon.optional) if need != addon.name)
        ]
        if not ready:
            problems.append(f"{', '.join(sorted(waiting))} require each other in a cycle")
            break
        for addon in ready:
            ordered.append(waiting.pop(addon.name))
    return ordered


def _shared_paths(addons: Iterable[Addon]) -> list[str]:
    owners: dict[str, str] = {}
    problems = []
    for addon in addons:
        for path in addon.paths:
            for other, owner in owners.items():
                if owner != addon.name and (path.startswith(other) or other.startswith(path)):
                    problems.append(f"{addon.name} and {owner} both own {path}")
            owners[path] = addon.name
    return problems
