"""The conversation: the only code that imports click, reads the environment, asks the time and prints."""

from __future__ import annotations

import sys


def main() -> None:
    """The ``aiwg-memory`` program."""
    from aiwg_memory.cli.boundary import run

    sys.exit(run(sys.argv[1:]))
