"""Front matter of rule files, and the path patterns in it, read the way agents read them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_KEY = re.compile(r"([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?\Z")
MAX_ALTERNATIVES = 64
MAX_PATTERN = 1024
MAX_FRONT = 16 * 1024


class Front(NamedTuple):
    """``keys`` hold every value as a list of texts, with the line it stands in; ``problem`` is what is wrong."""

    keys: Mapping[str, tuple[int, tuple[str, ...]]]
    problem: str = ""


def front_matter(text: str) -> Front | None:
    """What stands between a first line of ``---`` and the next one; None where there is none.

    Plain keys with plain values, lists in brackets or one item a line: all that rules of agents use. Of more than
    16 Ki characters it is not looked for: nobody writes that for a reader.
    """
    text = text.removeprefix("\ufeff")
    lines = text[:MAX_FRONT].replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != "---":
        return None
    keys: dict[str, tuple[int, list[str]]] = {}
    last = ""
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() in ("---", "..."):
            return Front(_settled(keys))
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item = line.strip()
        found = _KEY.match(item) if line[0] not in " \t-" else None
        if found:
            last = found[1]
            keys[last] = (number, _values(found[2] or ""))
        elif last and item.startswith("- "):
            keys[last][1].append(_bare(item[2:]))
        elif len(text) > MAX_FRONT and number == len(lines):
            break
        else:
            return Front(_settled(keys), f"line {number} is no key and no item of a list")
    over = len(text) > MAX_FRONT
    return Front(_settled(keys), f"it does not end within {MAX_FRONT} characters" if over else "it never ends")


def _settled(keys: Mapping[str, tuple[int, list[str]]]) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {key: (line, tuple(values)) for key, (line, values) in keys.items()}


def _values(value: str) -> list[str]:
    value = _bare(value)
    if value.startswith("[") and value.endswith("]"):
        value = value[1:-1]
    depth, parts, part = 0, [], ""
    for char in value:
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += char
    return [kept for each in [*parts, part] if (kept := _bare(each))]


def _bare(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value


def matches(pattern: str, path: str) -> bool:
    """Whether a glob (``*``, ``?``, ``**``, ``{a,b}``) names a path; in time linear in their product.

    A pattern of more than 64 alternatives or 1,024 characters matches nothing: such ones are written to hang a reader.
    """
    if len(pattern) > MAX_PATTERN:
        return False
    expanded = _alternatives(pattern)
    return any(_parts(each.removeprefix("./").split("/"), path.split("/")) for each in expanded)


def _alternatives(pattern: str) -> list[str]:
    done, waiting = [], [pattern]
    while waiting:
        each = waiting.pop()
        found = re.search(r"\{([^{}]*)\}", each)
        if found is None:
            done.append(each)
        else:
            waiting += [each[: found.start()] + choice + each[found.end() :] for choice in found[1].split(",")]
        if len(done) + len(waiting) > MAX_ALTERNATIVES:
            return []
    return done


def _parts(pattern: list[str], path: list[str]) -> bool:
    """``**`` stands for any number of names: the states of one pass, so that nothing is tried twice."""
    states = _skip({0}, pattern)
    for name in path:
        following = set()
        for at in states:
            if at < len(pattern) and pattern[at] == "**":
                following.add(at)
            elif at < len(pattern) and _name(pattern[at], name):
                following.add(at + 1)
        states = _skip(following, pattern)
    return len(pattern) in states


def _skip(states: set[int], pattern: list[str]) -> set[int]:
    for at in sorted(states):
        while at < len(pattern) and pattern[at] == "**":
            at += 1
            states = states | {at}
    return states


def _name(pattern: str, name: str) -> bool:
    """``*`` and ``?`` in one name, going back to the last star only."""
    at = star = mark = 0
    seen = False
    position = 0
    while position < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, mark, seen = at, position, True
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", name[position]):
            at += 1
            position += 1
        elif seen:
            mark += 1
            at, position = star + 1, mark
        else:
            return False
    return not pattern[at:].strip("*")
