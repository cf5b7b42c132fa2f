"""What was taken in can be withdrawn or forgotten; what rested on it is named, and nothing vanishes without a trace."""

from __future__ import annotations

from typing import Any

import pytest
from wiki_samples import CATALOG, PAGE, applied, done, findings, plan, request, rules, source, target

from aiwg_memory.addons.llm_wiki.layout import raw_handle
from aiwg_memory.addons.llm_wiki.sources import read_evidence
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.document import edit_front
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.errors import AiwgError, UsageError

NOTES = b"notes\n"
HANDLE = raw_handle(digest(NOTES))
COPY = f".aiwg/wiki/raw/{short(digest(NOTES))}-a.md"
LATER = "2026-06-01T00:00:00Z"
CITING = edit_front(PAGE, {"sources": [{"ref": "notes/a.md", "digest": digest(NOTES)}]})
FILES = done({CATALOG: CITING, "notes/a.md": NOTES}, "ingest", sources=[source(NOTES)])
RAW = [{"handle": HANDLE, "expected": 1}]


@pytest.mark.parametrize(
    ("verb", "status", "kept"),
    [
        ("remove-raw", "removed", False),
        ("revoke-raw", "revoked", False),
        ("origin-unavailable", "origin_unavailable", True),
    ],
)
def test_a_raw_copy_ends_with_a_record_and_who_rests_on_it_is_named(verb: str, status: str, kept: bool) -> None:
    made = plan(FILES, request(verb, LATER, raw=RAW, reason="asked to"))
    after = applied(FILES, made)
    current = read_evidence(MemoryTree(after)).heads[HANDLE].current
    assert (current.status, current.version, COPY in after) == (status, 2, kept)
    assert [(note.subject, note.message) for note in made.conflicts] == [
        ("wiki:storage/catalog.md", f"rests on {HANDLE}")
    ]
    assert not [each for each in findings(after, FILES) if each.severity == "error"]
    assert (("source-ended", "storage/catalog.md") in rules(after)) is not kept
    again = plan(after, request(verb, "2026-07-01T00:00:00Z", raw=[{"handle": HANDLE, "expected": 2}]))
    assert (again.changes, len(again.duplicates)) == ((), 1)


STATES = ("active", "origin_unavailable", "removed", "revoked", "forgotten")
SAME, REFUSED = "same", "refused"
# command -> what becomes of a raw copy in each of the states
COMMANDS = {
    "remove-raw": ("removed", "removed", SAME, "removed", "removed"),
    "revoke-raw": ("revoked", "revoked", "revoked", SAME, "revoked"),
    "origin-unavailable": (
        "origin_unavailable",
        SAME,
        "origin_unavailable",
        "origin_unavailable",
        "origin_unavailable",
    ),
    "forget": ("removed", "removed", "removed", "revoked", SAME),
    "ingest": (SAME, SAME, REFUSED, REFUSED, REFUSED),
    "ingest, acknowledged": (SAME, SAME, "active", "active", "active"),
}
CASES = [(verb, state, after) for verb, row in COMMANDS.items() for state, after in zip(STATES, row, strict=True)]


@pytest.mark.parametrize(("verb", "state", "wanted"), CASES)
def test_every_command_on_a_raw_copy_in_every_state(verb: str, state: str, wanted: str) -> None:
    ways = {"removed": "remove-raw", "revoked": "revoke-raw", "forgotten": "forget"}
    files = FILES if state == "active" else done(FILES, ways.get(state, "origin-unavailable"), raw=RAW)
    version = read_evidence(MemoryTree(files)).heads[HANDLE].current.version
    if verb.startswith("ingest"):
        more: dict[str, Any] = {"acknowledged": [HANDLE]} if "acknowledged" in verb else {}
        asked = request("ingest", LATER, sources=[source(NOTES)], **more)
    else:
        asked = request(verb, LATER, raw=[{"handle": HANDLE, "expected": version}])
    if wanted == REFUSED:
        with pytest.raises(AiwgError) as error:
            plan(files, asked)
        assert "ended-source" in [each.rule for each in error.value.findings]
        return
    made = plan(files, asked)
    after = applied(files, made)
    current = read_evidence(MemoryTree(after)).heads[HANDLE].current
    if wanted == SAME:
        assert (made.changes, len(made.duplicates), after) == ((), 1, files)
    else:
        assert (current.status, current.version) == (wanted, version + 1)
    assert not [each for each in findings(after, files) if each.severity == "error"]


def test_forgetting_takes_the_text_and_keeps_the_chain() -> None:
    made = plan(FILES, request("forget", LATER, targets=[target(FILES)], raw=RAW))
    after = applied(FILES, made)
    assert not [path for path, data in after.items() if path.startswith(".aiwg/") and (NOTES in data or PAGE in data)]  # type: ignore[operator]
    assert set(made.subjects) == {HANDLE, "wiki:storage/catalog.md"}
    assert {"commits" in note.message for note in made.conflicts} >= {True}
    current = read_evidence(MemoryTree(after)).heads[HANDLE].current
    assert (current.status, current.value["forgotten"], current.text("digest")) == ("removed", True, digest(NOTES))
    assert not [each for each in findings(after, FILES) if each.severity == "error"]


def test_a_stricter_end_stays_what_it_was_when_it_is_forgotten() -> None:
    revoked = done(FILES, "revoke-raw", raw=RAW)
    again = done(revoked, "forget", raw=[{"handle": HANDLE, "expected": 2}])
    assert read_evidence(MemoryTree(again)).heads[HANDLE].current.status == "revoked"


def test_ends_are_undone_to_the_byte_and_with_a_record() -> None:
    for verb, copies in (("revoke-raw", {digest(NOTES): NOTES}), ("origin-unavailable", {})):
        made = plan(FILES, request(verb, LATER, raw=RAW))
        ended = applied(FILES, made)
        receipt = {"kind": verb, "seg": made.request.seg, "changes": [each.to_json() for each in made.changes]}
        back = applied(ended, plan(ended, request("undo", "2026-07-01T00:00:00Z", copies, receipt=receipt)))
        current = read_evidence(MemoryTree(back)).heads[HANDLE].current
        assert (current.status, current.version, back[COPY]) == ("active", 3, NOTES)
        assert rules(back, ended) == set()
        with pytest.raises(UsageError, match="since"):
            plan(back, request("undo", "2026-08-01T00:00:00Z", copies, receipt=receipt))


def test_what_is_cited_or_forgotten_is_not_undone() -> None:
    taken = plan({CATALOG: CITING, "notes/a.md": NOTES}, request("ingest", sources=[source(NOTES)]))
    receipt = {"kind": "ingest", "seg": taken.request.seg, "changes": [each.to_json() for each in taken.changes]}
    with pytest.raises(UsageError, match="cited by"):
        plan(FILES, request("undo", LATER, receipt=receipt))
    gone = plan(FILES, request("forget", LATER, raw=RAW))
    receipt = {"kind": "forget", "seg": gone.request.seg, "changes": [each.to_json() for each in gone.changes]}
    with pytest.raises(UsageError, match="forgotten"):
        plan(applied(FILES, gone), request("undo", "2026-07-01T00:00:00Z", {digest(NOTES): NOTES}, receipt=receipt))


def test_what_was_not_shown_is_not_ended() -> None:
    for raw in ([{"handle": HANDLE, "expected": 2}], [{"handle": "raw_" + "0" * 16, "expected": 1}]):
        with pytest.raises(UsageError):
            plan(FILES, request("revoke-raw", LATER, raw=raw))
    with pytest.raises(UsageError, match="nothing to forget"):
        plan(FILES, request("forget", LATER))
