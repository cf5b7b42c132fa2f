"""Who may see what, as tables: one item, one circumstance, one code."""

from __future__ import annotations

from typing import Any

import pytest
from shelf import TODAY, fact

from aiwg_memory.core.delivery import DeliveryOptions, DeliveryPolicy, decide, in_scope, labels, lifecycle_on
from aiwg_memory.core.dimensions import LIFECYCLES

STRICT = DeliveryPolicy(retrieved=("confirmed",), unknown_lineage="withhold")


@pytest.mark.parametrize(
    ("stored", "code"),
    [
        ("active", None),
        ("stale", None),
        ("contradicted", None),
        ("superseded", "superseded"),
        ("merged", "merged"),
        ("revoked", "revoked"),
        ("archived", "archived"),
        ("expired", "expired"),
        ("origin_unavailable", "origin-unavailable"),
    ],
)
def test_each_lifecycle_state(stored: str, code: str | None) -> None:
    item = fact("x", lifecycle=stored)
    assert decide(item, as_of=TODAY) == code
    assert decide(item, as_of=TODAY, options=DeliveryOptions(history=True)) is None


def test_the_table_of_lifecycle_states_is_whole() -> None:
    assert len(LIFECYCLES) == 9


@pytest.mark.parametrize(
    ("dates", "lifecycle"),
    [
        ({"expires_at": "2026-03-10T00:00:00Z"}, "active"),
        ({"expires_at": "2026-03-09T23:59:59Z"}, "expired"),
        ({"expires_at": "2026-03-08"}, "expired"),
        ({"review_at": "2026-03-10"}, "active"),
        ({"review_at": "2026-03-09"}, "stale"),
        ({"review_at": "2026-03-01", "expires_at": "2026-03-02"}, "expired"),
        ({"review_at": "2026-03-01", "lifecycle": "contradicted"}, "contradicted"),
        ({"expires_at": "2020-01-01", "lifecycle": "revoked"}, "revoked"),
    ],
)
def test_dates_act_on_the_day_asked_for(dates: dict[str, str], lifecycle: str) -> None:
    assert lifecycle_on(fact("x", **dates), TODAY) == lifecycle


@pytest.mark.parametrize(
    ("review", "always", "policy", "code"),
    [
        ("confirmed", False, None, None),
        ("pending", False, None, None),
        ("rejected", False, None, "rejected"),
        ("confirmed", True, None, None),
        ("pending", True, None, "pending-policy"),
        ("rejected", True, None, "rejected"),
        ("pending", False, STRICT, "pending-policy"),
        ("confirmed", False, STRICT, None),
    ],
)
def test_each_review_state(review: str, always: bool, policy: DeliveryPolicy | None, code: str | None) -> None:
    assert decide(fact("x", review=review), as_of=TODAY, policy=policy, always=always) == code


@pytest.mark.parametrize(
    ("scope", "target", "options", "holds"),
    [
        ("global", "", {}, True),
        ("path:src", "src", {}, True),
        ("path:src", "src/retry.py", {}, True),
        ("path:src/", "src/retry.py", {}, True),
        ("path:src", "srcs/retry.py", {}, False),
        ("path:src", "", {}, False),
        ("path:", "src", {}, False),
        ("project:p1", "", {"project": "p1"}, True),
        ("project:p1", "", {}, False),
        ("session:9", "", {"session": "9"}, True),
        ("session:9", "", {"session": "8"}, False),
        ("session:", "", {"session": ""}, False),
        ("user", "", {}, False),
        ("user", "", {"user": True}, True),
        ("galaxy:far", "", {}, False),
    ],
)
def test_each_scope_and_that_of_each_dependency(scope: str, target: str, options: dict[str, Any], holds: bool) -> None:
    chosen = DeliveryOptions(**options)
    assert in_scope(scope, target, chosen) == holds
    code = None if holds else "out-of-scope"
    assert decide(fact("x", scope=scope), as_of=TODAY, target=target, options=chosen) == code
    derived = {"state": "known", "leaves": [{"scope": "global"}, {"scope": scope}]}
    assert decide(fact("x", dependencies=derived), as_of=TODAY, target=target, options=chosen) == code


@pytest.mark.parametrize(
    ("dependencies", "policy", "code", "label"),
    [
        ({}, None, None, None),
        ({"state": "known"}, None, None, None),
        ({"state": "unknown"}, None, None, "lineage unknown"),
        ({"state": "unknown"}, STRICT, "lineage-unknown", None),
        ({"state": "revoked"}, None, "dependency-revoked", None),
        ({"state": "revoked", "retained": {"by": "Ada", "why": "still true"}}, None, None, "retained after revocation"),
    ],
)
def test_each_state_of_what_an_item_rests_on(
    dependencies: dict[str, Any], policy: DeliveryPolicy | None, code: str | None, label: str | None
) -> None:
    item = fact("x", review="confirmed", dependencies=dependencies)
    assert decide(item, as_of=TODAY, policy=policy) == code
    if code is None:
        assert labels(item, TODAY)[2:] == ((label,) if label else ())


@pytest.mark.parametrize(
    ("item", "options", "code"),
    [
        ({"delivery": "on_demand"}, {}, "on-demand"),
        ({}, {"incognito": True}, "incognito"),
        ({"kind": "note"}, {"filters": {"kind": ("decision",)}}, "filtered"),
        ({"kind": "decision"}, {"filters": {"kind": ("decision",)}}, None),
        ({}, {"filters": {"colour": ("red",)}}, "filtered"),
    ],
)
def test_what_the_one_who_asks_decides(item: dict[str, Any], options: dict[str, Any], code: str | None) -> None:
    assert decide(fact("x", **item), as_of=TODAY, options=DeliveryOptions(**options)) == code


def test_on_demand_comes_when_asked_for_by_name() -> None:
    item = fact("x", delivery="on_demand")
    assert decide(item, as_of=TODAY, options=DeliveryOptions(asked=(item.handle,))) is None


def test_labels_say_trust_review_and_every_doubt() -> None:
    item = fact("x", provenance="extracted", lifecycle="contradicted", unrecorded=True)
    assert labels(item, TODAY, changed=True) == ("trust 2", "pending", "contradicted", "unreviewed", "source changed")
