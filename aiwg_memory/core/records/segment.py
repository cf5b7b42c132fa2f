"""Segments: the files of a ``.d`` directory. Bytes to versions and back, and the gathering of a past month."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.patterns import bytes_pattern, pattern
from aiwg_memory.core.records.version import KNOWN_SCHEMA, Version, problem, schema_number
from aiwg_memory.errors import Damaged, UsageError

SEGMENT_LIMIT = 16 * 1024 * 1024
MAX_DEPTH = 64
"""Levels of lists and objects in a line: far below what any parser, writer or index of it could fail at."""

_MARKER = bytes_pattern(rb"(?:<<<<<<<|>>>>>>>|\|\|\|\|\|\|\|)(?: |\r?$)|=======\r?$")
_SEGMENT = pattern(r"([0-9]{6})(?:[0-9]{2}T[0-9]{6}Z)?-[0-9a-f]{12}\.jsonl\Z")

MOST_BROKEN = 1000
"""Lines of one file that are each named as broken; how many more there are is counted."""

Check = Callable[[Mapping[str, Any]], str | None]


def parse_segment(path: RepoPath, data: bytes, check: Check | None = None) -> tuple[list[Version], list[Finding]]:
    """Every usable line, and what is wrong with the others. One pass; no line spoils another.

    ``check`` is the store's own schema: why a value is no record of it, or None. It is not asked about lines of a
    newer schema, which are read as far as they can be.
    """
    versions: list[Version] = []
    findings: list[Finding] = []
    broken = 0
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        findings.append(Finding(path, 1, "byte-order-mark", "the file begins with a byte order mark", "warning"))
    if b"\r\n" in data:
        findings.append(Finding(path, 0, "line-ending", "lines end with CR LF; LF is the form on disk", "warning"))
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        if _MARKER.match(line):
            findings.append(
                Finding(path, number, "merge-marker", "a merge conflict was left in this file", hint="settle the merge")
            )
            continue
        value, wrong = read_line(line)
        wrong = wrong or problem(value)
        if not wrong and check and schema_number(value) <= KNOWN_SCHEMA:
            wrong = check(value)
        if wrong:
            broken += 1
            if broken <= MOST_BROKEN:
                findings.append(Finding(path, number, "broken-record", f"this line is no record: {wrong}"))
            continue
        if schema_number(value) > KNOWN_SCHEMA:
            findings.append(
                Finding(
                    path, number, "newer-schema", f"{value['handle']} is written in {value['schema']}, which is newer "
                    "than this tool; it is read as far as it is understood and cannot be changed",
                    "warning", "upgrade aiwg-memory",
                )
            )  # fmt: skip
        versions.append(Version(value, path, number))
    if broken > MOST_BROKEN:
        message = f"{broken - MOST_BROKEN} more lines of this file are no records"
        findings.append(Finding(path, 0, "broken-record", message))
    return versions, findings


def read_line(line: bytes) -> tuple[Any, str | None]:
    """The JSON value of a line, and why it cannot be had, else None: two parsers must not read it differently."""
    try:
        value = _DECODER.decode(line.decode())
        if b"\\ud" in line or b"\\uD" in line:
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeError:
        return None, "not UTF-8"
    except RecursionError:
        return None, "nested too deeply"
    except ValueError as error:
        return None, str(error) if isinstance(error, _NotOurs) else "not JSON"
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and _deeper(value, MAX_DEPTH):
        return None, "nested too deeply"
    return value, None


def _deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects lie in more levels than these. Level by level, since Python's own depth is limited."""
    level = [value]
    for _ in range(levels + 1):
        level = [one for one in level if isinstance(one, (dict, list))]
        if not level:
            return False
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return True


class _NotOurs(ValueError):
    """JSON that a parser takes and that two parsers may read differently."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _NotOurs("a key stands twice in one object")
    return value


def _constant(name: str) -> NoReturn:
    raise _NotOurs(f"{name} is not JSON")


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _NotOurs("a number is out of range")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def render_segment(versions: Iterable[Version]) -> bytes:
    """Canonical JSON lines, by time, handle and bytes, each once: equal sets of lines give equal bytes."""
    lines = {(version.at, version.handle, version.canonical) for version in versions}
    return b"".join(line + b"\n" for _, _, line in sorted(lines))


def gather(segments: Mapping[RepoPath, bytes]) -> tuple[str, bytes]:
    """The one file that may stand for segments of one month: its name and its bytes, every line in it.

    Raises UsageError for names that are no segments or of several months, Damaged when a line is broken, because a
    line that cannot be read cannot be shown to survive.
    """
    months = set()
    for path in segments:
        match = _SEGMENT.match(path.name)
        if not match:
            raise UsageError(f"{path} is not named like a segment", hint="leave it where it is")
        months.add(match[1])
    if len(months) != 1:
        raise UsageError(f"segments of {len(months)} months cannot be gathered into one file")
    versions: list[Version] = []
    broken: list[Finding] = []
    for path, data in segments.items():
        found, findings = parse_segment(path, data)
        versions += found
        broken += [finding for finding in findings if finding.severity == "error"]
    if broken:
        raise Damaged("segments with broken lines are not gathered", hint="run check and repair them", findings=broken)
    data = render_segment(versions)
    return f"{months.pop()}-{short(digest(data), 12)}.jsonl", data
