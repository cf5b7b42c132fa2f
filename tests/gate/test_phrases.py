"""One search for many phrases finds what a search for each of them does."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.focus import holding, phrase
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import MemoryTree

_TEXTS = st.text("ab1 _/-.", min_size=1, max_size=9)


@given(st.lists(_TEXTS, max_size=12), st.lists(_TEXTS, max_size=8))
@settings(max_examples=300)
def test_a_file_is_found_by_any_of_many_phrases(names: list[str], texts: list[str]) -> None:
    phrases = [found for name in names if (found := phrase(name))]
    tree = MemoryTree({f".aiwg/wiki/{at}.md": text.encode() for at, text in enumerate(texts)})
    wanted = {
        f".aiwg/wiki/{at}.md" for at, text in enumerate(texts) if any(re.search(one, text, re.I) for one in phrases)
    }
    assert set(holding(tree, RepoPath(".aiwg"), phrases)) == wanted


def test_ten_thousand_phrases_are_searched_and_deep_common_beginnings_too() -> None:
    deep = ["ab" * at + "c1" for at in range(1, 300)]
    many = [f"lm.{at:016x}" for at in range(10_000)]
    tree = MemoryTree(
        {".aiwg/a.md": b"lm_000000000000270f", ".aiwg/b.md": b"x" + b"ab" * 250 + b"c1", ".aiwg/c.md": b"lm"}
    )
    assert set(holding(tree, RepoPath(".aiwg"), [*deep, *many])) == {".aiwg/a.md", ".aiwg/b.md"}
