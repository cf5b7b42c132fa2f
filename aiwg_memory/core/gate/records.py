"""Records as bytes: a search for a handle finds them only as they are written."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.gate.change import Change, is_segment
from aiwg_memory.core.records import read_line


def unlike_written(change: Change) -> Iterator[Finding]:
    """Lines of touched segments that are JSON, but not in the one form in which records are written."""
    for path in change.files():
        if not is_segment(path):
            continue
        for number, line in enumerate(change.data(path).split(b"\n"), 1):
            value, wrong = read_line(line)
            if line.strip() and wrong is None and canonical_json(value) != line:
                message = "the line is not canonical JSON: sorted keys, no spaces, no escapes that are not needed"
                yield Finding(path, number, "record-form", message, hint="records are written by the tool")
