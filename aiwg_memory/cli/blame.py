"""Where one thing comes from, and everything that was decided about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import visible_option
from aiwg_memory.core.counting import counted

_handle = click.argument("handle", metavar="HANDLE")


@command("blame", example="aiwg-memory blame lm_0123456789abcdef\naiwg-memory blame wiki:retries.md")
@_handle
@visible_option
@pass_app
def blame(app: App, handle: str, visible: tuple[str, ...]) -> None:
    """Who last decided HANDLE: commit, author, receipt, reviewer; its evidence, and when it was last verified.

    HANDLE is a fact, page, key, raw copy, candidate or output, or an unambiguous beginning of its handle. No text of
    it is printed, and what it rests on by digest only where it is not public.
    """
    from aiwg_memory.workspace.history import blame as find
    from aiwg_memory.workspace.history import whole

    told = app.settled(lambda: find(app.workspace, whole(app.workspace, handle), visible))
    handle = told["handle"]
    lines = [handle, *_row(told["last"])[1:]]
    lines += [f"  rests on {_evidence(each)}: {each['state']}" for each in told["evidence"]] or ["  names no evidence"]
    if any(not each["ref"] for each in told["evidence"]) and "internal" not in visible:
        lines.append("  what is not public is named by digest only; --show-internal names what is internal")
    verified = f"{told['verified_at']} by {told['verified_by']}" if told["verified_at"] else "never"
    lines += [
        f"  last verified {verified}",
        f"  {counted(told['versions'], 'version')}; `aiwg-memory log {handle}` lists them",
    ]
    app.emit(told, "\n".join(lines))


@command("log", example="aiwg-memory log lm_0123456789abcdef")
@_handle
@visible_option
@pass_app
def log(app: App, handle: str, visible: tuple[str, ...]) -> None:
    """Every version of HANDLE, oldest first, with the commit that brought it and the receipt of who decided it."""
    from aiwg_memory.workspace.history import log as find
    from aiwg_memory.workspace.history import whole

    rows = app.settled(lambda: find(app.workspace, whole(app.workspace, handle), visible))
    app.emit({"versions": rows, "total": len(rows)}, "\n".join(line for row in rows for line in _row(row)))


def _evidence(told: Mapping[str, Any]) -> str:
    return str(told["ref"] or (told["digest"] or "something").removeprefix("sha256:")[:12])


def _row(row: Mapping[str, Any]) -> list[str]:
    commit, receipt = row["commit"], row["receipt"]
    state = ", ".join(part for part in (row["status"], row["review"]) if part)
    lines = [f"{row['version']}  {(row['digest'] or 'gone').removeprefix('sha256:')[:12]}  {row['at']}  {state}"]
    lines.append(f"  commit {commit['id'][:12]} by {commit['author']}, {commit['at']}" if commit else "  not committed")
    lines.append(
        f"  receipt {receipt['name']}, {receipt['kind']} by {receipt['reviewer']}" if receipt else "  without a receipt"
    )
    return lines + ([f"  because {row['reason']}"] if row["reason"] else [])
