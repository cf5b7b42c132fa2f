"""What has to be seen beside a change of pages or raw evidence to judge it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, RAW, RECORDS, WIKI, is_page, raw_prefix, relative
from aiwg_memory.addons.llm_wiki.links import beside
from aiwg_memory.addons.llm_wiki.linting import Page, survey
from aiwg_memory.addons.llm_wiki.reading import parse
from aiwg_memory.addons.llm_wiki.sources import names_of, plain
from aiwg_memory.core.focus import holding, phrase
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.records import Version
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree, walk


def around(head: Tree, base: Tree, changed: Sequence[RepoPath]) -> Iterator[RepoPath]:
    """Pages that a changed page names or that name it, the records of what it rests on, and the copies of those.

    A name is searched by its words, so more may be seen than is needed, never less.
    """
    pages = [page for tree in (head, base) for page in _pages(tree, changed)]
    names: dict[str, None] = {}
    for page in pages:
        names.update(dict.fromkeys((page.title, *page.aliases, page.path.name.removesuffix(".md"))))
        names.update(dict.fromkeys(link.target for link in page.links if link.wiki))
        yield from _beside(page)
    names.update(dict.fromkeys(_vanished_copies(head, changed)))
    names.update(dict.fromkeys(_no_longer_answered(head, base, changed)))
    yield from _named(head, names)
    yield from _evidence(head, pages, changed)


def _pages(tree: Tree, changed: Sequence[RepoPath]) -> Iterator[Page]:
    for path in changed:
        entry = tree.stat(path) if is_page(path) else None
        if entry is not None and entry.kind == "file" and entry.size <= MAX_PAGE:
            yield survey(tree, path, entry, {})


def _beside(page: Page) -> Iterator[RepoPath]:
    """The pages that links lead to by path."""
    for link in page.links:
        for name in (beside(link.target, page.path), link.target) if link.wiki else (beside(link.target, page.path),):
            for candidate in (f"{WIKI}/{name}", f"{WIKI}/{name}.md"):
                if path_problem(candidate) is None and is_page(candidate):
                    yield RepoPath(candidate)


def _named(head: Tree, names: Iterable[str]) -> Iterator[RepoPath]:
    """Pages whose text or whose own name holds one of ``names``; all pages where a name has no word to search for."""
    phrases = [phrase(name) for name in names]
    if not phrases:
        return
    if None in phrases:
        yield from _all_pages(head)
        return
    folded = {name.rpartition("/")[2].removesuffix(".md").casefold() for name in names}
    for path in _all_pages(head):
        if path.name.removesuffix(".md").casefold() in folded:
            yield path
    for path in holding(head, WIKI, [one for one in phrases if one], (RAW, RECORDS)):
        if is_page(path):
            yield path


def _all_pages(head: Tree) -> Iterator[RepoPath]:
    for parent, entry in walk(head, WIKI):
        if entry.kind == "file" and is_page(f"{parent}/{entry.name}"):
            yield RepoPath(f"{parent}/{entry.name}")


def _vanished_copies(head: Tree, changed: Sequence[RepoPath]) -> Iterator[str]:
    for path in changed:
        if path.under(RAW) and head.stat(path) is None:
            yield raw_prefix(path) or path.name


def _no_longer_answered(head: Tree, base: Tree, changed: Sequence[RepoPath]) -> Iterator[str]:
    """What pages may call a source by whose record a change ended or took out."""
    for path in changed:
        if path.under(RECORDS):
            now = _versions(head, path)
            ended = [version for version in now if version.previous]
            for version in (*ended, *(set(_versions(base, path)) - set(now))):
                yield from (plain(name) for name in names_of(version) if name)


def _versions(tree: Tree, path: RepoPath) -> tuple[Version, ...]:
    entry = tree.stat(path)
    if entry is None or entry.kind != "file" or entry.size > MAX_FILE:
        return ()
    return parse(path, tree.read(path, limit=MAX_FILE)).versions


def _evidence(head: Tree, pages: Iterable[Page], changed: Sequence[RepoPath]) -> Iterator[RepoPath]:
    words = {
        plain(str(source.get(key) or "")) for page in pages for source in page.sources for key in ("ref", "digest")
    }
    words |= {prefix for path in changed if path.under(RAW) and (prefix := raw_prefix(path))}
    segments = set(holding(head, RECORDS, [found for word in words if word and (found := phrase(word))]))
    yield from segments
    for path in sorted(segments | {path for path in changed if path.under(RECORDS)}):
        for version in _versions(head, path):
            copy = f"{RAW}/{version.text('file')}"
            if path_problem(copy) is None:
                yield RepoPath(copy)
    for word in words:
        for candidate in (word, f"{WIKI}/{word}", f"{WIKI}/{relative(RAW)}/{word}"):
            if path_problem(candidate) is None and RepoPath(candidate).under(RAW):
                yield RepoPath(candidate)
