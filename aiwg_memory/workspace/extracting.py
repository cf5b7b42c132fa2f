"""From files, folders and registered outputs to proposals, each with the lines it stands on. No model takes part."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.compound_memory.candidates.extracting import MAX_FOUND, MAX_SOURCES, Found, extract
from aiwg_memory.addons.compound_memory.candidates.transcripts import texts
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.paths import RepoPath, display, join
from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.tree import walk
from aiwg_memory.errors import AiwgError, NotFound, Refused, UsageError
from aiwg_memory.worktree.root import real_root

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

_READ = (".md", ".markdown", ".txt", ".jsonl", ".log", ".rst", ".adoc")


def extract_proposals(
    workspace: Workspace, directory: str | None, names: Sequence[str]
) -> tuple[list[dict[str, Any]], list[str]]:
    """At most 50 proposals out of at most 200 sources, and what a person should know: what was skipped, and where it
    stopped. Raises NotFound, UsageError, Refused for a name that cannot be read at all."""
    sources, notes = _sources(workspace, directory, names)
    if len(sources) > MAX_SOURCES:
        notes.append(f"stopped after {MAX_SOURCES} of {len(sources)} sources")
    made: list[dict[str, Any]] = []
    for ref, path in sources[:MAX_SOURCES]:
        for found, full in _found(workspace, path, notes):
            if len(made) == MAX_FOUND:
                notes.append(f"stopped after {MAX_FOUND} proposals, in {path}")
                return made, notes
            evidence = {"ref": ref, "digest": full, "span": found.span}
            made.append(
                {"type": found.type, "assertion": found.text, "evidence": [evidence], "confidence": found.confidence}
            )
    return made, notes


def _sources(
    workspace: Workspace, directory: str | None, names: Sequence[str]
) -> tuple[list[tuple[str, RepoPath]], list[str]]:
    """``(reference, path)`` of each source; registered outputs are cited by their handle."""
    from aiwg_memory.addons.compound_memory.outputs.store import read
    from aiwg_memory.workspace.outputs import full_ids

    found: list[tuple[str, RepoPath]] = []
    outputs = read(workspace.tree)
    notes: list[str] = []
    for name in names:
        if name.startswith("out_"):
            handle = full_ids(workspace, [name])[0]
            found.append((handle, RepoPath(outputs.heads[handle].current.text("path"))))
            continue
        for path in _files(workspace, directory, name, notes):
            registered = next(iter(outputs.at(path)), None)
            found.append((registered.handle if registered else path, path))
    return list(dict.fromkeys(found)), notes


def _files(workspace: Workspace, directory: str | None, name: str, notes: list[str]) -> Iterator[RepoPath]:
    full = os.path.normpath(os.path.join(real_root(directory), name))
    inside = os.path.relpath(full, workspace.root).replace(os.sep, "/")
    if inside == ".":
        raise UsageError("the whole workspace is not a source", hint="name files or folders of it")
    if inside.startswith(".."):
        raise UsageError(f"{display(name)} is not in this workspace", hint="ingest it, then name the raw copy")
    path = RepoPath(inside)
    entry = workspace.tree.stat(path)
    if entry is None:
        raise NotFound(f"there is no {display(name)}", hint="name a file, a folder or a registered output")
    if entry.kind == "dir":
        for parent, each in walk(workspace.tree, path):
            if each.kind != "file" or protected_source(f"{parent}/{each.name}"):
                notes.append(f"skipped {parent}/{each.name}: {'protected' if each.kind == 'file' else each.kind}")
            elif each.name.endswith(_READ):
                yield join(parent, each.name)
    elif (why := protected_source(path)) is not None:
        raise Refused(f"{display(name)} may not be read: {why}", code="protected-source")
    else:
        yield path


def _found(workspace: Workspace, path: RepoPath, notes: list[str]) -> Iterator[tuple[Found, str]]:
    try:
        data = workspace.tree.read(path, limit=workspace.config.sources.max_bytes)
        text = data.decode("utf-8-sig")
    except AiwgError as error:
        notes.append(f"skipped {path}: {error.message}")
        return
    except UnicodeDecodeError:
        notes.append(f"skipped {path}: it is not UTF-8")
        return
    full = digest(data)
    for said, line, whole in texts(text):
        for found in extract(said, 1 if whole else line):
            one = found if whole else Found(found.type, found.text, line, line, found.confidence)
            yield one, full
