"""Pages as a person names them and looks at them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, WIKI, page_handle, pages, relative
from aiwg_memory.addons.llm_wiki.reading import page_name
from aiwg_memory.addons.llm_wiki.state import attributes
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.document import parse_document
from aiwg_memory.core.document.blocks import layout_of
from aiwg_memory.core.document.passages import page_title
from aiwg_memory.core.paths import RepoPath, display, parted, path_problem
from aiwg_memory.errors import NotFound, UsageError
from aiwg_memory.workspace.ingesting import read_outside_or_in

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def page_target(workspace: Workspace, name: str) -> tuple[dict[str, str], bytes]:
    """``{handle, expected}`` and the bytes of the page a person means. Raises NotFound with the nearest names."""
    named = parted(name)[0]
    if named.startswith("wiki:"):
        named = named.removeprefix("wiki:").replace("%23", "#").replace("%25", "%")
    plain = named.removeprefix(f"{WIKI}/").removesuffix(".md") + ".md"
    path = None if path_problem(f"{WIKI}/{plain}") else RepoPath(f"{WIKI}/{plain}")
    entry = workspace.tree.stat(path) if path else None
    if path is None or entry is None or entry.kind != "file":
        from difflib import get_close_matches

        near = get_close_matches(plain, [relative(each) for each, _ in pages(workspace.tree)], n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`aiwg-memory wiki list` shows the pages"
        raise NotFound(f"there is no page {display(name)}", hint=hint)
    data = workspace.tree.read(path, limit=MAX_PAGE)
    return {"handle": page_handle(path), "expected": digest(data)}, data


def raw_target(workspace: Workspace, name: str) -> dict[str, Any]:
    """``{handle, expected}`` of a raw copy, by its handle, digest, file or source locator. Raises NotFound."""
    from aiwg_memory.addons.llm_wiki.sources import read_evidence

    version = read_evidence(workspace.tree).find(name)
    if version is None:
        raise NotFound(f"there is no raw copy {display(name)}", hint="`aiwg-memory raw list` shows them")
    return {"handle": version.handle, "expected": version.version}


def page_rows(workspace: Workspace, review: str | None, lifecycle: str | None) -> list[dict[str, Any]]:
    """Handle, title and dimensions of each page; without ``lifecycle`` those that are not history."""
    rows = []
    for path, entry in pages(workspace.tree):
        if entry.size > MAX_PAGE:
            continue
        data = workspace.tree.read(path, limit=MAX_PAGE)
        document, _ = parse_document(path, data)
        said = attributes(document.front, data)
        title = page_title(document, layout_of(document.body).headings) or page_name(path)
        row = {"handle": page_handle(path), "path": relative(path), "title": title, **said}
        wanted = ("active", "stale", "contradicted") if lifecycle is None else (lifecycle,)
        if row["lifecycle"] in wanted and review in (None, row["review"]):
            rows.append(row)
    return rows


def page_line(row: Mapping[str, Any]) -> str:
    said = [str(row[key]) for key, usual in (("lifecycle", "active"), ("review", "confirmed")) if row[key] != usual]
    return f"{row['path']}  {row['title']}" + (f"  [{', '.join(said)}]" if said else "")


def front_changes(workspace: Workspace, settings: Sequence[str]) -> dict[str, Any]:
    """``KEY=VALUE`` each, the value read as YAML; an empty one takes the key out. A source may be given by its name
    alone, and is cited with the digest it has here."""
    from aiwg_memory.core.strict_yaml import load

    changes: dict[str, Any] = {}
    for setting in settings:
        key, sign, value = setting.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"{display(setting)!r} is not KEY=VALUE", hint='for example --set "tags=[storage]"')
        changes[key.strip()] = load(value, path=f"--set {display(key)}") if value.strip() else None
    if changes.get("sources"):
        changes["sources"] = _cited(workspace, changes["sources"])
    return changes


def _cited(workspace: Workspace, given: Any) -> Any:
    from aiwg_memory.workspace.sources import resolve_sources

    found: list[Any] = []
    for one in [given] if isinstance(given, str) else given if isinstance(given, list) else ():
        cited = resolve_sources(workspace, [one])[0] if isinstance(one, str) else one
        found.append({key: value for key, value in cited.items() if value} if cited is not one else one)
    return found or given


def file_text(workspace: Workspace, directory: str | None, name: str) -> str:
    """The text of a file a person names, inside or outside the workspace. Raises UsageError when it is not UTF-8."""
    data = read_outside_or_in(workspace, directory, name, MAX_PAGE)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{display(os.path.basename(name))} is not UTF-8", hint="convert it first") from error
