"""A source is taken in whole and exact, once, with where it came from; or nothing is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wiki_samples import ADA, AT, applied, done, findings, plan, request, rules, source

from aiwg_memory.addons.llm_wiki.drafting import draft
from aiwg_memory.addons.llm_wiki.ingesting import public_locator
from aiwg_memory.addons.llm_wiki.layout import raw_handle
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.document import parse_document
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.errors import NotFound, Refused, UsageError

NOTES = b"# Notes\r\n\r\nTags start the build.\r\n"
FILES: dict[str, bytes | None] = {"notes/a.md": NOTES, "notes/b.md": NOTES, "notes/c.bin": b"\xff\xfe\0\1"}
COPY = f".aiwg/wiki/raw/{short(digest(NOTES))}-a.md"


def test_a_source_is_copied_byte_for_byte_and_recorded() -> None:
    asked = request("ingest", sources=[source(NOTES)], classification="private")
    made = plan(FILES, asked)
    record, copy = made.changes
    assert (copy.path, copy.after, copy.read_only) == (COPY, NOTES, True)
    assert record.path == f".aiwg/wiki/raw.d/{asked.seg}.jsonl"
    assert made.subjects == (raw_handle(digest(NOTES)),)
    line = json.loads(record.after or b"")
    assert line["sources"] == [{"ref": "notes/a.md", "digest": digest(NOTES), "span": None}]
    kept = {
        key: line[key]
        for key in ("bytes", "source_kind", "route", "classification", "at", "reviewer", "status", "name")
    }
    assert kept == {
        "bytes": len(NOTES), "source_kind": "file", "route": "ingest", "classification": "private", "at": AT,
        "reviewer": ADA, "status": "active", "name": "a.md",
    }  # fmt: skip
    after = applied(FILES, made)
    assert after["notes/a.md"] == NOTES
    assert findings(after) == []


def test_the_same_bytes_are_a_duplicate_under_whatever_name() -> None:
    after = done(FILES, "ingest", sources=[source(NOTES)])
    for locator in ("notes/a.md", "notes/b.md", "https://example.org/x.md"):
        again = plan(
            after, request("ingest", "2026-06-01T00:00:00Z", {digest(NOTES): NOTES}, sources=[source(NOTES, locator)])
        )
        assert again.changes == ()
        assert [note.subject for note in again.duplicates] == [raw_handle(digest(NOTES))]
    both = plan(FILES, request("ingest", sources=[source(NOTES), source(NOTES, "notes/b.md")]))
    assert len(both.changes) == 2
    assert len(both.duplicates) == 1


def test_a_copy_that_vanished_is_put_back() -> None:
    after = done(FILES, "ingest", sources=[source(NOTES)])
    del after[COPY]
    assert ("raw-vanished", COPY.removeprefix(".aiwg/wiki/")) in rules(after)
    repaired = done(after, "ingest", sources=[source(NOTES, "notes/b.md")])
    assert repaired[COPY] == NOTES
    assert rules(repaired) == set()


def test_bytes_handed_over_need_no_file() -> None:
    data = b"typed\n"
    made = plan(
        {}, request("ingest", inputs={digest(data): data}, sources=[source(data, "https://u:p@example.org/a?q#f")])
    )
    assert json.loads(made.changes[0].after or b"")["sources"][0]["ref"] == "https://example.org/a"


@pytest.mark.parametrize(
    ("locator", "name", "stored"),
    [
        ("notes/a.md", "a.md", "notes/a.md"),
        ("/home/ada/a.md", "a.md", "a.md"),
        ("~/a.md", "a.md", "a.md"),
        ("~ada/a.md", "a.md", "a.md"),
        ("../other/a.md", "a.md", "a.md"),
        ("C:\\Users\\ada\\a.md", "a.md", "a.md"),
        ("c:/Users/ada/a.md", "a.md", "a.md"),
        ("\\\\host\\share\\a.md", "a.md", "a.md"),
        ("file:///home/ada/a.md", "a.md", "a.md"),
        ("/home/ada/a.md", "/home/ada/a.md", "a.md"),
        ("https://example.org/a.md?token=1#x", "a.md", "https://example.org/a.md"),
        ("https://ada:pw@example.org:8443/a", "a", "https://example.org:8443/a"),
        ("HTTPS://example.org", "a", "https://example.org"),
        ("ssh://git@example.org/r.git", "r", "ssh://example.org/r.git"),
    ],
)
def test_a_stored_locator_tells_nothing_about_a_person(locator: str, name: str, stored: str) -> None:
    assert public_locator(locator, name) == stored


@settings(max_examples=300)
@given(st.text(max_size=40) | st.from_regex(r"[a-z]{2,6}://[a-z:@/?#~.]{0,30}", fullmatch=True))
def test_no_locator_keeps_an_absolute_path_a_user_a_query_or_a_fragment(locator: str) -> None:
    stored = public_locator(locator, "name")
    assert not stored.startswith(("/", "~", "\\"))
    if "://" in stored:
        assert not set("?#@") & set(stored.partition("://")[2].partition("/")[0])
        assert "?" not in stored
        assert "#" not in stored


@pytest.mark.parametrize("locator", [".env", "config/.env.local", "keys/id_rsa", ".git/config"])
def test_protected_sources_are_refused(locator: str) -> None:
    with pytest.raises(Refused) as caught:
        plan({}, request("ingest", inputs={digest(NOTES): NOTES}, sources=[source(NOTES, locator)]))
    assert [finding.to_json()["rule"] for finding in caught.value.findings] == ["protected-source"]


SECRET = b"first\naws_secret = AKIA" + b"QYLPMN5HFIQR7XYA" + b"\n"


def test_secrets_are_refused_or_taken_out_when_asked() -> None:
    inputs = {digest(SECRET): SECRET}
    with pytest.raises(Refused) as caught:
        plan({}, request("ingest", inputs=inputs, sources=[source(SECRET, "x.txt")]))
    assert "QYLPMN5HFIQR7XYA" not in str(caught.value)
    made = plan({}, request("ingest", inputs=inputs, sources=[source(SECRET, "x.txt")], redact=True))
    record, copy = (change.after or b"" for change in made.changes)
    assert b"QYLPMN5HFIQR7XYA" not in copy + record
    line = json.loads(record)
    assert line["redacted"] is True
    assert (line["digest"], line["sources"][0]["digest"]) == (digest(copy), digest(SECRET))
    with pytest.raises(Refused):
        plan(
            {},
            request("ingest", inputs={digest(b"\xff" + SECRET): b"\xff" + SECRET}, sources=[source(b"\xff" + SECRET)]),
        )


def test_one_bad_source_leaves_nothing_of_the_others_and_all_are_told() -> None:
    sources = [source(NOTES), source(b"gone", "notes/gone.md"), source(b"other", "notes/a.md"), source(b"x", "y\n/z")]
    with pytest.raises(UsageError) as caught:
        plan(FILES, request("ingest", sources=sources))
    assert len(caught.value.findings) == 3


def test_size_is_bounded_by_the_settings() -> None:
    files = {**FILES, ".aiwg/config.yaml": b"sources:\n  max_bytes: 1024\n", "big.md": b"x" * 1025}
    assert plan(files, request("ingest", sources=[source(NOTES)])).changes
    with pytest.raises(Refused, match="1024"):
        plan(files, request("ingest", sources=[source(b"x" * 1025, "big.md")]))


def test_binary_sources_keep_their_bytes() -> None:
    after = done(FILES, "ingest", sources=[source(b"\xff\xfe\0\1", "notes/c.bin")])
    assert b"\xff\xfe\0\1" in [data for path, data in after.items() if "/raw/" in path]
    assert findings(after) == []


def test_what_was_ended_comes_back_only_when_that_is_acknowledged() -> None:
    first = plan(FILES, request("ingest", sources=[source(NOTES)]))
    after = applied(FILES, first)
    receipt = {
        "kind": "wiki.ingest", "seg": first.request.seg, "changes": [change.to_json() for change in first.changes],
    }  # fmt: skip
    gone = applied(after, plan(after, request("undo", "2026-06-01T00:00:00Z", receipt=receipt)))
    assert COPY not in gone
    assert rules(gone, after) == set()
    handle = raw_handle(digest(NOTES))
    with pytest.raises(Refused, match="removed"):
        plan(gone, request("ingest", "2026-07-01T00:00:00Z", sources=[source(NOTES)]))
    back = plan(gone, request("ingest", "2026-07-01T00:00:00Z", sources=[source(NOTES)], acknowledged=[handle]))
    assert rules(applied(gone, back)) == set()


def test_two_branches_that_take_in_the_same_bytes_have_nothing_to_merge() -> None:
    ours = done(FILES, "ingest", sources=[source(NOTES, kind="file")])
    theirs = applied(
        FILES,
        plan(FILES, request("ingest", "2026-05-02T00:00:00Z", sources=[source(NOTES, "notes/b.md", kind="text")])),
    )
    assert not [path for path in ours if path in theirs and ours[path] != theirs[path]]
    merged = {**ours, **theirs}
    assert rules(merged) == set()
    assert rules(merged, ours) == rules(merged, theirs) == set()
    for locator in ("notes/a.md", "notes/b.md"):
        assert not plan(merged, request("ingest", "2026-06-01T00:00:00Z", sources=[source(NOTES, locator)])).changes


def test_equal_requests_give_equal_plans() -> None:
    asked = request("ingest", sources=[source(NOTES)])
    assert plan(FILES, asked).operation_id == plan(dict(reversed(FILES.items())), asked).operation_id


def test_a_draft_is_the_skeleton_of_the_sources_headings() -> None:
    data = "# Überblick\n\ntext\n\n## Lager: neu\n\na\nb\n\n# Ende\n".encode()
    after = done({"ü.md": data}, "ingest", sources=[source(data, "ü.md")], classification="public")
    page = draft(MemoryTree(after), "ü.md")
    document, problems = parse_document("p", page.encode())
    assert problems == ()
    assert document.front == {
        "title": "Überblick",
        "sources": [{"ref": "ü.md", "digest": digest(data)}],
        "classification": "public",
    }
    assert [line for line in page.split("\n") if line.startswith("#")] == ["# Überblick", "## Lager: neu", "## Ende"]
    assert "from L6-L9" in page
    assert page == draft(MemoryTree(after), raw_handle(digest(data)))
    with pytest.raises(NotFound):
        draft(MemoryTree(after), "other.md")
