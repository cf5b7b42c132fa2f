"""Apply exactly what was shown; list, show and drop what waits."""

from __future__ import annotations

import sys
from typing import Any

import click

from aiwg_memory.cli.app import App, Group, command, pass_app
from aiwg_memory.cli.options import reviewer_option
from aiwg_memory.cli.present import confirmed, preview_data, preview_text
from aiwg_memory.errors import UsageError


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


@click.group("previews", cls=Group, invoke_without_command=True)
@click.pass_context
def previews(ctx: click.Context) -> None:
    """List, show and drop the previews that wait for a confirmation; alone, it lists."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@previews.command("list", example="aiwg-memory previews list")
@pass_app
def list_(app: App) -> None:
    """The previews that wait for a confirmation, newest first; each is kept for seven days.

    One whose files have changed since is marked stale: it can only be shown anew or dropped.
    """
    found = _waiting(app)
    rows = [
        f"{row['operation_id'][:15]}  {row['created']}  {row['summary']}{'  (stale)' if row['stale'] else ''}"
        for row in found
    ]
    text = "\n".join(rows) if rows else "No preview waits."
    app.emit({"previews": found, "total": len(found), "truncated": False}, text)


def _waiting(app: App) -> list[dict[str, Any]]:
    from aiwg_memory.workspace.moved import is_stale

    waiting = app.workspace.journal.previews.waiting(app.now)
    return [row | {"stale": is_stale(app.workspace, row)} for row in waiting]


@previews.command("show", example="aiwg-memory previews show op_3f9c2a11d0e4")
@click.argument("operation", metavar="ID")
@pass_app
def show(app: App, operation: str) -> None:
    """A waiting preview as it was first shown, every line of it, with the command that confirms it.

    ID is an operation id or an unambiguous beginning of it. What is no longer what would happen is said, with a fresh
    preview.
    """
    plan, notes = app.mutations.again(operation)
    app.emit(preview_data(app, plan), preview_text(app, plan, notes, most=sys.maxsize), state="preview")


@previews.command("drop", example="aiwg-memory previews drop op_3f9c2a11d0e4\naiwg-memory previews drop --stale")
@click.argument("operations", nargs=-1, metavar="[ID]...")
@click.option("--stale", is_flag=True, help="Every one that `previews` marks stale.")
@pass_app
def drop(app: App, operations: tuple[str, ...], stale: bool) -> None:
    """Drop waiting previews. Nothing else changes, and they can be made anew; ID is as in `previews show`."""
    if not operations and not stale:
        raise UsageError(
            "no preview is named", hint="`aiwg-memory previews` lists them; --stale takes all that are stale"
        )
    moved = [row["operation_id"] for row in _waiting(app) if row["stale"]] if stale else []
    dropped = app.mutations.drop([*operations, *moved])
    said = ", ".join(each[:15] for each in dropped)
    app.emit({"dropped": dropped}, f"Dropped {said}; nothing else was changed." if dropped else "No preview is stale.")
