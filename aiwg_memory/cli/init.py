"""The first command of a repository, new or old."""

from __future__ import annotations

from aiwg_memory.cli.app import App, command, pass_app
from aiwg_memory.cli.options import reviewer_option
from aiwg_memory.cli.present import propose


@command("init", example="aiwg-memory init\naiwg-memory init --user-store")
@reviewer_option
@pass_app
def init(app: App, reviewer: str | None) -> None:
    """Preview what .aiwg/ would hold here; nothing that exists is overwritten, and repeating it is safe.

    Instruction files and other tools' memory that are already there are named, with what can be done with them. With
    --user-store it is your own store, outside every repository, for facts that are about you.
    """
    import os

    from aiwg_memory.workspace.beginning import beginning_notes, beginning_warning, init_request

    if app.user_store:
        from aiwg_memory.workspace.own import make_own_root

        make_own_root(app.environ)
    workspace = app.workspace
    warning = beginning_warning(workspace)
    if warning:
        app.warn(warning)
    # The workspace's identity is the one thing ever drawn at random, once.
    request = init_request(workspace, app.reviewer(reviewer), "ws_" + os.urandom(16).hex())
    propose(app, request, notes=beginning_notes(workspace))
