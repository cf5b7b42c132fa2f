"""Check of a change: what it touches, and as much beside it as is needed to judge that. Nothing else is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from aiwg_memory.addons import BUILTIN, Addon, resolve
from aiwg_memory.core.config import PATH, Config, load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.focus import Focus, holding, learn, naming, whole
from aiwg_memory.core.gate.accounts import accounts
from aiwg_memory.core.gate.added import screened
from aiwg_memory.core.gate.change import Change, Touch, is_segment
from aiwg_memory.core.gate.layout import layout
from aiwg_memory.core.gate.policy import loosened
from aiwg_memory.core.gate.records import unlike_written
from aiwg_memory.core.gate.retention import vanished, whole_handle
from aiwg_memory.core.gate.standing import over_cap
from aiwg_memory.core.items import Fragment, MemoryItem
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.patterns import pattern
from aiwg_memory.core.records import fold
from aiwg_memory.core.stored import RECEIPTS
from aiwg_memory.core.tree import Tree, walk
from aiwg_memory.errors import AiwgError
from aiwg_memory.workspace.addons import enabled, watched, watches
from aiwg_memory.workspace.checking import guarded, merged, stranger
from aiwg_memory.workspace.staging import staging

if TYPE_CHECKING:
    from aiwg_memory.repo.changes import Changes
    from aiwg_memory.workspace import Workspace

# What a change can do to a file that it does not touch. Other findings about such a file are not this change's.
ELSEWHERE = frozenset((
    "record-lost", "record-fork", "broken-chain", "broken-link", "source-missing", "source-changed", "raw-vanished",
    "raw-left", "fact-file-missing", "fact-ended", "fact-digest", "output-reference", "assertion-changed",
    "assertion-left", "canonical-off", "fact-file-name", "candidate-file-name",
))  # fmt: skip
# What other files say of one, which only a look at all of them tells: said where the change brings it about.
WHEN_NEW = frozenset(("orphan", "duplicate-title"))
# A file above this many bytes is refused and not screened, unless the settings allow larger sources.
SIZE = 4 * 1024 * 1024
_OF_A_SINK = pattern(re.escape(RECEIPTS) + r"/(\d{8}T\d{6}Z-[0-9a-f]{12})-[a-z][a-z0-9-]*\.jsonl\Z")


class Seen(NamedTuple):
    """What one addon is shown: both sides of its change, the fragments of the touched files, and what it judges."""

    addon: Addon
    head: Tree
    base: Tree
    before: Mapping[RepoPath, Fragment]
    after: Mapping[RepoPath, Fragment]
    touched: tuple[RepoPath, ...]


def check_change(change: Change, *, new_only: bool) -> list[Finding]:
    """Findings about what ``change`` touches, byte-wise by path and line; ``new_only`` leaves out what was there.

    The settings of the base decide, where it has any: a change does not loosen the gate it goes through.
    """
    for tree in (change.head, change.base):
        learn(tree, (PATH, *change.paths))
    found: list[Finding] = []
    head, base, gate = _settings(change, found)
    addons = enabled(gate)
    size = max(SIZE, gate.sources.max_bytes)
    exceptions = head.screening
    found += guarded("layout", lambda: layout(change, stranger(addons), size))
    if base is not None:
        found += loosened(head, base)
    found += guarded("screening", lambda: screened(change, exceptions, size))
    found += guarded("records", lambda: unlike_written(change))
    seen = [one for addon in addons if (one := view(addon, change)) is not None]
    for one in seen:
        found += _judged(one, change, new_only)
    found += guarded("receipts", lambda: _accounted(change, gate, seen))
    found += guarded("standing", lambda: over_cap(_items(seen), head))
    return merged(found)


def _settings(change: Change, found: list[Finding]) -> tuple[Config, Config | None, Config]:
    """The settings as they would be, as they were, and those that decide. Broken ones are findings."""
    base = _config(change.base, []) if change.base.stat(PATH) else None
    head = _config(change.head, found)
    if base is None and head is not None and any(name not in BUILTIN for name in head.addons or ()):
        # A name that nobody here has agreed to loads nothing.
        head = head._replace(addons=tuple(name for name in head.addons or () if name in BUILTIN))
    return head or base or Config(), base, base or head or Config()


def _config(tree: Tree, found: list[Finding]) -> Config | None:
    try:
        return load_config(tree)
    except AiwgError as error:
        found += error.findings or [Finding(PATH, 0, error.code, error.message, hint=error.hint)]  # type: ignore[arg-type]
        return None


def view(addon: Addon, change: Change) -> Seen | None:
    """None when the change touches nothing of the addon's."""
    globs = watches(addon)
    watched = naming(globs).fullmatch if globs else lambda path: None
    own = [path for path in (*change.paths, *_paid(change)) if addon.owns(path)]
    beside = (folder for name, folder in change.misnamed if watched(name))
    touched = tuple(sorted({*own, *(path for path in change.paths if watched(path)), *beside}))
    if not touched:
        return None
    before = dict(_fragments(addon, change, was=True))
    after = dict(_fragments(addon, change, was=False))
    if addon.touching:
        return Seen(addon, change.head, change.base, before, after, touched)
    if not addon.around:
        return Seen(addon, whole(change.head), whole(change.base), before, after, touched)
    seen = {*own, *_records(addon, change, (*before.values(), *after.values()))}
    # What cannot be read is reported by the addon's own check, which meets it again.
    with suppress(AiwgError):
        seen.update(resolve(addon.around)(change.head, change.base, own))
    for tree in (change.head, change.base):
        learn(tree, seen)
    return Seen(addon, Focus(change.head, seen), Focus(change.base, seen), before, after, touched)


def _paid(change: Change) -> Iterator[RepoPath]:
    """The files of the outbox that touched receipts of one sink would pay: they belong to such a receipt."""
    for path in change.paths:
        found = _OF_A_SINK.match(path)
        owing = found and RepoPath(f".aiwg/outbox.d/{found[1]}.jsonl")
        if owing and owing not in change.paths and (change.head.stat(owing) or change.base.stat(owing)):
            yield owing


def _fragments(addon: Addon, change: Change, *, was: bool) -> Iterator[tuple[RepoPath, Fragment]]:
    parse = resolve(addon.parse) if addon.parse else None
    for path in change.files(was=was):
        if parse is not None and addon.owns(path):
            try:
                yield path, parse(path, change.data(path, was=was))
            except AiwgError:
                continue


def _records(addon: Addon, change: Change, fragments: Iterable[Fragment]) -> Iterator[RepoPath]:
    """The segments that hold other versions of the handles the change touches."""
    handles = {unit.handle for one in fragments for unit in one.units}
    handles |= {version.handle for one in fragments for version in one.versions}
    phrases = [each.replace("_", ".") for each in handles if _is_plain(each)]
    folders = {folder[:-1] for folder in addon.paths if folder.endswith(".d/")}
    folders |= {str(path.parent) for path in change.paths if is_segment(path) and addon.owns(path)}
    for folder in sorted(folders):
        yield from holding(change.head, RepoPath(folder), phrases)


def _is_plain(handle: str) -> bool:
    kind, _, digest = handle.partition("_")
    return kind.isalpha() and len(digest) == 16 and digest.isalnum()


def _judged(view: Seen, change: Change, new_only: bool) -> Iterator[Finding]:
    addon = view.addon
    if addon.touching:
        yield from _answered(view, new_only)
        return
    if not addon.check:
        return
    judge = resolve(addon.check)
    narrow = bool(addon.around)
    touched = {each.path for each in change.touched}
    for finding in guarded(addon.name, lambda: judge(view.head, view.base)):
        if not narrow or finding.path in touched or finding.rule in ELSEWHERE:
            yield finding
    # What is new altogether has been judged as such already.
    if not new_only and (view.before or not narrow):
        for finding in guarded(addon.name, lambda: judge(view.head, None)):
            if finding.path in touched and not (narrow and finding.rule in WHEN_NEW):
                yield finding


def _answered(view: Seen, new_only: bool) -> Iterator[Finding]:
    """What an addon says that tells by itself what a change has to answer for."""
    judge = resolve(view.addon.touching)
    found = guarded(view.addon.name, lambda: judge(view.head, view.base, view.touched))
    known: set[tuple[str, str, str]] = set()
    if new_only and found:
        before = guarded(view.addon.name, lambda: judge(view.base, None, view.touched))
        known = {(each.path, each.rule, each.message) for each in before}
    yield from (each for each in found if (each.path, each.rule, each.message) not in known)


def _accounted(change: Change, gate: Config, seen: Sequence[Seen]) -> Iterator[Finding]:
    findings, accounted = accounts(change, gate)
    yield from findings
    for view in seen:
        if view.before:
            yield from vanished(change, view.before, _all(view), accounted)


def _all(view: Seen) -> Iterator[Fragment]:
    """Everything the addon is shown of ``head``, parsed."""
    yield from view.after.values()
    parse = resolve(view.addon.parse)
    for folder in view.addon.paths if view.addon.around else ():
        for parent, entry in walk(view.head, RepoPath(folder[:-1])) if folder.endswith("/") else ():
            path = RepoPath(f"{parent}/{entry.name}")
            if entry.kind == "file" and is_segment(path) and path not in view.after:
                yield parse(path, view.head.read(path, limit=1 << 24))


def _items(seen: Sequence[Seen]) -> Iterator[MemoryItem]:
    for view in seen:
        if not view.addon.item or not _standing(view.after.values()):
            continue
        item = resolve(view.addon.item)
        fragments = list(_everything(view))
        heads = fold(version for one in fragments for version in one.versions)
        for one in fragments:
            for unit in one.units:
                head = heads.get(whole_handle(unit.handle))
                found = item(unit, head.current if head else None)
                if found is not None:
                    yield found


def _standing(fragments: Iterable[Fragment]) -> bool:
    """Whether the change says of anything that it is always delivered."""
    return any(version.text("delivery") == "always" for one in fragments for version in one.versions) or any(
        unit.attributes.get("delivery") == "always" for one in fragments for unit in one.units
    )


def _everything(view: Seen) -> Iterator[Fragment]:
    parse = resolve(view.addon.parse)
    for folder in view.addon.paths:
        for parent, entry in walk(view.head, RepoPath(folder[:-1])) if folder.endswith("/") else ():
            path = RepoPath(f"{parent}/{entry.name}")
            if entry.kind == "file":
                yield parse(path, view.head.read(path, limit=1 << 24))


def _change(changes: Changes) -> Change:
    kinds = (
        Touch(each.path, each.before and each.before.kind, each.after and each.after.kind) for each in changes.touched
    )
    return Change(changes.head, changes.base, kinds)


def staged(workspace: Workspace, *, new_only: bool = False) -> list[Finding]:
    """What the next commit changes, judged from the staged blobs and not from what lies on the disk."""
    return staged_of(workspace, *staging(workspace), new_only=new_only)


def staged_of(workspace: Workspace, base: str, listed: bytes, *, new_only: bool) -> list[Finding]:
    """The same, of what ``staging`` gave."""
    from aiwg_memory.repo.changes import staged as find

    with workspace.require_repository() as repository:
        return check_change(_change(find(repository, base, listed)), new_only=new_only)


def _pathspecs() -> tuple[str, ...]:
    return (":(icase,literal).aiwg", *(f":(icase,glob)**/{name}" for name in watched()))


def between(workspace: Workspace, given: str, *, new_only: bool = False) -> list[Finding]:
    """``given`` is ``BASE..HEAD`` or ``BASE...HEAD``: what HEAD changed since it left BASE. Raises UsageError."""
    from aiwg_memory.errors import UsageError
    from aiwg_memory.repo.changes import between as find

    base, dots, head = given.partition("..")
    head = head.removeprefix(".") or "HEAD"
    if not dots or not base:
        raise UsageError(f"{given!r} is no range of commits", hint="write it like origin/main..HEAD")
    with workspace.require_repository() as repository:
        ends = repository.resolve(base), repository.resolve(head)
        return check_change(_change(find(repository, *ends, _pathspecs())), new_only=new_only)
