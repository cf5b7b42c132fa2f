"""A bundle carries values to another workspace, which judges each of them as if a stranger had typed it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from keys_of import HARBOUR, Keys

from aiwg_memory.addons.canonical_context.bundle import bundle
from aiwg_memory.addons.canonical_context.layout import Place
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.operations import Plan
from aiwg_memory.errors import AiwgError, Refused, UsageError

TIDE = Place("operating-rule", "tide.wait", "path:docks")


def source() -> dict[str, Any]:
    keys = Keys()
    keys.set("Nine metres.", sources=[{"ref": "soundings.md"}], delivery="always")
    keys.set("Wait for half tide.", place=TIDE)
    return bundle(keys.store, "ws_one")


def taken(keys: Keys, value: Any, **given: Any) -> Plan:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return keys.do("import", place=None, inputs={digest(data): data}, bundle=digest(data), **given)


def test_what_comes_in_is_pending_and_unproven() -> None:
    keys = Keys()
    taken(keys, source())
    active = keys.file().active or {}
    assert (active["value"], active["version"], active["provenance"]) == ("Nine metres.", 1, "import")
    assert (active["review"], active["dependencies"]["state"]) == ("pending", "unknown")
    assert keys.states(TIDE) == ["active"]


def test_the_same_bundle_again_changes_nothing() -> None:
    keys = Keys()
    taken(keys, source())
    plan = taken(keys, source())
    assert (plan.changes, len(plan.duplicates)) == ((), 2)


def test_another_workspaces_bundle_is_refused_until_that_is_wanted() -> None:
    keys = Keys(workspace="ws_two")
    with pytest.raises(Refused) as error:
        taken(keys, source())
    assert error.value.code == "cross-workspace"
    assert taken(keys, source(), allow_cross_workspace=True).changes


def test_a_value_that_differs_is_listed_and_left_out_until_it_is_acknowledged() -> None:
    keys = Keys()
    keys.set("Ten metres.")
    plan = taken(keys, source())
    assert [note.subject for note in plan.conflicts] == [HARBOUR.handle]
    assert (keys.values(), keys.values(TIDE)) == (["Ten metres."], ["Wait for half tide."])
    taken(keys, source(), acknowledged=[f"{HARBOUR.handle}:v1"])
    assert (keys.values(), keys.states()) == (["Ten metres.", "Nine metres."], ["superseded", "active"])


def test_what_was_revoked_here_does_not_come_back_unseen() -> None:
    keys = Keys()
    keys.set("Nine metres.")
    keys.do("revoke")
    plan = taken(keys, source())
    assert ([note.subject for note in plan.conflicts], keys.states()) == ([HARBOUR.handle], ["revoked"])


def entry(change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    return lambda whole: change(whole["entries"][1])


@pytest.mark.parametrize(
    "change",
    [
        lambda whole: whole.update(note="x"),
        lambda whole: whole.pop("workspace"),
        lambda whole: whole.update(schema="aiwg.canonical_bundle.v2"),
        lambda whole: whole["entries"].append(whole["entries"][0]),
        entry(lambda one: one.update(surprise=1)),
        entry(lambda one: one.update(id="ctx:project-fact/harbour.depth:v2")),
        entry(lambda one: one.update(value="Ninety metres.")),
        entry(lambda one: one.update(key="system.depth", id="ctx:project-fact/system.depth:v1")),
        entry(lambda one: one.update(scope="user")),
        entry(lambda one: one.update(classification="private")),
        entry(lambda one: one["sources"][0].update(owner="me")),
    ],
)
def test_a_bundle_that_is_not_sound_is_refused_whole(change: Callable[[dict[str, Any]], None]) -> None:
    keys, value = Keys(), source()
    change(value)
    with pytest.raises(UsageError) as error:
        taken(keys, value)
    assert error.value.code == "bundle"
    assert list(keys.store.files) == []


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"schema":"aiwg.canonical_bundle.v1","schema":"x"}', b"\xff"])
def test_what_is_no_bundle_is_told(data: bytes) -> None:
    with pytest.raises(UsageError) as error:
        taken(Keys(), data)
    assert error.value.code == "bundle"


def test_status_and_dates_of_a_bundle_are_not_believed() -> None:
    keys, value = Keys(), source()
    value["entries"][0]["status"] = "revoked"
    value["entries"][1]["expires_at"] = "2020-01-01T00:00:00Z"
    plan = taken(keys, value)
    assert (plan.changes, len(plan.conflicts)) == ((), 2)


def test_a_secret_in_a_bundle_is_refused() -> None:
    keys, value = Keys(), source()
    secret = "log in with password=" + "tr0ub4dor" + "&3-Zq81"
    value["entries"][0] |= {"value": secret, "digest": digest(secret.encode())}
    with pytest.raises(Refused, match="secret"):
        taken(keys, value)


def test_a_bundle_holds_what_stands_and_nothing_else() -> None:
    keys = Keys()
    keys.set("Nine metres.")
    keys.set("Ten metres.", force=True)
    keys.set("Wait.", place=TIDE)
    keys.do("archive", place=TIDE)
    entries = bundle(keys.store, "ws_one")["entries"]
    assert [(one["id"], one["value"]) for one in entries] == [(f"{HARBOUR.handle}:v2", "Ten metres.")]
    assert bundle(keys.store, "ws_one", "goal")["entries"] == []


def test_an_import_is_undone_key_by_key() -> None:
    keys = Keys()
    keys.set("Ten metres.")
    plan = taken(keys, source(), acknowledged=[f"{HARBOUR.handle}:v1"])
    keys.undo(plan)
    assert (keys.values()[-1], keys.states()[-1], keys.states(TIDE)) == ("Ten metres.", "active", ["archived"])


def test_problems_of_several_entries_are_told_together() -> None:
    value = source()
    for one in value["entries"]:
        one["value"] += "!"
    with pytest.raises(AiwgError) as error:
        taken(Keys(), value)
    assert len(error.value.findings) == 2
