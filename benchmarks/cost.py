"""What it costs, as ratios within one run: to a bare interpreter, to importing click, to `git status`."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from aiwg_memory.addons import BUILTIN, load
from aiwg_memory.index.search import Index
from aiwg_memory.worktree.read import WorkTree
from benchmarks.corpus import LINES, WIKI, own
from benchmarks.repository import committed
from benchmarks.timing import CLICK, best, paired, process

TODAY = "2026-01-01"
SHORT = "retry failed gateway call"
LONG = (
    "please look why the gateway service gives up so early when a call failed and how often the retry policy of the"
    " scheduler repeats it before the connection is closed"
)


def table(sizes: Sequence[int], seed: int) -> Iterator[str]:
    bare = process([sys.executable, "-c", "pass"])
    click = process(CLICK)
    yield f"A bare interpreter starts in {bare * 1000:.1f} ms; importing click takes {click / bare:.2f} times that."
    yield ""
    yield (
        "| store | units | index build, ms a unit | index, bytes a unit | context, cold × click | warm × click"
        " | no-change sync × git status | 4 words, ms | 20 words × 4 words |"
    )
    yield "|" + "---|" * 9
    for kind in ("lines", "pages"):
        for size in sizes:
            if kind == "lines" or size <= 10_000:
                with tempfile.TemporaryDirectory() as folder:
                    yield _row(kind, size, seed, Path(folder), click)


def _row(kind: str, size: int, seed: int, root: Path, click: float) -> str:
    _fill(kind, size, seed, root)
    committed(root)
    context = [str(Path(sys.executable).parent / "aiwg-memory"), "context", "--budget", "8000", "--", SHORT]
    addons = load(list(BUILTIN))
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        begun = time.process_time()
        report = index.sync(tree, addons, now=time.time())
        built = time.process_time() - begun
        bytes_a_unit = _index(root).stat().st_size / report.units
        time.sleep(2.1)  # Until then every file counts as changed just now.
        index.sync(tree, addons, now=time.time())
        unchanged = best(lambda: index.sync(tree, addons, now=time.time()))
        short = best(lambda: index.search(SHORT, limit=200, as_of=TODAY))
        long = best(lambda: index.search(LONG, limit=200, as_of=TODAY))
    status = process(["git", "-C", str(root), "status", "--porcelain"])
    warm = paired(context, CLICK, root)
    _index(root).unlink()
    cold = process(context, root, repeats=1)
    return (
        f"| {kind} | {report.units} | {built / report.units * 1000:.2f} | {bytes_a_unit:.0f} | {cold / click:.1f}"
        f" | {warm:.2f} | {unchanged / status:.2f} | {short * 1000:.1f} | {long / short:.2f} |"
    )


def _index(root: Path) -> Path:
    """The file of the index, whatever this machine called it."""
    return next((root / ".aiwg/.local").glob("index-*.sqlite"))


def _fill(kind: str, size: int, seed: int, root: Path) -> None:
    """``size`` lines or pages of sentences that occur in any order, each with a number of its own."""
    random = Random(seed)
    sentences = [question.evidence for question in own(seed).questions] + [
        question.text for question in own(seed).questions
    ]
    if kind == "lines":
        path = root / LINES
        path.parent.mkdir(parents=True)
        path.write_text("".join(f"{random.choice(sentences)} (ticket T{at})\n" for at in range(size)), "utf-8")
        return
    for at in range(size):
        path = root / WIKI / f"part-{at % 50}" / f"page-{at}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        sections = (f"## Part {part}\n\n{'. '.join(random.choices(sentences, k=6))}.\n" for part in (1, 2))
        path.write_text(f"# Page {at}\n\n" + "\n".join(sections), "utf-8")
