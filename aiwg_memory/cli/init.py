"""The first command of a repository, new or old."""

from __future__ import annotations

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import reviewer_option
from aiwg_memory.cli.present import propose


@command("init", example="aiwg-memory init")
@reviewer_option
@pass_app
def init(app: App, reviewer: str | None) -> None:
    """Preview what .aiwg/ would hold here; nothing that exists is overwritten, and repeating it is safe.

    Instruction files and other tools' memory that are already there are named, with what can be done with them.
    """
    import os

    from aiwg_memory.core.operations import Request
    from aiwg_memory.core.setup import discover, linked_instructions

    workspace = app.workspace
    found = list(discover(workspace.tree))
    notes = tuple(f"  found {each.path}: {each.what}; {each.advice}" for each in found)
    if workspace.repository is None:
        app.warn(f"{workspace.root} is not in a git repository: changes will have no history here (git init)")
    # The workspace's identity is the one thing ever drawn at random, once.
    identity = workspace.config.workspace or "ws_" + os.urandom(16).hex()
    arguments = {"ignore": list(linked_instructions(workspace.tree))}
    request = Request("workspace.init", arguments, app.now, app.reviewer(reviewer), identity)
    propose(app, request, notes=notes)
