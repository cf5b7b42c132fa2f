"""RecordLog: one rule for every JSONL store.

A line is a whole record version. The record set is the union of all lines in any order and however they are cut into
files, so two branches have nothing to merge. The current version of a handle is the one no other names as ``previous``.
"""

from __future__ import annotations

from aiwg_memory.core.records.chain import chain_findings, fork_findings, lost_findings
from aiwg_memory.core.records.fold import Head, fold, join, restriction
from aiwg_memory.core.records.segment import SEGMENT_LIMIT, gather, parse_segment, read_line, render_segment
from aiwg_memory.core.records.version import COVERED, DIMENSIONS, Version, succeed

__all__ = [
    "COVERED",
    "DIMENSIONS",
    "SEGMENT_LIMIT",
    "Head",
    "Version",
    "chain_findings",
    "fold",
    "fork_findings",
    "gather",
    "join",
    "lost_findings",
    "parse_segment",
    "read_line",
    "render_segment",
    "restriction",
    "succeed",
]
