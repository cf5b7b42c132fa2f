"""Candidates: proposals that are nothing yet. What one is, what its identity covers, and what may become of it.

A candidate is an assertion of some type with its evidence. Its id follows from these three alone, so the same proposal
is the same candidate on every branch; everything else a reviewer looks at is covered by its fingerprint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from aiwg_memory.core.canonical import digest, digest_json, short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath, join

if TYPE_CHECKING:
    from aiwg_memory.core.lineage import Part
    from aiwg_memory.core.maintenance import Step
    from aiwg_memory.core.operations import Plan, Request
    from aiwg_memory.core.tree import Tree

FOLDER = RepoPath(".aiwg/memory/candidates")
RECORDS = RepoPath(".aiwg/memory/candidates.d")
TYPES = (
    "decision", "requirement", "constraint", "preference", "task", "discovery", "fix", "failed-approach", "procedure",
    "risk", "contradiction", "question", "entity", "relationship",
)  # fmt: skip
STATES = ("pending", "accepted", "rejected", "deferred")
MAX_ASSERTION = 8192
MAX_PROPOSAL = 16 * 1024
MAX_PROPOSALS = 1000
NO_EVIDENCE = "no-evidence"
STORE_OFF = "store-off"
"""The lifecycle of what lies in a store that is switched off, whose name is the kind of it."""
_SESSION = re.compile(r"session:[A-Za-z0-9._-]{1,128}#[0-9]{1,9}\Z")

# What a decision makes of a candidate, and the states it takes. A closed one takes none.
DECISIONS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "accept": ("accepted", ("pending", "deferred")),
    "reject": ("rejected", ("pending", "deferred")),
    "defer": ("deferred", ("pending",)),
    "reopen": ("pending", ("accepted", "rejected", "deferred")),
    "close": ("accepted", ("accepted",)),
    "reclassify": ("", ("pending", "accepted", "deferred")),
    "share": ("pending", ("pending",)),
}
_KIND_OF = {
    "decision": "decision", "preference": "profile", "requirement": "standing", "constraint": "standing",
    "question": "note", "task": "note", "risk": "note",
}  # fmt: skip
_NARROW = {"private": 0, "unknown": 1, "internal": 2, "public": 3}
_FINGERPRINTED = (
    "handle", "digest", "confidence", "warnings", "dependencies", "proposed_by", "scope", "provenance",
    "classification", "parents",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """What a reference names in one tree. ``digests`` are those it may be cited by, the one to record first; none:
    nothing is left of it. ``kind`` is the layer, as in the leaves of a dependency envelope."""

    kind: str
    digests: tuple[str, ...] = ()
    lifecycle: str = "active"
    scope: str = "global"
    classification: str = "internal"
    dependencies: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Statement:
    """An accepted candidate on its way into one sink. ``target`` is what the person named behind the sink's name.

    ``acknowledged`` holds everything the reviewer acknowledged by name.
    """

    candidate: str
    type: str
    text: str
    sources: tuple[Mapping[str, Any], ...]
    provenance: str
    dependencies: Mapping[str, Any]
    scope: str
    classification: str
    target: str = ""
    acknowledged: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of memory item that a candidate of this type becomes."""
        return _KIND_OF.get(self.type, "fact")


def normalise(text: str) -> str:
    """The assertion as it is stored, without its final newline: LF, no white space at the end of a line or around it.

    Raises ValueError, in words, for nothing left, more than 8,192 characters, and control characters.
    """
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    plain = "\n".join(lines).strip()
    if not plain:
        raise ValueError("an assertion says something")
    if len(plain) > MAX_ASSERTION:
        raise ValueError(f"an assertion has at most {MAX_ASSERTION} characters; this one has {len(plain)}")
    if any((char < " " and char not in "\n\t") or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in plain):
        raise ValueError("an assertion holds no control characters")
    return plain


def text_digest(text: str) -> str:
    return digest(text.encode())


def sourced(evidence: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Evidence as it is stored: ``ref``, ``digest`` and ``span`` of each, each once, sorted, and the ``anchor`` of
    lines of a file of the project."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for one in evidence:
        cited = _cited(one)
        anchor = one.get("anchor")
        key = (cited["ref"], cited["digest"] or "", cited["span"] or "")
        found.setdefault(key, {**cited, "anchor": dict(anchor)} if isinstance(anchor, Mapping) else cited)
    return [found[key] for key in sorted(found)]


def _cited(one: Mapping[str, Any]) -> dict[str, Any]:
    return {"ref": one["ref"], "digest": one.get("digest"), "span": one.get("span")}


def candidate_id(kind: str, text: str, evidence: Iterable[Mapping[str, Any]]) -> str:
    """``cand_`` and 16 hex digits over type, digest of the assertion and evidence, but for its anchors."""
    return "cand_" + short(digest_json([kind, text, [_cited(one) for one in sourced(evidence)]]))


def record_id(value: Mapping[str, Any]) -> str:
    """The id that a record's own type, digest and evidence give."""
    return candidate_id(value["type"], value["digest"], value["evidence"])


def fingerprint(value: Mapping[str, Any]) -> str:
    """Digest of everything a reviewer is shown of a candidate, but its state and its history."""
    return digest_json({name: value.get(name) for name in _FINGERPRINTED if value.get(name) not in (None, "", [], {})})


def assertion_path(handle: str) -> RepoPath:
    return join(FOLDER, handle.removeprefix("cand_") + ".md")


def narrower(classifications: Iterable[str]) -> str:
    """The most restrictive of some classifications; internal for none; one nobody knows counts as private."""
    return min(classifications, key=lambda one: (_NARROW.get(one, 0), one), default="internal")


def is_session(ref: str) -> bool:
    """Whether a reference names an event of a session, ``session:<id>#41``."""
    return _SESSION.match(ref) is not None


def widens_classification(before: str, after: str) -> bool:
    return _NARROW.get(after, 0) > _NARROW.get(before, 0)


def widens_scope(before: str, after: str) -> bool:
    """Whether something of scope ``before`` would be met in more places under ``after``."""
    if before in (after, "global") or after == before.removesuffix("/"):
        return False
    if before.startswith("path:") and after.startswith("path:"):
        return not (after[5:].rstrip("/") + "/").startswith(before[5:].rstrip("/") + "/")
    return True


def leaf(kind: str, evidence: Mapping[str, Any], scope: str) -> dict[str, Any]:
    """One leaf of a dependency envelope for something that rests on a piece of evidence. Lines that are found again
    when their file changes are held by the citation alone: the leaf names the file."""
    stated = None if "anchor" in evidence else evidence["digest"]
    return {"kind": kind, "ref": evidence["ref"], "digest": stated, "scope": scope}


def grounds(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Everything a record rests on, ``ref`` and ``digest`` of each, ``span`` and ``anchor`` too of lines that are found
    again: its evidence and the leaves of its envelope."""
    envelope = value.get("dependencies")
    leaves = envelope.get("leaves") if isinstance(envelope, Mapping) else None
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in (*value.get("evidence", ()), *(leaves if isinstance(leaves, list) else ())):
        if isinstance(one, Mapping) and isinstance(one.get("ref"), str):
            stated = one.get("digest") if isinstance(one.get("digest"), str) else None
            lines = {"span": one.get("span"), "anchor": one["anchor"]} if isinstance(one.get("anchor"), Mapping) else {}
            found.setdefault((one["ref"], stated or ""), {"ref": one["ref"], "digest": stated, **lines})
    return [found[key] for key in sorted(found)]


class Fault(NamedTuple):
    """Why evidence does not hold now, and what to do."""

    rule: str
    message: str
    hint: str = "reject it, or propose it again with what is there now"


def ground_problem(ground: Mapping[str, Any], found: Standing | None) -> Fault | None:
    """The fault of what was cited and is gone, was withdrawn, is not what it was or cannot be looked at; else None."""
    ref = ground["ref"]
    if is_session(ref):
        said = f"{ref} is an event of a session; this version keeps no sessions, so nobody can look at it"
        return Fault("session-unavailable", said, "reject or defer it, or propose it again with evidence that is here")
    if found is not None and found.lifecycle == STORE_OFF:
        said = f"{ref} lies in {found.kind}, which is switched off, so nobody can look at it"
        return Fault(STORE_OFF, said, f"add {found.kind} to `addons` in .aiwg/config.yaml")
    if found is not None and found.lifecycle not in _STANDS:
        return Fault("evidence-ended", f"{ref} was {found.lifecycle.replace('_', ' ')}")
    if found is None or not found.digests:
        return Fault("evidence-vanished", f"{ref} is not there")
    if ground.get("digest") and ground["digest"] not in found.digests:
        return Fault("evidence-changed", f"{ref} is not what it was when it was cited")
    return None


_STANDS = ("active", "stale", "contradicted", "origin_unavailable")


@dataclass(frozen=True, slots=True)
class House:
    """What a plan may ask of the other addons, through whoever wires them: what a reference names in the tree that is
    planned against, and the parts of a promotion that the enabled sinks plan.

    ``takers`` plan what each sort of entry of another tool becomes, ``upkeep`` says what maintenance would do, by
    addon, ``planner`` is that of another addon's operation (None: no enabled addon knows it), ``undo`` plans the
    inverse of each addon's part of a receipt, ``findings`` is what check says of the tree today. ``parts`` are, by
    addon, what has a lineage there.
    """

    standing: Callable[[str], Standing | None]
    sinks: Mapping[str, Callable[[Tree, Request, Statement], Plan]] = field(default_factory=dict)
    takers: Mapping[str, Callable[[Tree, Request, Sequence[Any]], Plan]] = field(default_factory=dict)
    upkeep: Mapping[str, Callable[[Tree, Request], Iterable[Step]]] = field(default_factory=dict)
    planner: Callable[[str], Callable[[Tree, Request], Plan] | None] = lambda _: None
    undo: Callable[[Tree, Request], list[Plan]] = lambda _tree, _request: []
    findings: Callable[[], list[Finding]] = list
    parts: Mapping[str, Part] = field(default_factory=dict)
