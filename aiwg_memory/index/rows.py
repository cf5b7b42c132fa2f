"""Units and items as rows: lists of fields, so that a warm search parses nothing but these."""

from __future__ import annotations

import json

from aiwg_memory.core.items import MemoryItem, Unit
from aiwg_memory.core.paths import RepoPath

_UNIT = tuple(Unit.__annotations__)
_ITEM = tuple(MemoryItem.__annotations__)
_UNIT_TEXT = _UNIT.index("text")
_ITEM_TEXT = _ITEM.index("text")
_PATH = _UNIT.index("path")
_SOURCES = _ITEM.index("sources")
_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=dict).encode


def dump_unit(unit: Unit) -> str:
    """All but the text, which has a column of its own."""
    return _dumps([None if name == "text" else getattr(unit, name) for name in _UNIT])


def load_unit(row: str, text: str) -> Unit:
    values = json.loads(row)
    values[_UNIT_TEXT] = text
    values[_PATH] = RepoPath(values[_PATH])
    return Unit(*values)


def dump_item(item: MemoryItem, text: str) -> str:
    """All but the text where it is the unit's."""
    return _dumps([None if name == "text" and item.text == text else getattr(item, name) for name in _ITEM])


def load_item(row: str, text: str) -> MemoryItem:
    values = json.loads(row)
    if values[_ITEM_TEXT] is None:
        values[_ITEM_TEXT] = text
    values[_SOURCES] = tuple(values[_SOURCES])
    return MemoryItem(*values)
