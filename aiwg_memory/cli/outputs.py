"""Outputs: register them with the pack they were made with, look at them, verify both."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.options import reason_option, reviewer_option
from aiwg_memory.cli.present import propose
from aiwg_memory.cli.terminal import json_text


@click.group("outputs", cls=Group)
def outputs() -> None:
    """Register outputs with the pack they were made with; list and verify them."""


@outputs.command("register", example="aiwg-memory outputs register output/report.md --pack pack_3f9c2a11")
@click.argument("file")
@click.option("--pack", "pack", required=True, metavar="PACK", help="The pack it was made with, by its id.")
@click.option("--supersedes", multiple=True, metavar="OUTPUT", help="An output it takes the place of; repeatable.")
@click.option("--conflicts", multiple=True, metavar="OUTPUT", help="An output it disagrees with; repeatable.")
@click.option("--no-task", is_flag=True, help="Keep the words of the task out; then only this machine can verify.")
@reason_option
@reviewer_option
@pass_app
def register(
    app: App,
    file: str,
    pack: str,
    supersedes: tuple[str, ...],
    conflicts: tuple[str, ...],
    no_task: bool,
    reason: str,
    reviewer: str | None,
) -> None:
    """Preview a record of FILE: its digest, its pack, and what that pack held. FILE is left as it is.

    Registering promotes nothing, and an output is never retrieved. The task of the pack is recorded with it, so that
    anyone with the repository can build the pack again.
    """
    from aiwg_memory.workspace.outputs import full_ids, register_arguments

    arguments = register_arguments(app.workspace, app.directory, file, pack, keep_task=not no_task)
    related = {"supersedes": supersedes, "conflicts_with": conflicts}
    arguments |= {name: sorted(set(full_ids(app.workspace, given))) for name, given in related.items() if given}
    arguments |= {"reason": reason} if reason else {}
    propose(app, app.request("output.register", arguments, reviewer))


@outputs.command("list", example="aiwg-memory outputs list")
@click.option("--all", "history", is_flag=True, help="Also those that were superseded or ended.")
@pass_app
def list_(app: App, history: bool) -> None:
    """The registered outputs by time, and the files of the output folders that no pack is named for."""
    from aiwg_memory.workspace.outputs import output_rows

    rows, loose, more = app.settled(lambda: output_rows(app.workspace, history=history))
    lines = [f"{row['handle'][:12]}  {row['path']}  {row['pack']['id'][:17]}{_said(row)}" for row in rows]
    lines += [f"{'unlinked':12}  {path}" for path in loose] + (["… and more unlinked files"] if more else [])
    data = {"outputs": rows, "unlinked": loose, "total": len(rows), "truncated": more}
    app.emit(data, "\n".join(lines) or "No outputs.")


def _said(row: dict[str, str]) -> str:
    said = [row[key] for key, usual in (("status", "active"), ("file", "unchanged")) if row[key] != usual]
    return f"  [{', '.join(said)}]" if said else ""


@outputs.command("show", example="aiwg-memory outputs show out_3f9c2a11")
@click.argument("output")
@pass_app
def show(app: App, output: str) -> None:
    """One output: its file, its pack, what that pack held, and every version of its record."""
    from aiwg_memory.workspace.outputs import output_history

    told = output_history(app.workspace, output)
    app.emit(told, json_text(told))


@outputs.command("verify", example="aiwg-memory outputs verify")
@click.argument("names", nargs=-1, metavar="[OUTPUT]...")
@pass_app
def verify(app: App, names: tuple[str, ...]) -> None:
    """Which files changed or vanished, and which packs no longer come out the same; exit 1 when there is one."""
    from aiwg_memory.workspace.outputs import verify_outputs

    rows = verify_outputs(app.workspace, names)
    app.status = int(any((row["file"], row["verdict"]) != ("unchanged", "match") for row in rows))
    lines = [
        f"{row['handle'][:12]}  {row['path']}: file {row['file']}; pack {row['pack'][:17]} {row['verdict']}"
        + (f" ({row['why']})" if row["why"] else "")
        for row in rows
    ]
    data = {"outputs": rows, "total": len(rows), "truncated": False}
    app.emit(data, "\n".join(lines) or "No outputs.")


def _end(name: str, what: str) -> None:
    @outputs.command(name, example=f"aiwg-memory outputs {name} out_3f9c2a11", help=what)
    @click.argument("names", nargs=-1, required=True, metavar="OUTPUT...")
    @reason_option
    @reviewer_option
    @pass_app
    def decide(app: App, names: tuple[str, ...], reason: str, reviewer: str | None) -> None:
        from aiwg_memory.workspace.outputs import end_arguments

        arguments = end_arguments(app.workspace, names, reason)
        propose(app, app.request(f"output.{name}", arguments, reviewer))


_end("archive", "End a registration that is of no more use; the file stays.")
_end("revoke", "Withdraw an output that turned out wrong; the file stays, the record says so.")
