"""Folders of notes: Claude Code's memory files, and Basic Memory's. Which file becomes what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.core.counting import counted
from aiwg_memory.core.document import parse_document
from aiwg_memory.core.foreign import File, Found
from aiwg_memory.core.foreign.markdown import facts
from aiwg_memory.core.foreign.pages import page

INDEX = "MEMORY.md"


def read_markdown(files: Mapping[str, File], *, with_facts: bool = True) -> Found:
    """Lists of facts: every bullet is one."""
    found = Found()
    for name in sorted(files):
        facts(name, files[name], "markdown", found)
    return found


def read_claude(files: Mapping[str, File], *, with_facts: bool) -> Found:
    """The index and instructions a person wrote for it hold facts, a bullet each; a topic file is a page. What is about
    the person (``type: user``) is private. ``with_facts``: the bullets of topic files are facts too."""
    found = Found()
    for name in _notes(files, found):
        file = files[name]
        last = name.rpartition("/")[2]
        if last == INDEX or last.startswith("CLAUDE"):
            facts(name, file, "claude", found)
            continue
        front = parse_document(name, file.data)[0].front
        personal = _said(front, "type") == "user" or _nested(front) == "user"
        if personal:
            found.remark(name, "is about a person: its page is private, and its bullets are no facts")
        page(f"claude/{name}", name, file, "claude", found, classification="private" if personal else "")
        if with_facts and not personal:
            facts(name, file, "claude", found)
    return found


def read_basic_memory(files: Mapping[str, File], *, with_facts: bool) -> Found:
    """Every note is a page, its relations are links as they stand; ``with_facts``: its observations are facts."""
    found = Found()
    for name in _notes(files, found):
        front = parse_document(name, files[name].data)[0].front
        page(f"basic-memory/{name}", name, files[name], "basic-memory", found, identity=_said(front, "permalink"))
        if with_facts:
            facts(name, files[name], "basic-memory", found, observations=True)
    return found


def _notes(files: Mapping[str, File], found: Found) -> list[str]:
    others = sorted(name for name in files if not name.endswith(".md"))
    if others:
        found.remark(", ".join(others[:5]), f"{counted(len(others), 'file')} left out: no Markdown")
    return sorted(name for name in files if name.endswith(".md"))


def _said(front: Mapping[str, Any], key: str) -> str:
    value = front.get(key)
    return value if isinstance(value, str) else ""


def _nested(front: Mapping[str, Any]) -> str:
    inner = front.get("metadata")
    return _said(inner, "type") if isinstance(inner, Mapping) else ""
