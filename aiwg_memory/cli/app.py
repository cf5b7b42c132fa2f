"""What one invocation knows: its options, its time, its workspace; and the shape every command has."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from aiwg_memory.cli.terminal import json_text, shown, write
from aiwg_memory.errors import UsageError

if TYPE_CHECKING:
    from aiwg_memory.core.operations import Request
    from aiwg_memory.workspace import Workspace
    from aiwg_memory.workspace.mutations import Mutations

_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z"
F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class App:
    """The state of one command. ``status`` is the exit status it will end with."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self.environ = environ
        self.directory: str | None = None
        self.user_store = self.json = self.quiet = self.no_color = False
        self.command = ""
        self.status = 0
        self.warnings: list[str] = []

    @cached_property
    def now(self) -> str:
        """RFC 3339 UTC to the second, asked once; ``AIWG_MEMORY_NOW`` pins it."""
        pinned = self.environ.get("AIWG_MEMORY_NOW")
        if pinned is None:
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if not re.match(_TIME, pinned) or not _is_time(pinned):
            raise UsageError(
                f"AIWG_MEMORY_NOW is {pinned!r}, not a time", hint="write it like 2026-01-31T08:00:00Z, in UTC"
            )
        return pinned

    @cached_property
    def workspace(self) -> Workspace:
        from aiwg_memory.workspace import Workspace

        if self.user_store:
            from aiwg_memory.workspace.own import own_workspace

            if self.directory is not None:
                raise UsageError("-C and --user-store exclude each other", hint="your own store is in one place only")
            return own_workspace(self.now, self.environ, time.time)
        return Workspace.open(self.directory, now=self.now, environ=self.environ, clock=time.time)

    def close(self) -> None:
        """Let what git still runs for this command end."""
        if "workspace" in self.__dict__:
            self.workspace.close()

    @cached_property
    def mutations(self) -> Mutations:
        from aiwg_memory.workspace.mutations import Mutations

        return Mutations(self.workspace)

    def request(
        self, kind: str, arguments: Mapping[str, Any], reviewer: str | None, inputs: Mapping[str, bytes] | None = None
    ) -> Request:
        """A request at this command's time, by the reviewer named or git's."""
        from aiwg_memory.workspace.requests import request

        return request(self.workspace, kind, arguments, self.reviewer(reviewer), inputs)

    def reviewer(self, named: str | None = None) -> str:
        """The person whose decision this is: the one named, else git's ``user.name <user.email>``. Exit 2 without."""
        from aiwg_memory.workspace.people import reviewer

        return reviewer(self.workspace, named)

    def settled(self, work: Callable[[], T]) -> T:
        """What ``work`` reads, from one state; what was finished for it is said, and what waits for a person."""
        result, findings = self.workspace.journal.read(work, self.now)
        for finding in findings:
            self.warn(finding.message if finding.severity == "note" else f"{finding.path}: {finding.message}")
        return result

    @property
    def program(self) -> str:
        """How a command that goes on here begins: with the place this one was told to work in."""
        if self.user_store:
            return "aiwg-memory --user-store"
        if self.directory is None:
            return "aiwg-memory"
        from shlex import quote

        return f"aiwg-memory -C {quote(self.directory)}"

    @property
    def interactive(self) -> bool:
        streams = (sys.stdin, sys.stdout, sys.stderr)
        return not self.json and all(stream is not None and stream.isatty() for stream in streams)

    def warn(self, message: str) -> None:
        """A note for the person: on standard error, and among ``warnings`` of --json."""
        self.warnings.append(message)
        if not self.json and not self.quiet:
            click.echo(self.complaint(f"warning: {message}"), err=True)

    def note(self, message: str) -> None:
        if not self.json and not self.quiet:
            click.echo(shown(message), err=True)

    def emit(self, data: Mapping[str, Any], text: str, *, state: str = "ok") -> None:
        """The result: one JSON object with --json, else ``text`` as it is. Nothing else goes to standard output."""
        if self.json:
            write(envelope(self, state, data, None))
        elif state == "preview":
            write(self.previewed(text))
        else:
            write(shown(text))

    def previewed(self, text: str) -> str:
        """A preview as it may be printed: its diffs in colour where there is any."""
        text = shown(text)
        if not self._coloured(sys.stdout):
            return text
        from aiwg_memory.cli.colour import diffs

        return diffs(text)

    def complaint(self, line: str) -> str:
        """A line for standard error as it may be printed there."""
        line = shown(line)
        if not self._coloured(sys.stderr):
            return line
        from aiwg_memory.cli.colour import complaint

        return complaint(line)

    def _coloured(self, stream: TextIO | None) -> bool:
        """Whether ``stream`` is a terminal that shows colour and nobody said no, as https://no-color.org has it."""
        if self.no_color or self.environ.get("NO_COLOR") or self.environ.get("TERM", "dumb") == "dumb":
            return False
        return stream is not None and stream.isatty()


def envelope(app: App, state: str, data: Mapping[str, Any] | None, error: Mapping[str, Any] | None) -> str:
    value = {
        "schema": "aiwg.envelope.v1",
        "status": state,
        "command": app.command,
        "data": data or {},
        "warnings": app.warnings,
        "error": error,
    }
    return json_text(value) + "\n"


def _is_time(value: str) -> bool:
    try:
        time.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return False
    return True


def _set(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def callback(ctx: click.Context, _param: click.Parameter, value: Any) -> None:
        if value:
            setattr(ctx.ensure_object(App), name, value)

    return callback


def _shared_options() -> list[click.Parameter]:
    """Accepted before and after every command's name."""
    return [
        click.Option(["-C"], metavar="DIR", expose_value=False, callback=_set("directory"), help="Work in DIR."),
        click.Option(
            ["--user-store"],
            is_flag=True,
            expose_value=False,
            callback=_set("user_store"),
            help="Work in your own store, outside every repository.",
        ),
        click.Option(
            ["--json"], is_flag=True, expose_value=False, callback=_set("json"), help="Print one JSON object."
        ),
        click.Option(
            ["--quiet"], is_flag=True, expose_value=False, callback=_set("quiet"), help="No notes and warnings."
        ),
        click.Option(["--no-color"], is_flag=True, expose_value=False, callback=_set("no_color"), help="No colour."),
    ]


class Command(click.Command):
    """A command with the shared options and an example in its help."""

    def __init__(self, *args: Any, example: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(_shared_options())
        self.example = example

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.example:
            with formatter.section("Example" if "\n" not in self.example else "Examples"):
                formatter.write("".join(f"  {line}\n" for line in self.example.splitlines()))
        super().format_epilog(ctx, formatter)


class Group(click.Group):
    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(_shared_options())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Whole sentences, however long: a line that ends in dots helps nobody."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(400)) for name, each in sorted(self.commands.items())])


pass_app: Callable[[F], F] = click.make_pass_decorator(App)  # type: ignore[assignment]


def command(name: str, *, example: str) -> Callable[[Callable[..., Any]], Command]:
    """A command of the house: its docstring is its help, its example is complete and works."""
    return click.command(name, cls=Command, example=example)
