"""What comes in: each claim once, both sides of a disagreement, shares by weight, and a reason for the rest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import TODAY, Shelf, always, ask, confirmed, fact, passage

from aiwg_memory.core.budget import Budget, Limit
from aiwg_memory.core.claims import normalised, opening, skeleton
from aiwg_memory.core.delivery import DeliveryOptions, DeliveryPolicy
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.packs import Given, Pack, PackRequest, build_pack
from aiwg_memory.errors import UsageError


def codes(pack: Pack) -> dict[str, str]:
    return {out.item.text: out.code for out in pack.excluded}


def texts(pack: Pack) -> list[str]:
    return [entry.candidate.item.text for entry in pack.entries]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The retry limit is 3.", "the  retry limit\tis 3", True),
        ("“Retry twice”", "Retry twice", True),
        ("ＲＥＴＲＹ twice", "retry twice", True),
        ("cafe\u0301 opens", "caf\u00e9 opens", True),
        ("Use C", "Use C++", False),
        ("x >= 5", "x < 5", False),
        ("retry 3 times", "retry 5 times", False),
        ("Is the limit 3?", "Is the limit 3", False),
        (".env is tracked", "env is tracked", False),
        ("重试三次。", "重试三次", True),
    ],
)
def test_a_claim_is_its_words_and_the_symbols_that_change_it(one: str, other: str, same: bool) -> None:
    assert (normalised(one) == normalised(other)) == same


@settings(max_examples=150)
@given(st.text(max_size=300), st.sampled_from((" ", "  ", "\n", "\t", "\u3000")))
def test_equal_claims_have_equal_openings(text: str, space: str) -> None:
    other = space.join(text.split())
    assert normalised(other) == normalised(text)
    assert opening(other) == opening(text)


@pytest.mark.parametrize(
    ("one", "other", "disagree"),
    [
        ("The retry limit is 3.", "The retry limit is 5.", True),
        ("The retry limit is three.", "The retry limit is 5.", True),
        ("Imports are retried.", "Imports are not retried.", True),
        ("Imports can run twice.", "Imports cannot run twice.", True),
        ("The build uses C for speed", "The build uses C++ for speed", True),
        ("Timeout >= 5 s", "Timeout < 5 s", True),
        ("导入可以重试", "导入不可以重试", True),
        ("The retry limit is 3.", "The import limit is 3.", False),
        ("12", "13", False),
    ],
)
def test_near_duplicates_that_differ_in_a_number_a_negation_or_a_symbol_disagree(
    one: str, other: str, disagree: bool
) -> None:
    left, right = skeleton(normalised(one)), skeleton(normalised(other))
    assert (left == right and left != "") == disagree


def test_the_highest_layer_keeps_a_claim() -> None:
    store = [fact("The import retries."), passage("the  import retries", "a.md"), passage("Other import.", "b.md")]
    pack = build_pack(Shelf(store), ask("import retries"))
    assert texts(pack) == ["the  import retries", "Other import."]
    assert codes(pack) == {"The import retries.": "duplicate-claim"}


def test_always_on_is_not_said_again_when_it_is_also_found() -> None:
    store = [always("Run the import tests."), passage("run the import tests", "a.md")]
    pack = build_pack(Shelf(store), ask("import tests"))
    assert texts(pack) == ["Run the import tests."]
    assert pack.sections.keys() == {"always"}


def test_a_pending_always_on_item_comes_in_only_when_it_answers() -> None:
    item = fact("Run the import tests.", delivery="always")
    found, not_found = build_pack(Shelf([item]), ask("import")), build_pack(Shelf([item]), ask("catalog"))
    assert [entry.candidate.section for entry in found.entries] == ["facts"]
    assert codes(not_found) == {item.text: "pending-policy"}


def test_both_sides_of_a_disagreement_stand_together_with_their_layers() -> None:
    store = [
        fact("The retry limit is 3."),
        passage("the retry limit is 5", "a.md"),
        *(fact(f"A retry of kind {word} waits for the retry limit.") for word in ("alpha", "beta", "gamma")),
    ]
    pack = build_pack(Shelf(store), ask("retry limit"))
    sides = [place for place, entry in enumerate(pack.entries) if entry.dispute]
    assert len(sides) == 2
    assert sides[1] == sides[0] + 1
    assert "## wiki, trust 1, pending, disagreement 1" in pack.text
    assert "## facts, trust 1, pending, disagreement 1" in pack.text
    assert pack.warnings == (f"{pack.handles[sides[0]]} and {pack.handles[sides[1]]} disagree",)


def test_a_side_comes_along_that_would_not_have_come_alone() -> None:
    store = [
        confirmed("The retry limit is 3 for imports.", delivery="always"),
        fact("The retry limit is 5 for imports."),
    ]
    pack = build_pack(Shelf(store), ask("imports of other things entirely", floor=0.9))
    assert set(texts(pack)) == {item.text for item in store}
    assert {entry.dispute for entry in pack.entries} == {1}


def test_one_side_alone_is_not_shown_when_both_do_not_fit() -> None:
    long = "The retry limit of the nightly catalog import on the staging machines in both regions is {} today."
    store = [fact(long.format(3)), fact(long.format(5)), fact("Retry limit short.")]
    pack = build_pack(Shelf(store), ask("retry limit", 360))
    assert texts(pack) == ["Retry limit short."]
    assert set(codes(pack).values()) == {"no-room"}


def test_a_series_of_readings_is_no_disagreement() -> None:
    pack = build_pack(Shelf([fact(f"Import {n} took {n} seconds.") for n in range(9)]), ask("import"))
    assert not any(entry.dispute for entry in pack.entries)


def test_sections_share_by_weight_and_leave_nothing_unused() -> None:
    store = [passage(f"Import page {n}. " + "word " * 30, f"{n}.md") for n in range(60)]
    store += [fact(f"Import fact {n}. " + "word " * 30) for n in range(60)]
    used = build_pack(Shelf(store), ask("import", 6000)).sections
    assert 1.6 <= used["wiki"] / used["facts"] <= 2.5
    turned = build_pack(Shelf(store), ask("import", 6000, weights={"facts": 8, "wiki": 4})).sections
    assert turned["facts"] > turned["wiki"]
    alone = build_pack(Shelf(store[:2] + store[60:]), ask("import", 6000))
    assert alone.sections["facts"] > 4000


@pytest.mark.parametrize(("cap", "code"), [("facts", "facts-cap"), ("locators", "locator-cap")])
def test_a_cap_in_tokens_is_one_in_whole_tokens(cap: str, code: str) -> None:
    store = [fact(f"Import fact number {n} of this store.") for n in range(40)]
    budget = Budget((Limit("tokens", 2000),))
    pack = build_pack(Shelf(store), PackRequest("import", TODAY, budget=budget, caps={cap: 200}))
    assert 5 <= len(pack.entries) < 40
    assert set(codes(pack).values()) == {code}
    assert 100 < pack.sections["facts"] < pack.used <= 2000


@pytest.mark.parametrize(("cap", "code"), [("facts", "facts-cap"), ("locators", "locator-cap")])
def test_a_cap_is_hard_and_says_so(cap: str, code: str) -> None:
    store = [fact(f"Import fact number {n} of this store.") for n in range(20)]
    pack = build_pack(Shelf(store), ask("import", 2000, caps={cap: 200}))
    assert 0 < len(pack.entries) < 20
    assert set(codes(pack).values()) == {code}
    assert pack.shed() == [
        {"section": "facts", "items": 20 - len(pack.entries), "characters": sum(map(len, codes(pack)))}
    ]


def test_what_covers_too_little_is_no_padding() -> None:
    store = [fact("Retry the catalog import at night."), fact("The night is dark.")]
    pack = build_pack(Shelf(store), ask("retry catalog import night", floor=0.5))
    assert codes(pack) == {"The night is dark.": "below-floor"}


def test_a_long_passage_is_cut_at_sentences_round_what_was_asked_and_says_how_much_is_gone() -> None:
    filler = "Nothing of interest stands in this sentence. "
    text = filler * 30 + "The catalog lock is taken first. " + filler * 30
    pack = build_pack(Shelf([passage(text.strip())]), ask("catalog lock", 700))
    (entry,) = pack.entries
    shown = "\n".join(entry.shown.lines)
    assert "The catalog lock is taken first." in shown
    assert shown in text
    assert shown.endswith(".")
    assert shown[0].isupper()
    assert f"- cut: no-room, {len(text.strip()) - len(shown)} of {len(text.strip())} characters" in pack.text
    assert len(pack.text) > 600


def test_a_fact_is_never_cut() -> None:
    store = [fact("Import. " * 60), fact("Import small.")]
    assert texts(build_pack(Shelf(store), ask("import", 400))) == ["Import small."]


def test_one_page_and_near_copies_do_not_crowd_the_rest_out() -> None:
    copies = [
        passage(f"Import import of the catalog locks the table before writing rows, variant {word}.", f"{word}.md")
        for word in "abcdefghijkl"
    ]
    other = passage("A failed import leaves no rows behind; see the journal for its name.", "z.md")
    assert other.text in texts(build_pack(Shelf([*copies, other]), ask("import", 800)))


def test_what_the_workspace_says_now_acts_on_an_older_tree() -> None:
    store = [fact("Import one."), fact("Import two."), fact("Import three.")]
    current = {store[0].handle: "forgotten", store[1].handle: "source-changed"}
    pack = build_pack(Shelf(store), ask("import"), current=current)
    assert codes(pack) == {"Import one.": "forgotten"}
    assert "source changed" in pack.text
    withheld = build_pack(
        Shelf(store), ask("import"), current=current, policy=DeliveryPolicy(changed_source="withhold")
    )
    assert codes(withheld) == {"Import one.": "forgotten", "Import two.": "source-changed"}


def test_incognito_searches_nothing_and_keeps_what_was_given() -> None:
    shelf = Shelf([always("Run the tests."), fact("Import.")])
    options = DeliveryOptions(incognito=True)
    part = Given("working", fact("Goal: import the catalog."), ("goal",))
    pack = build_pack(shelf, ask("import", options=options), given=(part,))
    assert shelf.searches == []
    assert texts(pack) == ["Goal: import the catalog."]
    assert pack.excluded == ()


def test_given_parts_come_first_and_the_highest_rank_is_shed_first() -> None:
    parts = [Given("skills", fact(f"Skill {n}: " + "describes itself at length. " * 3), rank=n) for n in range(8)]
    parts.append(Given("working", fact("Keep the public API as it is."), ("requirement",)))
    pack = build_pack(Shelf([fact("Skill import.")]), ask("skill", 900), given=parts)
    assert texts(pack)[0] == "Keep the public API as it is."
    kept = [text for text in texts(pack) if text.startswith("Skill ") and "describes" in text]
    assert 0 < len(kept) < 8
    assert kept == [part.item.text for part in parts[: len(kept)]]
    assert {row["section"] for row in pack.shed()} >= {"skills"}


def test_layers_outrank_one_another_in_print() -> None:
    store: list[MemoryItem] = [
        fact("Import fact."),
        passage("Import page."),
        always("Import always."),
        MemoryItem("ctx:decision/import", "canonical", "Import canon.", "sha256:" + "0" * 64, "ctx:decision/import"),
        MemoryItem("session:9#4", "sessions", "Import session.", "sha256:" + "1" * 64, "session:9#4"),
        MemoryItem("x:1", "somewhere-else", "Import elsewhere.", "sha256:" + "2" * 64, "x:1"),
    ]
    assert [entry.candidate.section for entry in build_pack(Shelf(store), ask("import")).entries] == [
        "canonical", "always", "wiki", "facts", "other", "sessions",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [{"weights": {"always": 3}}, {"caps": {"moon": 1}}, {"caps": {"wiki": -1}}, {"floor": 1.5}],
)
def test_a_request_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        ask("import", **wrong)


def test_all_problems_of_a_request_are_told_together() -> None:
    with pytest.raises(UsageError) as refused:
        PackRequest("x", "tomorrow", weights={"moon": 1}, floor=-1)
    assert all(word in refused.value.message for word in ("tomorrow", "moon", "floor"))


def test_an_empty_store_gives_a_pack_that_says_so_by_being_short() -> None:
    pack = build_pack(Shelf([]), ask("import"))
    assert pack.text.count("\n") == 2
    assert "left out" not in pack.text


def test_what_was_left_out_is_said_by_reason_wherever_there_is_room_for_it() -> None:
    store = [
        fact("The import retries twice."),
        fact("The import was slow.", review="rejected"),
        fact("The import is on Linux.", lifecycle="superseded"),
    ]
    for limit in (300, 400, 500, 1000):
        pack = build_pack(Shelf(store), ask("import", limit))
        assert pack.text.endswith("- left out: 1 rejected, 1 superseded\n"), limit
