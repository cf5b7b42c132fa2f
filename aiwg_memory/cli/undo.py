"""The way back from what was confirmed, and out of what was interrupted."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import reviewer_option
from aiwg_memory.cli.present import propose, receipt_text


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
@pass_app
def recover(app: App, keep_mine: str | None, abandon: bool) -> None:
    """Finish what was interrupted, to exactly the old or exactly the new state.

    A file that a person edited in between is never overwritten: it is reported, and --keep-mine or --abandon
    settles it.
    """
    from aiwg_memory.core.paths import RepoPath

    if keep_mine is not None and abandon:
        raise click.UsageError("--keep-mine and --abandon exclude each other")
    journal = app.workspace.journal
    if keep_mine is not None:
        done = journal.keep_mine(RepoPath(keep_mine), app.now)
    elif abandon:
        done = journal.abandon(app.now)
    else:
        done = journal.recover(app.now)
    text = "".join(receipt_text(app, record, False) for record in done) or "Nothing was unfinished.\n"
    app.emit({"receipts": done}, text)
