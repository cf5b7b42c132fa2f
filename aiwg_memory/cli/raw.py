"""Raw evidence: what was kept, and its end."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.options import reason_option, reviewer_option
from aiwg_memory.cli.present import propose


@click.group("raw", cls=Group)
def raw() -> None:
    """List raw evidence, and end what should not be kept or relied on."""


@raw.command("list", example="aiwg-memory raw list")
@pass_app
def list_(app: App) -> None:
    """The raw copies with the sources they are copies of."""
    from aiwg_memory.addons.llm_wiki.sources import read_evidence

    versions = [head.current for _, head in sorted(read_evidence(app.workspace.tree).heads.items())]
    rows = [f"{each.handle}  {each.text('name')}  {each.status}" for each in versions]
    data = {"raw": [dict(each.value) for each in versions], "total": len(versions), "truncated": False}
    app.emit(data, "\n".join(rows) or "No raw evidence.")


def _decision(name: str, verb: str, what: str) -> None:
    """One command that ends some raw copies in one way."""

    @raw.command(name, example=f"aiwg-memory raw {name} raw_3f9c2a11d0e4b7a6", help=what)
    @click.argument("names", nargs=-1, required=True, metavar="RAW...")
    @reason_option
    @reviewer_option
    @pass_app
    def decide(app: App, names: tuple[str, ...], reason: str, reviewer: str | None) -> None:
        from aiwg_memory.workspace.pages import raw_target

        arguments: dict[str, object] = {"raw": [raw_target(app.workspace, each) for each in dict.fromkeys(names)]}
        arguments |= {"reason": reason} if reason else {}
        propose(app, app.request(f"wiki.{verb}", arguments, reviewer))


_decision("remove", "remove-raw", "Remove copies that should not have been kept; a record without the bytes stays.")
_decision("revoke", "revoke-raw", "Withdraw copies that turned out wrong; a record without the bytes stays.")
_decision("origin-gone", "origin-unavailable", "Note that the source itself is no longer there; the copy stays.")
