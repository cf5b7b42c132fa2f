"""The gate: findings about what is stored or what a change makes of it, for people, hooks and CI."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.findings import FORMATS, failed, rendered, summary
from aiwg_memory.core.findings import Finding

_EXAMPLE = """\
aiwg-memory check
aiwg-memory check --staged
aiwg-memory check --range origin/main..HEAD --format github
aiwg-memory check --rules"""


@command("check", example=_EXAMPLE)
@click.option("--staged", is_flag=True, help="Judge what the next commit changes, from the staged bytes.")
@click.option("--range", "between", metavar="BASE..HEAD", help="Judge what HEAD changed since it left BASE.")
@click.option("--all", "everything", is_flag=True, help="Hold every record to its schema and screen every file.")
@click.option("--new-only", is_flag=True, help="Of a change, only what was not wrong before it.")
@click.option("--strict", is_flag=True, help="Exit 1 for warnings too.")
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", help="text, json or github.")
@click.option("--rules", "listing", is_flag=True, help="List every rule with what it is about, and judge nothing.")
@click.option("--markdown", is_flag=True, help="With --rules: the page of the documentation.")
@pass_app
def check(app: App, between: str | None, staged: bool, everything: bool, listing: bool, **options: bool | str) -> None:
    """Judge what is stored, or what a change makes of it; exit 1 when something is an error.

    --staged and --range read what the change touches and nothing else. They read, and never run anything that the
    repository brings.
    """
    if sum(map(bool, (between, staged, everything, listing))) > 1:
        raise click.UsageError("--staged, --range, --all and --rules exclude each other")
    if options["new_only"] and not (staged or between):
        raise click.UsageError("--new-only goes with --staged or --range")
    if options["markdown"] and not listing:
        raise click.UsageError("--markdown goes with --rules")
    if listing:
        _list_rules(app, bool(options["markdown"]))
        return
    style = str(options["style"])
    app.json = app.json or style == "json"
    findings = _findings(app, between, staged, everything, bool(options["new_only"]))
    app.status = 1 if failed(findings, strict=bool(options["strict"])) else 0
    data = {"findings": [found.to_json() for found in findings], "total": len(findings)}
    app.emit(data, rendered(findings, style))
    if style == "github" and not app.json:
        app.note(summary(findings))


def _findings(app: App, between: str | None, staged: bool, everything: bool, new_only: bool) -> list[Finding]:
    if staged or between:
        from aiwg_memory.workspace import gating

        if between:
            return gating.between(app.workspace, between, new_only=new_only)
        return gating.staged(app.workspace, new_only=new_only)
    from aiwg_memory.workspace.checking import check, merged
    from aiwg_memory.workspace.everywhere import copied, over
    from aiwg_memory.workspace.instructions import unsafe_and_cut

    workspace = app.workspace

    def judged() -> list[Finding]:
        found = check(workspace.addons, workspace.tree, everything=everything)
        return merged([*found, *over(workspace), *copied(workspace), *unsafe_and_cut(workspace, workspace.tree)])

    return app.settled(judged)


def _list_rules(app: App, markdown: bool) -> None:
    from aiwg_memory.core.rules import RULES

    rows = [f"{rule.id:24} {rule.severity:8} {rule.title}" for rule in RULES]
    text = "\n".join(rows)
    if markdown:
        from aiwg_memory.core.rules.document import page

        text = page()
    app.emit({"rules": [rule.to_json() for rule in RULES], "total": len(RULES)}, text)
