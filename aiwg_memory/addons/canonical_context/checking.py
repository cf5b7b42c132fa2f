"""What is wrong with the canonical context of a tree, and what a change to it lost."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.addons.canonical_context.file import CHANGING, ERASED, Version
from aiwg_memory.addons.canonical_context.layout import STORE
from aiwg_memory.addons.canonical_context.store import Store, read
from aiwg_memory.core.citations import doubts, with_anchor
from aiwg_memory.core.config import load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.screening import screen
from aiwg_memory.core.tree import Tree


def check(head: Tree, base: Tree | None, as_of: str = "") -> list[Finding]:
    """Findings of ``head``, sorted. With a ``base`` only those that it has not, and what ``head`` lost of its history.

    ``as_of`` (a date) brings in the values that are past their expiry or review date.
    """
    now = read(head)
    found = set(_judge(now, as_of))
    if base is None:
        # Against a base nobody looks: a change is judged by the files it touches, not by what cites them.
        return sorted(found | set(_screened(head, now, None)) | set(_doubts(head, now)))
    then = read(base)
    known = {(one.path, one.rule, one.message) for one in _judge(then, as_of)}
    new = {one for one in found if (one.path, one.rule, one.message) not in known}
    return sorted(new | set(_lost(now, then)) | set(_screened(head, now, then)))


def _judge(store: Store, as_of: str) -> Iterator[Finding]:
    yield from store.findings
    if store.files and not store.started:
        message = "there are keys, but canonical context is not turned on"
        yield Finding(STORE, 0, "canonical-off", message, hint="`canon init` turns it on")
    for path in store.strangers:
        message = "is no key's file: keys are <target>/<key>.yaml; another tool's file is left alone"
        yield Finding(path, 0, "unknown-file", message, "warning", "move it out of .aiwg when nothing needs it")
    for found in store.files.values():
        active = found.active
        for name, rule in (("expires_at", "canonical-expired"), ("review_at", "canonical-review-due")):
            date = str((active or {}).get(name) or "")[:10]
            if as_of and date and date <= as_of[:10]:
                message = f"{found.place.handle}: its {name} {date} is past"
                yield Finding(found.place.path, 1, rule, message, "warning", "renew it, or archive it")


def _doubts(tree: Tree, store: Store) -> Iterator[Finding]:
    for place, found in store.files.items():
        cited = [(place.handle, source) for source in with_anchor((found.active or {}).get("sources") or ())]
        yield from doubts(tree, cited, place.path, 1)


def _lost(now: Store, then: Store) -> Iterator[Finding]:
    for place, before in then.files.items():
        after = now.files.get(place)
        broken = any(one.path == place.path and one.severity == "error" for one in now.findings)
        if after is None:
            if not broken:
                message = f"{place.handle} and its {before.last} versions are gone"
                yield Finding(
                    place.path, 0, "canonical-lost", message, hint="bring the file back; `canon archive` ends a key"
                )
            continue
        for old in before.versions:
            new = after.get(old["version"])
            problem = "is gone" if new is None else _altered(old, new)
            if problem:
                message = f"{before.version_handle(old['version'])} {problem}"
                yield Finding(place.path, 0, "canonical-history", message, hint="history is added to; bring it back")


def _altered(old: Version, new: Version) -> str:
    free = CHANGING | ({"value", "reason", "forgotten"} if new.get("forgotten") else set())
    free |= {"reason"} if ERASED in (new.get("reason") or "") else set()
    names = sorted(name for name in {*old, *new} - free if old.get(name) != new.get(name))
    if names:
        return f"was altered: {', '.join(names)}"
    if old["status"] != "active" and new["status"] == "active":
        return f"was {old['status']} and is active again"
    return ""


def _screened(tree: Tree, now: Store, then: Store | None) -> Iterator[Finding]:
    exceptions = load_config(tree).screening
    for place, found in now.files.items():
        known = then.files.get(place) if then else None
        for version in found.versions:
            if known and known.get(version["version"]):
                continue
            for text in _texts(version):
                yield from screen(text, path=place.path, line=1, exceptions=exceptions)


def _texts(version: Version) -> Iterator[str]:
    yield version["value"]
    yield version.get("reason") or ""
    yield from (str(one.get("ref") or "") for one in version.get("sources") or ())
