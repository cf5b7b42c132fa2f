"""From the files a person names to the sources of an ingest: inside the workspace by path, outside by their bytes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import files
from aiwg_memory.errors import AiwgError, NotFound, Refused, UsageError
from aiwg_memory.worktree.read import WorkTree
from aiwg_memory.worktree.root import real_root

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

MAX_SOURCES = 1000
Sources = list[dict[str, Any]]


def ingest_arguments(
    workspace: Workspace, directory: str | None, names: Sequence[str]
) -> tuple[Sources, dict[str, bytes]]:
    """``sources`` and the inputs of those outside the workspace. Raises Refused with every problem together."""
    sources: Sources = []
    inputs: dict[str, bytes] = {}
    problems: list[Finding] = []
    limit = min(workspace.config.sources.max_bytes, MAX_FILE)
    for name in names:
        try:
            for locator, shown, data in read_files(workspace, real_root(directory), name, limit):
                full = digest(data)
                sources.append({"locator": locator, "digest": full, "name": shown, "kind": "file", "route": "ingest"})
                if os.path.isabs(locator):
                    inputs[full] = data
        except AiwgError as error:
            if len(names) == 1:
                raise
            problems.append(Finding(display(name), 0, error.code, error.message, hint=error.hint))
    if problems:
        kind = NotFound if all(problem.rule == NotFound.code for problem in problems) else Refused
        raise kind(
            f"{len(problems)} of {len(names)} sources cannot be taken in; nothing was planned",
            code=problems[0].rule,
            findings=problems,
        )
    if not sources:
        raise UsageError("there is no file to ingest", hint="name files, or directories that hold some")
    if len(sources) > MAX_SOURCES:
        raise UsageError(f"{len(sources)} files at once; at most {MAX_SOURCES}", hint="ingest fewer at a time")
    return sources, inputs


def stdin_source(data: bytes, locator: str) -> tuple[Sources, dict[str, bytes]]:
    """Bytes that cannot be read again, under the locator they came with."""
    kind = "url" if "://" in locator else "text"
    name = locator.rstrip("/").rpartition("/")[2] or "source"
    full = digest(data)
    return [{"locator": locator, "digest": full, "name": name, "kind": kind, "route": "stdin"}], {full: data}


def read_outside_or_in(workspace: Workspace, directory: str | None, name: str, limit: int) -> bytes:
    """The bytes of one file, wherever it lies; a link, a directory or a special file is refused."""
    found = list(read_files(workspace, real_root(directory), name, limit))
    if len(found) != 1:
        raise UsageError(f"{display(name)} is not one file", hint="name a file")
    return found[0][2]


def read_files(
    workspace: Workspace, here: str, name: str, limit: int, only: Callable[[str], bool] = lambda _: True
) -> Iterator[tuple[str, str, bytes]]:
    """``(locator, name, bytes)`` of one file, or of every file below one directory whose name ``only`` says yes to."""
    full = os.path.normpath(os.path.join(here, name))
    inside = os.path.relpath(full, workspace.root)
    if inside == ".":
        raise UsageError("the whole workspace is not a source", hint="name files or folders of it")
    if not inside.startswith(".."):
        yield from _below(workspace.tree, RepoPath(inside.replace(os.sep, "/")), "", limit, only)
        return
    folder = real_root(os.path.dirname(full))
    with WorkTree(folder, workspace.clock) as outside:
        yield from _below(outside, RepoPath(os.path.basename(full)), folder + "/", limit, only)


def _below(
    tree: WorkTree, path: RepoPath, prefix: str, limit: int, only: Callable[[str], bool]
) -> Iterator[tuple[str, str, bytes]]:
    entry = tree.stat(path)
    if entry is None:
        raise NotFound(f"{display(prefix + path)} is not there", hint="name a file or a directory")
    found = (each for each, _ in files(tree, path) if only(each.name)) if entry.kind == "dir" else (path,)
    for each in found:
        yield prefix + each, each.name, tree.read_settled(each, limit)
