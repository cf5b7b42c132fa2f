"""What is wrong with pins, with the trees they were taken of, and with instruction files wherever they lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from aiwg_memory.addons.instructions.asking import discovery
from aiwg_memory.addons.instructions.store import OBJECTS, History, Pin, read_all, source_of
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.findings import Finding, Severity
from aiwg_memory.core.instructions.agents import AGENTS, EVERY_FOLDER, OWN_RULES, Rules
from aiwg_memory.core.instructions.compare import Chain, Shelf, view
from aiwg_memory.core.instructions.content import references
from aiwg_memory.core.instructions.discover import Discovery
from aiwg_memory.core.instructions.drift import drift
from aiwg_memory.core.instructions.matching import front_matter
from aiwg_memory.core.instructions.settled import inside
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.screening.kinds import VERSION
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError

_RETURN = "take it back from git: pins and their texts are never edited"
_AT = "1970-01-01T00:00:00Z"


def check(head: Tree, base: Tree | None) -> Iterable[Finding]:
    """Every pin of ``head``, and, where ``base`` is given, that no revision of it vanished or was changed."""
    yield from pins(discovery(head), head)
    if base is not None:
        yield from rewritten(head, base)


def pins(found: Discovery, head: Tree) -> Iterator[Finding]:
    """Drift that nobody confirmed, forks, broken manifests, texts that are gone or not what their name says."""
    problems: list[Finding] = []
    wanted: set[str] = set()
    refusals: dict[str, Finding] = {}
    histories = list(read_all(head, problems, last=True))
    found.spare(_confirmed(histories))
    for history in histories:
        current = history.current
        if len(history.heads) > 1:
            yield _fork(history)
        if current is not None:
            wanted |= {each["content_sha256"] for each in current.value["sources"]}
            yield from _drifted(found, current, refusals)
    yield from problems
    yield from refusals.values()
    yield from _objects(head, wanted)


def _confirmed(histories: Iterable[History]) -> Iterator[str]:
    for history in histories:
        pin = history.current
        if pin is not None and pin.screening == str(VERSION):
            yield from (each["plain_sha256"] for each in pin.value["sources"] if not each["redacted"])


def _fork(history: History) -> Finding:
    named = " and ".join(each.fingerprint[:12] for each in history.heads)
    message = f"revision {history.last} of {history.target} was confirmed twice, as {named}: neither is delivered"
    hint = f"look at what is right and pin it: aiwg-memory instructions pin {history.target}"
    return Finding(history.heads[0].path, 0, "pin-fork", message, hint=hint)


def _drifted(found: Discovery, pin: Pin, refusals: dict[str, Finding]) -> Iterator[Finding]:
    hint = f"aiwg-memory instructions diff {pin.target}, then pin it again or take the change back"
    try:
        live = found.sources(pin.target)
    except AiwgError as error:
        yield Finding(pin.path, 0, "pin-stale", f"{pin.handle} is stale: {error.message}", hint=hint)
        refusals.update((f"{each.path}:{each.rule}", _copy(each)) for each in error.findings)
        return
    pinned = [source_of(each, "") for each in pin.value["sources"]]
    moved = drift(pinned, live, limits=pin.value["limits"] != found.limits)
    if moved:
        yield Finding(pin.path, 0, "pin-stale", f"{pin.handle} is stale: {moved.sentence()}", hint=hint)


def _copy(problem: object) -> Finding:
    assert isinstance(problem, Finding)
    return problem


def _objects(head: Tree, wanted: set[str]) -> Iterator[Finding]:
    """Texts of the pins in force are read; of those of history it is enough that they are there."""
    there = {entry.name: entry for entry in head.list(OBJECTS)} if wanted else {}
    for name in sorted(wanted):
        path = join(OBJECTS, name)
        if name not in there:
            yield Finding(path, 0, "pin-text", "is gone: a pinned text", hint=_RETURN)
            continue
        try:
            data = head.read(path, limit=1 << 20)
        except AiwgError as error:
            yield Finding(path, 0, error.code, error.message, hint=error.hint)
            continue
        if short(digest(data), 64) != name:
            yield Finding(path, 0, "pin-text", "is not the text its name says", hint=_RETURN)


def rewritten(head: Tree, base: Tree) -> Iterator[Finding]:
    """History is append-only: what ``base`` has of it, ``head`` has with the same bytes."""
    before: list[Finding] = []
    for history in read_all(base, before):
        for pin in history.pins:
            try:
                same = digest(head.read(pin.path, limit=1 << 20)) == pin.digest
                message = "a revision of a pin was edited"
            except AiwgError:
                same, message = False, "a revision of a pin is gone"
            if not same:
                yield Finding(pin.path, 0, "pin-history", message, hint=_RETURN)


def everywhere(
    found: Discovery, head: Tree, levels: Sequence[RepoPath | None], overflow: Severity
) -> Iterator[Finding]:
    """Instruction files of every level that has some: unsafe ones, what agents would cut, what does nothing.

    At the root, where every target is concerned, an unsafe file is an error; elsewhere a warning until it is pinned.
    """
    shelf = Shelf(head)
    cut: dict[tuple[str, str], Finding] = {}
    for level in levels:
        target = level or "."
        try:
            snapshot = found.snapshot(target, loaded_at=_AT)
        except AiwgError as error:
            yield from _unsafe(level, error)
        else:
            yield from snapshot.findings
            yield from (each for source in snapshot.sources for each in source.findings if each.severity != "note")
        chain = Chain(shelf, _chain(level), target)
        for agent in AGENTS:
            for row in view(chain, agent).rows:
                if row.state in ("cut", "dropped"):
                    message = f"{agent.title} does not see {row.size - row.seen} of its {row.size} bytes: {row.note}"
                    hint = (
                        f"{agent.title} reads {agent.total} bytes of one chain, root first; shorten what comes before"
                    )
                    finding = Finding(row.path, 0, "agent-overflow", message, overflow, hint)
                    cut.setdefault((agent.name, row.path), finding)
        yield from _silent(chain, level)
    yield from cut.values()


def _chain(level: RepoPath | None) -> tuple[RepoPath | None, ...]:
    parts = level.parts if level else ()
    return (None, *(RepoPath("/".join(parts[: end + 1])) for end in range(len(parts))))


def _unsafe(level: RepoPath | None, error: AiwgError) -> Iterator[Finding]:
    for each in map(_copy, error.findings):
        severity: Severity = "error" if level is None else "warning"
        yield Finding(each.path, each.line, each.rule, each.message, severity, each.hint)


def _silent(chain: Chain, level: RepoPath | None) -> Iterator[Finding]:
    """Front matter that nobody reads, and imports that lead nowhere, of the files of one level."""
    for path, entry in chain.present.items():
        if entry.kind != "file" or not _at(path, level):
            continue
        for rules in EVERY_FOLDER:
            if path.under(join(level, rules.folder)):
                yield from _front(chain, path, rules)
        if path.name in ("CLAUDE.md", "GEMINI.md", "CLAUDE.local.md"):
            yield from _broken_imports(chain, path)


def _at(path: RepoPath, level: RepoPath | None) -> bool:
    return path.under(level)


def _front(chain: Chain, path: RepoPath, rules: Rules) -> Iterator[Finding]:
    front = front_matter(chain.shelf.text(path))
    if front is None:
        return
    if front.problem:
        message = f"the front matter cannot be read: {front.problem}"
        yield Finding(path, 1, "rule-front-matter", message, "warning", "write plain keys and values")
    for key, (line, _) in front.keys.items():
        if key not in rules.known:
            what = "a rule here applies to every path below its directory" if rules is OWN_RULES else "it has no effect"
            known = f"known here: {', '.join(rules.known)}" if rules.known else "take it out, or move the rule"
            yield Finding(path, line, "rule-front-matter", f"nobody reads the key {key}: {what}", "warning", known)


def _broken_imports(chain: Chain, path: RepoPath) -> Iterator[Finding]:
    for number, name in references(chain.shelf.text(path)):
        where = None if name.startswith(("~", "/")) else inside(path, name)
        if where is None:
            message = f"@{name} leads out of the workspace"
            yield Finding(
                path, number, "import-outside", message, "warning", "colleagues do not have it; copy what matters"
            )
        elif chain.real(where, True)[0] is None:
            yield Finding(path, number, "import-broken", f"@{name} is not there", "warning", "correct the path")
