"""JSON that only a hostile or broken program writes is a finding or nothing, wherever it lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from person import Person

PLACES = (
    ".aiwg/memory/facts.d/20260101T000000Z-000000000000.jsonl",
    ".aiwg/memory/candidates.d/20260101T000000Z-000000000000.jsonl",
    ".aiwg/wiki/raw.d/20260101T000000Z-000000000000.jsonl",
    ".aiwg/memory/outputs.d/20260101T000000Z-000000000000.jsonl",
    ".aiwg/receipts.d/20260101T000000Z-000000000000.jsonl",
    ".aiwg/outbox.d/20260101T000000Z-000000000000.jsonl",
    ".aiwg/pins/root-cdb4ee2a/0001-000000000000.json",
    ".aiwg/.local/deliveries.jsonl",
    ".aiwg/.local/recency.jsonl",
    ".aiwg/.local/inbox/0123456789abcdef.json",
)
VALUES = (
    b"[" * 970 + b"]" * 970,
    b'{"handle":"lm_0123456789abcdef","x":' + b'{"a":' * 940 + b"1" + b"}" * 941,
    b"[" * 100_000,
    b'{"at":NaN,"handles":[[]],"items":7}',
    b'{"at":"2026-01-01T00:00:00Z","handles":[[]],"items":{"a":1}}',
    b'{"at":"2026-01-01T00:00:00Z","handles":9}',
    b'"\\ud800"',
    b"9" * 5000,
    b"null",
)


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> Person:
    ada = Person(tmp_path_factory.mktemp("hostile"))
    ada.do("add", "Builds run on Linux.")
    ada.run("context", "builds")
    return ada


@pytest.mark.parametrize("place", PLACES)
def test_no_command_fails_over_it(ada: Person, place: str) -> None:
    path = Path(ada.root) / place
    before = path.read_bytes() if path.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    for value in VALUES:
        path.write_bytes(value + b"\n")
        found = ada.run("check")
        assert found.status == (0 if ".local" in place else 1), (value[:60], found.out, found.err)
        for command in (["status"], ["context", "builds"], ["why", "builds"], ["facts", "list"], ["review"]):
            assert ada.run(*command).status in (0, 2, 5), (command, value[:60])
    path.unlink() if before is None else path.write_bytes(before)


def test_a_kept_request_that_is_none_is_told_of(ada: Person) -> None:
    (path,) = (Path(ada.root) / ".aiwg/.local/packs").glob("pack_*.json")
    before = path.read_bytes()
    for value in (*VALUES, b"7", b"[]", b'{"task":"builds"}', b'{"task":1,"request":[]}'):
        path.write_bytes(value + b"\n")
        found = ada.run("pack", "verify", path.stem)
        assert found.status in (1, 2, 5), (value[:60], found.out, found.err)
    path.write_bytes(before)
