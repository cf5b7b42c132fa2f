"""What may be printed: nothing that moves a cursor, hides or forges a line, whatever a stored text holds."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import Any

from aiwg_memory.errors import DiskFailed

# A carriage return that does not end a line takes the cursor back over what was printed.
_BACK = re.compile("\r(?!\n)")
_OTHER = re.compile(r"[^\n\x20-\x7e]")


def shown(text: str) -> str:
    """``text`` as it is safe on a terminal: whatever would move the cursor or is not seen is spelt out."""
    if text.replace("\n", "").isprintable():
        return text
    from aiwg_memory.core.screening import escape_invisible

    return _BACK.sub(r"\\r", escape_invisible(text))


def write(text: str) -> None:
    """UTF-8 whatever the locale says; bytes that a name smuggled in are shown escaped."""
    if sys.stdout is None:
        raise DiskFailed("standard output is closed: there is nowhere to print the result", hint="do not close it")
    if text:
        sys.stdout.flush()
        sys.stdout.buffer.write((text if text.endswith("\n") else text + "\n").encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()


def columns(environ: Mapping[str, str]) -> int:
    """How wide the terminal is; 80 where there is none."""
    said = environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(1).columns
    except OSError:
        return 80


def json_text(value: Any) -> str:
    """``value`` as indented JSON that says the same and is safe on a terminal too."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text if text.replace("\n", "").isprintable() else _OTHER.sub(_printable, text)


def _printable(match: re.Match[str]) -> str:
    import json

    return match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1]
