"""Progress of what takes longer than a second, on standard error, when a person looks at it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiwg_memory.cli.app import App


@contextmanager
def progress(app: App, what: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with done and total; it shows nothing in the first second, or off a terminal."""
    began = time.monotonic()
    shown = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - began > 1 and now - shown > 0.1:
            shown = now
            sys.stderr.write(f"\r{what} {done}/{total}")
            sys.stderr.flush()

    quiet = app.quiet or app.json or sys.stderr is None or not sys.stderr.isatty()
    yield (lambda _done, _total: None) if quiet else tell
    if shown:
        sys.stderr.write("\r" + " " * 40 + "\r")
        sys.stderr.flush()
