"""Canonical context: turn it on, set and renew values, go back, end them, carry them elsewhere."""

from __future__ import annotations

from typing import Any

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.options import delivery_option, reason_option, reviewer_option
from aiwg_memory.cli.present import propose
from aiwg_memory.cli.terminal import json_text, write
from aiwg_memory.errors import UsageError

_SCOPE = click.option("--scope", metavar="SCOPE", help="Of this scope: global (the default), path:DIR or project:ID.")
_EXPIRES = click.option("--expires", "expires_at", metavar="DATE", help="Not delivered from this day on; never.")
_REVIEW = click.option("--review-by", "review_at", metavar="DATE", help="Labelled stale from this day on; never.")
_ACKNOWLEDGE = click.option(
    "--acknowledge", "acknowledged", multiple=True, metavar="VERSION", help="Replace, or bring back, this one: v3."
)
_TARGET = click.option("--target", metavar="TARGET", help="Only this target, such as project-fact or decision.")


@click.group("canon", cls=Group)
def canon() -> None:
    """The project's current word on named keys, with every earlier word behind it."""


@canon.command("init", example="aiwg-memory canon init")
@reviewer_option
@pass_app
def init(app: App, reviewer: str | None) -> None:
    """Preview turning canonical context on in this workspace; until then no value can be set."""
    propose(app, app.request("canonical-context.init", {}, reviewer))


@canon.command("list", example="aiwg-memory canon list --target project-fact")
@_TARGET
@click.option("--all", "history", is_flag=True, help="Also keys that have no value any more.")
@pass_app
def list_(app: App, target: str | None, history: bool) -> None:
    """The keys and what they say, with what is not ordinary about them."""
    from aiwg_memory.workspace.canon import canon_line, canon_rows, unreadable

    for problem in unreadable(app.workspace):
        app.warn(problem)
    rows = app.settled(lambda: canon_rows(app.workspace, target, history=history))
    data = {"canonical": rows, "total": len(rows), "truncated": False}
    app.emit(data, "\n".join(map(canon_line, rows)) or "No canonical context.")


@canon.command("show", example="aiwg-memory canon show project-fact/catalog.engine")
@click.argument("key")
@_SCOPE
@pass_app
def show(app: App, key: str, scope: str | None) -> None:
    """One key as it stands, or one of its versions (KEY:v2)."""
    from aiwg_memory.core.screening import escape_invisible
    from aiwg_memory.workspace.canon import one_key

    found, number = one_key(app.workspace, key, scope)
    version = found.get(number or found.last) or {}
    head = f"{found.version_handle(version['version'])}  {version['status']}, {version['review']}"
    data = {"handle": found.place.handle, "target": found.place.target, "key": found.place.key, "version": version}
    app.emit(data, f"{head}\n{escape_invisible(version['value'])}")


@canon.command("history", example="aiwg-memory canon history project-fact/catalog.engine")
@click.argument("key")
@_SCOPE
@pass_app
def history(app: App, key: str, scope: str | None) -> None:
    """Every version of a key, newest first: what it said, who set it, how it ended."""
    from aiwg_memory.core.screening import escape_invisible
    from aiwg_memory.workspace.canon import one_key

    found, _ = one_key(app.workspace, key, scope)
    lines = []
    for one in found.versions:
        ended = one.get("disposition")
        lines.append(f"v{one['version']}  {one['status']}  {one['created_at']}  {one['reviewer']}")
        lines += [f"    {line}" for line in escape_invisible(one["value"]).split("\n")]
        if ended:
            why = f": {ended['reason']}" if ended.get("reason") else ""
            lines.append(f"    ended {ended['at']} by {ended['by']}{why}")
    data = {"handle": found.place.handle, "versions": list(found.versions)}
    app.emit(data, "\n".join(lines))


@canon.command("set", example='aiwg-memory canon set project-fact/catalog.engine "SQLite; PostgreSQL when hosted"')
@click.argument("key")
@click.argument("value", required=False)
@_SCOPE
@delivery_option
@click.option("--source", "sources", multiple=True, metavar="LOCATOR", help="Where it comes from; repeatable.")
@click.option("--classification", type=click.Choice(("public", "internal")), help="Who may see it.")
@_EXPIRES
@_REVIEW
@_ACKNOWLEDGE
@reason_option
@reviewer_option
@pass_app
def set_(app: App, key: str, value: str | None, scope: str | None, reviewer: str | None, **said: Any) -> None:
    """Preview VALUE (or standard input) as what KEY says from now on, as a new version.

    The same value with new dates or sources renews it. Another value needs --acknowledge vN, naming the version that
    gives way.
    """
    from aiwg_memory.cli.asking import bytes_from_stdin
    from aiwg_memory.workspace.canon import change_arguments
    from aiwg_memory.workspace.people import provenance
    from aiwg_memory.workspace.sources import resolve_sources

    try:
        text = value if value is not None else bytes_from_stdin("value").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("the value on standard input is not UTF-8", hint="convert it first") from error
    said["sources"] = resolve_sources(app.workspace, said["sources"])
    arguments = change_arguments(app.workspace, key, scope, {**said, "value": text})
    arguments["provenance"] = provenance(app.workspace)
    propose(app, app.request("canonical-context.set", arguments, reviewer))


@canon.command("rollback", example="aiwg-memory canon rollback project-fact/catalog.engine --to 1")
@click.argument("key")
@click.option("--to", type=click.IntRange(1), required=True, metavar="N", help="The version to say again.")
@_SCOPE
@_EXPIRES
@_REVIEW
@_ACKNOWLEDGE
@reason_option
@reviewer_option
@pass_app
def rollback(app: App, key: str, scope: str | None, reviewer: str | None, **said: Any) -> None:
    """Preview a new version that says what version N said; nothing of the history is lost."""
    from aiwg_memory.workspace.canon import change_arguments
    from aiwg_memory.workspace.people import provenance

    arguments = change_arguments(app.workspace, key, scope, said)
    arguments["provenance"] = provenance(app.workspace)
    propose(app, app.request("canonical-context.rollback", arguments, reviewer))


def _end(name: str, what: str) -> None:
    @canon.command(name, example=f"aiwg-memory canon {name} project-fact/catalog.engine", help=what)
    @click.argument("key")
    @_SCOPE
    @reason_option
    @reviewer_option
    @pass_app
    def decide(app: App, key: str, scope: str | None, reason: str, reviewer: str | None) -> None:
        from aiwg_memory.workspace.canon import change_arguments, one_key

        _, version = one_key(app.workspace, key, scope)
        arguments = change_arguments(app.workspace, key, scope, {"reason": reason, "version": version})
        propose(app, app.request(f"canonical-context.{name}", arguments, reviewer))


_end("archive", "End a value that is of no more use; its history stays.")
_end("revoke", "Withdraw a value, or one of its versions (KEY:v2), that turned out wrong; its history stays.")


@canon.command("export", example="aiwg-memory canon export > values.json")
@_TARGET
@pass_app
def export(app: App, target: str | None) -> None:
    """The values that stand, as one JSON bundle for `canon import`."""
    from aiwg_memory.workspace.canon import exported

    found = exported(app.workspace, target)
    if app.json:
        app.emit({"bundle": found}, "")
    else:
        write(json_text(found))


@canon.command("import", example="aiwg-memory canon import values.json")
@click.argument("file")
@click.option("--allow-cross-workspace", "foreign", is_flag=True, help="Take in what another workspace exported.")
@click.option("--acknowledge", "acknowledged", multiple=True, metavar="VERSION", help="Replace this one: ctx:…:v3.")
@reviewer_option
@pass_app
def import_(app: App, file: str, foreign: bool, acknowledged: tuple[str, ...], reviewer: str | None) -> None:
    """Preview what FILE (- for standard input) brings; ids are made again, and every value is pending at first.

    A value that differs from one that stands here is listed, and taken only with --acknowledge.
    """
    from aiwg_memory.cli.asking import bytes_from_stdin
    from aiwg_memory.workspace.canon import bundle_bytes, import_arguments

    data = bytes_from_stdin("bundle") if file == "-" else bundle_bytes(app.workspace, app.directory, file)
    arguments, inputs = import_arguments(data, acknowledged, foreign=foreign)
    propose(app, app.request("canonical-context.import", arguments, reviewer, inputs))
