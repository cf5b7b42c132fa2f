"""Lineage: where something comes from, what rests on it, and withdrawing a source with all of that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.options import reason_option, reviewer_option
from aiwg_memory.cli.present import propose

_ACTIONS = ("retain", "revoke", "supersede", "origin-unavailable", "delete")


@click.group("lineage", cls=Group)
def lineage() -> None:
    """Show what something rests on and what rests on it; withdraw a source."""


@lineage.command("show", example="aiwg-memory lineage show lm_3f9c2a11")
@click.argument("name", metavar="HANDLE")
@pass_app
def show(app: App, name: str) -> None:
    """Two trees: what HANDLE rests on, back to the bytes of its sources, and what rests on it.

    HANDLE may also be a digest, a source's locator or the path of a file.
    """
    from aiwg_memory.workspace.lineage import show as told_of

    told = told_of(app.workspace, name)
    rows = [_line(one) for one in told["roots"]]
    for key, title in (("rests_on", "rests on"), ("resting", "what rests on it")):
        rows += ["", f"{title}:"] if told[key] else ["", f"{title}: nothing"]
        rows += [f"{'  ' * one['depth']}{_line(one)}{'  (above)' if one['again'] else ''}" for one in told[key]]
    app.emit(told, "\n".join(rows))


@lineage.command("affected", example="aiwg-memory lineage affected docs/import.md")
@click.argument("source", metavar="SOURCE")
@pass_app
def affected(app: App, source: str) -> None:
    """Everything that rests on SOURCE, however far: a locator, a handle, a digest or the path of a file."""
    from aiwg_memory.workspace.lineage import affected as told_of

    told = told_of(app.workspace, source)
    rows = [f"{one['depth']}  {_line(one)}  (by {one['via']})" for one in told["affected"]]
    app.emit(told, "\n".join(rows) or "Nothing rests on it.")


@lineage.command("revoke", example="aiwg-memory lineage revoke docs/import.md --action revoke --for lm_3f9c2a11=retain")
@click.argument("source", metavar="SOURCE")
@click.option("--action", type=click.Choice(_ACTIONS), required=True, help="What becomes of whatever rests on it.")
@click.option(
    "--for", "exceptions", multiple=True, metavar="HANDLE=ACTION",
    help="Another action for one of them; supersede is written supersede:REPLACEMENT. Repeatable.",
)  # fmt: skip
@reason_option
@reviewer_option
@pass_app
def revoke(app: App, source: str, action: str, exceptions: tuple[str, ...], reason: str, reviewer: str | None) -> None:
    """Withdraw SOURCE: preview what becomes of everything that rests on it, as one operation.

    The source itself is revoked; its bytes go only with --action delete, or --for SOURCE=delete. What is retained
    says who kept it and why, and is delivered with a label.
    """
    from aiwg_memory.workspace.lineage import revoke_arguments

    arguments = revoke_arguments(app.workspace, source, action, exceptions, reason)
    propose(app, app.request("lineage.revoke", arguments, reviewer))


@lineage.command("reanchor", example="aiwg-memory lineage reanchor")
@click.argument("handles", nargs=-1, metavar="[HANDLE]...")
@reason_option
@reviewer_option
@pass_app
def reanchor(app: App, handles: tuple[str, ...], reason: str, reviewer: str | None) -> None:
    """Follow cited lines of files to where they are now: in the same file, or in the one it was renamed to.

    Only lines that are word for word what was cited are followed; what was rewritten is for a person to judge.
    """
    from aiwg_memory.workspace.anchors import reanchor_request

    propose(app, reanchor_request(app.workspace, handles, reason, app.reviewer(reviewer)))


def _line(one: Mapping[str, Any]) -> str:
    said = one["path"] or (f"“{one['text']}”" if one["text"] else "")
    if not one["shown"]:
        said = f"({one['classification']}, {one['digest'][7:19] or 'gone'})"
    state = "" if one["status"] in ("active", "accepted", "pending") else f"  [{one['status'].replace('_', ' ')}]"
    return f"{one['handle']}  {one['layer']}{state}{'  ' + said if said else ''}"
