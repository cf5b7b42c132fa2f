"""Project instructions: what applies, who says so, what each agent sees of it, and what a person confirmed."""

from __future__ import annotations

from typing import Any

import click

from aiwg_memory.cli.app import App, Group, pass_app
from aiwg_memory.cli.options import reason_option, reviewer_option

_TARGET = click.argument("target", default=".", metavar="[TARGET]")
_AT = click.option("--at", metavar="REV", help="In this commit instead of the working tree.")
_STAGED = click.option("--staged", is_flag=True, help="In what is staged.")


@click.group("instructions", cls=Group)
def instructions() -> None:
    """Show, explain, compare, pin and check the instruction files that apply to a path.

    TARGET is a file or directory relative to the workspace root, there or not; without one it is the root.
    """


@instructions.command("show", example="aiwg-memory instructions show src/client.py")
@_TARGET
@_AT
@_STAGED
@pass_app
def show(app: App, target: str, at: str | None, staged: bool) -> None:
    """The files that apply to TARGET, in order of delivery, with their texts; --json prints the snapshot itself."""
    from aiwg_memory.workspace.instructions import snapshot, tree_at

    found = snapshot(app.workspace, tree_at(app.workspace, at, staged), target)
    if app.json:
        app.emit(found.to_json(), "")
        return
    from aiwg_memory.cli.instruction_texts import snapshot_text

    app.emit({}, snapshot_text(found))


@instructions.command("explain", example="aiwg-memory instructions explain src/client.py run the tests")
@_TARGET
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@_AT
@_STAGED
@pass_app
def explain(app: App, target: str, words: tuple[str, ...], at: str | None, staged: bool) -> None:
    """Why each file applies to TARGET and which wins; with WORDS, the lines that say them and which of those wins."""
    from aiwg_memory.cli.instruction_texts import explain_text
    from aiwg_memory.core.instructions.saying import lines_saying
    from aiwg_memory.workspace.instructions import snapshot, tree_at

    found = snapshot(app.workspace, tree_at(app.workspace, at, staged), target)
    said = lines_saying(found.sources, " ".join(words)) if words else []
    data = {
        "target": found.target,
        "sources": [{**each.identity(), "why_effective": each.why_effective} for each in found.sources],
        "ignored": [each.to_json() for each in found.ignored],
        "conflicts": [each.to_json() for each in found.conflicts],
        "lines": [each.to_json() for each in said],
    }
    app.emit(data, explain_text(found, words, said))


@instructions.command("compare", example="aiwg-memory instructions compare src/client.py --agent codex --agent claude")
@_TARGET
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="codex, claude, gemini, copilot, cursor.")
@click.option("--started", metavar="DIR", help="The directory the agent runs in; the target's own by default.")
@_AT
@_STAGED
@pass_app
def compare(app: App, target: str, agents: tuple[str, ...], started: str | None, at: str | None, staged: bool) -> None:
    """What each agent would load for TARGET: files, running totals against its own limit, what it cuts, never sees.

    Files outside the workspace (in the home directory, or above the root) are not looked at.
    """
    from aiwg_memory.cli.instruction_texts import compare_text
    from aiwg_memory.workspace.instructions import own_view, tree_at, views

    tree = tree_at(app.workspace, at, staged)
    found = views(tree, target, agents, started)
    own = own_view(app.workspace, tree, target)
    app.emit({"own": own, "agents": [each.to_json() for each in found]}, compare_text(own, found))


@instructions.command(
    "pin",
    example="aiwg-memory instructions pin src\n"
    "aiwg-memory instructions pin src --mandatory AGENTS.md --exclude src/CLAUDE.md=superseded",
)
@_TARGET
@click.option("--mandatory", multiple=True, metavar="PATH", help="Always delivered whole, or the pack is refused.")
@click.option("--optional", "optional", multiple=True, metavar="PATH", help="Delivered while there is room.")
@click.option(
    "--exclude", multiple=True, metavar="PATH=WHY", help="Not delivered: superseded, not_applicable or withdrawn."
)
@click.option("--withdraw", is_flag=True, help="End the pin: what is on disk is delivered again, unconfirmed.")
@reason_option
@reviewer_option
@pass_app
def pin(app: App, target: str, withdraw: bool, reason: str, reviewer: str | None, **classes: tuple[str, ...]) -> None:
    """Preview the next revision of the pin of TARGET: the texts that packs deliver from then on.

    The confirmation is bound to what is pinned and to what is on disk now; a change of either makes it stale.
    """
    from aiwg_memory.cli.present import propose
    from aiwg_memory.workspace.instructions import pin_arguments

    if withdraw:
        from aiwg_memory.workspace.instructions import history as pins

        found = pins(app.workspace, target)
        arguments: dict[str, Any] = {"target": found.target, "pinned": ""}
        arguments["pinned"] = found.current.fingerprint if found.current else ""
        arguments |= {"reason": reason} if reason else {}
        propose(app, app.request("instructions.withdraw", arguments, reviewer))
        return
    arguments = pin_arguments(app.workspace, target, _delivery(classes), reason)
    propose(app, app.request("instructions.pin", arguments, reviewer))


def _delivery(classes: dict[str, tuple[str, ...]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name in ("mandatory", "optional"):
        found |= {path: {"class": name} for path in classes[name]}
    for said in classes["exclude"]:
        path, _, why = said.rpartition("=")
        if why not in ("superseded", "not_applicable", "withdrawn") or not path:
            raise click.UsageError(
                f"--exclude {said!r}: write PATH=WHY, where WHY is superseded, not_applicable or withdrawn"
            )
        found[path] = {"class": "excluded", "reason": why}
    twice = len(classes["mandatory"]) + len(classes["optional"]) + len(classes["exclude"]) > len(found)
    if twice:
        raise click.UsageError("one path has one class: it is named twice")
    return found


@instructions.command("diff", example="aiwg-memory instructions diff src\naiwg-memory instructions diff main..HEAD src")
@click.argument("arguments", nargs=-1, metavar="[REV..REV] [TARGET]")
@pass_app
def diff(app: App, arguments: tuple[str, ...]) -> None:
    """From the pin of TARGET to what is on disk; with REV..REV, what changes between two commits and in whose sight."""
    ranges = [each for each in arguments if ".." in each and not each.startswith((".", "/")) and "/.." not in each]
    rest = [each for each in arguments if each not in ranges]
    if len(ranges) > 1 or len(rest) > 1:
        raise click.UsageError("give at most one range of revisions and one target")
    if not ranges:
        _diff_of_pin(app, rest[0] if rest else ".")
        return
    from aiwg_memory.cli.instruction_texts import range_text
    from aiwg_memory.workspace.instruction_changes import changes

    first, _, last = ranges[0].partition("..")
    data = changes(app.workspace, first or "HEAD", last.removeprefix(".") or "HEAD", rest[0] if rest else None)
    app.emit(data, range_text(data))


def _diff_of_pin(app: App, target: str) -> None:
    from aiwg_memory.cli.instruction_texts import drift_lines
    from aiwg_memory.workspace.instructions import pin_drift

    data, text = pin_drift(app.workspace, target)
    app.status = 1 if data["stale"] else 0
    app.emit({**data, "text": text}, drift_lines(data, text))


@instructions.command("history", example="aiwg-memory instructions history src")
@_TARGET
@pass_app
def history(app: App, target: str) -> None:
    """Every revision of the pin of TARGET, with who confirmed it and when."""
    from aiwg_memory.cli.instruction_texts import history_text
    from aiwg_memory.workspace.instructions import history_rows

    rows = history_rows(app.workspace, target)
    app.emit({"pins": rows, "total": len(rows), "truncated": False}, history_text(rows))


@instructions.command("check", example="aiwg-memory instructions check")
@_AT
@_STAGED
@click.option("--strict", is_flag=True, help="Exit 1 for warnings too.")
@pass_app
def check(app: App, at: str | None, staged: bool, strict: bool) -> None:
    """Unconfirmed drift, unsafe trees, what an agent would cut, rules and imports that do nothing; exit 1 on errors."""
    from aiwg_memory.cli.findings import findings_text
    from aiwg_memory.workspace.instructions import instruction_findings, tree_at

    findings = instruction_findings(app.workspace, tree_at(app.workspace, at, staged))
    bad = any(found.severity == "error" or (strict and found.severity == "warning") for found in findings)
    app.status = 1 if bad else 0
    app.emit({"findings": [found.to_json() for found in findings], "total": len(findings)}, findings_text(findings))


@instructions.command("ignore", example="aiwg-memory instructions ignore ./CLAUDE.md")
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@reviewer_option
@pass_app
def ignore(app: App, patterns: tuple[str, ...], reviewer: str | None) -> None:
    """Preview lines of .aiwg/instructions.ignore, and which texts would be lost by them.

    As in a .gitignore, a pattern without a slash names files anywhere; ./NAME names the one at the root alone.
    """
    from aiwg_memory.cli.present import propose
    from aiwg_memory.workspace.instructions import instruction_names

    files = [str(each) for each in instruction_names(app.workspace, app.workspace.tree)]
    arguments = {"patterns": list(patterns), "files": files}
    propose(app, app.request("instructions.ignore", arguments, reviewer))


@instructions.command("tree", example="aiwg-memory instructions tree")
@_AT
@_STAGED
@pass_app
def tree(app: App, at: str | None, staged: bool) -> None:
    """Every instruction file of the workspace: sizes, order, which agents see it, pins and whether they are stale."""
    from aiwg_memory.cli.instruction_texts import tree_text
    from aiwg_memory.cli.terminal import columns
    from aiwg_memory.workspace.instruction_tree import overview
    from aiwg_memory.workspace.instructions import tree_at

    data = overview(app.workspace, tree_at(app.workspace, at, staged))
    app.emit(data, tree_text(data, columns(app.environ)))
