"""Proposing: anyone may, agents included. What is proposed is screened and bounded, and changes nothing by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.addons.compound_memory.candidates.desk import first_version
from aiwg_memory.addons.compound_memory.candidates.store import Store, read
from aiwg_memory.core.candidates import (
    NO_EVIDENCE,
    STORE_OFF,
    Standing,
    ground_problem,
    is_session,
    leaf,
    narrower,
    normalise,
    sourced,
    text_digest,
)
from aiwg_memory.core.dependencies import unite
from aiwg_memory.core.naming import names_alone
from aiwg_memory.core.operations import Request
from aiwg_memory.core.paths import parted
from aiwg_memory.core.schema import cheap
from aiwg_memory.core.screening import protected_source, screen
from aiwg_memory.errors import AiwgError, Refused, UsageError
from aiwg_memory.workspace.addons import PACKS, require
from aiwg_memory.workspace.composing import house
from aiwg_memory.workspace.inbox import names, put, take_out
from aiwg_memory.workspace.people import provenance
from aiwg_memory.workspace.sources import anchored_source, located, with_lines

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

Outcome = dict[str, Any]
_GIVEN = ("type", "assertion", "evidence", "confidence", "scope", "classification", "proposed_by", "dependencies")


def propose(workspace: Workspace, values: Sequence[Any], by: str, *, origin: str = "") -> list[Outcome]:
    """One outcome for each value: ``outcome`` is proposed, known, duplicate, rejected-before or refused, with a
    ``candidate_id`` where there is one and a ``message``. ``origin`` is the provenance, else who drives.

    Raises Refused when ``agents`` is off in the settings and an agent drives.
    """
    workspace.require_init()
    require(workspace.addons, PACKS, "nothing is proposed")
    _allowed(workspace)
    with workspace.journal.locked():
        store = read(workspace.tree)
        for handle in names(workspace):
            if handle in store.heads:
                take_out(workspace, handle)
        desk = _Counter(workspace, store, by, origin or provenance(workspace))
        return [desk.take(value) for value in values]


def _allowed(workspace: Workspace) -> None:
    from aiwg_memory.core.screening.reviewer import agent_driving

    if workspace.config.agents == "off" and agent_driving(workspace.environ):
        raise Refused("agents may not propose here: `agents` is off", code="agents-off", hint="a person may")


class _Counter:
    """Where proposals are taken in, one after the other, against one reading of the tree."""

    def __init__(self, workspace: Workspace, store: Store, by: str, origin: str) -> None:
        self._workspace = workspace
        self._store = store
        self._by = by
        self._origin = origin
        self._rejected = store.rejected()
        self._waiting = set(names(workspace))
        self._house = house(workspace, workspace.tree)
        config = workspace.config.screening
        self._exceptions = config

    def take(self, value: Any) -> Outcome:
        try:
            return self._take(value)
        except AiwgError as error:
            return {"outcome": "refused", "code": error.code, "message": error.message, "hint": error.hint}

    def _take(self, value: Any) -> Outcome:
        wrong = cheap("proposal.v1", value) or _foreign(value)
        if wrong:
            raise UsageError(f"this is no proposal: {wrong}", hint="`candidates propose --help` shows one")
        try:
            text = normalise(value["assertion"])
        except ValueError as error:
            raise UsageError(str(error), hint="say it in other words") from error
        if names_alone(text):
            hint = f"say in a sentence what is so; `--evidence {text}` is what it rests on"
            raise UsageError(f"{text} names something and says nothing: it is no proposal", hint=hint)
        evidence = [self._evidence(one) for one in value.get("evidence", ())]
        proposal = self._proposal(value, text, evidence)
        version = first_version(_request(self._workspace, proposal), proposal, text)
        handle = version.handle
        if handle in self._store.heads:
            status = self._store.heads[handle].current.status
            return {"outcome": "duplicate", "candidate_id": handle, "message": f"this candidate is {status} already"}
        if text_digest(text) in self._rejected:
            before = self._rejected[text_digest(text)]
            said = f"{before.handle} said this, and was rejected by {before.text('reviewer')} at {before.at}"
            return {"outcome": "rejected-before", "candidate_id": before.handle, "message": said}
        if handle in self._waiting:
            return {"outcome": "duplicate", "candidate_id": handle, "message": "this lies in the inbox already"}
        known, news = self._known(text, evidence)
        if known and not news:
            same = ", with this evidence" if evidence else ""
            return {"outcome": "known", "known_as": known, "message": f"already known as {known}{same}"}
        put(self._workspace, handle, proposal, len(self._waiting))
        self._waiting.add(handle)
        message = f"already known as {known}; promoting it adds the evidence" if known else "waits for a reviewer"
        return {
            "outcome": "proposed", "candidate_id": handle, "message": message, "warnings": proposal["warnings"],
            **({"known_as": known} if known else {}),
        }  # fmt: skip

    def _evidence(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What is cited, with the digest it has now; another one than was stated is refused."""
        ref, span = located(self._workspace, given["ref"], given.get("span"))
        if protected_source(parted(ref)[0]):
            raise Refused(f"{ref} may not be cited: it is a protected source", code="protected-source")
        if is_session(given["ref"]):
            return {"ref": given["ref"], "digest": given.get("digest"), "span": given.get("span")}
        found = self._house.standing(ref)
        if found is not None and found.lifecycle == STORE_OFF and (off := ground_problem({"ref": ref}, found)):
            raise UsageError(off.message, code=off.rule, hint=off.hint)
        if found is None or not found.digests:
            hint = "cite a handle, a raw copy, a registered output or a file, by its path from the root"
            raise UsageError(f"the evidence {ref} is not here", code="evidence-vanished", hint=hint)
        stated = given.get("digest")
        if found.kind in ("file", "raw") and (part := parted(ref)[1]) and self._house.standing(parted(ref)[0]):
            hint = f"name lines as {parted(ref)[0]}#L3-L9, or cite it as a whole"
            raise UsageError(f"#{part} names no lines of {parted(ref)[0]}", hint=hint)
        lines = anchored_source(self._workspace, {"ref": ref, "span": span}) if found.kind == "file" and span else None
        if stated and stated not in (*found.digests, (lines or {}).get("digest")):
            raise UsageError(f"{ref} is not what was cited", code="evidence-changed", hint="look at it again")
        return lines or with_lines(self._workspace, {"ref": ref, "digest": stated or found.digests[0], "span": span})

    def _proposal(self, value: Mapping[str, Any], text: str, evidence: list[dict[str, Any]]) -> dict[str, Any]:
        grounds = [(one, found) for one in evidence if (found := self._house.standing(one["ref"])) is not None]
        stated = [value["dependencies"]] if value.get("dependencies") else []
        named = value.get("proposed_by") or self._by
        proposal = {
            "schema": "aiwg.proposal.v1",
            "type": value["type"],
            "assertion": text,
            "evidence": sourced(evidence),
            "confidence": value.get("confidence"),
            "scope": value.get("scope", "global"),
            "classification": narrower(
                [value.get("classification", "internal"), *(found.classification for _, found in grounds)]
            ),
            "proposed_by": named,
            "provenance": self._origin,
            "at": self._workspace.now,
            "dependencies": unite([*_envelopes(evidence, grounds), *stated]) if grounds or stated else unite([None]),
        }
        return {**proposal, "warnings": self._warnings(proposal, text)}

    def _warnings(self, proposal: Mapping[str, Any], text: str) -> list[str]:
        """Rules to acknowledge by name. Raises Refused for what may not be stored at all."""
        found = screen(text, path="", exceptions=self._exceptions)
        for stated in (proposal["proposed_by"], proposal["scope"], *(one["ref"] for one in proposal["evidence"])):
            found += screen(stated, path="", strict=True, exceptions=self._exceptions)
        refused = [one for one in found if one.severity == "error"]
        if refused:
            raise Refused(refused[0].message, code="screening", hint=refused[0].hint, findings=refused)
        rules = {one.rule for one in found if one.severity == "warning"}
        return sorted(rules | (set() if proposal["evidence"] else {NO_EVIDENCE}))

    def _known(self, text: str, evidence: Sequence[Mapping[str, Any]]) -> tuple[str, bool]:
        """The fact that says this already, and whether some of the evidence is new to it."""
        from aiwg_memory.addons.line_memory.text import handle_of
        from aiwg_memory.addons.line_memory.text import normalise as fact_text

        try:
            handle = handle_of(fact_text(text, self._workspace.config.facts.max_characters))
        except ValueError:
            return "", False
        found = self._house.standing(handle)
        if found is None or not found.digests:
            return "", False
        cited = {(one.get("ref"), one.get("digest")) for one in _sources(self._workspace, handle)}
        return handle, any((one["ref"], one["digest"]) not in cited for one in evidence)


def _sources(workspace: Workspace, handle: str) -> tuple[Any, ...]:
    from aiwg_memory.addons.line_memory.store import read as facts

    head = facts(workspace.tree).heads.get(handle)
    return head.current.list("sources") if head else ()


def _envelopes(
    evidence: Sequence[Mapping[str, Any]], grounds: Sequence[tuple[Mapping[str, Any], Standing]]
) -> Iterator[Mapping[str, Any] | None]:
    """A piece of evidence is a leaf, and what it rests on itself is passed on; nobody knows that of a session."""
    if len(grounds) < len(evidence):
        yield None
    for one, found in grounds:
        yield {"state": "known", "leaves": [leaf(found.kind, one, found.scope)]}
        if found.dependencies:
            yield found.dependencies


def _foreign(value: Mapping[str, Any]) -> str:
    more = sorted(set(value) - set(_GIVEN))
    return f"/: nobody states {more[0]} of a proposal; it follows from the rest" if more else ""


def _request(workspace: Workspace, proposal: Mapping[str, Any]) -> Request:
    return Request("candidate.propose", {}, workspace.now, proposal["proposed_by"], workspace.config.workspace)
