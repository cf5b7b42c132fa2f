"""How long something takes, in processor time, user and system, of a process and what it starts: waiting is left out.

A busy machine disturbs that least. Where two commands are compared they run side by side.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

REPEATS = 9
PAIRS = 15
CLICK = [sys.executable, "-c", "import click"]
BARE = [sys.executable, "-c", "pass"]


def process(
    command: Sequence[str], directory: Path | None = None, *, repeats: int = REPEATS, accept: Sequence[int] = (0,)
) -> float:
    """Seconds of the fastest run. Raises RuntimeError for a status that is not in ``accept``."""
    return min(_once(command, directory, accept) for _ in range(repeats))


def paired(
    command: Sequence[str], other: Sequence[str], directory: Path, *, repeats: int = PAIRS, accept: Sequence[int] = (0,)
) -> float:
    """How many times the other command's time this one takes: the middle of the ratios of runs side by side."""
    return median(_once(command, directory, accept) / _once(other, directory, (0,)) for _ in range(repeats))


def best(work: Callable[[], object], *, repeats: int = REPEATS) -> float:
    """Seconds of this process in the fastest run."""
    taken = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def _once(command: Sequence[str], directory: Path | None, accept: Sequence[int]) -> float:
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=directory, check=False, capture_output=True, env=environ)
    after = getrusage(RUSAGE_CHILDREN)
    if done.returncode not in accept:
        raise RuntimeError(f"{command}: {done.returncode}\n{done.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
