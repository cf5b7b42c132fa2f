"""Pages: add, edit, look, judge, lint."""

from __future__ import annotations

from typing import Any

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.options import lifecycle_option, reason_option, redact_option, reviewer_option
from aiwg_memory.cli.present import propose
from aiwg_memory.cli.terminal import shown, write

_FILE = click.option("--file", "file", metavar="FILE", help="Take the text from FILE instead of standard input.")


@click.group("wiki", cls=Group)
def wiki() -> None:
    """Add, edit, show, judge and lint pages."""


@wiki.command("list", example="aiwg-memory wiki list")
@click.option("--review", type=click.Choice(("confirmed", "pending", "rejected")), help="Only this verdict.")
@lifecycle_option
@pass_app
def list_(app: App, review: str | None, lifecycle: str | None) -> None:
    """The pages with their titles and what is not ordinary about them."""
    from aiwg_memory.workspace.pages import page_line, page_rows

    rows = app.settled(lambda: page_rows(app.workspace, review, lifecycle))
    data = {"pages": rows, "total": len(rows), "truncated": False}
    app.emit(data, "\n".join(map(page_line, rows)) or "No pages.")


@wiki.command("show", example="aiwg-memory wiki show storage/import-catalog.md")
@click.argument("page")
@pass_app
def show(app: App, page: str) -> None:
    """A page as it is stored; invisible characters are shown escaped."""
    from aiwg_memory.workspace.pages import page_target

    target, data = app.settled(lambda: page_target(app.workspace, page))
    text = shown(data.decode("utf-8", "replace"))
    if app.json:
        app.emit({"page": {"handle": target["handle"], "digest": target["expected"], "text": text}}, "")
    else:
        write(text)


@wiki.command("add", example="aiwg-memory wiki add storage/import-catalog.md < page.md")
@click.argument("path")
@_FILE
@redact_option
@reviewer_option
@pass_app
def add(app: App, path: str, file: str | None, redact: bool, reviewer: str | None) -> None:
    """Preview a new page at PATH below .aiwg/wiki, from --file, standard input or your editor."""
    from aiwg_memory.workspace.people import provenance

    text = _text(app, file, f"# {path.rpartition('/')[2].removesuffix('.md').replace('-', ' ').capitalize()}\n\n")
    arguments: dict[str, Any] = {"path": path, "text": text, "provenance": provenance(app.workspace)}
    arguments |= {"redact": True} if redact else {}
    propose(app, app.request("wiki.add", arguments, reviewer), edit=_edit)


@wiki.command("edit", example='aiwg-memory wiki edit storage/import-catalog.md --set "tags=[storage, sqlite]"')
@click.argument("page")
@_FILE
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set a front-matter key; no VALUE takes it out."
)
@redact_option
@reviewer_option
@pass_app
def edit(app: App, page: str, file: str | None, settings: tuple[str, ...], redact: bool, reviewer: str | None) -> None:
    """Preview a new text of a page, from --file, standard input or your editor; or --set keys of its front matter.

    A text without front matter leaves the page its own.
    """
    from aiwg_memory.workspace.pages import front_changes, page_target
    from aiwg_memory.workspace.people import provenance

    target, data = page_target(app.workspace, page)
    arguments: dict[str, Any] = {"target": target, "provenance": provenance(app.workspace)}
    if settings:
        arguments["front"] = front_changes(app.workspace, settings)
    else:
        arguments["text"] = _text(app, file, data.decode("utf-8", "replace"))
    arguments |= {"redact": True} if redact else {}
    propose(app, app.request("wiki.edit", arguments, reviewer), edit=None if settings else _edit)


def _text(app: App, file: str | None, start: str) -> str:
    from aiwg_memory.cli.asking import bytes_from_stdin, edited
    from aiwg_memory.errors import UsageError
    from aiwg_memory.workspace.pages import file_text

    if file is not None:
        return _said(file_text(app.workspace, app.directory, file))
    if app.interactive:
        text = edited(start, ".md")
        if text is None:
            raise UsageError(
                "the file was not saved; nothing was changed",
                hint="save it in the editor, or give the text on standard input",
                code="editor",
            )
        return text
    try:
        return _said(bytes_from_stdin("page").decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError("standard input is not UTF-8", hint="convert it first") from error


def _said(text: str) -> str:
    """A closed standard input, or the wrong file, is no wish for a page without a word."""
    from aiwg_memory.errors import UsageError

    if not text.strip():
        raise UsageError("the text of the page is empty", hint="give it in a file or on standard input")
    return text


def _edit(request: Any) -> Any:
    from dataclasses import replace

    from aiwg_memory.cli.asking import edited

    text = edited(request.arguments["text"], ".md")
    return replace(request, arguments={**request.arguments, "text": text}) if text is not None else None


def _decision(name: str, what: str, *, reasoned: bool) -> None:
    """One command that takes one decision about each of some pages."""

    @wiki.command(name, example=f"aiwg-memory wiki {name} storage/import-catalog.md", help=what)
    @click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
    @reviewer_option
    @pass_app
    def decide(app: App, pages: tuple[str, ...], reviewer: str | None, reason: str = "") -> None:
        from aiwg_memory.workspace.pages import page_target

        arguments: dict[str, Any] = {"targets": [page_target(app.workspace, page)[0] for page in dict.fromkeys(pages)]}
        arguments |= {"reason": reason} if reason else {}
        propose(app, app.request(f"wiki.{name}", arguments, reviewer))

    if reasoned:
        reason_option(decide)


_decision("confirm", "Your verdict: this page is right as it stands.", reasoned=True)
_decision("reject", "Your verdict: this page is not right; it is not delivered any more.", reasoned=True)
_decision("archive", "Retire pages that are no longer of use; they stay as history.", reasoned=False)
_decision("restore", "Bring pages back from history.", reasoned=False)
_decision("revoke", "Withdraw pages that turned out wrong.", reasoned=False)


@wiki.command("supersede", example="aiwg-memory wiki supersede old-catalog.md --by storage/import-catalog.md")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("--by", required=True, metavar="PAGE", help="The page that takes their place.")
@reviewer_option
@pass_app
def supersede(app: App, pages: tuple[str, ...], by: str, reviewer: str | None) -> None:
    """Let pages give way to another one that is there; both sides say so."""
    from aiwg_memory.workspace.pages import page_target

    arguments = {
        "targets": [page_target(app.workspace, page)[0] for page in dict.fromkeys(pages)],
        "replacement": page_target(app.workspace, by)[0],
    }
    propose(app, app.request("wiki.supersede", arguments, reviewer))


@wiki.command("index", example="aiwg-memory wiki index")
@reviewer_option
@pass_app
def index(app: App, reviewer: str | None) -> None:
    """Preview .aiwg/wiki/index.md written anew: a generated view, the same bytes for the same pages."""
    propose(app, app.request("wiki.index", {}, reviewer))


@wiki.command("lint", example="aiwg-memory wiki lint")
@pass_app
def lint(app: App) -> None:
    """Broken links, orphans, missing or changed sources, what is stale or contradicted, titles that stand twice."""
    from aiwg_memory.addons.llm_wiki.checking import check
    from aiwg_memory.cli.findings import findings_text

    findings = app.settled(lambda: list(check(app.workspace.tree, None, app.now[:10])))
    app.status = 1 if any(found.severity == "error" for found in findings) else 0
    app.emit({"findings": [found.to_json() for found in findings], "total": len(findings)}, findings_text(findings))


@wiki.command("draft", example="aiwg-memory wiki draft docs/2026-03-02-review.md > draft.md")
@click.argument("raw")
@pass_app
def draft(app: App, raw: str) -> None:
    """The skeleton of a page from a raw copy's own headings, to be filled in and added."""
    from aiwg_memory.addons.llm_wiki.drafting import draft as run

    text = run(app.workspace.tree, raw)
    if app.json:
        app.emit({"draft": text}, "")
    else:
        write(shown(text))
