"""The block in AGENTS.md, CLAUDE.md and the like that tells an agent how to use the memory."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.findings import findings_text
from aiwg_memory.cli.options import reviewer_option
from aiwg_memory.cli.present import propose

_names = click.argument("names", metavar="[NAME]...", nargs=-1)
_acknowledge = click.option("--acknowledge", metavar="NAME", multiple=True, help="Lose what was edited in this block.")
_always = click.option("--always/--no-always", default=None, help="With what is always delivered; else as it stands.")


@click.group("adapters", cls=Group)
def adapters() -> None:
    """The generated block in the files agents read: preview, refresh, check, remove.

    NAME is agents (AGENTS.md), claude (CLAUDE.md), gemini (GEMINI.md), cursor or copilot; without one, those in use.
    """


@adapters.command("preview", example="aiwg-memory adapters preview agents")
@_names
@_always
@pass_app
def preview(app: App, names: tuple[str, ...], always: bool | None) -> None:
    """The text of the block, and how each file stands. Nothing is planned."""
    from aiwg_memory.workspace.adapting import states, text

    found = [{"name": one.name, "path": one.path, "state": how} for one, how in states(app.workspace, names)]
    shown = text(app.workspace, bool(always))
    rows = [f"{row['name']:8} {row['state']:8} {row['path']}" for row in found]
    app.emit({"adapters": found, "total": len(found), "truncated": False, "text": shown}, "\n".join([*rows, "", shown]))


@adapters.command("refresh", example="aiwg-memory adapters refresh agents claude")
@_names
@_always
@_acknowledge
@reviewer_option
@pass_app
def refresh(
    app: App, names: tuple[str, ...], always: bool | None, acknowledge: tuple[str, ...], reviewer: str | None
) -> None:
    """Preview the block written, or renewed; everything outside it stays byte for byte. Never through a link."""
    from aiwg_memory.workspace.adapting import refresh_request

    propose(app, refresh_request(app.workspace, names, app.reviewer(reviewer), always, acknowledge))


@adapters.command("remove", example="aiwg-memory adapters remove gemini")
@_names
@_acknowledge
@reviewer_option
@pass_app
def remove(app: App, names: tuple[str, ...], acknowledge: tuple[str, ...], reviewer: str | None) -> None:
    """Preview the block taken out: the file is as it was before, and goes where it held nothing else."""
    from aiwg_memory.workspace.adapting import remove_request

    propose(app, remove_request(app.workspace, names, app.reviewer(reviewer), acknowledge))


@adapters.command("check", example="aiwg-memory adapters check")
@_names
@pass_app
def check(app: App, names: tuple[str, ...]) -> None:
    """Exit 1 when a block is stale, edited or broken; of those named, when it is absent too."""
    from aiwg_memory.workspace.adapting import findings

    found = findings(app.workspace, names)
    app.status = 1 if found else 0
    app.emit({"findings": [one.to_json() for one in found], "total": len(found)}, findings_text(found))
