"""Candidates: propose them, find them in texts, look at them, share, reopen, close."""

from __future__ import annotations

from typing import Any

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.options import reason_option, reviewer_option
from aiwg_memory.cli.present import propose as preview
from aiwg_memory.errors import DiskFailed, Refused, UsageError

TYPES = (
    "decision", "requirement", "constraint", "preference", "task", "discovery", "fix", "failed-approach", "procedure",
    "risk", "contradiction", "question", "entity", "relationship",
)  # fmt: skip
"""Those of ``core.candidates``, which is not imported for help alone."""
_STATES = ("pending", "accepted", "rejected", "deferred", "closed")


@click.group("candidates", cls=Group)
def candidates() -> None:
    """Proposals: nothing of theirs is memory before a person accepts and promotes it."""


@candidates.command("list", example="aiwg-memory candidates list --state accepted")
@click.option("--state", type=click.Choice(_STATES), help="Only this state; without it, all of them.")
@click.option("--type", "kind", metavar="TYPE", help="Only this type.")
@click.option("--limit", type=click.IntRange(1, 10000), default=50, show_default=True, help="At most this many.")
@pass_app
def list_(app: App, state: str | None, kind: str | None, limit: int) -> None:
    """The candidates by time, whatever was decided about them."""
    from aiwg_memory.cli.review import row_lines
    from aiwg_memory.workspace.candidates import candidate_rows

    states = (state,) if state else _STATES
    rows, total = app.settled(lambda: candidate_rows(app.workspace, states, limit, kind))
    lines = [line for row in rows for line in row_lines(row)]
    if total > len(rows):
        lines.append(f"… and {total - len(rows)} more; --limit shows more")
    data = {"candidates": rows, "total": total, "truncated": total > len(rows)}
    app.emit(data, "\n".join(lines) or "No candidates.")


@candidates.command("show", example="aiwg-memory candidates show cand_3f9c2a11")
@click.argument("name", metavar="ID")
@pass_app
def show(app: App, name: str) -> None:
    """One candidate: its text, its evidence, every decision about it, and what became of it where it went."""
    from aiwg_memory.cli.records import candidate_text
    from aiwg_memory.workspace.candidates import candidate_history, evidence_states

    told = candidate_history(app.workspace, name)
    app.emit(told, candidate_text(told, evidence_states(app.workspace, told["candidate"])))


@candidates.command(
    "propose", example='aiwg-memory candidates propose "Releases are cut from main." --evidence docs/release.md#L3-L5'
)
@click.argument("text", required=False, metavar="[TEXT]")
@click.option("--kind", "--type", "kind", type=click.Choice(TYPES), help="What TEXT is; else a discovery.")
@click.option(
    "--evidence", multiple=True, metavar="REF", help="What TEXT rests on: a handle or PATH#L3-L5. Repeatable."
)
@click.option("--by", metavar="NAME", help="Who proposes; else git's name, or the agent that drives.")
@pass_app
def propose(app: App, text: str | None, kind: str | None, evidence: tuple[str, ...], by: str | None) -> None:
    """Propose one sentence, or without it, or with -, candidates as JSON objects, one a line on standard input.

    Nothing that is tracked changes. Keys are type, assertion, evidence (a list of ref, digest, span), confidence (0 to
    1), scope, classification and proposed_by. Anyone may propose, agents too; a person decides.
    """
    from aiwg_memory.workspace.proposing import propose as take

    if text not in (None, "-"):
        value = {"type": kind or "discovery", "assertion": text, "evidence": [{"ref": ref} for ref in evidence]}
        _told(app, take(app.workspace, [value], by or proposer(app)), [])
        return
    if kind or evidence:
        raise click.UsageError("--kind and --evidence say something of TEXT, which is missing")
    values = _from_stdin()
    outcomes = take(app.workspace, [value for _, value in values], by or proposer(app))
    _told(app, [{"line": number, **one} for (number, _), one in zip(values, outcomes, strict=True)], [])


def _from_stdin() -> list[tuple[int, Any]]:
    """The values, each with the number of its line."""
    from aiwg_memory.cli.asking import numbered_from_stdin
    from aiwg_memory.core.records import read_line

    read = [(number, *read_line(line.encode())) for number, line in numbered_from_stdin("proposal")]
    broken = [f"line {number}: {wrong}" for number, _, wrong in read if wrong]
    if broken:
        hint = 'give one JSON object a line, or one sentence: candidates propose "TEXT"; nothing was proposed'
        raise UsageError("; ".join(broken[:5]), hint=hint)
    return [(number, value) for number, value, _ in read]


def proposer(app: App) -> str:
    """Who proposes: the agent that drives, by its variable; else the name git has; else nobody in particular."""
    from aiwg_memory.core.screening.reviewer import agent_driving
    from aiwg_memory.errors import AiwgError

    variable = agent_driving(app.environ)
    if variable:
        return f"agent ({variable})"
    try:
        return app.reviewer()
    except AiwgError:
        return "someone"


@candidates.command(
    "extract", example="aiwg-memory candidates extract docs/meeting.md\naiwg-memory candidates extract out_3f9c2a11"
)
@click.argument("names", nargs=-1, required=True, metavar="FILE|OUTPUT...")
@pass_app
def extract(app: App, names: tuple[str, ...]) -> None:
    """Propose what files, folders, transcripts or registered outputs say in so many words, with the lines it stands on.

    Labelled lines (Decision:, Constraint:, Open:, …), decisions and corrections; no model takes part. At most 200
    sources are read and 50 proposals made; packs, quotations and code are skipped.
    """
    from aiwg_memory.workspace.extracting import extract_proposals
    from aiwg_memory.workspace.proposing import propose as take

    values, notes = extract_proposals(app.workspace, app.directory, names)
    _told(app, take(app.workspace, values, proposer(app), origin="extracted"), notes)


def _told(app: App, outcomes: list[dict[str, Any]], notes: list[str]) -> None:
    """What became of each proposal. Exit 4 when something was refused, for whoever sent it; 74 when the disk failed."""
    for note in notes:
        app.warn(note)
    counts = {
        name: sum(one["outcome"] == name for one in outcomes) for name in sorted({one["outcome"] for one in outcomes})
    }
    lines = []
    for one in outcomes:
        place = f"line {one['line']}" if "line" in one else "-"
        lines.append(f"{one.get('candidate_id', place)}  {one['outcome']}: {one['message']}")
        lines += [f"  hint: {one['hint']}"] if one.get("hint") else []
    lines.append(", ".join(f"{count} {name}" for name, count in counts.items()) or "Nothing was found to propose.")
    codes = {one.get("code") for one in outcomes if one["outcome"] == "refused"}
    app.status = DiskFailed.exit_status if DiskFailed.code in codes else Refused.exit_status if codes else 0
    app.emit({"proposals": outcomes, "total": len(outcomes), "truncated": False}, "\n".join(lines))


def _decision(name: str, what: str) -> None:
    @candidates.command(name, example=f"aiwg-memory candidates {name} cand_3f9c2a11", help=what)
    @click.argument("ids", nargs=-1, required=True, metavar="ID...")
    @reason_option
    @reviewer_option
    @pass_app
    def decide(app: App, ids: tuple[str, ...], reason: str, reviewer: str | None) -> None:
        from aiwg_memory.workspace.candidates import decision_arguments

        arguments = decision_arguments(app.workspace, name, ids, reason)
        preview(app, app.request(f"candidate.{name}", arguments, reviewer))


_decision("share", "Track pending candidates, so that colleagues can review them too.")
_decision("close", "End promoted candidates: their text is deleted, identity and reviews stay.")


@candidates.command("reopen", example="aiwg-memory candidates reopen cand_3f9c2a11")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--text", "texts", multiple=True, metavar="TEXT", help="Its exact words, where they are kept nowhere.")
@reason_option
@reviewer_option
@pass_app
def reopen(app: App, ids: tuple[str, ...], texts: tuple[str, ...], reason: str, reviewer: str | None) -> None:
    """Put decided candidates back into the queue, with their text from an undo copy, from git or from --text."""
    from aiwg_memory.workspace.candidates import decision_arguments

    arguments = decision_arguments(app.workspace, "reopen", ids, reason)
    if texts:
        arguments["texts"] = [*arguments.get("texts", ()), *texts]
    preview(app, app.request("candidate.reopen", arguments, reviewer))


@candidates.command(
    "reclassify", example='aiwg-memory candidates reclassify cand_3f9c2a11 internal --reason "no names in it"'
)
@click.argument("name", metavar="ID")
@click.argument("classification", type=click.Choice(("public", "internal", "private", "unknown")))
@click.option("--reason", required=True, metavar="TEXT", help="Why, in one line; it is recorded.")
@reviewer_option
@pass_app
def reclassify(app: App, name: str, classification: str, reason: str, reviewer: str | None) -> None:
    """Record another classification of a candidate, and why."""
    from aiwg_memory.workspace.candidates import decision_arguments

    arguments = decision_arguments(app.workspace, "reclassify", (name,), reason) | {"classification": classification}
    preview(app, app.request("candidate.reclassify", arguments, reviewer))


@candidates.command("resolve", example="aiwg-memory candidates resolve cand_3f9c2a11 --keep 4f0c9a527d1e")
@click.argument("name", metavar="ID")
@click.option("--keep", required=True, metavar="DIGEST", help="The beginning of the digest of the version that stands.")
@reason_option
@reviewer_option
@pass_app
def resolve(app: App, name: str, keep: str, reason: str, reviewer: str | None) -> None:
    """Settle what was decided differently on two branches; `candidates show` lists the versions."""
    from aiwg_memory.workspace.candidates import resolution_arguments

    arguments = resolution_arguments(app.workspace, name, keep, reason)
    preview(app, app.request("candidate.resolve", arguments, reviewer))
