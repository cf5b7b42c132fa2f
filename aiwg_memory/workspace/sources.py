"""What a source locator refers to here: the digest of the evidence, the fact, the value or the output it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.counting import counted
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import AiwgError, UsageError
from aiwg_memory.workspace.composing import house

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

_LOCATOR = re.compile(r"(.+?)(?:#(L[1-9][0-9]*(?:-L[1-9][0-9]*)?))?(?:@(?:sha256:)?([0-9a-f]{8,64}))?\Z", re.DOTALL)


def resolve_sources(workspace: Workspace, locators: Iterable[str]) -> list[dict[str, Any]]:
    """``{ref, digest, span}`` of each; the digest is null for what is not known here. What ``located`` reads is read.

    A handle may be given by its beginning; what is recorded is the whole. Of a file of the project the digest is that
    of the file, or of the lines that are cited; ``anchor`` is what finds these again when the file changes. Raises
    UsageError for lines that what is cited has not.
    """
    from aiwg_memory.addons.llm_wiki.sources import read_evidence

    evidence = read_evidence(workspace.tree)
    found = []
    for locator in locators:
        ref, span = located(workspace, locator, None)
        version = evidence.find(ref)
        known = (ref, version.text("digest")) if version else _handle(workspace, ref)
        one = {"ref": known[0], "digest": known[1], "span": span}
        found.append(anchored_source(workspace, one) if known[1] is None else with_lines(workspace, one))
    return found


def located(workspace: Workspace, ref: str, span: str | None) -> tuple[str, str | None]:
    """A reference and the lines it means: those that are stated, else those behind it, as ``path#L3-L9``.

    A locator that was printed names a page without its ``wiki:``, and may end in ``@`` and the beginning of a digest.
    Raises UsageError when that is no longer the digest of what is named.
    """
    match = _LOCATOR.match(ref)
    if span or match is None:
        return ref, span
    base, span, said = match.groups()
    found = _printed(workspace, base)
    if said is None:
        meant = found is not None and (found[0] == base or house(workspace, workspace.tree).standing(base) is None)
        return (found[0] if found is not None and meant else base), span
    if found is None:
        return ref, None
    if not any(digest(data).partition(":")[2].startswith(said) for data in _said(found[1], span)):
        cited = f"{found[0]}#{span}" if span else found[0]
        hint = f"look at it again; {cited} cites it as it is now"
        raise UsageError(f"{cited} is not what @{said} was printed for", hint=hint, code="evidence-changed")
    return found[0], span


def _printed(workspace: Workspace, base: str) -> tuple[str, bytes] | None:
    """What is meant by the name in a printed locator, and its bytes: a file of the project, else a page."""
    from aiwg_memory.addons.llm_wiki.layout import WIKI, is_page, page_handle, page_path
    from aiwg_memory.workspace.validity import content

    data = content(workspace.tree, base)
    if data is not None:
        return base, data
    try:
        path = page_path(base) if base.startswith("wiki:") else RepoPath(f"{WIKI}/{base}")
    except AiwgError:
        return None
    data = content(workspace.tree, path) if is_page(path) else None
    return None if data is None else (page_handle(path), data)


def _said(data: bytes, span: str | None) -> Iterator[bytes]:
    """What a digest behind a locator may be that of: the file, or the lines with or without their last end."""
    from aiwg_memory.core.anchors import held

    if span is None:
        yield data
    elif (rows := held(data, span)) is not None:
        yield b"\n".join(rows)
        yield b"\n".join(rows) + b"\n"


def anchored_source(workspace: Workspace, source: dict[str, Any]) -> dict[str, Any]:
    """With the digest of the file, or of the lines of it; as it is where no file of the project is named."""
    from aiwg_memory.core.anchors import anchored
    from aiwg_memory.workspace.validity import content

    data = content(workspace.tree, source["ref"])
    if data is None:
        return source
    if source["span"] is None:
        return {**source, "digest": digest(data)}
    held = anchored(data, source["span"])
    if held is None:
        raise _no_such_lines(source, data)
    return {**source, **held}


def with_lines(workspace: Workspace, source: dict[str, Any]) -> dict[str, Any]:
    """As it is. Raises UsageError for a span that the text it was cited from has not, or where there is none."""
    from aiwg_memory.core.anchors import anchored
    from aiwg_memory.workspace.validity import content

    if source["span"] is None:
        return source
    name = _place(workspace, source["ref"], source["digest"])
    data = content(workspace.tree, name) if name else None
    if data is None:
        raise UsageError(f"{source['ref']} has no lines that can be looked at", hint="cite it as a whole")
    if anchored(data, source["span"]) is None:
        raise _no_such_lines(source, data)
    return source


def _place(workspace: Workspace, ref: str, wanted: str) -> str:
    """Where the text lies that is cited: the page, the output, the raw copy of this digest, else the file itself."""
    from aiwg_memory.addons.llm_wiki.layout import RAW, page_path
    from aiwg_memory.addons.llm_wiki.sources import read_evidence

    if ref.startswith("wiki:"):
        return page_path(ref)
    if ref.startswith("out_"):
        from aiwg_memory.addons.compound_memory.outputs.store import read

        return read(workspace.tree).heads[ref].current.text("path")
    version = read_evidence(workspace.tree).find(ref, wanted)
    return f"{RAW}/{version.text('file')}" if version and version.text("digest") == wanted else ref


def _no_such_lines(source: Mapping[str, Any], data: bytes) -> UsageError:
    count = len(data.split(b"\n")) - data.endswith(b"\n")
    said = f"{source['ref']} has {counted(count, 'line')}, not {source['span']}"
    return UsageError(said, hint="name lines that are there")


def _handle(workspace: Workspace, ref: str) -> tuple[str, str | None]:
    """The whole handle and the digest of what it names now; the reference as it is where it names nothing here."""
    kind = ref.partition("_")[0] if not ref.startswith("ctx:") else "ctx"
    if ref.startswith("wiki:"):
        found = house(workspace, workspace.tree).standing(ref)
        return ref, found.digests[0] if found is not None and found.digests else None
    look = {"lm": _fact, "out": _output, "ctx": _canonical}.get(kind)
    try:
        return look(workspace, ref) if look else (ref, None)
    except AiwgError:
        return ref, None


def _fact(workspace: Workspace, ref: str) -> tuple[str, str | None]:
    from aiwg_memory.addons.line_memory.store import read
    from aiwg_memory.addons.line_memory.text import text_digest
    from aiwg_memory.workspace.facts import full_handles

    (handle,) = full_handles(workspace, (ref,))
    text = read(workspace.tree).text(handle)
    return handle, None if text is None else text_digest(text)


def _output(workspace: Workspace, ref: str) -> tuple[str, str | None]:
    from aiwg_memory.addons.compound_memory.outputs.store import read
    from aiwg_memory.workspace.outputs import full_ids

    (handle,) = full_ids(workspace, (ref,))
    return handle, read(workspace.tree).heads[handle].current.text("digest")


def _canonical(workspace: Workspace, ref: str) -> tuple[str, str | None]:
    from aiwg_memory.workspace.canon import one_key

    found, number = one_key(workspace, ref, None)
    version = found.get(number or found.last)
    return found.version_handle(number or found.last), version["digest"] if version else None
