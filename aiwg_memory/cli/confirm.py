"""Apply exactly what was shown; list what waits."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import reviewer_option
from aiwg_memory.cli.present import confirmed


@command("confirm", example="aiwg-memory confirm op_3f9c2a11d0e4")
@click.argument("operation", metavar="ID")
@reviewer_option
@pass_app
def confirm(app: App, operation: str, reviewer: str | None) -> None:
    """Apply the preview ID, if what it showed is still exactly what would happen.

    ID is the operation id a preview printed, or any unambiguous beginning of it of at least 8 hex digits. There is no
    shortcut for "the latest", and no way to skip the preview.
    """
    confirmed(app, app.mutations.confirm(operation, reviewer=app.reviewer(reviewer), now=app.now))


@command("previews", example="aiwg-memory previews")
@pass_app
def previews(app: App) -> None:
    """List the previews that wait for a confirmation, newest first; each is kept for seven days."""
    waiting = app.mutations.waiting(app.now)
    rows = [f"{found['operation_id'][:15]}  {found['created']}  {found['summary']}" for found in waiting]
    text = "\n".join(rows) if rows else "No preview waits."
    app.emit({"previews": waiting, "total": len(waiting), "truncated": False}, text)
