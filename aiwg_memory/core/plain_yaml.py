"""Write YAML that ``strict_yaml`` reads back as exactly the same value, and that YAML 1.1 readers agree with.

Block style, keys in the order given, one line a scalar but for texts of several lines: a diff shows what changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.core.strict_yaml import resolve

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./@+-]*(?<! )\Z")
# What a YAML 1.1 reader takes for a boolean; ours does not, and both should agree.
_TAKEN = frozenset(("y", "n", "yes", "no", "on", "off"))
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def render(value: Mapping[str, Any]) -> bytes:
    """A mapping of JSON types with text keys, as a YAML document that ends in a newline."""
    return "".join(line + "\n" for line in _mapping(value, "")).encode()


def _mapping(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, each in value.items():
        yield from _entry(f"{indent}{_line(key)}:", each, indent)


def _entry(lead: str, value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping) and value:
        yield lead
        yield from _mapping(value, indent + "  ")
    elif isinstance(value, list | tuple) and value:
        yield lead
        for each in value:
            yield from _item(each, indent + "  ")
    elif isinstance(value, str) and _is_block(value):
        yield f"{lead} |-"
        yield from (f"{indent}  {line}" if line else "" for line in value.split("\n"))
    else:
        yield f"{lead} {_scalar(value)}"


def _item(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping) and value:
        lines = _mapping(value, indent + "  ")
        yield f"{indent}- {next(lines).lstrip(' ')}"
        yield from lines
    elif isinstance(value, list | tuple) and value:
        yield f"{indent}-"
        for each in value:
            yield from _item(each, indent + "  ")
    else:
        yield f"{indent}- {_scalar(value)}"


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _line(value)
    if isinstance(value, Mapping):
        return "{}"
    return "[]" if isinstance(value, list | tuple) else repr(value)


def _line(text: str) -> str:
    if _PLAIN.match(text) and text.lower() not in _TAKEN and isinstance(resolve(text), str):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def _is_block(text: str) -> bool:
    """Whether a text of several lines can stand as it is: an indented or blank edge would not come back."""
    lines = text.split("\n")
    if len(lines) < 2 or _UNPRINTABLE.search(text):
        return False
    edges = lines[0][:1] not in ("", " ", "\t") and lines[-1].strip(" \t") != ""
    return edges and not any(line and not line.strip(" \t") for line in lines)
