"""How long something takes: the fastest of a few runs, which a busy machine disturbs least."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

REPEATS = 9


def process(
    command: Sequence[str], directory: Path | None = None, *, repeats: int = REPEATS, accept: Sequence[int] = (0,)
) -> float:
    """Seconds from start to end. Raises RuntimeError for a status that is not in ``accept``."""

    def run() -> None:
        done = subprocess.run(command, cwd=directory, check=False, capture_output=True)
        if done.returncode not in accept:
            raise RuntimeError(f"{command}: {done.returncode}\n{done.stderr.decode()}")

    return best(run, repeats=repeats)


def best(work: Callable[[], object], *, repeats: int = REPEATS) -> float:
    """Seconds of the fastest run."""
    taken = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken)
