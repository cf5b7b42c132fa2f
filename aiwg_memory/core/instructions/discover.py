"""``discover(tree, target)``: one walk from the root to the target, every problem of it reported together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.gather import Candidate, Gathered, gather, near_misses
from aiwg_memory.core.instructions.ignoring import IgnoreFile, load_ignore
from aiwg_memory.core.instructions.names import AGENTS, IGNORE_FILE, KIND_NAMES, OVERRIDE, Kind
from aiwg_memory.core.instructions.reading import Read, Reader
from aiwg_memory.core.instructions.settled import Settled
from aiwg_memory.core.instructions.snapshot import Conflict, Ignored, Snapshot, Source
from aiwg_memory.core.instructions.targets import Known, levels
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.screening.kinds import VERSION
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused

if TYPE_CHECKING:
    from aiwg_memory.core.findings import ScreeningException

LIMITS: Mapping[str, int] = {"sources": 64, "source_bytes": 64 * 1024, "total_bytes": 256 * 1024, "depth": 32}


def discover(
    tree: Tree,
    target: str,
    *,
    loaded_at: str,
    limits: Mapping[str, int] = LIMITS,
    exceptions: Sequence[ScreeningException] = (),
) -> Snapshot:
    """The snapshot of ``target``; a change of any file of it while it was read is refused too."""
    discovery = Discovery(tree, limits=limits, exceptions=exceptions)
    snapshot = discovery.snapshot(target, loaded_at=loaded_at)
    moved = discovery.moved()
    if moved:
        raise refused(snapshot.target, moved)
    return snapshot


class Discovery:
    """Snapshots of several targets of one tree: what they share is looked up, read and screened once.

    Limits may be tighter than LIMITS, in bytes and counts. ``exceptions`` are the recorded screening exceptions.
    """

    def __init__(
        self, tree: Tree, *, limits: Mapping[str, int] = LIMITS, exceptions: Sequence[ScreeningException] = ()
    ) -> None:
        self.tree = Settled(tree)
        self.limits = limits
        self._problems: list[Finding] = []
        self._ignore: IgnoreFile | None = None
        self._known: Known = {}
        self._levels: dict[RepoPath | None, Gathered] = {}
        self._choices: dict[tuple[RepoPath | None, ...], _Chosen] = {}
        self._reader = Reader(self.tree, limits["source_bytes"], exceptions)

    @property
    def ignore(self) -> IgnoreFile:
        if self._ignore is None:
            self._ignore = load_ignore(self.tree, self._problems)
        return self._ignore

    def level(self, level: RepoPath | None) -> Gathered:
        """What lies at one level, the root being None."""
        if level not in self._levels:
            self._levels[level] = self._gather(level)
        return self._levels[level]

    def _gather(self, level: RepoPath | None) -> Gathered:
        return gather(self.tree, self.ignore, level, len(level.parts) if level else 0, self.limits["depth"])

    def spare(self, confirmed: Iterable[str]) -> None:
        """Do not screen again what these screening rules left as it is when a person confirmed it (plain digests)."""
        self._reader.confirmed.update(confirmed)

    def read(self, candidate: Candidate) -> Read:
        return self._reader.read(candidate)

    def snapshot(self, target: str, *, loaded_at: str) -> Snapshot:
        """Raises Refused with one finding per problem and nothing partial.

        Problems are escapes, links, special files, encodings, limits, a file that keeps changing, a bad ignore file.
        """
        name, found, chosen = self._chosen(target)
        sources = chosen.sources
        gathered = [self.level(level) for level in found]
        ignored = [each for level in gathered for each in level.ignored] + chosen.ignored
        if self.ignore.present:
            ignored.append(Ignored(IGNORE_FILE, "control file", ""))
        findings = {each for level in found for each in self._near_misses(level)} | set(chosen.findings)
        return Snapshot(
            target=name,
            sources=sources,
            ignored=tuple(sorted(ignored, key=lambda each: each.path)),
            conflicts=tuple(_conflicts(sources)),
            limits=dict(self.limits),
            screening=str(VERSION),
            tree=self.tree.identity,
            loaded_at=loaded_at,
            findings=tuple(sorted(findings)),
        )

    def sources(self, target: str) -> tuple[Source, ...]:
        """The sources of its snapshot alone, for whoever only compares. Raises as ``snapshot``."""
        return self._chosen(target)[2].sources

    def crowded(self, target: str) -> bool:
        """Whether its candidates may be more than the limits allow, by their sizes alone; nothing is opened."""
        found = levels(self.tree, target, [], depth=self.limits["depth"], known=self._known)[1]
        sizes = [candidate.size for level in found for candidate in self.level(level).candidates]
        return len(sizes) > self.limits["sources"] or sum(sizes) > self.limits["total_bytes"]

    def _chosen(self, target: str) -> tuple[str, tuple[RepoPath | None, ...], _Chosen]:
        problems: list[Finding] = []
        name, found = levels(self.tree, target, problems, depth=self.limits["depth"], known=self._known)
        chosen = self._choice(found)
        problems += chosen.problems + self._problems
        if problems:
            raise refused(name, problems)
        return name, found, chosen

    def _choice(self, found: tuple[RepoPath | None, ...]) -> _Chosen:
        """Of one chain, for however many targets it is the way to."""
        if found not in self._choices:
            gathered = [self.level(level) for level in found]
            chosen = _Chosen(self, [problem for each in gathered for problem in each.problems])
            chosen.choose([candidate for each in gathered for candidate in each.candidates])
            self._choices[found] = chosen
        return self._choices[found]

    def _near_misses(self, level: RepoPath | None) -> list[Finding]:
        found = self.level(level)
        if found.findings is None:
            found.findings = [each for each in near_misses(self.tree, level) if not self.ignore.matches(each.path)]
        return found.findings + found.misnamed

    def moved(self) -> list[Finding]:
        """What is not as it was when it was looked up: every level is looked at once more."""
        problems: list[Finding] = []
        ignore = load_ignore(self.tree, problems)
        moved = {each.path for each in problems}
        if ignore.patterns != self.ignore.patterns:
            moved.add(IGNORE_FILE)
        for level, before in self._levels.items():
            moved |= _differing(before, self._gather(level))
        hint = "try again when nothing writes here"
        return [Finding(path, 0, "changed", "changed while it was read", hint=hint) for path in sorted(moved)]


def refused(name: str, found: Sequence[Finding]) -> Refused:
    problems = sorted(set(found))
    return Refused(
        f"the instructions for {name} are refused: {len(problems)} problem{'s' if len(problems) > 1 else ''}",
        code="instructions",
        findings=problems,
        hint="nothing partial is delivered; each line above says the way out",
    )


def _differing(before: Gathered, after: Gathered) -> set[str]:
    then: dict[str, tuple[str, int]] = {each.path: (each.stamp, each.size) for each in before.candidates}
    now: dict[str, tuple[str, int]] = {each.path: (each.stamp, each.size) for each in after.candidates}
    moved = {path for path in then.keys() | now.keys() if then.get(path) != now.get(path)}
    moved |= {each.path for each in after.problems}
    return moved | {each.path for each in {*before.ignored} ^ {*after.ignored}}


class _Chosen:
    """The texts of one target, in order: decides between an override and what it replaces, and holds the limits."""

    def __init__(self, discovery: Discovery, problems: list[Finding]) -> None:
        self.discovery, self.problems = discovery, problems
        self.kept: list[tuple[Candidate, Read]] = []
        self.ignored: list[Ignored] = []
        self.findings: list[Finding] = []

    def choose(self, candidates: Sequence[Candidate]) -> None:
        """Beyond the number of sources nothing is opened: there may be thousands."""
        # Sources whatever they hold: an override may be blank, its sibling replaced, never both.
        least = sum(each.path.name != OVERRIDE for each in candidates)
        if least > self.discovery.limits["sources"]:
            self._too_many(least)
            return
        waiting: Candidate | None = None
        count = total = 0
        for each in candidates:
            if each.path.name == AGENTS and waiting is not None and waiting.level == each.level:
                self.ignored.append(Ignored(each.path, "replaced by the override beside it", waiting.path))
                self._names_sibling(waiting)
                continue
            counts, taken = self._take(each)
            waiting = each if each.path.name == OVERRIDE and taken else None
            count += counts
            total += each.size * counts
        if count > self.discovery.limits["sources"]:
            self._too_many(count)
        if total > self.discovery.limits["total_bytes"]:
            message = f"the sources have {total} bytes together; at most {self.discovery.limits['total_bytes']}"
            hint = "shorten them, or ignore what does not apply"
            self.problems.append(Finding(".", 0, "total-too-large", message, hint=hint))

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        return tuple(_source(number, each, read) for number, (each, read) in enumerate(self.kept, 1))

    def _take(self, each: Candidate) -> tuple[bool, bool]:
        """Whether a candidate counts against the limits, and whether it delivers something."""
        read = self.discovery.read(each)
        if read.problem is not None:
            self.problems.append(read.problem)
            return True, False
        if read.text is None:
            self.ignored.append(Ignored(each.path, "blank", ""))
            return False, False
        if read.text.generated:
            self.ignored.append(Ignored(each.path, "a block generated by this tool", ""))
        if not read.text.content:
            # No source carries what is to be said of it.
            self.findings += read.text.findings + each.findings
            return True, False
        self.kept.append((each, read))
        return True, True

    def _names_sibling(self, override: Candidate) -> None:
        last, read = self.kept[-1]
        if last is override and read.text is not None and AGENTS in read.text.content:
            self.findings.append(
                Finding(
                    override.path, 0, "override-names-sibling", f"mentions {AGENTS}, which it replaces as a whole",
                    "warning", "move what should stay into the override, or rename the override to AGENTS.md",
                )
            )  # fmt: skip

    def _too_many(self, count: int) -> None:
        message = f"{count} sources apply; at most {self.discovery.limits['sources']}"
        hint = "join some of them, or ignore what does not apply"
        self.problems.append(Finding(".", 0, "too-many-sources", message, hint=hint))


def _source(ordinal: int, each: Candidate, read: Read) -> Source:
    text = read.text
    assert text is not None
    scope = each.level or "."
    place = "the workspace root" if each.level is None else f"{each.level}/"
    return Source(
        ordinal=ordinal,
        path=each.path,
        kind=each.kind,
        scope=scope,
        depth=each.depth,
        # 64 sources at most apply, so a level's rules never reach the next level's thousand.
        precedence=each.depth * 1000 + each.kind * 100 + each.order,
        content=text.content,
        content_sha256=text.content_sha256,
        plain_sha256=text.plain_sha256,
        size=each.size,
        why_effective=f"{KIND_NAMES[each.kind]} file of {place}, level {each.depth} on the way to the target",
        redacted=text.redacted,
        findings=text.findings + each.findings,
        numbers=text.numbers,
    )


def _conflicts(sources: tuple[Source, ...]) -> Iterator[Conflict]:
    """For each kind (and each rule of one name) at neighbouring levels that have it."""
    last: dict[tuple[Kind, str], Source] = {}
    for source in sources:
        inside = source.path.removeprefix(f"{source.scope}/") if source.kind is Kind.RULE else ""
        lower = last.get((source.kind, inside))
        if lower is not None:
            yield Conflict(lower.path, source.path, f"both stay; {source.path} is nearer and wins where they disagree")
        last[(source.kind, inside)] = source
