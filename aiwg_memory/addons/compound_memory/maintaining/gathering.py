"""Gathering: the many small segments of a past month become one file. Lines move; none is dropped.

git takes a file that vanishes and one that appears with half of its lines for a rename, and two branches that rename
one file differently conflict. So no segment is gathered that makes up half of the result: then two branches may gather
the same month in their own ways, and still merge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aiwg_memory.core.maintenance import Step
from aiwg_memory.core.operations import Draft
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.records import SEGMENT_LIMIT, gather
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

HOMES = (RepoPath(".aiwg/memory"), RepoPath(".aiwg/wiki"))
"""Where stores keep their ``.d`` directories. Receipts and what is owed are found by their files' names, and stay."""
FEWEST = 3


def gatherable(tree: Tree, at: str, limit: int) -> Iterator[tuple[Step, tuple[RepoPath, ...]]]:
    """For each store and past month what would be gathered; at most ``limit`` segments, the oldest months first."""
    month = at[:4] + at[5:7]
    for home in HOMES:
        for entry in tree.list(home):
            if entry.kind != "dir" or not entry.name.endswith(".d"):
                continue
            folder = join(home, entry.name)
            for name, sizes in sorted(_months(tree, folder, month).items()):
                chosen = _balanced(sizes)[:limit]
                if len(chosen) < FEWEST or _lopsided(chosen):
                    continue
                limit -= len(chosen)
                said = f"{len(chosen)} segments of {name[:4]}-{name[4:]} become one file"
                yield Step("gather", f"{folder}/{name}", said, "", {}), tuple(path for _, path in chosen)


def _months(tree: Tree, folder: RepoPath, before: str) -> dict[str, list[tuple[int, RepoPath]]]:
    found: dict[str, list[tuple[int, RepoPath]]] = {}
    for entry in tree.list(folder):
        name = entry.name
        if entry.kind == "file" and name.endswith(".jsonl") and name[:6].isdecimal() and name[:6] < before:
            found.setdefault(name[:6], []).append((entry.size, join(folder, name)))
    return found


def _balanced(sizes: Sequence[tuple[int, RepoPath]]) -> list[tuple[int, RepoPath]]:
    """The smaller ones, by name, as long as they fit in one segment and none makes up half of them."""
    kept = sorted(sizes)
    total = sum(size for size, _ in kept)
    while kept and (2 * kept[-1][0] >= total or total > SEGMENT_LIMIT):
        total -= kept.pop()[0]
    return sorted(kept, key=lambda one: one[1])


def _lopsided(chosen: Sequence[tuple[int, RepoPath]]) -> bool:
    return 2 * max(size for size, _ in chosen) >= sum(size for size, _ in chosen)


def gathered(tree: Tree, draft: Draft, segments: Sequence[RepoPath]) -> str | None:
    """Draft the one file and the end of the others; None when that was done, else why it cannot be, in words; "" where
    they hold the same lines so often that one of them is half of the result."""
    data = {path: tree.read(path, limit=SEGMENT_LIMIT) for path in segments}
    try:
        name, merged = gather(data)
    except AiwgError as error:
        return error.message
    if any(2 * len(each) >= len(merged) for each in data.values()):
        return ""
    folder = segments[0].parent
    for path in segments:
        draft.remove(path)
    draft.write(join(folder, name), merged)
    return None
