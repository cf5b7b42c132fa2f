"""What is wrong with pins, with the trees they were taken of, and with instruction files wherever they lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from aiwg_memory.addons.instructions.asking import discovery
from aiwg_memory.addons.instructions.manifests import MAX_MANIFEST, PINS, Pin, read_pin
from aiwg_memory.addons.instructions.store import OBJECTS, History, read_all, text_of
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.findings import Finding, Severity
from aiwg_memory.core.focus import learn
from aiwg_memory.core.instructions.agents import AGENTS, EVERY_FOLDER, OWN_RULES, Rules
from aiwg_memory.core.instructions.compare import Chain, Shelf, view
from aiwg_memory.core.instructions.content import references
from aiwg_memory.core.instructions.discover import Discovery
from aiwg_memory.core.instructions.drift import drift
from aiwg_memory.core.instructions.matching import front_matter
from aiwg_memory.core.instructions.settled import inside
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.screening.kinds import VERSION
from aiwg_memory.core.tree import Tree, walk
from aiwg_memory.errors import AiwgError

_RETURN = "take it back from git: pins and their texts are never edited"
_AT = "1970-01-01T00:00:00Z"
BOUNDED = tuple(agent for agent in AGENTS if agent.total is not None)
# Which two lists of sources, both of which live as long as the check, and whether the limits differ.
_Pair = tuple[int, int, bool]
IMPORTING = ("CLAUDE.md", "GEMINI.md", "CLAUDE.local.md")


def check(head: Tree, base: Tree | None) -> Iterable[Finding]:
    """Every pin of ``head``, and, where ``base`` is given, that no revision of it vanished or was changed."""
    yield from pins(discovery(head), head)
    if base is not None:
        yield from rewritten(head, base, [join(parent, entry.name) for parent, entry in walk(base, PINS)])


def pins(found: Discovery, head: Tree) -> Iterator[Finding]:
    """Drift that nobody confirmed, forks, broken manifests, texts that are gone or not what their name says."""
    problems: list[Finding] = []
    histories = list(read_all(head, problems))
    yield from problems
    yield from drifted(found, histories)
    yield from texts(head, wanted(histories))


def drifted(found: Discovery, histories: Sequence[History]) -> Iterator[Finding]:
    """Which of these pins are forks, or not what applies; why an unsafe tree is refused, once for all of them."""
    refusals: dict[str, Finding] = {}
    said: dict[_Pair, str] = {}
    found.spare(_confirmed(histories))
    for history in histories:
        if len(history.heads) > 1:
            yield _fork(history)
        pin = history.current
        if pin is not None:
            yield from _drifted(found, pin, refusals, said)
    yield from refusals.values()


def wanted(histories: Iterable[History]) -> set[str]:
    """The digests of the texts that the pins in force deliver."""
    current = (history.current for history in histories)
    return {each.content_sha256 for pin in current if pin is not None for each in pin.sources}


def _confirmed(histories: Iterable[History]) -> Iterator[str]:
    for history in histories:
        pin = history.current
        if pin is not None and pin.screening == str(VERSION):
            yield from (each.plain_sha256 for each in pin.sources if not each.redacted)


def _fork(history: History) -> Finding:
    named = " and ".join(each.fingerprint[:12] for each in history.heads)
    revision = min(each.revision for each in history.heads)
    message = f"revision {revision} of {history.target} was confirmed twice, up to {named}: none of them is delivered"
    hint = f"look at what is right and pin it: aiwg-memory instructions pin {history.target}"
    return Finding(history.heads[0].path, 0, "pin-fork", message, hint=hint)


def _drifted(found: Discovery, pin: Pin, refusals: dict[str, Finding], said: dict[_Pair, str]) -> Iterator[Finding]:
    """``said``: the drift between two lists of sources, for pins of one chain have the same two."""
    hint = f"aiwg-memory instructions diff {pin.target}, then pin it again or take the change back"
    try:
        live = found.sources(pin.target)
    except AiwgError as error:
        yield Finding(pin.path, 0, "pin-stale", f"{pin.handle} is stale: {error.message}", hint=hint)
        refusals.update((f"{each.path}:{each.rule}", _copy(each)) for each in error.findings)
        return
    limits = pin.value["limits"] != found.limits
    pair = id(pin.sources), id(live), limits
    if pair not in said:
        said[pair] = drift(pin.sources, live, limits=limits).sentence()
    if said[pair]:
        yield Finding(pin.path, 0, "pin-stale", f"{pin.handle} is stale: {said[pair]}", hint=hint)


def _copy(problem: object) -> Finding:
    assert isinstance(problem, Finding)
    return problem


def texts(head: Tree, digests: Iterable[str]) -> Iterator[Finding]:
    """Pinned texts that are gone, or not what their names say."""
    paths = [join(OBJECTS, name) for name in sorted(digests)]
    learn(head, paths)
    for path in paths:
        if head.stat(path) is None:
            yield Finding(path, 0, "pin-text", "is gone: a pinned text", hint=_RETURN)
            continue
        try:
            data = head.read(path, limit=1 << 20)
        except AiwgError as error:
            yield Finding(path, 0, error.code, error.message, hint=error.hint)
            continue
        if short(digest(data), 64) != path.name:
            yield Finding(path, 0, "pin-text", "is not the text its name says", hint=_RETURN)


def rewritten(head: Tree, base: Tree, paths: Iterable[RepoPath]) -> Iterator[Finding]:
    """History is append-only: what ``base`` has of it at ``paths``, ``head`` has with the same bytes.

    What was damaged before may be put right.
    """
    paths = list(paths)
    learn(base, paths)
    learn(head, paths)
    for path in paths:
        what = "the text of a pin" if path.parent == OBJECTS else "a revision of a pin"
        before = _stored(base, path)
        if before is None:
            continue
        try:
            message = "was edited" if head.read(path, limit=MAX_MANIFEST) != before else ""
        except AiwgError:
            message = "is gone"
        if message:
            yield Finding(path, 0, "pin-history", f"{what} {message}", hint=_RETURN)


def _stored(tree: Tree, path: RepoPath) -> bytes | None:
    """The bytes of a sound manifest or text; None for anything else."""
    try:
        if path.parent == OBJECTS:
            return text_of(tree, path.name).encode()
        read_pin(tree, path)
        return tree.read(path, limit=MAX_MANIFEST)
    except AiwgError:
        return None


def everywhere(
    found: Discovery, head: Tree, levels: Sequence[RepoPath | None], overflow: Severity
) -> Iterator[Finding]:
    """Instruction files of every level that has some: unsafe ones, what agents would cut, what does nothing.

    At the root, where every target is concerned, an unsafe file is an error; elsewhere a warning until it is pinned.
    """
    shelf = Shelf(head)
    for level in levels:
        yield from delivered(found, level)
        chain = chain_to(shelf, level)
        yield from cut(chain, overflow)
        yield from silent(chain, level)


def delivered(found: Discovery, level: RepoPath | None) -> Iterator[Finding]:
    """What discovery says of a level: about the texts of its chain, or why they are refused."""
    try:
        snapshot = found.snapshot(level or ".", loaded_at=_AT)
    except AiwgError as error:
        severity: Severity = "error" if level is None else "warning"
        for each in map(_copy, error.findings):
            yield Finding(each.path, each.line, each.rule, each.message, severity, each.hint)
    else:
        said = [*snapshot.findings, *(each for source in snapshot.sources for each in source.findings)]
        yield from (each for each in said if each.severity != "note")


def cut(chain: Chain, overflow: Severity) -> Iterator[Finding]:
    """The files of a chain that some agent does not see whole for want of room. Only agents with a bound are asked."""
    for agent in BOUNDED:
        for row in view(chain, agent).rows:
            if row.state in ("cut", "dropped"):
                message = f"{agent.title} does not see {row.size - row.seen} of its {row.size} bytes: {row.note}"
                hint = f"{agent.title} reads {agent.total} bytes of one chain, root first; shorten what comes before"
                yield Finding(row.path, 0, "agent-overflow", message, overflow, hint)


def chain_to(shelf: Shelf, level: RepoPath | None) -> Chain:
    parts = level.parts if level else ()
    levels = (None, *(RepoPath("/".join(parts[: end + 1])) for end in range(len(parts))))
    return Chain(shelf, levels, level or ".")


def silent(chain: Chain, level: RepoPath | None) -> Iterator[Finding]:
    """Front matter that nobody reads, and imports that lead nowhere, of the files of one level."""
    for path, entry in chain.shelf.names(level).items():
        if entry.kind != "file":
            continue
        for rules in EVERY_FOLDER:
            if path.under(join(level, rules.folder)):
                yield from _front(chain, path, rules)
        if path.name in IMPORTING:
            yield from (finding for _, finding in imports(chain, path))


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


def imports(chain: Chain, path: RepoPath) -> Iterator[tuple[RepoPath | None, Finding]]:
    """The imports of a file that lead nowhere, each with the path it names, None for one outside."""
    for number, name in references(chain.shelf.text(path)):
        where = None if name.startswith(("~", "/")) else inside(path, name)
        if where is None:
            message, hint = f"@{name} leads out of the workspace", "colleagues do not have it; copy what matters"
            yield None, Finding(path, number, "import-outside", message, "warning", hint)
        elif chain.real(where, True)[0] is None:
            yield where, Finding(path, number, "import-broken", f"@{name} is not there", "warning", "correct the path")
