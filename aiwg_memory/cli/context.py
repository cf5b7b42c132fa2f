"""The context pack, printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.terminal import shown, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aiwg_memory.core.packs import Pack
    from aiwg_memory.core.tree import MemoryTree
    from aiwg_memory.workspace import Workspace

MEASURES = ("characters", "bytes", "tokens", "json-escaped")
MAX_TASK = 1 << 20


@command(
    "context",
    example='aiwg-memory context "where are import receipts kept?"\n'
    'aiwg-memory context "add a retry" --target src/client.py --budget 2000 --unit tokens',
)
@click.argument("task", nargs=-1, metavar="[TASK]...")
@click.option(
    "--target",
    default="",
    metavar="PATH",
    help="The file or directory the task is about, by its path from the workspace's root.",
)
@click.option("--budget", type=int, metavar="N", help="The hard bound on what is printed, 256..65536.")
@click.option("--unit", type=click.Choice(MEASURES), help="What the bound counts; characters is the default.")
@click.option(
    "--format", "form", type=click.Choice(("markdown", "xml", "json")), default="markdown", show_default=True,
    help="How the pack is written.",
)  # fmt: skip
@click.option("--at", metavar="REV", help="From this commit instead of the working tree.")
@click.option("--as-of", metavar="DATE", help="The day expiry and review dates are judged on; today by default.")
@click.option("--for", "host", metavar="HOST", help="Also hold the bound of a host: claude-hook, codex-hook.")
@click.option(
    "--window", type=click.IntRange(1), metavar="W", help="The model's window in tokens; 8 % of it is the bound."
)
@click.option(
    "--reserve", type=click.IntRange(0), default=0, metavar="R", help="Tokens of the window kept for the answer."
)
@click.option("--used", type=click.IntRange(0), default=0, metavar="U", help="Tokens of the window in use.")
@click.option("--user", is_flag=True, help="Also your own facts, which live outside git.")
@click.option("--incognito", is_flag=True, help="No memory in the pack, and no record that it was built.")
@click.option("--no-digest", is_flag=True, help="Keep the task's digest out of pack and record.")
@click.option("--include-instructions", is_flag=True, help="The texts of project instructions, not their list alone.")
@click.option("--capture", is_flag=True, help="Keep the printed text, redacted, for 7 days.")
@click.option("--explain", is_flag=True, help="Say on standard error why each item is in or out.")
@pass_app
def context(app: App, task: tuple[str, ...], **options: Any) -> None:
    """Build the pack for TASK (words, or standard input) and print it; it never exceeds its bound.

    Standard output is the pack and nothing else. What was left out is counted in its last line, listed by --json and
    by `explain`.
    """
    from aiwg_memory.cli.asking import task_text
    from aiwg_memory.cli.progress import progress
    from aiwg_memory.core.deliveries import delivery, explain
    from aiwg_memory.workspace.deliveries import capture, record
    from aiwg_memory.workspace.retrieval import build
    from aiwg_memory.workspace.tasks import pack_request

    workspace = app.workspace
    user = _own_facts(workspace) if options["user"] else None
    request = pack_request(workspace, task_text(task, MAX_TASK), options, user.identity if user else "")
    at = workspace.require_repository().resolve(options["at"]) if options["at"] else None
    with progress(app, "indexing") as bar:
        pack = app.settled(lambda: build(workspace, request, at=at, user=user, progress=bar))
    if not options["incognito"]:
        record(workspace, pack, "cli")
        if options["capture"]:
            capture(workspace, pack)
    if options["explain"]:
        click.echo(shown(explain(delivery(pack, at=app.now))), nl=False, err=True)
    for warning in (*pack.warnings, *_crowded_out(pack)):
        app.warn(warning)
    if not (workspace.initialised or pack.entries):
        app.note("no memory is set up here; `aiwg-memory init` does so")
    if app.json:
        app.emit({"pack": pack.to_json(), "text": pack.text}, "")
    else:
        write(pack.text)


def _crowded_out(pack: Pack) -> Iterator[str]:
    out = pack.crowded_out()
    if out is not None:
        bound = f"{pack.request.budget.total} {pack.request.budget.measure}"
        yield (
            f"the best match had no room: {out.item.locator} has {len(out.item.text)} characters, "
            f"and the bound is {bound}; a larger --budget holds it"
        )


def _own_facts(workspace: Workspace) -> MemoryTree:
    from aiwg_memory.workspace.own import own_facts, own_of

    return own_facts(workspace, own_of(workspace))
