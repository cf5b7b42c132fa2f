"""Worked examples: one store and one task, printed at three bounds, character for character."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shelf import Shelf, characters, fact, passage

from aiwg_memory.core.packs import PackRequest, build_pack

EXAMPLES = Path(__file__).parent / "examples"


@pytest.mark.parametrize(
    ("limit", "form"), [(256, "markdown"), (1200, "markdown"), (8000, "markdown"), (1200, "xml"), (1200, "json")]
)
def test_the_store_printed_at_a_bound(limit: int, form: str) -> None:
    store = json.loads((EXAMPLES / "store.json").read_text("utf-8"))
    always_on = limit > 256
    items = [fact(text, **said) for text, said in store["facts"] if always_on or said.get("delivery") != "always"]
    items += [
        passage(text, path, first, heading=heading, **said) for path, first, heading, text, said in store["pages"]
    ]
    request = PackRequest(store["task"], store["as_of"], target=store["target"], budget=characters(limit), format=form)
    pack = build_pack(Shelf(items), request)
    assert pack.text == (EXAMPLES / f"{limit}.{form}.txt").read_text("utf-8")


def test_the_documentation_shows_the_examples_as_they_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "packs.md").read_text("utf-8")
    for name in ("256", "1200"):
        assert (EXAMPLES / f"{name}.markdown.txt").read_text("utf-8") in page
