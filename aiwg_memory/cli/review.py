"""The queue: look at it, decide about one, edit it as a whole, promote what was accepted."""

from __future__ import annotations

from typing import Any

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import classification_option, reason_option, reviewer_option, scope_option
from aiwg_memory.cli.present import propose

acknowledge_option = click.option(
    "--acknowledge", "acknowledged", multiple=True, metavar="NAME", help="A warning you have looked at, by its name."
)


@command("review", example="aiwg-memory review --limit 10\naiwg-memory review --edit")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="At most this many.")
@click.option("--type", "kind", metavar="TYPE", help="Only candidates of this type.")
@click.option("--edit", is_flag=True, help="Open these in your editor, as the final state of the batch.")
@acknowledge_option
@reason_option
@reviewer_option
@pass_app
def review(
    app: App, limit: int, kind: str | None, edit: bool, acknowledged: tuple[str, ...], reason: str, reviewer: str | None
) -> None:
    """What waits for a decision, oldest first: the inbox of this machine and what was shared.

    With --edit they are a sheet: keep, accept, reject, defer, put them in other words, make one of several; then there
    is one diff and one confirmation. An editor that fails, or a sheet that cannot be read, changes nothing.
    """
    from aiwg_memory.workspace.addons import PACKS, require
    from aiwg_memory.workspace.candidates import candidate_rows

    require(app.workspace.addons, PACKS, "there is no review")
    rows, total = app.settled(lambda: candidate_rows(app.workspace, ("pending",), limit, kind))
    if edit and rows:
        _edit(app, rows, acknowledged, reason, reviewer)
        return
    lines = [line for row in rows for line in row_lines(row)]
    if total > len(rows):
        lines.append(f"… and {total - len(rows)} more; --limit shows more")
    data = {"candidates": rows, "total": total, "truncated": total > len(rows)}
    app.emit(data, "\n".join(lines) or "Nothing waits for a decision.")


def row_lines(row: dict[str, Any]) -> list[str]:
    """A candidate for a person: what a decision names, what it says, what it rests on, what to look out for."""
    from aiwg_memory.core.quoting import one_line
    from aiwg_memory.workspace.candidates import shown_id

    text = one_line(row["assertion"]) if row["assertion"] else "(the text is gone)"
    said = [row["type"], *(one for one in (row["state"],) if one != "pending")]
    said += [row[name] for name, usual in (("scope", "global"), ("classification", "internal")) if row[name] != usual]
    rests = ", ".join(_cited(row, one) for one in row["evidence"])
    lines = [
        f"{shown_id(row)}  {', '.join(said)}",
        f"  {text}",
        f"  by {row['proposed_by']}; rests on {rests or 'nothing'}",
    ]
    if row["warnings"]:
        undecided = row["state"] in ("pending", "deferred")
        lines.append(f"  {'to accept it, acknowledge' if undecided else 'warned of'}: {', '.join(row['warnings'])}")
    if row["unreviewable"]:
        lines.append("  cannot be reviewed here: this version keeps no sessions; reject or defer it")
    lines += [f"  decided differently on two branches: {len(row['fork'])} versions"] if row["fork"] else []
    return lines


def _cited(row: dict[str, Any], one: dict[str, Any]) -> str:
    """A piece of evidence, and of lines of a file how they stand."""
    from aiwg_memory.workspace.candidates import lines_stand

    name: str = one["ref"] + (f"#{one['span']}" if one["span"] else "")
    how = lines_stand(row, one)
    return f"{name} ({how})" if how else name


def _edit(app: App, rows: list[Any], acknowledged: tuple[str, ...], reason: str, reviewer: str | None) -> None:
    from aiwg_memory.cli.sheet import edited_batch
    from aiwg_memory.workspace.candidates import batch_arguments

    entries = edited_batch(app, rows)
    if not entries:
        app.emit({"candidates": [], "total": 0, "truncated": False}, "The sheet is empty: nothing was changed.")
        return
    arguments = batch_arguments(app.workspace, rows, entries, acknowledged, reason)
    propose(app, app.request("candidate.review", arguments, reviewer))


def _decision(name: str, what: str) -> Any:
    @command(name, example=f"aiwg-memory {name} cand_3f9c2a11d0e4a5b6@1:9b1c2d3e4f5a")
    @click.argument("ids", nargs=-1, required=True, metavar="ID...")
    @acknowledge_option
    @reason_option
    @reviewer_option
    @pass_app
    def decide(
        app: App, ids: tuple[str, ...], acknowledged: tuple[str, ...], reason: str, reviewer: str | None
    ) -> None:
        from aiwg_memory.workspace.candidates import decision_arguments

        if name != "accept" and acknowledged:
            raise click.UsageError("--acknowledge belongs to accept")
        arguments = decision_arguments(app.workspace, name, ids, reason, acknowledged)
        propose(app, app.request(f"candidate.{name}", arguments, reviewer))

    decide.help = f"{what}\n\nID is what `review` shows: with @version:fingerprint only what you saw is decided about."
    return decide


accept = _decision("accept", "Accept candidates. Accepting promotes nothing: `promote` is a decision of its own.")
reject = _decision("reject", "Reject candidates. Their texts are deleted, and are not proposed again.")
defer = _decision("defer", "Put candidates off; they leave the queue, and can be accepted or reopened.")


@command("promote", example="aiwg-memory promote cand_3f9c2a11d0e4a5b6 --to line-memory --to wiki:storage/hosted.md")
@click.argument("name", metavar="ID")
@click.option(
    "--to", "places", multiple=True, required=True, metavar="SINK", help="line-memory, wiki[:PATH], …; repeatable."
)
@scope_option
@classification_option
@acknowledge_option
@reason_option
@reviewer_option
@pass_app
def promote(app: App, name: str, places: tuple[str, ...], reviewer: str | None, **options: Any) -> None:
    """Preview what an accepted candidate becomes: a fact, a page, canonical context, each with its own receipt.

    Sinks are line-memory, wiki[:PATH] and canonical-context:TARGET/KEY. One that fails leaves the others standing, and
    `recover` delivers it later, exactly as you confirmed it.
    """
    from aiwg_memory.workspace.candidates import promotion_arguments

    arguments = promotion_arguments(app.workspace, name, places, options)
    propose(app, app.request("candidate.promote", arguments, reviewer))
