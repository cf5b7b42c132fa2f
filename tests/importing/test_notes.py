"""Lists of facts, Claude Code's memory files and Basic Memory's notes."""

from __future__ import annotations

from pathlib import Path

import pytest
from neighbour import records
from person import Person

from aiwg_memory.core.foreign import File, Found
from aiwg_memory.core.foreign.markdown import bullets, facts

NOTE = """\
---
title: Ferry
type: note
permalink: boats/ferry
tags: [boats]
reviewed: {verdict: confirmed}
---
# Ferry

- [design] The ferry has two decks #boats #wood (seen in May)
- [ ] paint it
- moors at [[Quay]]
- a bullet that is no observation
"""


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- one\n- two\n", ["one", "two"]),
        ("* one\n+ two\n3. three\n4) four\n", ["one", "two", "three", "four"]),
        ("- one\n  goes on\n\n- two\n", ["one goes on", "two"]),
        ("- one\n  - below\n", ["one", "below"]),
        ("- [x] done\n- [ ] open\n", ["done", "open"]),
        ("---\ntags:\n- not this\n---\n- one\n", ["one"]),
        ("```\n- not this\n```\n- one\n", ["one"]),
        ("text\n\n---\n\n- one\n", ["one"]),
        ("- \n-nothing\n", []),
        ("", []),
    ],
)
def test_every_bullet_is_one_fact(text: str, expected: list[str]) -> None:
    assert [words for _, words, _ in bullets(text) if words] == expected


def test_headings_are_tags_and_end_with_their_level() -> None:
    text = "# Harbour\n- a\n## Old Boats\n- b\n# Town\n- c\n"
    found = Found()
    facts("list.md", File(text.encode(), "notes/list.md"), "markdown", found)
    assert [(one.text, one.tags) for one in found.facts] == [
        ("a", ("harbour",)), ("b", ("harbour", "old-boats")), ("c", ("town",)),
    ]  # fmt: skip
    assert [one.sources[0]["span"] for one in found.facts] == ["L2", "L4", "L6"]


def test_a_list_comes_in_pending_with_its_lines_as_sources_and_only_once(ada: Person) -> None:
    ada.write("notes/list.md", "# Harbour\n\n- The quay has two berths.\n- [home](https://example.org)\n")
    ada.write("notes/other.md", "- Not named, not read.\n")
    ada.do("import", "markdown", "notes/list.md")
    (record,) = records(ada).values()
    assert (record["review"], record["provenance"], record["tags"]) == ("pending", "import", ["harbour"])
    assert (record["sources"][0]["ref"], record["sources"][0]["span"]) == ("notes/list.md", "L3")
    assert ada.json("import", "markdown", "notes/list.md")["data"]["changes"] == []


def test_a_note_becomes_a_page_that_says_nothing_of_its_own_standing(ada: Person) -> None:
    ada.write("bm/boats/Ferry.md", NOTE)
    ada.write("bm/boats/picture.png", b"\x89PNG")
    ada.do("import", "basic-memory", "bm")
    text = (ada.root / ".aiwg/wiki/basic-memory/boats/Ferry.md").read_text()
    assert "foreign_id: boats/ferry" in text
    assert "reviewed" not in text
    assert "moors at [[Quay]]" in text
    assert records(ada) == {}
    assert (ada.root / "bm/boats/Ferry.md").read_text() == NOTE


def test_observations_become_facts_when_that_is_asked_for(ada: Person) -> None:
    ada.write("bm/Ferry.md", NOTE)
    ada.do("import", "basic-memory", "bm", "--facts")
    (record,) = records(ada).values()
    assert record["tags"] == ["design", "boats", "wood"]
    assert ada.json("facts", "list")["data"]["facts"][0]["text"] == "The ferry has two decks (seen in May)"


def test_a_page_that_was_changed_here_is_left_as_it_is(ada: Person) -> None:
    ada.write("bm/Ferry.md", NOTE)
    ada.do("import", "basic-memory", "bm")
    page = ada.root / ".aiwg/wiki/basic-memory/Ferry.md"
    page.write_text(page.read_text() + "\nIt was painted.\n")
    preview = ada.json("import", "basic-memory", "bm", env={"AIWG_MEMORY_NOW": "2026-01-31T09:00:00Z"})["data"]
    assert preview["changes"] == []
    assert any("with another text" in note["message"] for note in preview["conflicts"])


def test_claude_files_are_facts_and_pages_and_private_instructions_only_when_named(ada: Person) -> None:
    ada.write("cl/MEMORY.md", "# Memory\n- [Tests](tests.md) - how they run\n- Use pnpm.\n")
    ada.write("cl/tests.md", "---\nname: tests\ntype: project\n---\n# Tests\n\n- Run make test.\n")
    ada.write("cl/ada.md", "---\nname: ada\ntype: user\n---\n- Ada likes tea.\n")
    ada.write("cl/CLAUDE.local.md", "- My own affair.\n")
    ada.write("cl/.credentials.json", "{}")
    ada.do("import", "claude", "cl", "--facts")
    texts = {one["text"] for one in ada.json("facts", "list")["data"]["facts"]}
    assert texts == {"Use pnpm.", "Run make test."}
    assert "classification: private" in (ada.root / ".aiwg/wiki/claude/ada.md").read_text()
    ada.do("import", "claude", "cl/CLAUDE.local.md")
    assert "My own affair." in {one["text"] for one in ada.json("facts", "list")["data"]["facts"]}


def test_without_a_name_it_is_what_claude_keeps_for_this_workspace(ada: Person) -> None:
    assert "name the folder" in ada.json("import", "claude", status=2)["error"]["hint"]
    folder = ada.home / ".claude/projects" / "".join(c if c.isalnum() and c.isascii() else "-" for c in str(ada.root))
    (folder / "memory").mkdir(parents=True)
    (folder / "memory/MEMORY.md").write_text("- Use pnpm.\n")
    ada.do("import", "claude")
    (record,) = records(ada).values()
    assert record["sources"] == []
    assert str(ada.home) not in str(record)


@pytest.mark.parametrize("name", [".env", "keys/id_rsa", "notes/../../outside.key"])
def test_a_protected_file_is_refused(ada: Person, name: str) -> None:
    path = ada.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    (ada.root / "notes").mkdir(exist_ok=True)
    path.write_text("- a\n")
    assert ada.run("import", "markdown", name).status == 4


def test_init_names_the_command_for_each_store_it_finds(tmp_path: Path) -> None:
    bob = Person(tmp_path, init=False)
    bob.write(".aiwg/memory/line-memory.meta.json", "{}")
    bob.write(".basic-memory/a.md", "# A\n")
    bob.write(".claude/agent-memory/reviewer/MEMORY.md", "- a\n")
    said = bob.run("init").out
    for command in ("import aiwg", "import basic-memory .basic-memory", "import claude .claude/agent-memory"):
        assert f"aiwg-memory {command}" in said
