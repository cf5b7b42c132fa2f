"""Values end, come back and are undone, and through all of it history is only added to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keys_of import HARBOUR, Keys

from aiwg_memory.addons.canonical_context.checking import check
from aiwg_memory.addons.canonical_context.ending import ENDS
from aiwg_memory.addons.canonical_context.file import CHANGING
from aiwg_memory.addons.canonical_context.status import dependents, status, withheld
from aiwg_memory.errors import AiwgError, Refused, UsageError

STATES = ("active", "superseded", "archived", "expired", "revoked")


def rules(error: pytest.ExceptionInfo[AiwgError]) -> list[str]:
    return [finding.rule for finding in error.value.findings]


def prepared(state: str) -> Keys:
    """Version 1 is in ``state``; where it is superseded, version 2 is active."""
    keys = Keys()
    keys.set("Nine.")
    if state == "superseded":
        keys.set("Ten.", force=True)
    elif state != "active":
        keys.do({"archived": "archive", "expired": "expire", "revoked": "revoke"}[state])
    return keys


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", sorted(ENDS))
def test_every_end_from_every_state(kind: str, state: str) -> None:
    keys = prepared(state)
    becomes, begin = ENDS[kind]
    if state == becomes:
        assert keys.do(kind, version=1).changes == ()
    elif state in begin:
        assert keys.do(kind, version=1, reason="measured again").changes
        version = keys.file().get(1) or {}
        assert (version["status"], version["disposition"]["reason"]) == (becomes, "measured again")
        assert version["value"] == "Nine."
    else:
        with pytest.raises(UsageError) as error:
            keys.do(kind, version=1)
        assert rules(error) == ["transition"]


@pytest.mark.parametrize("kind", sorted(ENDS))
def test_what_is_not_there_does_not_end(kind: str) -> None:
    for keys, version in ((Keys(), 1), (prepared("active"), 2)):
        with pytest.raises(UsageError) as error:
            keys.do(kind, version=version)
        assert rules(error) == ["not-found"]


# what is set, where version 1 says "Nine.": what comes of it, or the rule that asks for a word first; by state
SETTING = {
    "Nine.": ("same", "canonical-conflict", "active", "active", "canonical-conflict"),
    "Twelve.": ("canonical-conflict", "canonical-conflict", "active", "active", "active"),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("value", sorted(SETTING))
def test_setting_in_every_state(value: str, state: str) -> None:
    keys = prepared(state)
    before, wanted = dict(keys.files), SETTING[value][STATES.index(state)]
    if wanted == "same":
        assert keys.set(value).changes == ()
        assert keys.files == before
        return
    if wanted != "active":
        with pytest.raises(Refused) as error:
            keys.set(value)
        assert rules(error) == [wanted]
        assert keys.files == before
    keys.set(value, force=wanted != "active")
    assert (keys.values()[-1], keys.states()[-1], keys.states().count("active")) == (value, "active", 1)
    assert keys.values()[0] == "Nine.", "history is only added to"


@pytest.mark.parametrize("state", STATES)
def test_going_back_from_every_state(state: str) -> None:
    keys = prepared(state)
    if state == "active":
        assert keys.do("rollback", to=1).changes == ()
        return
    if state == "revoked":
        with pytest.raises(Refused) as error:
            keys.do("rollback", to=1)
        assert rules(error) == ["canonical-conflict"]
    keys.do("rollback", to=1, acknowledged=[f"{HARBOUR.handle}:v1"] if state == "revoked" else [])
    assert (keys.values()[0], keys.values()[-1], keys.states()[-1]) == ("Nine.", "Nine.", "active")
    assert keys.states().count("active") == 1


def test_going_back_takes_over_the_sources_and_not_the_dates() -> None:
    keys = Keys()
    keys.set("Nine.", sources=[{"ref": "a.md"}], expires_at="2026-04-01", delivery="always")
    keys.set("Ten.", force=True)
    keys.do("rollback", to=1)
    active = keys.file().active or {}
    assert (active["sources"], active["delivery"], active.get("expires_at")) == ([{"ref": "a.md"}], "always", None)
    with pytest.raises(UsageError) as error:
        keys.do("rollback", to=9)
    assert rules(error) == ["not-found"]


def test_undo_says_again_what_stood_before() -> None:
    keys = Keys()
    first = keys.set("Nine.")
    second = keys.set("Ten.", force=True)
    keys.undo(second)
    assert (keys.values(), keys.states()) == (["Nine.", "Ten.", "Nine."], ["superseded", "superseded", "active"])
    with pytest.raises(UsageError) as error:
        keys.undo(first)
    assert rules(error) == ["changed-since"]


def test_undo_of_the_first_value_archives_it_and_undo_of_an_end_brings_it_back() -> None:
    keys = Keys()
    keys.undo(keys.set("Nine."))
    assert keys.states() == ["archived"]
    keys.set("Nine.")
    keys.undo(keys.do("revoke"))
    assert keys.states() == ["archived", "revoked", "active"]


def test_undo_without_the_bytes_it_replaced_says_so() -> None:
    keys = prepared("active")
    with pytest.raises(UsageError) as error:
        keys.undo(keys.do("archive"), lost=True)
    assert rules(error) == ["text-gone"]


def test_turning_it_on_is_undone_only_while_no_key_is_set() -> None:
    keys = Keys(started=False)
    plan = keys.do("init", place=None)
    keys.set("Nine.")
    with pytest.raises(UsageError) as error:
        keys.undo(plan)
    assert rules(error) == ["canonical-in-use"]
    other = Keys(started=False)
    other.undo(other.do("init", place=None))
    assert other.files == {}


DECISIONS = st.one_of(
    st.tuples(st.just("set"), st.sampled_from(["Nine.", "Ten.", "On a clear day:\n\n- eleven\n- twelve"])),
    st.tuples(st.just("renew"), st.integers(1, 9)),
    st.tuples(st.sampled_from(["archive", "expire", "revoke"]), st.integers(1, 5)),
    st.tuples(st.just("rollback"), st.integers(1, 5)),
    st.tuples(st.just("undo"), st.just(0)),
)


@settings(max_examples=60)
@given(st.lists(DECISIONS, max_size=12))
def test_whatever_is_decided_history_only_grows_and_one_version_at_most_is_active(decisions: list[tuple]) -> None:  # type: ignore[type-arg]
    keys = Keys()
    keys.set("Nine.")
    for kind, detail in decisions:
        before, tree = keys.file(), keys.tree
        try:
            made = _decide(keys, kind, detail)
        except AiwgError:
            assert keys.file() == before
            continue
        after = keys.file()
        assert made.changes or after == before
        for old in before.versions:
            new = after.get(old["version"]) or {}
            assert {k: v for k, v in new.items() if k not in CHANGING} == {
                k: v for k, v in old.items() if k not in CHANGING
            }
        assert 0 <= after.last - before.last <= (2 if kind == "undo" else 1)
        assert [one["status"] for one in after.versions].count("active") == (after.active is not None)
        assert check(keys.tree, tree) == []
    assert check(keys.tree, None) == []


def _decide(keys: Keys, kind: str, detail: object):  # type: ignore[no-untyped-def]
    if kind == "set":
        return keys.set(str(detail), force=True)
    if kind == "renew":
        return keys.set(keys.values()[-1], force=True, review_at=f"2027-01-0{detail}")
    if kind == "undo":
        return keys.undo(keys.set("Undone.", force=True))
    if kind == "rollback":
        number = int(str(detail))
        return keys.do("rollback", to=number, acknowledged=[f"{HARBOUR.handle}:v{number}"])
    return keys.do(kind, version=detail)


def altered(keys: Keys, old: bytes, new: bytes) -> list[str]:
    tree = keys.tree
    data = keys.files[HARBOUR.path] or b""
    assert old in data
    keys.files[HARBOUR.path] = data.replace(old, new, 1)
    return sorted({one.rule for one in check(keys.tree, tree)})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"status: superseded", b"status: active", ["canonical-active"]),
        (b"version: 1", b"version: 3", ["canonical-history"]),
        (b"value: Nine.", b"value: Nil.", ["canonical-edited", "canonical-history"]),
        (b"reviewer: ", b"reviewer: Mallory # ", ["canonical-history"]),
        (b"key: harbour.depth", b"key: harbour.width", ["canonical-path"]),
        (b"key: harbour.depth", b"key: system.depth", ["canonical-key"]),
        (b"scope: global", b"scope: user", ["schema"]),
        (b"classification: internal", b"classification: private", ["schema"]),
        (b"versions:", b"<<<<<<< ours\nversions:", ["yaml-syntax"]),
    ],
)
def test_check_sees_what_was_done_to_a_file_by_hand(old: bytes, new: bytes, expected: list[str]) -> None:
    keys = prepared("superseded")
    assert altered(keys, old, new) == expected


def test_a_forgotten_value_is_nowhere_and_its_chain_still_holds() -> None:
    keys = Keys()
    keys.set("Nine.")
    keys.set("Ten.", force=True, reason="no longer Nine.")
    keys.do("rollback", to=1)
    before = keys.tree
    keys.do("forget", version=1)
    assert b"Nine." not in (keys.files[HARBOUR.path] or b"")
    assert (keys.states(), keys.values()) == (
        ["superseded", "superseded", "archived"],
        ["[forgotten]", "Ten.", "[forgotten]"],
    )
    assert (check(keys.tree, None), check(keys.tree, before)) == ([], [])
    assert (keys.file().get(2) or {})["reason"] == "no longer [forgotten]"
    assert withheld(keys.tree) == {HARBOUR.handle: "forgotten"}
    assert keys.do("forget", version=1).changes == ()


def test_a_forgotten_value_comes_back_only_when_that_is_acknowledged_and_never_by_undo() -> None:
    keys = prepared("active")
    plan = keys.do("forget")
    assert check(keys.tree, None) == []
    for kind, more in (("rollback", {"to": 1}), ("undo", {})):
        with pytest.raises(UsageError) as error:
            keys.undo(plan) if kind == "undo" else keys.do("rollback", **more)  # type: ignore[arg-type]
        assert rules(error) == ["forgotten"]
    with pytest.raises(Refused) as refused:
        keys.set("Nine.")
    assert rules(refused) == ["canonical-conflict"]
    keys.set("Nine.", force=True)
    assert keys.states() == ["archived", "active"]


def test_check_misses_neither_a_lost_key_nor_one_that_was_never_turned_on() -> None:
    keys = prepared("active")
    tree = keys.tree
    data = keys.files.pop(HARBOUR.path)
    assert [one.rule for one in check(keys.tree, tree)] == ["canonical-lost"]
    alone = Keys(started=False)
    alone.files[HARBOUR.path] = data
    assert [one.rule for one in check(alone.tree, None)] == ["canonical-off"]
    assert status(alone.tree)["state"] == "degraded"


def test_dates_act_where_a_day_is_named() -> None:
    keys = Keys()
    keys.set("Nine.", expires_at="2026-06-01", review_at="2026-05-01")
    assert check(keys.tree, None, "2026-04-30") == []
    assert [one.rule for one in check(keys.tree, None, "2026-05-01")] == ["canonical-review-due"]
    assert len(check(keys.tree, None, "2026-06-01")) == 2


def test_another_tools_file_is_left_alone_and_named() -> None:
    keys = prepared("active")
    keys.files[".aiwg/context/compound-memory/context.json"] = b"{}"
    assert [(one.rule, one.severity) for one in check(keys.tree, None)] == [("unknown-file", "warning")]


def test_what_rests_on_a_source_and_what_is_withheld() -> None:
    keys = Keys()
    keys.set("Nine.", sources=[{"ref": "lm_0123456789abcdef"}])
    assert list(dependents(keys.tree, "lm_0123456789abcdef")) == [HARBOUR.handle]
    assert withheld(keys.tree) == {}
    keys.do("revoke")
    assert list(dependents(keys.tree, "lm_0123456789abcdef")) == []
    assert withheld(keys.tree) == {HARBOUR.handle: "revoked"}
