"""Is the evidence found, and does it reach the printed pack: by corpus, kind of question and system."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from aiwg_memory.addons import BUILTIN, load, resolve
from aiwg_memory.core.budget import Budget, Limit
from aiwg_memory.core.packs import PackRequest, build_pack
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.index.search import Index
from aiwg_memory.worktree.read import WorkTree
from benchmarks.baselines import Ranker, fts5, greedy, overlap
from benchmarks.corpus import Corpus, Question

BUDGETS = (2000, 8000)
TODAY = "2026-01-01"

_QUOTE = re.compile(r"^> ?", re.MULTILINE)
_SPACE = re.compile(r"\s+")


def table(corpora: Sequence[Corpus]) -> Iterator[str]:
    yield (
        "| corpus | digest | questions | system | recall@5 | MRR | "
        + " | ".join(f"in pack of {b}" for b in BUDGETS)
        + " |"
    )
    yield "|" + "---|" * (6 + len(BUDGETS))
    for corpus in corpora:
        with tempfile.TemporaryDirectory() as folder:
            corpus.write(Path(folder))
            with Index(None) as index, WorkTree(folder) as tree:
                index.sync(tree, load(list(BUILTIN)), now=time.time())
                yield from _rows(corpus, index)


def _rows(corpus: Corpus, index: Index) -> Iterator[str]:
    texts = [*_texts(corpus)]
    systems: dict[str, Ranker | None] = {"this tool": None, "fts5": fts5(texts), "overlap": overlap(texts)}
    kinds = dict.fromkeys(question.kind for question in corpus.questions)
    for kind in kinds:
        asked = [question for question in corpus.questions if question.kind == kind]
        for name, ranker in systems.items():
            scores = [_scores(index, ranker, question) for question in asked]
            means = [sum(column) / len(asked) for column in zip(*scores, strict=True)]
            label = corpus.name if len(kinds) == 1 else f"{corpus.name}, {kind}"
            yield (
                f"| {label} | {corpus.digest()} | {len(asked)} | {name} | "
                + " | ".join(f"{m:.3f}" for m in means)
                + " |"
            )


def _texts(corpus: Corpus) -> Iterator[str]:
    """The units the tool itself cuts the files into, title and heading before the text: all systems rank the same."""
    for addon in load(list(BUILTIN)):
        for path, text in corpus.files.items():
            if addon.owns(path):
                for unit in resolve(addon.parse)(RepoPath(path), text.encode()).units:
                    yield " ".join(filter(None, (unit.title, unit.heading, unit.text)))


def _scores(index: Index, ranker: Ranker | None, question: Question) -> list[float]:
    if ranker is None:
        ranked = [hit.item.text for hit in index.search(question.text, limit=50, as_of=TODAY)]
        packs = [_pack(index, question.text, budget) for budget in BUDGETS]
    else:
        ranked = ranker(question.text)
        packs = [greedy(ranked, budget) for budget in BUDGETS]
    wanted = _plain(question.evidence)
    place = next((place for place, text in enumerate(ranked, 1) if wanted in _plain(text)), 0)
    return [float(0 < place <= 5), 1 / place if place else 0.0, *(float(wanted in _plain(pack)) for pack in packs)]


def _pack(index: Index, task: str, budget: int) -> str:
    text = build_pack(index, PackRequest(task, TODAY, budget=Budget((Limit("characters", budget),)))).text
    assert len(text) <= budget
    return _QUOTE.sub("", text)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).casefold()
