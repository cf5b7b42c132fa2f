"""Instructions as text for a terminal; the data beside it is what --json prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.counting import counted
from aiwg_memory.core.paths import display
from aiwg_memory.core.screening import escape_invisible

if TYPE_CHECKING:
    from aiwg_memory.core.findings import Finding
    from aiwg_memory.core.instructions.compare import View
    from aiwg_memory.core.instructions.saying import Said
    from aiwg_memory.core.instructions.snapshot import Snapshot

WIDTH = 36
_MARK = {"loaded": "all", "cut": "CUT", "dropped": "NONE", "skipped": "skip", "later": "later", "unseen": "-"}


def snapshot_text(found: Snapshot) -> str:
    """The sources with their texts, quoted line by line so that none can pass for a line of ours."""
    from aiwg_memory.core.instructions.snapshot import TRUST

    total = sum(each.size for each in found.sources)
    lines = [
        f"instructions for {display(found.target)}: "
        f"{counted(len(found.sources), 'source')}, {total} bytes, {found.tree}",
        f"fingerprint {found.fingerprint}",
        f"{TRUST}: they guide and grant nothing; where two disagree the later one wins",
    ]
    for each in found.sources:
        redacted = ", redacted" if each.redacted else ""
        lines += ["", f"{each.ordinal}. {each.path}  {each.size} bytes, precedence {each.precedence}{redacted}"]
        lines += [f"> {escape_invisible(line)}".rstrip() for line in each.content.removesuffix("\n").split("\n")]
    return "\n".join([*lines, *_listed(found)]) + "\n"


def _listed(found: Snapshot) -> list[str]:
    lines = [f"  {each.path}: {each.reason}{f' ({each.by})' if each.by else ''}" for each in found.ignored]
    lines = ["", "not delivered:", *lines] if lines else []
    if found.conflicts:
        lines += ["", "both stay, the second wins:"]
        lines += [f"  {each.lower}  <  {each.higher}" for each in found.conflicts]
    findings = [*found.findings, *(each for source in found.sources for each in source.findings)]
    return lines + (["", "worth knowing:", *map(_finding, findings)] if findings else [])


def _finding(each: Finding) -> str:
    place = f"{each.path}:{each.line}" if each.line else each.path
    return f"  {place}: {each.severity}[{each.rule}]: {each.message}"


def explain_text(found: Snapshot, words: Sequence[str], said: Sequence[Said]) -> str:
    lines = [f"{counted(len(found.sources), 'source')} for {display(found.target)}, the later one wins:"]
    lines += [f"  {each.ordinal}. {each.path}: {each.why_effective}" for each in found.sources]
    lines += _listed(found)
    if words:
        asked = display(" ".join(words))
        if not said:
            lines += ["", f"No line says {asked!r}."]
        elif not said[0].whole:
            lines += ["", f"No line says all of {asked!r}; nearest are:"]
        else:
            lines += ["", f"Lines that say {asked!r}:"]
        lines += [f"  {each.path}:{each.line}: {escape_invisible(each.text)}{_wins(each)}" for each in said]
    return "\n".join(lines) + "\n"


def _wins(said: Said) -> str:
    return "   <- wins" if said.wins else ""


def compare_text(own: Mapping[str, Any], found: Sequence[View]) -> str:
    lines: list[str] = []
    if own["refused"]:
        lines.append("aiwg-memory: refused")
        for each in own["refused"]:
            lines.append(f"  {each['path']}: {each['message']} [{each['rule']}]")
    else:
        lines.append(f"aiwg-memory: {_of(own['total'], own['limit'])}")
        lines += [_row(each["path"], each["size"], each["total"], "") for each in own["files"]]
    for each in own["lost"]:
        agents = ", ".join(each["seen_by"]) or "no agent"
        lines.append(
            f"  lost here: {each['path']} leads to {each['leads_to']} ({each['size']} bytes, seen by {agents})"
        )
    for view in found:
        lost = f": {view.lost} BYTES NEVER SEEN" if view.lost else ""
        lines += ["", f"{view.title}: {_of(view.total, view.limit)}{lost}"]
        lines += [_row(row.path, row.size, row.total, _said(row.state, row.note)) for row in view.rows]
        lines += [f"  never sees {path}: {why}" for path, why in view.unseen]
    return "\n".join(lines) + "\n"


def _said(state: str, note: str) -> str:
    return note if state == "loaded" else f"{state.upper() if state in ('cut', 'dropped') else state}: {note}"


def _of(total: int, limit: int | None) -> str:
    return f"{total:,} of {limit:,} bytes" if limit is not None else f"{total:,} bytes, no limit"


def _row(path: str, size: int, total: int, note: str) -> str:
    return f"  {_fitting(path)} {size:>9,} {total:>9,}  {note}".rstrip()


def _fitting(path: str, width: int = WIDTH) -> str:
    """A path for a column that begins at two; a longer one has a line of its own, and none is cut."""
    shown = display(path)
    return shown.ljust(width) if len(shown) <= width else f"{shown}\n{'':{width + 2}}"


def drift_lines(data: Mapping[str, Any], text: str) -> str:
    head = f"{data['pin']} ({data['pinned'][:12]})"
    if data["refused"]:
        lines = [f"{head} is stale: what is on disk is refused"]
        lines += [f"  {each['path']}: {each['message']} [{each['rule']}]" for each in data["refused"]]
        return "\n".join(lines) + "\n"
    again = f"  screened anew, not changed: {', '.join(data['rescreened'])}\n" if data["rescreened"] else ""
    if not data["stale"]:
        return f"{head} is what is on disk.\n{again}"
    lines = [f"{head} is stale; on disk is {data['live'][:12]}"]
    for what in ("added", "changed", "removed", "reordered"):
        lines += [f"  {what}: {', '.join(data[what])}"] if data[what] else []
    lines += ["  the limits differ"] if data["limits"] else []
    follow = f"To confirm what is on disk: aiwg-memory instructions pin {data['target']}"
    return "\n".join(lines) + f"\n{again}\n{text}\n{follow}\n"


def range_text(data: Mapping[str, Any]) -> str:
    lines = [f"{data['from'][:12]}..{data['to'][:12]}"]
    lines += [f"  {each['message']}" for each in data["sight"]]
    for each in data["targets"]:
        lines.append("")
        if each["refused"]:
            lines.append(f"{each['target']}: refused in one of them")
            lines += [f"  {one['path']}: {one['message']} [{one['rule']}]" for one in each["refused"]]
            continue
        moved = each["drift"]
        said = [
            f"{what} {', '.join(moved[what])}" for what in ("added", "changed", "removed", "reordered") if moved[what]
        ]
        lines.append(f"{each['target']}: {'; '.join(said) or 'the limits differ'}")
    shown: set[str] = set()
    for each in data["targets"]:
        for part in ("\n" + each["text"]).split("\n--- ")[1:]:
            if part not in shown:
                shown.add(part)
                lines += ["", f"--- {part}".rstrip("\n")]
    if len(lines) == 1:
        lines.append("  nothing changes in any instruction file")
    return "\n".join(lines) + "\n"


def history_text(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "Nothing was ever pinned here: aiwg-memory instructions pin TARGET\n"
    lines = []
    for row in rows:
        who = f"  {row['reviewer']}  {row['confirmed_at']}" if row["reviewer"] else "  no receipt"
        mark = "  <- delivered" if row["delivered"] else ""
        why = f"  {row['reason']}" if row["reason"] else ""
        sources = counted(row["sources"], "source")
        lines.append(f"{row['handle']}  {row['status']}  {row['fingerprint'][:12]}  {sources}{who}{why}{mark}")
        for each in row["delivery"]:
            reason = f" ({each['reason'].replace('_', ' ')})" if each["reason"] else ""
            lines.append(f"  {each['class']}{reason}: {each['path']}")
    return "\n".join(lines) + "\n"


def tree_text(data: Mapping[str, Any], columns: int) -> str:
    """``columns`` of the terminal: what the figures leave of them is for the paths."""
    names = list(dict.fromkeys(name for each in data["directories"] for row in each["files"] for name in row["agents"]))
    head = f" {'bytes':>8} {'order':>6} " + " ".join(f"{name:>7}" for name in names)
    longest = max((len(display(path)) for each in data["directories"] for path in _inside(each)), default=0)
    width = max(22, min(longest, columns - len(head) - 2))
    lines = [f"{'':{width + 2}}{head}"]
    for each in data["directories"]:
        lines.append(f"{each['path']}/" if each["path"] != "." else "./")
        for path, row in zip(_inside(each), each["files"], strict=True):
            order = row["precedence"] if row["precedence"] is not None else _brief(row["state"])
            marks = " ".join(f"{_MARK[row['agents'][name]]:>7}" for name in names)
            size = "link" if row["kind"] == "link" else f"{row['size']:,}"
            lines.append(f"  {_fitting(path, width)} {size:>8} {order:>6} {marks}")
        lines += [f"    refused: {one['path']}: {one['message']}" for one in each["refused"]]
    if data["pins"]:
        lines += ["", "pins"]
        for pin in data["pins"]:
            state = f"STALE: {pin['drift']}" if pin["stale"] else "as on disk"
            lines.append(f"  {pin['target']} revision {pin['revision']} {pin['fingerprint'][:12]}  {state}")
    return "\n".join(lines) + "\n"


def _inside(directory: Mapping[str, Any]) -> list[str]:
    """The paths of its files as they are seen from there."""
    above = "" if directory["path"] == "." else f"{directory['path']}/"
    return [row["path"].removeprefix(above) for row in directory["files"]]


def _brief(state: str) -> str:
    return "-" if state == "not read here" else "refuse" if state == "refused" else "ignore"
