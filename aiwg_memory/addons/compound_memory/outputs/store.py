"""The registrations of one tree: records in ``outputs.d``, and what has become of the files they speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aiwg_memory.addons.compound_memory.outputs.layout import LIVE, RECORDS
from aiwg_memory.core.canonical import digest, digest_json, short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.items import Fragment
from aiwg_memory.core.paths import RepoPath, join, path_problem
from aiwg_memory.core.records import SEGMENT_LIMIT, Head, Version, fold, parse_segment
from aiwg_memory.core.schema import cheap
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree, files, walk
from aiwg_memory.errors import AiwgError

__all__ = ["LIVE", "RECORDS", "Store", "dependents", "file_state", "output_id", "parse", "read", "unlinked"]


@dataclass(frozen=True)
class Store:
    heads: Mapping[str, Head]
    versions: tuple[Version, ...]
    findings: tuple[Finding, ...]

    def live(self) -> Iterator[Version]:
        """The registrations that stand, by handle."""
        for head in self.heads.values():
            if head.current.status == LIVE:
                yield head.current

    def at(self, path: str) -> Iterator[Version]:
        return (version for version in self.live() if version.text("path") == path)


def output_id(path: str, content: str, pack: str) -> str:
    """``out_`` and 16 hex digits over path, digest of the bytes and pack: one registration is one on every branch."""
    return "out_" + short(digest_json([path, content, pack]))


def parse(path: RepoPath, data: bytes) -> Fragment:
    versions, findings = parse_segment(path, data, _problem)
    return Fragment(versions=tuple(versions), findings=tuple(findings))


def _problem(value: Mapping[str, Any]) -> str | None:
    wrong = cheap("output_record.v1", value)
    if wrong is not None:
        return wrong
    if value["handle"] != output_id(value["path"], value["digest"], value["pack"]["id"]):
        return "`handle` is not that of its path, digest and pack"
    problem = path_problem(value["path"])
    return f"`path` has {problem}" if problem else None


def read(tree: Tree) -> Store:
    """Raises UnsafePath, TooLarge as the tree does."""
    versions: list[Version] = []
    findings: list[Finding] = []
    for path, _ in files(tree, RECORDS):
        fragment = parse(path, tree.read(path, limit=SEGMENT_LIMIT))
        versions += fragment.versions
        findings += fragment.findings
    return Store(fold(versions), tuple(versions), tuple(findings))


def file_state(tree: Tree, version: Version) -> str:
    """What the registered file is by now: ``unchanged``, ``changed`` or ``missing``."""
    path = RepoPath(version.text("path"))
    try:
        entry = tree.stat(path)
        if entry is None or entry.kind != "file":
            return "missing"
        return "unchanged" if digest(tree.read(path, limit=MAX_FILE)) == version.text("digest") else "changed"
    except AiwgError:
        return "changed"


def unlinked(tree: Tree, folders: tuple[RepoPath, ...], limit: int) -> tuple[list[RepoPath], bool]:
    """Files of the output folders that no registration speaks for; whether there are more than ``limit``.

    One that stands speaks for its path, whatever lies there; one that was ended, for the bytes that it was about.
    """
    current = [head.current for head in read(tree).heads.values()]
    known = {one.text("path") for one in current if one.status == LIVE or file_state(tree, one) == "unchanged"}
    found: list[RepoPath] = []
    for folder in folders:
        entry = tree.stat(folder)
        if entry is None or entry.kind != "dir":
            continue
        for parent, entry in walk(tree, folder):
            path = join(parent, entry.name) if entry.kind == "file" else None
            if path is None or path in known:
                continue
            if len(found) == limit:
                return found, True
            found.append(path)
    return found, False


def dependents(tree: Tree, source: str) -> Iterator[str]:
    """Handles of standing registrations that rest on ``source``: a handle, a locator, a digest or a pack."""
    for version in read(tree).live():
        leaves = version.object("dependencies").get("leaves")
        named = [*version.list("sources"), *(leaves if isinstance(leaves, list) else [])]
        stated = {one.get(name) for one in named if isinstance(one, dict) for name in ("ref", "digest")}
        if source in stated or source == version.object("pack").get("id"):
            yield version.handle
