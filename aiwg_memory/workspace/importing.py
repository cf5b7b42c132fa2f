"""From the tool and the place a person names to the files of an import. Nothing outside them is read."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.foreign.codex import HANDBOOK
from aiwg_memory.core.operations import Request
from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.errors import NotFound, UsageError
from aiwg_memory.workspace.ingesting import read_files
from aiwg_memory.workspace.requests import request
from aiwg_memory.worktree.root import real_root

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

MAX_FILES = 10_000
_AIWG = (
    "memory/line-memory.txt",
    "memory/line-memory.meta.json",
    "context/compound-memory/context.json",
    "memory/output-registration",
    "memory/receipts",
    "context/compound-memory/receipts",
)
Files = list[tuple[str, str, bytes]]


def aiwg_request(workspace: Workspace, directory: str | None, place: str | None, reviewer: str) -> Request:
    """The stores below ``place``/.aiwg (None: the workspace's own). Pages of the own wiki are readable as they are."""
    own = os.path.join(workspace.root, ".aiwg")
    base = own if place is None else _store(os.path.join(real_root(directory), place))
    names = _AIWG if os.path.realpath(base) == os.path.realpath(own) else (*_AIWG, "wiki")
    found: Files = []
    for name in names:
        try:
            found += _named(workspace, base, read_files(workspace, base, name, _limit(workspace), _stored))
        except NotFound:
            continue
    return _request(workspace, "aiwg", found, display(base), reviewer)


def own_pages(workspace: Workspace, place: str | None) -> tuple[str, ...]:
    """What the preview says of pages that need no import: those in this workspace's own wiki."""
    entry = workspace.tree.stat(RepoPath(".aiwg/wiki")) if place is None else None
    return ("  the pages of .aiwg/wiki are readable as they are",) if entry is not None else ()


def _store(place: str) -> str:
    return place if os.path.basename(os.path.normpath(place)) == ".aiwg" else os.path.join(place, ".aiwg")


def files_request(
    workspace: Workspace, tool: str, directory: str | None, places: Sequence[str], reviewer: str, *, facts: bool = False
) -> Request:
    """The named files, and every note of the named folders. A folder's files are called by their names below it."""
    found: Files = []
    here = real_root(directory)
    chosen = _is_handbook if tool == "codex" else _is_note
    for place in places:
        full = os.path.normpath(os.path.join(here, place))
        base = full if os.path.isdir(full) else os.path.dirname(full)
        found += _named(workspace, base, read_files(workspace, here, place, _limit(workspace), chosen))
    return _request(workspace, tool, found, ", ".join(map(display, places)), reviewer, facts=facts)


def claude_folder(workspace: Workspace) -> str:
    """Where Claude Code keeps its own notes about this workspace: below the home directory, by the workspace's path.

    Raises UsageError without a home or without such a folder.
    """
    home = workspace.environ.get("HOME") or ""
    folder = os.path.join(home, ".claude", "projects", re.sub(r"[^A-Za-z0-9]", "-", workspace.root), "memory")
    if not os.path.isabs(home) or not os.path.isdir(folder):
        raise UsageError("Claude Code keeps no notes about this workspace here", hint="name the folder or the files")
    return folder


def codex_folder(workspace: Workspace) -> str:
    """Where Codex keeps what it learned in all projects: below ``CODEX_HOME``, else the home directory.

    Raises UsageError without a home or without such a folder.
    """
    home = workspace.environ.get("CODEX_HOME") or os.path.join(workspace.environ.get("HOME") or "", ".codex")
    folder = os.path.join(home, "memories")
    if not os.path.isabs(home) or not os.path.isdir(folder):
        raise UsageError("Codex keeps no memories here", hint="name the folder or its MEMORY.md")
    return folder


def _stored(name: str) -> bool:
    return name.endswith((".md", ".json"))


def _is_note(name: str) -> bool:
    """What is read of a folder; a person's private instructions are read only when they are named themselves."""
    return name.endswith(".md") and name != "CLAUDE.local.md"


def _is_handbook(name: str) -> bool:
    """Codex's summaries of single sessions are no knowledge yet, and its summary of all is about the person."""
    return name == HANDBOOK


def _limit(workspace: Workspace) -> int:
    return min(workspace.config.sources.max_bytes, MAX_FILE)


def _named(workspace: Workspace, base: str, read: Any) -> Files:
    """Locator, name below ``base`` and bytes of what was read."""
    named = []
    for locator, _, data in read:
        full = locator if os.path.isabs(locator) else os.path.join(workspace.root, locator)
        named.append((locator, os.path.relpath(full, os.path.realpath(base)).replace(os.sep, "/"), data))
    return named


def _request(
    workspace: Workspace, tool: str, found: Files, where: str, reviewer: str, *, facts: bool = False
) -> Request:
    if not found:
        raise NotFound(f"there is nothing of {tool} in {where}", hint="name the folder that holds it")
    if len(found) > MAX_FILES:
        raise UsageError(f"{len(found)} files at once; at most {MAX_FILES}", hint="name a part of them")
    sources = {name: {"locator": locator, "digest": digest(data), "name": name} for locator, name, data in found}
    if len(sources) < len(found):
        raise UsageError("two of the files have one name below their folders", hint="take them in one after the other")
    inputs = {digest(data): data for locator, _, data in found if os.path.isabs(locator)}
    arguments: dict[str, Any] = {"files": [sources[name] for name in sorted(sources)]}
    arguments |= {"facts": True} if facts else {}
    arguments |= {"root": workspace.root} if tool == "codex" else {}
    return request(workspace, f"import.{tool}", arguments, reviewer, inputs)
