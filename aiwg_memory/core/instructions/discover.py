"""``discover(tree, target)``: one walk from the root to the target, every problem of it reported together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.content import Text, blank, prepare
from aiwg_memory.core.instructions.gather import Candidate, Gathered, gather, near_misses
from aiwg_memory.core.instructions.names import AGENTS, KIND_NAMES, OVERRIDE, Kind
from aiwg_memory.core.instructions.settled import Settled
from aiwg_memory.core.instructions.snapshot import Conflict, Ignored, Snapshot, Source
from aiwg_memory.core.instructions.targets import levels
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.screening import VERSION, Exemption
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, Refused, TooLarge

LIMITS: Mapping[str, int] = {"sources": 64, "source_bytes": 64 * 1024, "total_bytes": 256 * 1024, "depth": 32}
_IMPORTING = (Kind.AGENTS, Kind.CLAUDE, Kind.DOT_CLAUDE)


def discover(
    tree: Tree,
    target: str,
    *,
    loaded_at: str,
    limits: Mapping[str, int] = LIMITS,
    exceptions: Sequence[Exemption] = (),
) -> Snapshot:
    """The snapshot of ``target``. Limits may be tighter than LIMITS, in bytes and counts.

    ``exceptions`` are the workspace's recorded screening exceptions. Raises Refused with one finding per problem and
    nothing partial: escapes, links, special files, encodings, limits, a change during reading, a bad ignore file.
    """
    tree = Settled(tree)
    problems: list[Finding] = []
    name, found = levels(tree, target, problems, depth=limits["depth"])
    gathered = gather(tree, found, limits)
    gathered.findings += near_misses(tree, found)
    texts = _Texts(tree, gathered, limits, exceptions)
    texts.choose()
    gathered.problems += problems
    if not gathered.problems:
        _unmoved(gathered, gather(tree, found, limits))
    if gathered.problems:
        raise _refused(name, gathered.problems)
    sources = tuple(_source(number, each, text) for number, (each, text) in enumerate(texts.kept, 1))
    return Snapshot(
        target=name,
        sources=sources,
        ignored=tuple(sorted(gathered.ignored, key=lambda each: each.path)),
        conflicts=tuple(_conflicts(sources)),
        limits=dict(limits),
        screening=str(VERSION),
        tree=tree.identity,
        loaded_at=loaded_at,
        findings=tuple(sorted(set(gathered.findings))),
    )


def _refused(name: str, found: Sequence[Finding]) -> Refused:
    problems = sorted(set(found))
    return Refused(
        f"the instructions for {name} are refused: {len(problems)} problem{'s' if len(problems) > 1 else ''}",
        code="instructions",
        findings=problems,
        hint="nothing partial is delivered; each line above says the way out",
    )


def _unmoved(before: Gathered, after: Gathered) -> None:
    """What was looked up must still be there, and nothing else, now that it has been read."""
    then: dict[str, tuple[str, int]] = {each.path: (each.stamp, each.size) for each in before.candidates}
    now: dict[str, tuple[str, int]] = {each.path: (each.stamp, each.size) for each in after.candidates}
    moved = {path for path in then.keys() | now.keys() if then.get(path) != now.get(path)}
    moved |= {each.path for each in after.problems}
    moved |= {each.path for each in {*before.ignored} ^ {*after.ignored} if each.path not in then}
    before.problems += [
        Finding(path, 0, "changed", "changed while the instructions were read", hint="try again when nothing writes")
        for path in sorted(moved)
    ]


@dataclass
class _Texts:
    """Reads what was gathered, in order, and decides between an override and what it replaces."""

    tree: Tree
    gathered: Gathered
    limits: Mapping[str, int]
    exceptions: Sequence[Exemption]
    kept: list[tuple[Candidate, Text]] = field(default_factory=list)
    sources: int = 0
    total: int = 0

    def choose(self) -> None:
        """Beyond the number of sources nothing is opened: there may be thousands."""
        least = self._least()
        if least > self.limits["sources"]:
            self._too_many(least)
            return
        waiting: Candidate | None = None
        for each in self.gathered.candidates:
            name = each.path.name
            if name == OVERRIDE:
                waiting = each if self._take(each) else None
            elif name == AGENTS and waiting is not None and waiting.level == each.level:
                self.gathered.ignored.append(Ignored(each.path, "replaced by the override beside it", waiting.path))
                self._names_sibling(waiting)
            else:
                self._take(each)
        if self.sources > self.limits["sources"]:
            self._too_many(self.sources)
        if self.total > self.limits["total_bytes"]:
            message = f"the sources have {self.total} bytes together; at most {self.limits['total_bytes']}"
            self._problem(".", "total-too-large", message, "shorten them, or ignore what does not apply")

    def _least(self) -> int:
        """How many of the candidates are sources whatever they hold: an override may be blank, its sibling replaced."""
        return sum(each.path.name != OVERRIDE for each in self.gathered.candidates)

    def _take(self, each: Candidate) -> bool:
        """Read one candidate and keep it; False when it delivers nothing (a blank override, a problem)."""
        data = self._read(each.path)
        if data is None:
            return False
        if b"\0" in data:
            return self._problem(each.path, "nul-byte", "holds a NUL byte", "save it as UTF-8 text")
        try:
            raw = data.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"is not UTF-8: byte {error.start} is {data[error.start]:#04x}"
            return self._problem(each.path, "invalid-utf8", message, "save it as UTF-8")
        if blank(raw):
            if each.path.name == OVERRIDE:
                self.gathered.ignored.append(Ignored(each.path, "blank", ""))
                return False
            hint = "write it, remove it or ignore it"
            return self._problem(each.path, "empty", "is blank; only an override may be", hint)
        self.sources += 1
        self.total += len(data)
        text = prepare(each.path, raw, imports=each.kind in _IMPORTING, exceptions=self.exceptions)
        if text.generated:
            self.gathered.ignored.append(Ignored(each.path, "a block generated by this tool", ""))
        if not text.content:
            return False
        self.kept.append((each, text))
        return True

    def _read(self, path: RepoPath) -> bytes | None:
        at_most = self.limits["source_bytes"]
        try:
            return self.tree.read(path, limit=at_most)
        except TooLarge:
            hint = "shorten it or spread it over files; nothing is cut"
            self._problem(path, "source-too-large", f"has more than {at_most} bytes", hint)
        except AiwgError as error:
            self._problem(path, error.code, error.message, error.hint)
        return None

    def _names_sibling(self, override: Candidate) -> None:
        if self.kept and self.kept[-1][0] is override and AGENTS in self.kept[-1][1].content:
            self.gathered.findings.append(
                Finding(
                    override.path, 0, "override-names-sibling", f"mentions {AGENTS}, which it replaces as a whole",
                    "warning", "move what should stay into the override, or rename the override to AGENTS.md",
                )
            )  # fmt: skip

    def _too_many(self, count: int) -> None:
        message = f"{count} sources apply; at most {self.limits['sources']}"
        self._problem(".", "too-many-sources", message, "join some of them, or ignore what does not apply")

    def _problem(self, path: str, rule: str, message: str, hint: str = "") -> bool:
        self.gathered.problems.append(Finding(path, 0, rule, message, hint=hint))
        return False


def _source(ordinal: int, each: Candidate, text: Text) -> Source:
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
        content_sha256=short(digest(text.content.encode()), 64),
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
