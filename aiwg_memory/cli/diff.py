"""What changed in memory and instructions, by meaning: for a person, a program, or a pull request."""

from __future__ import annotations

import re

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import visible_option
from aiwg_memory.errors import UsageError

_EXAMPLE = """\
aiwg-memory diff
aiwg-memory diff --staged
aiwg-memory diff main..HEAD
aiwg-memory diff origin/main...HEAD --format markdown"""
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/%@+-]+\Z")


@command("diff", example=_EXAMPLE)
@click.argument("span", metavar="[A[..B]]", required=False)
@click.option("--staged", is_flag=True, help="Against what is staged instead of the working tree.")
@click.option(
    "--format", "style", type=click.Choice(("text", "json", "markdown")), default="text", help="text, json or markdown."
)
@visible_option
@click.option("--link-to", metavar="URL", default="", help="Where the files are read, for links in markdown.")
@pass_app
def diff(app: App, span: str | None, staged: bool, style: str, visible: tuple[str, ...], link_to: str) -> None:
    """What A..B, or A and the working tree (HEAD without A), change in memory and instructions.

    A...B is what B changed since it left A, as forges show a pull request. Items that are not public are named by
    handle and digest only; --show-internal tells those that are internal.
    """
    if link_to and not _ADDRESS.match(link_to):
        raise UsageError(f"--link-to {link_to!r} is no address", hint="it begins with https:// and holds no spaces")
    from aiwg_memory.core.changes.data import data
    from aiwg_memory.workspace.diffing import diff as find

    app.json = app.json or style == "json"
    report = find(app.workspace, span, staged=staged)
    if style == "markdown":
        from aiwg_memory.core.changes.markdown import markdown

        shown = markdown(report, visible, link_to)
    else:
        from aiwg_memory.core.changes.text import text

        shown = text(report, visible)
    app.emit(data(report, visible), shown)
