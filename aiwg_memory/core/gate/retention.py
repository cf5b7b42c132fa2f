"""What a change makes vanish without a word: no tombstone, no successor, no receipt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.gate.change import Change
from aiwg_memory.core.items import Fragment
from aiwg_memory.core.paths import RepoPath


def vanished(
    change: Change,
    before: Mapping[RepoPath, Fragment],
    after: Iterable[Fragment],
    accounted: frozenset[RepoPath],
) -> Iterator[Finding]:
    """``before`` is what the touched files held, ``after`` all that can be seen now; handles of passages count as
    their page's. A fact typed by hand that nobody ever gave a record may go with a warning.
    """
    known: set[str] = set()
    for fragment in after:
        known.update(whole_handle(unit.handle) for unit in fragment.units)
        known.update(version.handle for version in fragment.versions)
    texts = {change.digest(path) for path in change.files()}
    for path, fragment in before.items():
        if path in accounted or change.digest(path, was=True) in texts:
            continue
        for handle, typed in _handles(fragment).items():
            if handle not in known:
                yield Finding(
                    path,
                    0,
                    "handle-vanished",
                    f"{handle} is gone, and no record or receipt says what became of it",
                    "warning" if typed else "error",
                    "end it by a command (archive, remove, supersede), which leaves a record",
                )


def _handles(fragment: Fragment) -> dict[str, bool]:
    return {whole_handle(unit.handle): bool(unit.attributes.get("unrecorded")) for unit in fragment.units}


def whole_handle(handle: str) -> str:
    return handle.partition("#")[0]
