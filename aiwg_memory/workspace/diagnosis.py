"""What ``doctor`` looks at, one row a fact."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from aiwg_memory import __version__
from aiwg_memory.errors import AiwgError
from aiwg_memory.worktree.read import guarantees

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


class Row(NamedTuple):
    name: str
    good: bool
    value: str
    hint: str = ""


def diagnose(workspace: Workspace) -> list[Row]:
    """Every row, whatever the others say."""
    return [
        Row("aiwg-memory", True, __version__),
        Row("python", sys.version_info >= (3, 11), sys.version.split()[0], "Python 3.11 or newer is needed"),
        Row("sqlite", True, sqlite3.sqlite_version),
        Row("workspace", True, workspace.root if workspace.initialised else f"{workspace.root} (not set up yet)"),
        _writable(workspace),
        *_git(workspace),
        *(Row("reading", True, line) for line in guarantees()),
    ]


def _writable(workspace: Workspace) -> Row:
    folder = os.path.join(workspace.root, ".aiwg")
    good = os.access(folder if os.path.isdir(folder) else workspace.root, os.W_OK)
    return Row("writable", good, "yes" if good else "no", "packs can be built; nothing can be changed here")


def _git(workspace: Workspace) -> Iterator[Row]:
    repository = workspace.repository
    if repository is None:
        yield Row("git", True, "not a repository: changes have no history here")
        return
    try:
        who = repository.identity()
        head = repository.head()
    except AiwgError as error:
        yield Row("git", False, error.message, error.hint)
        return
    yield Row("git", True, f"repository at {repository.top}, {'HEAD ' + head[:12] if head else 'no commits yet'}")
    yield Row("reviewer", who is not None, who or "nobody", 'git config user.name "Your Name" and user.email')
