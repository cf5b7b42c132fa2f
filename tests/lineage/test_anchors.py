"""Evidence that is lines of code: they are followed when they move, and doubted when they change."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from person import Person

from aiwg_memory.core.anchors import GONE, MAX_LINES, MOVED, VERIFIED, anchored, lines_of, locate

LINES = "def retry(call):\n    for _ in range(3):\n        call()\n"
TASK = "How often is a call retried?"
ROWS = st.lists(st.sampled_from([b"", b"}", b"return", b"call()", b"# \xff"]), min_size=1, max_size=30)


@settings(max_examples=60)
@given(ROWS, ROWS, st.data())
def test_cited_lines_are_found_wherever_they_stand_and_nothing_else_is(
    rows: list[bytes], above: list[bytes], data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, len(rows)))
    last = data.draw(st.integers(first, len(rows)))
    text = b"\n".join(rows) + b"\n"
    held = anchored(text, f"L{first}-L{last}")
    assert held is not None
    source = {"span": f"L{first}-L{last}", **held}
    assert locate(text, source).state == VERIFIED
    assert locate(text.replace(b"\n", b"\r\n"), source).state == VERIFIED
    moved = locate(b"\n".join([*above, *rows]) + b"\n", source)
    assert moved.state in (VERIFIED, MOVED)
    place = lines_of(moved.span)
    assert place is not None
    assert [*above, *rows][place[0] - 1 : place[1]] == rows[first - 1 : last]
    assert locate(b"\n".join([b"other"] * len(rows)), source).state == GONE


@pytest.mark.parametrize("span", ["L0", "L3-L2", "3", "L1-L", f"L1-L{MAX_LINES + 1}", "L1\n"])
def test_what_is_no_span_names_no_lines(span: str) -> None:
    assert lines_of(span) is None
    assert anchored(b"one\n" * 5, span) is None


@pytest.mark.parametrize(
    "source", [{}, {"span": "L1", "digest": 7}, {"span": "L1", "digest": "sha256:x", "anchor": {"first": []}}]
)
def test_a_forged_anchor_finds_nothing(source: dict[str, object]) -> None:
    assert locate(b"one\n", source).state == GONE


@pytest.fixture
def desk(tmp_path: Path) -> Person:
    desk = Person(tmp_path)
    desk.write("src/retry.py", "import time\n\n" + LINES)
    desk.do("add", "A call is retried three times.", "--source", "src/retry.py#L3-L5")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "retry")
    return desk


def labels(desk: Person) -> tuple[str, ...]:
    (item,) = desk.json("context", TASK)["data"]["pack"]["items"]
    return tuple(item["labels"][2:])


def rules(desk: Person) -> set[str]:
    findings = desk.json("check", "--all")["data"]["findings"]
    return {one["rule"] for one in findings if one["rule"].startswith("source-")}


def test_what_moved_in_its_file_is_said_and_can_be_followed(desk: Person) -> None:
    assert (labels(desk), rules(desk)) == ((), set())
    desk.write("src/retry.py", "import os\nimport time\n\n" + LINES)
    assert (labels(desk), rules(desk)) == (("source moved",), {"source-moved"})
    desk.do("lineage", "reanchor")
    assert (labels(desk), rules(desk)) == ((), set())


def test_what_was_renamed_is_followed_into_the_new_file(desk: Person) -> None:
    desk.git("mv", "src/retry.py", "src/again.py")
    desk.write("src/other.py", "pass\n")
    assert (labels(desk), rules(desk)) == (("source vanished",), {"source-vanished"})
    desk.do("lineage", "reanchor")
    assert (labels(desk), rules(desk)) == ((), set())
    (row,) = desk.json("lineage", "affected", "src/again.py", kind="lineage_affected_data.v1")["data"]["affected"]
    assert row["via"] == "src/again.py"


def test_what_was_rewritten_is_doubted_and_not_followed(desk: Person) -> None:
    before = desk.json("context", TASK)["data"]["pack"]["id"]
    desk.write("src/retry.py", LINES.replace("3", "5"))
    assert (labels(desk), rules(desk)) == (("source changed",), {"source-changed"})
    assert desk.run("lineage", "reanchor").status == 2
    assert desk.json("pack", "verify", before, status=0)["data"]["verdict"] == "match"
    desk.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\ndelivery:\n  changed_source: withhold\n")
    pack = desk.json("context", TASK)["data"]["pack"]
    assert [one["code"] for one in pack["excluded"]] == ["source-changed"]
    old = desk.json("context", TASK, "--at", "HEAD")["data"]["pack"]["items"]
    assert [one["labels"][2:] for one in old] == [[]]


def test_a_span_that_a_file_has_not_is_refused(desk: Person) -> None:
    done = desk.run("add", "More.", "--source", "src/retry.py#L3-L50")
    assert done.status == 2
    assert "has 5 lines" in done.err


def test_another_line_at_the_named_place_refuses_the_follow_up(desk: Person) -> None:
    desk.write("src/retry.py", "import os\nimport time\n\n" + LINES)
    operation = desk.preview("lineage", "reanchor")
    desk.write("src/retry.py", LINES)
    assert desk.run("confirm", operation).status == 3
