"""Raw copies and what is said to rest on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, RAW, RECORDS, WIKI, look, page_handle, pages
from aiwg_memory.addons.llm_wiki.reading import parse, read_page
from aiwg_memory.core.anchors import GONE, MOVED, lines_of, locate
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.patterns import pattern
from aiwg_memory.core.records import SEGMENT_LIMIT, Head, Version, fold
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree, files

HELD = ("active", "origin_unavailable")
"""States in which the copy is there."""

_SUFFIX = pattern(r"(?:#L[0-9]+(?:-L[0-9]+)?)?(?:@[0-9a-f]{8})?\Z")
_HANDLE = pattern(r"(?:lm|cand|out)_[0-9a-f]{16}\Z|[a-z][a-z0-9+.-]+:")


class Evidence(NamedTuple):
    """The raw records of a tree. ``names`` leads from a handle, a digest, a copy's path or a locator to handles."""

    heads: Mapping[str, Head]
    versions: tuple[Version, ...]
    findings: tuple[Finding, ...]
    names: Mapping[str, tuple[str, ...]]

    def find(self, ref: str, expected: str | None = None) -> Version | None:
        """The record a reference means: of several copies of one source the one with ``expected``, else the latest."""
        handles = self.names.get(ref) or self.names.get(plain(ref), ())
        found = [self.heads[handle].current for handle in handles]
        exact = [version for version in found if version.text("digest") == expected]
        return max(exact or found, key=lambda version: (version.at, version.handle), default=None)


def read_evidence(tree: Tree) -> Evidence:
    versions: list[Version] = []
    findings: list[Finding] = []
    for path, _ in files(tree, RECORDS):
        if path.endswith(".jsonl"):
            fragment = parse(path, tree.read(path, limit=SEGMENT_LIMIT))
            versions += fragment.versions
            findings += fragment.findings
    heads = fold(versions)
    names: dict[str, dict[str, None]] = {}
    for handle, head in heads.items():
        for name in names_of(head.current):
            names.setdefault(name, {})[handle] = None
    return Evidence(heads, tuple(versions), tuple(findings), {name: tuple(found) for name, found in names.items()})


def names_of(version: Version) -> Iterator[str]:
    file = version.text("file")
    yield from (version.handle, version.text("digest"), f"{RAW}/{file}", f"raw/{file}", file)
    for source in version.list("sources"):
        yield str(source.get("ref", ""))


def plain(ref: str) -> str:
    """A reference without the lines and the digest behind it."""
    return ref[: match.start()] if (match := _SUFFIX.search(ref)) else ref


def source_problem(tree: Tree, evidence: Evidence, source: Mapping[str, Any]) -> tuple[str, str] | None:
    """``(rule, message)`` when a page's source is missing or is not what was cited; None also for what other stores
    answer for (facts, sessions, URLs that were not ingested)."""
    ref = source.get("ref")
    if not isinstance(ref, str):
        return None
    expected = source.get("digest") if isinstance(source.get("digest"), str) else None
    record = evidence.find(ref, expected)
    if record is not None:
        return _record_problem(tree, record, ref, expected)
    if _HANDLE.match(ref):
        return None
    return _file_problem(tree, source, expected)


def _record_problem(tree: Tree, record: Version, ref: str, expected: str | None) -> tuple[str, str] | None:
    if record.status not in HELD:
        return "source-ended", f"the source {ref} was {record.status.replace('_', ' ')}"
    path = RepoPath(f"{RAW}/{record.text('file')}")
    entry = look(tree, path)
    if entry is None or entry.kind != "file":
        return "source-vanished", f"the raw copy of {ref} is gone"
    if expected and expected != record.text("digest"):
        return "source-changed", f"the source {ref} is not what was cited"
    return None


def _file_problem(tree: Tree, source: Mapping[str, Any], expected: str | None) -> tuple[str, str] | None:
    ref = str(source["ref"])
    name = plain(ref)
    for candidate in (name, f"{WIKI}/{name}"):
        if path_problem(candidate):
            continue
        path = RepoPath(candidate)
        entry = look(tree, path)
        if entry is not None and entry.kind == "file":
            if not expected or entry.size > MAX_FILE:
                return None
            return _content_problem(tree.read(path, limit=MAX_FILE), source, ref, expected)
    return "source-missing", f"the source {ref} is neither a raw copy nor a file here"


def _content_problem(data: bytes, source: Mapping[str, Any], ref: str, expected: str) -> tuple[str, str] | None:
    span = str(source.get("span") or "")
    if lines_of(span) is None:
        return None if digest(data) == expected else ("source-changed", f"the source {ref} is not what was cited")
    found = locate(data, source)
    if found.state == MOVED:
        return "source-moved", f"the lines are {found.span} now"
    if found.state == GONE:
        return "source-changed", f"the lines {span} of the source {ref} are not what was cited"
    return None


def dependents(tree: Tree, source: str) -> Iterable[str]:
    """Handles of pages and raw copies that rest on ``source``: a locator, a handle, a digest or a file's path."""
    evidence = read_evidence(tree)
    names = {source, plain(source)}
    for handle in evidence.names.get(source) or evidence.names.get(plain(source), ()):
        names |= set(names_of(evidence.heads[handle].current))
        if handle != source:
            yield handle
    probes = [name.encode() for name in names if name]
    for path, entry in pages(tree):
        if entry.size > MAX_PAGE:
            continue
        data = tree.read(path, limit=MAX_PAGE)
        # A page that rests on it says so in its front matter, in these words or escaped.
        if any(probe in data for probe in probes) or b"\\" in data:
            front = read_page(path, data)[0].front
            if names & set(_cited(front)):
                yield page_handle(path)


def _cited(front: Mapping[str, Any]) -> Iterator[str]:
    envelope = front.get("dependencies")
    leaves = envelope.get("leaves") if isinstance(envelope, dict) else None
    for group in (front.get("sources"), leaves):
        for each in group if isinstance(group, list) else ():
            if isinstance(each, dict):
                for key in ("ref", "digest"):
                    if isinstance(each.get(key), str):
                        yield each[key]
                        yield plain(each[key])
