"""From what was asked to a pack request, with the workspace's settings where nothing was said."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.budget import Budget, Limit, window_limit
from aiwg_memory.core.delivery import DeliveryOptions
from aiwg_memory.core.hosts import HOSTS
from aiwg_memory.core.packs import PackRequest
from aiwg_memory.core.packs.request import DEFAULT_FLOOR
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import UsageError
from aiwg_memory.workspace import Workspace

if TYPE_CHECKING:
    from aiwg_memory.core.config import Context


def pack_request(workspace: Workspace, task: str, options: Mapping[str, Any]) -> PackRequest:
    """Options are those of ``context``; every limit that is given holds together with the others."""
    configured = workspace.config.context
    return PackRequest(
        task=task,
        as_of=options.get("as_of") or workspace.now[:10],
        target=_target(options.get("target") or ""),
        budget=_budget(configured, options),
        format=options["form"],
        weights=configured.weights,
        caps=configured.caps,
        floor=DEFAULT_FLOOR if configured.floor is None else configured.floor,
        options=DeliveryOptions(
            incognito=options["incognito"], user=options["user"], project=workspace.config.workspace
        ),
        no_digest=options["no_digest"],
        no_touch=configured.default_no_touch,
    )


def _target(target: str) -> str:
    name = target.removeprefix("./").rstrip("/")
    return RepoPath(name) if name not in ("", ".") else ""


def _budget(configured: Context, options: Mapping[str, Any]) -> Budget:
    limits = []
    unit = options.get("unit") or configured.unit
    if options.get("window") is not None:
        total = options["budget"] if options.get("budget") is not None and unit == "tokens" else 1 << 16
        limits.append(window_limit(total, window=options["window"], reserve=options["reserve"], used=options["used"]))
    elif options.get("reserve") or options.get("used"):
        raise UsageError("--reserve and --used say what is taken of a window", hint="give --window W too")
    if options.get("budget") is not None and not (limits and unit == "tokens"):
        limits.append(Limit(unit, options["budget"]))
    if options.get("host"):
        if options["host"] not in HOSTS:
            raise UsageError(f"{options['host']!r} is no host known here", hint=f"known are {', '.join(HOSTS)}")
        limits.append(HOSTS[options["host"]])
    if not limits or (options.get("budget") is None and options.get("window") is None):
        limits.insert(0, Limit(unit, configured.total))
    return Budget(tuple(limits))


def user_root(environ: Mapping[str, str]) -> str:
    """Where a person's own facts live, outside every repository."""
    base = environ.get("XDG_DATA_HOME") or ""
    if not os.path.isabs(base):
        home = environ.get("HOME") or ""
        if not os.path.isabs(home):
            raise UsageError("there is no home directory for your own facts", hint="set HOME or XDG_DATA_HOME")
        base = os.path.join(home, ".local", "share")
    return os.path.join(os.path.realpath(base), "aiwg-memory")


def user_workspace(workspace: Workspace) -> Workspace:
    """The second root, with its own lock, journal and receipts. Raises UsageError before its ``init --user``."""
    root = user_root(workspace.environ)
    found = Workspace(
        root,
        os.path.isfile(os.path.join(root, ".aiwg", "config.yaml")),
        workspace.now,
        workspace.environ,
        workspace.clock,
    )
    if not found.initialised:
        raise UsageError(f"there are no facts of your own yet: {root} is not set up", hint="aiwg-memory init --user")
    return found
