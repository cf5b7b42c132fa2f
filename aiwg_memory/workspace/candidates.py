"""Candidates as a person looks at them: the queue, one of them, and the arguments of a decision."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.compound_memory.candidates.catalogue import PART, record, state_of, taking
from aiwg_memory.addons.compound_memory.candidates.store import Store, assertion, read
from aiwg_memory.core.candidates import assertion_path, fingerprint, is_session
from aiwg_memory.core.canonical import short
from aiwg_memory.core.catalogue import Query, ask
from aiwg_memory.core.counting import few
from aiwg_memory.core.records import Version
from aiwg_memory.errors import NotFound, StalePreview, UsageError
from aiwg_memory.workspace import inbox
from aiwg_memory.workspace.addons import PACKS, require

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

Row = dict[str, Any]
_SHOWN = (
    "type", "evidence", "confidence", "warnings", "dependencies", "proposed_by", "scope", "classification",
    "provenance", "at", "parents",
)  # fmt: skip


def candidate_rows(
    workspace: Workspace, states: Sequence[str], limit: int, kind: str | None = None
) -> tuple[list[Row], int]:
    """The first ``limit`` candidates in one of ``states`` by time and id, and how many there are. Only the texts of
    those are read."""
    waiting = inbox.names(workspace) if "pending" in states else []
    answer = ask(workspace.kept, PART, Query(taking(states, kind), limit, among=waiting))
    ours, count = _proposed(workspace, answer.known, limit, kind) if waiting else ([], 0)
    found: list[tuple[Version, list[str], dict[str, Any] | None]] = [
        *((record(row), list(row.value["fork"]), None) for row in answer.rows),
        *((version, [], proposal) for version, proposal in ours),
    ]
    found.sort(key=lambda one: (one[0].at, one[0].handle))
    return [_row(workspace, *one) for one in found[:limit]], answer.total + count


def _proposed(
    workspace: Workspace, shared: Collection[str], limit: int, kind: str | None
) -> tuple[list[tuple[Version, dict[str, Any]]], int]:
    """The first proposals of the inbox that are not among the ``shared``, and how many there are."""
    query = Query(lambda label: not kind or label == kind, limit + len(shared))
    answer = ask(workspace.kept, inbox.PART, query)
    again = [one for one in (_waiting(workspace, handle) for handle in sorted(shared)) if one]
    page = [row.handle for row in answer.rows if row.handle not in shared][:limit]
    found = [one for one in (_waiting(workspace, handle) for handle in page) if one]
    return found, answer.total - sum(not kind or version.text("type") == kind for version, _ in again)


def _waiting(workspace: Workspace, handle: str) -> tuple[Version, dict[str, Any]] | None:
    """The first version of a proposal in the inbox; None for a file that is not the proposal it is named as."""
    proposal = inbox.load(workspace, handle)
    if proposal is None:
        return None
    from aiwg_memory.addons.compound_memory.candidates.desk import first_version
    from aiwg_memory.core.operations import Request

    by = proposal.get("proposed_by", "someone")
    request = Request("candidate.propose", {}, workspace.now, by, workspace.config.workspace)
    first = first_version(request, proposal, proposal["assertion"])
    return (first, proposal) if first.handle == handle else None


def _row(workspace: Workspace, version: Version, fork: list[str], proposal: Mapping[str, Any] | None) -> Row:
    text = proposal["assertion"] if proposal else assertion(workspace.tree, version)
    return {
        "candidate_id": version.handle,
        "version": version.version,
        "fingerprint": fingerprint(version.value),
        "state": state_of(version),
        "assertion": text,
        **{name: version.value.get(name) for name in _SHOWN},
        "lines": [_lines(workspace, one) for one in version.list("evidence") if "anchor" in one],
        "unreviewable": [one["ref"] for one in version.list("evidence") if is_session(one["ref"])],
        "where": "inbox" if proposal else "shared",
        "fork": fork,
    }


def _lines(workspace: Workspace, cited: Mapping[str, Any]) -> dict[str, Any]:
    """Whether cited lines of a file stand: verified, moved (``now`` says where), or gone."""
    from aiwg_memory.core.anchors import GONE, Found
    from aiwg_memory.core.citations import found_in

    found = found_in(workspace.tree, cited) or Found(GONE)
    return {"ref": cited["ref"], "span": cited["span"], "state": found.state, "now": found.span}


def lines_stand(row: Row, cited: Mapping[str, Any]) -> str:
    """How the lines of a file that a piece of evidence cites stand now; "" where it cites none that are followed."""
    for one in row["lines"]:
        if (one["ref"], one["span"]) == (cited["ref"], cited["span"]):
            return f"moved to {one['now']}" if one["state"] == "moved" else str(one["state"])
    return ""


def shown_id(row: Row) -> str:
    """What a decision names: id, version and the first 12 digits of the fingerprint."""
    return f"{row['candidate_id']}@{row['version']}:{short(row['fingerprint'], 12)}"


def find_row(workspace: Workspace, name: str) -> Row:
    """The candidate that ``name`` means: its id or a beginning of it, with or without ``@version:fingerprint``.

    Raises NotFound, UsageError (fits several), StalePreview when it is not at that version any more.
    """
    return _named(workspace, read(workspace.tree, [name.partition("@")[0]]), name)


def _named(workspace: Workspace, store: Store, name: str) -> Row:
    prefix, mark, shown = name.partition("@")
    known = {*store.heads, *inbox.names(workspace)}
    found = [prefix] if prefix in known else sorted(one for one in known if one.startswith(prefix) and len(prefix) >= 9)
    if not found:
        raise NotFound(f"there is no candidate {prefix}", hint="`aiwg-memory review` shows what waits")
    if len(found) > 1:
        raise UsageError(f"{prefix} fits {len(found)} candidates: {few(found)}", hint="give more digits")
    row = _found(workspace, store, found[0])
    if mark:
        version, _, digits = shown.partition(":")
        if version != str(row["version"]) or not short(row["fingerprint"], 64).startswith(digits or "-"):
            raise StalePreview(
                f"{found[0]} is at {shown_id(row).partition('@')[2]} ({row['state']}), not at {shown}",
                hint=f"`aiwg-memory candidates show {found[0]}` shows it as it is; then decide",
                code="stale-candidate",
            )
    return row


def _found(workspace: Workspace, store: Store, handle: str) -> Row:
    head = store.heads.get(handle)
    if head is not None:
        return _row(workspace, head.current, [one.digest for one in head.fork], None)
    waiting = _waiting(workspace, handle)
    if waiting is None:
        raise NotFound(f"the proposal {handle} cannot be read", hint="propose it again")
    return _row(workspace, waiting[0], [], waiting[1])


def target(workspace: Workspace, row: Row) -> dict[str, Any]:
    """What a request says of a candidate: exactly what was shown, and the proposal where no record is kept yet."""
    expected: Any = sorted(row["fork"]) if row["fork"] else row["version"]
    made = {"handle": row["candidate_id"], "expected": expected, "fingerprint": row["fingerprint"]}
    proposal = inbox.load(workspace, row["candidate_id"]) if row["where"] == "inbox" else None
    return {**made, "proposal": proposal} if proposal else made


def decision_arguments(
    workspace: Workspace, name: str, ids: Sequence[str], reason: str, acknowledged: Sequence[str] = ()
) -> dict[str, Any]:
    require(workspace.addons, PACKS, "nothing is decided")
    store = read(workspace.tree, [one.partition("@")[0] for one in ids])
    rows = [_named(workspace, store, each) for each in dict.fromkeys(ids)]
    arguments: dict[str, Any] = {"targets": [target(workspace, row) for row in rows]}
    arguments |= {"reason": reason} if reason else {}
    arguments |= {"acknowledged": sorted(set(acknowledged))} if acknowledged else {}
    if name == "reopen":
        lost = [row["candidate_id"] for row in rows if row["assertion"] is None]
        texts = [text for handle in lost if (text := lost_text(workspace, handle)) is not None]
        arguments |= {"texts": texts} if texts else {}
    return arguments


def lost_text(workspace: Workspace, handle: str) -> str | None:
    """The assertion of a candidate whose file is gone: from an undo copy, else from git."""
    from aiwg_memory.workspace.undo import last_bytes

    data = next(last_bytes(workspace, assertion_path(handle)), None)
    return data.decode("utf-8", "replace").removesuffix("\n") if data is not None else None


def resolution_arguments(workspace: Workspace, name: str, keep: str, reason: str) -> dict[str, Any]:
    row = find_row(workspace, name)
    found = [one for one in row["fork"] if one.removeprefix("sha256:").startswith(keep.removeprefix("sha256:"))]
    if len(found) != 1:
        listed = ", ".join(one[7:19] for one in row["fork"]) or "none: it is no fork"
        raise UsageError(f"--keep {keep} names no single version of {name}", hint=f"its versions are {listed}")
    made: dict[str, Any] = {"target": target(workspace, row), "keep": found[0]}
    text = lost_text(workspace, row["candidate_id"]) if row["assertion"] is None else None
    return made | ({"texts": [text]} if text else {}) | ({"reason": reason} if reason else {})


def promotion_arguments(
    workspace: Workspace, name: str, places: Sequence[str], options: Mapping[str, Any]
) -> dict[str, Any]:
    """``places`` are ``sink`` or ``sink:target``; ``options`` scope, classification, reason, acknowledged."""
    require(workspace.addons, PACKS, "nothing is promoted")
    to = [{"sink": place.partition(":")[0], "target": place.partition(":")[2]} for place in places]
    said = {key: value for key, value in options.items() if value}
    if "acknowledged" in said:
        said["acknowledged"] = sorted(set(said["acknowledged"]))
    return {"target": target(workspace, find_row(workspace, name)), "to": to, **said}


def candidate_history(workspace: Workspace, name: str) -> dict[str, Any]:
    """One candidate, every version of its record, and what became of it where it was promoted."""
    store = read(workspace.tree, [name.partition("@")[0]])
    row = _named(workspace, store, name)
    versions = [one for one in store.versions if one.handle == row["candidate_id"]]
    ordered = sorted(versions, key=lambda one: (one.version, one.at))
    return {
        "candidate": row,
        "versions": [{**one.value, "version_digest": one.digest} for one in ordered],
        "promotions": destinations(workspace, row["candidate_id"]),
    }


def evidence_states(workspace: Workspace, row: Row) -> list[str]:
    """How each piece of a candidate's evidence stands: there, what became of its lines, or why it does not hold."""
    from aiwg_memory.core.following import fault
    from aiwg_memory.workspace.composing import standing

    look = standing(workspace, workspace.tree)
    found = []
    for one in row["evidence"]:
        lines = lines_stand(row, one)
        problem = fault(workspace.tree, one, look)
        if lines and (not problem or problem.rule == "evidence-changed"):
            found.append(lines)
        else:
            found.append(problem.rule.removeprefix("evidence-") if problem else "there")
    return found


def destinations(workspace: Workspace, handle: str) -> list[dict[str, Any]]:
    """Where a candidate was promoted to, and what the destination is now: a promotion is what its destination is."""
    from aiwg_memory.addons.compound_memory.candidates.promoted import promotions
    from aiwg_memory.workspace.composing import standing

    look = standing(workspace, workspace.tree)
    found = []
    for receipt in promotions(workspace.tree, handle):
        for subject in receipt["subjects"]:
            if subject == handle:
                continue
            now = look(subject)
            state = now.lifecycle if now and (now.digests or now.lifecycle != "active") else "gone"
            seg = f"{receipt['seg']}-{receipt['sink']}"
            found.append({"sink": receipt["sink"], "handle": subject, "state": state, "receipt": seg})
    return found


def batch_arguments(
    workspace: Workspace, rows: Sequence[Row], entries: Sequence[Mapping[str, Any]], acknowledged: Sequence[str],
    reason: str,
) -> dict[str, Any]:  # fmt: skip
    """The request of an edited sheet: each entry at the versions that the sheet showed."""
    from aiwg_memory.workspace.people import provenance

    known = {row["candidate_id"]: row for row in rows}
    batch = [{**entry, "from": [target(workspace, known[handle]) for handle in entry["from"]]} for entry in entries]
    made: dict[str, Any] = {"batch": batch, "provenance": provenance(workspace)}
    made |= {"acknowledged": sorted(set(acknowledged))} if acknowledged else {}
    return made | ({"reason": reason} if reason else {})
