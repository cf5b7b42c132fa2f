"""Changing front matter without loss: the lines of the keys that change, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.document.model import line_feeds, read_front, split
from aiwg_memory.core.patterns import pattern
from aiwg_memory.core.strict_yaml import KeySpan, outline, resolve
from aiwg_memory.errors import Damaged, UsageError

_PLAIN = pattern(r"[^\W\d_](?:[\w ./@()+,-]*[\w./@()+-])?\Z")
_LINE_END = pattern(r"\r\n?|\n")
# Words and forms that YAML 1.1 readers take for something else than text; quoting them serves other tools.
_AMBIGUOUS = pattern(r"(?:y|n|yes|no|on|off|true|false|null)\Z", re.IGNORECASE)


def edit_front(data: bytes, changes: Mapping[str, Any]) -> bytes:
    """``data`` with the named front matter keys set, or taken out where the value is None.

    Unknown keys, order, comments, quoting, line ends, a BOM and the body stay byte for byte; a key that is there keeps
    its place and the comment behind it, a new one comes last, a page without front matter gets some. Raises Damaged
    (front matter that cannot be read) and UsageError (front matter in flow style, a value YAML cannot hold).
    """
    bom, text = _opened(data)
    newline = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
    parts = split(line_feeds(text))
    before = dict(read_front(parts.yaml or "", "the page"))
    wanted = _wanted(before, changes)
    if not wanted:
        return data
    front = _edited(parts.yaml or "", wanted)
    _verify(
        front, {key: value for key, value in {**before, **wanted}.items() if value is not None or key not in wanted}
    )
    head, body_from = (parts.head, len(parts.head) + len(parts.yaml or "")) if parts.yaml is not None else ("---\n", 0)
    tail = _raw_from(text, body_from)
    fence = "" if parts.yaml is not None else "---\n"
    return (bom + (head + front + fence).replace("\n", newline) + tail).encode()


def without(data: bytes, key: str) -> bytes:
    """What ``edit_front`` with ``{key: None}`` gives for a page with LF line ends that was read before; it costs a
    quarter of that, since nothing is read again to prove it. Raises UsageError for front matter in flow style."""
    parts = split(data.decode())
    if parts.yaml is None:
        return data
    return (parts.head + _edited(parts.yaml, {key: None}) + parts.tail).encode()


def _opened(data: bytes) -> tuple[str, str]:
    """The byte order mark, if any, and the text behind it."""
    text = data.decode("utf-8")
    return ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)


def _wanted(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes that change something, as JSON would hold them."""
    try:
        text = json.dumps(dict(changes), ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError) as error:
        raise UsageError("a front matter value is not text, a number, a list or a mapping") from error
    plain = json.loads(text)
    return {
        key: value
        for key, value in plain.items()
        if (key in before if value is None else key not in before or not _same(before[key], value))
    }


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1, and 1 is not 1.0."""
    return canonical_json(one) == canonical_json(other)


def _verify(front: str, expected: Mapping[str, Any]) -> None:
    try:
        result = read_front(front, "the page")
    except Damaged:
        result = None
    if result is None or not _same(result, expected):
        raise UsageError(
            "the front matter is written in a way that cannot be edited without loss",
            hint="put each key on lines of its own, or edit the page by hand",
        )


def _raw_from(text: str, offset: int) -> str:
    """The end of ``text`` with its own line ends, where ``offset`` counts characters after normalising them."""
    if "\r" not in text or not offset:
        return text[offset:]
    lines = line_feeds(text)[:offset].count("\n")
    position = 0
    for _ in range(lines):
        line_end = _LINE_END.search(text, position)
        assert line_end is not None
        position = line_end.end()
    return text[position:]


def _edited(front: str, wanted: Mapping[str, Any]) -> str:
    spans = outline(front, path="the page")
    if spans is None:
        if front.strip() and any(line.strip() and not line.lstrip().startswith("#") for line in front.split("\n")):
            raise UsageError(
                "the front matter is in flow style and cannot be edited without loss",
                hint="write it as one `key: value` a line",
            )
        spans = ()
    lines = front.split("\n")[:-1] if front else []
    out = lines[: spans[0].line] if spans else list(lines)
    for number, span in enumerate(spans):
        end = spans[number + 1].line if number + 1 < len(spans) else len(lines)
        own = lines[span.line : end]
        after = _trailing(own)
        if span.key not in wanted:
            out += own
            continue
        if wanted[span.key] is not None:
            out += _key_lines(span.key, wanted[span.key], comment=_comment(span, lines))
        out += own[len(own) - after :]
    present = {span.key for span in spans}
    for key, value in wanted.items():
        if key not in present and value is not None:
            out += _key_lines(key, value)
    return "".join(line + "\n" for line in out)


def _trailing(lines: list[str]) -> int:
    """How many of the last lines are blank or comments at the margin: they stay when the key above them goes."""
    count = 0
    while count < len(lines) - 1 and (not lines[-1 - count].strip() or lines[-1 - count].startswith("#")):
        count += 1
    return count


def _comment(span: KeySpan, lines: list[str]) -> str:
    """What follows a one-line value on its line."""
    if span.end_line != span.line:
        return ""
    rest = lines[span.line][span.end_column :]
    return rest if rest.lstrip().startswith("#") else ""


def _key_lines(key: str, value: Any, *, comment: str = "") -> list[str]:
    lines = _render(_scalar(key) + ":", value, "")
    if comment:
        lines[0] += comment if comment.startswith((" ", "\t")) else " " + comment
    return lines


def _render(prefix: str, value: Any, indent: str) -> list[str]:
    """``value`` in block style behind ``prefix``."""
    if isinstance(value, Mapping) and value:
        lines = [prefix]
        for key, inner in value.items():
            lines += _render(f"{indent}  {_scalar(str(key))}:", inner, indent + "  ")
        return lines
    if isinstance(value, list | tuple) and value:
        lines = [prefix]
        for inner in value:
            lines += _element(inner, indent + "  ")
        return lines
    return [f"{prefix} {_scalar(value)}"]


def _element(value: Any, indent: str) -> list[str]:
    if isinstance(value, Mapping | list | tuple) and value:
        inner = _render("", value, indent)[1:]
        return [f"{indent}- {inner[0].lstrip(' ')}", *inner[1:]]
    return [f"{indent}- {_scalar(value)}"]


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, Mapping | list | tuple):
        return "{}" if isinstance(value, Mapping) else "[]"
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.match(value) and not _AMBIGUOUS.match(value) and resolve(value) == value:
        return value
    return '"' + "".join(_escaped(c) for c in value) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        raise UsageError("the value holds half a character (a lone surrogate)", hint="type it again")
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
