"""What holds for any tree of instruction files: what is read, what the fingerprint covers, and what a change judges."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from aiwg_memory.addons.instructions.asking import discovery
from aiwg_memory.addons.instructions.checking import everywhere, pins
from aiwg_memory.addons.instructions.manifests import read_pin
from aiwg_memory.addons.instructions.touching import touching
from aiwg_memory.core.canonical import canonical_json, digest, short, slug, slug_stem
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.agents import level_of
from aiwg_memory.core.instructions.discover import discover
from aiwg_memory.core.instructions.names import near_level
from aiwg_memory.core.instructions.snapshot import PROTOCOL
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import read_line
from aiwg_memory.core.rules.instructions import pinned
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.errors import Damaged, Refused

AT = "2026-01-31T08:00:00Z"
FOLDERS = ("", "a/", "b/", "a/c/", "a/c/d/")
NAMES = (
    "AGENTS.md", "AGENTS.override.md", "CLAUDE.md", ".claude/CLAUDE.md", ".aiwg/instructions.md", ".aiwg/rules/x.md",
    ".aiwg/rules/y/z.md", ".claude/rules/r.md", "GEMINI.md", "CLAUDE.local.md", "agents.md",
)  # fmt: skip
TEXTS = (
    b"Run the tests.\n", b"Use tabs.\n", b"As AGENTS.md says.\n", b"See @docs/no.md\n", b"See @AGENTS.md\n",
    b"---\npaths: src/**\n---\nTabs.\n", b"x" * 20_000,
)  # fmt: skip
UNSAFE = (None, b"\n", b"\xff\n", b"a\0b\n")
TARGETS = (".", "a", "b", "a/c", "a/c/d", "a/new.py", "b/deep/er.py")

Content = Mapping[str, bytes | None]
paths = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(NAMES)).map("".join)
safe = st.dictionaries(paths, st.sampled_from(TEXTS), max_size=8)
trees = st.dictionaries(paths, st.sampled_from((*TEXTS, *UNSAFE)), max_size=8)


class Looking(MemoryTree):
    """Notes every file that is opened."""

    def __init__(self, content: Content) -> None:
        super().__init__(content)
        self.opened: set[str] = set()

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        self.opened.add(path)
        return super().read(path, limit=limit)


def chain(target: str, content: Content) -> set[str]:
    """The directories on the way to ``target`` that are there."""
    parts = [] if target == "." else target.split("/")
    ways = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    return {"", *(way for way in ways if any(path.startswith(f"{way}/") for path in content))}


@given(trees, st.sampled_from(TARGETS))
def test_nothing_outside_the_chain_is_opened(content: Content, target: str) -> None:
    tree = Looking(content)
    with suppress(Refused):
        discover(tree, target, loaded_at=AT)
    allowed = {f"{way}/{name}".lstrip("/") for way in chain(target, content) for name in NAMES}
    assert tree.opened <= allowed | {".aiwg/instructions.ignore"}


@given(safe, st.sampled_from(TARGETS), st.randoms(use_true_random=False))
def test_the_fingerprint_is_of_what_is_delivered_and_of_nothing_else(content: Content, target: str, chance) -> None:  # type: ignore[no-untyped-def]
    found = discover(MemoryTree(content), target, loaded_at=AT)
    names = list(content)
    chance.shuffle(names)
    delivered = {source.path for source in found.sources}
    again = discover(MemoryTree({name: content[name] for name in names}), target, loaded_at="2027-01-01T00:00:00Z")
    without = discover(
        MemoryTree({name: data for name, data in content.items() if name in delivered} | {"src/x.py": b"\n"}),
        target,
        loaded_at=AT,
    )
    assert found.fingerprint == again.fingerprint
    # A target's own directory may be gone with what was not delivered; its sources are the same all the same.
    assert [source.identity() for source in found.sources] == [source.identity() for source in without.sources]
    whole = {
        "protocol_version": PROTOCOL,
        "target_path": found.target,
        "limits": dict(found.limits),
        "sources": [source.identity() for source in found.sources],
    }
    assert found.fingerprint == short(digest(canonical_json(whole)), 64)


@given(safe, st.sampled_from(TARGETS))
def test_precedence_is_unique_and_grows_in_the_order_of_delivery(content: Content, target: str) -> None:
    numbers = [source.precedence for source in discover(MemoryTree(content), target, loaded_at=AT).sources]
    assert numbers == sorted(set(numbers))


@given(trees, st.sampled_from(TARGETS))
def test_a_refusal_names_every_file_that_alone_would_be_refused(content: Content, target: str) -> None:
    alone = set()
    for path, data in content.items():
        try:
            discover(MemoryTree({path: data}), target, loaded_at=AT)
        except Refused as error:
            alone |= {(each.path, each.rule) for each in error.findings}
    hidden = {path for path in content if path.replace("AGENTS.md", "AGENTS.override.md") in content}
    try:
        discover(MemoryTree(content), target, loaded_at=AT)
        said: set[tuple[str, str]] = set()
    except Refused as error:
        said = {(each.path, each.rule) for each in error.findings}
    assert {one for one in alone if one[0] not in hidden} <= said <= alone


SPLICES = (
    b'\n "sources": [\n ],', b'\n "conflicts": [\n  {}\n ],', b'\n "x": {\n "sources": [\n  {}\n ]},', b"\n ]",
    b"\n ],", b"[", b"]", b'"sources"', b'"sourc\\u0065s": [],', b'"a": 1,', b" ", b"\\", b"7",
)  # fmt: skip
edits = st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 40), st.sampled_from(SPLICES)), max_size=3)


def _pin_or_problem(path: RepoPath, data: bytes) -> object:
    try:
        pin = read_pin(MemoryTree({path: data}), path)
    except Damaged as error:
        return error.message
    return pin.value, pin.sources


@given(safe, st.sampled_from(TARGETS), edits)
def test_a_manifest_is_read_as_the_same_json_in_one_line_is(
    content: Content, target: str, edits: list[tuple[int, int, bytes]]
) -> None:
    stored = pinned({path: (data or b"").decode() for path, data in content.items()}, target)
    ((name, text),) = [(name, text) for name, text in stored.items() if name.endswith(".json")]
    data = (text or "").encode()
    lines = [at for at, each in enumerate(data) if each == 10]
    for place, length, splice in edits:
        at = lines[place % len(lines)] if length % 2 else place % len(data)
        data = data[:at] + splice + data[at + length // 4 :]
    value, wrong = read_line(data)
    one_line = data if wrong else json.dumps(value, ensure_ascii=False).encode()
    found = _pin_or_problem(RepoPath(name), data)
    assert found == _pin_or_problem(RepoPath(name), one_line)
    assert not wrong or wrong in str(found)


@given(st.text(max_size=60), st.text(min_size=1, max_size=20))
def test_the_folder_of_a_pin_begins_like_that_of_every_directory_above(above: str, rest: str) -> None:
    assert slug(f"{above}/{rest}").startswith(slug_stem(above))


def _key(each: Finding) -> tuple[str, int, str, str]:
    return each.path, each.line, each.rule, each.message


def judged(content: Content) -> set[tuple[str, int, str, str]]:
    """Everything there is to say about a tree."""
    tree = MemoryTree(content)
    found = discovery(tree)
    levels = sorted(
        {level for path in content for level in (level_of(path), near_level(path)) if level is not None} | {""}
    )
    every = everywhere(found, tree, [RepoPath(each) if each else None for each in levels], "warning")
    return {_key(each) for each in (*every, *pins(found, tree))}


@given(safe, trees, st.lists(st.sampled_from(TARGETS), max_size=5))
def test_a_change_is_judged_as_the_whole_is_as_far_as_it_goes(
    before: Content, after: Content, targets: list[str]
) -> None:
    texts = {path: (data or b"").decode() for path, data in before.items()}
    confirmed = {
        path: None if text is None else text.encode()
        for target in targets
        for path, text in pinned(texts, target).items()
    }
    head, base = {**after, **confirmed}, {**before, **confirmed}
    changed = [RepoPath(name) for name in sorted({*before, *after}) if before.get(name, 0) != after.get(name, 0)]
    found = {_key(each) for each in touching(MemoryTree(head), MemoryTree(base), changed)}
    everything = judged(head)
    # Nothing is said that the whole does not say, and of what was touched nothing is left out.
    assert found <= everything
    assert {each for each in everything if each[0] in changed} <= found
    drifted = {each for each in everything if each[2] == "pin-stale"}
    assert drifted <= found
    if not changed:
        assert not found
