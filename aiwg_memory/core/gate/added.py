"""What is screened of a change: the lines it adds, in every file of the store and of instructions that it touches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.gate.change import LOCAL, STORE, Change
from aiwg_memory.core.instructions.agents import level_of
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.patterns import bytes_pattern
from aiwg_memory.core.screening import screen
from aiwg_memory.core.screening.kinds import BIDI, INVISIBLE, SECRET, TAG

if TYPE_CHECKING:
    from aiwg_memory.core.findings import ScreeningException

_DIGESTS = bytes_pattern(rb'"(?:sha256:|op_|rq_)[0-9a-f]{64}"')
_IN_RECORDS = (INVISIBLE, BIDI, TAG)


def screened(change: Change, exceptions: Sequence[ScreeningException], size: int) -> Iterator[Finding]:
    """Secrets, hidden characters and text that speaks to the agent, in what ``head`` has and ``base`` has not.

    Files of more than ``size`` bytes and binary ones are not screened: the first are refused, and nobody delivers the
    others. In records only secrets and hidden characters count, since their texts are judged where they are parsed;
    in instruction files outside the store only secrets, since what else they hold is said where they are delivered.
    """
    for path in change.files():
        if path.startswith(LOCAL) or not (path.under(STORE) or level_of(path) is not None):
            continue
        entry = change.head.stat(path)
        if entry is None or entry.size > size:
            continue
        text = _text(change, path)
        if "\0" in text:
            continue
        found = screen(text, path=path, line=1, exceptions=exceptions)
        if found:
            yield from _new(change, path, text.split("\n"), found)


def _new(change: Change, path: RepoPath, lines: Sequence[str], found: Sequence[Finding]) -> Iterator[Finding]:
    old: set[str] = set()
    if change.digest(path, was=True) is not None:
        old = set(_text(change, path, was=True).split("\n"))
    for each in found:
        if each.line and lines[each.line - 1] in old:
            continue
        if each.rule.startswith(SECRET) or _counts(path, each.rule):
            yield each


def _counts(path: RepoPath, rule: str) -> bool:
    return path.under(STORE) and (not path.endswith(".jsonl") or rule in _IN_RECORDS)


def _text(change: Change, path: RepoPath, *, was: bool = False) -> str:
    """Half of a record is digests, which hide nothing and take as long to screen as prose: they are left out."""
    data = change.data(path, was=was)
    return (_DIGESTS.sub(b'""', data) if path.endswith(".jsonl") else data).decode("utf-8", "replace")
