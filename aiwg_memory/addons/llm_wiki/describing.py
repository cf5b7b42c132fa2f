"""What a change does to pages, passage by passage, and to raw evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aiwg_memory.addons.llm_wiki.layout import RAW, RECORDS, is_page, page_handle, passage_handle, relative
from aiwg_memory.addons.llm_wiki.reading import item, page_name, read_page
from aiwg_memory.addons.llm_wiki.sources import HELD
from aiwg_memory.addons.llm_wiki.state import attributes
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.changes.entry import Described, Entry
from aiwg_memory.core.changes.sides import Sides
from aiwg_memory.core.changes.steps import WORDS, forked, listed, narrowest, refs, same, sourced, steps
from aiwg_memory.core.config import Config
from aiwg_memory.core.document import passages
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Head


@dataclass(frozen=True, slots=True)
class _Page:
    path: RepoPath
    data: bytes
    title: str
    said: Mapping[str, Any]
    front: Mapping[str, Any]
    texts: Mapping[str, tuple[str, int]]

    @property
    def ended(self) -> bool:
        return self.said["lifecycle"] in ("superseded", "archived", "revoked")


def describe(sides: Sides, config: Config) -> Described:
    """Pages that only moved are told once. Passages are told where the page itself stays."""
    paths = [path for path in sides.change.paths if is_page(path)]
    before = {path: page for path in paths if (page := _page(sides, path, was=True))}
    after = {path: page for path in paths if (page := _page(sides, path, was=False))}
    entries = [entry for path in paths for entry in _one(before.get(path), after.get(path))]
    entries = list(_moved(entries, before, after))
    was, now = (sides.heads(RECORDS, was=side) for side in (True, False))
    for handle in sorted({*was, *now}):
        entries += _raw(was.get(handle), now.get(handle))
    return Described(tuple(entries), _always(sides, config, was=True), _always(sides, config, was=False))


def _page(sides: Sides, path: RepoPath, *, was: bool) -> _Page | None:
    data = sides.data(path, was=was)
    if data is None:
        return None
    document = read_page(path, data)[0]
    found = passages(document, title=page_name(path))
    title = found[0].title if found else page_name(path)
    texts = {passage_handle(path, one): (one.text, one.first_line) for one in found}
    return _Page(path, data, title, attributes(document.front, data), document.front, texts)


def _entry(page: _Page, action: str, **said: Any) -> Entry:
    verdict = page.front.get("reviewed")
    told = verdict if isinstance(verdict, Mapping) else {}
    base = Entry(
        "pages",
        action,
        page_handle(page.path),
        page.path,
        digest(page.data),
        page.said["classification"],
        title=page.title,
        who=str(told.get("reviewer") or told.get("by") or ""),
        reason=str(told.get("reason") or ""),
    )
    return base._replace(**said)


def _one(was: _Page | None, now: _Page | None) -> Iterator[Entry]:
    if now is None:
        if was is not None:
            yield _entry(was, "removed", before=_opening(was), gone=True, alarm=True, who="", reason="")
        return
    if was is None:
        detail = listed(now.said["review"], _count(len(now.texts)), _status(now))
        pending = now.said["review"] == "pending"
        yield _entry(now, "added", after=_opening(now), detail=detail, sources=refs(now.said), alarm=pending)
        return
    classification = narrowest(was.said["classification"], now.said["classification"])
    for entry in _whole(was, now):
        yield entry._replace(classification=classification)
    judged = was.front.get("reviewed") != now.front.get("reviewed")
    for entry in _passages(was, now):
        told = entry if judged else entry._replace(who="", reason="")
        yield told._replace(classification=classification)


def _whole(was: _Page, now: _Page) -> Iterator[Entry]:
    verdict = steps(was.said, now.said, ("review",))
    rest = steps(was.said, now.said, [name for name in WORDS if name != "review"])
    detail = listed(rest, sourced(was.said, now.said))
    if now.ended and was.said["lifecycle"] != now.said["lifecycle"]:
        by = str(now.front.get("superseded_by") or "")
        yield _entry(
            now, "retired", before=_opening(was), detail=listed(_status(now), detail), by=f"wiki:{by}" if by else ""
        )
    elif was.ended and not now.ended:
        yield _entry(now, "restored", after=_opening(now), detail=listed(verdict, detail))
    elif verdict:
        lost = "its text changed after the verdict" if now.said["review"] == "pending" else ""
        quiet = {"who": "", "reason": "", "alarm": True} if lost else {}
        yield _entry(now, "judged", detail=listed(verdict, lost, detail), **quiet)
    elif detail:
        yield _entry(now, "changed", detail=detail)


def _passages(was: _Page, now: _Page) -> Iterator[Entry]:
    for handle in sorted({*was.texts, *now.texts}):
        before, after = was.texts.get(handle, ("", 0)), now.texts.get(handle, ("", 0))
        if before[0] == after[0]:
            continue
        action = "added" if not before[0] else "removed" if not after[0] else "reworded"
        text = after[0] or before[0]
        yield _entry(
            now, action, handle=handle, digest=digest(text.encode()), before=before[0], after=after[0], line=after[1]
        )


def _moved(entries: list[Entry], before: Mapping[RepoPath, _Page], after: Mapping[RepoPath, _Page]) -> Iterator[Entry]:
    """A page that went, and one with the same bytes that came, are one that moved."""
    came = {after[RepoPath(one.path)].data: one for one in entries if one.action == "added" and "#" not in one.handle}
    went = {before[RepoPath(one.path)].data: one for one in entries if one.gone}
    for one in entries:
        if one.gone and before[RepoPath(one.path)].data in came:
            continue
        source = went.get(after[RepoPath(one.path)].data) if came.get(_bytes(one, after)) == one else None
        if source is not None:
            yield one._replace(action="moved", detail=f"was {relative(RepoPath(source.path))}", after="", sources=())
        else:
            yield one


def _bytes(entry: Entry, after: Mapping[RepoPath, _Page]) -> bytes:
    page = after.get(RepoPath(entry.path))
    return page.data if page else b""


def _opening(page: _Page) -> str:
    return next((text for text, _ in page.texts.values()), "")


def _count(passages_: int) -> str:
    return f"{passages_} passage{'s' if passages_ != 1 else ''}"


def _status(page: _Page) -> str:
    return str(page.said["lifecycle"]) if page.said["lifecycle"] != "active" else ""


def _raw(was: Head | None, now: Head | None) -> Iterator[Entry]:
    head = now or was
    if head is None or same(was, now):
        return
    value = head.current.value
    entry = Entry(
        "raw",
        "changed",
        head.current.handle,
        f"{RAW}/{value['file']}",
        str(value["digest"]),
        str(value.get("classification") or "internal"),
        title=str(value.get("name") or ""),
        who=str(value.get("reviewer") or ""),
        reason=str(value.get("reason") or ""),
        sources=refs(value),
    )
    before = was.current.status if was else ""
    if now is None:
        yield entry._replace(action="removed", detail="its record is gone", gone=True, alarm=True)
    elif now.current.status not in HELD:
        detail = listed(now.current.status, "the text is erased" if value.get("forgotten") else "")
        yield entry._replace(action="retired", detail=detail.replace("_", " "), gone=True)
    elif before not in HELD:
        detail = listed(f"{value.get('bytes', 0)} bytes", forked(now))
        yield entry._replace(action="restored" if before else "added", detail=detail)
    else:
        moved = f"{before} → {now.current.status}".replace("_", " ") if before != now.current.status else ""
        told = steps(was.current.value if was else {}, value, ("classification",))
        detail = listed(moved, told, sourced(was.current.value if was else {}, value))
        if detail:
            yield entry._replace(detail=detail)


def _always(sides: Sides, config: Config, *, was: bool) -> dict[str, int]:
    found = {}
    for _, fragment in sides.fragments(was=was):
        for unit in fragment.units:
            if unit.handle.startswith("wiki:") and unit.attributes.get("delivery") == "always":
                each = item(unit, None)
                if each and each.lifecycle == "active" and each.review in config.delivery.always:
                    found[unit.handle] = len(each.text)
    return found
