"""Whatever is stored and whatever is asked: what is printed keeps every limit, and says where everything went."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import FORMATS, Shelf, always, ask, but, fact, passage, requests, stores

from aiwg_memory.core.budget import Budget, Limit
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.packs import Pack, PackRequest, build_pack
from aiwg_memory.core.packs.candidates import hit_limit
from aiwg_memory.core.schema import cheap
from aiwg_memory.core.tokens import pricer
from aiwg_memory.errors import Refused

FEW = settings(max_examples=80)


def measured(text: str, limit: Limit) -> float:
    """Counted from the text alone, by other means than the budget's."""
    if limit.measure == "characters":
        return len(text)
    if limit.measure == "bytes":
        return len(text.encode())
    if limit.measure == "tokens":
        return sum(map(pricer(limit.profile), text.split("\n")[:-1])) / 1000
    import json

    return len(json.dumps(text, ensure_ascii=False).encode("utf-16-le")) / 2


def built(store: list[MemoryItem], request: PackRequest) -> Pack | None:
    try:
        return build_pack(Shelf(store), request)
    except Refused as refusal:
        if refusal.code not in ("bound-too-small", "always-on-too-large"):
            raise
        return None


@FEW
@given(stores, requests())
def test_no_pack_is_over_any_limit(store: list[MemoryItem], request: PackRequest) -> None:
    pack = built(store, request)
    if pack is not None:
        assert pack.text.endswith("\n")
        for limit in request.budget.limits:
            assert measured(pack.text, limit) <= limit.limit


@FEW
@given(stores, requests())
def test_used_is_what_is_printed(store: list[MemoryItem], request: PackRequest) -> None:
    pack = built(store, request)
    if pack is not None:
        first = request.budget.limits[0]
        assert pack.used - 1 < measured(pack.text, first) <= pack.used
        assert f"{pack.used}" in "".join(pack.text.splitlines()[0])
        assert pack.text_digest == digest(pack.text.encode())


@FEW
@given(stores, requests())
def test_every_item_considered_is_in_or_excluded_with_a_code_and_none_twice(
    store: list[MemoryItem], request: PackRequest
) -> None:
    pack = built(store, request)
    if pack is None:
        return
    hits = Shelf(store).search(request.task, limit=hit_limit(request), as_of=request.as_of)
    considered = {hit.item.handle for hit in hits} | {item.handle for item in store if item.delivery == "always"}
    out = [excluded.item.handle for excluded in pack.excluded]
    assert sorted([*pack.handles, *out]) == sorted(considered)
    assert all(excluded.code for excluded in pack.excluded)
    assert sum(count for _, count in pack.counts()) == len(out)


@FEW
@given(stores, requests())
def test_what_is_always_on_is_there_whole_or_nothing_is(store: list[MemoryItem], request: PackRequest) -> None:
    pack = built(store, request)
    if pack is not None:
        shown = {entry.candidate.item.handle: entry for entry in pack.entries}
        for excluded in pack.excluded:
            assert not (excluded.section == "always" and excluded.code in ("no-room", "locator-cap"))
        assert all(not shown[one].removed for one in shown if shown[one].candidate.section == "always")


@FEW
@given(stores, requests())
def test_caps_are_hard(store: list[MemoryItem], request: PackRequest) -> None:
    pack = built(store, request)
    if pack is not None:
        for name, cap in request.caps.items():
            assert pack.sections.get(name, 0) <= cap or name == "locators"


@FEW
@given(stores, requests())
def test_equal_inputs_give_equal_bytes_whatever_the_order_of_the_store(
    store: list[MemoryItem], request: PackRequest
) -> None:
    first, second = built(store, request), built(store[::-1], request)
    assert (first and first.text) == (second and second.text)


@settings(max_examples=60)
@given(stores, requests())
def test_every_pack_is_as_its_schema_says(store: list[MemoryItem], request: PackRequest) -> None:
    pack = built(store, request)
    if pack is not None:
        assert cheap("pack.v1", pack.to_json()) is None


@settings(max_examples=40)
@given(stores, requests(), st.sampled_from(FORMATS))
def test_one_selection_has_one_id_in_every_format(store: list[MemoryItem], request: PackRequest, other: str) -> None:
    roomy = but(request, budget=Budget((Limit("characters", 65536),)), caps={})
    first, second = built(store, roomy), built(store, but(roomy, format=other))
    assert first is not None
    assert second is not None
    assert first.handles == second.handles
    assert first.id == second.id
    assert (first.text_digest == second.text_digest) == (roomy.format == other)


@pytest.mark.parametrize("form", FORMATS)
def test_a_bound_below_what_always_on_needs_is_refused_and_names_what_to_shorten(form: str) -> None:
    store = [always("Never force-push. " * 20), always("Ask before deleting data.")]
    with pytest.raises(Refused) as refused:
        build_pack(Shelf(store), ask("push", 500, format=form))
    assert refused.value.code == "always-on-too-large"
    assert store[0].handle in refused.value.hint


def test_a_bound_below_the_frame_says_the_smallest_that_serves() -> None:
    store = [fact("retry")]
    shelf = Shelf(store, identity="tree:" + "words-" * 60)
    with pytest.raises(Refused, match="smallest bound") as refused:
        build_pack(shelf, ask("retry", 256))
    smallest = int("".join(filter(str.isdigit, refused.value.hint)))
    assert len(build_pack(shelf, ask("retry", smallest)).text) <= smallest


@pytest.mark.parametrize(("limit", "share"), [(600, 0.7), (2000, 0.93), (8000, 0.96)])
def test_a_pack_uses_its_room_when_there_is_enough_to_say(limit: int, share: float) -> None:
    store = [
        passage(f"Import {n} waits for the catalog lock. It retries {n} times. " * 8, "a.md", n * 10) for n in range(60)
    ]
    store += [fact(f"Import number {n} is owned by team {n % 7}.") for n in range(60)]
    assert len(build_pack(Shelf(store), ask("import catalog", limit)).text) >= limit * share
