"""From bytes on disk to the text that is delivered, and what is worth saying about it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.fences import BEGIN, END, marker
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.screening import redact, screen

if TYPE_CHECKING:
    from aiwg_memory.core.findings import ScreeningException

_IMPORT = re.compile(r"(?:^|(?<=\s))@((?:~/|/|(?:\.{1,2}/)+)?[\w.-]+(?:/[\w.-]+)*)")
# A code span ends at as many backticks as it begins with.
_CODE = re.compile(r"(?<!`)(`{1,8})(?!`)[^\n]{0,4096}?(?<!`)\1(?!`)")
# A code block ends at a line of nothing but the mark it begins with, at least as long.
_FENCE = re.compile(r"\s*(```+(?=[^`]*\Z)|~~~+)")
_LINKED = re.compile(r"[\w./-]+\.md\Z")
_SEEN_AS_BLANK = "\u115f\u1160\u2800\u3164\uffa0"

Lines = list[tuple[int, str]]


class Text(NamedTuple):
    """``content`` is empty when everything was our own generated block; ``generated`` says there was one.

    ``numbers[i]`` is the line on disk of line ``i`` of the content; ``plain_sha256`` is of the text before redaction.
    """

    content: str
    redacted: bool
    generated: bool
    findings: tuple[Finding, ...]
    numbers: tuple[int, ...]
    plain_sha256: str
    content_sha256: str


def blank(text: str) -> bool:
    """Whether a reader would see nothing: white space of any script, byte-order marks, zero-width and control alone."""
    return all(c.isspace() or c in _SEEN_AS_BLANK or unicodedata.category(c) in ("Cf", "Cc") for c in text)


def prepare(
    path: str,
    raw: str,
    *,
    imports: bool,
    exceptions: Sequence[ScreeningException] = (),
    confirmed: Collection[str] = (),
) -> Text:
    """Normalise, take our own generated blocks out, screen. ``raw`` is the decoded file.

    ``imports``: whether some agent opens ``@path`` in a file of this name, so that one is worth a finding.
    ``confirmed``: digests of texts that these screening rules left as they are when a person confirmed them with what
    the rules had to say; they are not screened again.
    """
    text = raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    findings = [Finding(path, 1, "byte-order-mark", "begins with a byte-order mark", "note")] * (raw[:1] == "\ufeff")
    findings += _linked(path, raw)
    lines = list(enumerate(text.split("\n"), 1))
    generated = False
    if "aiwg-memory:" in text:
        kept, broken = _unfenced(path, lines)
        generated = len(kept) < len(lines)
        lines = kept
        findings += broken
    lines = _trimmed(lines)
    plain = "\n".join(line for _, line in lines)
    plain = f"{plain}\n" if not blank(plain) else ""
    numbers = tuple(number for number, _ in lines)
    whole = short(digest(plain.encode()), 64)
    if whole in confirmed:
        return Text(plain, False, generated, tuple(dict.fromkeys(findings)), numbers, whole, whole)
    screened = screen(plain, path=path, line=1, exceptions=exceptions)
    found = [each for each in screened if not _secret(each)]
    safe, secrets = redact(plain, path=path, exceptions=exceptions) if len(found) < len(screened) else (plain, ())
    if imports:
        found += _imports(path, plain)
    # Worded as where it is added: of one that is new the check says the error alone.
    found += [each._replace(severity="warning", hint=_REMOVE) for each in secrets]
    findings += [each._replace(line=numbers[each.line - 1]) if each.line else each for each in found]
    shown = whole if safe == plain else short(digest(safe.encode()), 64)
    return Text(safe, safe != plain, generated, tuple(dict.fromkeys(findings)), numbers, whole, shown)


_REMOVE = "it is redacted here alone: take it out and change it where it is used, since git keeps what was committed"


def _secret(found: Finding) -> bool:
    return found.rule.startswith("secret-") and found.severity == "error"


def _trimmed(lines: Lines) -> Lines:
    """Without outer blank lines, and without white space at the two ends of what is left."""
    first, last = 0, len(lines)
    while first < last and not lines[first][1].strip():
        first += 1
    while last > first and not lines[last - 1][1].strip():
        last -= 1
    kept = lines[first:last]
    if kept:
        kept[0] = (kept[0][0], kept[0][1].lstrip())
        kept[-1] = (kept[-1][0], kept[-1][1].rstrip())
    return kept


def _unfenced(path: str, lines: Lines) -> tuple[Lines, list[Finding]]:
    """The lines outside our generated blocks; a block that was edited or never ends goes too, and is a finding.

    What an edited block holds is left out all the same: memory must not come back as policy.
    """
    marks = [(at, kind) for at, (_, line) in enumerate(lines) if (kind := marker(line))]
    kept: Lines = []
    findings = []
    done = 0
    for place, (at, kind) in enumerate(marks):
        if at < done:
            continue
        if kind == "end":
            message = "a generated block ends here and begins nowhere"
            findings.append(Finding(path, lines[at][0], "broken-fence", message, "warning", "take the line out"))
            continue
        kept += lines[done:at]
        done, rule = _block_end(lines, marks[place:])
        if rule:
            from aiwg_memory.core.adapters import BY_HAND, way_out

            hint = way_out(path) if rule == "edited-fence" else BY_HAND
            findings.append(Finding(path, lines[at][0], rule, _BROKEN[rule], "warning", hint))
    return kept + lines[done:], findings


_BROKEN = {
    "edited-fence": "the generated block was edited by hand; it is left out",
    "broken-fence": "a generated block begins here and never ends; what may belong to it is left out",
}


def _block_end(lines: Lines, marks: Sequence[tuple[int, str]]) -> tuple[int, str]:
    """Where the block that begins at the first of ``marks`` is over, and the rule it breaks ("" for none).

    The digest in the first line finds the end even where the last line is gone. Else it is the line that ends it, or
    of blocks in one another the last one; without any, nothing tells where the person's own text goes on.
    """
    begin = marks[0][0]
    following = marks[1][0] if len(marks) > 1 else len(lines)
    stated = BEGIN.match(lines[begin][1])
    end = _intact(lines, begin + 1, following, stated[1]) if stated else None
    if end is not None:
        if end < len(lines) and lines[end][1] == END:
            return end + 1, ""
        closed = end == following < len(lines) and marks[1][1] == "end"
        return (end + 1, "edited-fence") if closed else (end, "broken-fence")
    opened, last = 1, 0
    for at, kind in marks[1:]:
        if kind == "begin" and last:
            break
        opened += 1 if kind == "begin" else -1
        last = last if kind == "begin" else at
        if not opened:
            break
    return (last + 1, "edited-fence") if last else (len(lines), "broken-fence")


def _intact(lines: Lines, first: int, last: int, stated: str) -> int | None:
    """The line before which the lines from ``first`` on have the stated digest; None where no line does."""
    so_far = hashlib.sha256()
    for at in range(first, last + 1):
        if so_far.hexdigest().startswith(stated):
            return at
        if at < last:
            so_far.update(f"{lines[at][1]}\n".encode())
    return None


def _linked(path: str, raw: str) -> Iterator[Finding]:
    """A link that a system without links checked out as a file holding its target's name."""
    if len(raw) < 1024 and _LINKED.match(raw.rstrip("\n")):
        yield Finding(
            path, 1, "link-as-text", f"looks like a link to {raw.strip()} that was checked out as text", "warning",
            "git config core.symlinks true and check it out again, or write the text itself",
        )  # fmt: skip


def references(content: str) -> Iterator[tuple[int, str]]:
    """``(line, path)`` of every ``@path`` that stands outside code spans and code blocks, lines counted from 1."""
    if "@" not in content:
        return
    fenced = ""
    for number, line in enumerate(content.split("\n"), 1):
        mark = found[1] if (found := _FENCE.match(line)) else ""
        if not fenced:
            fenced = mark
        elif mark.startswith(fenced) and not line.strip().strip(mark[0]):
            fenced = ""
            continue
        if fenced or "@" not in line:
            continue
        for match in _IMPORT.finditer(_CODE.sub("", line)):
            name = match[1].rstrip(".")
            if "/" in name or name.endswith((".md", ".txt", ".mdc")):
                yield number, name


def _imports(path: str, content: str) -> Iterator[Finding]:
    for number, name in references(content):
        yield Finding(
            path, number, "unresolved-import", f"@{name} is not opened: its text is not part of this", "note",
            "write here what matters of it",
        )  # fmt: skip
