"""From bytes on disk to the text that is delivered, and what is worth saying about it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.findings import Finding

FENCE = re.compile(
    r"^<!-- aiwg-memory:begin ([0-9a-f]{16}) -->\n(.*?)^<!-- aiwg-memory:end -->\n?", re.MULTILINE | re.DOTALL
)
_IMPORT = re.compile(r"(?:^|(?<=\s))@((?:~/|\.{0,2}/)?[\w.-]+(?:/[\w.-]+)*)")
_SEEN_AS_BLANK = "\u115f\u1160\u2800\u3164\uffa0"


@dataclass(frozen=True, slots=True)
class Text:
    """``content`` is empty when everything was our own generated block; ``generated`` says there was one."""

    content: str
    redacted: bool
    generated: bool
    findings: tuple[Finding, ...]


def blank(text: str) -> bool:
    """Whether a reader would see nothing: white space of any script, byte-order marks, zero-width and control alone."""
    return all(c.isspace() or c in _SEEN_AS_BLANK or unicodedata.category(c) in ("Cf", "Cc") for c in text)


def prepare(path: str, data: bytes, *, imports: bool) -> Text:
    """Normalise, take our own generated blocks out, screen. Raises UnicodeDecodeError; NUL is the caller's to refuse.

    ``imports``: whether some agent opens ``@path`` in a file of this name, so that one is worth a finding.
    """
    from aiwg_memory.core.screening import redact, screen

    raw = data.decode("utf-8")
    text = raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    findings = (
        [Finding(path, 1, "byte-order-mark", "begins with a byte-order mark", "note")]
        if raw != text[:0] + raw.removeprefix("\ufeff")
        else []
    )
    findings += _linked(path, raw)
    findings += [
        Finding(path, 0, "edited-fence", "the generated block was edited by hand", "warning", "refresh it")
        for m in FENCE.finditer(text)
        if short(digest(m[2].encode())) != m[1]
    ]
    kept, generated = FENCE.subn("", text)
    content = kept.strip()
    if content:
        content += "\n"
    findings += [found for found in screen(content, path=path, line=1) if not found.rule.startswith("secret-")]
    if imports:
        findings += _imports(path, content)
    safe, secrets = redact(content)
    findings += [Finding(path, found.line, found.rule, "a secret is redacted", "warning") for found in secrets]
    return Text(safe, safe != content, generated > 0, tuple(dict.fromkeys(findings)))


def _linked(path: str, raw: str) -> Iterator[Finding]:
    """A link that a system without links checked out as a file holding its target's name."""
    if raw and "\n" not in raw and len(raw) < 1024 and re.fullmatch(r"[\w./-]+\.md", raw):
        yield Finding(
            path, 1, "link-as-text", f"looks like a link to {raw} that was checked out as text", "warning",
            "git config core.symlinks true and check it out again, or write the text itself",
        )  # fmt: skip


def _imports(path: str, content: str) -> Iterator[Finding]:
    fenced = False
    for number, line in enumerate(content.split("\n"), 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or "@" not in line:
            continue
        for match in _IMPORT.finditer(re.sub(r"`[^`]*`", "", line)):
            if "/" in match[1] or match[1].endswith((".md", ".txt", ".mdc")):
                yield Finding(
                    path,
                    number,
                    "unresolved-import",
                    f"@{match[1]} is not opened: its text is not part of this",
                    "note",
                )
