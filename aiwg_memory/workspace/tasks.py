"""From what was asked to a pack request, with the workspace's settings where nothing was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.budget import Budget, Limit, window_limit
from aiwg_memory.core.delivery import DeliveryOptions
from aiwg_memory.core.hosts import HOSTS
from aiwg_memory.core.packs import PackRequest
from aiwg_memory.core.packs.request import DEFAULT_FLOOR
from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.errors import UsageError
from aiwg_memory.workspace import Workspace

if TYPE_CHECKING:
    from aiwg_memory.core.config import Context


def pack_request(workspace: Workspace, task: str, options: Mapping[str, Any], user_tree: str = "") -> PackRequest:
    """Options are those of ``context``; every limit that is given holds together with the others.

    ``user_tree`` stands for the person's own facts that are laid over the workspace's.
    """
    configured = workspace.config.context
    return PackRequest(
        task=task,
        as_of=_day(options.get("as_of") or workspace.now[:10]),
        target=_target(options.get("target") or ""),
        budget=_budget(configured, options),
        format=options["form"],
        weights=configured.weights,
        caps=configured.caps,
        floor=DEFAULT_FLOOR if configured.floor is None else configured.floor,
        options=DeliveryOptions(
            incognito=options["incognito"],
            user=options["user"] or workspace.own,
            project=workspace.config.workspace,
            user_tree=user_tree,
        ),
        no_digest=options["no_digest"],
        no_touch=configured.default_no_touch,
        include_instructions=options.get("include_instructions", False),
    )


def _day(text: str) -> str:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise UsageError(f"--as-of {display(text)} is no date", hint="write it like 2026-01-31") from error


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
