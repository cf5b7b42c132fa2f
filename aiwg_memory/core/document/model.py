"""Document: the front matter as values, the body as text, and what is wrong with the bytes they came from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.patterns import pattern
from aiwg_memory.errors import Damaged

_OPEN = pattern(r"---[ \t]*(?:\n|\Z)")
_CLOSE = pattern(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)
_MARKER = pattern(r"^(?:<{7} |={7}$|>{7} )", re.MULTILINE)


class Document(NamedTuple):
    """``body`` has LF line ends; ``first_line`` is the line of the file it begins on, counted from 1."""

    front: Mapping[str, Any] = MappingProxyType({})
    body: str = ""
    first_line: int = 1


class Split(NamedTuple):
    """The text of a file in three: up to and with the opening fence, the YAML between, the rest.

    Without front matter ``head`` is empty and ``yaml`` None.
    """

    head: str
    yaml: str | None
    tail: str
    body: str


def split(text: str) -> Split:
    """Cut at ``---`` on the first line and the next line that is ``---``; ``text`` has LF line ends and no BOM.

    ``tail`` begins with the closing fence, ``body`` after it.
    """
    opening = _OPEN.match(text)
    closing = _CLOSE.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return Split("", None, text, text)
    return Split(text[: opening.end()], text[opening.end() : closing.start()], text[closing.start() :],
                 text[closing.end() :])  # fmt: skip


def parse_document(path: str, data: bytes) -> tuple[Document, tuple[Finding, ...]]:
    """Never raises. An error finding means that the document must not be used; what could be read is still there.

    Errors: bytes that are not text, merge markers outside code, front matter that cannot be read. Warnings: what a
    rewrite would normalise (BOM, CRLF, missing final newline), merge markers inside code.
    """
    findings: list[Finding] = []
    text = _decode(path, data, findings)
    if text is None:
        return Document(), tuple(findings)
    parts = split(text)
    first_line = 1 + text.count("\n", 0, len(text) - len(parts.body))
    front: Mapping[str, Any] = {}
    if parts.yaml is not None:
        try:
            front = read_front(parts.yaml, path)
        except Damaged as error:
            findings += [finding for finding in error.findings if isinstance(finding, Finding)]
    if "<<<<<<<" in text:
        findings += _conflicts(path, parts.body, first_line)
    return Document(front, parts.body, first_line), tuple(findings)


def read_front(text: str, path: str) -> Mapping[str, Any]:
    """The mapping between the fences; empty front matter is an empty one. Raises Damaged."""
    from aiwg_memory.core.strict_yaml import load

    value = load(text, path=path, first_line=2)
    if value is None:
        return {}
    if not isinstance(value, dict):
        finding = Finding(path, 2, "front-matter", "the front matter is not a list of `key: value` lines")
        raise Damaged(
            f"{path} line 2: {finding.message}",
            hint="begin the page with another line if `---` was meant as a rule",
            findings=[finding],
        )
    return value


def normalise(data: bytes) -> bytes:
    """How text is stored: no BOM, LF, one final newline. Raises Damaged for bytes that are not UTF-8."""
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Damaged(f"the text is not UTF-8 (line {line})", hint="save it as UTF-8 and try again") from error
    text = line_feeds(text).rstrip("\n")
    return text.encode() + b"\n" if text else b""


def line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _decode(path: str, data: bytes, findings: list[Finding]) -> str | None:
    nul = data.find(b"\0")
    if nul >= 0:
        findings.append(Finding(path, data.count(b"\n", 0, nul) + 1, "binary", "the file is binary, not Markdown"))
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        findings.append(
            Finding(path, line, "encoding", "the line is not UTF-8", hint="save the file as UTF-8 without BOM")
        )
        return None
    if text.startswith("\ufeff"):
        findings.append(Finding(path, 1, "byte-order-mark", "the file begins with a byte order mark", "warning"))
        text = text[1:]
    if "\r" in text:
        line = text.count("\n", 0, text.index("\r")) + 1
        findings.append(Finding(path, line, "line-ending", "the line does not end in LF alone", "warning"))
        text = line_feeds(text)
    if text and not text.endswith("\n"):
        findings.append(Finding(path, text.count("\n") + 1, "final-newline", "the last line has no end", "warning"))
    return text


def _conflicts(path: str, body: str, first_line: int) -> list[Finding]:
    from aiwg_memory.core.document.blocks import scan

    found: list[Finding] = []
    starts = _conflict_starts(body)
    inside = scan(body.split("\n")).inside if starts else b""
    line = before = 0
    for start in starts:
        line += body.count("\n", before, start)
        before = start
        text, severity = (
            ("what looks like a merge conflict", "warning") if inside[line] else ("a merge conflict", "error")
        )
        hint = "settle the conflict and remove the marker lines"
        found.append(
            Finding(path, first_line + line, "merge-marker", f"{text} begins here", severity, hint)  # type: ignore[arg-type]
        )
    return found


def _conflict_starts(body: str) -> list[int]:
    """Where the three markers stand in their order, each at the start of a line; one pass."""
    starts = []
    begun, halved = -1, False
    for match in _MARKER.finditer(body):
        marker = match.group()[0]
        if marker == "<":
            begun, halved = match.start(), False
        elif marker == "=":
            halved = begun >= 0
        elif halved:
            starts.append(begun)
            begun, halved = -1, False
    return starts
