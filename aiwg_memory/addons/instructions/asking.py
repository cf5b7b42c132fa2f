"""What a request about instructions may hold, and the live snapshot it is held against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.core.config import Config, load_config
from aiwg_memory.core.instructions.discover import Discovery
from aiwg_memory.core.instructions.snapshot import Snapshot
from aiwg_memory.core.operations import Request
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.core.screening.kinds import Exemption
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import UsageError


def arguments(request: Request) -> Mapping[str, Any]:
    """The arguments, held to the schema of their kind. Raises UsageError with every problem."""
    value = {"kind": request.kind, **request.arguments}
    if cheap("instruction_request.v1", value) is not None:
        findings = explain("instruction_request.v1", value, path=request.kind)
        raise UsageError(f"the request {request.kind} cannot be used: {findings[0].message}", findings=findings)
    return request.arguments


def discovery(tree: Tree, config: Config | None = None) -> Discovery:
    """Discovery with the limits and the screening exceptions of the tree's own config."""
    config = load_config(tree) if config is None else config
    exceptions = [Exemption(each.screening_class, each.where, each.reason) for each in config.screening]
    return Discovery(tree, limits=config.instructions.limits._asdict(), exceptions=exceptions)


def live(tree: Tree, target: str, at: str) -> Snapshot:
    """The snapshot of ``target`` as the tree is, whole and unmoved. Raises Refused."""
    from aiwg_memory.core.instructions.discover import refused

    found = discovery(tree)
    snapshot = found.snapshot(target, loaded_at=at)
    moved = found.moved()
    if moved:
        raise refused(snapshot.target, moved)
    return snapshot
