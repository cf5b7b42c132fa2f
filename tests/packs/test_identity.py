"""What a pack's id covers, and what the record of a delivery can answer."""

from __future__ import annotations

from typing import Any

import pytest
from shelf import Shelf, always, ask, but, characters, confirmed, fact, passage

from aiwg_memory.core.deliveries import KEPT_ROWS, delivery, explain, find, kept, why
from aiwg_memory.core.delivery import DeliveryOptions
from aiwg_memory.core.packs import Pack, build_pack
from aiwg_memory.core.schema import cheap
from aiwg_memory.errors import NotFound

AT = "2026-03-09T12:00:00Z"
STORE = [
    always("Run the tests before a push."),
    passage("An import retries three times.", "a.md"),
    fact("Import owners are on call."),
    fact("Import secrets lie in the vault.", review="rejected"),
]


def pack_of(store: list[Any] | None = None, **more: Any) -> Pack:
    return build_pack(Shelf(store if store is not None else STORE), ask("import", **more))


@pytest.mark.parametrize(
    "change",
    [
        {"target": "src"},
        {"as_of": "2026-03-10"},
        {"budget": characters(2001)},
        {"weights": {"wiki": 7}},
        {"caps": {"wiki": 900}},
        {"floor": 0.05},
        {"options": DeliveryOptions(session="9")},
        {"no_touch": False},
        {"task": "import "},
    ],
)
def test_the_id_changes_with_every_part_of_the_request(change: dict[str, Any]) -> None:
    request = ask("import")
    first = build_pack(Shelf(STORE), request)
    second = build_pack(Shelf(STORE), but(request, **change))
    assert first.handles == second.handles
    assert first.id != second.id


def test_the_id_changes_with_the_text_and_the_order_of_what_is_in_it() -> None:
    edited = [*STORE[:1], passage("An import retries four times.", "a.md"), *STORE[2:]]
    fewer = STORE[:2]
    assert len({pack_of().id, pack_of(edited).id, pack_of(fewer).id}) == 3


def test_the_id_is_of_the_selection_not_of_the_tree_or_the_format() -> None:
    other = Shelf(STORE, identity="git:" + "0" * 40)
    assert build_pack(other, ask("import")).id == pack_of().id
    assert pack_of(format="xml").id == pack_of().id
    assert pack_of(format="xml").text_digest != pack_of().text_digest


def test_the_first_line_names_pack_tree_backends_and_use() -> None:
    pack = pack_of()
    first = pack.text.split("\n")[0]
    assert first == f"[aiwg-memory {pack.id[:21]} git:3f9c2a11 lexical {len(pack.text)}/2000 characters]"
    degraded = build_pack(Shelf(STORE, quality="degraded"), ask("import")).text.split("\n")[0]
    assert "lexical (degraded)" in degraded


def test_the_digest_of_the_task_can_be_kept_back() -> None:
    assert pack_of(no_digest=True).to_json()["task_digest"] is None
    assert delivery(pack_of(no_digest=True), at=AT)["task_digest"] is None


def test_a_delivery_holds_what_was_delivered_and_no_text() -> None:
    pack = pack_of()
    record = delivery(pack, at=AT, surface="hook")
    assert cheap("delivery.v1", record) is None
    assert [row["handle"] for row in record["items"] if row["decision"] == "delivered"] == list(pack.handles)
    assert not any(item.text in str(record) for item in STORE)
    assert record["excluded"] == {"rejected": 1}


def test_explain_says_what_was_in_and_what_was_not() -> None:
    text = explain(delivery(pack_of(), at=AT))
    for item in STORE:
        assert item.handle in text
    assert "left out: 1 rejected" in text
    assert "always" in text


@pytest.mark.parametrize(
    ("place", "decision", "reason"),
    [(0, "delivered", "always"), (1, "delivered", "ranked"), (3, "excluded", "rejected")],
)
def test_why_answers_for_one_item(place: int, decision: str, reason: str) -> None:
    answer = why(STORE[place].handle, delivery(pack_of(), at=AT))
    assert (answer["decision"], answer["reason"]) == (decision, reason)
    assert {"layer", "scope", "review", "budget", "rank"} <= answer.keys()


def test_why_says_when_an_item_was_never_considered_or_is_beyond_the_list() -> None:
    assert why("lm_0000000000000000", delivery(pack_of(), at=AT))["decision"] == "not-considered"
    many = [fact(f"Import {n} is one of many.", review="rejected") for n in range(80)]
    record = delivery(pack_of(many), at=AT)
    assert len(record["items"]) == 50
    unlisted = {item.handle for item in many} - {row["handle"] for row in record["items"]}
    assert why(min(unlisted), record)["decision"] == "not-listed"


def test_a_delivery_is_found_by_the_id_a_pack_prints() -> None:
    pack = pack_of()
    first, second = delivery(pack, at=AT), delivery(pack, at="2026-03-09T13:00:00Z")
    assert find([first, second], pack.text.split()[1]) == second
    for unknown in ("pack_0000000000000000", pack.id[5:], ""):
        with pytest.raises(NotFound):
            find([first], unknown)


def test_deliveries_are_kept_for_thirty_days_and_five_thousand_rows() -> None:
    rows = [{"at": f"2026-02-{day:02d}T00:00:00Z"} for day in (1, 7, 8, 28)]
    assert kept(rows, today="2026-03-09") == rows[2:]
    assert len(kept(rows[3:] * (KEPT_ROWS + 5), today="2026-03-09")) == KEPT_ROWS


def test_a_pack_says_nothing_of_withheld_texts() -> None:
    secret = confirmed("Import of the merger plan.", scope="session:7")
    pack = pack_of([secret])
    assert secret.text not in pack.text
    assert secret.text not in str(pack.to_json())
