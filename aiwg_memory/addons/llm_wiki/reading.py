"""From one file to passages and raw records, and from a passage to a memory item."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from aiwg_memory.addons.llm_wiki.layout import RECORDS, is_page, locator, passage_handle
from aiwg_memory.addons.llm_wiki.state import attributes, scope_problem
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.document import Document, parse_document, passages
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.items import Fragment, MemoryItem, Unit
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, parse_segment
from aiwg_memory.core.schema import cheap, explain

LAYER = "wiki"


def parse(path: RepoPath, data: bytes) -> Fragment:
    """The passages of a page, the versions of a raw segment; raw copies and the generated index give nothing.

    A page that cannot be read whole, or whose scope nobody can tell, gives findings and no passages; a rejected one
    gives none either.
    """
    if path.under(RECORDS):
        versions, findings = parse_segment(path, data, _record_problem)
        return Fragment(versions=tuple(versions), findings=tuple(findings))
    if not is_page(path):
        return Fragment()
    document, problems = read_page(path, data)
    if any(finding.severity == "error" and finding.rule != "schema" for finding in problems):
        return Fragment(findings=problems)
    dimensions = attributes(document.front, data)
    if dimensions["review"] == "rejected":
        return Fragment(findings=problems)
    return Fragment(units=_units(path, document, dimensions), findings=problems)


@lru_cache(maxsize=256)
def read_page(path: RepoPath, data: bytes) -> tuple[Document, tuple[Finding, ...]]:
    """A page with all that is wrong with it. Schema violations are errors, but what they leave is usable."""
    document, problems = parse_document(path, data)
    if not document.front:
        return document, problems
    found = list(problems)
    stated = {key: value for key, value in document.front.items() if value is not None}
    if cheap("page.v1", stated) is not None:
        found += explain("page.v1", stated, path=path, line=1)
    scope = scope_problem(document.front)
    if scope:
        found.append(Finding(path, 1, "scope", scope, hint="leave the scope out for a page that applies everywhere"))
    return document, tuple(found)


def page_name(path: RepoPath) -> str:
    """What a page without title and heading is called."""
    return path.name.removesuffix(".md")


def _units(path: RepoPath, document: Document, dimensions: Mapping[str, Any]) -> tuple[Unit, ...]:
    units = []
    contradicted = {**dimensions, "lifecycle": "contradicted"}
    active = dimensions["lifecycle"] in ("active", "stale")
    for passage in passages(document, title=page_name(path)):
        trail = passage.heading_path
        units.append(
            Unit(
                handle=passage_handle(path, passage),
                layer=LAYER,
                path=path,
                first=passage.first_line,
                last=passage.last_line,
                title=passage.title,
                heading=" / ".join(trail[1:] if trail and trail[0] == passage.title else trail),
                text=passage.text,
                attributes=contradicted if passage.contradicted and active else dimensions,
            )
        )
    return tuple(units)


def item(unit: Unit, head: Version | None) -> MemoryItem | None:
    """The passage with its page's dimensions; a page has no record, so ``head`` says nothing."""
    said = unit.attributes
    return MemoryItem(
        handle=unit.handle,
        layer=LAYER,
        text=unit.text,
        digest=digest(unit.text.encode()),
        locator=locator(unit.path, unit.first, unit.last),
        title=unit.title,
        heading=unit.heading,
        kind=said["kind"],
        provenance=said["provenance"],
        scope=said["scope"],
        delivery=said["delivery"],
        review=said["review"],
        lifecycle=said["lifecycle"],
        epoch=said["epoch"],
        classification=said["classification"],
        at=said["at"],
        expires_at=said["expires_at"],
        review_at=said["review_at"],
        sources=tuple(said["sources"]),
        dependencies=said["dependencies"],
    )


def _record_problem(value: Mapping[str, Any]) -> str | None:
    wrong = cheap("raw_record.v1", value)
    if wrong is None and value["handle"] != "raw_" + value["digest"][7:23]:
        return "`handle` does not begin `digest`"
    return wrong
