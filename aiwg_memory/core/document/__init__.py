"""Markdown with front matter: read once, edited without loss, cut into passages."""

from __future__ import annotations

from aiwg_memory.core.document.edit import edit_front, without
from aiwg_memory.core.document.model import Document, normalise, parse_document, split
from aiwg_memory.core.document.passages import PASSAGE, Passage, passages, title_of

__all__ = [
    "PASSAGE",
    "Document",
    "Passage",
    "edit_front",
    "normalise",
    "parse_document",
    "passages",
    "split",
    "title_of",
    "without",
]
