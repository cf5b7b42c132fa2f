"""What is set here, and which addons are on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.cli.app import App, command, pass_app


@command("config", example="aiwg-memory config\naiwg-memory config --json")
@pass_app
def config(app: App) -> None:
    """The settings in force; a line that the file does not state ends in (default).

    They are changed by editing .aiwg/config.yaml; `check` judges it.
    """
    from aiwg_memory.core.config import Config

    workspace = app.workspace
    value = workspace.config.to_json()
    default = dict(_flat(Config().to_json()))
    rows = [f"{key} = {_shown(each)}{' (default)' if default.get(key) == each else ''}" for key, each in _flat(value)]
    app.emit({"root": workspace.root, "initialised": workspace.initialised, "config": value}, "\n".join(rows))


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, each in value.items():
        if isinstance(each, Mapping) and each:
            yield from _flat(each, f"{prefix}{key}.")
        else:
            yield prefix + key, each


def _shown(value: Any) -> str:
    import json

    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


@command("addons", example="aiwg-memory addons")
@pass_app
def addons(app: App) -> None:
    """The enabled addons in dependency order, and the files each owns."""
    found = app.workspace.addons
    rows = []
    for addon in found:
        rows.append(f"{addon.name} {addon.version}: {addon.summary}")
        rows += [f"  {path}" for path in addon.paths]
    data = [
        {
            "name": addon.name,
            "version": addon.version,
            "summary": addon.summary,
            "requires": list(addon.requires),
            "optional": list(addon.optional),
            "paths": list(addon.paths),
        }
        for addon in found
    ]
    app.emit({"addons": data, "total": len(data), "truncated": False}, "\n".join(rows))
