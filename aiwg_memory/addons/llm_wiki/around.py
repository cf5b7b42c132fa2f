"""What has to be seen beside a change of pages or raw evidence to judge it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from aiwg_memory.addons.llm_wiki.layout import INDEX, MAX_PAGE, RAW, RECORDS, WIKI, is_page, raw_prefix, relative
from aiwg_memory.addons.llm_wiki.links import Names, beside
from aiwg_memory.addons.llm_wiki.linting import Page, survey
from aiwg_memory.addons.llm_wiki.reading import parse
from aiwg_memory.addons.llm_wiki.sources import names_of, plain
from aiwg_memory.core.focus import alike, holding, learn, phrase
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.records import Version
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree, walk


def around(head: Tree, base: Tree, changed: Sequence[RepoPath]) -> Iterator[RepoPath]:
    """Pages that a changed page names or that name it, the records of what it rests on, and the copies of those.

    A name is searched by its words, so more may be seen than is needed, never less. Who names a page is asked only
    where the change gives a page other names, or takes a link away: no other change makes a link of others lead
    elsewhere.
    """
    now, was = {page.path: page for page in _pages(head, changed)}, {page.path: page for page in _pages(base, changed)}
    pages = [*now.values(), *was.values()]
    names: dict[str, None] = {}
    for path in {**now, **was}:
        if _names_change(now.get(path), was.get(path)):
            sides = (one for one in (now.get(path), was.get(path)) if one)
            names.update((name, None) for page in sides for name in (*_names(page), *_targets(page)))
    lost = any(_links(page) - _links(now.get(path)) for path, page in was.items())
    if lost or (INDEX in changed and _indexed(base) - _indexed(head)):
        names.update((name, None) for page in pages for name in (*_names(page), *_targets(page)))
    for page in pages:
        yield from _beside(page)
    names.update(dict.fromkeys(_vanished_copies(head, changed)))
    names.update(dict.fromkeys(_no_longer_answered(head, base, changed)))
    answers = list(_answers(head, now.values()))
    yield from answers
    names.update(dict.fromkeys(_unanswered(head, pages, answers)))
    yield from _named(head, names)
    yield from _evidence(head, base, pages, changed)


def _names_change(now: Page | None, was: Page | None) -> bool:
    return now is None or was is None or (now.title, now.aliases) != (was.title, was.aliases)


def _names(page: Page) -> tuple[str, ...]:
    return (page.title, *page.aliases, page.path.name.removesuffix(".md"))


def _indexed(tree: Tree) -> set[str]:
    entry = tree.stat(INDEX)
    if entry is None or entry.kind != "file" or entry.size > MAX_PAGE:
        return set()
    return {link.target for link in survey(tree, INDEX, entry, {}).links}


def _targets(page: Page | None) -> set[str]:
    """The names of pages by which this one leads to others."""
    if page is None:
        return set()
    found = {link.target for link in page.links if link.wiki}
    return {*found, page.superseded_by} if page.superseded_by else found


def _links(page: Page | None) -> set[tuple[str, bool]]:
    return {(link.target, link.wiki) for link in page.links} if page else set()


def _answers(head: Tree, pages: Iterable[Page]) -> Iterable[RepoPath]:
    """The pages whose files are named after what these lead to: nearly always those that are called so."""
    stems = {_stem(each) for page in pages for target in _targets(page) for each in (target, target.partition("#")[0])}
    found = [path for path in alike(head, WIKI, stems, ".md") if is_page(path)]
    learn(head, found)
    return found


def _unanswered(head: Tree, pages: Sequence[Page], answers: Sequence[RepoPath]) -> Iterator[str]:
    """The names that neither one of these pages nor one of the ``answers`` has: those have to be searched."""
    there = [page for page in (*pages, *_pages(head, answers)) if head.stat(page.path) is not None]
    known = Names((page.path, page.title, page.aliases) for page in there)
    for page in pages:
        yield from sorted(target for target in _targets(page) if known.page(target, page.path) is None)


def _stem(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".md")


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
    stems = {_stem(name) for name in names}
    yield from (path for path in alike(head, WIKI, stems, ".md") if is_page(path))
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


def _evidence(head: Tree, base: Tree, pages: Iterable[Page], changed: Sequence[RepoPath]) -> Iterator[RepoPath]:
    words = {
        plain(str(source.get(key) or "")) for page in pages for source in page.sources for key in ("ref", "digest")
    }
    words |= {prefix for path in changed if path.under(RAW) and (prefix := raw_prefix(path))}
    segments = set(holding(head, RECORDS, [found for word in words if word and (found := phrase(word))]))
    yield from segments
    for path in sorted(segments | {path for path in changed if path.under(RECORDS)}):
        for version in (*_versions(head, path), *_versions(base, path)):
            copy = f"{RAW}/{version.text('file')}"
            if path_problem(copy) is None:
                yield RepoPath(copy)
    for word in words:
        for candidate in (word, f"{WIKI}/{word}", f"{WIKI}/{relative(RAW)}/{word}"):
            if path_problem(candidate) is None and RepoPath(candidate).under(RAW):
                yield RepoPath(candidate)
