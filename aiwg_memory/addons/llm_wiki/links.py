"""Links of a page, and what they lead to: ``[[Title]]``, ``[[path|label]]`` and Markdown links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from aiwg_memory.addons.llm_wiki.layout import WIKI, relative
from aiwg_memory.core.document import Document
from aiwg_memory.core.document.blocks import layout_of
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.patterns import pattern

_TICKS = pattern(r"`+")
_WIKI = pattern(r"(?<!\\)\[\[([^\[\]\n|]{1,300})(?:\|[^\[\]\n]{0,300})?\]\]")
_INLINE = pattern(
    r"\]\(\s{0,8}(?:<([^<>\n]{1,2000})>|([^\s()<>]{1,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,200})?))"
    r"\s{0,8}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|\([^()\n]{0,300}\))?\s{0,8}\)"
)
_DEFINITION = pattern(r" {0,3}\[[^\[\]]{1,300}\]:\s{0,8}<?([^\s<>]{1,2000})")
_SCHEME = pattern(r"[a-zA-Z][a-zA-Z0-9+.-]{1,31}:|//")


class Link(NamedTuple):
    """``wiki``: the target is a title, an alias or a path, perhaps with ``#`` and a section; else a file beside the
    page, or below the wiki for ``/``."""

    line: int
    target: str
    wiki: bool


def links(document: Document) -> list[Link]:
    """In order of lines. Code holds no links; what leaves the wiki (a URL) and what stays on the page is left out."""
    if "[" not in document.body:
        return []
    lines = document.body.split("\n")
    inside = layout_of(document.body).inside
    found = []
    for number, line in enumerate(lines):
        if "[" in line and not inside[number]:
            found += [Link(document.first_line + number, target, wiki) for target, wiki in _targets(without_code(line))]
    return found


def _targets(line: str) -> Iterator[tuple[str, bool]]:
    for match in _WIKI.finditer(line):
        target = match[1].strip()
        if target and not target.startswith("#"):
            yield target, True
    destinations = [match[1] or match[2] for match in _INLINE.finditer(line)]
    definition = _DEFINITION.match(line)
    if definition:
        destinations.append(definition[1])
    for destination in destinations:
        if not _SCHEME.match(destination):
            target = _plain(destination.partition("#")[0].partition("?")[0])
            if target:
                yield target, False


def _plain(target: str) -> str:
    if "%" not in target:
        return target
    from urllib.parse import unquote

    return unquote(target)


def without_code(line: str) -> str:
    """The line with its code spans blanked: a run of backticks up to the next run as long, in one pass."""
    runs = list(_TICKS.finditer(line))
    if len(runs) < 2:
        return line
    after: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        after.setdefault(len(runs[index][0]), []).append(index)
    parts = []
    position = index = 0
    while index < len(runs):
        waiting = after[len(runs[index][0])]
        while waiting and waiting[-1] <= index:
            waiting.pop()
        if not waiting:
            index += 1
            continue
        closing = waiting[-1]
        parts.append(line[position : runs[index].start()])
        position = runs[closing].end()
        index = closing + 1
    return " ".join([*parts, line[position:]])


class Names:
    """Everything a page may be called: title, aliases, path with and without ``.md``, file name; without case."""

    def __init__(self, named: Iterable[tuple[RepoPath, str, Sequence[str]]]) -> None:
        self._paths: dict[str, RepoPath] = {}
        self._names: dict[str, RepoPath] = {}
        stems: dict[str, RepoPath] = {}
        for path, title, aliases in named:
            self._paths[relative(path)] = path
            for name in (title, *aliases):
                self._names.setdefault(name.strip().casefold(), path)
            stems.setdefault(path.name.removesuffix(".md").casefold(), path)
            self._names.setdefault(relative(path).removesuffix(".md").casefold(), path)
        for stem, path in stems.items():
            self._names.setdefault(stem, path)

    def page(self, target: str, source: RepoPath) -> RepoPath | None:
        """The page a wiki link on ``source`` leads to: a path beside the page, one below the wiki, else a name.

        What follows a ``#`` may be a section or belong to the name (``C#``): the longest that is a page is meant.
        """
        for named in dict.fromkeys((target, target.rpartition("#")[0], target.partition("#")[0])):
            found = self._page(named.strip(), source) if named.strip() else None
            if found:
                return found
        return None

    def _page(self, target: str, source: RepoPath) -> RepoPath | None:
        for candidate in (beside(target, source), target):
            for name in (candidate, f"{candidate}.md"):
                if name in self._paths:
                    return self._paths[name]
        name = target.casefold()
        return self._names.get(name) or self._names.get(name.removesuffix(".md"))

    def file(self, target: str, source: RepoPath) -> RepoPath | None:
        """The page a Markdown link on ``source`` leads to."""
        return self._paths.get(beside(target, source))


def beside(target: str, source: RepoPath) -> str:
    """``target`` relative to the page's folder, as a path below the wiki; it begins with ``../`` where it leaves it."""
    parts = [] if target.startswith("/") else relative(source).split("/")[:-1]
    for part in target.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def in_workspace(below_wiki: str) -> str | None:
    """A path as ``beside`` gives it, from the workspace's root; None where it leaves the workspace."""
    parts = WIKI.split("/")
    for part in below_wiki.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts) or None
