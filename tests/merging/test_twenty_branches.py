"""Twenty people work on twenty branches through the command line; stock git merges them one after another."""

from __future__ import annotations

import json
from pathlib import Path

from clone import Clone

BRANCHES = 20
SHARED = "Everyone agrees that releases are cut on Tuesdays."


def page(number: int) -> str:
    return (
        f"---\nsources:\n  - ref: https://example.org/{number}\n---\n# Topic {number}\n\nWhat branch {number} found.\n"
    )


def work(clone: Clone, number: int) -> None:
    """Three facts, one of them the same on every branch; one old fact archived; one page."""
    clone.do("add", f"Fact {number} of the first kind.", f"Fact {number} of the second kind.", SHARED)
    old = next(path for path in clone.facts() if path.read_text() == f"Old fact {number}.\n")
    clone.do("facts", "archive", f"lm_{old.stem}", "--reason", f"branch {number}")
    source = clone.root / f"../page-{number}.md"
    source.write_text(page(number))
    clone.do("wiki", "add", f"topic-{number}.md", "--file", str(source))


def test_nothing_conflicts_and_every_fact_is_there_once(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "desk")
    clone.do("add", *(f"Old fact {number}." for number in range(BRANCHES)))
    start = clone.commit("start")
    for number in range(BRANCHES):
        clone.git("checkout", "-q", "-b", f"branch-{number}", start)
        work(clone, number)
        clone.add()
        assert clone.rules("--staged") == ["orphan"], number
        clone.commit(f"branch {number}")
    clone.git("checkout", "-q", "main")
    for number in range(BRANCHES):
        merged = clone.git("merge", "-q", "--no-edit", f"branch-{number}", ok=False)
        assert merged.returncode == 0, merged.stdout + merged.stderr
    texts = [path.read_text() for path in clone.facts()]
    kinds = [f"Fact {number} of the {kind} kind.\n" for number in range(BRANCHES) for kind in ("first", "second")]
    assert sorted(texts) == sorted([*kinds, SHARED + "\n"])
    assert {path.name for path in (clone.root / ".aiwg/wiki").glob("topic-*.md")} == {
        f"topic-{number}.md" for number in range(BRANCHES)
    }
    assert [one for one in clone.check("--all") if one["severity"] == "error"] == []
    assert [one for one in clone.check("--range", f"{start}..HEAD") if one["severity"] == "error"] == []
    assert "unreviewed" not in clone.rules("--all")
    shown = json.loads(clone.tool("--json", "facts", "list", "--limit", "200").stdout)["data"]
    assert sorted(one["text"] for one in shown["facts"] if one["text"]) == sorted(text.strip() for text in texts)


def test_two_different_texts_of_one_page_conflict_as_they_should(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "desk")
    start = clone.commit("start")
    for number in (1, 2):
        clone.git("checkout", "-q", "-b", f"branch-{number}", start)
        source = clone.root / f"../page-{number}.md"
        source.write_text(page(number))
        clone.do("wiki", "add", "topic.md", "--file", str(source))
        clone.commit(f"branch {number}")
    merged = clone.git("merge", "-q", "--no-edit", "branch-1", ok=False)
    assert merged.returncode == 1
    assert "topic.md" in merged.stdout
    assert clone.git("diff", "--name-only", "--diff-filter=U").stdout.split() == [".aiwg/wiki/topic.md"]


def test_raw_evidence_of_twenty_branches_is_there_once_with_each_record_of_it(tmp_path: Path) -> None:
    """A source of its own on each branch, and one that every branch copied."""
    clone = Clone(tmp_path / "desk")
    shared = "What the supplier wrote.\n"
    start = clone.commit("start")
    for number in range(BRANCHES):
        clone.git("checkout", "-q", "-b", f"branch-{number}", start)
        clone.write(f"letters/{number}.txt", f"Letter {number}.\n")
        clone.write("letters/shared.txt", shared)
        clone.do("ingest", "letters")
        clone.add()
        assert clone.rules("--staged") == [], number
        clone.commit(f"branch {number}")
    clone.git("checkout", "-q", "main")
    for number in range(BRANCHES):
        merged = clone.git("merge", "-q", "--no-edit", f"branch-{number}", ok=False)
        assert merged.returncode == 0, merged.stdout + merged.stderr
    copies = [path.read_text() for path in (clone.root / ".aiwg/wiki/raw").iterdir()]
    assert sorted(copies) == sorted([*(f"Letter {number}.\n" for number in range(BRANCHES)), shared])
    assert clone.rules("--range", f"{start}..HEAD") == []
    assert clone.rules("--all") == []
