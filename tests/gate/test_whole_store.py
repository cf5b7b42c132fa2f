"""What is judged of all stores together, and of those that are switched off: the same by every way to ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from person import Person

from aiwg_memory.core.receipts import parse_receipts

CONFIG = "workspace: ws_0123456789abcdef\ndelivery:\n  always_cap: 100\n"
PAGE = "---\ntitle: Manners\ndelivery: always\n---\n# Manners\n\n" + "Answer in the language of the question. " * 2


@pytest.fixture
def desk(tmp_path: Path) -> Person:
    """A fact, a page and a value that are always delivered: each under the cap, together over it."""
    desk = Person(tmp_path)
    desk.do("add", "Ask before you push, and say what you do not know.", "--delivery", "always")
    desk.write(".aiwg/wiki/manners.md", PAGE)
    desk.do("wiki", "confirm", "wiki:manners.md")
    desk.do("canon", "init")
    desk.do("canon", "set", "preference/tone", "Plain words.", "--delivery", "always")
    return desk


def over(findings: list[dict[str, Any]]) -> list[str]:
    return [one["message"] for one in findings if one["rule"] == "standing-over-cap"]


def test_the_cap_counts_facts_pages_and_values_by_every_way_to_ask(desk: Person) -> None:
    assert over(desk.json("check")["data"]["findings"]) == []
    desk.write(".aiwg/config.yaml", CONFIG)
    (said,) = over(desk.json("check", status=1)["data"]["findings"])
    assert said.startswith("3 items always delivered")
    assert over(desk.json("check", "--all", status=1)["data"]["findings"]) == [said]
    assert over(desk.json("maintain", "--only", "standing")["data"]["findings"]) == [said]
    desk.git("add", "-A")
    assert over(desk.json("check", "--staged", status=1)["data"]["findings"]) == [said]


def test_files_of_an_addon_that_is_off_are_called_by_its_name(desk: Person) -> None:
    desk.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\naddons: [line-memory]\n")
    desk.git("add", "-A")
    for way in ("--all", "--staged"):
        findings = desk.json("check", way, status=0)["data"]["findings"]
        (page,) = [one for one in findings if one["rule"] == "unknown-file" and one["path"].endswith("manners.md")]
        assert (page["severity"], "llm-wiki" in page["message"]) == ("note", True)
        assert "move" not in page["hint"]


def test_a_receipt_that_stands_twice_in_a_file_counts_once_however_it_is_spelt(desk: Person) -> None:
    (path, *_) = sorted((desk.root / ".aiwg/receipts.d").iterdir())
    line = path.read_bytes().strip()
    spaced = line.replace(b'":', b'" : ')
    found, wrong = parse_receipts("receipts", b"\n".join([line, spaced, line]))
    assert (len(found), wrong) == (1, [])
