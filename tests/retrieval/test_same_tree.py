"""The score is a function of the tree alone: no history of the index may move it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lined import ADDON, NOW, answers, index_of, record, tree

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.index.search import Index

WORDS = ("cache", "retry", "pool", "gate", "数据", "кэш", "parseHeader", "midnight", "the", "v1.2")
QUERIES = ("cache retry", "pool gate midnight", "数据 кэш", "parse header v1.2", "midnihgt", '"cache retry"')

lines = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), max_size=5, unique=True)


@st.composite
def trees(draw: st.DrawFn) -> dict[str, list[str]]:
    files = {name: draw(lines) for name in ("a.txt", "b.txt", "facts.txt", "sub/c.txt") if draw(st.booleans())}
    every = sorted({line for held in files.values() for line in held})
    chosen = draw(st.lists(st.sampled_from(every), max_size=3, unique=True)) if every else []
    states = st.sampled_from(("active", "removed", "stale"))
    if chosen:
        files["a.rec"] = [record(line, draw(states)) for line in chosen]
    return files


@settings(max_examples=40)
@given(st.lists(trees(), min_size=1, max_size=4))
def test_any_history_gives_what_a_new_index_gives(history: list[dict[str, list[str]]]) -> None:
    with Index(None) as index:
        for files in history:
            index.sync(tree(files), [ADDON], now=NOW)
        with index_of(tree(history[-1])) as fresh:
            assert answers(index, QUERIES) == answers(fresh, QUERIES)
            assert list(index.always()) == list(fresh.always())
            assert index.identity == fresh.identity


@settings(max_examples=25)
@given(trees(), st.integers(1, 6))
def test_an_interrupted_index_goes_on_and_ends_the_same(files: dict[str, list[str]], stop: int) -> None:
    class Enough(Exception):
        pass

    def progress(done: int, _: int) -> None:
        if done == stop:
            raise Enough

    with Index(None) as index:
        try:
            index.sync(tree(files), [ADDON], now=NOW, progress=progress)
        except Enough:
            index.sync(tree(files), [ADDON], now=NOW)
        with index_of(tree(files)) as fresh:
            assert answers(index, QUERIES) == answers(fresh, QUERIES)


def test_batches_are_kept_when_the_first_index_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aiwg_memory.index.sync.BATCH", 10)
    files = {f"{number:03}.txt": [f"gate {number}", "cache retry"] for number in range(60)}
    (tmp_path / ".aiwg").mkdir()

    def progress(done: int, _: int) -> None:
        if done == 45:
            raise KeyboardInterrupt

    class Stamped:
        """A tree whose stamps are blob ids, as those of git trees are."""

        def __init__(self, content: Mapping[str, list[str]]) -> None:
            self._tree = tree(dict(content))
            self.identity = "stamped"
            self.reads = 0

        def read(self, path: RepoPath, *, limit: int) -> bytes:
            self.reads += 1
            return self._tree.read(path, limit=limit)

        def stat(self, path: RepoPath):  # type: ignore[no-untyped-def]
            return self._tree.stat(path)

        def list(self, path: RepoPath | None = None):  # type: ignore[no-untyped-def]
            for entry in self._tree.list(path):
                yield entry._replace(stamp=f"blob-{entry.name}") if entry.kind == "file" else entry

    where = Stamped(files)
    with Index(str(tmp_path)) as index, pytest.raises(KeyboardInterrupt):
        index.sync(where, [ADDON], now=NOW, progress=progress)
    with Index(str(tmp_path)) as index:
        report = index.sync(where, [ADDON], now=NOW)
        assert 0 < report.read < 30
        assert where.reads < 80
        assert index.sync(where, [ADDON], now=NOW).read == 0
        with index_of(tree(files)) as fresh:
            assert answers(index, QUERIES) == answers(fresh, QUERIES)


@pytest.mark.parametrize("postings", [0, 5, 1000])
def test_cutting_work_short_is_a_function_of_the_tree_too(postings: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aiwg_memory.core.ranking.score.POSTINGS", postings)
    monkeypatch.setattr("aiwg_memory.core.ranking.score.CANDIDATES", 6)
    files = {f"{number}.txt": [f"cache {number}", f"retry pool {number % 3} cache"] for number in range(15)}
    with Index(None) as index:
        for other in ({"z.txt": ["cache pool"]}, dict(reversed(files.items())), {"1.txt": ["pool"]}, files):
            index.sync(tree(other), [ADDON], now=NOW)
        with index_of(tree(files)) as fresh:
            assert answers(index, ("cache retry pool", "cache")) == answers(fresh, ("cache retry pool", "cache"))
