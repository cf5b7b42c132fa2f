"""Landing a page: a new one, a new text for one, or a change of its front matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.desk import Desk
from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, WIKI, is_page, page_handle, pages, relative
from aiwg_memory.addons.llm_wiki.reading import page_name
from aiwg_memory.addons.llm_wiki.state import review
from aiwg_memory.addons.llm_wiki.verdicts import stamped
from aiwg_memory.core.document import edit_front, normalise, parse_document, split, title_of
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.core.tree import Tree

_OWN = ("reviewed",)


def add(tree: Tree, request: Request) -> Plan:
    """A new page at ``path`` below the wiki. The same page again is a duplicate; another one there is refused."""
    desk = Desk(tree, request, needs=("path", "text"), takes=("provenance", "redact"))
    path = RepoPath(f"{WIKI}/{desk.arguments['path'].removeprefix(WIKI + '/')}")
    if not is_page(path):
        hint = "name a path below .aiwg/wiki that ends in .md, outside raw/, and not index.md"
        desk.wrong("page-path", f"{display(relative(path))} cannot be a page", hint, path)
        return desk.plan("")
    data = normalise(desk.redacted(desk.arguments["text"], path).encode("utf-8", "surrogatepass"))
    present = desk.read(path)
    if present is not None:
        if _plain(present) == _plain(data):
            desk.duplicates.append(Note(page_handle(path), "this page is there already"))
        else:
            desk.wrong(
                "page-exists",
                f"{page_handle(path)} is there with another text",
                "`wiki edit` changes a page that is there",
                path,
            )
        return desk.plan("")
    neighbours(desk, path)
    _verdict_untouched(desk, path, data, None)
    data = _provenance(desk, path, data)
    same_title(desk, path, data)
    desk.accept(path, data)
    desk.place(path, data)
    return desk.plan(f"add the page {relative(path)}")


def edit(tree: Tree, request: Request) -> Plan:
    """A page's new ``text``, or ``front``: keys to set, or to take out where the value is null. A text without front
    matter leaves the page its own, and front matter alone leaves the verdict on the page as it was: nobody was shown
    the rest."""
    desk = Desk(tree, request, needs=("target",), takes=("text", "front", "provenance", "redact"))
    found = desk.page(desk.arguments["target"])
    if ("text" in desk.arguments) == ("front" in desk.arguments):
        desk.wrong("argument", "wiki.edit takes either a text or changes of the front matter")
    if found is None or ("text" in desk.arguments) == ("front" in desk.arguments):
        return desk.plan("")
    path, before = found
    stands = normalise(before)
    if "text" in desk.arguments:
        data = normalise(desk.redacted(desk.arguments["text"], path).encode("utf-8", "surrogatepass"))
        data = _with_front(data, stands)
    else:
        data = edit_front(stands, _ordered(desk.arguments["front"]))
    _verdict_untouched(desk, path, data, before)
    if data == before:
        return desk.plan("")
    data = _provenance(desk, path, data) if "text" in desk.arguments else _front_alone(desk, path, data, stands)
    same_title(desk, path, data)
    desk.accept(path, data)
    desk.place(path, data)
    return desk.plan(f"edit the page {relative(path)}")


_FIRST = ("ref", "digest", "span")


def _ordered(value: Any) -> Any:
    """Mappings in one order, whatever order a request had: what is confirmed is read from a file that has its own."""
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: (_FIRST.index(key) if key in _FIRST else len(_FIRST), key))
        return {key: _ordered(value[key]) for key in keys}
    return [_ordered(one) for one in value] if isinstance(value, (list, tuple)) else value


def _with_front(data: bytes, before: bytes) -> bytes:
    old, new = (split(each.decode("utf-8", "surrogateescape")) for each in (before, data))
    if new.yaml is not None or old.yaml is None:
        return data
    fence = old.tail.removesuffix(old.body)
    return f"{old.head}{old.yaml}{fence}{new.body}".encode("utf-8", "surrogateescape")


def _plain(data: bytes) -> bytes:
    return edit_front(normalise(data), {"reviewed": None})


def _verdict_untouched(desk: Desk, path: RepoPath, data: bytes, before: bytes | None) -> None:
    """Nobody writes a verdict by hand: it is given by an operation of its own, by whoever confirms that."""
    old = _front(path, before)
    for key in _OWN:
        if _front(path, data).get(key) not in (None, old.get(key)):
            desk.refuse("verdict-forged", f"{page_handle(path)} brings its own verdict", "leave `reviewed` out", path)


def _provenance(desk: Desk, path: RepoPath, data: bytes) -> bytes:
    """The page says who wrote it. Only a person's own request makes, or keeps, an operator's page; it is confirmed by
    being confirmed."""
    asked = desk.arguments.get("provenance", "external")
    stated = _front(path, data).get("provenance")
    if stated is None and asked != "external":
        data = edit_front(data, {"provenance": asked})
        stated = asked
    _own_words(desk, path, stated)
    return stamped(data, desk.request, "confirmed") if stated == asked == "operator" else data


def _front_alone(desk: Desk, path: RepoPath, data: bytes, before: bytes) -> bytes:
    """A person's change of the front matter leaves the verdict as it was; anybody else's ends it."""
    _own_words(desk, path, _front(path, data).get("provenance"))
    verdict = review(_front(path, before), before)
    if verdict == "pending" or desk.arguments.get("provenance") != "operator":
        return data
    return stamped(data, desk.request, verdict, str(_front(path, before)["reviewed"].get("reason", "")))


def _own_words(desk: Desk, path: RepoPath, stated: Any) -> None:
    asked = desk.arguments.get("provenance", "external")
    if stated == "operator" != asked:
        desk.refuse(
            "provenance",
            f"{page_handle(path)} would pass for an operator's own words",
            f"state its provenance as {asked}",
            path,
        )


def neighbours(desk: Desk, path: RepoPath) -> None:
    """A new page must not differ from another in case alone, nor lie below a file, at any level of its path."""
    folder: RepoPath | None = RepoPath(WIKI)
    for part in relative(path).split("/"):
        for entry in desk.tree.list(folder):
            if entry.name != part and entry.name.casefold() == part.casefold():
                message = f"{display(relative(path))} differs from {folder}/{entry.name} in case alone"
                desk.wrong("page-path", message, "choose a name that is another one on every file system", path)
            if entry.name == part and entry.kind != "dir":
                desk.wrong("page-path", f"{folder}/{part} is no folder", "choose another path", path)
        folder = RepoPath(f"{folder}/{part}")
        entry_here = desk.tree.stat(folder)
        if entry_here is None or entry_here.kind != "dir":
            return


def same_title(desk: Desk, path: RepoPath, data: bytes) -> None:
    title = _title(path, data)
    probe = title.encode().lower() if title.isascii() else b""
    for other, entry in pages(desk.tree):
        if other == path or entry.size > MAX_PAGE:
            continue
        there = desk.tree.read(other, limit=MAX_PAGE)
        named = page_name(other).casefold() == title.casefold()
        if (named or probe in there.lower()) and _title(other, there).casefold() == title.casefold():
            desk.conflicts.append(Note(page_handle(other), f"has the same title: {display(title)}"))


def _title(path: RepoPath, data: bytes) -> str:
    document, _ = parse_document(path, data)
    return title_of(document) or page_name(path)


def _front(path: RepoPath, data: bytes | None) -> Mapping[str, Any]:
    return parse_document(path, data)[0].front if data is not None else {}
