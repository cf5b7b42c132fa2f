"""What is printed is read back, by a reader that knows only the format, as exactly the items of the pack."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import FORMATS, Shelf, ask, fact, hostile_items, passage, requests

from aiwg_memory.core.budget import Budget, Limit
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.packs import Pack, PackRequest, build_pack
from aiwg_memory.errors import Refused

stores = st.lists(hostile_items(), max_size=20, unique_by=lambda item: item.handle)


class Read(NamedTuple):
    """One item as a reader understands it; in Markdown the heading is the first of the lines."""

    group: str
    locator: str
    lines: tuple[str, ...]
    cut: str


def of_markdown(text: str) -> list[Read]:
    lines = text.split("\n")
    assert lines.pop() == ""
    assert re.fullmatch(r"\[aiwg-memory pack_[0-9a-f]{16} [^\n]*\]", lines[0])
    found, group, page, at = [], "", "", 2
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("## "):
            group, page = line[3:], ""
            continue
        if line.startswith("- left out: "):
            assert at == len(lines)
            break
        assert group
        assert line.startswith("- ")
        name, mark, span = line[2:].rpartition("#")
        page = name or page if mark else line[2:]
        quoted = []
        while at < len(lines) and lines[at].startswith(">"):
            quoted.append(lines[at][2:])
            at += 1
        cut = ""
        if at < len(lines) and lines[at].startswith("- cut: "):
            cut = lines[at][7:]
            at += 1
        found.append(Read(group, page + mark + span if mark else page, tuple(quoted), cut))
    return found


def of_xml(text: str) -> list[Read]:
    found = []
    for group in ElementTree.fromstring(text).iter("group"):
        name = ", ".join(filter(None, (group.get("section"), group.get("labels"))))
        for item in group:
            assert item.tag == "item"
            assert not len(item)
            found.append(_read(name, item.get("at", ""), item.get("heading"), item.text or "", item.get("cut")))
    return found


def of_json(text: str) -> list[Read]:
    return [
        _read(", ".join((each["section"], *each["labels"])), each["at"], each.get("heading"), each["text"],
              each.get("cut"))
        for each in json.loads(text)["items"]
    ]  # fmt: skip


def _read(group: str, locator: str, heading: str | None, text: str, cut: str | None) -> Read:
    lines = ([f"# {heading}"] if heading else []) + (text.split("\n") if text else [])
    return Read(group, locator, tuple(lines), cut or "")


READERS = {"markdown": of_markdown, "xml": of_xml, "json": of_json}


def as_built(pack: Pack) -> list[Read]:
    return [
        _read(", ".join((one.group.section, *one.group.labels)), one.shown.locator, one.shown.heading,
              "\n".join(one.shown.lines), one.shown.cut)
        for one in pack.entries
    ]  # fmt: skip


def built(store: Sequence[MemoryItem], request: PackRequest) -> Pack | None:
    try:
        return build_pack(Shelf(store), request)
    except Refused:
        return None


@settings(max_examples=250)
@given(stores, requests())
def test_what_is_printed_reads_back_as_the_items_and_nothing_else(
    store: list[MemoryItem], request: PackRequest
) -> None:
    pack = built(store, request)
    if pack is not None:
        assert READERS[request.format](pack.text) == as_built(pack)


@pytest.mark.parametrize("form", FORMATS)
def test_a_page_named_like_a_locator_is_not_taken_for_a_line_of_another_page(form: str) -> None:
    names = ("a.md", "a.md#L1@01234567.md", "#L1@01234567.md", "C#.md")
    store = [passage(f"retry {name} {n}", name, n) for name in names for n in (1, 5)]
    pack = build_pack(Shelf(store), ask("retry", 30000, format=form))
    assert sorted(one.locator.rpartition("#")[0] for one in READERS[form](pack.text)) == sorted(2 * names)


@pytest.mark.parametrize("odd", ["\ufffe", "\uffff", "\U0001ffff", "\U0010fffe", "\ufdd0", "\u0338 overlaid"])
def test_xml_parses_with_characters_that_no_document_may_hold(odd: str) -> None:
    import unicodedata

    pack = build_pack(Shelf([passage(f"{odd} retry", heading=f"{odd} x")]), ask("retry", format="xml"))
    assert len(of_xml(pack.text)) == 1
    assert len(of_xml(unicodedata.normalize("NFC", pack.text))) == 1


@pytest.mark.parametrize("form", FORMATS)
def test_a_tab_in_a_heading_is_one_space_in_every_format(form: str) -> None:
    pack = build_pack(Shelf([passage("retry", heading="a\tb")]), ask("retry", format=form))
    assert READERS[form](pack.text)[0].lines == ("# a b", "retry")


def test_cutting_looks_at_few_of_many_sentences_none_of_which_fits() -> None:
    class Counting(Budget):
        asked = 0

        def cost(self, lines):  # type: ignore[no-untyped-def]
            self.asked += 1
            return super().cost(lines)

    budget = Counting((Limit("characters", 2000), Limit("tokens", 256, "rule")))
    store = [passage("retry. " * 3000, heading="h! " * 90), fact("retry twice")]
    build_pack(Shelf(store), PackRequest("retry", "2026-03-09", budget=budget))
    assert budget.asked < 400
