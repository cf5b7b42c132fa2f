"""What may become of each sort of thing in each state, envelopes that say too much, and citations in a circle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quarry import Quarry

from aiwg_memory.core.canonical import canonical_json
from aiwg_memory.core.delivery import DeliveryPolicy, decide, labels
from aiwg_memory.core.dependencies import MAX_BYTES, MAX_LEAVES, STATES, unite
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.lineage import ACTIONS, LEGAL, Graph, Thing, covers, lines

LEAF = st.fixed_dictionaries(
    {"ref": st.integers(0, 40).map(lambda n: "r" * (n * 60) + str(n)), "scope": st.just("global")}
)
ODD = st.sampled_from(
    [None, {}, {"state": "known", "leaves": 7}, {"state": "sure"}, {"state": "known", "leaves": ["x"]}]
)
ENVELOPE = ODD | st.fixed_dictionaries(
    {"state": st.sampled_from(STATES), "revision": st.integers(0, 9), "leaves": st.lists(LEAF, max_size=24)},
    optional={"reason": st.sampled_from(["a source was lost", "b" * 300, "c" * 300, "too old"])},
)


@settings(max_examples=120)
@given(ENVELOPE, ENVELOPE, ENVELOPE)
def test_how_inputs_are_grouped_changes_nothing_of_the_union(one: Any, other: Any, third: Any) -> None:
    whole = unite([one, other, third])
    assert unite([unite([one, other]), third]) == whole
    assert unite([third, unite([other, one])]) == whole
    assert unite([whole]) == whole
    assert len(whole["leaves"]) <= MAX_LEAVES
    assert len(canonical_json(whole["leaves"])) <= MAX_BYTES


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["global", "path:a", "path:a/b", "session:x", "nonsense"]), max_size=6))
def test_a_union_is_delivered_in_no_place_where_a_part_of_it_is_not(scopes: Sequence[str]) -> None:
    parts = [{"state": "known", "leaves": [{"ref": str(n), "scope": scope}]} for n, scope in enumerate(scopes)]
    whole = unite([{"state": "known"}, *parts])
    for target in ("", "a/x", "a/b/x", "c"):
        alone = [decide(item(dependencies=part), as_of="2026-01-31", target=target) for part in parts]
        assert (decide(item(dependencies=whole), as_of="2026-01-31", target=target) is None) == (not any(alone))


def item(**said: Any) -> MemoryItem:
    return MemoryItem("lm_0", "facts", "x", "sha256:0", "lm_0", review="confirmed", **said)


@pytest.mark.parametrize(
    ("envelope", "code", "label"),
    [
        ({"state": "known", "leaves": [{"ref": "x"}] * 33}, "lineage-unknown", "lineage unknown"),
        ({"state": "known", "leaves": "everything"}, "lineage-unknown", "lineage unknown"),
        ({"state": "known", "leaves": ["lm_1"]}, "lineage-unknown", "lineage unknown"),
        ({"state": "certain"}, "lineage-unknown", "lineage unknown"),
        ({"state": None, "leaves": None}, "lineage-unknown", "lineage unknown"),
        ({"state": "known", "leaves": [{"ref": "x", "scope": ["global"]}]}, "out-of-scope", ""),
        ({"state": "revoked", "retained": True}, "dependency-revoked", ""),
        ({"state": "revoked", "retained": {"by": ""}}, "dependency-revoked", ""),
        ({"state": "known", "retained": {"by": "Ada"}}, None, ""),
    ],
)
def test_a_forged_envelope_opens_nothing(envelope: dict[str, Any], code: str | None, label: str) -> None:
    found = item(dependencies=envelope)
    assert decide(found, as_of="2026-01-31", policy=DeliveryPolicy(unknown_lineage="withhold")) == code
    assert not label or label in labels(found, "2026-01-31")


def test_what_is_made_of_something_retained_is_retained_by_nobody() -> None:
    kept = {
        "state": "revoked",
        "leaves": [{"ref": "raw_1"}],
        "retained": {"by": "Ada", "at": "now", "sources": ["raw_1"]},
    }
    made = unite([kept, {"state": "known"}])
    assert "retained" not in made
    assert decide(item(dependencies=made), as_of="2026-01-31") == "dependency-revoked"
    assert covers(kept["retained"], ["raw_1"])
    assert not covers(kept["retained"], ["raw_1", "raw_2"])


def test_citations_in_a_circle_are_walked_once() -> None:
    def thing(name: str, *cited: str) -> Thing:
        return Thing(name, "facts", "active", True, name, (), tuple({"ref": one} for one in cited))

    graph = Graph([thing("lm_a", "lm_b"), thing("lm_b", "lm_a", "source"), thing("lm_c", "lm_c", "lm_b")])
    assert [(one.thing.handle, one.depth) for one in graph.affected(["source"])] == [
        ("lm_b", 1),
        ("lm_a", 2),
        ("lm_c", 2),
    ]
    assert {one.thing.handle for one in graph.affected(["lm_a"])} == {"lm_b", "lm_c"}
    assert [(name, again) for _, name, again in lines(graph, "lm_a", up=True)] == [
        ("lm_b", False), ("lm_a", True), ("source", False),
    ]  # fmt: skip
    assert graph.roots("nothing") == []


def test_of_several_things_of_one_name_the_one_with_the_cited_digest_is_meant() -> None:
    copies = [Thing(f"raw_{n}", "raw", "active", True, "", ("notes.md", f"sha256:{n}")) for n in (1, 2)]
    old = Thing("lm_a", "facts", "active", True, "", (), ({"ref": "notes.md#L1-L2@0123abcd", "digest": "sha256:1"},))
    loose = Thing("lm_b", "facts", "active", True, "", (), ({"ref": "notes.md"},))
    graph = Graph([*copies, old, loose])
    assert [one.thing.handle for one in graph.affected(["raw_2"])] == ["lm_b"]
    assert [one.thing.handle for one in graph.affected(graph.roots("notes.md"))] == ["lm_a", "lm_b"]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Quarry:
    return Quarry(tmp_path_factory.mktemp("first"))


AFTER = {
    ("facts", "retain"): "active", ("facts", "revoke"): "revoked", ("facts", "delete"): "removed",
    ("facts", "origin-unavailable"): "origin_unavailable",
    ("wiki", "retain"): "active", ("wiki", "revoke"): "revoked", ("wiki", "delete"): None,
    ("wiki", "origin-unavailable"): "active",
    ("outputs", "retain"): "active", ("outputs", "revoke"): "revoked", ("outputs", "delete"): "removed",
    ("outputs", "origin-unavailable"): "active",
    ("candidates", "retain"): "pending", ("candidates", "revoke"): "rejected", ("candidates", "delete"): "rejected",
    ("candidates", "origin-unavailable"): "pending",
    ("canonical", "retain"): "superseded", ("canonical", "revoke"): "revoked",
    ("canonical", "origin-unavailable"): "superseded",
}  # fmt: skip


@pytest.mark.parametrize("action", [action for action in ACTIONS if action != "supersede"])
def test_each_store_does_what_it_is_told_or_refuses_it(first: Quarry, tmp_path: Path, action: str) -> None:
    quarry = first.copied(tmp_path)
    named = {
        "facts": quarry.fact, "wiki": quarry.page, "outputs": quarry.output, "candidates": quarry.candidate,
        "canonical": quarry.value,
    }  # fmt: skip
    able = [layer for layer in named if action in LEGAL[layer]]
    more = [word for layer in able for word in ("--for", f"{named[layer]}={action}")]
    for layer in set(named) - set(able):
        done = quarry.run("lineage", "revoke", quarry.raw, "--action", "revoke", "--for", f"{named[layer]}={action}")
        assert done.status == 2
        assert f"cannot be disposed of by {action}" in done.err
    quarry.do("lineage", "revoke", quarry.raw, "--action", "revoke", *more)
    rows = quarry.affected(quarry.raw)
    found = {layer: rows[named[layer]]["status"] if named[layer] in rows else None for layer in able}
    assert found == {layer: AFTER[layer, action] for layer in able}
    again = quarry.json("lineage", "revoke", quarry.raw, "--action", "revoke", kind="preview_data.v1")["data"]
    assert all(one["subject"] != quarry.other or "stays so" in one["message"] for one in again["conflicts"])
    findings = quarry.json("check", "--all")["data"]["findings"]
    assert [one for one in findings if one["severity"] == "error"] == []


def test_what_stands_takes_the_place_of_what_falls(first: Quarry, tmp_path: Path) -> None:
    quarry = first.copied(tmp_path)
    quarry.do("add", "The north face holds thirty years of slate.")
    better = next(f["handle"] for f in quarry.json("facts", "list")["data"]["facts"] if "thirty" in f["text"])
    quarry.write(".aiwg/wiki/faces/south.md", "# The south face\n\nChalk.\n")
    quarry.do(
        "lineage", "revoke", quarry.raw, "--action", "revoke",
        "--for", f"{quarry.fact}=supersede:{better}", "--for", f"{quarry.page}=supersede:wiki:faces/south.md",
    )  # fmt: skip
    rows = quarry.affected(quarry.raw)
    assert (rows[quarry.fact]["status"], rows[quarry.page]["status"]) == ("superseded", "superseded")
    assert "supersedes:" in (quarry.root / ".aiwg/wiki/faces/south.md").read_text("utf-8")
