"""Check: every addon's judgement on a tree, and what no addon owns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from aiwg_memory.addons import BUILTIN, Addon, load, resolve
from aiwg_memory.core.config import load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.gate.added import screened
from aiwg_memory.core.gate.change import Change, Touch
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.stored import VIEW, current_digest
from aiwg_memory.core.tree import Entry, MemoryTree, Tree, walk
from aiwg_memory.errors import AiwgError
from aiwg_memory.workspace.addons import missing, owner_of_path

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

STORE = RepoPath(".aiwg")
_WHAT = {
    "link": "a link; nobody reads through one",
    "special": "a special file; only regular files may lie here",
    "illegal": "a name that no path here may have",
}
OURS = (
    ".aiwg/config.yaml",
    ".aiwg/.gitignore",
    ".aiwg/.gitattributes",
    ".aiwg/instructions.md",
)
OUR_FOLDERS = (".aiwg/.local/", ".aiwg/receipts.d/", ".aiwg/rules/", ".aiwg/outbox.d/")


def check(
    addons: tuple[Addon, ...], head: Tree, base: Tree | None = None, *, everything: bool = False, as_of: str = ""
) -> list[Finding]:
    """All findings of all parts together, byte-wise by path and line.

    ``everything`` adds the full schemas, and screens every file as if it were new. ``as_of``, see ``judged``.
    """
    found = [*_layout(addons, head), *judged(addons, head, base, as_of)]
    found += guarded("receipts", lambda: unaccounted(head, strict=load_config(head).receipts == "required"))
    if everything:
        from aiwg_memory.workspace.exact import exact

        found += guarded("schemas", lambda: exact(head))
        found += guarded("screening", lambda: _screened(head))
    return merged(found)


def judged(addons: tuple[Addon, ...], head: Tree, base: Tree | None, as_of: str = "") -> Iterator[Finding]:
    """What each addon finds; one that can judge dates is told the day. Without a day nothing is said about dates."""
    from inspect import signature

    for addon in addons:
        if addon.check:
            judge = resolve(addon.check)
            day = (as_of,) if as_of and "as_of" in signature(judge).parameters else ()
            yield from guarded(addon.name, partial(judge, head, base, *day))


def guarded(name: str, judge: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """What one part finds; when it cannot go on, that is a finding too and the others still speak."""
    found: list[Finding] = []
    try:
        found.extend(judge())
    except AiwgError as error:
        found += [Finding(each.path, each.line, each.rule, each.message, hint=each.hint) for each in error.findings]
        if not error.findings:
            found.append(Finding(f".aiwg ({name})", 0, error.code, error.message, hint=error.hint))
    return found


_GRAVITY = {"error": 0, "warning": 1, "note": 2}


def merged(found: Iterable[Finding]) -> list[Finding]:
    """Sorted; of two findings with one rule, place and message the graver stands."""
    kept: dict[tuple[str, int, str, str], Finding] = {}
    for each in sorted(found, key=lambda one: _GRAVITY[one.severity]):
        kept.setdefault((each.path, each.line, each.rule, each.message), each)
    return sorted(kept.values())


def _screened(head: Tree) -> Iterator[Finding]:
    config = load_config(head)
    exceptions = config.screening
    touched = [Touch(path, None, "file") for path in _stored(head)]
    yield from screened(Change(head, MemoryTree({}), touched), exceptions, config.sources.max_bytes)


def _layout(addons: tuple[Addon, ...], head: Tree) -> Iterator[Finding]:
    entry = head.stat(STORE)
    if entry is None:
        return
    if entry.kind != "dir":
        yield Finding(STORE, 0, "unsafe-path", f"is {_WHAT.get(entry.kind, 'a file, not a directory')}")
        return
    folded: dict[str, str] = {}
    strange = stranger(addons)
    for parent, each in _files(head):
        path = f"{parent}/{each.name}"
        if each.kind in _WHAT:
            yield Finding(path, 0, "unsafe-path", f"is {_WHAT[each.kind]}", hint="move it out of .aiwg")
            continue
        other = folded.setdefault(path.casefold(), path)
        if other != path:
            yield Finding(path, 0, "case-collision", f"differs from {other} only by case", hint="rename one of them")
        if (found := strange(path)) is not None:
            yield found


def _files(head: Tree) -> Iterator[tuple[RepoPath | None, Entry]]:
    for entry in head.list(STORE):
        if entry.name == ".local":
            continue
        if entry.kind == "dir":
            yield from walk(head, RepoPath(f"{STORE}/{entry.name}"))
        else:
            yield STORE, entry


def stranger(addons: tuple[Addon, ...]) -> Callable[[str], Finding | None]:
    """What to say of a path below ``.aiwg/`` that belongs to none of ``addons``; None of one that does."""
    off = load(tuple(BUILTIN)) if missing(addons) else ()

    def judge(path: str) -> Finding | None:
        if path in OURS or path.startswith(OUR_FOLDERS) or owner_of_path(addons, path) is not None:
            return None
        owner = owner_of_path(off, path)
        if owner is None:
            return Finding(path, 0, "unknown-file", "belongs to no addon", "warning", "move it out of .aiwg")
        said = f"is of {owner.name}, which is not enabled: nothing judges it"
        return Finding(path, 0, "unknown-file", said, "note", "enable it in .aiwg/config.yaml")

    return judge


def unaccounted(head: Tree, *, strict: bool, begun: Tree | None = None) -> Iterator[Finding]:
    """Broken receipts, and stored files that no receipt accounts for: warnings, errors when ``strict``.

    What nobody changed since ``begun``, the tree that the workspace was set up on, needs no receipt.
    """
    from aiwg_memory.core.receipts import changed_paths, read_receipts, verify

    receipts, broken = read_receipts(head)
    yield from broken
    # What a receipt names outside the store is a file people edit: only what lies in the store is held to receipts.
    paths = {path for path in changed_paths(receipts) if path.under(STORE) and path != VIEW}
    for path in _stored(head):
        if begun is None or current_digest(begun, path) != current_digest(head, path):
            paths.add(path)
    yield from verify(head, receipts, paths, severity="error" if strict else "warning")


def begun_on(workspace: Workspace) -> Tree | None:
    """The commit that `init` was confirmed on, where the receipt names one that is still there."""
    from aiwg_memory.core.receipts import read_receipts

    receipts = read_receipts(workspace.tree)[0]
    first = next((each for each in reversed(receipts) if each["kind"] == "workspace.init"), None)
    commit = str(first.get("git_head") or "") if first else ""
    if not commit or workspace.repository is None:
        return None
    try:
        return workspace.repository.commit_tree(workspace.repository.resolve(commit))
    except AiwgError:
        return None


def _stored(head: Tree) -> Iterator[RepoPath]:
    """What lies below ``.aiwg/`` and is kept by operations: not receipts and what is owed, not generated views."""
    for parent, entry in _files(head):
        path = f"{parent}/{entry.name}"
        own = path.startswith((".aiwg/receipts.d/", ".aiwg/outbox.d/"))
        if entry.kind == "file" and not own and path != VIEW:
            yield RepoPath(path)
