"""Canonical values that rest on lines of files which go on changing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.addons.canonical_context.opening import opened
from aiwg_memory.addons.canonical_context.setting import cited_as
from aiwg_memory.addons.canonical_context.store import read
from aiwg_memory.core.citations import with_anchor
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.following import followed
from aiwg_memory.core.operations import Plan, Request
from aiwg_memory.core.tree import Tree


def cites(tree: Tree) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Key and source of every citation of lines of a file by a value that stands."""
    for place, found in read(tree).files.items():
        for source in with_anchor((found.active or {}).get("sources") or ()):
            yield place.handle, source


def reanchor(tree: Tree, request: Request) -> Plan:
    """The value that stands is renewed, with its citations where their lines are now."""
    needs, takes = ("target", "key", "expected", "moves"), ("scope", "reason")
    desk = Desk(tree, request, "canonical_request.v1", needs=needs, takes=takes)
    desk.screen(desk.arguments.get("reason", ""), request.kind)
    found = opened(desk)
    if found is None:
        return desk.plan("")
    handle = found.place.handle
    active = found.active
    if active is None:
        desk.wrong("not-found", f"{handle} has no value that stands", "`canon history` shows the versions")
    else:
        cited_as(desk, found, active, followed(desk, handle, active.get("sources") or (), desk.arguments["moves"]))
    return desk.plan(f"follow the lines that {handle} cited")
