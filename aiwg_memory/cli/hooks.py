"""The git hook that checks what is staged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aiwg_memory.cli.app import App, Group, pass_app

if TYPE_CHECKING:
    from aiwg_memory.repo.hooks import Hook


@click.group("hooks", cls=Group)
def hooks() -> None:
    """The git hook that checks what is staged of the memory before every commit.

    It lies beside whatever hook is there, starts no program unless something of ours is staged, and stages nothing.
    install and uninstall act at once, without a preview: they change git's own hook file and nothing that is stored.
    """


@hooks.command("install", example="aiwg-memory hooks install")
@pass_app
def install(app: App) -> None:
    """Put our lines into the pre-commit hook, or renew them."""
    from aiwg_memory.workspace import hooks as work

    _show(app, work.install(app.workspace))


@hooks.command("uninstall", example="aiwg-memory hooks uninstall")
@pass_app
def uninstall(app: App) -> None:
    """Take our lines out again; the hook that was there is as it was, byte for byte."""
    from aiwg_memory.workspace import hooks as work

    _show(app, work.uninstall(app.workspace))


@hooks.command("status", example="aiwg-memory hooks status")
@pass_app
def status(app: App) -> None:
    """Whether the hook is there, up to date, and what else is in it."""
    from aiwg_memory.workspace import hooks as work

    _show(app, work.look(app.workspace))


_OTHERS = {
    "none": "nothing else",
    "shell": "another hook's lines, which run after ours",
    "chained": "another hook, in a file of its own, which runs after ours",
}


def _show(app: App, hook: Hook) -> None:
    state = "not installed"
    if hook.installed:
        state = "installed" if hook.current else "installed by another version: install renews it"
        if not hook.runs:
            state += "; git does not run it, because it is not executable"
    lines = [f"pre-commit hook: {state}", f"  file: {hook.path}", f"  beside it: {_OTHERS[hook.others]}"]
    if hook.hooks_path:
        lines.append(f"  core.hooksPath: {hook.hooks_path}")
    app.emit(hook._asdict(), "\n".join(lines))
