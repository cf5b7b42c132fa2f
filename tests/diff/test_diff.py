"""What a reviewer is told of a change: by meaning, bounded, and whatever stands in the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from person import Person
from pull_request import HOSTILE, pull_request

from aiwg_memory.core.changes.entry import ACTIONS, STORES, Entry, Report
from aiwg_memory.core.changes.markdown import MAX_LENGTH, markdown

GOLDEN = Path(__file__).parent / "golden.md"
LINK = "https://example.org/desk/blob/head"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Person, str, str]:
    return pull_request(tmp_path_factory.mktemp("pull"))


def test_the_comment_is_the_one_that_was_looked_at(made: tuple[Person, str, str]) -> None:
    person, first, last = made
    done = person.run("diff", f"{first}..{last}", "--format", "markdown", "--show-internal", "--link-to", LINK)
    assert done.status == 0, done
    assert done.out.replace(first[:12], "BASE").replace(last[:12], "HEAD") == GOLDEN.read_text("utf-8")


def test_what_is_not_public_is_named_by_handle_and_digest_only(made: tuple[Person, str, str]) -> None:
    person, first, last = made
    quiet = person.run("diff", f"{first}..{last}", "--format", "markdown").out
    told = person.run("diff", f"{first}..{last}", "--format", "markdown", "--show-internal").out
    here = person.run("diff", f"{first}..{last}").out
    asked = person.run("diff", f"{first}..{last}", "--show-internal").out
    data = person.json("diff", f"{first}..{last}", kind="diff_data.v1")["data"]
    assert "office code" not in quiet
    assert "office code" in told
    assert "office code" not in here
    assert "office code" in asked
    assert "staging database" not in quiet
    assert all("on leave" not in text for text in (quiet, told, here, asked))
    hidden = [entry for entry in data["entries"] if not entry["shown"]]
    assert len(hidden) == data["hidden"] == 4
    assert all("after" not in entry and entry["digest"] for entry in hidden)
    assert data["total"] >= 25


def test_the_same_change_gives_the_same_bytes_however_it_is_asked_for(made: tuple[Person, str, str]) -> None:
    person, first, last = made
    person.git("checkout", "-q", last)
    commits = person.json("diff", f"{first}..{last}")["data"]
    assert person.json("diff", f"{first}...{last}")["data"] == commits
    person.git("reset", "-q", "--soft", first)
    staged = person.json("diff", "--staged")["data"]
    assert {**staged, "head": last} == commits
    person.git("reset", "-q")
    disk = person.json("diff")["data"]
    person.git("checkout", "-q", "--force", last)
    assert {**disk, "head": last} == commits


def test_a_touched_file_with_the_same_bytes_is_no_change(made: tuple[Person, str, str]) -> None:
    person, _, last = made
    person.git("checkout", "-q", "--force", last)
    for path in sorted((person.root / ".aiwg/memory/facts").iterdir()):
        path.write_bytes(path.read_bytes())
    assert person.run("diff").out == "Nothing of memory or instructions differs.\n"


def test_a_cited_file_that_changes_is_told_where_its_digest_was_cited(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.write("src/a.py", "A = 1\n")
    person.do("ingest", "src/a.py")
    (raw,) = person.json("raw", "list")["data"]["raw"]
    front = f"sources:\n  - ref: src/a.py\n    digest: {raw['digest']}\n"
    person.write(".aiwg/wiki/a.md", f"---\n{front}---\n# A\n\nA is one.\n")
    person.git("add", "-A")
    person.git("commit", "-q", "-m", "one")
    person.write("src/a.py", "A = 2\n")
    (found,) = person.json("diff", kind="diff_data.v1")["data"]["breaks"]
    assert (found["ref"], found["what"], found["copy"]) == ("src/a.py", "changed", raw["handle"])
    assert [one["handle"] for one in found["holders"]] == ["wiki:a.md"]


def test_what_rests_on_a_retired_fact_and_what_is_always_delivered_is_told(tmp_path: Path) -> None:
    person = Person(tmp_path)
    (old,) = person.do("add", "The queue keeps its order.")["subjects"]
    (kept,) = person.do("add", "--delivery", "always", "Run the tests.")["subjects"]
    person.write(".aiwg/wiki/queue.md", f"---\nsources:\n  - ref: {old}\n---\n# Queue\n\nIn order.\n")
    person.git("add", "-A")
    person.git("commit", "-q", "-m", "one")
    person.environment["AIWG_MEMORY_NOW"] = "2026-02-01T08:00:00Z"
    person.do("facts", "revoke", old, "--reason", "it does not")
    person.do("add", "--delivery", "always", "Ask first.")
    data = person.json("diff", kind="diff_data.v1")["data"]
    assert [(one["ref"], one["what"], [h["handle"] for h in one["holders"]]) for one in data["breaks"]] == [
        (old, "retired", ["wiki:queue.md"])
    ]
    assert data["always"] == {"before": 14, "after": 24, "cap": 1000}
    assert kept not in {one["handle"] for one in data["entries"]}


def test_a_secret_typed_by_hand_is_not_handed_on(tmp_path: Path) -> None:
    person = Person(tmp_path)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    person.write(".aiwg/memory/line-memory.txt", f"The token is {secret[:40]}.\n")
    for how in (("--json",), ("--format", "markdown"), ()):
        assert secret[:40] not in person.run("diff", "--show-internal", *how).out


def test_two_branches_that_decided_differently_are_looked_at_first(tmp_path: Path) -> None:
    person = Person(tmp_path)
    (fact,) = person.do("add", "--classification", "public", "Builds are hermetic.")["subjects"]
    person.git("add", "-A")
    person.git("commit", "-q", "-m", "one")
    for number, verb in enumerate(("reject", "archive"), 1):
        person.git("checkout", "-q", "-b", verb, "main")
        person.environment["AIWG_MEMORY_NOW"] = f"2026-02-0{number}T08:00:00Z"
        person.do("facts", verb, fact)
        person.git("add", "-A")
        person.git("commit", "-q", "-m", verb)
    person.git("merge", "-q", "--no-edit", "reject")
    out = person.run("diff", "main..HEAD", "--format", "markdown").out
    assert "**Look at these first**" in out
    assert "decided differently on two branches" in out


def test_outside_git_and_for_no_revision_it_says_so(tmp_path: Path) -> None:
    person = Person(tmp_path, git=False)
    assert person.run("diff").status == 2
    assert Person(tmp_path / "in", init=True).run("diff", "nowhere..HEAD").status == 2
    assert person.run("diff", "--link-to", "javascript:x").status == 2


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.do("add", "One.")
    data = person.json("diff", kind="diff_data.v1")["data"]
    assert data["base"] == "nothing"
    assert [(one["store"], one["action"]) for one in data["entries"]] == [("facts", "added")]


SAID = st.one_of(st.text(max_size=400), st.just(HOSTILE), st.text("`@#<>[]()\\*_~|&;! \nahttps:/.", max_size=80))
ENTRY = st.builds(
    Entry, st.sampled_from(STORES), st.sampled_from(ACTIONS), SAID, SAID, SAID, st.sampled_from(("public", "private")),
    SAID, SAID, SAID, SAID, SAID, SAID, SAID, st.lists(SAID, max_size=12).map(tuple), st.integers(0, 9), st.booleans(),
    st.booleans(),
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(ENTRY, max_size=60), st.sampled_from(("", LINK)))
def test_no_text_of_the_store_is_more_than_code(entries: list[Entry], link: str) -> None:
    from markdown_it import MarkdownIt

    told = sorted(entries, key=lambda one: STORES.index(one.store))
    shown = markdown(Report("a" * 40, "b" * 40, tuple(told)), ("public",), link)
    assert len(shown) <= MAX_LENGTH
    tokens = MarkdownIt("commonmark", {"html": True}).parse(shown)
    for token in (one for outer in tokens for one in (outer, *(outer.children or ()))):
        assert token.type not in ("image", "fence", "code_block", "html_inline", "hr")
        if token.type == "html_block":
            assert set(_tags(token.content)) <= {"<details>", "</details>", "<summary>", "</summary>"}
        if token.type == "text":
            assert not set(token.content) & set("<>@#[]\\`")
        if token.type == "link_open":
            assert str(token.attrGet("href")).startswith(LINK)


def _tags(text: str) -> Iterator[str]:
    import re

    yield from re.findall("<[^>]*>", text)
