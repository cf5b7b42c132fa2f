"""A transcript of a session as texts with the lines they stand on: JSON lines of any agent, else the text as it is.

Known are those of Claude Code (``type``, ``message``, ``isMeta``, ``isCompactSummary``) and of Codex (``type`` and
``payload``; every message is there as an item and, as it was typed or shown, as an event). Others are read alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_DEPTH = 6
_UNSAID = frozenset(
    {
        "tool_result", "tool_use", "function_call", "function_call_output", "custom_tool_call",
        "custom_tool_call_output", "local_shell_call", "reasoning", "agent_reasoning", "thinking", "session_meta",
        "turn_context", "compacted", "system", "summary", "attachment", "progress",
    }
)  # fmt: skip
"""What a tool returned, what a model thought, and what the program wrote for itself."""
_EVENTS = ("user_message", "agent_message")
_PUT_IN = re.compile(
    r"<(system-reminder|environment_context|user_instructions|task-notification|command-[a-z]+|local-command-[a-z]+)>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL,
)
_INSTRUCTIONS = "# AGENTS.md instructions"


def texts(text: str) -> Iterator[tuple[str, int, bool]]:
    """``(text, line, whole)``: for JSON lines what was said in each, at its one line; else the whole text from line 1.

    What nobody said is left out: results of tools, thoughts, summaries of what was said before, and what the program
    put into a message of the person.
    """
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    if not filled or not all(line.lstrip().startswith("{") for line in filled[:3]):
        yield text, 1, True
        return
    told_twice = any('"event_msg"' in line and _is_event(_value(line)) for line in lines)
    for number, line in enumerate(lines, 1):
        value = _value(line)
        if told_twice and value.get("type") == "response_item":
            continue
        said = "\n\n".join(filter(None, map(_own, _said(value, _DEPTH))))
        if said:
            yield said, number, False


def _value(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _is_event(value: dict[str, Any]) -> bool:
    payload = value.get("payload")
    return value.get("type") == "event_msg" and isinstance(payload, dict) and payload.get("type") in _EVENTS


def _own(said: str) -> str:
    return "" if said.startswith(_INSTRUCTIONS) else _PUT_IN.sub("", said)


def _said(value: Any, depth: int) -> Iterator[str]:
    if depth == 0 or not isinstance(value, dict) or _is_unsaid(value):
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


def _is_unsaid(value: dict[str, Any]) -> bool:
    kind, role = value.get("type"), value.get("role")
    flagged = value.get("isMeta") is True or value.get("isCompactSummary") is True
    return flagged or (isinstance(kind, str) and kind in _UNSAID) or role in ("system", "developer", "tool")
