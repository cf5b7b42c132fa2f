"""Pages and raw copies as rows: how many there are of which sort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, RECORDS, WIKI, is_page
from aiwg_memory.core.catalogue import Part, Place, Row
from aiwg_memory.core.items import Fragment, Unit
from aiwg_memory.core.paths import RepoPath

if TYPE_CHECKING:
    from aiwg_memory.core.records import Version

UNREADABLE, HISTORY = "unreadable", "history"
HELD = "held"


def _page(path: RepoPath, data: bytes) -> Fragment:
    return Fragment((Unit(path, "", path, 0, 0, "", "", "", {"label": _label(path, data)}),))


def _label(path: RepoPath, data: bytes) -> str:
    """The review of a page that counts; else why it does not."""
    from aiwg_memory.addons.llm_wiki.state import attributes
    from aiwg_memory.core.document import parse_document

    document, findings = parse_document(path, data)
    if any(finding.severity == "error" for finding in findings):
        return UNREADABLE
    said = attributes(document.front, data)
    return str(said["review"]) if said["lifecycle"] in ("active", "stale") else HISTORY


def _page_rows(handle: str, units: Sequence[Unit], versions: Sequence[Version]) -> Iterator[Row]:
    del versions
    yield Row(handle, str(units[0].attributes["label"]))


def _records(path: RepoPath, data: bytes) -> Fragment:
    from aiwg_memory.addons.llm_wiki.reading import parse

    return parse(path, data)


def _raw_rows(handle: str, units: Sequence[Unit], versions: Sequence[Version]) -> Iterator[Row]:
    from aiwg_memory.addons.llm_wiki.sources import HELD as LIVE
    from aiwg_memory.core.records import fold

    del units
    current = fold(versions)[handle].current
    yield Row(handle, HELD if current.status in LIVE else "ended", current.at)


PAGES = Part("pages", 1, (Place(WIKI, ".md", deep=True, takes=is_page, largest=MAX_PAGE),), _page, _page_rows)
EVIDENCE = Part("raw", 1, (Place(RECORDS, ".jsonl", "raw-file-name", deep=True),), _records, _raw_rows)
