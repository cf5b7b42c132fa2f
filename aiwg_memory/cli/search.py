"""Ranked items for some words, without a pack."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, command, pass_app


@command(
    "search", example="aiwg-memory search import receipts --limit 5\naiwg-memory search '\"import receipts\" kept'"
)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 200), default=10, show_default=True, help="At most this many.")
@click.option("--layer", type=click.Choice(("facts", "wiki")), help="Only facts, or only pages.")
@pass_app
def search(app: App, query: tuple[str, ...], limit: int, layer: str | None) -> None:
    """Ranked facts and passages with their locators; nothing is recorded or touched by looking.

    Words in double quotes are a phrase, which the shell has to pass on: '"import receipts" kept'. What holds it word
    for word comes first and says so. What is rejected or history is not shown.
    """
    run(app, " ".join(query), limit, layer)


def run(app: App, query: str, limit: int, layer: str | None) -> None:
    from aiwg_memory.cli.progress import progress
    from aiwg_memory.core.quoting import one_line
    from aiwg_memory.workspace.searching import hit_data, search_hits, unheld

    with progress(app, "indexing") as bar:
        hits, tree = app.settled(lambda: search_hits(app.workspace, query, limit, layer, bar))
    for phrase in unheld(query, hits):
        app.warn(f'no hit holds "{phrase}" word for word')
    rows = []
    for hit in hits:
        item = hit.item
        place = " > ".join(part for part in (item.title, item.heading) if part)
        held = ", ".join(name for name in hit.matched if name.startswith('"'))
        said = f"  holds {held}" if held else "" if hit.matched else "  holds no word, but stands beside what does"
        rows.append(f"{hit.rank:3}. {item.locator}  {place}".rstrip() + said)
        rows.append("     " + one_line(item.text)[:200])
    data = {"tree": tree, "hits": [hit_data(hit) for hit in hits], "total": len(hits), "truncated": len(hits) == limit}
    app.emit(data, "\n".join(rows) or "Nothing was found.")
