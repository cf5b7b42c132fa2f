"""Which decision is possible in which state, and what it makes of the fact."""

from __future__ import annotations

import pytest
from desk_of import LIN, Facts, file_of, handle

from aiwg_memory.errors import Refused, UsageError

T = "Release from main"

# how a fact comes into each state
WAYS = {
    "pending": (),
    "confirmed": ("confirm",),
    "rejected": ("reject",),
    "archived": ("archive",),
    "removed": ("remove",),
    "revoked": ("revoke",),
    "expired": ("expire",),
    "origin_unavailable": ("origin-unavailable",),
    "superseded": ("supersede",),
    "merged": ("merge",),
}

# decision -> state -> (status, review) after it; "same" nothing to do; "no" refused
ACTIVE, LIVE, ENDED = ("pending", "confirmed", "rejected"), ("expired", "origin_unavailable"), ("superseded", "revoked")
TABLE: dict[str, dict[str, tuple[str, str] | str]] = {
    "confirm": {
        "pending": ("active", "confirmed"), "confirmed": "same", "rejected": ("active", "confirmed"), "archived": "no",
        "removed": "no", "revoked": "no", "expired": "no", "origin_unavailable": "no", "superseded": "no",
    },
    "reject": {
        "pending": ("active", "rejected"), "confirmed": ("active", "rejected"), "rejected": "same", "archived": "no",
        "removed": "no", "revoked": "no", "expired": "no", "origin_unavailable": "no", "superseded": "no",
    },
    "archive": {
        "pending": ("archived", "pending"), "confirmed": ("archived", "confirmed"),
        "rejected": ("archived", "rejected"), "archived": "same", "removed": "no", "revoked": "no",
        "expired": ("archived", "pending"), "origin_unavailable": ("archived", "pending"), "superseded": "no",
    },
    "remove": {
        "pending": ("removed", "pending"), "confirmed": ("removed", "confirmed"), "rejected": ("removed", "rejected"),
        "archived": ("removed", "pending"), "removed": "same", "revoked": "no", "expired": ("removed", "pending"),
        "origin_unavailable": ("removed", "pending"), "superseded": "no",
    },
    "revoke": {
        "pending": ("revoked", "pending"), "confirmed": ("revoked", "confirmed"), "rejected": ("revoked", "rejected"),
        "archived": ("revoked", "pending"), "removed": ("revoked", "pending"), "revoked": "same",
        "expired": ("revoked", "pending"), "origin_unavailable": ("revoked", "pending"),
        "superseded": ("revoked", "pending"),
    },
    "expire": {
        "pending": ("expired", "pending"), "confirmed": ("expired", "confirmed"), "rejected": ("expired", "rejected"),
        "archived": "no", "removed": "no", "revoked": "no", "expired": "same",
        "origin_unavailable": ("expired", "pending"), "superseded": "no",
    },
    "origin-unavailable": {
        "pending": ("origin_unavailable", "pending"), "confirmed": ("origin_unavailable", "confirmed"),
        "rejected": ("origin_unavailable", "rejected"), "archived": "no", "removed": "no", "revoked": "no",
        "expired": ("origin_unavailable", "pending"), "origin_unavailable": "same", "superseded": "no",
    },
    "restore": {
        "pending": "same", "confirmed": "same", "rejected": ("active", "pending"), "archived": ("active", "pending"),
        "removed": ("active", "pending"), "revoked": ("active", "pending"), "expired": ("active", "pending"),
        "origin_unavailable": ("active", "pending"), "superseded": ("active", "pending"),
    },
}  # fmt: skip
CASES = [
    (kind, state, after)
    for kind, row in TABLE.items()
    for state, after in {**row, "merged": row["superseded"]}.items()  # both gave way to another
]


def brought_to(state: str) -> Facts:
    facts = Facts()
    facts.do("add", texts=[T])
    for way in WAYS[state]:
        others = ["Release from stable"] if way == "merge" else []
        if others:
            facts.do("add", texts=others)
        facts.decide(way, T, *others, **({"texts": ["Cut from stable"]} if way in ("supersede", "merge") else {}))
    return facts


@pytest.mark.parametrize(("kind", "state", "after"), CASES)
def test_every_decision_in_every_state(kind: str, state: str, after: tuple[str, str] | str) -> None:
    facts = brought_to(state)
    before = dict(facts.files)
    arguments = {"texts": [T], "acknowledged": [handle(T)]} if kind == "restore" else {}
    if after == "no":
        with pytest.raises(UsageError, match=f"is {state if state not in ACTIVE else 'active'}; {kind} takes"):
            facts.decide(kind, T, reviewer=LIN, **arguments)
    elif after == "same":
        plan = facts.decide(kind, T, **arguments)
        assert plan.changes == ()
        assert "already" in plan.duplicates[0].message
        assert facts.files == before
    else:
        version = facts.now(T).version
        facts.decide(kind, T, reviewer=LIN, reason="because", **arguments)
        now = facts.now(T)
        assert (now.status, now.text("review")) == after
        assert (now.version, now.text("reviewer"), now.text("reason")) == (version + 1, LIN, "because")
        lives = after[0] in ("active", "expired", "origin_unavailable")
        assert (file_of(T) in facts.files) == lives
        assert not facts.store.heads[handle(T)].fork


@pytest.mark.parametrize("kind", sorted(TABLE))
def test_a_wrong_expected_version_is_refused_whatever_the_decision(kind: str) -> None:
    facts = brought_to("pending")
    for expected in (0, 2, "sha256:" + "0" * 64):
        with pytest.raises(UsageError) as caught:
            facts.plan(kind, targets=[{"handle": handle(T), "expected": expected}])
        assert caught.value.code == "wrong-version"
    with pytest.raises(UsageError, match="no fact lm_0000000000000000"):
        facts.plan(kind, targets=[{"handle": "lm_0000000000000000", "expected": 1}])
    with pytest.raises(UsageError, match="'targets' is missing"):
        facts.plan(kind)


def test_the_expected_version_may_be_its_digest() -> None:
    facts = brought_to("pending")
    digest = facts.now(T).digest
    assert facts.plan("confirm", targets=[{"handle": handle(T), "expected": digest}]).changes


@pytest.mark.parametrize(("kind", "status", "review"), [
    ("confirm", "active", "confirmed"), ("reject", "active", "rejected"), ("archive", "archived", "pending"),
    ("remove", "removed", "pending"), ("revoke", "revoked", "pending"), ("expire", "expired", "pending"),
])  # fmt: skip
def test_a_fact_without_a_record_gets_its_first_with_the_decision(kind: str, status: str, review: str) -> None:
    facts = Facts({".aiwg/memory/line-memory.txt": b"Release from main\nother\n"})
    facts.decide(kind, T)
    now = facts.now(T)
    assert (now.version, now.status, now.text("review"), now.text("provenance")) == (1, status, review, "external")
    assert facts.files[".aiwg/memory/line-memory.txt"] == b"other\n"
    assert (file_of(T) in facts.files) == (status in ("active", "expired"))


def test_several_facts_are_decided_together_and_all_problems_are_said_together() -> None:
    facts = Facts()
    facts.do("add", texts=["a", "b", "c"])
    facts.decide("archive", "c")
    plan = facts.plan("confirm", targets=[facts.target("a"), facts.target("b")])
    assert plan.summary == "confirm 2 facts: “a” …"
    wrong = [{"handle": handle("a"), "expected": 7}, facts.target("b"), facts.target("c")]
    with pytest.raises(UsageError) as caught:
        facts.plan("confirm", targets=wrong)
    assert [found.rule for found in caught.value.findings] == ["wrong-version", "transition"]
    with pytest.raises(UsageError, match="stands twice"):
        facts.plan("confirm", targets=[facts.target("a"), facts.target("a")])


def test_restoring_needs_the_text_and_an_ended_fact_needs_to_be_acknowledged() -> None:
    facts = brought_to("archived")
    with pytest.raises(UsageError, match="is gone with its file"):
        facts.decide("restore", T)
    with pytest.raises(UsageError, match="none of the facts to restore"):
        facts.decide("restore", T, texts=[T, "something else"])
    facts.decide("restore", T, texts=[T])
    assert facts.files[file_of(T)] == T.encode() + b"\n"
    facts.decide("revoke", T)
    with pytest.raises(Refused, match="was revoked by"):
        facts.decide("restore", T, texts=[T])


def test_a_verdict_needs_the_text_that_it_is_about() -> None:
    facts = brought_to("pending")
    del facts.files[file_of(T)]
    with pytest.raises(UsageError, match="is gone"):
        facts.decide("confirm", T)
    facts.decide("archive", T)
    assert facts.now(T).status == "archived"


def test_a_record_of_a_newer_tool_is_read_and_not_replaced() -> None:
    facts = brought_to("pending")
    (path,) = [path for path in facts.files if path.endswith(".jsonl")]
    data = facts.files[path]
    assert data is not None
    facts.files[path] = data.replace(b"aiwg.fact_record.v1", b"aiwg.fact_record.v2")
    assert facts.now(T).status == "active"
    with pytest.raises(UsageError, match="newer tool"):
        facts.decide("confirm", T)
    with pytest.raises(UsageError, match="newer tool"):
        facts.do("add", texts=[T], sources=[{"ref": "a"}])


def test_a_hand_typed_secret_is_not_confirmed_and_may_be_taken_out() -> None:
    secret = "the deploy token is ghp_" + "k3Jd82HsPq0LmZx7Vt5YwRb1NcGf4TuEa9Xo"
    facts = Facts({".aiwg/memory/line-memory.txt": secret.encode() + b"\n"})
    with pytest.raises(Refused):
        facts.decide("confirm", secret)
    facts.decide("remove", secret)
    assert facts.now(secret).status == "removed"
