"""Units and items as rows: lists of fields, so that a warm search parses nothing but these."""

from __future__ import annotations

import json
from dataclasses import fields

from aiwg_memory.core.items import MemoryItem, Unit
from aiwg_memory.core.paths import RepoPath

_UNIT = tuple(field.name for field in fields(Unit))
_ITEM = tuple(field.name for field in fields(MemoryItem))
_PATH = _UNIT.index("path")
_SOURCES = _ITEM.index("sources")
_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=dict).encode


def dump_unit(unit: Unit) -> str:
    return _dumps([getattr(unit, name) for name in _UNIT])


def load_unit(row: str) -> Unit:
    values = json.loads(row)
    values[_PATH] = RepoPath(values[_PATH])
    return Unit(*values)


def dump_item(item: MemoryItem) -> str:
    return _dumps([getattr(item, name) for name in _ITEM])


def load_item(row: str) -> MemoryItem:
    values = json.loads(row)
    values[_SOURCES] = tuple(values[_SOURCES])
    return MemoryItem(*values)
