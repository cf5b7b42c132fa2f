"""The conversation: the only code that imports click, reads the environment, asks the time and prints."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """The ``aiwg-memory`` program."""
    # A command is over before it has made many cycles; looking for them is a twentieth of what it costs.
    gc.set_threshold(50_000)
    try:
        status = _status(sys.argv[1:])
    except KeyboardInterrupt:
        # Before the boundary is there to say it, or after it.
        os.write(2, b"interrupted; nothing is half-done\n")
        status = 130
    _end(status)


def _status(words: list[str]) -> int:
    if "--staged" in words:
        from aiwg_memory.cli.quick import run as quick

        status = quick(words)
        if status is not None:
            return status
    from aiwg_memory.cli.boundary import run

    return run(words)


def _end(status: int) -> None:
    """Leave without taking down what was built up: that is a tenth of the time, and nothing waits for it.

    What was printed was flushed where it was written, and a failure said there.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue
    os._exit(status)
