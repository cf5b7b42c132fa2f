"""The gate: findings about everything stored, for people, hooks and CI."""

from __future__ import annotations

from collections import Counter

import click

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.core.findings import Finding


@command("check", example="aiwg-memory check --all\naiwg-memory check --json")
@click.option("--all", "everything", is_flag=True, help="Also hold every record to its full schema.")
@click.option("--strict", is_flag=True, help="Exit 1 for warnings too.")
@pass_app
def check(app: App, everything: bool, strict: bool) -> None:
    """Judge what is stored in the working tree; exit 1 when something is an error."""
    from aiwg_memory.workspace.checking import check as run

    workspace = app.workspace
    findings = run(workspace, workspace.tree, None, everything=everything)
    bad = any(found.severity == "error" or (strict and found.severity == "warning") for found in findings)
    app.status = 1 if bad else 0
    app.emit({"findings": [found.to_json() for found in findings], "total": len(findings)}, findings_text(findings))


def findings_text(findings: list[Finding]) -> str:
    """One line a finding, its hint below, and a last line that counts."""
    lines = []
    for found in findings:
        place = f"{found.path}:{found.line}" if found.line else found.path
        lines.append(f"{place}: {found.severity}[{found.rule}]: {found.message}")
        if found.hint:
            lines.append(f"    {found.hint}")
    count = Counter(found.severity for found in findings)
    said = [
        f"{count[kind]} {kind}{'s' if count[kind] != 1 else ''}" for kind in ("error", "warning", "note") if count[kind]
    ]
    lines.append(", ".join(said) if said else "No findings.")
    return "\n".join(lines)
