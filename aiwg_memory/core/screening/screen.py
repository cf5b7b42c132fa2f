"""The screen: every class over one text, as findings; and what delivery does about them."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import aiwg_memory.core.screening.kinds as kinds
from aiwg_memory.core.findings import Finding, Severity
from aiwg_memory.core.screening.characters import escape_invisible, oddities
from aiwg_memory.core.screening.secrets import Secret, find, lower
from aiwg_memory.core.screening.speech import speech

if TYPE_CHECKING:
    from aiwg_memory.core.findings import ScreeningException

__all__ = ["escape_invisible", "redact", "reserved_namespace", "screen"]

# A redaction takes this many rounds at most before whole lines go: only hostile text needs a second one.
_ROUNDS = 3
_HIGHER = ("system", "developer", "provider", "agent")

_UNSEEN = (kinds.INVISIBLE, kinds.BIDI, kinds.TAG, kinds.HOMOGLYPH)
_MESSAGES = {
    kinds.INSTRUCTION: "text that gives orders to the agent",
    kinds.ROLE: "text that passes for a turn, a role or an envelope",
    kinds.TOOL_CALL: "tool-call syntax",
    kinds.INVISIBLE: "an invisible or control character",
    kinds.BIDI: "a bidirectional control character",
    kinds.TAG: "a tag character, which can carry hidden text",
    kinds.HOMOGLYPH: "a word of Latin letters and look-alikes from another script",
}


def screen(
    text: str, *, path: str, line: int = 0, strict: bool = False, exceptions: Sequence[ScreeningException] = ()
) -> list[Finding]:
    """Everything ``text`` should not hold, one finding for each rule and line, in order of line; raises nothing.

    ``line`` is the number of the first line of ``text``; 0 puts every finding at the file as a whole. ``strict`` is for
    keys and titles: what a reader cannot see is an error there, a warning elsewhere. Secrets are errors; orders, forged
    roles and tool calls are warnings to acknowledge by name. A recorded exception turns a finding into a note.
    """
    lines = _Lines(text, line)
    found: dict[tuple[int, str], Finding] = {}
    for at, rule in _places(text, strict):
        key = (lines.number(at), rule)
        if key not in found:
            reason = kinds.granted(rule, path, lines.text(at), exceptions)
            found[key] = _finding(rule, path, key[0], strict, reason)
    return sorted(found.values())


def reserved_namespace(key: str) -> str | None:
    """The higher authority ``key`` begins with as a whole part, up to ``.``, ``/``, ``:``, ``#`` or ``@``, or None."""
    plain = "".join(c for c in unicodedata.normalize("NFKC", key) if unicodedata.category(c) not in ("Cf", "Cc", "Mn"))
    first = plain.strip().strip("./:#@").casefold()
    for mark in "./:#@":
        first = first.partition(mark)[0]
    return first.strip() if first.strip() in _HIGHER else None


def redact(
    text: str, *, path: str = "", line: int = 1, exceptions: Sequence[ScreeningException] = ()
) -> tuple[str, tuple[Finding, ...]]:
    """``text`` with ``[redacted:<class>]`` for every secret, and what was taken out; line count kept, idempotent.

    What a recorded exception covers stays. The result screens clean of secrets.
    """
    taken: dict[tuple[int, str], Finding] = {}
    for turn in range(len(text) + 1):
        lines = _Lines(text, line)
        secrets = _not_granted(find(text), lines, path, exceptions)
        if not secrets:
            break
        for secret in secrets:
            key = (lines.number(secret.start), kinds.SECRET + secret.kind)
            taken.setdefault(key, _finding(key[1], path, key[0], False, ""))
        text = _without(text, [lines.whole(s) for s in secrets] if turn >= _ROUNDS else secrets)
    return text, tuple(sorted(taken.values()))


def _not_granted(
    secrets: Sequence[Secret], lines: _Lines, path: str, exceptions: Sequence[ScreeningException]
) -> list[Secret]:
    """Asked once for a line and a class: a line may be all there is, and hold thousands of them."""
    granted: dict[tuple[int, str], str] = {}
    kept = []
    for secret in secrets:
        key = (lines.place(secret.start), kinds.SECRET + secret.kind)
        if key not in granted:
            granted[key] = kinds.granted(key[1], path, lines.text(secret.start), exceptions)
        if not granted[key]:
            kept.append(secret)
    return kept


def _without(text: str, secrets: Sequence[Secret]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, kind in secrets:
        if end <= done:
            continue
        start = max(start, done)
        parts += [text[done:start], f"[redacted:{kind}]", *(c for c in text[start:end] if c in "\r\n")]
        done = end
    return "".join(parts) + text[done:]


def _places(text: str, strict: bool) -> Iterator[tuple[int, str]]:
    for secret in find(text):
        yield secret.start, kinds.SECRET + secret.kind
    yield from speech(text, lower(text))
    yield from oddities(text, strict=strict)


def _finding(rule: str, path: str, line: int, strict: bool, reason: str) -> Finding:
    kind = rule.removeprefix(kinds.SECRET)
    secret = kind != rule
    message = f"a secret of the class {kind}" if secret else _MESSAGES[rule]
    if reason:
        return Finding(path, line, rule, f"{message}, let through: {reason}", "note")
    severity: Severity = "error" if secret or (strict and rule in _UNSEEN) else "warning"
    if secret:
        hint = f"take it out or store the redacted text; if it is none, add '# aiwg: allow {kind} <reason>' to the line"
    elif rule in _UNSEEN:
        hint = "write the text without it"
    else:
        hint = f"read it as data; to promote it, acknowledge {rule} by name"
    return Finding(path, line, rule, message, severity, hint)


class _Lines:
    """Line numbers and line texts by position, from one pass over the text, made only when something was found."""

    __slots__ = ("_ends", "_first", "_source")

    def __init__(self, source: str, first: int) -> None:
        self._source, self._first = source, first
        self._ends: list[int] | None = None

    def _index(self, at: int) -> tuple[list[int], int]:
        if self._ends is None:
            self._ends = [n for n, c in enumerate(self._source) if c == "\n"]
        return self._ends, bisect_left(self._ends, at)

    def place(self, at: int) -> int:
        return self._index(at)[1]

    def number(self, at: int) -> int:
        return self._first + self.place(at) if self._first else 0

    def text(self, at: int) -> str:
        ends, n = self._index(at)
        return self._source[ends[n - 1] + 1 if n else 0 : ends[n] if n < len(ends) else len(self._source)]

    def whole(self, secret: Secret) -> Secret:
        """The secret, widened to the lines it lies in."""
        ends, n = self._index(secret.start)
        _, last = self._index(secret.end)
        return Secret(ends[n - 1] + 1 if n else 0, ends[last] if last < len(ends) else len(self._source), secret.kind)
