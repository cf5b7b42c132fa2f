"""Where one plan about candidates is put together: what was shown, what becomes of it, and its assertion's file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from aiwg_memory.addons.compound_memory.candidates.store import SCHEMA, Store, assertion, read
from aiwg_memory.core.candidates import (
    RECORDS,
    House,
    assertion_path,
    candidate_id,
    fingerprint,
    grounds,
    normalise,
    record_id,
    sourced,
    text_digest,
)
from aiwg_memory.core.desk import Desk
from aiwg_memory.core.following import fault
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.core.tree import Tree


@dataclass(frozen=True, slots=True)
class Taken:
    """A candidate at the version that was shown. ``text`` is None where the assertion is gone."""

    heads: tuple[Version, ...]
    text: str | None
    recorded: bool

    @property
    def current(self) -> Version:
        return self.heads[0]


def first_version(request: Request, proposal: Mapping[str, Any], text: str) -> Version:
    """The record of a proposal that nothing was decided about: equal on every branch, but for who recorded it."""
    evidence = sourced(proposal.get("evidence", ()))
    said = text_digest(text)
    value = {
        "schema": SCHEMA,
        "handle": candidate_id(proposal["type"], said, evidence),
        "status": "pending",
        "seg": request.seg,
        "at": proposal.get("at", request.at),
        "type": proposal["type"],
        "digest": said,
        "evidence": evidence,
        "confidence": proposal.get("confidence"),
        "warnings": sorted(proposal.get("warnings", ())),
        "dependencies": dict(proposal.get("dependencies") or {"state": "unknown", "leaves": []}),
        "proposed_by": proposal.get("proposed_by", request.reviewer),
        "scope": proposal.get("scope", "global"),
        "provenance": proposal.get("provenance", "external"),
        "classification": proposal.get("classification", "internal"),
        "parents": sorted(proposal.get("parents", ())),
        "replacement": None,
        "reviewer": proposal.get("proposed_by", request.reviewer),
        "reason": "",
    }
    return succeed((), {**value, "fingerprint": fingerprint(value)})


class CandidateDesk(Desk):
    """Problems are collected, as at every desk; ``plan`` writes one segment with every version."""

    def __init__(self, tree: Tree, request: Request, *, needs: Iterable[str], takes: Iterable[str] = ()) -> None:
        super().__init__(tree, request, "candidate_request.v1", needs=needs, takes=takes)
        named = (*self.arguments.get("targets", ()), *filter(None, [self.arguments.get("target")]))
        self.store: Store = read(tree, [one["handle"] for one in named])
        self.written: list[Version] = []
        self.acknowledged = frozenset(self.arguments.get("acknowledged", ()))
        self.screen(self.arguments.get("reason", ""), RECORDS)

    def take(self, target: Mapping[str, Any]) -> Taken | None:
        """The candidate a target names, if it is still what was shown; None after noting why not."""
        handle = target["handle"]
        head = self.store.heads.get(handle)
        if head is None:
            return self._from_inbox(target)
        current = head.current
        if head.fork:
            self.wrong(
                "record-fork", f"{handle} was decided differently on two branches", "`candidates resolve` settles it"
            )
        elif current.newer:
            self.wrong("newer-schema", f"{handle} was last written by a newer tool", "upgrade aiwg-memory")
        elif current.version != target["expected"]:
            said = f"{handle} is at version {current.version} ({current.status}), not at {target['expected']}"
            self.wrong("wrong-version", said, "look at it again, then decide")
        elif record_id(current.value) != handle:
            self.refuse("forged-record", f"the record of {handle} is not what its handle stands for")
        elif fingerprint(current.value) != target["fingerprint"]:
            self.wrong("wrong-fingerprint", f"{handle} is not what was shown", "look at it again, then decide")
        else:
            return Taken(head.heads, assertion(self.tree, current), True)
        return None

    def _from_inbox(self, target: Mapping[str, Any]) -> Taken | None:
        handle, proposal = target["handle"], target.get("proposal")
        if proposal is None:
            self.wrong("not-found", f"there is no candidate {handle}", "`aiwg-memory review` shows what waits")
            return None
        try:
            text = normalise(proposal["assertion"])
        except ValueError as error:
            self.wrong("assertion", str(error))
            return None
        first = first_version(self.request, proposal, text)
        if first.handle != handle or target["expected"] != 1 or first.text("fingerprint") != target["fingerprint"]:
            self.wrong("wrong-fingerprint", f"{handle} is not what was shown", "look at it again, then decide")
            return None
        self.screen_candidate(first, text)
        self.written.append(first)
        return Taken((first,), text, False)

    def screen_candidate(self, version: Version, text: str) -> None:
        """Once more, whatever was screened when it was proposed: nothing tracked is written unscreened."""
        path = assertion_path(version.handle)
        self.screen(text, path)
        for stated in (
            version.text("proposed_by"),
            version.text("scope"),
            *(one["ref"] for one in version.list("evidence")),
        ):
            self.screen(stated, path, strict=True)

    def decide(self, taken: Taken, changes: Mapping[str, Any]) -> Version:
        """A new version over the one that was shown, by this request's reviewer."""
        request = self.request
        said = {"seg": request.seg, "at": request.at, "reviewer": request.reviewer}
        value = {**said, "reason": self.arguments.get("reason", ""), **changes}
        value["fingerprint"] = fingerprint({**taken.current.value, **value})
        made = succeed(taken.heads, value)
        self.written.append(made)
        self.subjects[made.handle] = None
        return made

    def keep(self, handle: str, text: str) -> None:
        self.draft.write(assertion_path(handle), text.encode() + b"\n")

    def drop(self, handle: str) -> None:
        entry = self.tree.stat(assertion_path(handle))
        if entry is not None and entry.kind == "file":
            self.draft.remove(assertion_path(handle))

    def grounded(self, version: Version, house: House) -> bool:
        """Whether everything the candidate rests on still is what was cited; what is not, refuses."""
        sound = True
        if version.object("dependencies").get("state") == "revoked":
            self.refuse("dependency-revoked", f"{version.handle} rests on a source that was revoked")
            sound = False
        for ground in grounds(version.value):
            problem = fault(self.tree, ground, house.standing)
            if problem is not None:
                self.refuse(problem.rule, f"{version.handle}: {problem.message}", problem.hint)
                sound = False
        if version.object("dependencies").get("state") == "unknown" and version.list("evidence"):
            self.conflicts.append(Note(version.handle, "what it rests on is not known in full"))
        return sound

    def acknowledge(self, names: Iterable[str], handle: str) -> None:
        """Refuse what the reviewer has not acknowledged by name."""
        missing = [name for name in dict.fromkeys(names) if name not in self.acknowledged]
        if missing:
            hint = "look at it, then " + " ".join(f"--acknowledge {name}" for name in missing)
            self.refuse("not-acknowledged", f"{handle}: {', '.join(missing)} must be acknowledged by name", hint)

    def plan(self, summary: str) -> Plan:
        if self.sound and self.subjects and self.written:
            kept = [version for version in self.written if version.handle in self.subjects]
            self.draft.write(RepoPath(f"{RECORDS}/{self.request.seg}.jsonl"), render_segment(kept))
        return super().plan(summary)
