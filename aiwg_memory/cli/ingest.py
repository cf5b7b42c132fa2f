"""Keep sources as raw evidence."""

from __future__ import annotations

from typing import Any

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import classification_option, redact_option, reviewer_option
from aiwg_memory.cli.present import propose


@command(
    "ingest",
    example="aiwg-memory ingest docs/2026-03-02-review.md notes/\n"
    "aiwg-memory ingest - --source https://example.org/decision < decision.md",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--source", metavar="LOCATOR", help="Where standard input comes from; needed with -.")
@classification_option
@redact_option
@click.option("--acknowledge", "acknowledged", multiple=True, metavar="RAW", help="Bring back a copy that was ended.")
@reviewer_option
@pass_app
def ingest(app: App, files: tuple[str, ...], source: str | None, **options: Any) -> None:
    """Preview exact, read-only copies of FILEs, directories, or standard input (-); the sources are left untouched.

    Raw copies are evidence: they are cited, and never retrieved. The same bytes again are a duplicate, whatever their
    name. Nothing is fetched: give the content of a URL on standard input and the URL as --source.
    """
    from aiwg_memory.workspace.ingesting import ingest_arguments, stdin_source

    if "-" in files:
        from aiwg_memory.cli.asking import bytes_from_stdin

        if files != ("-",) or not source:
            raise click.UsageError("standard input (-) is one source of its own and needs --source LOCATOR")
        sources, inputs = stdin_source(bytes_from_stdin("source"), source)
    else:
        if source is not None:
            raise click.UsageError("--source goes with standard input (-); a file is its own source")
        sources, inputs = ingest_arguments(app.workspace, app.directory, files)
    arguments: dict[str, Any] = {"sources": sources}
    arguments |= {key: options[key] for key in ("classification", "redact") if options[key]}
    if options["acknowledged"]:
        arguments["acknowledged"] = list(options["acknowledged"])
    propose(app, app.request("wiki.ingest", arguments, options["reviewer"], inputs))
