"""The git hook of this workspace's repository."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from aiwg_memory.repo import hooks
from aiwg_memory.workspace.addons import watched

if TYPE_CHECKING:
    from aiwg_memory.repo.hooks import Hook
    from aiwg_memory.workspace import Workspace


def install(workspace: Workspace) -> Hook:
    with workspace.require_repository() as repository:
        return hooks.install(repository, hooks.lines(repository, _tool(), watched()))


def uninstall(workspace: Workspace) -> Hook:
    with workspace.require_repository() as repository:
        return hooks.uninstall(repository, hooks.lines(repository, _tool(), watched()))


def look(workspace: Workspace) -> Hook:
    with workspace.require_repository() as repository:
        return hooks.look(repository, hooks.lines(repository, _tool(), watched()))


def _tool() -> str:
    """The program as it runs now: a hook of a graphical client does not see the shell's PATH."""
    return os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "aiwg-memory")
