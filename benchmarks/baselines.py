"""What the tool is compared with, over the same units: words in common, and SQLite's own full-text search."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence

Ranker = Callable[[str], list[str]]

_WORD = re.compile(r"\w+")


def overlap(texts: Sequence[str]) -> Ranker:
    """How many of the question's words a text holds, as grep would find them; ties as they stand."""
    held = [set(_WORD.findall(text.lower())) for text in texts]

    def rank(question: str) -> list[str]:
        asked = set(_WORD.findall(question.lower()))
        scored = [(len(asked & words), -place) for place, words in enumerate(held)]
        return [texts[-place] for score, place in sorted(scored, reverse=True) if score]

    return rank


def fts5(texts: Sequence[str]) -> Ranker:
    """FTS5 with its Porter stemmer, any of the words, by its bm25()."""
    connection = sqlite3.connect(":memory:")
    connection.execute("create virtual table t using fts5(text, tokenize='porter unicode61')")
    connection.executemany("insert into t values(?)", ((text,) for text in texts))

    def rank(question: str) -> list[str]:
        asked = " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORD.findall(question)))
        return [text for (text,) in connection.execute("select text from t where t match ? order by rank", (asked,))]

    return rank


def greedy(ranked: Sequence[str], budget: int) -> str:
    """A pack of the baselines: best first, a line each, what does not fit is passed over."""
    pack, used = [], 0
    for text in ranked:
        if used + len(text) + 3 <= budget:
            pack.append(f"- {text}")
            used += len(text) + 3
    return "\n".join(pack)
