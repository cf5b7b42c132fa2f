"""A unified diff of one planned file, in time linear in its size but for the lines that really differ."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.core.paths import RepoPath

# difflib without its junk heuristic is quadratic in what is left after the common ends are taken off; with the
# heuristic a one-line change in a repetitive file becomes a whole-file diff. Above this many lines: replace the block.
MAX_COMPARED = 1500
CONTEXT = 3


def unified(path: str, before: bytes | None, after: bytes | None) -> str:
    """What ``git diff`` would show for one file; text that cannot be shown is named by its size."""
    head = _head(path, before, after)
    old, new = _lines(before), _lines(after)
    if old is None or new is None:
        return "\n".join([*head, f"binary: {_size(before)} -> {_size(after)}"]) + "\n"
    return "\n".join([*head, *_hunks(old, new)]) + "\n"


def readable(path: RepoPath, before: bytes | None, after: bytes | None) -> str:
    """As ``unified``, but records that come or go as a whole are told in words rather than shown as JSON."""
    from aiwg_memory.core.records.telling import told, told_pin

    data = after if before is None else before
    lines = None
    if data and (before is None or after is None):
        lines = told(path, data) if path.endswith(".jsonl") else told_pin(data) if path.endswith(".json") else None
    if lines is None:
        return unified(path, before, after)
    sign = "+" if before is None else "-"
    count = sum(not line.startswith(" ") for line in lines)
    title = f"@@ {count} record{'' if count == 1 else 's'}, in words; --json shows the bytes @@"
    return "\n".join([*_head(path, before, after), title, *(sign + _visible(line) for line in lines)]) + "\n"


def _head(path: str, before: bytes | None, after: bytes | None) -> list[str]:
    name = _visible(path)
    was = "/dev/null" if before is None else f"a/{name}"
    return [f"--- {was}", "+++ /dev/null" if after is None else f"+++ b/{name}"]


def shortened(difference: str, most: int, rest: str) -> str:
    """The diff of one file with at most ``most`` lines below its head, and how many are left with where the ``rest``
    can be seen."""
    lines = difference.split("\n")
    left = len(lines) - 3 - most
    return "\n".join([*lines[: 2 + most], f"… {left} more lines of this file: {rest}", ""]) if left > 0 else difference


def _size(data: bytes | None) -> str:
    return "absent" if data is None else f"{len(data)} bytes"


def _lines(data: bytes | None) -> list[str] | None:
    if data is None:
        return []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    *lines, last = map(_visible, text.split("\n"))
    return [*lines, last + "\n\\ No newline at end of file"] if last else lines


def _visible(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode("ascii") for c in line)


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    first, last_old, last_new = max(0, start - CONTEXT), len(old) - end + CONTEXT, len(new) - end + CONTEXT
    old_part, new_part = old[first : min(last_old, len(old))], new[first : min(last_new, len(new))]
    if len(old_part) + len(new_part) > MAX_COMPARED:
        lead, tail = start - first, min(CONTEXT, end)
        yield _range(first, len(old_part), len(new_part))
        yield from (" " + line for line in old_part[:lead])
        yield from ("-" + line for line in old_part[lead : len(old_part) - tail])
        yield from ("+" + line for line in new_part[lead : len(new_part) - tail])
        yield from (" " + line for line in old_part[len(old_part) - tail :])
        return
    yield from _grouped(old_part, new_part, first)


def _grouped(old: list[str], new: list[str], first: int) -> Iterator[str]:
    from difflib import SequenceMatcher

    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        (_, i1, _, j1, _), (_, _, i2, _, j2) = group[0], group[-1]
        yield _range(first + i1, i2 - i1, j2 - j1, first + j1)
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from (" " + line for line in old[a:b])
            else:
                yield from ("-" + line for line in old[a:b])
                yield from ("+" + line for line in new[c:d])


def _range(start: int, old_count: int, new_count: int, new_start: int | None = None) -> str:
    new_start = start if new_start is None else new_start
    return f"@@ -{start + bool(old_count)},{old_count} +{new_start + bool(new_count)},{new_count} @@"
