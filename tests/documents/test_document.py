"""A file is read as a document or told why not; nothing is half read in silence."""

from __future__ import annotations

import pytest

from aiwg_memory.core.document import normalise, parse_document
from aiwg_memory.core.strict_yaml import MAX_BYTES
from aiwg_memory.errors import Damaged


def told(data: bytes) -> list[tuple[str, int, str]]:
    return [(finding.rule, finding.line, finding.severity) for finding in parse_document("p.md", data)[1]]


@pytest.mark.parametrize(
    ("data", "findings"),
    [
        (b"# a\n", []),
        (b"", []),
        (b"\xef\xbb\xbf# a\n", [("byte-order-mark", 1, "warning")]),
        (b"a\nb\r\nc\n", [("line-ending", 2, "warning")]),
        (b"a\nb", [("final-newline", 2, "warning")]),
        (b"a\nb\xff\n", [("encoding", 2, "error")]),
        (b"\x89PNG\r\n\x1a\n\0\0", [("binary", 3, "error")]),
        (b"---\na: 1\na: 2\n---\n", [("yaml-duplicate-key", 3, "error")]),
        (b"---\ntext\n---\n", [("front-matter", 2, "error")]),
        (b"---\n" + b"a: b\n" * 2 + b"---\n", [("yaml-duplicate-key", 3, "error")]),
        (b"<<<<<<< a\n=======\n>>>>>>> b\n" * 3, [("merge-marker", line, "error") for line in (1, 4, 7)]),
        (b"x\n<<<<<<< a\ny\n=======\nz\n>>>>>>> b\n", [("merge-marker", 2, "error")]),
        (b"---\na: 1\n---\n<<<<<<< a\n=======\n>>>>>>> b\n", [("merge-marker", 4, "error")]),
        (b"```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n", [("merge-marker", 2, "warning")]),
        (b">>>>>>> b\n=======\n<<<<<<< a\n", []),
        (b"---\na: 1\n<<<<<<< x\na: 2\n=======\n>>>>>>> y\n---\n", [("yaml-syntax", 4, "error")]),
    ],
)
def test_what_is_told(data: bytes, findings: list[tuple[str, int, str]]) -> None:
    assert told(data) == findings


def test_ten_megabytes_of_front_matter_are_refused() -> None:
    data = b"---\n" + b"a: " + b"x" * 10_000_000 + b"\n---\nbody\n"
    assert told(data) == [("yaml-size", 2, "error")]
    assert len(data) > MAX_BYTES


@pytest.mark.parametrize(
    ("data", "front", "body", "line"),
    [
        (b"---\na: 1\n---\n\nx\n", {"a": 1}, "\nx\n", 4),
        (b"---  \na: 1\n---\t\nx\n", {"a": 1}, "x\n", 4),
        (b"---\r\na: 1\r\n---\r\nx\r\n", {"a": 1}, "x\n", 4),
        (b"\xef\xbb\xbf---\na: 1\n---\nx\n", {"a": 1}, "x\n", 4),
        (b"---\n---\nx\n", {}, "x\n", 3),
        (b"---\nno end\n", {}, "---\nno end\n", 1),
        (b"\n---\na: 1\n---\n", {}, "\n---\na: 1\n---\n", 1),
        (b"----\na: 1\n---\n", {}, "----\na: 1\n---\n", 1),
        (b"a\x0bb\xe2\x80\xa8c\n", {}, "a\x0bb\u2028c\n", 1),
    ],
)
def test_where_the_body_begins(data: bytes, front: dict[str, object], body: str, line: int) -> None:
    document, _ = parse_document("p.md", data)
    assert (dict(document.front), document.body, document.first_line) == (front, body, line)


@pytest.mark.parametrize(
    ("data", "stored"),
    [
        (b"a", b"a\n"),
        (b"\xef\xbb\xbfa\r\nb\rc\n\n\n", b"a\nb\nc\n"),
        (b"", b""),
        (b"\n\n", b""),
        ("导入".encode(), "导入\n".encode()),
    ],
)
def test_how_text_is_stored(data: bytes, stored: bytes) -> None:
    assert normalise(data) == stored
    assert normalise(stored) == stored


def test_what_is_not_utf8_is_not_stored() -> None:
    with pytest.raises(Damaged, match="line 2"):
        normalise(b"a\n\xff")
