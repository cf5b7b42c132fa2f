"""What is screened of a change: the lines it adds, in every file it touches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.gate.change import LOCAL, STORE, Change
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.screening import Exemption, screen
from aiwg_memory.core.screening.kinds import BIDI, INVISIBLE, SECRET, TAG

_IN_RECORDS = (INVISIBLE, BIDI, TAG)


def screened(change: Change, exceptions: Sequence[Exemption], size: int) -> Iterator[Finding]:
    """Secrets, hidden characters and text that speaks to the agent, in what ``head`` has and ``base`` has not.

    Files of more than ``size`` bytes and binary ones are not screened: the first are refused, and nobody delivers the
    others. In records only secrets and hidden characters count, since their texts are judged where they are parsed.
    """
    for path in change.files():
        if not path.under(STORE) or path.startswith(LOCAL):
            continue
        entry = change.head.stat(path)
        if entry is None or entry.size > size:
            continue
        data = change.data(path)
        if b"\0" in data:
            continue
        text = data.decode("utf-8", "replace")
        found = screen(text, path=path, line=1, exceptions=exceptions)
        if found:
            yield from _new(change, path, text.split("\n"), found)


def _new(change: Change, path: RepoPath, lines: Sequence[str], found: Sequence[Finding]) -> Iterator[Finding]:
    old: set[str] = set()
    if change.digest(path, was=True) is not None:
        old = set(change.data(path, was=True).decode("utf-8", "replace").split("\n"))
    for each in found:
        if each.line and lines[each.line - 1] in old:
            continue
        if path.endswith(".jsonl") and not each.rule.startswith(SECRET) and each.rule not in _IN_RECORDS:
            continue
        yield each
