"""From hits to candidates: what may be delivered, each claim once, and which of them disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from aiwg_memory.core.claims import LONGEST, normalised, opening, skeleton
from aiwg_memory.core.delivery import DeliveryPolicy, decide, labels
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.packs.request import PRECEDENCE, Given, PackRequest, section_of
from aiwg_memory.core.retrieval import Hit, Retriever

# More texts of one shape than this are a series (readings, log lines), not a disagreement.
_SIDES = 3
# What became of an item's sources: a reason to withhold it where the policy says so, and none.
_DOUBTS = ("source-changed", "source-vanished")
_LABELS = ("source-moved", "retained-after-revocation")
_HIT_CHARACTERS, _FEWEST_HITS, _MOST_HITS = 40, 64, 400


class Candidate(NamedTuple):
    """``rank`` None is what nobody searched for; ``sheds`` is the rank of what was given and may go."""

    item: MemoryItem
    section: str
    labels: tuple[str, ...]
    rank: int | None = None
    score: float | None = None
    matched: tuple[str, ...] = ()
    coverage: float = 1.0
    sheds: int | None = None


class Excluded(NamedTuple):
    """One considered item that is not in the pack, and the code of the rule that kept it out."""

    item: MemoryItem
    section: str
    code: str
    rank: int | None = None
    score: float | None = None

    def to_json(self) -> dict[str, Any]:
        item = self.item
        return {
            "handle": item.handle, "locator": item.locator, "digest": item.digest, "layer": item.layer,
            "section": self.section, "code": self.code, "rank": self.rank, "score": self.score,
        }  # fmt: skip


class Considered:
    """``first`` must be taken, ``optional`` is what was given and may be shed, ``found`` competes for the rest."""

    def __init__(self, excluded: list[Excluded]) -> None:
        self.excluded = excluded
        self.first: list[Candidate] = []
        self.optional: list[Candidate] = []
        self.found: list[Candidate] = []
        self.sides: dict[str, tuple[Candidate, ...]] = {}


def consider(
    retriever: Retriever,
    request: PackRequest,
    policy: DeliveryPolicy,
    given: Sequence[Given],
    current: Mapping[str, str],
) -> Considered:
    """Everything that was looked at, each item exactly once: as a candidate or as excluded.

    ``current`` maps a handle (that of a page stands for its passages) to what the workspace says about it now
    (``revoked``, ``forgotten``, ``source-changed``, …): it is excluded with that code, but for a changed or vanished
    source where the policy says label, for lines that only moved, and for what somebody retained.
    """
    judged = _Judge(request, policy, current)
    candidates = [judged.given(part) for part in given]
    if not request.options.incognito:
        always, waiting = judged.always(retriever.always())
        candidates += always
        taken = {candidate.item.handle for candidate in candidates}
        hits = retriever.search(request.task, limit=hit_limit(request), as_of=request.as_of)
        candidates += judged.hits(hit for hit in hits if hit.item.handle not in taken)
        met = {hit.item.handle for hit in hits}
        judged.excluded += [out for out in waiting if out.item.handle not in met]
    return _sorted_out(request, judged.excluded, _once(candidates, judged.excluded))


def hit_limit(request: PackRequest) -> int:
    """How many hits are worth looking at for a budget: one for every 40 characters it could hold, 64..400."""
    factor = 4 if request.budget.measure == "tokens" else 1
    return max(_FEWEST_HITS, min(_MOST_HITS, request.budget.total * factor // _HIT_CHARACTERS))


class _Judge:
    def __init__(self, request: PackRequest, policy: DeliveryPolicy, current: Mapping[str, str]) -> None:
        self.request, self.policy, self.current = request, policy, current
        self.excluded: list[Excluded] = []

    def given(self, part: Given) -> Candidate:
        return Candidate(part.item, part.section, part.labels, sheds=part.rank)

    def always(self, items: Iterable[MemoryItem]) -> tuple[list[Candidate], list[Excluded]]:
        taken, waiting = [], []
        for item in items:
            code = self._code(item, always=True)
            if code is None:
                taken.append(Candidate(item, "always", self._labels(item)))
            else:
                waiting.append(Excluded(item, "always", code))
        return taken, waiting

    def hits(self, hits: Iterable[Hit]) -> list[Candidate]:
        taken = []
        for hit in hits:
            item, section = hit.item, section_of(hit.item.layer)
            code = self._code(item, always=False)
            if code is not None:
                self.excluded.append(Excluded(item, section, code, hit.rank, hit.score))
                continue
            taken.append(
                Candidate(
                    item, section, self._labels(item),
                    hit.rank, hit.score, hit.matched, hit.coverage,
                )
            )  # fmt: skip
        return taken

    def _code(self, item: MemoryItem, *, always: bool) -> str | None:
        now = self.current.get(item.handle) or self.current.get(item.handle.partition("#")[0])
        if now and not (now in _LABELS or (now in _DOUBTS and self.policy.changed_source == "label")):
            return now
        request = self.request
        return decide(
            item, as_of=request.as_of, target=request.target, policy=self.policy, options=request.options, always=always
        )

    def _labels(self, item: MemoryItem) -> tuple[str, ...]:
        now = self.current.get(item.handle, "")
        return labels(item, self.request.as_of, now=now if now in (*_DOUBTS, *_LABELS) else "")


def _once(candidates: Sequence[Candidate], excluded: list[Excluded]) -> list[Candidate]:
    """Each handle and each claim once; the section of highest precedence keeps it, then the better rank."""
    order = {name: place for place, name in enumerate(PRECEDENCE)}
    opened = [(candidate, opening(candidate.item.text)) for candidate in candidates]
    openings = Counter(start for _, start in opened)
    handles: set[str] = set()
    claims: set[str] = set()
    kept = []
    for candidate, start in sorted(opened, key=lambda one: (order[one[0].section], one[0].rank or 0)):
        claim = normalised(candidate.item.text) if openings[start] > 1 else ""
        if candidate.item.handle in handles or claim in claims:
            excluded.append(
                Excluded(candidate.item, candidate.section, "duplicate-claim", candidate.rank, candidate.score)
            )
            continue
        handles.add(candidate.item.handle)
        if claim:
            claims.add(claim)
        kept.append(candidate)
    return kept


def _shape(text: str) -> str:
    return skeleton(normalised(text)) if len(text) <= LONGEST else ""


def _topics(item: MemoryItem) -> tuple[str, ...]:
    """What others may disagree with it about: the shape of its claim, and its key, whatever the scope."""
    key = item.handle.partition("@")[0] if section_of(item.layer) == "canonical" else ""
    return tuple(topic for topic in (_shape(item.text), key) if topic)


def _sorted_out(request: PackRequest, excluded: list[Excluded], kept: list[Candidate]) -> Considered:
    topics = {candidate.item.handle: _topics(candidate.item) for candidate in kept}
    relevant = {topic for one in kept if one.coverage >= request.floor for topic in topics[one.item.handle]}
    considered = Considered(excluded)
    alike: dict[str, list[Candidate]] = {}
    for one in kept:
        own = topics[one.item.handle]
        if one.coverage < request.floor and relevant.isdisjoint(own):
            excluded.append(Excluded(one.item, one.section, "below-floor", one.rank, one.score))
            continue
        for topic in own:
            alike.setdefault(topic, []).append(one)
        if one.rank is not None:
            considered.found.append(one)
        elif one.sheds is not None:
            considered.optional.append(one)
        else:
            considered.first.append(one)
    considered.sides = _sides(alike)
    return considered


def _sides(alike: Mapping[str, Sequence[Candidate]]) -> dict[str, tuple[Candidate, ...]]:
    """Who disagrees with whom, by handle; groups that share a side are one. A key's scopes are never a series."""
    sides: dict[str, tuple[Candidate, ...]] = {}
    for topic, group in alike.items():
        if len(group) < 2 or (len(group) > _SIDES and ":" not in topic):
            continue
        joined = {each.item.handle: each for one in group for each in sides.get(one.item.handle, (one,))}
        together = tuple(joined.values())
        sides.update((handle, together) for handle in joined)
    return sides
