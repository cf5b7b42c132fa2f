"""A canonical key that says two things where both apply is shown with both, beside whatever else disagrees."""

from __future__ import annotations

from typing import Any

from shelf import Shelf, ask, confirmed, fact

from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.packs import build_pack


def value(text: str, scope: str = "global", key: str = "port", **more: Any) -> MemoryItem:
    handle = f"ctx:project-fact/{key}" + ("" if scope == "global" else f"@{scope}")
    return confirmed(text, scope=scope, **more)._replace(handle=handle, locator=f"{handle}:v1", layer="canonical")


def disputes(*items: MemoryItem, target: str = "docks/inner") -> dict[str, int]:
    pack = build_pack(Shelf(items), ask("port limit", target=target))
    return {one.candidate.item.handle: one.dispute for one in pack.entries}


def test_two_scopes_that_apply_stand_together() -> None:
    wide, narrow = value("The port limit is nine."), value("No port limit here, ask the pilot.", "path:docks")
    assert disputes(wide, narrow) == {wide.handle: 1, narrow.handle: 1}


def test_a_scope_that_does_not_apply_is_no_side() -> None:
    wide, narrow = value("The port limit is nine."), value("No port limit here, ask the pilot.", "path:quay")
    assert disputes(wide, narrow) == {wide.handle: 0}


def test_two_keys_are_not_one() -> None:
    one, other = value("The port limit is nine."), value("No port limit here, ask the pilot.", key="pilot")
    assert disputes(one, other) == {one.handle: 0, other.handle: 0}


def test_the_same_said_in_two_scopes_is_said_once() -> None:
    wide, narrow = value("The port limit is nine."), value("The port limit is nine.", "path:docks")
    assert len(disputes(wide, narrow)) == 1


def test_a_fact_that_disagrees_with_one_scope_joins_the_others() -> None:
    wide, narrow = value("The port limit is 9 metres."), value("Ask about the port limit.", "path:docks")
    other = fact("The port limit is 8 metres.")
    assert disputes(wide, narrow, other) == {wide.handle: 1, narrow.handle: 1, other.handle: 1}


def test_a_side_below_the_floor_comes_in_with_the_other() -> None:
    wide, narrow = value("The port limit is nine."), value("Port: ask the pilot first.", "path:docks")
    pack = build_pack(Shelf([wide, narrow]), ask("port limit nine", target="docks", floor=0.5))
    assert {one.candidate.item.handle for one in pack.entries} == {wide.handle, narrow.handle}


def test_four_scopes_of_one_key_are_still_a_disagreement() -> None:
    scopes = ("global", "path:a", "path:a/b", "path:a/b/c")
    items = [value(f"The port limit is set by office {scope[-1]}.", scope) for scope in scopes]
    assert set(disputes(*items, target="a/b/c/d").values()) == {1}
