"""Receipts as they are read: lines in any order, repeated, unknown fields kept; and whether they account for files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from aiwg_memory.core.canonical import named
from aiwg_memory.core.counting import few
from aiwg_memory.core.findings import Finding, Severity
from aiwg_memory.core.paths import RepoPath, join, path_problem
from aiwg_memory.core.stored import MAX_FILE, RECEIPTS, current_digest
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import NotFound, UsageError

Receipt = dict[str, Any]

_TEXTS = ("operation_id", "request_id", "seg", "kind", "workspace", "reviewer", "previewed_at", "confirmed_at", "sink")


def parse_receipts(path: str, data: bytes) -> tuple[list[Receipt], list[Finding]]:
    """The receipts of one file, each once, and a finding for every line that is none."""
    import json

    from aiwg_memory.core.records import read_line

    receipts: list[Receipt] = []
    findings = []
    seen: set[str] = set()
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        value, wrong = read_line(line)
        problem = f"this line is no receipt: {wrong}" if wrong else _problem(value)
        if problem:
            findings.append(Finding(path, number, "receipt", problem))
        elif (said := json.dumps(value, sort_keys=True)) not in seen:
            seen.add(said)
            receipts.append(value)
    return receipts, findings


def read_receipts(tree: Tree) -> tuple[list[Receipt], list[Finding]]:
    """Every receipt of the tree, the last confirmed first, and what cannot be read as one."""
    receipts: list[Receipt] = []
    findings: list[Finding] = []
    for name in _names(tree):
        path = join(RECEIPTS, name)
        found, problems = parse_receipts(path, tree.read(path, limit=MAX_FILE))
        receipts += found
        findings += problems
    return newest_first(receipts), findings


def newest_first(receipts: Iterable[Receipt]) -> list[Receipt]:
    return sorted(receipts, key=lambda each: (each["confirmed_at"], each["seg"], each["sink"]), reverse=True)


def read_receipt(tree: Tree, path: RepoPath) -> Receipt | None:
    """The first receipt of one file; None when there is none."""
    try:
        found, _ = parse_receipts(path, tree.read(path, limit=MAX_FILE))
    except NotFound:
        return None
    return found[0] if found else None


def find_receipt(tree: Tree, prefix: str) -> Receipt:
    """The one whose file's name is or unambiguously begins with ``prefix``, or the one of that operation (``op_…``).

    Raises NotFound, UsageError (several; the hint lists at most five).
    """
    prefix = prefix.rpartition("/")[2].removesuffix(".jsonl")
    if prefix.startswith("op_"):
        return _found(find_operation(tree, prefix), prefix)
    names = [name.removesuffix(".jsonl") for name in _names(tree)]
    found = [name for name in names if name == prefix] or [name for name in names if name.startswith(prefix)]
    if len(found) > 1:
        raise UsageError(f"{prefix!r} fits {len(found)} receipts", hint=f"such as {few(found[::-1])}")
    return _found(read_receipt(tree, join(RECEIPTS, f"{found[0]}.jsonl")) if found else None, prefix)


def _found(receipt: Receipt | None, prefix: str) -> Receipt:
    if receipt is None:
        raise NotFound(f"there is no receipt {prefix!r}", hint="`aiwg-memory receipts list` shows them")
    return receipt


def find_operation(tree: Tree, prefix: str) -> Receipt | None:
    """The newest receipt of the operation whose id is or begins with ``prefix``, with or without ``op_``.

    Raises UsageError when several operations do.
    """
    wanted = "op_" + prefix.removeprefix("op_")
    found = [receipt for receipt in read_receipts(tree)[0] if receipt["operation_id"].startswith(wanted)]
    operations = sorted({receipt["operation_id"] for receipt in found})
    if len(operations) > 1:
        raise UsageError(f"{prefix} fits {len(operations)} operations: {few([each[:23] for each in operations])}")
    return found[0] if found else None


def last_receipt_for(tree: Tree, path: str) -> Receipt | None:
    """The receipt that left ``path`` as it is; the newest that names it when none did. Of one second, that decides."""
    naming = [
        (receipt, change["after"])
        for receipt in read_receipts(tree)[0]
        for change in receipt["changes"]
        if change["path"] == path
    ]
    now = current_digest(tree, RepoPath(path)) if naming else None
    return next((receipt for receipt, after in naming if after == now), naming[0][0] if naming else None)


def latest_of_kind(tree: Tree, kind: str) -> Receipt | None:
    """The receipt of that kind with the latest preview; files are looked at from the newest on."""
    for name in reversed(_names(tree)):
        found = read_receipt(tree, join(RECEIPTS, name))
        if found is not None and found["kind"] == kind:
            return found
    return None


def verify(
    tree: Tree, receipts: Sequence[Receipt], paths: Iterable[RepoPath], *, severity: Severity = "warning"
) -> Iterator[Finding]:
    """Whether receipts account for each of ``paths`` as it is: what one left is what the next found, to the end.

    Files a person edited, and files no receipt names, are findings of ``severity``. Cost: one pass over the receipts
    and one digest per path.
    """
    chains: dict[str, Counter[tuple[str | None, str | None]]] = {}
    by_hand: dict[str, set[str | None]] = {}
    for receipt in {(each["operation_id"], each["sink"]): each for each in receipts}.values():
        for change in receipt["changes"]:
            chains.setdefault(change["path"], Counter())[change["before"], change["after"]] += 1
            if adopts(receipt):
                by_hand.setdefault(change["path"], set()).add(change["before"])
    for path in sorted(set(paths)):
        message = _gap(chains.get(path), current_digest(tree, path), by_hand.get(path, set()))
        if message:
            # A receipt that is there said yes to the file as it stands; only a person can tell what was between two.
            hint = _IN_REVIEW if current_digest(tree, path) in _afters(chains.get(path, ())) else saying_yes(path)
            yield Finding(path, 0, "unreviewed", message, severity, hint)


def changed_paths(receipts: Iterable[Receipt]) -> list[RepoPath]:
    """Every path that a receipt names, sorted."""
    return sorted({RepoPath(change["path"]) for receipt in receipts for change in receipt["changes"]})


_IN_REVIEW = "preview and confirm changes, or say why in review"


def saying_yes(path: RepoPath) -> str:
    """How a person says yes to a file that was written by hand."""
    if path.startswith(".aiwg/wiki/") and path.endswith(".md") and not path.startswith(".aiwg/wiki/raw/"):
        return "`wiki confirm` says yes to the page as it stands; else say why in review"
    if path.startswith(".aiwg/memory/facts/") or path == ".aiwg/memory/line-memory.txt":
        return "`facts adopt` says yes to what was typed; else say why in review"
    return _IN_REVIEW


def _afters(chain: Iterable[tuple[str | None, str | None]]) -> set[str | None]:
    return {after for _, after in chain}


def adopts(receipt: Receipt) -> bool:
    """Whether it says yes to what was written by hand: what it found needs no receipt before it.

    The verdict on a page is one too: it is about the page as it stands, whoever wrote it.
    """
    return str(receipt["kind"]).endswith((".adopt", "wiki.confirm"))


def _gap(
    chain: Counter[tuple[str | None, str | None]] | None, current: str | None, by_hand: Collection[str | None]
) -> str:
    """Steps that follow each other are one walk from the first to the last version; what sticks out is unaccounted.

    What was found ``by_hand`` and adopted goes on from one of the versions that were left.
    """
    if chain is None:
        return "" if current is None else "no receipt names this file"
    balance: Counter[str | None] = Counter()
    for (before, after), count in chain.items():
        balance[before] -= count
        balance[after] += count
    befores = {before for before, _ in chain}
    afters = {after for _, after in chain}
    starts = [each for each in befores if balance[each] < 0 and each is not None and each in befores - afters]
    ends = sorted((each for each in afters if balance[each] > 0 and each != current), key=str)
    ends = ends[len(set(starts).intersection(by_hand)) :]
    starts = [each for each in starts if each not in by_hand]
    if current not in afters:
        return f"it changed since its last receipt: it is {named(current) if current else 'gone'}"
    if ends and starts:
        return f"it changed between receipts: {_some(ends)} was left, {_some(starts)} was found"
    if ends:
        return f"two receipts continue from one version: {_some(ends)} was left, and is not what is there"
    return ""


def _some(versions: Iterable[str | None]) -> str:
    return min(named(version) for version in versions)


def _names(tree: Tree) -> list[str]:
    return [entry.name for entry in tree.list(RECEIPTS) if entry.kind == "file" and entry.name.endswith(".jsonl")]


def _problem(value: Any) -> str:
    if not isinstance(value, dict):
        return "a receipt is a JSON object"
    if value.get("schema") != "aiwg.receipt.v1":
        return "it is no receipt of a version known here: schema must be aiwg.receipt.v1"
    missing = [key for key in _TEXTS if not isinstance(value.get(key), str)]
    if missing:
        return f"{', '.join(missing)} must be text"
    changes = value.get("changes")
    if not isinstance(changes, list) or not all(_is_change(change) for change in changes):
        return "changes must list path, before and after"
    return ""


def _is_change(change: Any) -> bool:
    if not isinstance(change, Mapping) or not isinstance(change.get("path"), str):
        return False
    versions = (change.get("before"), change.get("after"))
    return path_problem(change["path"]) is None and all(each is None or isinstance(each, str) for each in versions)
