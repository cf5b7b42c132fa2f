"""From options to the arguments of a request."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from aiwg_memory.cli.app import App
from aiwg_memory.errors import TooLarge, UsageError

MAX_STDIN = 16 * 1024 * 1024


def bytes_from_stdin(what: str) -> bytes:
    """All of standard input, at most 16 MiB. Raises UsageError on a terminal: nothing is waited for there."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(f"there is no {what.removeprefix('a ')}", hint="give it as an argument, or on standard input")
    data = sys.stdin.buffer.read(MAX_STDIN + 1)
    if len(data) > MAX_STDIN:
        raise TooLarge(f"standard input has more than {MAX_STDIN} bytes", hint="give less at a time")
    return data


def lines_from_stdin(what: str) -> tuple[str, ...]:
    """The lines that are not blank; bytes that are not UTF-8 raise UsageError with the line."""
    return tuple(text for _, text in numbered_from_stdin(what))


def numbered_from_stdin(what: str) -> list[tuple[int, str]]:
    """The lines that are not blank, each with its number from 1. Raises as ``lines_from_stdin`` does."""
    lines = []
    for number, line in enumerate(bytes_from_stdin(what).split(b"\n"), 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"line {number} of standard input is not UTF-8", hint="convert it first") from error
        if text.strip():
            lines.append((number, text))
    if not lines:
        raise UsageError(f"standard input does not hold {what}", hint="one a line")
    return lines


def edited(text: str, extension: str) -> str | None:
    """What a person's editor makes of ``text``; None when it was not saved. UsageError when it fails or leaves nothing.

    The editor is ``VISUAL``, else ``EDITOR``, else what the system has.
    """
    import click

    try:
        result = click.edit(text, extension=extension)
    except click.ClickException as error:
        raise UsageError(
            f"the editor could not be used ({error.format_message()}); nothing was changed",
            hint="set EDITOR to an editor that waits until the file is closed",
            code="editor",
        ) from error
    if result is not None and not result.strip():
        raise UsageError("the editor left no text; nothing was changed", hint="save some text", code="editor")
    return result


def task_text(words: tuple[str, ...], limit: int) -> str:
    """The words as one text, else standard input; what is not UTF-8 in it is a replacement character.

    Raises UsageError for nothing, TooLarge over ``limit`` bytes.
    """
    data = " ".join(words).encode("utf-8", "surrogateescape") if words else bytes_from_stdin("task")
    text = data.decode("utf-8", "replace")
    if not text.strip():
        raise UsageError("the task is empty", hint="say in a few words what you are about to do")
    if len(data) > limit:
        raise TooLarge(f"the task has more than {limit} bytes", hint="say it in fewer words")
    return text


def fact_arguments(app: App, options: Mapping[str, Any]) -> dict[str, Any]:
    """What was said, and nothing else; sources with the digests that this workspace knows them by."""
    from aiwg_memory.workspace.facts import full_handles
    from aiwg_memory.workspace.people import provenance
    from aiwg_memory.workspace.sources import resolve_sources

    said = {
        "scope": options.get("scope"),
        "delivery": options.get("delivery"),
        "kind": options.get("kind"),
        "classification": options.get("classification"),
        "expires_at": options.get("expires"),
        "review_at": options.get("review_by"),
        "redact": options.get("redact") or None,
        "reason": options.get("reason") or None,
    }
    arguments = {key: value for key, value in said.items() if value is not None}
    if options.get("acknowledged"):
        arguments["acknowledged"] = full_handles(app.workspace, options["acknowledged"])
    if options.get("sources"):
        arguments["sources"] = resolve_sources(app.workspace, options["sources"])
    return {**arguments, "provenance": provenance(app.workspace)}
