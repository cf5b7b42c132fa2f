"""What a derived thing rests on is what its inputs rest on, and doubt is never washed out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.dependencies import MAX_BYTES, MAX_LEAVES, STATES, unite

LEAVES = st.fixed_dictionaries({"ref": st.integers(0, 60).map(str), "scope": st.sampled_from(["global", "path:a"])})
ENVELOPES = st.none() | st.fixed_dictionaries(
    {"state": st.sampled_from(STATES), "revision": st.integers(0, 9), "leaves": st.lists(LEAVES, max_size=20)}
)


@settings(max_examples=80)
@given(st.lists(ENVELOPES, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_union_is_bounded_ordered_and_never_safer_than_its_inputs(several: list[Any], chance: Any) -> None:
    united = unite(several)
    mixed = list(several)
    chance.shuffle(mixed)
    assert unite(mixed) == united
    worst = max(STATES.index(one["state"]) if one else 1 for one in several)
    assert STATES.index(united["state"]) >= worst
    assert len(united["leaves"]) <= MAX_LEAVES
    assert len(canonical_json(united["leaves"])) <= MAX_BYTES
    stated = {canonical_json(leaf) for one in several if one for leaf in one["leaves"]}
    kept = {canonical_json(leaf) for leaf in united["leaves"]}
    assert kept <= stated
    assert kept == stated or united["state"] != "known"


@pytest.mark.parametrize(
    ("inputs", "state"),
    [
        ([{"state": "known"}], "known"),
        ([{"state": "known"}, {"state": "unknown"}], "unknown"),
        ([{"state": "unknown"}, {"state": "revoked"}], "revoked"),
        ([{"state": "known"}, None], "unknown"),
        ([{"state": "known"}, {}], "unknown"),
        ([{"state": "certain"}], "unknown"),
        ([{"state": "known", "leaves": [{"ref": "x" * 17_000}]}], "unknown"),
    ],
)
def test_revoked_beats_unknown_beats_known(inputs: list[Any], state: str) -> None:
    assert unite(inputs)["state"] == state
