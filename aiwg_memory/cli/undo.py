"""The way back from what was confirmed, and out of what was interrupted."""

from __future__ import annotations

from typing import Any

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import reason_option, reviewer_option
from aiwg_memory.cli.present import confirmed, propose, receipt_text


@command("undo", example="aiwg-memory undo 20260131T080000Z-3f9c2a11d0e4")
@click.argument("receipt", metavar="RECEIPT")
@reviewer_option
@pass_app
def undo(app: App, receipt: str, reviewer: str | None) -> None:
    """Preview the inverse of what RECEIPT records; it is confirmed like every other change.

    RECEIPT is a name that `receipts list` shows, or an unambiguous beginning of it. An undo has a receipt too, and can
    be undone.
    """
    from aiwg_memory.workspace.undo import undo_request

    propose(app, undo_request(app.workspace, receipt, app.reviewer(reviewer)))


@command("recover", example="aiwg-memory recover\naiwg-memory recover --keep-mine .aiwg/wiki/storage.md")
@click.option("--keep-mine", metavar="PATH", help="Leave PATH as it is on disk now, and finish the rest.")
@click.option("--abandon", is_flag=True, help="Take back what the unfinished operation had made.")
@click.option("--drop", metavar="SINK", help="Close what is owed to SINK, with a receipt that says so.")
@reason_option
@reviewer_option
@pass_app
def recover(
    app: App, keep_mine: str | None, abandon: bool, drop: str | None, reason: str, reviewer: str | None
) -> None:
    """Finish what was interrupted, to exactly the old or exactly the new state.

    A file that a person edited in between is never overwritten: it is reported, and --keep-mine or --abandon
    settles it. What a confirmed operation still owes to a sink is delivered exactly as it was confirmed, by anyone with
    the repository; --drop closes it instead.
    """
    from aiwg_memory.core.paths import RepoPath
    from aiwg_memory.workspace.owing import owes

    if sum((keep_mine is not None, abandon, drop is not None)) > 1:
        raise click.UsageError("--keep-mine, --abandon and --drop exclude each other")
    journal = app.workspace.journal
    taken: list[str] = []
    if keep_mine is not None:
        done = journal.keep_mine(RepoPath(keep_mine), app.now)
    elif abandon:
        taken, done = journal.abandon(app.now)
    else:
        done = journal.recover(app.now)
        if drop is not None or owes(app.workspace):
            _settle(app, done, drop, reason, reviewer)
            return
    text = "".join(f"Taken back: {operation[:15]}, as if it had not been confirmed.\n" for operation in taken)
    text += "".join(receipt_text(app, record, False) for record in done)
    app.emit({"receipts": done, "abandoned": taken}, text or "Nothing was unfinished.\n")


def _settle(app: App, done: list[dict[str, Any]], drop: str | None, reason: str, reviewer: str | None) -> None:
    """Deliver what is owed, or drop one sink; a person's business, who is then named in ``delivered_by``."""
    from aiwg_memory.workspace.confirmation import Confirmation
    from aiwg_memory.workspace.delivering import deliver
    from aiwg_memory.workspace.delivering import drop as close
    from aiwg_memory.workspace.people import require_person

    require_person(app.workspace)
    by = app.reviewer(reviewer)
    owed: list[dict[str, Any]] = []
    if drop is not None:
        delivered = [close(app.workspace, drop, by, reason, app.now)]
    else:
        delivered, owed = deliver(app.workspace, by, app.now)
    receipts = (*done, *delivered)
    confirmed(app, Confirmation(receipts[0] if receipts else None, False, receipts, tuple(owed)))
