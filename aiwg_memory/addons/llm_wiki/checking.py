"""What is wrong with a wiki: unreadable pages, raw copies and records as errors, and lint as warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, RAW, WIKI, is_page, raw_prefix
from aiwg_memory.addons.llm_wiki.linting import Page, lint_pages, survey
from aiwg_memory.addons.llm_wiki.sources import HELD, Evidence, read_evidence
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import chain_findings, fork_findings, lost_findings
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Entry, Tree, walk
from aiwg_memory.errors import UnsafePath


def check(head: Tree, base: Tree | None, as_of: str = "") -> Iterable[Finding]:
    """Lint, and the errors: pages that cannot be read or that break the schema, raw copies that are not what they are
    named by, broken records.

    With a base, only what the base does not have as well, of files that are the same in both; what the other pages
    make of a page, an orphan or a namesake, counts as old whatever else is new in it. ``as_of`` (a date) brings in the
    pages whose ``review_at`` or ``expires_at`` is past.
    """
    memory: dict[str, Page] = {}
    found = set(_judge(head, memory, as_of))
    if base is not None:
        found -= {
            finding
            for finding in _judge(base, memory, as_of)
            if finding.rule in _BY_OTHERS or _unchanged(head, base, finding.path)
        }
        found |= set(lost_findings(_evidence(head).versions, _evidence(base).versions))
    return sorted(found)


_BY_OTHERS = ("orphan", "duplicate-title")


def _unchanged(head: Tree, base: Tree, path: str) -> bool:
    if not path.startswith(WIKI + "/"):
        return True
    name = RepoPath(path)
    one, other = head.stat(name), base.stat(name)
    if one is None or other is None or one.kind != "file" or other.kind != "file":
        return one is None and other is None
    if one.stamp and one.stamp == other.stamp:
        return True
    return one.size == other.size and head.read(name, limit=MAX_FILE) == base.read(name, limit=MAX_FILE)


def _judge(tree: Tree, memory: dict[str, Page], as_of: str = "") -> Iterator[Finding]:
    listing = list(_listing(tree))
    for one in listing:
        if one.problem:
            yield one.problem
    evidence = _evidence(tree)
    yield from evidence.findings
    yield from chain_findings(evidence.versions)
    yield from fork_findings(evidence.heads)
    yield from _raw_problems(
        tree, evidence, [one for one in listing if one.path.startswith(RAW + "/") and not one.problem]
    )
    found: list[Page] = []
    for one in listing:
        if not one.problem and is_page(one.path):
            page = survey(tree, RepoPath(one.path), one.entry, memory)
            yield from page.findings
            found.append(page)
    yield from lint_pages(tree, found, evidence, as_of)


def _evidence(tree: Tree) -> Evidence:
    """The records, or none where something that is no file lies among them: the listing reports it."""
    try:
        return read_evidence(tree)
    except UnsafePath:
        return Evidence({}, (), (), {})


class _Listed(NamedTuple):
    path: str
    entry: Entry
    problem: Finding | None


def _listing(tree: Tree) -> Iterator[_Listed]:
    for parent, entry in walk(tree, WIKI):
        path = f"{parent}/{entry.name}"
        problem = None
        if entry.kind != "file":
            problem = Finding(
                path, 0, "not-a-file", f"this is no regular file but {_KINDS[entry.kind]}; nobody reads it"
            )
        elif entry.size > (limit := MAX_PAGE if is_page(path) else MAX_FILE):
            problem = Finding(path, 0, "too-large", f"the file has {entry.size} bytes; at most {limit} are read")
        yield _Listed(path, entry, problem)


_KINDS = {"link": "a link", "special": "a special file", "illegal": "a name that is not legal here", "dir": "a folder"}


def _raw_problems(tree: Tree, evidence: Evidence, copies: list[_Listed]) -> Iterator[Finding]:
    there = set()
    for one in copies:
        path = RepoPath(one.path)
        there.add(path.name)
        prefix = raw_prefix(path)
        if prefix is None:
            yield Finding(path, 0, "raw-name", "no raw copy is named like this", hint="ingest the file instead")
        elif short(digest(tree.read(path, limit=MAX_FILE))) != prefix:
            hint = "take the copy back from git; raw evidence is never edited"
            yield Finding(path, 0, "raw-changed", "the bytes are not those the copy is named by", hint=hint)
        elif f"raw_{prefix}" not in evidence.heads:
            yield Finding(path, 0, "raw-unrecorded", "nothing says where this raw copy came from", "warning")
    for handle, head in evidence.heads.items():
        file = head.current.text("file")
        path = RepoPath(f"{RAW}/{file}")
        if head.current.status in HELD and file not in there:
            yield Finding(path, 0, "raw-vanished", f"the copy that {handle} records is gone", "warning")
        elif head.current.status not in (*HELD, "revoked") and file in there:
            yield Finding(path, 0, "raw-left", f"{handle} was {head.current.status}, but its copy is here", "warning")
