"""What instructions cost: 40 files in five levels, 200 pins, one file edited and staged. Ratios within one run."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from aiwg_memory.addons.instructions.asking import discovery
from aiwg_memory.addons.instructions.pinning import pin
from aiwg_memory.core.operations import Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.worktree.read import WorkTree
from benchmarks.repository import committed, git
from benchmarks.timing import CLICK, paired

REPEATS = 15
PINS = 200
_OFTEN = 20
AT = "2026-01-31T08:00:00Z"
ROOT = "AGENTS.md"
LEAF = "a/part00/part00/part00/AGENTS.md"
CONFIG = "schema: aiwg.config.v1\nworkspace: ws_0123456789abcdef0123456789abcdef\n"
_PROSE = (
    "Run the tests of what you touched before you say that it works. Name things by what they are to the person who "
    "reads them, and write down why a rule is there where it is not plain from the code.\n"
)


def table() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        fill(root)
        yield "| what | × `import click`, processor time |"
        yield "|---|---|"
        for name, path in (("nothing of it", "README.md"), ("one leaf", LEAF), ("the root file", ROOT)):
            _stage(root, path)
            ratio = _paired(root, "check", "--staged")
            yield f"| `check --staged`, {PINS} pins and 40 files, {name} staged | {ratio:.2f} |"
            git(root, "reset", "-q", "--hard")
        shown = _paired(root, "instructions", "show", LEAF)
        yield f"| `instructions show`, five levels | {shown:.2f} |"
        yield ""
        yield f"Reading the files of five levels by descriptors takes {_reading(root):.2f} × a plain read of them."


def files() -> dict[str, bytes]:
    """Forty instruction files in a tree of five levels, three of them at the root."""
    names = ["AGENTS.md", "CLAUDE.md", ".aiwg/rules/style.md", *(f"{folder}/AGENTS.md" for folder in folders())]
    return {name: f"# {name}\n\n{_PROSE * 8}".encode() for name in names}


def folders() -> list[str]:
    """3, 6, 12 and 16 of them at the second to the fifth level."""
    found = [["a", "b", "c"]]
    for count in (6, 12, 16):
        found.append([f"{found[-1][number % len(found[-1])]}/part{number:02}" for number in range(count)])
    return [folder for level in found for folder in level]


def targets() -> list[str]:
    """One pin each: the directories that have a file, then modules in the deepest."""
    found = folders()
    return found + [f"{found[-1 - number % 16]}/module{number:03}.py" for number in range(PINS - len(found))]


def fill(root: Path) -> None:
    """A committed workspace with everything pinned as it is on disk."""
    content: dict[str, bytes] = {**files(), ".aiwg/config.yaml": CONFIG.encode(), "README.md": b"# Ours\n"}
    content |= _pinned(content)
    for path, data in content.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    committed(root)


def _pinned(content: Mapping[str, bytes]) -> dict[str, bytes]:
    tree = MemoryTree(content)
    live = discovery(tree)
    found: dict[str, bytes] = {}
    for target in targets():
        arguments = {"target": target, "pinned": "", "live": live.snapshot(target, loaded_at=AT).fingerprint}
        plan = pin(tree, Request("instructions.pin", arguments, AT, "Ada <ada@example.org>", "ws_" + "0" * 32))
        found |= {change.path: change.after for change in plan.changes if change.after is not None}
    return found


def _stage(root: Path, path: str) -> None:
    with (root / path).open("a") as file:
        file.write("One more line.\n")
    git(root, "add", path)


def _paired(root: Path, *arguments: str) -> float:
    """Of a check that may find something: exit 1."""
    command = [str(Path(sys.executable).parent / "aiwg-memory"), *arguments]
    return paired(command, CLICK, root, accept=(0, 1))


def _reading(root: Path) -> float:
    """All instruction files through a door that follows no link, by a plain open."""
    names = [RepoPath(name) for name in files()]
    plain = [str(root / name) for name in names]
    ratios = []
    for _ in range(REPEATS):
        begun = time.process_time()
        for _ in range(_OFTEN):
            with WorkTree(str(root)) as tree:
                for name in names:
                    tree.read(name, limit=1 << 16)
        between = time.process_time()
        for _ in range(_OFTEN):
            for place in plain:
                with open(place, "rb") as file:
                    file.read()
        ratios.append((between - begun) / (time.process_time() - between))
    return median(ratios)
