"""Maintenance: one preview of everything that time brings about."""

from __future__ import annotations

from typing import Any

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import reviewer_option
from aiwg_memory.cli.present import propose

KINDS = (
    "prune", "expire", "reanchor", "gather",
    "review", "orphan", "contradiction", "fork", "owed", "evidence", "standing",
)  # fmt: skip


@command("maintain", example="aiwg-memory maintain\naiwg-memory maintain --only gather")
@click.option("--only", multiple=True, type=click.Choice(KINDS), help="Only this kind; repeatable.")
@click.option("--skip", multiple=True, type=click.Choice(KINDS), help="Not this kind; repeatable.")
@reviewer_option
@pass_app
def maintain(app: App, only: tuple[str, ...], skip: tuple[str, ...], reviewer: str | None) -> None:
    """Preview what should be archived, expired, followed and gathered, a line each, and what a person should look at.

    prune, expire, reanchor (cited lines that stand elsewhere now) and gather are done by confirming; the others only
    say what is there: review dates that are past, pages nothing leads to, contradictions (callouts `[!contradiction]`
    in pages; values that disagree are shown in packs), forks, what is owed, evidence that changed, too much standing
    memory.
    """
    from aiwg_memory.workspace.maintaining import maintenance_request

    request = maintenance_request(app.workspace, only, skip, app.reviewer(reviewer))
    propose(app, request, edit=lambda asked: _edit(app, asked))


def _edit(app: App, asked: Any) -> Any:
    from aiwg_memory.cli.asking import edited
    from aiwg_memory.workspace.maintaining import render_steps, without_deleted

    plan = app.mutations.plan(asked)
    text = edited(render_steps(plan), ".txt")
    return without_deleted(asked, plan, text) if text is not None else None
