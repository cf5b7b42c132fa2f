"""Where the wiki's files are, and how a page, a passage and a raw copy are named."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiwg_memory.core.canonical import short, slug
from aiwg_memory.core.paths import RepoPath, part_problem
from aiwg_memory.core.patterns import pattern
from aiwg_memory.core.stored import VIEW
from aiwg_memory.core.tree import Entry, Tree, walk
from aiwg_memory.errors import UnsafePath, UsageError

if TYPE_CHECKING:
    from aiwg_memory.core.document import Passage

WIKI = RepoPath(".aiwg/wiki")
RAW = RepoPath(".aiwg/wiki/raw")
RECORDS = RepoPath(".aiwg/wiki/raw.d")
INDEX = VIEW
MAX_PAGE = 4 * 1024 * 1024
_RAW_NAME = pattern(r"([0-9a-f]{16})-.")


def is_page(path: str) -> bool:
    """A Markdown file below the wiki that is no raw copy, no generated view and in no hidden folder."""
    return (
        path.startswith(WIKI + "/")
        and path.endswith(".md")
        and path != INDEX
        and not path.startswith((RAW + "/", RECORDS + "/"))
        and "/." not in path[len(WIKI) :]
    )


def relative(path: RepoPath) -> str:
    """The path below the wiki, as locators and links name it."""
    return path[len(WIKI) + 1 :]


def page_handle(path: RepoPath) -> str:
    """``wiki:`` and the path below the wiki; ``%`` and ``#`` in a name are written as ``%25`` and ``%23``."""
    return "wiki:" + relative(path).replace("%", "%25").replace("#", "%23")


def passage_handle(path: RepoPath, passage: Passage) -> str:
    """The page's handle, ``#`` and the slug of the heading path; ``-2`` for the second section of one heading path,
    ``.2`` for the second piece of one section. What stands above the first heading has the page's own handle.
    """
    fragment = slug("/".join(passage.heading_path)) if passage.heading_path else ""
    if passage.occurrence > 1:
        fragment += f"-{passage.occurrence}"
    if passage.part > 1:
        fragment += f".{passage.part}"
    return page_handle(path) + (f"#{fragment}" if fragment else "")


def page_path(handle: str) -> RepoPath:
    """The page that a page's or a passage's handle names. Raises UsageError, and UnsafePath for an illegal path."""
    kind, _, rest = handle.partition(":")
    path = RepoPath(f"{WIKI}/{rest.partition('#')[0].replace('%23', '#').replace('%25', '%')}")
    if kind != "wiki" or not is_page(path):
        raise UsageError(
            f"{handle} is no page of the wiki", hint="a page is named wiki:<path>.md, its path below .aiwg/wiki"
        )
    return path


def locator(path: RepoPath, first: int, last: int) -> str:
    span = f"L{first}" if first == last else f"L{first}-L{last}"
    return f"{relative(path)}#{span}"


def raw_handle(digest: str) -> str:
    return "raw_" + short(digest)


def raw_path(digest: str, name: str) -> RepoPath:
    return RepoPath(f"{RAW}/{short(digest)}-{safe_name(name)}")


def raw_prefix(path: RepoPath) -> str | None:
    """The 16 hex digits a raw copy is named by; None for a name that is no raw copy's."""
    match = _RAW_NAME.match(path.name)
    return match[1] if match else None


def safe_name(name: str) -> str:
    """The last part of a source's name, fit to be part of a file name anywhere: at most 80 characters."""
    last = unicodedata.normalize("NFC", name.replace("\\", "/").rstrip("/").rpartition("/")[2])
    plain = re.sub(r"[^\w.+-]+", "-", last).strip("-.")[-80:].strip("-.") or "source"
    while len(plain.encode()) > 200:
        plain = plain[1:]
    return plain if part_problem("0-" + plain) is None else "source"


def pages(tree: Tree) -> Iterator[tuple[RepoPath, Entry]]:
    """Every page that is a regular file, by path. Links and illegal names are the business of ``check``."""
    for parent, entry in walk(tree, WIKI):
        if entry.kind == "file":
            path = RepoPath(f"{parent}/{entry.name}")
            if is_page(path):
                yield path, entry


def look(tree: Tree, path: RepoPath) -> Entry | None:
    """``stat`` for a path that somebody wrote into a page: what lies behind a link is not there."""
    try:
        return tree.stat(path)
    except UnsafePath:
        return None
