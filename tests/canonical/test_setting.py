"""A key says one thing at a time; what it said before is history, and whoever replaces it must have seen it."""

from __future__ import annotations

from typing import Any

import pytest
from keys_of import HARBOUR, Keys

from aiwg_memory.addons.canonical_context.layout import TARGETS, Place
from aiwg_memory.addons.canonical_context.reading import item, parse
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import AiwgError, Refused, UsageError


def rules(error: pytest.ExceptionInfo[AiwgError]) -> list[str]:
    return [finding.rule for finding in error.value.findings]


def test_nothing_is_set_before_it_is_turned_on() -> None:
    keys = Keys(started=False)
    with pytest.raises(UsageError) as error:
        keys.set("Nine metres.")
    assert rules(error) == ["canonical-off"]
    assert keys.do("init", place=None).changes
    assert not keys.do("init", place=None).changes
    assert keys.set("Nine metres.").changes


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_every_target_holds_keys(target: str) -> None:
    keys = Keys()
    keys.set("Yes.", place=Place(target, "a"))
    assert keys.states(Place(target, "a")) == ["active"]


@pytest.mark.parametrize(
    "key", ["system.prompt", "system", "developer", "provider.x", "agent-rules", "agent_rules", "agent.rules"]
)
def test_keys_of_a_higher_authority_are_refused(key: str) -> None:
    with pytest.raises(Refused) as error:
        Keys().set("Obey.", place=Place("operating-rule", key))
    assert rules(error) == ["reserved-namespace"]


@pytest.mark.parametrize("key", ["systems", "agents.list", "developers", "the.system"])
def test_keys_that_only_look_like_those_are_not(key: str) -> None:
    assert Keys().set("Fine.", place=Place("project", key)).changes


@pytest.mark.parametrize(
    "place",
    [
        Place("rumour", "a"),
        Place("goal", "A"),
        Place("goal", ".a"),
        Place("goal", "a/b"),
        Place("goal", "a" * 129),
        Place("goal", "con"),
        Place("goal", "a", "user"),
        Place("goal", "a", "path:../up"),
        Place("goal", "a", "everywhere"),
    ],
)
def test_a_target_key_or_scope_that_cannot_be_is_told(place: Place) -> None:
    with pytest.raises(UsageError) as error:
        Keys().set("Fine.", place=place)
    assert set(rules(error)) == {"canonical-key"}


@pytest.mark.parametrize("value", ["", "   \n ", "x" * 8193, "a\x07b", "a\x85b"])
def test_a_value_that_cannot_be_is_told(value: str) -> None:
    with pytest.raises(UsageError) as error:
        Keys().set(value)
    assert rules(error) == ["canonical-value"]


def test_a_value_with_a_secret_is_refused() -> None:
    with pytest.raises(Refused, match="secret"):
        Keys().set("log in with password=" + "tr0ub4dor" + "&3-Zq81")


def prepared(state: str) -> Keys:
    """A key whose newest version is in ``state`` and says Nine; ``none``: there is no key."""
    keys = Keys()
    if state != "none":
        keys.set("Nine.")
    if state in ("archived", "revoked", "expired"):
        keys.do({"archived": "archive", "revoked": "revoke", "expired": "expire"}[state])
    return keys


@pytest.mark.parametrize(
    ("state", "value", "acknowledged", "after"),
    [
        ("none", "Nine.", [], ["active"]),
        ("active", "Nine.", [], None),
        ("active", "Ten.", ["v1"], ["superseded", "active"]),
        ("archived", "Nine.", [], ["archived", "active"]),
        ("archived", "Ten.", [], ["archived", "active"]),
        ("expired", "Nine.", [], ["expired", "active"]),
        ("expired", "Ten.", [], ["expired", "active"]),
        ("revoked", "Ten.", [], ["revoked", "active"]),
        ("revoked", "Nine.", ["v1"], ["revoked", "active"]),
    ],
)
def test_setting_from_every_state(state: str, value: str, acknowledged: list[str], after: list[str] | None) -> None:
    keys = prepared(state)
    plan = keys.set(value, acknowledged=[f"{HARBOUR.handle}:{one}" for one in acknowledged])
    if after is None:
        assert (plan.changes, [note.subject for note in plan.duplicates]) == ((), [HARBOUR.handle])
    else:
        assert keys.states() == after
        assert keys.values()[-1] == value


@pytest.mark.parametrize(("state", "value"), [("active", "Ten."), ("revoked", "Nine.")])
def test_what_must_be_acknowledged_is_refused_by_name_until_it_is(state: str, value: str) -> None:
    keys = prepared(state)
    with pytest.raises(Refused) as error:
        keys.set(value, acknowledged=[f"{HARBOUR.handle}:v2"])
    assert rules(error) == ["canonical-conflict"]
    assert f"{HARBOUR.handle}:v1" in error.value.hint


@pytest.mark.parametrize("kind", ["set", "rollback", "revoke", "archive"])
def test_a_version_that_moved_on_is_not_decided_about(kind: str) -> None:
    keys = prepared("active")
    needed: dict[str, dict[str, Any]] = {"set": {"value": "Ten."}, "rollback": {"to": 1}}
    given = needed.get(kind, {})
    with pytest.raises(UsageError) as error:
        keys.plan(kind, expected=0, **given)
    assert rules(error) == ["wrong-version"]


RENEWALS: list[dict[str, Any]] = [
    {"review_at": "2027-01-01"},
    {"expires_at": "2027-01-01"},
    {"sources": [{"ref": "docs/soundings.md"}]},
    {"sources": [{"span": "L1", "ref": "docs/soundings.md", "digest": "sha256:" + "0" * 64}]},
    {"dependencies": {"state": "known", "revision": 1, "leaves": [{"ref": "raw_1", "kind": "raw"}]}},
    {"delivery": "always"},
    {"classification": "public"},
]


@pytest.mark.parametrize("more", RENEWALS)
def test_the_same_value_with_something_new_is_a_renewal_without_a_conflict(more: dict[str, Any]) -> None:
    keys = prepared("active")
    plan = keys.set("Nine.", **more)
    assert keys.states() == ["superseded", "active"]
    assert [note.message for note in plan.supersedes] == ["is renewed as v2"]
    again = keys.set("Nine.", **more)
    assert again.changes == ()


def test_a_renewal_keeps_what_it_does_not_speak_of() -> None:
    keys = Keys()
    keys.set("Nine.", delivery="always", review_at="2027-01-01", sources=[{"ref": "a.md"}])
    keys.set("Nine.", sources=[{"ref": "b.md"}], review_at=None)
    active = keys.file().active or {}
    assert (active["delivery"], active.get("review_at")) == ("always", None)
    assert [one["ref"] for one in active["sources"]] == ["a.md", "b.md"]


def test_what_an_agent_prepared_is_pending_until_a_person_says_the_same() -> None:
    keys = Keys()
    keys.set("Nine.", provenance="conversation")
    assert (keys.file().active or {})["review"] == "pending"
    keys.set("Nine.")
    assert ((keys.file().active or {})["review"], keys.states()) == ("confirmed", ["superseded", "active"])
    assert keys.set("Nine.", provenance="conversation").changes == ()


@pytest.mark.parametrize("expires", ["2026-03-01", "2025-01-01", "2036-03-02"])
def test_an_expiry_lies_ahead_within_ten_years(expires: str) -> None:
    with pytest.raises(UsageError) as error:
        Keys().set("Nine.", expires_at=expires)
    assert rules(error) == ["canonical-date"]


def test_an_expired_value_is_renewed_with_a_new_date_or_none() -> None:
    keys = Keys()
    keys.set("Nine.", expires_at="2026-03-01T09:05:00Z")
    keys.minutes = 10
    with pytest.raises(UsageError) as error:
        keys.set("Nine.")
    assert rules(error) == ["canonical-date"]
    keys.set("Nine.", expires_at=None)
    assert "expires_at" not in (keys.file().active or {})


def test_another_scope_is_another_file_and_its_value_is_shown() -> None:
    keys = Keys()
    keys.set("Nine.")
    inner = Place(HARBOUR.target, HARBOUR.key, "path:docks/inner")
    plan = keys.set("Six.", place=inner)
    assert [note.subject for note in plan.conflicts] == [HARBOUR.handle]
    assert (keys.states(), keys.states(inner)) == (["active"], ["active"])
    assert inner.path != HARBOUR.path


def unit_of(keys: Keys) -> Any:
    (unit,) = parse(HARBOUR.path, keys.files[HARBOUR.path] or b"").units
    return item(unit, None)


def test_an_active_version_is_one_item_that_its_key_leads_to() -> None:
    keys = Keys()
    keys.set("Nine.", sources=[{"ref": "a.md"}], expires_at="2027-01-01", force=True)
    found = unit_of(keys)
    assert (found.handle, found.locator) == ("ctx:project-fact/harbour.depth", "ctx:project-fact/harbour.depth:v1")
    assert (found.layer, found.text, found.heading) == ("canonical", "Nine.", "harbour.depth")
    assert (found.trust, found.review, found.expires_at[:10]) == (3, "confirmed", "2027-01-01")
    assert found.sources == ({"ref": "a.md"},)


@pytest.mark.parametrize("state", ["archived", "revoked", "expired"])
def test_a_key_without_an_active_version_is_no_item(state: str) -> None:
    keys = prepared(state)
    assert parse(HARBOUR.path, keys.files[HARBOUR.path] or b"").units == ()


def test_a_value_edited_by_hand_is_pending_and_is_not_written_over() -> None:
    keys = prepared("active")
    keys.files[HARBOUR.path] = (keys.files[HARBOUR.path] or b"").replace(b"Nine.", b"Ninety.")
    assert (unit_of(keys).text, unit_of(keys).review) == ("Ninety.", "pending")
    with pytest.raises(UsageError) as error:
        keys.set("Ten.", force=True)
    assert rules(error) == ["canonical-edited"]


def test_fields_of_others_survive_a_rewrite() -> None:
    keys = prepared("active")
    data = (keys.files[HARBOUR.path] or b"").replace(b"versions:", b"x_team: [blue, 7]\nversions:", 1)
    keys.files[HARBOUR.path] = data.replace(b"    value: Nine.\n", b"    value: Nine.\n    x_seen: true\n")
    keys.set("Ten.", force=True)
    found = keys.file()
    assert (found.extra, (found.get(1) or {})["x_seen"]) == ({"x_team": ["blue", 7]}, True)


def test_a_newer_tools_file_is_not_written_over() -> None:
    keys = prepared("active")
    keys.files[HARBOUR.path] = (keys.files[HARBOUR.path] or b"").replace(b"canonical_file.v1", b"canonical_file.v2")
    plan: Plan | None = None
    with pytest.raises(UsageError) as error:
        plan = keys.plan("set", value="Ten.", expected=1)
    assert (plan, rules(error)) == (None, ["newer-schema"])
    assert [one.severity for one in keys.store.findings] == ["warning"]


def test_two_spellings_of_a_path_are_one_place() -> None:
    assert (
        RepoPath(".aiwg/context/compound-memory/goal/a@path-src-85d79420.yaml") == Place("goal", "a", "path:src").path
    )
