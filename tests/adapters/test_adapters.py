"""A generated block lives in files that people write: it comes, is renewed and goes, and nothing of theirs moves."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from person import Person

from aiwg_memory.core.adapters import ADAPTERS, find, inner_text, placed, taken_out
from aiwg_memory.core.fences import END
from aiwg_memory.core.instructions.content import prepare

PIECES = st.lists(st.sampled_from(["Use tabs.", "\n", "\r\n", "# A", " ", "é", "<!-- x -->", "\n\n"]), max_size=12)
TEXTS = st.lists(st.text(max_size=60).map(lambda text: {"handle": "lm_0123456789abcdef", "text": text}), max_size=3)


@settings(max_examples=150)
@given(st.none() | PIECES.map("".join), st.none() | TEXTS, st.none() | TEXTS, st.sampled_from(sorted(ADAPTERS)))
def test_what_was_there_comes_back_byte_for_byte(
    text: str | None, first: list[dict[str, str]] | None, second: list[dict[str, str]] | None, name: str
) -> None:
    adapter, data = ADAPTERS[name], None if text is None else text.encode()
    once = placed(adapter, data, inner_text(first))
    twice = placed(adapter, once, inner_text(second))
    found = find(adapter.path, twice)
    assert found is not None
    assert not found.edited
    assert found.inner == inner_text(second)
    assert placed(adapter, twice, inner_text(second)) == twice
    assert taken_out(adapter, twice) == data
    prepared = prepare("AGENTS.md", twice.decode(), imports=False)
    assert prepared.generated
    assert "Project memory" not in prepared.content
    assert not [one for one in prepared.findings if one.rule in ("edited-fence", "broken-fence")]


@settings(max_examples=80)
@given(PIECES.map("".join), PIECES.map("".join))
def test_edits_around_the_block_stay(before: str, after: str) -> None:
    adapter = ADAPTERS["agents"]
    block = placed(adapter, None, inner_text(None)).removesuffix(b"\n")
    lead = f"{before}\n".encode() if before else b""
    edited = lead + block + b"\n" + after.encode()
    renewed = placed(adapter, edited, inner_text([]))
    assert renewed.startswith(lead)
    assert renewed.endswith(END.encode() + b"\n" + after.encode())


def test_it_comes_is_checked_and_goes_by_preview_and_confirm(tmp_path: Path) -> None:
    person = Person(tmp_path)
    kept = person.write("AGENTS.md", "# Mine\r\n\r\nUse tabs.").read_bytes()
    assert person.run("adapters", "check").status == 0
    assert person.run("adapters", "check", "agents").status == 1
    person.do("adapters", "refresh", "agents", "gemini")
    assert person.run("adapters", "check").status == 0
    assert (person.root / "AGENTS.md").read_bytes().startswith(kept)
    assert b"aiwg-memory context" in (person.root / "GEMINI.md").read_bytes()
    assert person.json("adapters", "refresh")["data"]["changes"] == []
    person.do("adapters", "remove")
    assert (person.root / "AGENTS.md").read_bytes() == kept
    assert not (person.root / "GEMINI.md").exists()


def test_what_is_always_delivered_stands_there_and_goes_stale(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.do("add", "--delivery", "always", "Ask before you push.")
    person.do("add", "--delivery", "always", "--classification", "private", "Ada is on leave.")
    person.do("adapters", "refresh", "claude", "--always")
    text = (person.root / "CLAUDE.md").read_text()
    assert "Ask before you push." in text
    assert "on leave" not in text
    person.environment["AIWG_MEMORY_NOW"] = "2026-02-01T08:00:00Z"
    person.do("add", "--delivery", "always", "Run the tests.")
    (found,) = person.json("adapters", "check", status=1, kind="check.v1")["data"]["findings"]
    assert (found["path"], found["rule"]) == ("CLAUDE.md", "adapter-stale")
    assert ("CLAUDE.md", "adapter-stale", "warning") in {
        (one["path"], one["rule"], one["severity"]) for one in person.json("check")["data"]["findings"]
    }
    person.do("adapters", "refresh")
    assert "Run the tests." in (person.root / "CLAUDE.md").read_text()


def test_an_edit_inside_the_block_is_lost_only_when_acknowledged(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.write("AGENTS.md", "Use spaces.\n")
    person.do("adapters", "refresh", "agents")
    path = person.root / "AGENTS.md"
    path.write_text(path.read_text().replace("an order", "AN ORDER"))
    (found,) = person.json("adapters", "check", status=1)["data"]["findings"]
    (said,) = (one for one in person.json("check")["data"]["findings"] if one["rule"] == "edited-fence")
    assert (found["rule"], found["hint"]) == ("edited-fence", said["hint"])
    assert "`aiwg-memory adapters refresh --acknowledge agents`" in said["hint"]
    for verb in ("refresh", "remove"):
        error = person.json("adapters", verb, status=4)["error"]
        assert (error["code"], f"adapters {verb} --acknowledge agents" in error["hint"]) == ("edited-fence", True)
    person.do("adapters", "refresh", "--acknowledge", "agents")
    assert "AN ORDER" not in path.read_text()


@pytest.mark.parametrize("text", [END + "\n", "<!-- aiwg-memory:begin 0123456789abcdef -->\nx\n"])
def test_half_a_block_is_refused(tmp_path: Path, text: str) -> None:
    person = Person(tmp_path)
    person.write("AGENTS.md", text)
    assert person.json("adapters", "refresh", "agents", status=4)["error"]["code"] == "broken-fence"
    assert (person.root / "AGENTS.md").read_text() == text


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    person = Person(tmp_path)
    outside = tmp_path / "outside.md"
    outside.write_text("theirs\n")
    (person.root / "CLAUDE.md").symlink_to(outside)
    assert person.run("adapters", "refresh", "claude").status == 4
    subprocess.run(["ln", "-s", str(tmp_path), ".cursor"], cwd=person.root, check=True)
    assert person.run("adapters", "refresh", "cursor").status == 4
    assert outside.read_text() == "theirs\n"


def test_it_is_undone_and_later_edits_around_it_need_no_receipt(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.write("AGENTS.md", "# Mine\n")
    receipt = person.do("adapters", "refresh", "agents")
    person.environment["AIWG_MEMORY_NOW"] = "2026-02-01T08:00:00Z"
    person.do("undo", receipt["seg"])
    assert (person.root / "AGENTS.md").read_text() == "# Mine\n"
    person.environment["AIWG_MEMORY_NOW"] = "2026-02-02T08:00:00Z"
    person.do("adapters", "refresh", "agents")
    with (person.root / "AGENTS.md").open("a") as file:
        file.write("More of mine.\n")
    rules = {one["path"] for one in person.json("check")["data"]["findings"] if one["rule"] == "unreviewed"}
    assert "AGENTS.md" not in rules
    assert person.run("adapters", "check").status == 0
