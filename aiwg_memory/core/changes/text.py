"""A report as lines for a terminal; one that begins with ``!`` is of something that nobody decided."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from aiwg_memory.core.changes.entry import Break, Entry, Report
from aiwg_memory.core.changes.showing import both, counted, excerpt, loaded


def text(report: Report, visible: Collection[str]) -> str:
    if not report:
        return "Nothing of memory or instructions differs."
    lines = [counted(report.entries) or "Nothing stored differs"]
    if report.always:
        before, after, cap = report.always
        lines.append(f"always delivered: {before} → {after} characters, at most {cap}")
    hidden = sum(entry.classification not in visible for entry in report.entries)
    if hidden:
        lines.append(
            f"{hidden} named by handle and digest only, being not public; --show-internal tells what is internal"
        )
    lines += [_break(one) for one in report.breaks]
    lines += [f"bytes loaded in {excerpt(target, 120)}: {said}" for target, said in loaded(report.loads)]
    lines += [sentence for _, sentence in report.sight]
    store = ""
    for entry in report.entries:
        if entry.store != store:
            lines += ["", entry.store]
            store = entry.store
        lines += _entry(entry, entry.classification in visible)
    return "\n".join(lines)


def _break(found: Break) -> str:
    to = f" {'to' if found.what == 'renamed' else 'by'} {found.to}" if found.to else ""
    holders = ", ".join(holder.handle for holder in found.holders)
    copy = f" (a copy is kept as {found.copy})" if found.copy else ""
    return f"breaks evidence: {found.ref} is {found.what}{to}: {holders} cite it{copy}"


def _entry(entry: Entry, shown: bool) -> Iterator[str]:
    by = f" by {entry.by}" if entry.by else ""
    detail = f": {entry.detail}" if entry.detail else ""
    if not shown:
        yield f"  {entry.action} {entry.handle}{by}{detail}  ({entry.classification}, {entry.digest[7:19]})"
        return
    who = f"  {entry.who}" if entry.who else ""
    why = f": {excerpt(entry.reason)}" if entry.reason else ""
    mark = "!" if entry.alarm else " "
    yield f"{mark} {entry.action} {entry.handle}{by}{detail}{who}{why}"
    was, now = both(entry.before, entry.after)
    if was:
        yield f"    - {was}"
    if now:
        yield f"    + {now}"
    if entry.sources and entry.action in ("added", "reworded", "restored"):
        yield f"    from {', '.join(excerpt(ref, 120) for ref in entry.sources[:8])}"
