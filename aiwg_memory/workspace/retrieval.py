"""A retriever over the working tree, with the user's own facts or at a commit, and the pack it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from aiwg_memory.core.canonical import short, slug
from aiwg_memory.core.delivery import DeliveryPolicy
from aiwg_memory.core.overlay import Overlay
from aiwg_memory.core.packs import Given, Pack, PackRequest, build_pack
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import MemoryTree, Tree
from aiwg_memory.errors import StalePreview
from aiwg_memory.index.search import Index
from aiwg_memory.workspace.addons import PACKS, require, retrieved

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

PIN_OF_ROOT = RepoPath(f".aiwg/pins/{slug('.')}")
Progress = Callable[[int, int], None]
LOOKS = 3


@contextmanager
def retriever(
    workspace: Workspace, *, at: str | None = None, user: MemoryTree | None = None, progress: Progress | None = None
) -> Iterator[Index]:
    """An index in step with the working tree, or with the commit ``at``; ``user`` is laid over it."""
    kept = at is None and user is None
    with Index(workspace.root if kept else None) as index:
        _sync(workspace, index, at, user, progress)
        yield index


def _sync(
    workspace: Workspace, index: Index, at: str | None, user: MemoryTree | None, progress: Progress | None = None
) -> None:
    tree: Tree = workspace.tree if at is None else workspace.require_repository().commit_tree(at)
    if user is not None:
        tree = Overlay(tree, user)
    for _ in range(LOOKS):
        report = index.sync(tree, retrieved(workspace.addons), now=workspace.clock(), progress=progress)
        if not report.changed and not report.removed:
            break
    else:
        raise StalePreview("the memory keeps changing while it is read", hint="try again", code="tree-moved")
    index.identity = _named(workspace, index.identity) if at is None else f"commit:{at}"


def _named(workspace: Workspace, content: str) -> str:
    """HEAD and what the files that count hold; the second alone where there is no commit."""
    head = workspace.repository.head() if workspace.repository else None
    return f"{head[:12]}+{short(content, 12)}" if head else f"tree:{short(content, 12)}"


def content_of_commit(workspace: Workspace, commit: str) -> str:
    """The 12 hex digits that stand for the memory of a commit in the identity of a tree."""
    with Index(None) as index:
        tree = workspace.require_repository().commit_tree(commit)
        report = index.sync(tree, retrieved(workspace.addons), now=workspace.clock())
    return short(report.tree, 12)


def policy(workspace: Workspace) -> DeliveryPolicy:
    configured = workspace.config.delivery
    return DeliveryPolicy(
        configured.retrieved, configured.always, configured.unknown_lineage, configured.changed_source
    )


def build(
    workspace: Workspace,
    request: PackRequest,
    *,
    at: str | None = None,
    user: MemoryTree | None = None,
    progress: Progress | None = None,
) -> Pack:
    """The pack of one state of the tree: what had to be read is looked at once more before it is built from.

    Raises StalePreview (exit 3) when the tree keeps moving. At an older tree the current workspace's revocations and
    forgettings apply on top.
    """
    if not workspace.own:  # A person's own store has facts alone, and packs of them.
        require(workspace.addons, PACKS, "no pack is built")
    with retriever(workspace, at=at, user=user, progress=progress) as index:
        current = _now(workspace) if at is not None else {}
        given, warnings = given_at(workspace, request, at)
        pack = build_pack(index, request, policy=policy(workspace), given=given, current=current)
        if any(one.candidate.item.sources or one.candidate.item.dependencies for one in pack.entries):
            now = workspace.tree if at is not None else None
            found = doubts(workspace, index, pack, at, now)
            if found:
                pack = build_pack(index, request, policy=policy(workspace), given=given, current={**found, **current})
    return pack._replace(warnings=(*pack.warnings, *warnings)) if warnings else pack


def doubts(workspace: Workspace, index: Index, pack: Pack, at: str | None, now: Tree | None) -> Mapping[str, str]:
    """What became of the sources of what the pack holds; where there is something, of all that was considered, since
    any of it may take the place of what is withheld. ``now`` is the tree whose revocations apply on top."""
    from aiwg_memory.workspace.validity import Validity

    tree: Tree = workspace.tree if at is None else workspace.require_repository().commit_tree(at)
    validity = Validity(workspace, tree, index, now)
    found = validity.codes(one.candidate.item for one in pack.entries)
    return {**found, **validity.codes(out.item for out in pack.excluded)} if found else found


def given_at(workspace: Workspace, request: PackRequest, at: str | None) -> tuple[Sequence[Given], Sequence[str]]:
    """The project instructions for the request's target and what to warn of; nothing where neither is named or pinned.

    Raises Refused where their texts are asked for and the tree is not safe.
    """
    tree: Tree = workspace.tree if at is None else workspace.require_repository().commit_tree(at)
    if not request.target and not request.include_instructions and tree.stat(PIN_OF_ROOT) is None:
        return (), ()
    if all(addon.name != "instructions" for addon in workspace.addons):
        return (), ()
    from aiwg_memory.workspace.instruction_packs import instructed

    return instructed(tree, request, workspace.now)


def _now(workspace: Workspace) -> Mapping[str, str]:
    """What the workspace withholds by now, by handle."""
    from aiwg_memory.addons import resolve

    found: dict[str, str] = {}
    for addon in workspace.addons:
        if addon.withheld:
            found.update(resolve(addon.withheld)(workspace.tree))
    return found
