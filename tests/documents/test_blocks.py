"""Headings are where CommonMark has them: held against markdown-it-py."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from aiwg_memory.core.document.blocks import scan

ORACLE = MarkdownIt("commonmark")


def ours(text: str) -> list[tuple[int, int, int]]:
    return [(heading.first, heading.last, heading.level) for heading in scan(text.split("\n")).headings]


def theirs(text: str) -> list[tuple[int, int, int]]:
    try:
        tokens = ORACLE.parse(text)
    except IndexError:
        # Some texts of nested lists and HTML make markdown-it-py itself fail.
        assume(False)
        raise
    return [
        (token.map[0], token.map[1] - 1, int(token.tag[1]))
        for token in tokens
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


CASES = [
    "# a\n## b\n\ntext\n### c ###",
    "#a\n#\ta\n####### a\n   # a\n    # a",
    "a\n===\nb\n---\n\n---",
    "a\nb\nc\n===",
    "```\n# a\n```\n# b",
    "````\n```\n# a\n````\n# b",
    "~~~\n```\n# a\n~~~\n# b",
    "``` x`y\n# a",
    "```\n# never closed",
    "    # code\n\ntext\n    # still text\n# a",
    "> # a\n# b",
    "> text\nlazy\n===\n\nx\n===",
    "- # a\n# b",
    "- a\n\n  # in the item\n\n# out",
    "- a\n # out",
    "-\n\n  # after an empty item",
    "1. a\n2. b\n===",
    "2. a\n===",
    "text\n2. no list\n===",
    "text\n- list\n===",
    "- - # a\n\n# b",
    "<div>\n# a\n</div>\n# b\n\n# c",
    "<!-- \n# a\n\n# b\n-->\n# c",
    "<script>\n# a\n\n</script>\n# b",
    "text\n<b>\n===",
    "<b>\n===\n\nx\n===",
    "<?x\n# a\n?>\n# b",
    "<![CDATA[\n# a\n]]>\n# b",
    "[a]: /u\n===\n",
    "[a]: /u 'title'\n[b]: <v>\ntext\n===",
    "[a]:\n/u\n'title'\n===",
    "[a]\n===",
    "[a]: /u b\n===",
    "\t# code\n# a",
    "-\t# a\n\n\t# b\n# c",
    ">\t# a\n# b",
    "* * *\n# a\n***\n- - -",
    "a  \n===  \n\nb\n= =",
    "# \n#\n## ##\n# a #b#\n# a \\#",
    "中文\n===\n\n# 标题 #",
    "```\na\n```\n===",
    "- ```\n  # a\n# out",
    "> ```\n> # a\n# out",
    "> > a\n> ===",
    "+ a\n\n\n\n  # in\n\nb\n===",
]


@pytest.mark.parametrize("text", CASES)
def test_headings_of_known_cases(text: str) -> None:
    assert ours(text) == theirs(text)


ATOMS = st.sampled_from(
    [
        *("# a", "## b ##", "#x", "===", "---", "- ", "-", "1. ", "2) ", "> ", ">", "  ", "    ", "\t", "```", "~~~"),
        *("````", "text", "* * *", "***", "<div>", "</div>", "<!-- c", "-->", "<b>", "</b>", "<script>", "</script>"),
        *("foo", "   ", "<?x", "?>", "<!X", "`", "+ x", "10. y", "<pre>", "[a", "\\", "=", "- - x", "> - ", ""),
    ]
)
LINES = st.lists(ATOMS, max_size=4).map("".join)


@settings(max_examples=600)
@given(st.lists(LINES, min_size=1, max_size=10).map("\n".join))
def test_headings_of_random_texts(text: str) -> None:
    assert ours(text) == theirs(text)


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("# a #\n## b##\n#\n# \\# c", ["a", "b##", "", "\\# c"]),
        ("first\n  second\n---", ["first second"]),
        ("[a]: /u\nrest\n===", ["rest"]),
        ("#   *kept* `as` [is](x)  ##  ", ["*kept* `as` [is](x)"]),
    ],
)
def test_heading_texts_are_the_source(text: str, titles: list[str]) -> None:
    assert [heading.text for heading in scan(text.split("\n")).headings] == titles


@pytest.mark.parametrize(
    "text",
    ["`" * 60_000 + "x`", ">" * 60_000, "# a" + " " * 60_000 + "b", "<a " + "b " * 30_000, "1. " * 20_000,
     "\n".join(["```"] * 5_000), "[a]: /u '\n" * 5_000 + "===", "- " * 30_000 + "x", (">" * 40 + " a\n") * 500],
)  # fmt: skip
def test_hostile_lines_are_read_to_the_end(text: str) -> None:
    assert len(scan(text.split("\n")).inside) == text.count("\n") + 1


def test_callouts_are_found_outside_code_alone() -> None:
    text = (
        "> [!contradiction] a\n> b\n\n```\n> [!contradiction]\n```\n\n  > [!CONTRADICTION]-\n\n> b\n> [!contradiction]"
    )
    assert scan(text.split("\n")).callouts == (0, 7)
