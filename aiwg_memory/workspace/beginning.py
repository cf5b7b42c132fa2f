"""``init``: what a place is, what is there already, and the request that sets it up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiwg_memory.core.operations import Request
from aiwg_memory.core.paths import display
from aiwg_memory.core.setup import discover, linked_instructions
from aiwg_memory.errors import UsageError

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def init_request(workspace: Workspace, reviewer: str, identity: str) -> Request:
    """``identity`` is for a workspace that has none yet. Raises UsageError in a bare repository, and where
    a store is in git and not checked out."""
    if workspace.repository is not None and workspace.repository.is_bare:
        raise UsageError(
            f"{display(workspace.root)} is a bare repository: it has no working tree to keep memory in",
            hint="run init in a clone of it",
        )
    workspace.require_checkout()
    arguments = {"own": True} if workspace.own else {"ignore": list(linked_instructions(workspace.tree))}
    identity = workspace.config.workspace or identity
    return Request("workspace.init", arguments, workspace.now, reviewer, identity)


def beginning_notes(workspace: Workspace) -> tuple[str, ...]:
    """What the preview says beside the files: where it is, what was found there, and what can be done with it."""
    notes = [f"  in {display(workspace.root)}"]
    if workspace.own:
        return tuple(notes)
    notes += [f"  found {each.path}: {each.what}; {each.advice}" for each in discover(workspace.tree)]
    return (*notes, *_links(workspace))


def _links(workspace: Workspace) -> Iterator[str]:
    linked = linked_instructions(workspace.tree)
    if not linked:
        return
    names = ", ".join(linked)
    yield f"  {names}: links are never followed; the line in .aiwg/instructions.ignore says that this one is known"
    kinds = {entry.name: entry.kind for entry in workspace.tree.list()}
    if not any(kinds.get(name) == "file" for name in ("AGENTS.md", "AGENTS.override.md", "CLAUDE.md")):
        yield (
            "  no other instructions stand at the root: what the link leads to is not read here"
            " until AGENTS.md is a file of its own"
        )


def beginning_warning(workspace: Workspace) -> str:
    """What a person should know of the place before saying yes; "" for nothing."""
    if workspace.own:
        from aiwg_memory.repo.repository import Repository

        around = Repository.find(workspace.root, workspace.environ)
        if around is None:
            return ""
        return f"{display(workspace.root)} lies inside the git repository {display(around.top)}: keep it ignored there"
    if workspace.repository is None:
        return f"{display(workspace.root)} is not in a git repository: changes will have no history here (git init)"
    return ""
