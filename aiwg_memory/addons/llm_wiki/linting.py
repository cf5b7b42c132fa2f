"""Lint: what a reader of the whole wiki would stumble over. Warnings, because people may still be writing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from aiwg_memory.addons.llm_wiki.layout import INDEX, MAX_PAGE, look, page_handle, relative
from aiwg_memory.addons.llm_wiki.links import Link, Names, beside, in_workspace, links
from aiwg_memory.addons.llm_wiki.reading import page_name, read_page
from aiwg_memory.addons.llm_wiki.sources import Evidence, source_problem
from aiwg_memory.addons.llm_wiki.state import attributes
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.circles import circles
from aiwg_memory.core.citations import rests_on
from aiwg_memory.core.document import parse_document
from aiwg_memory.core.document.blocks import layout_of
from aiwg_memory.core.document.passages import page_title
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, display, path_problem
from aiwg_memory.core.tree import Entry, Tree

# Pages of one title that are named beside each of them.
_NAMED = 3


class Page(NamedTuple):
    """What lint needs to know of one page; ``findings`` is what is wrong with the page by itself."""

    path: RepoPath
    title: str
    aliases: tuple[str, ...]
    links: tuple[Link, ...]
    sources: tuple[dict[str, object], ...]
    lifecycle: str
    expires_at: str
    review_at: str
    superseded_by: str
    callouts: tuple[int, ...]
    findings: tuple[Finding, ...]


def survey(tree: Tree, path: RepoPath, entry: Entry, memory: dict[str, Page]) -> Page:
    """One page; ``memory`` spares a second look at a page that two trees hold alike."""
    data = None if entry.stamp else tree.read(path, limit=MAX_PAGE)
    key = f"{path}\0{entry.stamp or digest(data or b'')}"
    if key not in memory:
        memory[key] = _page(path, tree.read(path, limit=MAX_PAGE) if data is None else data)
    return memory[key]


@lru_cache(maxsize=512)
def _page(path: RepoPath, data: bytes) -> Page:
    document, findings = read_page(path, data)
    layout = layout_of(document.body)
    front = document.front
    said = attributes(front, data)
    aliases = front.get("aliases")
    successor = front.get("superseded_by")
    return Page(
        path,
        page_title(document, layout.headings) or page_name(path),
        tuple(str(each) for each in (aliases if isinstance(aliases, list) else [aliases] if aliases else [])),
        tuple(links(document)),
        tuple(said["sources"]),
        said["lifecycle"],
        said["expires_at"],
        said["review_at"],
        successor if isinstance(successor, str) else "",
        tuple(document.first_line + line for line in layout.callouts),
        findings,
    )


def lint_pages(tree: Tree, found: Sequence[Page], evidence: Evidence, as_of: str) -> Iterator[Finding]:
    """``as_of`` empty: nothing is said about dates."""
    names = Names((page.path, page.title, page.aliases) for page in found)
    linked = _indexed(tree, names)
    for page in found:
        for link in page.links:
            target = names.page(link.target, page.path) if link.wiki else names.file(link.target, page.path)
            if target is not None:
                if target != page.path:
                    linked.add(target)
            elif not _is_file(tree, link, page.path):
                yield _warning(page, link.line, "broken-link", f"the link to {display(link.target)} leads nowhere")
        yield from _own(tree, page, names, evidence, as_of)
    for page in found:
        if page.path not in linked and page.lifecycle in ("active", "stale"):
            hint = "link to it, or list it with `wiki index`"
            yield _warning(page, 0, "orphan", "no page and no index leads here", hint)
    yield from _duplicate_titles(found)
    after = {page.path: names.page(page.superseded_by, page.path) for page in found if page.superseded_by}
    circle = set(circles({path: other for path, other in after.items() if other is not None}))
    for page in found:
        if page.path in circle:
            said = "the page is superseded by what it supersedes itself, so nothing of it counts"
            yield _warning(page, 1, "replaced-in-a-circle", said, f"wiki restore {relative(page.path)}")


def _own(tree: Tree, page: Page, names: Names, evidence: Evidence, as_of: str) -> Iterator[Finding]:
    for line in page.callouts:
        yield _warning(
            page, line, "contradiction", "a contradiction is marked here", "settle it and take the callout out"
        )
    for source in page.sources:
        problem = source_problem(tree, evidence, source)
        if problem and problem[0] == "source-moved":
            said = rests_on(page_handle(page.path), source) + problem[1]
            yield _warning(page, 1, problem[0], said, "`lineage reanchor` follows them")
        elif problem:
            yield _warning(page, 1, *problem)
    if not page.sources and page.lifecycle == "active":
        hint = "`wiki edit PAGE --set sources=docs/release.md` names one"
        yield _warning(page, 0, "no-sources", "the page names no source", hint)._replace(severity="note")
    if page.superseded_by and names.page(page.superseded_by, page.path) is None:
        yield _warning(page, 1, "broken-link", f"superseded_by: there is no page {display(page.superseded_by)}")
    if as_of and page.review_at and page.review_at[:10] < as_of[:10]:
        yield _warning(
            page, 1, "stale", f"the page was to be reviewed by {page.review_at}", "review it, set a later date"
        )
    if as_of and page.expires_at and page.expires_at[:10] < as_of[:10]:
        yield _warning(page, 1, "expired", f"the page expired on {page.expires_at}", "archive it, or set a later date")


def _indexed(tree: Tree, names: Names) -> set[RepoPath]:
    entry = tree.stat(INDEX)
    if entry is None or entry.kind != "file" or entry.size > MAX_PAGE:
        return set()
    document, _ = parse_document(INDEX, tree.read(INDEX, limit=MAX_PAGE))
    targets = (
        names.page(link.target, INDEX) if link.wiki else names.file(link.target, INDEX) for link in links(document)
    )
    return {target for target in targets if target is not None}


def _is_file(tree: Tree, link: Link, source: RepoPath) -> bool:
    """Whether a link leads to something else than a page: an image, a raw copy, a file of the workspace, a folder."""
    name = in_workspace(beside(link.target, source))
    if name is None or path_problem(name):
        return False
    return look(tree, RepoPath(name)) is not None


def _duplicate_titles(found: Sequence[Page]) -> Iterator[Finding]:
    titles: dict[str, list[Page]] = {}
    for page in found:
        if page.lifecycle in ("active", "stale"):
            titles.setdefault(page.title.casefold(), []).append(page)
    for same in titles.values():
        for page in same if len(same) > 1 else ():
            others = [page_handle(other.path) for other in same[: _NAMED + 1] if other is not page][:_NAMED]
            more = len(same) - 1 - len(others)
            said = ", ".join(others) + (f" and {more} more" if more else "")
            yield _warning(page, 0, "duplicate-title", f"the title {display(page.title)} is also that of {said}")


def _warning(page: Page, line: int, rule: str, message: str, hint: str = "") -> Finding:
    return Finding(page.path, line, rule, message, "warning", hint)
