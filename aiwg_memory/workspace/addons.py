"""Which addons are enabled here: the built-in ones, and installed ones that the config names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiwg_memory.addons import BUILTIN, Addon, load

if TYPE_CHECKING:
    from aiwg_memory.core.config import Config

GROUP = "aiwg_memory.addons"


def enabled(config: Config) -> tuple[Addon, ...]:
    """In dependency order. A package's addon is loaded only when the config names it."""
    names = config.addons or tuple(BUILTIN)
    found = dict(BUILTIN)
    if any(name not in BUILTIN for name in names):
        from importlib.metadata import entry_points

        found.update({point.name: point.value for point in entry_points(group=GROUP) if point.name in names})
    return load(names, found)


def owner_of_kind(addons: tuple[Addon, ...], kind: str) -> Addon | None:
    """The addon whose operations share this kind's first part (``line-memory`` of ``line-memory.add``)."""
    prefix = kind.partition(".")[0] + "."
    return next(
        (addon for addon in addons if any(plan.startswith(prefix) for plan in (*addon.plans, *addon.composed))), None
    )


def owner_of_path(addons: tuple[Addon, ...], path: str) -> Addon | None:
    return next((addon for addon in addons if addon.owns(path)), None)
