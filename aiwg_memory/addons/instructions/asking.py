"""What a request about instructions may hold, and the live snapshot it is held against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from aiwg_memory.core.findings import Severity
from aiwg_memory.core.instructions.discover import LIMITS, Discovery, refused
from aiwg_memory.core.instructions.snapshot import Snapshot
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import UsageError

if TYPE_CHECKING:
    from aiwg_memory.core.findings import ScreeningException
    from aiwg_memory.core.operations import Request


_CONFIG = RepoPath(".aiwg/config.yaml")
_MAX_CONFIG = 64 * 1024


def arguments(request: Request) -> Mapping[str, Any]:
    """The arguments, held to the schema of their kind. Raises UsageError with every problem."""
    from aiwg_memory.core.schema import cheap, explain

    value = {"kind": request.kind, **request.arguments}
    if cheap("instruction_request.v1", value) is not None:
        findings = explain("instruction_request.v1", value, path=request.kind)
        raise UsageError(f"the request {request.kind} cannot be used: {findings[0].message}", findings=findings)
    return request.arguments


class Settings(NamedTuple):
    """What a workspace's config says about instructions."""

    limits: Mapping[str, int] = LIMITS
    exceptions: tuple[ScreeningException, ...] = ()
    agent_overflow: Severity = "warning"


def settings(tree: Tree) -> Settings:
    """Of the tree's own config, which is parsed only when it can say something about instructions.

    Raises UsageError (code ``config``) for one that cannot be read.
    """
    entry = tree.stat(_CONFIG)
    data = tree.read(_CONFIG, limit=_MAX_CONFIG) if entry is not None and entry.kind == "file" else b""
    # A key can be spelt otherwise in YAML only with a backslash.
    if not any(word in data for word in (b"instructions", b"screening", b"\\")):
        return Settings()
    from aiwg_memory.core.config import parse_config

    config = parse_config(data)
    exceptions = config.screening
    overflow: Severity = "error" if config.instructions.agent_overflow == "error" else "warning"
    return Settings(config.instructions.limits._asdict(), exceptions, overflow)


def discovery(tree: Tree) -> Discovery:
    """Discovery with the limits and the screening exceptions of the tree's own config."""
    found = settings(tree)
    return Discovery(tree, limits=found.limits, exceptions=found.exceptions)


def live(tree: Tree, target: str, at: str) -> Snapshot:
    """The snapshot of ``target`` as the tree is, whole and unmoved. Raises Refused."""
    found = discovery(tree)
    snapshot = found.snapshot(target, loaded_at=at)
    moved = found.moved()
    if moved:
        raise refused(snapshot.target, moved)
    return snapshot
