"""What a preview cuts can be looked at before it is confirmed, and no change looks like none."""

from __future__ import annotations

import re
from pathlib import Path

from person import Person

from aiwg_memory.core.diffs import unified


def test_what_a_long_preview_cuts_is_shown_whole_by_previews_show(tmp_path: Path) -> None:
    ada = Person(tmp_path)
    text = "# Long\n\n" + "".join(f"line {number}\n" for number in range(1000))
    short = ada.run("wiki", "add", "long.md", stdin=text.encode())
    assert "+line 900\n" not in short.out
    assert "previews show" in short.out
    operation = re.findall("op_[0-9a-f]{12}", short.out)[0]
    assert "+line 900\n" in ada.run("previews", "show", operation).out
    assert "+line 900\\n" in ada.run("previews", "show", operation, "--json").out


def test_a_last_line_without_an_end_is_told_from_one_with_it() -> None:
    assert unified("a", b"x\n", b"x") == "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+x\n\\ No newline at end of file\n"
    assert unified("a", None, b"x\n") == "--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n"
    assert unified("a", b"x\n", b"") == "--- a/a\n+++ b/a\n@@ -1,1 +0,0 @@\n-x\n"


def test_two_long_paths_with_one_beginning_are_not_shown_as_one() -> None:
    long = "/".join(["folder"] * 40)
    assert unified(f"{long}/a", None, b"x\n") != unified(f"{long}/b", None, b"x\n")
