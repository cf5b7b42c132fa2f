"""Counts and lists say what the files say, whatever is kept beside them and whatever became of that."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.addons import BUILTIN, load
from aiwg_memory.addons.compound_memory.candidates import catalogue as of_candidates
from aiwg_memory.addons.compound_memory.candidates.desk import first_version
from aiwg_memory.addons.line_memory import catalogue as of_facts
from aiwg_memory.addons.line_memory.text import fact_path, handle_of, text_digest
from aiwg_memory.addons.llm_wiki import catalogue as of_pages
from aiwg_memory.core import receipt_list
from aiwg_memory.core.catalogue import Answer, Part, Query, Row, read_answer
from aiwg_memory.core.items import Fragment
from aiwg_memory.core.operations import Plan, Request, receipt, receipt_bytes
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.index.catalogue import Kept
from aiwg_memory.workspace.addons import retrieved
from aiwg_memory.worktree.read import WorkTree

ADA = "Ada <ada@example.org>"
ASKED = Request("candidate.share", {}, "2026-02-01T08:00:00Z", ADA, "w")
PARTS = (of_candidates.PART, of_facts.PART, receipt_list.PART, of_pages.PAGES, of_pages.EVIDENCE)
TODAY = "2026-06-01"


def _candidates() -> list[bytes]:
    first = [
        first_version(
            ASKED, {"type": kind, "at": f"2026-01-0{day}T08:00:00Z", "proposed_by": "Lin"}, f"Statement {day}."
        )
        for day, kind in enumerate(("task", "risk", "task"), 1)
    ]
    said = {"reviewer": ADA, "at": "2026-02-02T08:00:00Z"}
    taken = succeed(first[:1], {**said, "status": "accepted"})
    left = succeed(first[:1], {**said, "status": "rejected"})
    closed = succeed([taken], {**said, "closed": True})
    lines = [render_segment(some) for some in ([*first], [taken], [left], [closed], [first[1]])]
    return [*lines, b"".join(lines), b"not json\n", b"<<<<<<< ours\n" + lines[1]]


def _facts() -> list[bytes]:
    def record(text: str, **more: object) -> Version:
        value = {
            "schema": "aiwg.fact_record.v1", "handle": handle_of(text), "version": 1, "previous": None,
            "status": "active", "seg": ASKED.seg, "at": "2026-02-01T08:00:00Z", "digest": text_digest(text),
            "kind": "fact", "scope": "global", "delivery": "retrieved", "review": "confirmed",
            "provenance": "operator", "reviewer": ADA,
        }  # fmt: skip
        return Version({**value, **more})

    first = record(FACTS[0], expires_at="2026-05-01")
    ended = succeed([first], {"status": "archived"})
    other = succeed([first], {"status": "removed"})
    lost = record(FACTS[1], previous="sha256:" + "0" * 64, version=2)
    due = record(FACTS[1], review_at="2026-03-01T00:00:00Z", scope="path:src", kind="decision")
    return [render_segment(some) for some in ([first], [ended], [other], [lost], [due], [first, due])]


def _receipts() -> list[bytes]:
    made = [
        receipt(Plan(Request(kind, {}, f"2026-01-0{day}T08:00:00Z", ADA, "w"), ""), confirmed_at=at, git_head=None)
        for day, kind, at in ((1, "a.b", "2026-02-01T08:00:00Z"), (2, "c.d", "2026-02-01T08:00:00Z"))
    ]
    lines = [receipt_bytes(one) for one in made]
    return [*lines, lines[0] + lines[0], lines[0] + lines[1], b"{}\n", receipt_bytes({**made[0], "more": 1})]


FACTS = ("The gate is locked at ten", "The pool has four workers")
POOL: dict[str, Sequence[bytes]] = {
    ".aiwg/memory/candidates.d/20260201T080000Z-000000000001.jsonl": _candidates(),
    ".aiwg/memory/candidates.d/20260201T080000Z-000000000002.jsonl": _candidates(),
    ".aiwg/memory/candidates.d/notes.txt": [b"x"],
    ".aiwg/memory/candidates.d/sub/a.jsonl": [b"x"],
    ".aiwg/memory/facts.d/20260201T080000Z-000000000001.jsonl": _facts(),
    ".aiwg/memory/facts.d/20260201T080000Z-000000000002.jsonl": _facts(),
    fact_path(handle_of(FACTS[0])): [FACTS[0].encode() + b"\n", b"edited\n", b"\xff"],
    fact_path(handle_of(FACTS[1])): [FACTS[1].encode() + b"\n"],
    ".aiwg/memory/line-memory.txt": [FACTS[0].encode(), b"typed by hand\n"],
    ".aiwg/receipts.d/20260101T080000Z-000000000001.jsonl": _receipts(),
    ".aiwg/receipts.d/20260101T080000Z-000000000002.jsonl": _receipts(),
    ".aiwg/wiki/a.md": [b"# A\n", b"---\nstatus: archived\n---\n# A\n", b"---\n: [\n---\n", b"\0"],
    ".aiwg/wiki/sub/b.md": [b"# B\n"],
    ".aiwg/wiki/index.md": [b"# Index\n"],
    ".aiwg/wiki/raw.d/20260101T080000Z-000000000001.jsonl": [b"nothing\n", b""],
}
edits = st.lists(
    st.sampled_from(sorted(POOL)).flatmap(
        lambda path: st.tuples(st.just(path), st.none() | st.sampled_from(list(POOL[path])))
    ),
    max_size=6,
)
losses = st.sampled_from(("", "", "gone", "garbage", "cut"))


class Store:
    """Files on a disk, each with a time of its own, and what is kept beside them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._time = 1_700_000_000
        self.kept = Kept(str(root), lambda: retrieved(load(list(BUILTIN))), small=0)
        (root / ".aiwg").mkdir()

    def edit(self, name: str, data: bytes | None) -> None:
        path = self.root / name
        if data is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self._time += 1
        os.utime(path, (self._time, self._time))

    def lose(self, how: str) -> None:
        for path in (self.root / ".aiwg/.local").glob("index*"):
            if how == "gone":
                path.unlink()
            elif how:
                path.write_bytes(b"no database" if how == "garbage" else path.read_bytes()[:5000])

    def ask(self, part: Part, query: Query, settled: bool = True) -> Answer:
        """``settled``: long enough after the last edit for times to prove something."""
        with WorkTree(str(self.root)) as tree:
            return self.kept.answer(tree, part, query, time.time() + (10 if settled else 0))

    def read(self, part: Part, query: Query) -> Answer:
        with WorkTree(str(self.root)) as tree:
            return read_answer(tree, part, query)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def _queries(part: Part, labels: Sequence[str]) -> Iterator[Query]:
    def judged(row: Row) -> str:
        return labels[0]

    yield Query()
    for newest in (False, True):
        yield Query(lambda label: True, 3, newest, TODAY)
        yield Query(lambda label: label == labels[0], 2, newest, TODAY, judged, ("lm_1", *labels))
    yield Query(lambda label: label != labels[-1], 100, today="2020-01-01", judged=judged)


@settings(max_examples=60)
@given(st.lists(st.tuples(edits, losses, st.booleans()), min_size=1, max_size=4))
def test_what_is_kept_never_shows(tmp_path_factory: pytest.TempPathFactory, history: list[tuple]) -> None:  # type: ignore[type-arg]
    root = tmp_path_factory.mktemp("store")
    store = Store(root)
    for changed, lost, is_settled in history:
        for name, data in changed:
            store.edit(name, data)
        store.lose(lost)
        for part in PARTS:
            labels = sorted(store.read(part, Query()).tally) or [""]
            for query in _queries(part, labels):
                assert store.ask(part, query, is_settled) == store.read(part, query)
    shutil.rmtree(root)


def _counting(part: Part) -> tuple[Part, list[str]]:
    parsed: list[str] = []

    def parse(path: RepoPath, data: bytes) -> Fragment:
        parsed.append(path)
        return part.parse(path, data)

    return part._replace(parse=parse), parsed


def test_nothing_is_parsed_where_nothing_changed_and_one_file_where_one_did(store: Store) -> None:
    segments = _candidates()
    for number in range(20):
        store.edit(f".aiwg/memory/candidates.d/20260201T080000Z-{number:012x}.jsonl", segments[number % 5])
    part, parsed = _counting(of_candidates.PART)
    first = store.ask(part, Query())
    assert len(parsed) == 20
    assert store.ask(part, Query()) == first
    assert len(parsed) == 20
    store.edit(".aiwg/memory/candidates.d/20260201T080000Z-00000000000b.jsonl", segments[6])
    assert len(store.ask(part, Query()).problems) == 1
    assert parsed[20:] == [".aiwg/memory/candidates.d/20260201T080000Z-00000000000b.jsonl"]


def test_a_file_written_just_now_is_read_whatever_its_times_say(store: Store) -> None:
    name, segments = ".aiwg/memory/candidates.d/20260201T080000Z-000000000001.jsonl", _candidates()
    same = segments[1].replace(b"accepted", b"rejected")
    store.edit(name, segments[1])
    times = os.stat(store.root / name)
    store.ask(of_candidates.PART, Query(), settled=False)
    (store.root / name).write_bytes(same)
    os.utime(store.root / name, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert len(same) == len(segments[1])
    assert store.ask(of_candidates.PART, Query(), settled=False) == store.read(of_candidates.PART, Query())


def test_rows_of_another_version_of_the_code_are_not_believed(store: Store) -> None:
    store.edit(".aiwg/memory/candidates.d/20260201T080000Z-000000000001.jsonl", _candidates()[0])
    part = of_candidates.PART
    store.ask(
        part._replace(rows=lambda handle, units, versions: [Row(handle, json.dumps(["old", False, ""]))]), Query()
    )
    assert store.ask(part._replace(version=part.version + 1), Query()) == store.read(part, Query())


def test_where_nothing_may_be_written_the_answer_is_the_same(store: Store) -> None:
    store.edit(".aiwg/memory/candidates.d/20260201T080000Z-000000000001.jsonl", _candidates()[0])
    (store.root / ".aiwg/.local").write_text("in the way")
    assert store.ask(of_candidates.PART, Query()) == store.read(of_candidates.PART, Query())
    assert (store.root / ".aiwg/.local").read_text() == "in the way"
