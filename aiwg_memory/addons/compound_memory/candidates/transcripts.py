"""A transcript of a session as texts with the lines they stand on: JSON lines of any agent, else the text as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_DEPTH = 6


def texts(text: str) -> Iterator[tuple[str, int, bool]]:
    """``(text, line, whole)``: for JSON lines what was said in each, at its one line; else the whole text from line 1.

    What a tool returned is not said by anybody and is left out.
    """
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    if not filled or not all(line.lstrip().startswith("{") for line in filled[:3]):
        yield text, 1, True
        return
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        said = "\n\n".join(_said(value, _DEPTH))
        if said:
            yield said, number, False


def _said(value: Any, depth: int) -> Iterator[str]:
    if (
        depth == 0
        or not isinstance(value, dict)
        or value.get("type") in ("tool_result", "tool_use", "function_call_output")
    ):
        return
    for key in ("text", "content", "message", "payload"):
        held = value.get(key)
        if isinstance(held, str):
            yield held
        elif isinstance(held, dict):
            yield from _said(held, depth - 1)
        elif isinstance(held, list):
            for each in held:
                yield from [each] if isinstance(each, str) else _said(each, depth - 1)
