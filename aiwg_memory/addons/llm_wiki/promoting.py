"""The wiki sink: an accepted statement becomes a page of its own."""

from __future__ import annotations

import re

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import WIKI, is_page, page_handle, relative
from aiwg_memory.addons.llm_wiki.verdicts import stamped
from aiwg_memory.addons.llm_wiki.writing import neighbours, same_title
from aiwg_memory.core.candidates import Statement
from aiwg_memory.core.canonical import slug
from aiwg_memory.core.document import edit_front, normalise, parse_document
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.core.tree import Tree

MAX_TITLE = 80


def promote(tree: Tree, request: Request, statement: Statement) -> Plan:
    """Below ``<type>/`` unless a path was named. It begins confirmed: a person accepted exactly these words."""
    text = f"# {_title(statement.text)}\n\n{statement.text}\n"
    name = (statement.target or f"{statement.type}/{slug(_title(statement.text))}").removeprefix(WIKI + "/")
    name = name if name.endswith(".md") else name + ".md"
    part = request.part("wiki.add", {"path": name, "text": text})
    desk = Desk(tree, part, needs=("path", "text"))
    path = RepoPath(f"{WIKI}/{name}")
    if not is_page(path):
        desk.wrong("page-path", f"{display(name)} cannot be a page", "name a path below .aiwg/wiki outside raw/", path)
        return desk.plan("")
    present = desk.read(path)
    if present is not None:
        if parse_document(path, present)[0].body.strip() == text.strip():
            desk.duplicates.append(Note(page_handle(path), "this page is there already"))
        else:
            desk.wrong("page-exists", f"{page_handle(path)} is there with another text", "name another path", path)
        return desk.plan("")
    neighbours(desk, path)
    data = stamped(_page(text, statement), part, "confirmed")
    same_title(desk, path, data)
    desk.accept(path, data)
    desk.place(path, data)
    return desk.plan(f"add the page {relative(path)}")


def _page(text: str, statement: Statement) -> bytes:
    front = {
        "kind": statement.kind,
        "provenance": statement.provenance,
        "scope": statement.scope if statement.scope != "global" else None,
        "classification": statement.classification if statement.classification != "internal" else None,
        "sources": [dict(one) for one in statement.sources] or None,
        "dependencies": dict(statement.dependencies),
    }
    return edit_front(normalise(text.encode()), {key: value for key, value in front.items() if value is not None})


def _title(text: str) -> str:
    """The first sentence, without its full stop and in at most 80 characters."""
    line = text.split("\n", 1)[0].strip().lstrip("#").strip()
    sentence = re.split(r"(?<=[.!?。！？])\s", line, maxsplit=1)[0].rstrip(".。 ")
    return sentence if len(sentence) <= MAX_TITLE else sentence[: MAX_TITLE - 1].rstrip() + "…"
