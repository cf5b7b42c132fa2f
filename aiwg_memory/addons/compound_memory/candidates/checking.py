"""What is wrong with the candidates of a tree."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.addons.compound_memory.candidates.store import MAX_FILE, Store, assertion, identity_problem, read
from aiwg_memory.core.candidates import FOLDER, assertion_path
from aiwg_memory.core.config import load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import join
from aiwg_memory.core.records import chain_findings, fork_findings, lost_findings
from aiwg_memory.core.screening import screen
from aiwg_memory.core.tree import Tree


def check(head: Tree, base: Tree | None) -> list[Finding]:
    """Findings of ``head``, sorted. With a ``base`` only those that it has not, and what ``head`` lost of it."""
    now = read(head)
    found = {*_judge(head, now), *_screened(head)}
    if base is None:
        return sorted(found)
    then = read(base)
    known = {(one.path, one.rule, one.message) for one in (*_judge(base, then), *_screened(base))}
    new = {one for one in found if (one.path, one.rule, one.message) not in known}
    return sorted(new | set(lost_findings(now.versions, then.versions)))


def _judge(tree: Tree, store: Store) -> Iterator[Finding]:
    yield from store.findings
    yield from chain_findings(store.versions)
    yield from fork_findings(store.heads)
    for version in store.versions:
        problem = None if version.newer else identity_problem(version.value)
        if problem:
            yield Finding(version.path, version.line, "forged-record", f"{version.handle}: {problem}")
    wanted = set()
    for handle, head in store.heads.items():
        current = head.current
        if current.status == "rejected" or current.value.get("closed"):
            continue
        wanted.add(assertion_path(handle).name)
        if assertion(tree, current) is None:
            message = f"the assertion of {handle} ({current.status}) is gone or is not what was shown"
            yield Finding(assertion_path(handle), 0, "assertion-changed", message, hint="bring it back from git")
    for entry in tree.list(FOLDER):
        if entry.name in wanted:
            continue
        rule, message = "assertion-left", "no candidate that is under review or accepted has this assertion"
        yield Finding(join(FOLDER, entry.name), 0, rule, message, "warning", "delete it, or propose it")


def _screened(tree: Tree) -> Iterator[Finding]:
    """Errors alone: what the screen warns of is in the record, for a reviewer to acknowledge."""
    exceptions = load_config(tree).screening
    for entry in tree.list(FOLDER):
        if entry.kind == "file" and entry.size <= MAX_FILE:
            path = join(FOLDER, entry.name)
            text = tree.read(path, limit=MAX_FILE).decode("utf-8", "replace")
            yield from (
                one for one in screen(text, path=path, line=1, exceptions=exceptions) if one.severity == "error"
            )
