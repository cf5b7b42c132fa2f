"""What is wrong with the facts of a tree, and what a change to them lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from aiwg_memory.addons.line_memory.citing import citations
from aiwg_memory.addons.line_memory.scopes import OWN
from aiwg_memory.addons.line_memory.screens import screened
from aiwg_memory.addons.line_memory.store import LIVE, Store, read
from aiwg_memory.addons.line_memory.text import FACTS, LINES, RECORDS, fact_path, near_key, text_digest
from aiwg_memory.core.circles import circles
from aiwg_memory.core.citations import doubts
from aiwg_memory.core.config import Config, load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import chain_findings, fork_findings, lost_findings
from aiwg_memory.core.tree import Tree


def check(head: Tree, base: Tree | None, as_of: str = "") -> list[Finding]:
    """Findings of ``head``, sorted. With a ``base`` only those it does not have too, and what it had and ``head`` lost.

    ``as_of`` (a date) brings in the facts that are past their expiry or review date.
    """
    now = read(head)
    config = load_config(head)
    found = set(_judge(now, config, as_of))
    if base is None:
        # Against a base nobody looks: a change is judged by the files it touches, not by what cites them.
        return sorted({*found, *_screen(now, None, config), *doubts(head, citations(now), RECORDS)})
    then = read(base)
    known = {(one.path, one.rule, one.message) for one in _judge(then, load_config(base), as_of)}
    new = {one for one in found if (one.path, one.rule, one.message) not in known}
    lost = lost_findings(now.versions, then.versions)
    return sorted(new | set(lost) | set(_screen(now, then, config)))


def _judge(store: Store, config: Config, as_of: str) -> Iterator[Finding]:
    yield from store.findings
    yield from chain_findings(store.versions)
    yield from fork_findings(store.heads)
    yield from _texts(store, config)
    yield from _near(store)
    yield from _records(store, config, as_of)
    replaced = {handle: head.current.text("replacement") for handle, head in store.heads.items()}
    for handle in circles({handle: other for handle, other in replaced.items() if other}):
        message = f"{handle} is replaced by what it replaces itself, so nothing of it counts"
        yield Finding(fact_path(handle), 0, "replaced-in-a-circle", message, "warning", f"facts restore {handle}")
    count = len(store.live())
    if count > config.facts.max_lines:
        message = f"there are {count} facts; more than {config.facts.max_lines} are hard to keep true"
        yield Finding(RECORDS, 0, "facts-over-limit", message, "warning", "archive what is not used")


def _texts(store: Store, config: Config) -> Iterator[Finding]:
    waiting: Counter[RepoPath] = Counter()
    for handle, places in store.units.items():
        first = places[0]
        head = store.current(handle)
        if head is None:
            waiting[_folder(first.path)] += 1
        elif head.text("digest") != text_digest(first.text):
            message = f"the text is not the one that the record of {handle} was made for"
            yield Finding(first.path, first.first, "fact-digest", message, hint="bring the text back from git")
        elif head.status not in LIVE:
            message = f"{handle} is {head.status}, and its text is still there"
            yield Finding(first.path, first.first, "fact-ended", message, hint="take it out, or restore the fact")
        if len(first.text) > config.facts.max_characters:
            message = f"the fact has {len(first.text)} characters; a new one has at most {config.facts.max_characters}"
            yield Finding(first.path, first.first, "fact-too-long", message, "warning", "say it in several facts")
        for other in places[1:]:
            message = f"{handle} stands in {first.path} already"
            yield Finding(
                other.path, other.first, "fact-duplicate", message, "warning", "`facts adopt` takes the copy out"
            )
    for path, count in waiting.items():
        message = f"{count} fact{'s have' if count > 1 else ' has'} no record"
        yield Finding(path, 0, "fact-unrecorded", message, "note", "`facts adopt` gives them one")


def _folder(path: RepoPath) -> RepoPath:
    return path if path == LINES else FACTS


def _near(store: Store) -> Iterator[Finding]:
    said: dict[str, str] = {}
    for handle, text in store.live().items():
        other = said.setdefault(near_key(text), handle)
        if other != handle:
            unit = store.units[handle][0]
            message = f"{handle} says the same as {other}"
            yield Finding(unit.path, unit.first, "fact-near-duplicate", message, "warning", "merge them, or remove one")


def _records(store: Store, config: Config, as_of: str) -> Iterator[Finding]:
    for handle, head in store.heads.items():
        current = head.current
        place = (current.path, current.line)
        if current.status not in LIVE:
            continue
        if handle not in store.units and fact_path(handle) not in store.files:
            message = f"{handle} is {current.status}, and its file is gone"
            yield Finding(*place, "fact-file-missing", message, hint="bring it back from git, or archive the fact")
        if current.text("scope") == OWN != config.store:
            message = f"{handle} is for one user alone and lies in a store that is shared"
            yield Finding(*place, "fact-user-scope", message, hint="move it to the user's own store")
        for name, rule in (("expires_at", "fact-expired"), ("review_at", "fact-review-due")):
            date = current.text(name)[:10]
            if as_of and date and date <= as_of[:10] and current.status == "active":
                yield Finding(
                    *place, rule, f"{handle}: its {name} {date} is past", "warning", "confirm it, or archive it"
                )


def _screen(now: Store, then: Store | None, config: Config) -> Iterable[Finding]:
    """Texts and free-text fields that are not in ``then``."""
    known = then.units if then else {}
    for handle, places in now.units.items():
        if handle not in known:
            yield from screened(places[0].text, places[0].path, config, line=places[0].first)
    old = {version.canonical for version in then.versions} if then else set()
    for version in now.versions:
        if version.canonical in old:
            continue
        references = [str(source.get("ref") or "") for source in version.list("sources")]
        for text in (version.text("reason"), version.text("epoch"), *references):
            if text:
                yield from screened(text, RepoPath(version.path), config, line=version.line, strict=True)
