"""Check: every addon's judgement on a tree, and what no addon owns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from aiwg_memory.addons import Addon, resolve
from aiwg_memory.core.config import load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Entry, Tree, walk
from aiwg_memory.errors import AiwgError
from aiwg_memory.workspace.addons import owner_of_path

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

STORE = RepoPath(".aiwg")
_WHAT = {
    "link": "a link; nobody reads through one",
    "special": "a special file; only regular files may lie here",
    "illegal": "a name that no path here may have",
}
_OURS = (
    ".aiwg/config.yaml",
    ".aiwg/.gitignore",
    ".aiwg/.gitattributes",
    ".aiwg/instructions.ignore",
    ".aiwg/instructions.md",
)
_OUR_FOLDERS = (".aiwg/.local/", ".aiwg/receipts.d/", ".aiwg/rules/", ".aiwg/pins/", ".aiwg/outbox.d/")


def check(workspace: Workspace, head: Tree, base: Tree | None, *, everything: bool = False) -> list[Finding]:
    """All findings of all parts together, byte-wise by path and line. ``everything`` adds the full schemas."""
    found = list(_layout(workspace, head))
    for addon in workspace.addons:
        if addon.check:
            found += _guarded(addon.name, resolve(addon.check), head, base)
    found += _guarded("receipts", _receipts, head, base)
    if everything:
        from aiwg_memory.workspace.exact import exact

        found += _guarded("schemas", lambda tree, _base: exact(tree), head, base)
    return sorted(set(found))


Judge = Callable[[Tree, "Tree | None"], Iterable[Finding]]


def _guarded(name: str, judge: Judge, head: Tree, base: Tree | None) -> list[Finding]:
    """What one part finds; when it cannot go on, that is a finding too and the others still speak."""
    found: list[Finding] = []
    try:
        found.extend(judge(head, base))
    except AiwgError as error:
        found += [Finding(each.path, each.line, each.rule, each.message, hint=each.hint) for each in error.findings]
        if not error.findings:
            found.append(Finding(f".aiwg ({name})", 0, error.code, error.message, hint=error.hint))
    return found


def _layout(workspace: Workspace, head: Tree) -> Iterator[Finding]:
    entry = head.stat(STORE)
    if entry is None:
        return
    if entry.kind != "dir":
        yield Finding(STORE, 0, "unsafe-path", f"is {_WHAT.get(entry.kind, 'a file, not a directory')}")
        return
    folded: dict[str, str] = {}
    for parent, each in _files(head):
        path = f"{parent}/{each.name}"
        if each.kind in _WHAT:
            yield Finding(path, 0, "unsafe-path", f"is {_WHAT[each.kind]}", hint="move it out of .aiwg")
            continue
        other = folded.setdefault(path.casefold(), path)
        if other != path:
            yield Finding(path, 0, "case-collision", f"differs from {other} only by case", hint="rename one of them")
        if not _known(workspace.addons, path):
            yield Finding(path, 0, "unknown-file", "belongs to no enabled addon", "warning", "move it out of .aiwg")


def _files(head: Tree) -> Iterator[tuple[RepoPath | None, Entry]]:
    for entry in head.list(STORE):
        if entry.name == ".local":
            continue
        if entry.kind == "dir":
            yield from walk(head, RepoPath(f"{STORE}/{entry.name}"))
        else:
            yield STORE, entry


def _known(addons: tuple[Addon, ...], path: str) -> bool:
    return path in _OURS or path.startswith(_OUR_FOLDERS) or owner_of_path(addons, path) is not None


def unaccounted(head: Tree, *, strict: bool) -> Iterator[Finding]:
    """Broken receipts, and stored files that no receipt accounts for: warnings, errors when ``strict``."""
    from aiwg_memory.core.receipts import read_receipts, verify

    receipts, broken = read_receipts(head)
    yield from broken
    named = {RepoPath(change["path"]) for each in receipts for change in each["changes"]}
    yield from verify(head, receipts, named | set(_stored(head)), severity="error" if strict else "warning")


def _stored(head: Tree) -> Iterator[RepoPath]:
    """What lies below ``.aiwg/`` and is kept by operations: not receipts themselves, not generated views."""
    for parent, entry in _files(head):
        path = f"{parent}/{entry.name}"
        if entry.kind == "file" and not path.startswith(".aiwg/receipts.d/") and path != ".aiwg/wiki/index.md":
            yield RepoPath(path)


def _receipts(head: Tree, _base: Tree | None) -> Iterable[Finding]:
    return unaccounted(head, strict=load_config(head).receipts == "required")
