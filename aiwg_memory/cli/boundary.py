"""The one error boundary: what was said wrong, what the world refused, and what is our bug."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from aiwg_memory.cli.app import App, envelope
from aiwg_memory.cli.root import root
from aiwg_memory.cli.terminal import columns, write
from aiwg_memory.errors import AiwgError, DiskFailed, Refused, StalePreview

if TYPE_CHECKING:
    from aiwg_memory.core.operations import Plan

LONGEST = 4000
"""Characters of one line of an error: what was typed is repeated in it, and may be long."""

_LOOK = "look at the disk, and at what standard output goes to"


def run(args: Sequence[str], app: App | None = None) -> int:
    """Run one command line and return its exit status. Never raises but for a bug of ours."""
    app = app or App()
    try:
        return _run(list(args), app)
    finally:
        app.close()


def _run(plain: list[str], app: App) -> int:
    app.json = "--json" in (plain[: plain.index("--")] if "--" in plain else plain)
    try:
        _answer(plain, app)
    except AiwgError as error:
        return _report(app, error)
    except click.ClickException as error:
        return _usage(app, error)
    except (KeyboardInterrupt, click.Abort):
        _complain(app, ["interrupted; nothing is half-done"])
        return 130
    except (BrokenPipeError, SystemExit):
        # Click makes the second of the first. Nobody reads any more; what was found wrong is wrong all the same.
        _to_nowhere()
    except OSError as error:
        from aiwg_memory.worktree.failures import way_out

        told = f"a file or the output failed: {error.strerror or error}"
        return _report(app, DiskFailed(told, hint=way_out(error, _LOOK)))
    return app.status


def _answer(plain: list[str], app: App) -> None:
    try:
        root.main(plain, prog_name="aiwg-memory", obj=app, standalone_mode=False, terminal_width=_width(app))
    except click.exceptions.NoArgsIsHelpError as error:
        app.status = 2 if plain else 0
        write(error.ctx.get_help() if error.ctx else "")


def _width(app: App) -> int:
    """Columns of the help: click would import shutil, a tenth of the command, to ask for them."""
    return max(min(columns(app.environ), 80) - 2, 50)


def _report(app: App, error: AiwgError) -> int:
    fresh = _fresh(error)
    if app.json:
        body = {
            "code": error.code,
            "message": error.message,
            "hint": error.hint,
            "findings": [finding.to_json() for finding in error.findings],
        }
        data = None
        if fresh:
            from aiwg_memory.cli.present import preview_data

            data = preview_data(app, fresh)
        state = "refused" if isinstance(error, (Refused, StalePreview)) else "error"
        if _said(envelope(app, state, data, body)):
            return error.exit_status
    lines = [f"error[{error.code}]: {error.message}"]
    for finding in error.findings:
        if finding.message in error.message:
            continue
        place = f"{finding.path}:{finding.line}" if finding.line else finding.path
        said = finding.message if finding.message.startswith(place) or not place else f"{place}: {finding.message}"
        lines.append(f"  {said} [{finding.rule}]")
        if finding.hint:
            lines.append(f"    {finding.hint}")
    if error.hint:
        lines.append(f"hint: {error.hint}")
    _complain(app, lines)
    if fresh and fresh.changes and not app.json:
        from aiwg_memory.cli.present import preview_text

        _said(app.previewed(preview_text(app, fresh)))
    return error.exit_status


def _fresh(error: AiwgError) -> Plan | None:
    """What would happen now. Where not even a module can be opened, what is without it is still told."""
    held = getattr(error, "fresh", None)
    if held is None:
        return None
    from aiwg_memory.core.operations import Plan

    return held if isinstance(held, Plan) else None


def _usage(app: App, error: click.ClickException) -> int:
    message = " ".join(error.format_message().split())
    where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "aiwg-memory"
    hint = f"see `{where} --help`"
    body = {"code": "usage", "message": message, "hint": hint, "findings": []}
    if not app.json or not _said(envelope(app, "error", None, body)):
        _complain(app, [f"error[usage]: {message}", f"hint: {hint}"])
    return 2


def _said(text: str) -> bool:
    """Whether standard output took it; where it does not, an error is told on standard error instead."""
    try:
        write(text)
    except (AiwgError, OSError):
        _to_nowhere()
        return False
    return True


def _to_nowhere() -> None:
    """What standard output did not take is not tried again."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _complain(app: App, lines: Sequence[str]) -> None:
    if sys.stderr is None:
        return
    try:
        text = "".join(app.complaint(line.replace("\n", "\\n")[:LONGEST]) + "\n" for line in lines)
        sys.stderr.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stderr.buffer.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
