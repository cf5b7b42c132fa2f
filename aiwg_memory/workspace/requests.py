"""Requests of one workspace, at its command's time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.operations import Request

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def request(
    workspace: Workspace,
    kind: str,
    arguments: Mapping[str, Any],
    reviewer: str,
    inputs: Mapping[str, bytes] | None = None,
) -> Request:
    """Raises UsageError before ``init``: a store of another tool can be read, not changed."""
    workspace.require_init()
    return Request(kind, arguments, workspace.now, reviewer, workspace.config.workspace, inputs or {})
