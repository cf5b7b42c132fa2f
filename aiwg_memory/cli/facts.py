"""Facts: add them, look at them, judge them, retire them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from aiwg_memory.cli.app import App, Group, command, pass_app
from aiwg_memory.cli.options import (
    classification_option,
    delivery_option,
    expires_option,
    kind_option,
    lifecycle_option,
    reason_option,
    redact_option,
    review_by_option,
    reviewer_option,
    scope_option,
)
from aiwg_memory.cli.present import propose
from aiwg_memory.core.dimensions import PROVENANCES

_SOURCE = click.option("--source", "sources", multiple=True, metavar="LOCATOR", help="Where it comes from; repeatable.")
_ACKNOWLEDGE = click.option(
    "--acknowledge",
    "acknowledged",
    multiple=True,
    metavar="HANDLE",
    help="Bring this fact back although it was ended; repeatable.",
)


@command(
    "add",
    example='aiwg-memory add "Releases are cut from the stable branch." --source docs/release.md\n'
    "aiwg-memory add < facts.txt",
)
@click.argument("texts", nargs=-1, metavar="[FACT]...")
@_SOURCE
@scope_option
@delivery_option
@kind_option
@classification_option
@expires_option
@review_by_option
@redact_option
@_ACKNOWLEDGE
@reason_option
@reviewer_option
@pass_app
def add(app: App, texts: tuple[str, ...], **options: Any) -> None:
    """Preview one or more facts, each one line; without FACT, or with -, one a line from standard input.

    At most 1,000 at once. A fact that is already known gets the new source.
    Use -- before a fact that begins with a dash.
    """
    from aiwg_memory.cli.asking import fact_arguments, lines_from_stdin

    _look_at_words(app, texts)
    texts = lines_from_stdin("a fact") if texts in ((), ("-",)) else texts
    arguments = {"texts": list(texts), **fact_arguments(app, options)}
    request = app.request("line-memory.add", arguments, options["reviewer"])
    propose(app, request, edit=_edit_texts)


def _look_at_words(app: App, texts: tuple[str, ...]) -> None:
    """Several arguments of one word are mostly one fact without its quotes."""
    from aiwg_memory.core.ranking.text import is_dense

    words = [text for text in texts if len(text.split()) == 1 and not is_dense(text.strip())]
    if len(words) > 1:
        app.warn(
            f"{len(words)} of these facts are one word each, such as {words[0]!r} and {words[1]!r}; "
            "a fact of several words stands in quotes"
        )


def _edit_texts(request: Any) -> Any:
    from dataclasses import replace

    from aiwg_memory.cli.asking import edited

    text = edited("".join(line + "\n" for line in request.arguments["texts"]), ".txt")
    lines = [line for line in (text or "").split("\n") if line.strip()]
    return replace(request, arguments={**request.arguments, "texts": lines}) if lines else None


@click.group("facts", cls=Group)
def facts() -> None:
    """List, show, adopt, judge, retire and merge facts."""


@facts.command("list", example="aiwg-memory facts list --review pending")
@lifecycle_option
@click.option("--review", type=click.Choice(("confirmed", "pending", "rejected")), help="Only this verdict.")
@click.option("--scope", metavar="SCOPE", help="Only this scope.")
@click.option("--delivery", type=click.Choice(("always", "retrieved", "on_demand")), help="Only this delivery.")
@kind_option
@click.option("--provenance", type=click.Choice(PROVENANCES), help="Only what was written so.")
@click.option("--limit", type=click.IntRange(1, 100000), default=200, show_default=True, help="At most this many.")
@pass_app
def list_(app: App, lifecycle: str | None, limit: int, **wanted: str | None) -> None:
    """The facts, by time and handle; a line each with what is not ordinary about it."""
    from aiwg_memory.workspace.facts import fact_line, fact_rows

    asked = {key: each for key, each in wanted.items() if each}
    shown, total = app.settled(lambda: fact_rows(app.workspace, lifecycle=lifecycle, wanted=asked, limit=limit))
    rows = [fact_line(row) for row in shown]
    if total > len(shown):
        rows.append(f"… and {total - len(shown)} more; --limit shows more")
    data = {"facts": shown, "total": total, "truncated": total > len(shown)}
    app.emit(data, "\n".join(rows) or "No facts.")


@facts.command("show", example="aiwg-memory facts show lm_3f9c2a11")
@click.argument("handle")
@pass_app
def show(app: App, handle: str) -> None:
    """One fact: its text, its dimensions, its sources and every version of its record."""
    from aiwg_memory.cli.records import fact_text
    from aiwg_memory.workspace.facts import fact_history

    told = app.settled(lambda: fact_history(app.workspace, handle))
    app.emit(told, fact_text(told))


@facts.command("search", example='aiwg-memory facts search "release branch"')
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 200), default=10, show_default=True, help="At most this many.")
@pass_app
def search(app: App, query: tuple[str, ...], limit: int) -> None:
    """Ranked facts for some words; nothing is touched by looking."""
    from aiwg_memory.cli.search import run

    run(app, " ".join(query), limit, "facts")


@facts.command("adopt", example="aiwg-memory facts adopt")
@click.argument("handles", nargs=-1, metavar="[HANDLE]...")
@_SOURCE
@scope_option
@delivery_option
@kind_option
@classification_option
@_ACKNOWLEDGE
@reason_option
@reviewer_option
@pass_app
def adopt(app: App, handles: tuple[str, ...], **options: Any) -> None:
    """Give records to facts typed by hand, and recognise edits of known ones; all of them without HANDLE.

    Facts are typed into .aiwg/memory/line-memory.txt, one a line.
    """
    from aiwg_memory.cli.asking import fact_arguments
    from aiwg_memory.workspace.facts import full_handles

    arguments = fact_arguments(app, options)
    if handles:
        arguments["handles"] = full_handles(app.workspace, handles)
    propose(app, app.request("line-memory.adopt", arguments, options["reviewer"]))


def _decision(name: str, what: str, *more: Callable[[Any], Any]) -> None:
    """One command that takes one decision about each of some facts, with ``more`` options."""

    @facts.command(name, example=f"aiwg-memory facts {name} lm_3f9c2a11", help=what)
    @click.argument("handles", nargs=-1, required=True, metavar="HANDLE...")
    @reason_option
    @reviewer_option
    @pass_app
    def decide(
        app: App, handles: tuple[str, ...], reason: str, reviewer: str | None, acknowledged: tuple[str, ...] = ()
    ) -> None:
        from aiwg_memory.workspace.facts import decision_arguments, full_handles

        arguments = decision_arguments(app.workspace, name, handles, reason)
        arguments |= {"acknowledged": full_handles(app.workspace, acknowledged)} if acknowledged else {}
        propose(app, app.request(f"line-memory.{name}", arguments, reviewer))

    for option in more:
        option(decide)


_decision("confirm", "Your verdict: this is so.")
_decision("reject", "Your verdict: this is not so; it is not delivered any more.")
_decision(
    "restore", "Bring a fact back from a verdict or from history, with its text while that can be found.", _ACKNOWLEDGE
)
_decision("archive", "Retire facts that are no longer of use; a record without the text stays.")
_decision("remove", "Remove facts that should not have been there; a record without the text stays.")
_decision("revoke", "Withdraw facts that turned out wrong; a record without the text stays.")


@facts.command("supersede", example='aiwg-memory facts supersede lm_3f9c2a11 "Releases are cut every second Tuesday."')
@click.argument("handle")
@click.argument("text", required=False)
@click.option("--by", metavar="HANDLE", help="A fact or canonical value (ctx:…) that is there, instead of a text.")
@_SOURCE
@_ACKNOWLEDGE
@reason_option
@reviewer_option
@pass_app
def supersede(app: App, handle: str, text: str | None, by: str | None, **options: Any) -> None:
    """Put a new text, or a fact or canonical value that is there, in the place of an old fact."""
    from aiwg_memory.cli.asking import fact_arguments
    from aiwg_memory.workspace.facts import decision_arguments, full_handles

    if (text is None) == (by is None):
        raise click.UsageError("give either a text or --by HANDLE")
    arguments = decision_arguments(app.workspace, "supersede", (handle,), options["reason"])
    if by is not None and by.startswith("ctx:"):
        arguments["replacement"] = by
        propose(app, app.request("line-memory.supersede-by", arguments, options["reviewer"]))
        return
    arguments |= fact_arguments(app, options)
    arguments |= {"texts": [text]} if text is not None else {"replacement": full_handles(app.workspace, (by or "",))[0]}
    propose(app, app.request("line-memory.supersede", arguments, options["reviewer"]))


@facts.command("merge", example='aiwg-memory facts merge lm_3f9c2a11 lm_77aa88bb --into "Both in one sentence."')
@click.argument("handles", nargs=-1, required=True, metavar="HANDLE HANDLE...")
@click.option("--into", "text", required=True, metavar="TEXT", help="The one text they become.")
@click.option("--scope", metavar="SCOPE", help="Needed where they differ.")
@click.option("--delivery", type=click.Choice(("always", "retrieved", "on_demand")), help="Needed where they differ.")
@kind_option
@_ACKNOWLEDGE
@reason_option
@reviewer_option
@pass_app
def merge(app: App, handles: tuple[str, ...], text: str, **options: Any) -> None:
    """Make one fact of several; it names them as its parents."""
    from aiwg_memory.cli.asking import fact_arguments
    from aiwg_memory.workspace.facts import decision_arguments

    arguments = decision_arguments(app.workspace, "merge", handles, options["reason"])
    arguments |= {"texts": [text], **fact_arguments(app, options)}
    propose(app, app.request("line-memory.merge", arguments, options["reviewer"]))


@facts.command("resolve", example="aiwg-memory facts resolve lm_3f9c2a11 --keep 4f0c9a527d1e")
@click.argument("handle")
@click.option("--keep", required=True, metavar="DIGEST", help="The beginning of the digest of the version that stands.")
@reason_option
@reviewer_option
@pass_app
def resolve(app: App, handle: str, keep: str, reason: str, reviewer: str | None) -> None:
    """Settle what was decided differently on two branches; `facts show` lists the versions."""
    from aiwg_memory.workspace.facts import resolution_arguments

    arguments = resolution_arguments(app.workspace, handle, keep, reason)
    propose(app, app.request("line-memory.resolve", arguments, reviewer))


@command("forget", example="aiwg-memory forget lm_3f9c2a11")
@click.argument("handles", nargs=-1, required=True, metavar="HANDLE...")
@reason_option
@reviewer_option
@pass_app
def forget(app: App, handles: tuple[str, ...], reason: str, reviewer: str | None) -> None:
    """Preview the erasure of a text in every file this tool keeps; its digests stay, so the chain still verifies.

    Git history is not rewritten: the commits that still hold the text are listed.
    """
    from aiwg_memory.workspace.forgetting import forget_request, still_held

    request = forget_request(app.workspace, handles, reason, app.reviewer(reviewer))
    propose(app, request, notes=still_held(app.workspace, request))
