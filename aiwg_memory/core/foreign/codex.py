"""Codex's own handbook, ``MEMORY.md``: task groups, each for a folder, with what was learned there in bullets.

The form is the one that the agent is told to write (openai/codex, codex-rs/memories/write/templates/memories/
consolidation.md): ``# Task Group``, ``scope:``, ``applies_to: cwd=…; reuse_rule=…``, tasks, then sections of bullets.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from aiwg_memory.core.foreign import File, Found
from aiwg_memory.core.foreign.markdown import bullet_fact, bullets

HANDBOOK = "MEMORY.md"
_LEARNED = ("reusable knowledge", "failures and how to do differently")
_PERSONAL = "user preferences"
_GROUP = re.compile(r"#\s+Task Group:\s*(.*?)\s*\Z")
_APPLIES = re.compile(r"applies_to:\s*(.*)\Z")
_TASKS = re.compile(r"(?:\s*\[Tasks?\s[^\]\[]{1,64}\])+\Z")
_BETWEEN = re.compile(r",\s+|\s+(?:and|or)\s+|\s*\|\s*")


class _Group(NamedTuple):
    line: int
    title: str
    folders: tuple[str, ...]


def read_codex(files: Mapping[str, File], *, root: str) -> Found:
    """What was learned in ``root`` (a folder, or one of the same name elsewhere), a fact each; what was learned in
    another project, and what is about a person, is left out and said."""
    found = Found()
    for name in sorted(files):
        if name.rpartition("/")[2] != HANDBOOK:
            found.remark(name, f"is left out: only {HANDBOOK} is read")
            continue
        try:
            text = files[name].data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            found.remark(name, "is left out: it is not UTF-8")
            continue
        _handbook(name, text, files[name], root, found)
    return found


def _handbook(name: str, text: str, file: File, root: str, found: Found) -> None:
    groups = _groups(text)
    if not groups:
        found.remark(name, "is left out: it holds no task group, so it is of another form than is known here")
        return
    away = {group for group in groups if not _about(group.folders, root)}
    for group in sorted(away):
        found.remark(f"{name}:{group.line}", f"“{group.title[:80]}” is left out: it was learned in another folder")
    personal = 0
    starts = [group.line for group in groups]
    for line, words, headings in bullets(text):
        at = bisect_right(starts, line) - 1
        if at < 0 or groups[at] in away or len(headings) != 2:
            continue
        section = headings[1].casefold()
        personal += section == _PERSONAL
        said = _TASKS.sub("", words).strip()
        if section in _LEARNED and said:
            found.facts.append(bullet_fact(said, (groups[at].title,), f"{name}:{line}", line, file, "codex"))
    if personal:
        found.remark(name, f"{personal} preferences are left out: they are about a person")


def _groups(text: str) -> list[_Group]:
    groups: list[_Group] = []
    for number, line in enumerate(text.split("\n"), 1):
        heading = _GROUP.match(line)
        if heading:
            groups.append(_Group(number, heading[1], ()))
        applies = _APPLIES.match(line)
        if applies and groups and not groups[-1].folders:
            groups[-1] = groups[-1]._replace(folders=_folders(applies[1]))
    return groups


def _folders(said: str) -> tuple[str, ...]:
    _, mark, rest = said.partition("cwd=")
    return tuple(one.strip() for one in _BETWEEN.split(rest.partition(";")[0]) if one.strip()) if mark else ()


def _about(folders: tuple[str, ...], root: str) -> bool:
    """Whether a group is about ``root``: it names it, a folder in it, one called the same, or none at all."""
    last = root.rstrip("/").rpartition("/")[2]
    named = [one.removeprefix("cwd=").replace("\\", "/").rstrip("/") for one in folders]
    return not named or any(one.startswith(root + "/") or one.rpartition("/")[2] == last for one in named)
