"""What was delivered, and why; and whether it can be built again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from aiwg_memory.cli.app import App, Group, command, pass_app
from aiwg_memory.cli.terminal import write


@command("explain", example="aiwg-memory explain\naiwg-memory explain pack_3f9c2a11")
@click.argument("pack", metavar="PACK", required=False)
@click.option("--codes", is_flag=True, help="What every reason and every code means, instead of a pack.")
@pass_app
def explain(app: App, pack: str | None, codes: bool) -> None:
    """What the pack PACK, or the last one, held and left out, with ranks, scores and reasons."""
    if codes and pack is not None:
        raise click.UsageError("give PACK, as a pack's first line names it, or --codes, not both")
    if codes:
        from aiwg_memory.core.codes import MEANINGS

        app.emit({"codes": MEANINGS}, "\n".join(f"{code:20} {said}" for code, said in MEANINGS.items()))
        return
    from aiwg_memory.core.deliveries import explain as told
    from aiwg_memory.workspace.deliveries import delivered

    record = delivered(app.workspace, pack)
    app.emit({"delivery": dict(record)}, told(record))


@command("why", example="aiwg-memory why lm_3f9c2a11d0e4b7a6\naiwg-memory why storage/catalog.md#L14")
@click.argument("handle")
@click.option("--pack", metavar="PACK", help="In this pack instead of the last one.")
@pass_app
def why(app: App, handle: str, pack: str | None) -> None:
    """Why an item was in, or was left out of, the last pack: layer, scope, review, budget, rank.

    HANDLE is a handle, a locator as a pack or `search` prints it, a page (then all its passages), or an unambiguous
    beginning of a handle. `explain --codes` says what the reasons mean.
    """
    from aiwg_memory.workspace.reasons import reasons

    told = reasons(app.workspace, handle, pack)
    text = "\n".join(line for each in told for line in _why_lines(each))
    app.emit(told[0] | ({"others": told[1:]} if len(told) > 1 else {}), text)


def _why_lines(told: Mapping[str, Any]) -> list[str]:
    from aiwg_memory.core.codes import meaning

    name = told["locator"] if told["locator"] == told["handle"] else f"{told['locator']} ({told['handle']})"
    said = meaning(told["reason"])
    lines = [f"{name} in {told['pack'][:17]}: {told['decision']}, {told['reason']}" + (f": {said}" if said else "")]
    keys = ("section", "layer", "scope", "review", "rank", "score")
    return lines + [f"  {key} {told[key]}" for key in keys if told.get(key) is not None]


@click.group("pack", cls=Group)
def pack() -> None:
    """Show a delivered pack again, or verify that it reproduces."""


@pack.command("show", example="aiwg-memory pack show pack_3f9c2a11")
@click.argument("name", metavar="PACK", required=False)
@pass_app
def show(app: App, name: str | None) -> None:
    """Build PACK, or the last one, again from the tree it named and print it; what is withheld by now is left out."""
    from aiwg_memory.workspace.verifying import rebuild

    built = rebuild(app.workspace, name or _last(app))
    if app.json:
        app.emit({"pack": built.to_json(), "text": built.text}, "")
    else:
        write(built.text)


@pack.command("verify", example="aiwg-memory pack verify pack_3f9c2a11")
@click.argument("name", metavar="PACK", required=False)
@pass_app
def verify(app: App, name: str | None) -> None:
    """Whether PACK, or the last one, comes out the same built again from the tree it named; exit 1 when not."""
    from aiwg_memory.workspace.verifying import verify as run

    told = run(app.workspace, name or _last(app))
    app.status = 0 if told["verdict"] == "match" else 1
    app.emit(told, f"{told['id']}: {told['verdict']}" + (f" ({told['why']})" if told["why"] else ""))


def _last(app: App) -> str:
    from aiwg_memory.workspace.deliveries import delivered

    return str(delivered(app.workspace, None)["pack"])
