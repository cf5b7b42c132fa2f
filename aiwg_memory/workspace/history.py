"""The past of one thing: every version with the commit that brought it, and the receipt of who decided it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons import resolve
from aiwg_memory.core.candidates import grounds
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.counting import few
from aiwg_memory.core.following import fault
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.receipts import Receipt, parse_receipts
from aiwg_memory.core.records import Version, fold
from aiwg_memory.core.stored import MAX_FILE, RECEIPTS
from aiwg_memory.core.tree import files
from aiwg_memory.errors import AiwgError, NotFound, UsageError
from aiwg_memory.workspace.addons import owner_of_path

if TYPE_CHECKING:
    from aiwg_memory.repo.past import Written
    from aiwg_memory.workspace import Workspace

_RECORDS = {
    "lm": RepoPath(".aiwg/memory/facts.d"),
    "raw": RepoPath(".aiwg/wiki/raw.d"),
    "cand": RepoPath(".aiwg/memory/candidates.d"),
    "out": RepoPath(".aiwg/memory/outputs.d"),
}


def whole(workspace: Workspace, name: str) -> str:
    """The handle that ``name`` is, or is the one beginning of; a page's path and TARGET/KEY go without their prefix.

    Raises UsageError for what fits several. What fits none is returned as it is.
    """
    folder = _RECORDS.get(name.partition("_")[0])
    if folder is None and ":" not in name and (name.endswith(".md") or "/" in name):
        return f"{'wiki' if name.endswith('.md') else 'ctx'}:{name}"
    if folder is None or len(name) >= len(name.partition("_")[0]) + 17:
        return name
    found = sorted({one.handle for one in _versions(workspace, name, folder)})
    if len(found) > 1:
        raise UsageError(f"{name} fits {len(found)}: {few(found)}", hint="give more of its digits")
    return found[0] if found else name


def log(workspace: Workspace, handle: str, visible: Collection[str]) -> list[dict[str, Any]]:
    """Oldest first; no texts, and reasons of what is ``visible`` only.

    ``commit`` is null for what is not committed. Raises NotFound.

    Cost: one pass over the records of that store, the receipts it names, and one git process.
    """
    folder = _RECORDS.get(handle.partition("_")[0])
    rows = _record_rows(workspace, handle, folder, visible) if folder else _file_rows(workspace, handle)
    if not rows:
        raise NotFound(f"nothing here is called {handle}", hint="`aiwg-memory search` shows handles")
    return rows


def blame(workspace: Workspace, handle: str, visible: Collection[str]) -> dict[str, Any]:
    """Who last decided it, on what it rests and how that stands, and when somebody last said that it is so.

    What something rests on is named where it is ``visible``; else by digest alone.
    """
    rows = log(workspace, handle, visible)
    value = _current(workspace, handle)
    from aiwg_memory.workspace.composing import standing

    look = standing(workspace, workspace.tree)
    evidence = []
    shown = str(value.get("classification") or "internal") in visible
    cites = value.get("evidence") or value.get("sources") or ()
    spans = {(one.get("ref"), one.get("digest")): one.get("span") for one in cites}
    stated = grounds({**value, "evidence": cites})
    dated = {ground["ref"] for ground in stated if ground["digest"]}
    for ground in stated:
        if not ground["digest"] and ground["ref"] in dated:
            continue  # A leaf of the envelope that names the file, beside the citation of its lines.
        problem = fault(workspace.tree, ground, look)
        state = problem.rule.removeprefix("evidence-") if problem else "there"
        span = spans.get((ground["ref"], ground["digest"]))
        locator = f"{ground['ref']}#{span}" if span else ground["ref"]
        cited = {"ref": locator if shown else "", "digest": ground["digest"]}
        evidence.append({**cited, "state": state})
    said = [row for row in rows if row["review"] == "confirmed" and row["who"]]
    return {
        "handle": handle,
        "last": rows[-1],
        "first": rows[0],
        "versions": len(rows),
        "evidence": evidence,
        "verified_at": said[-1]["at"] if said else None,
        "verified_by": said[-1]["who"] if said else None,
    }


def _record_rows(workspace: Workspace, handle: str, folder: RepoPath, visible: Collection[str]) -> list[dict[str, Any]]:
    found = {version.canonical: version for version in _versions(workspace, handle, folder)}
    ordered = sorted(found.values(), key=lambda one: (one.version, one.at, one.digest))
    # A segment keeps its name in ``seg`` even where its lines were gathered into another file since.
    paths = [path for one in ordered for path in (join(folder, f"{one.seg}.jsonl"), RepoPath(one.path)) if one.seg]
    commits: dict[str, Written] = {}
    for each in _written(workspace, list(dict.fromkeys(paths))):
        if each.blob:
            commits.setdefault(each.path, each)
    return [
        {
            **_row(
                commits.get(join(folder, f"{one.seg}.jsonl")) or commits.get(one.path),
                next(iter(_receipts(workspace, one.seg)), None),
            ),
            "version": one.version,
            "digest": one.digest,
            "at": one.at,
            "status": one.status,
            "review": one.text("review"),
            "who": one.text("reviewer"),
            "reason": one.text("reason") if one.text("classification", "internal") in visible else "",
            "path": one.path,
        }
        for one in ordered
    ]


def _versions(workspace: Workspace, handle: str, folder: RepoPath) -> Iterator[Version]:
    """Those of ``handle``, or of all that begin like it."""
    addon = owner_of_path(workspace.addons, folder + "/")
    parse = resolve(addon.parse) if addon and addon.parse else None
    if parse is None:
        return
    for path, _ in files(workspace.tree, folder):
        data = workspace.tree.read(path, limit=MAX_FILE)
        if handle.encode() in data:
            yield from (one for one in parse(path, data).versions if one.handle.startswith(handle))


def _row(commit: Written | None, receipt: Receipt | None) -> dict[str, Any]:
    told = {"id": commit.commit, "author": commit.author, "at": commit.at} if commit else None
    sink = f"-{receipt['sink']}" if receipt and receipt.get("sink") else ""
    named = {name: receipt[name] for name in ("kind", "reviewer", "confirmed_at")} if receipt else {}
    return {"commit": told, "receipt": {"name": f"{receipt['seg']}{sink}", **named} if receipt else None}


def _receipts(workspace: Workspace, seg: str) -> Iterator[Receipt]:
    if not seg:
        return
    for entry in workspace.tree.list(RECEIPTS):
        if entry.kind == "file" and entry.name.startswith(seg):
            path = join(RECEIPTS, entry.name)
            yield from parse_receipts(path, workspace.tree.read(path, limit=MAX_FILE))[0]


def _written(workspace: Workspace, paths: Sequence[RepoPath]) -> list[Written]:
    from aiwg_memory.repo.past import written

    return written(workspace.repository, paths) if workspace.repository is not None else []


def _file_rows(workspace: Workspace, handle: str) -> list[dict[str, Any]]:
    """A page or a key is a file: each commit that wrote it, each receipt of it that no commit holds, and what lies
    here and is in neither."""
    path = _path_of(handle)
    named = list(_naming(workspace, path))
    rows: list[dict[str, Any]] = []
    for each in _written(workspace, [path]):
        data = workspace.require_repository().objects.read(each.blob, limit=MAX_FILE) if each.blob else None
        rows.append(_version_row(path, data, each, named))
    told = {row["digest"] for row in rows}
    for receipt in named:
        after = next(one["after"] for one in receipt["changes"] if one["path"] == path)
        if after not in told:
            told.add(after)
            rows.append(
                {**_version_row(path, None, None, []), **_row(None, receipt), "digest": after,
                 "at": receipt["confirmed_at"], "who": receipt["reviewer"], "status": "confirmed then"}
            )  # fmt: skip
    here = _here(workspace, path)
    if here is not None and digest(here) not in told:
        rows.append(_version_row(path, here, None, named))
    elif here is not None:
        rows += [rows.pop(at) | _said(path, here) for at in [_last(rows, digest(here))]]
    return [{**row, "version": number} for number, row in enumerate(rows, 1)]


def _last(rows: Sequence[Mapping[str, Any]], wanted: str) -> int:
    return max(at for at, row in enumerate(rows) if row["digest"] == wanted)


def _version_row(
    path: RepoPath, data: bytes | None, commit: Written | None, receipts: Sequence[Receipt]
) -> dict[str, Any]:
    found = digest(data) if data is not None else None
    receipt = next(
        (each for each in receipts if any(one["path"] == path and one["after"] == found for one in each["changes"])),
        None,
    )
    at = commit.at if commit else ""
    who = receipt["reviewer"] if receipt else ""
    row = {**_row(commit, receipt), "digest": found, "at": receipt["confirmed_at"] if receipt else at, "who": who}
    return {**row, "reason": "", "path": path, **_said(path, data)}


def _said(path: RepoPath, data: bytes | None) -> dict[str, str]:
    if data is None:
        return {"status": "gone", "review": ""}
    value = _value(path, data)
    return {
        "status": str(value.get("lifecycle") or value.get("status") or ""),
        "review": str(value.get("review") or ""),
    }


def _value(path: RepoPath, data: bytes) -> Mapping[str, Any]:
    """What the file says of itself, as the addon that owns it reads it."""
    from aiwg_memory.addons import BUILTIN, load

    addon = owner_of_path(load(tuple(BUILTIN)), path)
    units = resolve(addon.parse)(path, data).units if addon and addon.parse else ()
    return units[0].attributes if units else {}


def _current(workspace: Workspace, handle: str) -> Mapping[str, Any]:
    folder = _RECORDS.get(handle.partition("_")[0])
    if folder:
        return fold(_versions(workspace, handle, folder))[handle].current.value
    path = _path_of(handle)
    data = _here(workspace, path)
    return _value(path, data) if data is not None else {}


def _here(workspace: Workspace, path: RepoPath) -> bytes | None:
    try:
        return workspace.tree.read(path, limit=MAX_FILE)
    except AiwgError:
        return None


def _path_of(handle: str) -> RepoPath:
    from aiwg_memory.addons.canonical_context.layout import parse_handle
    from aiwg_memory.addons.llm_wiki.layout import page_path

    if handle.startswith("wiki:"):
        return page_path(handle)
    if handle.startswith("ctx:"):
        return parse_handle(handle)[0].path
    raise NotFound(
        f"nothing here is called {handle}", hint="a handle begins with lm_, raw_, cand_, out_, wiki: or ctx:"
    )


def _naming(workspace: Workspace, path: RepoPath) -> Iterator[Receipt]:
    """The receipts that changed ``path``, oldest first."""
    from aiwg_memory.core.receipts import read_receipts

    for receipt in reversed(read_receipts(workspace.tree)[0]):
        if any(one["path"] == path and one["after"] for one in receipt["changes"]):
            yield receipt
