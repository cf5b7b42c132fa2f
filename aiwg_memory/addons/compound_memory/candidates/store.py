"""The candidates of one tree: records in ``candidates.d``, and the assertions that still have a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aiwg_memory.core.candidates import RECORDS, assertion_path, fingerprint, grounds, record_id, text_digest
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.items import Fragment
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.records import SEGMENT_LIMIT, Head, Version, fold, parse_segment
from aiwg_memory.core.schema import cheap
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

MAX_FILE = 64 * 1024
SCHEMA = "aiwg.candidate_record.v1"


@dataclass(frozen=True)
class Store:
    heads: Mapping[str, Head]
    versions: tuple[Version, ...]
    findings: tuple[Finding, ...]

    def rejected(self) -> dict[str, Version]:
        """Digest of the text to the rejected candidate that has it: what was rejected is not proposed again."""
        found = {}
        for head in self.heads.values():
            if head.current.status == "rejected" and not head.current.text("replacement"):
                found[head.current.text("digest")] = head.current
        return found


@lru_cache(maxsize=32)
def parse(path: RepoPath, data: bytes) -> Fragment:
    """The record versions of a segment; an assertion is nothing to retrieve.

    Kept for the same bytes: one decision reads a long queue several times, and judging its lines is what that costs.
    """
    if not path.under(RECORDS):
        return Fragment(findings=tuple(_assertion_findings(path, data)))
    versions, findings = parse_segment(path, data, _problem)
    return Fragment(versions=tuple(versions), findings=tuple(findings))


def _problem(value: Mapping[str, Any]) -> str | None:
    return cheap("candidate_record.v1", value)


def identity_problem(value: Mapping[str, Any]) -> str | None:
    """Why a record is not the one its handle and its fingerprint stand for, or None."""
    if value["handle"] != record_id(value):
        return "`handle` is not that of its type, assertion and evidence"
    if value["fingerprint"] != fingerprint(value):
        return "`fingerprint` is not that of what it covers"
    return None


def _assertion_findings(path: RepoPath, data: bytes) -> Iterator[Finding]:
    if len(data) > MAX_FILE:
        yield Finding(path, 0, "assertion", f"has {len(data)} bytes; at most {MAX_FILE}")
    try:
        data.decode()
    except UnicodeDecodeError:
        yield Finding(path, 0, "assertion", "is not UTF-8")


def read(tree: Tree, only: Iterable[str] = ()) -> Store:
    """The records alone; with ``only`` at least those of the handles that begin so, at the cost of looking for the
    words in the rest. Raises UnsafePath, TooLarge as the tree does."""
    words = [one.encode() for one in only]
    versions: list[Version] = []
    findings: list[Finding] = []
    for entry in tree.list(RECORDS):
        if entry.kind != "file" or not entry.name.endswith(".jsonl"):
            message = f"a {entry.kind} named {entry.name} lies where only segments belong"
            findings.append(Finding(RECORDS, 0, "candidate-file-name", message, hint="move it away"))
            continue
        path = join(RECORDS, entry.name)
        data = tree.read(path, limit=SEGMENT_LIMIT)
        # A handle is written as it is, unless somebody spelt its letters out.
        if words and b"\\u" not in data and not any(word in data for word in words):
            continue
        fragment = parse(path, data)
        versions += fragment.versions
        findings += fragment.findings
    return Store(fold(versions), tuple(versions), tuple(findings))


def assertion(tree: Tree, version: Version) -> str | None:
    """The text a record speaks of; None when its file is gone or holds another text."""
    path = assertion_path(version.handle)
    try:
        entry = tree.stat(path)
        if entry is None or entry.kind != "file":
            return None
        text = tree.read(path, limit=MAX_FILE).decode().removesuffix("\n")
    except (AiwgError, UnicodeDecodeError):
        return None
    return text if text_digest(text) == version.text("digest") else None


def dependents(tree: Tree, source: str) -> Iterator[str]:
    """Handles of candidates, not rejected ones, that rest on ``source``: a handle, a locator or a digest."""
    for handle, head in read(tree).heads.items():
        stated = {named for one in grounds(head.current.value) for named in (one["ref"], one["digest"])}
        if head.current.status != "rejected" and source in stated:
            yield handle
