"""A passage is what stands under one heading, on exactly the lines it says."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.document import PASSAGE, Document, Passage, parse_document, passages


def cut(text: str) -> list[Passage]:
    return passages(parse_document("p.md", text.encode())[0], title="p")


def spans(text: str) -> list[tuple[tuple[str, ...], int, int, str]]:
    return [(each.heading_path, each.first_line, each.last_line, each.text) for each in cut(text)]


def test_sections_carry_their_path_and_their_lines() -> None:
    text = "---\ntitle: T\n---\nintro\n\n# A\n\none\n\n## B\n\ntwo\nthree\n\n# C\n## D\nfour\n"
    assert spans(text) == [
        ((), 4, 4, "intro"),
        (("A",), 8, 8, "one"),
        (("A", "B"), 12, 13, "two\nthree"),
        (("C", "D"), 17, 17, "four"),
    ]
    assert {each.title for each in cut(text)} == {"T"}


def test_the_title_is_stated_or_the_first_heading_or_the_name() -> None:
    assert cut("x\n")[0].title == "p"
    assert cut("## B\n\n# A\nx\n")[0].title == "A"
    assert cut("---\ntitle: ' T '\n---\n# A\nx\n")[0].title == "T"
    assert cut("---\ntitle:\n---\nx\n")[0].title == "p"


def test_a_heading_without_words_below_is_no_passage() -> None:
    assert spans("# A\n\n## B\n\n---\n\n***\n\n## C\nx\n") == [(("A", "C"), 10, 10, "x")]
    assert cut("") == []
    assert cut("# A") == []


def test_sections_of_one_name_are_told_apart() -> None:
    found = cut("# A\n## N\none\n## N\ntwo\n# B\n## N\nthree\n")
    assert [(each.heading_path, each.occurrence) for each in found] == [
        (("A", "N"), 1),
        (("A", "N"), 2),
        (("B", "N"), 1),
    ]


def test_a_callout_marks_the_whole_section_it_stands_in() -> None:
    text = "# A\n" + "word " * 180 + "\n\n" + "> [!contradiction]\n> not so\n\n" + "word " * 180 + "\n# B\nx\n"
    assert [(each.heading_path, each.contradicted) for each in cut(text)] == [(("A",), True)] * 2 + [(("B",), False)]


def test_a_long_section_is_cut_between_paragraphs() -> None:
    paragraphs = [f"{number} " + "word " * 60 for number in range(20)]
    found = cut("# A\n\n" + "\n\n".join(paragraphs) + "\n")
    assert len(found) > 3
    assert all(len(each.text) <= PASSAGE for each in found)
    assert [each.part for each in found] == list(range(1, len(found) + 1))
    assert "\n\n".join(each.text for each in found) == "\n\n".join(paragraphs)


def test_a_fence_is_never_parted() -> None:
    fence = "```python\n" + "\n\n".join(f"line_{n} = {n}" for n in range(400)) + "\n```"
    found = cut(f"# A\n\nbefore\n\n{fence}\n\nafter\n")
    assert [fence in each.text for each in found].count(True) == 1


def test_one_line_of_sixty_kilobytes_is_cut_at_its_sentences() -> None:
    for sentence in (
        "The import catalog is one file. ",
        "导入目录是一个文件。",
        "Каталог лежит рядом с проектом! ",
        "यह एक फ़ाइल है। ",
    ):
        line = (sentence * (60_000 // len(sentence))).strip()
        found = cut(f"# A\n\n{line}\n")
        assert all((each.first_line, each.last_line) == (3, 3) for each in found)
        assert all(len(each.text) <= PASSAGE + PASSAGE // 4 for each in found)
        assert all(each.text.endswith(sentence.strip()[-1]) for each in found)
        assert re.sub(r"\s", "", "".join(each.text for each in found)) == re.sub(r"\s", "", line)


def test_a_line_without_sentences_or_spaces_is_still_bounded() -> None:
    found = cut("x" * 60_000 + "\n")
    assert all(len(each.text) <= 2 * PASSAGE for each in found)
    assert "".join(each.text for each in found) == "x" * 60_000


def test_a_table_of_many_rows_is_cut_between_rows() -> None:
    rows = [f"| {number} | value of number {number} |" for number in range(300)]
    found = cut("# A\n\n" + "\n".join(rows) + "\n")
    assert "\n".join(each.text for each in found) == "\n".join(rows)


WORDS = st.sampled_from(
    [
        "# a",
        "## b",
        "text. More text",
        "- item",
        "",
        "",
        "```",
        "> quote",
        "    code",
        "x" * 700,
        "句子。" * 300,
        "a\n===",
    ]
)


@settings(max_examples=200)
@given(st.lists(WORDS, max_size=30), st.booleans())
def test_every_word_is_on_the_lines_that_are_named(parts: list[str], front: bool) -> None:
    text = ("---\na: 1\n---\n" if front else "") + "\n".join(parts) + "\n"
    lines = text.split("\n")
    last = 0
    for each in cut(text):
        there = "\n".join(lines[each.first_line - 1 : each.last_line])
        assert each.text in there
        assert each.text.strip("\n")
        assert each.first_line >= last
        last = each.last_line


@settings(max_examples=100)
@given(st.lists(st.sampled_from(["one two.", "three!\nfour", "", "五。六", "- seven"]), min_size=1, max_size=200))
def test_no_word_is_lost_and_none_stands_twice(parts: list[str]) -> None:
    text = "\n".join(parts)
    found = passages(Document({}, text, 1))
    assert re.sub(r"\s", "", "".join(each.text for each in found)) == re.sub(r"\s", "", text)
