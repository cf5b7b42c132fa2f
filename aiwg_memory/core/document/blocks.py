"""Where the headings of a Markdown text are: the block structure of CommonMark, line by line, nothing of its inlines.

One pass, and nothing is built for a line that continues a paragraph. The tests hold it against markdown-it-py, which
takes five times a bare interpreter start to import. The two differ where the standard is silent: what follows a link
reference definition continues a paragraph here, as in the standard's own reference implementation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from aiwg_memory.core.patterns import pattern

_ATX = pattern(r"#{1,6}(?:[ \t]|\Z)")
_SETEXT = pattern(r"(?:=+|-+)[ \t]*\Z")
_RULE = pattern(r"(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})\Z")
_FENCE = pattern(r"`{3,}+(?![^`]*`)|~{3,}")
_ITEM = pattern(r"(?:[*+-]|([0-9]{1,9})[.)])(?=[ \t]|\Z)")
_CALLOUT = pattern(r"\s*\[!contradiction\]", re.IGNORECASE)

_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|"
    "main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|"
    "title|tr|track|ul"
)
_ATTRIBUTE = r"\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^\"'=<>`\x00-\x20]+|'[^']*'|\"[^\"]*\"))?"
_BLANK = pattern(r"\s*\Z")
_RAW_TEXT = "script|pre|style|textarea"
# Start and end of the seven kinds of HTML block; the last cannot interrupt a paragraph.
_HTML = (
    (pattern(rf"<(?:{_RAW_TEXT})(?=[\s>]|\Z)", re.IGNORECASE), pattern(rf"</(?:{_RAW_TEXT})>", re.IGNORECASE)),
    (pattern(r"<!--"), pattern(r"-->")),
    (pattern(r"<\?"), pattern(r"\?>")),
    (pattern(r"<![A-Z]"), pattern(r">")),
    (pattern(r"<!\[CDATA\["), pattern(r"\]\]>")),
    (pattern(rf"</?(?:{_NAMES})(?=\s|/?>|\Z)", re.IGNORECASE), _BLANK),
    (pattern(rf"(?:<[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>)\s*\Z"), _BLANK),
)
_DEFINITION = pattern(
    r"[ ]{0,3}\[(?=[^\]]*\S)(?:[^\[\]\\]|\\.){1,999}\]:[ \t]*\n?[ \t]*(?:<[^<>\n]*>|[^\s<]\S*)"
    r"(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ \t]*(?:\n|\Z)",
    re.DOTALL,
)

# Containers within containers; what lies deeper is text. No heading at the top level depends on it.
MAX_NESTING = 32
NONE, PARAGRAPH, FENCE, HTML, CODE = range(5)


class Heading(NamedTuple):
    """A heading at the top level; lines count from 0, both ends included."""

    first: int
    last: int
    level: int
    text: str


class Layout(NamedTuple):
    """What ``scan`` found. ``inside``: 1 for a line that continues a fence or an HTML block and must not begin a
    piece; ``callouts``: lines that open a contradiction callout."""

    headings: tuple[Heading, ...]
    inside: bytearray
    callouts: tuple[int, ...]


@lru_cache(maxsize=256)
def layout_of(body: str) -> Layout:
    """The layout of a document's body, kept: its title, its links and its passages all ask for it."""
    return scan(body.split("\n"))


def scan(lines: Sequence[str]) -> Layout:
    """The layout of a text cut at its LFs. Tabs count to the next multiple of four."""
    return _Scanner(lines).run()


class _Scanner:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.callouts: list[int] = []
        self.leaf = NONE
        # The open containers, outermost first: 0 a quote, else the columns an item's content is indented by.
        self.open: list[int] = []
        self.filled: list[bool] = []
        self.paragraph = 0
        self.fence = ""
        self.html_end = _BLANK

    def run(self) -> Layout:
        lines = self.lines
        inside = bytearray(len(lines))
        for number, line in enumerate(lines):
            # Most lines of prose end here: a letter at the margin starts or continues a paragraph.
            if not self.open and line[:1].isalpha():
                if self.leaf == PARAGRAPH:
                    continue
                if self.leaf != FENCE and self.leaf != HTML:
                    self.leaf, self.paragraph = PARAGRAPH, number
                    continue
            elif not line and not self.open and self.leaf not in (FENCE, HTML):
                self.leaf = NONE
                continue
            inside[number] = self._line(number, line.expandtabs(4) if "\t" in line else line)
        return Layout(tuple(self.headings), inside, tuple(self.callouts))

    def _line(self, number: int, line: str) -> bool:
        """Take one line; whether it lies inside a fence or an HTML block that began before it."""
        position, matched = self._match(line)
        all_matched = matched == len(self.open)
        if all_matched and self.leaf in (FENCE, HTML):
            self._verbatim(line[position:])
            return True
        lazy = self.leaf == PARAGRAPH and not all_matched
        if not all_matched and not lazy:
            self._close(matched)
        self._starts(number, line, position, matched, lazy=lazy)
        return False

    def _match(self, line: str) -> tuple[int, int]:
        """How far the open containers reach into this line, and how many of them go on."""
        position = 0
        for index, width in enumerate(self.open):
            rest = line[position:]
            stripped = rest.lstrip(" ")
            indent = len(rest) - len(stripped)
            if not width:
                if indent > 3 or not stripped.startswith(">"):
                    return position, index
                position += indent + 1
                if line[position : position + 1] == " ":
                    position += 1
            elif not stripped:
                if not self.filled[index]:
                    return position, index
            elif indent >= width:
                position += width
            else:
                return position, index
        return position, len(self.open)

    def _close(self, keep: int) -> None:
        if keep < len(self.open):
            del self.open[keep:], self.filled[keep:]
            self.leaf = NONE

    def _verbatim(self, rest: str) -> None:
        if self.leaf == HTML:
            if self.html_end.search(rest) and (self.html_end is not _BLANK or not rest.strip()):
                self.leaf = NONE
            return
        stripped = rest.lstrip(" ")
        if len(rest) - len(stripped) <= 3 and stripped.startswith(self.fence):
            tail = stripped.lstrip(self.fence[0])
            if not tail.strip(" \t"):
                self.leaf = NONE

    def _starts(self, number: int, line: str, position: int, matched: int, *, lazy: bool) -> None:
        """Open what this line opens; what is left continues or starts a paragraph."""
        started = False
        while True:
            rest = line[position:]
            stripped = rest.lstrip(" ")
            indent = len(rest) - len(stripped)
            if not stripped.strip():
                self._blank(matched, started=started)
                return
            paragraph = self.leaf == PARAGRAPH and not started
            if indent >= 4:
                if not paragraph:
                    self._fill()
                    self.leaf = CODE
                return
            width = self._container(number, stripped, indent, paragraph and not lazy)
            if width is None:
                break
            if not started:
                self._close(matched)
            self._fill()
            self.leaf, started, lazy = NONE, True, False
            if width:
                position, content = self._item(line, position, width)
                self.open.append(content)
            else:
                position += indent + 1
                position += line[position : position + 1] == " "
                self.open.append(0)
            self.filled.append(False)
            matched = len(self.open)
        if self._leaf_block(number, stripped, paragraph=paragraph, lazy=lazy, matched=matched):
            return
        if paragraph:
            return
        self._fill()
        self.leaf, self.paragraph = PARAGRAPH, number

    def _blank(self, matched: int, *, started: bool) -> None:
        if not started:
            self._close(matched)
            if self.leaf in (PARAGRAPH, CODE):
                self.leaf = NONE

    def _fill(self) -> None:
        if self.filled:
            self.filled[-1] = True

    def _container(self, number: int, stripped: str, indent: int, interrupts: bool) -> int | None:
        """0 for a quote, the columns up to the end of the marker for an item, None for neither."""
        if len(self.open) >= MAX_NESTING:
            return None
        if stripped[0] == ">":
            if not self.open and _CALLOUT.match(stripped, 1):
                self.callouts.append(number)
            return 0
        item = _ITEM.match(stripped)
        if item is None or _RULE.match(stripped):
            return None
        if interrupts and (not stripped[item.end() :].strip() or (item[1] is not None and int(item[1]) != 1)):
            return None
        if interrupts and not self.open and stripped[0] == "-" and _SETEXT.match(stripped):
            return None
        return indent + item.end()

    def _item(self, line: str, position: int, width: int) -> tuple[int, int]:
        """Where an item's content begins, in the line and in columns from where its marker's container begins."""
        after = line[position + width :]
        spaces = len(after) - len(after.lstrip(" "))
        if not after.strip():
            return len(line), width + 1
        if spaces > 4:
            spaces = 1
        return position + width + spaces, width + spaces

    def _leaf_block(self, number: int, stripped: str, *, paragraph: bool, lazy: bool, matched: int) -> bool:
        first = stripped[0]
        if first == "#" and _ATX.match(stripped):
            self._close_for_leaf(matched, NONE)
            if not self.open:
                marks = len(stripped) - len(stripped.lstrip("#"))
                self.headings.append(Heading(number, number, marks, _atx_text(stripped[marks:])))
            return True
        if first in "`~" and (fence := _FENCE.match(stripped)):
            self._close_for_leaf(matched, FENCE)
            self.fence = fence[0]
            return True
        if first == "<" and self._html(stripped, matched, paragraph=paragraph):
            return True
        if paragraph and not lazy and first in "=-" and _SETEXT.match(stripped):
            return self._setext(number, 1 if first == "=" else 2)
        if first in "*_-" and _RULE.match(stripped):
            self._close_for_leaf(matched, NONE)
            return True
        return False

    def _close_for_leaf(self, matched: int, leaf: int) -> None:
        self._close(matched)
        self._fill()
        self.leaf = leaf

    def _html(self, stripped: str, matched: int, *, paragraph: bool) -> bool:
        for number, (start, end) in enumerate(_HTML):
            if start.match(stripped) and not (number == 6 and paragraph):
                self._close_for_leaf(matched, HTML)
                self.html_end = end
                if end is not _BLANK and end.search(stripped):
                    self.leaf = NONE
                return True
        return False

    def _setext(self, number: int, level: int) -> bool:
        """The paragraph so far becomes a heading, unless all of it is link reference definitions."""
        first = self.paragraph
        if not self.open:
            text = "\n".join(self.lines[first:number])
            defined = _definitions(text) if text.lstrip(" ").startswith("[") else 0
            if defined == len(text):
                return False
            first += text.count("\n", 0, defined)
            shown = " ".join(line.strip(" \t") for line in text[defined:].split("\n"))
            self.headings.append(Heading(first, number, level, shown))
        self.leaf = NONE
        return True


def _atx_text(rest: str) -> str:
    """The text without the closing marks, which only count behind white space."""
    text = rest.strip(" \t")
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else text


def _definitions(text: str) -> int:
    """How many characters at the start of a paragraph are link reference definitions."""
    position = 0
    while match := _DEFINITION.match(text, position):
        position = match.end()
    return position
