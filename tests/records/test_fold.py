"""What is current does not depend on how the lines came together."""

from __future__ import annotations

import random

import pytest
from drawn import DECISIONS, first, histories
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, fold, gather, join, parse_segment, render_segment, restriction, succeed

moderate = settings(max_examples=60)


@moderate
@given(histories(), st.randoms(use_true_random=False), st.integers(1, 5))
def test_order_repetition_and_files_of_the_lines_do_not_matter(
    lines: list[Version], chance: random.Random, pieces: int
) -> None:
    mixed = lines + chance.choices(lines, k=3)
    chance.shuffle(mixed)
    read: list[Version] = []
    for piece in range(pieces):
        data = b"".join(line.canonical + b"\n" for line in mixed[piece::pieces])
        versions, findings = parse_segment(RepoPath(f".aiwg/x.d/{piece}.jsonl"), data)
        assert not findings
        read += versions
    assert fold(read) == fold(lines)


@moderate
@given(histories(), st.integers(0, 12))
def test_two_branches_merged_hold_what_all_lines_hold(lines: list[Version], cut: int) -> None:
    ours, theirs = render_segment(lines[:cut]), render_segment(lines[cut // 2 :])
    path = RepoPath("a.jsonl")
    merged = parse_segment(path, ours)[0] + parse_segment(path, theirs)[0]
    assert fold(merged) == fold(lines)


@moderate
@given(histories())
def test_every_handle_has_a_head_and_heads_are_named_by_nobody(lines: list[Version]) -> None:
    folded = fold(lines)
    assert list(folded) == sorted({line.handle for line in lines})
    for handle, head in folded.items():
        named = {name for line in lines if line.handle == handle for name in line.previous}
        expected = {line.digest for line in lines if line.handle == handle} - named
        assert {one.digest for one in head.heads} == expected
        assert head.current == min(head.heads, key=restriction)


@moderate
@given(histories())
def test_gathering_a_month_changes_nothing_and_drops_no_line(lines: list[Version]) -> None:
    segments = {
        RepoPath(f".aiwg/x.d/202602{day:02}T100000Z-0123456789ab.jsonl"): lines[day - 1].canonical + b"\n"
        for day in range(1, len(lines) + 1)
    }
    name, data = gather(segments)
    assert name.startswith("202602-")
    kept, findings = parse_segment(RepoPath(name), data)
    assert not findings
    assert {one.canonical for one in kept} == {one.canonical for one in lines}
    assert fold(kept) == fold(lines)
    assert gather({RepoPath(name): data}) == (name, data)


@moderate
@given(st.lists(DECISIONS, min_size=2, max_size=4))
def test_an_equal_decision_taken_on_several_branches_is_one_head(decisions: list[dict[str, object]]) -> None:
    start = first()
    same = {name: decisions[0][name] for name in ("status", "review", "scope")}
    lines = [succeed((start,), {**decision, **same}) for decision in decisions]
    head = fold([start, *lines])[start.handle]
    assert not head.fork
    assert head.current.at == min(line.at for line in lines)
    assert {source["ref"] for source in head.current.list("sources")} == {
        source["ref"] for line in lines for source in line.list("sources")
    }
    after = succeed((lines[-1],), {"status": "removed"})
    assert fold([start, *lines, after])[start.handle].heads == (after,)


def test_the_digest_covers_the_decision_and_nothing_else() -> None:
    one = first()
    for name in ("at", "seg", "reviewer", "reason", "classification", "expires_at", "unknown"):
        assert first(**{name: "2027-01-01T00:00:00Z"}).digest == one.digest
    assert first(sources=[{"ref": "x"}], parents=["lm_0"], dependencies={"state": "unknown"}).digest == one.digest
    for name in ("status", "digest", "replacement", "kind", "scope", "delivery", "review", "provenance", "epoch"):
        assert first(**{name: "another"}).digest != one.digest
    assert first("other").digest != one.digest
    assert succeed((one,), {}).digest != one.digest


def test_of_joined_lines_the_stricter_dates_and_classification_stand() -> None:
    lines = [
        first(at="2026-01-02T00:00:00Z", reason="later", expires_at="2027-01-01T00:00:00Z", classification="private"),
        first(at="2026-01-01T00:00:00Z", reason="first", expires_at="2028-01-01T00:00:00Z", classification="public"),
        first(at="2026-01-03T00:00:00Z", dependencies={"state": "revoked", "leaves": [{"ref": "a"}]}, extra=1),
    ]
    for order in (lines, lines[::-1]):
        joined = join(order)
        assert (joined.at, joined.text("reason")) == ("2026-01-01T00:00:00Z", "first")
        assert joined.text("expires_at") == "2027-01-01T00:00:00Z"
        assert joined.text("classification") == "private"
        assert joined.object("dependencies")["state"] == "revoked"
        assert joined.value["extra"] == 1


RANKS = [
    ({"status": "revoked"}, {"status": "removed"}),
    ({"status": "removed"}, {"status": "superseded"}),
    ({"status": "merged"}, {"status": "archived"}),
    ({"status": "archived"}, {"status": "expired"}),
    ({"status": "expired"}, {"status": "active"}),
    ({"status": "something-new"}, {"status": "active"}),
    ({"review": "rejected"}, {"review": "pending"}),
    ({"review": "pending"}, {"review": "confirmed"}),
    ({"scope": "session:1"}, {"scope": "path:src"}),
    ({"scope": "path:src/deep"}, {"scope": "path:src"}),
    ({"scope": "path:src"}, {"scope": "project:p"}),
    ({"scope": "project:p"}, {"scope": "global"}),
    ({"status": "archived", "review": "confirmed"}, {"status": "active", "review": "rejected"}),
    ({"delivery": "on_demand"}, {"delivery": "always"}),
]


@pytest.mark.parametrize(("stricter", "looser"), RANKS)
def test_of_a_fork_readers_take_the_stricter_side(stricter: dict[str, str], looser: dict[str, str]) -> None:
    start = first(review="confirmed")
    one, two = succeed((start,), stricter), succeed((start,), {"kind": "note", **looser})
    head = fold([two, start, one])[start.handle]
    assert head.current == one
    assert head.fork == (one, two)


def test_a_version_that_names_all_heads_settles_the_fork() -> None:
    start = first()
    heads = [succeed((start,), {"status": status}) for status in ("active", "archived", "removed")]
    settled = succeed(heads, {})
    assert settled.version == 3
    assert settled.value["previous"] == sorted(head.digest for head in heads)
    assert fold([settled, start, *heads])[start.handle].heads == (settled,)
    assert succeed(heads[::-1], {"status": "active"}).digest == settled.digest


def test_a_long_chain_folds_without_walking_it() -> None:
    chain = [first()]
    for number in range(20_000):
        chain.append(succeed((chain[-1],), {"unknown": number}))
    assert fold(reversed(chain))[chain[0].handle].current == chain[-1]


@moderate
@given(histories())
def test_rendering_is_canonical_and_the_inverse_of_parsing(lines: list[Version]) -> None:
    data = render_segment(lines)
    versions, findings = parse_segment(RepoPath("a.jsonl"), data)
    assert not findings
    assert render_segment(reversed(versions)) == data
    assert [canonical_json(one.value) for one in versions] == data.splitlines()
