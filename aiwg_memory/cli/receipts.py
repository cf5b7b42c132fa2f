"""What was confirmed, by whom, and whether it accounts for what is stored."""

from __future__ import annotations

from collections.abc import Sequence

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.findings import findings_text


@click.group("receipts", cls=Group)
def receipts() -> None:
    """List, show and verify what was confirmed."""


@receipts.command("list", example="aiwg-memory receipts list --limit 20")
@click.option("--limit", type=click.IntRange(1, 10000), default=50, show_default=True, help="At most this many.")
@pass_app
def list_(app: App, limit: int) -> None:
    """The receipts, newest first."""
    from aiwg_memory.core.receipt_list import latest_receipts

    shown, total = app.settled(lambda: latest_receipts(app.workspace.kept, limit))
    rows = [
        f"{record['seg']}{'-' + record['sink'] if record.get('sink') else ''}  {record['kind']}  {record['reviewer']}"
        + _about(record["subjects"])
        for record in shown
    ]
    if total > limit:
        rows.append(f"… and {total - limit} older; --limit shows more")
    text = "\n".join(rows) or "No receipt yet."
    app.emit({"receipts": shown, "total": total, "truncated": total > limit}, text)


def _about(subjects: Sequence[str]) -> str:
    return "".join(f"  {one}" for one in subjects[:1]) + (f" and {len(subjects) - 1} more" if subjects[1:] else "")


@receipts.command("show", example="aiwg-memory receipts show 20260131T080000Z-3f9c2a11d0e4")
@click.argument("name", metavar="RECEIPT")
@pass_app
def show(app: App, name: str) -> None:
    """One receipt, whole. RECEIPT is its name or an unambiguous beginning of it."""
    from aiwg_memory.cli.records import receipt_record
    from aiwg_memory.core.receipts import find_receipt

    record = find_receipt(app.workspace.tree, name)
    app.emit({"receipt": record}, receipt_record(record))


@receipts.command("verify", example="aiwg-memory receipts verify")
@pass_app
def verify(app: App) -> None:
    """Whether the receipts account for every stored file; exit 1 when they do not.

    What lay here before `init`, and is as it was in the commit of that day, needs no receipt.
    """
    from aiwg_memory.workspace.checking import begun_on, unaccounted

    workspace = app.workspace
    findings = app.settled(lambda: sorted(unaccounted(workspace.tree, strict=True, begun=begun_on(workspace))))
    app.status = 1 if any(found.severity == "error" for found in findings) else 0
    app.emit({"findings": [found.to_json() for found in findings], "total": len(findings)}, findings_text(findings))
