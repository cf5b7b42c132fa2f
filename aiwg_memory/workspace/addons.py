"""Which addons are enabled here: the built-in ones, and installed ones that the config names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiwg_memory.addons import BUILTIN, Addon, load, resolve
from aiwg_memory.errors import UsageError

if TYPE_CHECKING:
    from aiwg_memory.core.config import Config

GROUP = "aiwg_memory.addons"
PACKS = "compound-memory"
"""Who puts packs together, and keeps the queue."""
WITHOUT = {
    "line-memory": "packs hold no facts",
    "llm-wiki": "packs hold no passages, and raw evidence is not read instead",
    "canonical-context": "packs hold no canonical values",
    "instructions": "packs hold no project instructions",
    "compound-memory": "there are no packs and no review; facts, pages, search and registered outputs go on",
}
"""What is degraded where a built-in addon is not enabled."""


def enabled(config: Config) -> tuple[Addon, ...]:
    """In dependency order. A package's addon is loaded only when the config names it."""
    names = config.addons or tuple(BUILTIN)
    found = dict(BUILTIN)
    if any(name not in BUILTIN for name in names):
        from importlib.metadata import entry_points

        found.update({point.name: point.value for point in entry_points(group=GROUP) if point.name in names})
    return load(names, found)


def watched() -> tuple[str, ...]:
    """Git's globs of files outside the store whose change some addon judges, wherever they lie."""
    return tuple(dict.fromkeys(name for addon in load(tuple(BUILTIN)) for name in watches(addon)))


def watches(addon: Addon) -> tuple[str, ...]:
    found: tuple[str, ...] = resolve(addon.watches) if addon.watches else ()
    return found


def missing(addons: tuple[Addon, ...]) -> list[str]:
    """The built-in addons that are not enabled."""
    names = {addon.name for addon in addons}
    return [name for name in BUILTIN if name not in names]


def with_missing(addons: tuple[Addon, ...]) -> tuple[Addon, ...]:
    """The enabled addons, and the built-in ones that are not: their files are still there to be read."""
    off = missing(addons)
    return (*addons, *(addon for addon in load(tuple(BUILTIN)) if addon.name in off)) if off else addons


def require(addons: tuple[Addon, ...], name: str, what: str) -> None:
    """Raises UsageError where the addon that does ``what`` is not enabled."""
    if all(addon.name != name for addon in addons):
        raise not_enabled(name, what)


def not_enabled(name: str, what: str) -> UsageError:
    hint = f"add {name} to `addons` in .aiwg/config.yaml"
    return UsageError(f"the addon {name} is not enabled, so {what}", hint=hint, code="addon-off")


def unknown_kind(kind: str) -> UsageError:
    """The refusal of an operation that no enabled addon knows: which addon would."""
    addon = owner_of_kind(load(tuple(BUILTIN)), kind)
    if addon is None:
        return UsageError(f"no addon knows the operation {kind}", hint="preview it again")
    return not_enabled(addon.name, f"{kind} is unavailable")


def retrieved(addons: tuple[Addon, ...]) -> tuple[Addon, ...]:
    """Those that have something to retrieve: registering an output must not move the tree its pack came from."""
    return tuple(addon for addon in addons if addon.item)


def owner_of_kind(addons: tuple[Addon, ...], kind: str) -> Addon | None:
    """The addon whose operations share this kind's first part (``line-memory`` of ``line-memory.add``)."""
    prefix = kind.partition(".")[0] + "."
    return next(
        (addon for addon in addons if any(plan.startswith(prefix) for plan in (*addon.plans, *addon.composed))), None
    )


def owner_of_path(addons: tuple[Addon, ...], path: str) -> Addon | None:
    return next((addon for addon in addons if addon.owns(path)), None)
