"""The root group: knows every command by name, loads the one that is used."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from aiwg_memory import __version__
from aiwg_memory.cli.app import App, Group
from aiwg_memory.cli.manifest import COMMANDS


class LazyGroup(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        entry = COMMANDS.get(name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        found: click.Command = getattr(import_module(module), attribute)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        if args and isinstance(ctx.obj, App):
            ctx.obj.command = args[0]
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = _groups_that_name(args[0]) or get_close_matches(args[0], COMMANDS, n=3)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"There is no command {args[0]!r}.{hint}", ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading in dict.fromkeys(entry.heading for entry in COMMANDS.values()):
            rows = [(name, entry.help) for name, entry in COMMANDS.items() if entry.heading == heading]
            with formatter.section(heading):
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [
            CompletionItem(name, help=entry.help) for name, entry in COMMANDS.items() if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)


_FIRST_WORDS = re.compile(r"(?:^|,) (\w+)")


def _groups_that_name(word: str) -> list[str]:
    """By their line of help, which lists what they do after a colon; none of them is loaded."""
    return [name for name, entry in COMMANDS.items() if word in _FIRST_WORDS.findall(entry.help.partition(":")[2])]


@click.group(cls=LazyGroup, name="aiwg-memory", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="aiwg-memory")
def root() -> None:
    """Memory and instructions for coding agents, kept as plain files in git.

    Nothing changes without a preview and your confirmation of exactly what it showed:
    a command that would change something prints a preview and its id; `confirm ID` applies it.
    """
