"""A report as a comment on a pull request: bounded, the same bytes for the same change, and nothing in it speaks.

Every word that comes from the store is one code span: no markup, mention, issue number, link or tag acts inside one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from aiwg_memory.core.changes.entry import Break, Entry, Report
from aiwg_memory.core.changes.showing import both, counted, excerpt, loaded

MAX_LENGTH = 60_000
"""Characters of the whole, below what forges take for a comment (65,536)."""
PER_STORE = 40
_FIRST = 8
_RUN = re.compile("`+")
_VERB = {
    "facts": "Facts", "pages": "Pages", "canonical": "Canonical context", "raw": "Raw evidence",
    "candidates": "Candidates", "outputs": "Outputs", "pins": "Pins", "instructions": "Instructions",
}  # fmt: skip


def markdown(report: Report, visible: Collection[str], link: str = "") -> str:
    """``link`` is the address below which the head's files are (``https://…/blob/<commit>``); "" names paths only."""
    if not report:
        return "### Memory and instructions: no change\n"
    head = ["### Memory and instructions", "", f"{counted(report.entries) or 'Nothing stored differs'}.", ""]
    if report.always:
        before, after, cap = report.always
        over = " **That is over the cap.**" if after > cap else ""
        head += [f"Always delivered: {before} → {after} characters, at most {cap}.{over}", ""]
    hidden = sum(entry.classification not in visible for entry in report.entries)
    if hidden:
        head += [f"{hidden} named by handle and digest only, because they are not public.", ""]
    people = {entry.who for entry in report.entries if entry.who}
    alone = people.pop() if len(people) == 1 else ""
    if alone:
        head += [f"Decided by {code(excerpt(alone, 120))}, but for what nobody decided.", ""]
    blocks = [*_alarms(report, visible), *_breaks(report.breaks, link), *_sight(report)]
    for store, group in groupby(report.entries, key=lambda entry: entry.store):
        told = [entry._replace(who="" if entry.who == alone else entry.who) for entry in group]
        blocks.append(_store(store, told, visible, link))
    return _fitted("\n".join(head), blocks, report)


def _fitted(head: str, blocks: Sequence[str], report: Report) -> str:
    parts, room, left = [head], MAX_LENGTH - len(head) - 300, 0
    for block in blocks:
        if len(block) + 1 <= room and not left:
            parts.append(block)
            room -= len(block) + 1
        else:
            left += 1
    tail = f"\n{left} more parts do not fit here. " if left else "\n"
    return "\n".join([*parts, f"{tail}All of it: {code(f'aiwg-memory diff {_span(report)}')}"]) + "\n"


def _span(report: Report) -> str:
    return (
        f"{report.base[:12]}..{report.head[:12]}" if re.fullmatch("[0-9a-f]{40,64}", report.head) else report.base[:12]
    )


def _alarms(report: Report, visible: Collection[str]) -> Iterator[str]:
    found = [entry for entry in report.entries if entry.alarm]
    if not found:
        return
    lines = ["**Look at these first**", ""]
    for entry in found[:PER_STORE]:
        text = excerpt(entry.after or entry.before, 120) if entry.classification in visible else ""
        said = f": {code(text)}" if text else ""
        lines.append(f"- {code(excerpt(entry.handle, 200))} {entry.action}, {code(excerpt(entry.detail, 200))}{said}")
    yield "\n".join([*lines, *_left(len(found))]) + "\n"


def _breaks(found: Sequence[Break], link: str) -> Iterator[str]:
    if not found:
        return
    lines = ["**Evidence this change breaks**: cite the new place, or retire what rests on the old one", ""]
    for one in found[:PER_STORE]:
        holders = ", ".join(_linked(code(excerpt(h.handle, 120)), h.path, link) for h in one.holders[:_FIRST])
        more = f" and {len(one.holders) - _FIRST} more" if len(one.holders) > _FIRST else ""
        to = f" to {code(excerpt(one.to, 120))}" if one.to and one.what == "renamed" else ""
        by = f" by {code(excerpt(one.to, 120))}" if one.to and one.what == "retired" else ""
        copy = f"; a copy is kept as {code(one.copy)}" if one.copy else ""
        lines.append(f"- {code(excerpt(one.ref, 120))} is {one.what}{to}{by}: {holders}{more} cite it{copy}")
    yield "\n".join([*lines, *_left(len(found))]) + "\n"


def _sight(report: Report) -> Iterator[str]:
    if report.sight or report.loads:
        totals = list(loaded(report.loads))
        lines = [f"- bytes in {code(excerpt(target, 120))}: {said}" for target, said in totals[:PER_STORE]]
        lines += _left(len(totals))
        lines += [f"- {code(excerpt(sentence, 300))}" for _, sentence in report.sight[:PER_STORE]]
        yield "\n".join(["**What agents load**", "", *lines, *_left(len(report.sight))]) + "\n"


def _store(store: str, entries: Sequence[Entry], visible: Collection[str], link: str) -> str:
    lines = ["<details>", f"<summary>{_VERB[store]}: {counted(entries)}</summary>", ""]
    for entry in entries[:PER_STORE]:
        lines += _entry(entry, entry.classification in visible, link)
    return "\n".join([*lines, *_left(len(entries)), "", "</details>"]) + "\n"


def _left(count: int) -> list[str]:
    return [f"- … and {count - PER_STORE} more"] if count > PER_STORE else []


def _entry(entry: Entry, shown: bool, link: str) -> Iterator[str]:
    handle = code(excerpt(entry.handle, 200))
    if not shown:
        by = f" by {code(excerpt(entry.by, 200))}" if entry.by else ""
        yield f"- {handle} {entry.action}{by}, {code(entry.digest[7:19])}, {code(entry.classification)}{_said(entry)}"
        return
    name = handle if entry.gone else _linked(handle, entry.path, link, entry.line)
    successor = code(excerpt(entry.by, 200))
    by = f" by {_linked(successor, entry.path, link) if entry.gone else successor}" if entry.by else ""
    who = f" ({code(excerpt(entry.who, 120))})" if entry.who else ""
    yield f"- {name} **{entry.action}**{by}{_said(entry)}{who}"
    was, now = both(entry.before, entry.after)
    if (
        entry.title
        and entry.title not in entry.sources
        and entry.store in ("pages", "candidates", "raw")
        and "#" not in entry.handle
    ):
        yield f"  - {'type' if entry.store == 'candidates' else 'title'} {code(excerpt(entry.title, 120))}"
    if was:
        yield f"  - was {code(was)}"
    if now:
        yield f"  - {'now' if was else 'says'} {code(now)}"
    if entry.reason:
        yield f"  - because {code(excerpt(entry.reason))}"
    if entry.sources and entry.action in ("added", "reworded", "restored"):
        more = f" and {len(entry.sources) - _FIRST} more" if len(entry.sources) > _FIRST else ""
        yield f"  - from {', '.join(code(excerpt(ref, 120)) for ref in entry.sources[:_FIRST])}{more}"
    elif entry.store in ("facts", "pages", "canonical") and entry.action == "added" and "#" not in entry.handle:
        yield "  - no source is named"


def _said(entry: Entry) -> str:
    return f": {code(excerpt(entry.detail, 200))}" if entry.detail else ""


def _linked(label: str, path: str, link: str, line: int = 0) -> str:
    if not link or not path or path.endswith(".jsonl"):
        return label
    from urllib.parse import quote

    return f"[{label}]({link.rstrip('/')}/{quote(path, safe='/')}{f'#L{line}' if line else ''})"


def code(text: str) -> str:
    """``text`` as a code span that its own backticks do not end; line ends are spaces already."""
    plain = " ".join(text.split()) or "nothing"
    longest = max((len(run) for run in _RUN.findall(plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if "`" in (plain[0], plain[-1]) else ""
    return f"{fence}{pad}{plain}{pad}{fence}"
