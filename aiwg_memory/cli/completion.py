"""Shell completion: click's own script for each shell."""

from __future__ import annotations

import click

from aiwg_memory.cli.app import App, command, pass_app


@command(
    "completion",
    example='eval "$(aiwg-memory completion bash)"\naiwg-memory completion fish | source',
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@pass_app
def completion(app: App, shell: str) -> None:
    """Print the completion script of SHELL (bash, zsh or fish)."""
    from click.shell_completion import get_completion_class

    from aiwg_memory.cli.root import root

    found = get_completion_class(shell)
    assert found is not None
    script = found(root, {}, "aiwg-memory", "_AIWG_MEMORY_COMPLETE").source()
    app.emit({"shell": shell, "script": script}, script)
