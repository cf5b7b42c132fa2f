"""Taking in what other tools keep."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.options import reviewer_option
from aiwg_memory.cli.present import propose

_FACTS = click.option("--facts", is_flag=True, help="Their bullets or observations become facts too.")


@click.group("import", cls=Group)
def import_() -> None:
    """Take in what another tool keeps, by preview and confirm.

    Everything begins pending, keeps what it was called there, and is marked as of unknown lineage where nothing here
    proves it. The other tool's files are only read; taking them in again takes in what is new.
    """


@import_.command("aiwg", example="aiwg-memory import aiwg ../old-project")
@click.argument("directory", required=False, metavar="[DIR]")
@reviewer_option
@pass_app
def aiwg(app: App, directory: str | None, reviewer: str | None) -> None:
    """An AIWG project's line memory, canonical context and output registrations; this workspace's own without DIR.

    Its states and reasons are kept. Pages of another project come in too; those that lie in this workspace's own wiki
    are readable as they are.
    """
    from aiwg_memory.workspace.importing import aiwg_request, own_pages

    request = aiwg_request(app.workspace, app.directory, directory, app.reviewer(reviewer))
    propose(app, request, notes=own_pages(app.workspace, directory))


@import_.command("markdown", example="aiwg-memory import markdown notes/facts.md")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@reviewer_option
@pass_app
def markdown(app: App, files: tuple[str, ...], reviewer: str | None) -> None:
    """Lists of facts in Markdown: every bullet is one, the headings above it are its tags."""
    from aiwg_memory.workspace.importing import files_request

    propose(app, files_request(app.workspace, "markdown", app.directory, files, app.reviewer(reviewer)))


@import_.command("claude", example="aiwg-memory import claude .claude/agent-memory/reviewer")
@click.argument("places", nargs=-1, metavar="[DIR|FILE]...")
@_FACTS
@reviewer_option
@pass_app
def claude(app: App, places: tuple[str, ...], facts: bool, reviewer: str | None) -> None:
    """Claude Code's memory files: bullets of MEMORY.md become facts, topic files pages.

    Without an argument the folder that Claude Code keeps for this workspace below your home directory. CLAUDE.local.md
    is read only when it is named.
    """
    from aiwg_memory.workspace.importing import claude_folder, files_request

    places = places or (claude_folder(app.workspace),)
    propose(app, files_request(app.workspace, "claude", app.directory, places, app.reviewer(reviewer), facts=facts))


@import_.command("codex", example="aiwg-memory import codex")
@click.argument("places", nargs=-1, metavar="[DIR|FILE]...")
@reviewer_option
@pass_app
def codex(app: App, places: tuple[str, ...], reviewer: str | None) -> None:
    """What Codex learned in this project: bullets of its MEMORY.md become facts.

    Without an argument the folder where Codex keeps its memories. It holds those of all projects: what was learned in
    a folder of another name stays out, and so does what is about a person.
    """
    from aiwg_memory.workspace.importing import codex_folder, files_request

    places = places or (codex_folder(app.workspace),)
    propose(app, files_request(app.workspace, "codex", app.directory, places, app.reviewer(reviewer)))


@import_.command("basic-memory", example="aiwg-memory import basic-memory ../notes --facts")
@click.argument("directory", metavar="DIR")
@_FACTS
@reviewer_option
@pass_app
def basic_memory(app: App, directory: str, facts: bool, reviewer: str | None) -> None:
    """Basic Memory's notes: every note becomes a page, its observations facts when you say so."""
    from aiwg_memory.workspace.importing import files_request

    reviewer = app.reviewer(reviewer)
    propose(app, files_request(app.workspace, "basic-memory", app.directory, (directory,), reviewer, facts=facts))
