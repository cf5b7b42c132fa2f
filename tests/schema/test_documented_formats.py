"""The examples of docs/formats.md are what the schemas say, and every store has a heading there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from aiwg_memory.addons.canonical_context.file import read_file
from aiwg_memory.addons.canonical_context.layout import Place
from aiwg_memory.core.schema import explain, kinds
from aiwg_memory.core.strict_yaml import load

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(json|yaml)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def value_of(language: str, text: str) -> Any:
    return json.loads(text) if language == "json" else load(text, path="docs/formats.md")


def kind_of(value: Any) -> str:
    return str(value.get("schema", "aiwg.page.v1")).removeprefix("aiwg.")


@pytest.mark.parametrize(("language", "text"), BLOCKS, ids=[kind_of(value_of(*block)) for block in BLOCKS])
def test_an_example_satisfies_its_schema(language: str, text: str) -> None:
    value = value_of(language, text)
    assert kind_of(value) in kinds()
    assert explain(kind_of(value), value) == []


def test_the_canonical_example_is_a_file_that_can_be_read() -> None:
    (text,) = (text for _, text in BLOCKS if "canonical_file.v1" in text)
    found, findings = read_file(Place("project-fact", "catalog.engine").path, text.encode())
    assert findings == ()
    assert found is not None
    assert found.render().decode() == text


@pytest.mark.parametrize(
    "heading",
    ["Config", "Facts", "Pages", "Raw evidence", "Outputs", "Candidates", "Outbox", "Canonical context", "Receipts"],
)
def test_every_store_has_a_heading(heading: str) -> None:
    assert f"\n## {heading}\n" in PAGE
