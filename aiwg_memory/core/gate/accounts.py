"""Whether receipts account for a change: from what was there, step by step, to what is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from aiwg_memory.core.config import Config
from aiwg_memory.core.findings import Finding, Severity
from aiwg_memory.core.focus import holding, phrase
from aiwg_memory.core.gate.change import Change, is_segment, kept
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.receipts import Receipt, adopts, parse_receipts, saying_yes
from aiwg_memory.core.screening.reviewer import reviewer_problem
from aiwg_memory.core.stored import RECEIPTS

ANY = "any"
"""What an adoption of this change goes on from: it is the yes to what a person wrote there, over whatever it was."""

Steps = Mapping[str, set[tuple[str | None, str | None]]]


class Accounts(NamedTuple):
    """``findings`` about receipts and files, and the touched paths that receipts lead to."""

    findings: tuple[Finding, ...]
    accounted: frozenset[RepoPath]


def accounts(change: Change, gate: Config) -> Accounts:
    """``gate`` are the settings that decide: those of the base, so that a change cannot loosen them for itself.

    A file is accounted for when receipts lead from its bytes in ``base`` to its bytes in ``head``. Receipts of the
    change come first; older ones are searched only for what those leave open.
    """
    severity: Severity = "error" if gate.receipts == "required" else "warning"
    findings = list(_changed_receipts(change))
    added: list[Receipt] = []
    for path in change.files():
        if path.under(RECEIPTS):
            receipts, broken = parse_receipts(path, change.data(path))
            findings += broken
            findings += [finding for one in receipts for finding in _receipt(path, one, gate, severity)]
            added += receipts
    open_paths = [path for path in change.paths if kept(path)]
    named = {RepoPath(one["path"]) for receipt in added for one in receipt["changes"] if kept(one["path"])}
    left = list(_unaccounted(change, {*open_paths, *named}, _steps(added)))
    if left:
        left = list(_unaccounted(change, left, _steps(added, _older(change, left))))
    findings += [finding for path in left for finding in _said(change, path, severity)]
    return Accounts(tuple(findings), frozenset(open_paths) - set(left))


def _changed_receipts(change: Change) -> Iterator[Finding]:
    for each in change.touched:
        if each.path.startswith(RECEIPTS + "/") and each.before is not None:
            gone = each.after is None
            if not gone and change.digest(RepoPath(each.path)) == change.digest(RepoPath(each.path), was=True):
                continue
            message = f"a receipt was {'taken out' if gone else 'rewritten'}; what was confirmed stays as it was"
            yield Finding(each.path, 0, "receipt-changed", message, hint="bring it back from git")


def _receipt(path: RepoPath, receipt: Receipt, gate: Config, severity: Severity) -> Iterator[Finding]:
    for name in dict.fromkeys((receipt["reviewer"], str(receipt.get("delivered_by") or receipt["reviewer"]))):
        problem = reviewer_problem(name, gate.reviewers)
        if problem:
            yield Finding(path, 1, "reviewer", problem, severity, "let an allowed person confirm it")
    if gate.workspace and receipt["workspace"] != gate.workspace:
        message = f"the receipt is of the workspace {receipt['workspace'][:80]}, not of this one"
        yield Finding(path, 1, "foreign-receipt", message, "warning", "a store is not copied from another project")
    stem = receipt["seg"] + (f"-{receipt['sink']}" if receipt["sink"] else "")
    if path.name != f"{stem}.jsonl":
        message = f"the receipt is of the operation {stem[:80]}, which is not the name of its file"
        yield Finding(path, 1, "receipt", message, hint="a receipt lies where it was written")


def _steps(added: Sequence[Receipt], older: Sequence[Receipt] = ()) -> dict[str, set[tuple[str | None, str | None]]]:
    steps: dict[str, set[tuple[str | None, str | None]]] = {}
    for at, receipt in enumerate((*added, *older)):
        for each in receipt["changes"]:
            before = ANY if at < len(added) and adopts(receipt) else each["before"]
            steps.setdefault(each["path"], set()).add((before, each["after"]))
    return steps


def _unaccounted(change: Change, paths: Iterable[RepoPath], steps: Steps) -> Iterator[RepoPath]:
    for path in sorted(paths):
        if not _leads(steps.get(path, set()), change.digest(path, was=True), change.digest(path)):
            yield path


def _leads(steps: set[tuple[str | None, str | None]], start: str | None, end: str | None) -> bool:
    """Whether steps go from ``start`` to ``end``; where the two are one, whether none leaves or one comes back."""
    reached: set[str | None] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        for before, after in steps:
            if before in (here, ANY) and after not in reached:
                reached.add(after)
                waiting.append(after)
    return end in reached or (start == end and not reached)


def _older(change: Change, paths: Sequence[RepoPath]) -> list[Receipt]:
    """Receipts that were there before, for who commits them apart from what they account for."""
    names = [found for path in paths if (found := phrase(path))]
    receipts: list[Receipt] = []
    for path in holding(change.head, RECEIPTS, names):
        receipts += parse_receipts(path, change.data(path))[0]
    return receipts


def _said(change: Change, path: RepoPath, severity: Severity) -> Iterator[Finding]:
    now, was = change.digest(path), change.digest(path, was=True)
    if is_segment(path) and was is not None:
        what = "taken out" if now is None else "rewritten"
        hint = "bring it back from git; records are ended by new ones"
        yield Finding(path, 0, "segment-edited", f"a file of records was {what}, and no receipt says why", hint=hint)
        return
    message = "no receipt accounts for this change" if now else "it was deleted, and no receipt says so"
    yield Finding(path, 0, "unreviewed", message, severity, saying_yes(path))
