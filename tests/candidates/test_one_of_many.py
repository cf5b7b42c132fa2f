"""Asked for one candidate, the store says of it what it says of it among all, however its records are written."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from aiwg_memory.addons.compound_memory.candidates.store import read
from aiwg_memory.core.candidates import RECORDS, candidate_id, fingerprint, text_digest
from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.records import Version, succeed
from aiwg_memory.core.rules.compound_samples import candidate
from aiwg_memory.core.tree import MemoryTree


def first(text: str) -> Version:
    value = {**candidate(), "digest": text_digest(text)}
    value["handle"] = candidate_id(value["type"], value["digest"], value["evidence"])
    value = {name: value[name] for name in value if name not in ("version", "previous", "fingerprint")}
    return succeed((), {**value, "fingerprint": fingerprint(value)})


def decided(version: Version, status: str) -> Version:
    return succeed((version,), {"status": status, "at": "2026-02-01T08:00:00Z"})


def escaped(version: Version) -> bytes:
    plain = canonical_json(version.value)
    return plain.replace(json.dumps(version.handle)[1:5].encode(), b"\\u0063and")


TEXTS = st.lists(st.sampled_from(["One.", "Two.", "Three.", "Four."]), min_size=1, max_size=4, unique=True)
STATES = st.lists(st.sampled_from(["accepted", "rejected", "deferred"]), max_size=2, unique=True)


@given(TEXTS, STATES, st.booleans(), st.booleans())
def test_one_is_what_it_is_among_all(texts: list[str], states: list[str], gathered: bool, spelt_out: bool) -> None:
    begun = [first(text) for text in texts]
    versions = [*begun, *(decided(one, state) for one in begun for state in states)]
    rows = [escaped(one) if spelt_out else canonical_json(one.value) for one in versions]
    files = {f"{RECORDS}/202601{n:02d}T080000Z-{n:012x}.jsonl": row + b"\n" for n, row in enumerate(rows, 1)}
    if gathered:
        files = {f"{RECORDS}/202601-{7:012x}.jsonl": b"".join(sorted(files.values()))}
    tree = MemoryTree(files)
    whole = read(tree)
    assert len(whole.heads) == len(texts)
    for handle in whole.heads:
        assert read(tree, [handle]).heads[handle] == whole.heads[handle]
        assert handle in read(tree, [handle[:9]]).heads
