"""What is wrong with the registrations of a tree."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.addons.compound_memory.outputs.store import Store, file_state, read
from aiwg_memory.core.config import load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.records import chain_findings, fork_findings, lost_findings
from aiwg_memory.core.screening import screen
from aiwg_memory.core.tree import Tree


def check(head: Tree, base: Tree | None) -> list[Finding]:
    """Findings of ``head``, sorted. With a ``base`` only those that it has not, and what ``head`` lost of it."""
    now = read(head)
    found = set(_judge(head, now))
    if base is None:
        return sorted(found | set(_screened(head, now, set())))
    then = read(base)
    known = {(one.path, one.rule, one.message) for one in _judge(base, then)}
    new = {one for one in found if (one.path, one.rule, one.message) not in known}
    old = {version.canonical for version in then.versions}
    return sorted(new | set(lost_findings(now.versions, then.versions)) | set(_screened(head, now, old)))


def _judge(tree: Tree, store: Store) -> Iterator[Finding]:
    yield from store.findings
    yield from chain_findings(store.versions)
    yield from fork_findings(store.heads)
    for version in store.live():
        place = (version.path, version.line)
        state = file_state(tree, version)
        if state != "unchanged":
            message = f"{version.handle}: {version.text('path')} is {state} since it was registered"
            hint = "`outputs register FILE --supersedes HANDLE` for the new file, or `outputs archive`"
            yield Finding(*place, f"output-{state}", message, "warning", hint)
        for name in ("supersedes", "conflicts_with"):
            for other in version.list(name):
                if other not in store.heads:
                    yield Finding(*place, "output-reference", f"{version.handle} {name} {other}, which is not here")


def _screened(tree: Tree, store: Store, known: set[bytes]) -> Iterator[Finding]:
    exceptions = load_config(tree).screening
    for version in store.versions:
        if version.canonical in known:
            continue
        for text in (version.text("path"), version.text("reason"), str(version.object("pack").get("task") or "")):
            yield from screen(text, path=version.path, line=version.line, exceptions=exceptions)
