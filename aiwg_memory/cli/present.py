"""preview → ask → confirm → receipt: the one conversation every change goes through."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from aiwg_memory.cli.app import App
from aiwg_memory.cli.terminal import shown, write
from aiwg_memory.core.counting import counted

if TYPE_CHECKING:
    from aiwg_memory.core.operations import Note, Plan, Request
    from aiwg_memory.core.paths import RepoPath
    from aiwg_memory.workspace.confirmation import Confirmation

    Edit: TypeAlias = Callable[[Request], Request | None]


LINES_OF_A_FILE = 400
"""What a preview shows of one file's diff."""


def propose(app: App, request: Request, edit: Edit | None = None, notes: tuple[str, ...] = ()) -> None:
    """Preview a request. On a terminal ask and apply on yes; elsewhere print what confirms it and change nothing."""
    while True:
        plan = app.mutations.preview(request, notes)
        if not plan.changes:
            app.emit(preview_data(app, plan), "\n".join([*_notes(plan), "There is nothing to change."]))
            return
        if not app.interactive:
            app.emit(preview_data(app, plan), preview_text(app, plan, notes), state="preview")
            return
        write(app.previewed(preview_text(app, plan, notes, ask=True)))
        answer = _answer(app, plan, may_edit=edit is not None)
        if answer == "y":
            confirmed(app, app.mutations.confirm(plan.operation_id, reviewer=plan.request.reviewer, now=app.now))
            return
        changed = edit(request) if edit and answer == "e" else None
        if changed is None:
            app.note("Nothing was changed, and the preview is dropped.")
            return
        request = changed


def _answer(app: App, plan: Plan, *, may_edit: bool) -> str:
    """``y``, ``e`` or ``n``. Whatever is not a yes, an interrupt too, drops the preview: it was answered."""
    answer = ""
    try:
        answer = _ask("Apply? [y]es / [e]dit / [N]o " if may_edit else "Apply? [y]es / [N]o ", may_edit)
    finally:
        if answer != "y":
            app.workspace.journal.previews.remove(plan.operation_id)
    return answer


def _ask(question: str, may_edit: bool) -> str:
    click.echo(question, nl=False, err=True)
    answer = sys.stdin.readline().strip().lower()
    if answer in ("y", "yes"):
        return "y"
    return "e" if may_edit and answer in ("e", "edit") else "n"


def confirmed(app: App, done: Confirmation) -> None:
    """What a confirmation prints. What is still owed is a complaint, with exit status 5; the receipts stand."""
    receipts = done.receipts or ((done.receipt,) if done.receipt else ())
    data: dict[str, Any] = {"receipt": done.receipt, "duplicate": done.duplicate}
    if done.receipts or done.owed:
        data |= {"receipts": list(done.receipts), "owed": list(done.owed)}
    text = "".join(receipt_text(app, receipt, done.duplicate) for receipt in receipts)
    if not done.owed:
        app.emit(data, text)
        return
    from aiwg_memory.cli.app import envelope

    app.status = 5
    lines = [f"{row['sink']} is still owed: {row['error']}" for row in done.owed]
    hint = "settle what is in the way, then `aiwg-memory recover` delivers exactly what was confirmed"
    if app.json:
        found = [
            {"path": "", "line": 0, "rule": row["code"], "severity": "error", "message": line, "hint": row["hint"]}
            for row, line in zip(done.owed, lines, strict=True)
        ]
        error = {"code": "owed", "message": "; ".join(lines), "hint": hint, "findings": found}
        write(envelope(app, "error", data, error))
        return
    write(shown(text))
    for line in (*(f"error[owed]: {line}" for line in lines), f"hint: {hint}"):
        click.echo(app.complaint(line), err=True)


def _id(plan: Plan) -> str:
    from aiwg_memory.core.canonical import short

    return "op_" + short(plan.operation_id, 12)


def preview_data(app: App, plan: Plan) -> dict[str, Any]:
    """The ``data`` of any preview; without ``operation_id`` and ``confirm`` when there is nothing to change."""
    from aiwg_memory.core.diffs import unified

    data: dict[str, Any] = {
        "kind": plan.request.kind,
        "summary": plan.summary,
        "changes": [change.to_json() for change in plan.changes],
        "subjects": list(plan.subjects),
        "duplicates": [note.to_json() for note in plan.duplicates],
        "conflicts": [note.to_json() for note in plan.conflicts],
        "supersedes": [note.to_json() for note in plan.supersedes],
        "findings": [finding.to_json() for finding in plan.warnings],
        "diff": "".join(_diffs(app, plan, unified)),
    }
    if plan.steps:
        data["steps"] = [note.to_json() for note in plan.steps]
    if plan.changes:
        data["operation_id"] = plan.operation_id
        data["confirm"] = f"{app.program} confirm {_id(plan)}"
    return data


def preview_text(
    app: App, plan: Plan, notes: tuple[str, ...] = (), *, ask: bool = False, most: int = LINES_OF_A_FILE
) -> str:
    """``most``: lines of one file's diff that are shown; the rest is counted, and where to see it said."""
    from aiwg_memory.core.diffs import readable, shortened

    rest = f"{app.program} previews show {_id(plan)}"
    diff = "".join([shortened(each, most, rest) for each in _diffs(app, plan, readable)]).rstrip("\n")
    lines = [plan.summary, *notes, *_notes(plan), "", diff, "", f"operation {_id(plan)}"]
    if not ask:
        lines.append(f"Nothing was changed. To apply exactly this: {app.program} confirm {_id(plan)}")
    return "\n".join(lines) + "\n"


def _notes(plan: Plan) -> list[str]:
    def each(word: str, notes: tuple[Note, ...]) -> list[str]:
        return [f"  {word}: {note.subject}: {note.message}" for note in notes]

    warnings = [f"  warning: {f.path}{f':{f.line}' if f.line else ''}: {f.message} [{f.rule}]" for f in plan.warnings]
    return (
        [f"  {note.subject}: {note.message}" for note in plan.steps]
        + each("already there", plan.duplicates)
        + each("note", plan.conflicts)
        + each("replaces", plan.supersedes)
        + warnings
    )


def _diffs(app: App, plan: Plan, show: Callable[[RepoPath, bytes | None, bytes | None], str]) -> list[str]:
    """Every file of the plan as ``show`` has it: first what people read, then the records of it."""
    tree = app.workspace.tree
    changes = sorted(plan.changes, key=lambda change: (change.path.endswith(".jsonl"), change.path))
    return [
        show(
            change.path,
            tree.read(change.path, limit=1 << 24) if change.before is not None else None,
            change.after,
        )
        for change in changes
    ]


def receipt_text(app: App, receipt: Mapping[str, Any], duplicate: bool) -> str:
    """What a confirmation prints: what happened, to which handles, and how to take it back."""
    from aiwg_memory.core.config import PATH

    seg = receipt["seg"] + (f"-{receipt['sink']}" if receipt.get("sink") else "")
    head = "Already done" if duplicate else "Done"
    lines = [f"{head}: {receipt['kind']}, receipt {seg}"]
    subjects = list(receipt.get("subjects", ()))
    lines += [f"  {subject}" for subject in subjects[:20]]
    if len(subjects) > 20:
        lines.append(f"  … and {len(subjects) - 20} more")
    if receipt["kind"] == "candidate.accept":
        lines.append(f"Nothing of it is memory yet: `{app.program} promote {subjects[0]} --to SINK` previews that.")
    ended = any(change["path"] == PATH and change["after"] is None for change in receipt["changes"])
    back = f"`{app.program} init` sets up anew" if ended else f"`{app.program} undo {seg}` previews the way back"
    if receipt["kind"].endswith(".forget"):
        back = "what was forgotten stays forgotten"
    lines.append(f"{counted(len(receipt['changes']), 'file')} changed; {back}.")
    return "\n".join(lines) + "\n"
