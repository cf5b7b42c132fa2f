"""What the loop costs on stores of thousands of candidates, receipts and facts, as ratios to importing click.

Two shapes: one segment an operation, as work leaves them, and gathered by the month, as `maintain` does. Receipts stay
one file an operation in both.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from aiwg_memory.addons.compound_memory.candidates.deciding import decide
from aiwg_memory.addons.compound_memory.candidates.desk import first_version
from aiwg_memory.addons.line_memory.adding import add
from aiwg_memory.core.candidates import TYPES
from aiwg_memory.core.operations import Plan, Request, receipt, receipt_bytes, receipt_path
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import gather
from aiwg_memory.core.tree import MemoryTree
from benchmarks.repository import committed
from benchmarks.timing import CLICK, paired

MINUTE = 60
BEGUN = 1_767_225_600
"""2026-01-01T00:00:00Z, the time of the first operation; one a minute follows."""
PERSON = "Ada Lovelace <ada@example.com>"
HOME = "ws_0123456789abcdef"
COMMANDS = (("status",), ("review",), ("candidates", "list"), ("receipts", "list"), ("facts", "list"))


def table(sizes: Sequence[int]) -> Iterator[str]:
    yield "Processor time in multiples of `import click`, each beside a run of it."
    yield ""
    yield "| store | segments | " + " | ".join(" ".join(words) for words in COMMANDS) + " | git status | first status |"
    yield "|" + "---|" * (len(COMMANDS) + 4)
    for make, name in ((_shared, "candidates, receipts"), (_added, "facts, receipts")):
        for size in sizes:
            for gathered in (False, True):
                with tempfile.TemporaryDirectory() as folder:
                    root = Path(folder)
                    fill(root, size, make, gathered=gathered)
                    yield f"| {size} {name} | {'gathered' if gathered else 'one each'} | {_cells(root)} |"


def _cells(root: Path) -> str:
    committed(root)
    time.sleep(2.1)  # Until then every file counts as changed just now.
    tool = str(Path(sys.executable).parent / "aiwg-memory")
    first = paired([tool, "status"], CLICK, root, repeats=1)
    commands = [*([tool, *words] for words in COMMANDS), ["git", "-C", str(root), "status", "--porcelain"]]
    return " | ".join(f"{each:.2f}" for each in (*(paired(command, CLICK, root) for command in commands), first))


def fill(root: Path, size: int, make: Callable[[int], Plan], *, gathered: bool) -> None:
    """``size`` pending candidates that were shared, or as many facts, with the receipt of each."""
    files: dict[RepoPath, bytes] = {
        RepoPath(".aiwg/config.yaml"): f"schema: aiwg.config.v1\nworkspace: {HOME}\n".encode(),
        RepoPath(".aiwg/.gitignore"): b".local/\n",
    }
    for at in range(size):
        plan = make(at)
        files.update((change.path, change.after) for change in plan.changes if change.after is not None)
        told = receipt(plan, confirmed_at=plan.request.at, git_head=None)
        files[receipt_path(plan.request.seg)] = receipt_bytes(told)
    for path, data in _gathered(files).items() if gathered else files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


def _shared(at: int) -> Plan:
    text = f"Step {at} of the migration keeps its own list of tables, number {at * 7919 % 9973}"
    proposal = {
        "type": TYPES[at % len(TYPES)],
        "assertion": text,
        "at": _time(at),
        "proposed_by": PERSON,
        "warnings": ["no-evidence"],
    }
    first = first_version(Request("candidate.propose", {}, _time(at), PERSON, HOME), proposal, text)
    target = {
        "handle": first.handle, "expected": 1, "fingerprint": first.text("fingerprint"), "proposal": proposal,
    }  # fmt: skip
    return decide(MemoryTree({}), Request("candidate.share", {"targets": [target]}, _time(at), PERSON, HOME))


def _added(at: int) -> Plan:
    text = f"Table {at} of the ledger is read by service {at * 31 % 997}"
    arguments = {"texts": [text], "provenance": "operator"}
    return add(MemoryTree({}), Request("line-memory.add", arguments, _time(at), PERSON, HOME))


def _gathered(files: dict[RepoPath, bytes]) -> dict[RepoPath, bytes]:
    """The same lines in one segment a store and month."""
    kept: dict[RepoPath, bytes] = {}
    months: dict[tuple[str, str], dict[RepoPath, bytes]] = {}
    for path, data in files.items():
        folder = str(path.parent or "")
        if folder.endswith(".d") and folder != ".aiwg/receipts.d":
            months.setdefault((folder, path.name[:6]), {})[path] = data
        else:
            kept[path] = data
    for (folder, _), segments in months.items():
        name, data = gather(segments)
        kept[RepoPath(f"{folder}/{name}")] = data
    return kept


def _time(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(BEGUN + MINUTE * at))
