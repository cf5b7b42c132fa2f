"""What a pin can become and by which step, and every step that is refused or found: as tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from test_instruction_pins import OPENED, Desk, withdraw

from aiwg_memory.core.canonical import digest
from aiwg_memory.errors import AiwgError

BOTH = ("one", "two")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    yield Desk(tmp_path)
    while OPENED:
        OPENED.pop().tree.close()


def classed(name: str, reason: str = "") -> Callable[[Desk], object]:
    said = {"class": name} | ({"reason": reason} if reason else {})
    return lambda desk: desk.pin(delivery={"sub/AGENTS.md": said})


def no_change(desk: Desk) -> None:
    assert desk.preview().changes == ()


STEPS: Mapping[str, Callable[[Desk], object]] = {
    "pin": lambda desk: desk.pin(),
    "again": lambda desk: no_change(desk),
    "edit": lambda desk: desk.write({"AGENTS.md": "uno\n"}),
    "restore": lambda desk: desk.write({"AGENTS.md": "one\n"}),
    "remove": lambda desk: desk.write({"sub/AGENTS.md": None}),
    "return": lambda desk: desk.write({"sub/AGENTS.md": "two\n"}),
    "exclude": classed("excluded", "not_applicable"),
    "require": classed("mandatory"),
    "relax": classed("optional"),
    "withdraw": lambda desk: withdraw(desk),
}


class Way(NamedTuple):
    """``history``: P for each confirmed revision, W for a withdrawn one. ``texts`` are those delivered."""

    steps: str
    history: str
    texts: tuple[str, ...] = BOTH
    confirmed: bool = True
    stale: bool = False
    classes: Mapping[str, str] = {}


SUB = "sub/AGENTS.md"
WAYS = (
    Way("", "", confirmed=False),
    Way("pin", "P"),
    Way("pin again", "P"),
    Way("pin edit", "P", stale=True),
    Way("pin edit restore", "P"),
    Way("pin edit pin", "PP", ("uno", "two")),
    Way("pin edit pin restore", "PP", ("uno", "two"), stale=True),
    Way("pin edit pin restore pin", "PPP"),
    Way("pin remove", "P", stale=True),
    Way("pin remove pin", "PP", ("one",)),
    Way("pin remove pin return", "PP", ("one",), stale=True),
    Way("pin remove pin return pin", "PPP"),
    Way("exclude", "P", ("one",), classes={SUB: "excluded"}),
    Way("pin exclude", "PP", ("one",), classes={SUB: "excluded"}),
    Way("pin exclude edit pin", "PPP", ("uno",), classes={SUB: "excluded"}),
    Way("exclude remove pin return pin", "PPP", ("one",), classes={SUB: "excluded"}),
    Way("exclude relax", "PP"),
    Way("exclude require", "PP", classes={SUB: "mandatory"}),
    Way("require exclude", "PP", ("one",), classes={SUB: "excluded"}),
    Way("require remove", "P", classes={SUB: "mandatory"}, stale=True),
    Way("require relax", "PP"),
    Way("pin withdraw", "PW", confirmed=False),
    Way("pin edit withdraw", "PW", ("uno", "two"), confirmed=False),
    Way("pin withdraw edit", "PW", ("uno", "two"), confirmed=False),
    Way("pin withdraw pin", "PWP"),
    Way("exclude withdraw", "PW", confirmed=False),
)


@pytest.mark.parametrize("way", WAYS, ids=[way.steps or "nothing" for way in WAYS])
def test_each_step_leads_where_the_table_says(desk: Desk, way: Way) -> None:
    for step in way.steps.split():
        kept = desk.stored() if (desk.root / ".aiwg/pins").exists() else {}
        STEPS[step](desk)
        # Whatever happens, nothing that was confirmed before is changed or gone.
        assert not kept or kept.items() <= desk.stored().items()
    assert "".join(status[0].upper() for _, status in desk.history()) == way.history
    assert [number for number, _ in desk.history()] == list(range(1, len(way.history) + 1))
    assert tuple(text.strip() for text, _ in desk.delivered().values()) == way.texts
    assert {confirmed for _, confirmed in desk.delivered().values()} == {way.confirmed}
    assert [each.rule for each in desk.findings()] == ["pin-stale"] * way.stale
    if way.confirmed:
        assert {path: one["class"] for path, one in desk.current().delivery.items()} == way.classes


Manifests = dict[str, dict[str, Any]]


def rewrite(desk: Desk, change: Callable[[Manifests], object]) -> None:
    """Change the manifests by hand, as any program would write them."""
    paths = sorted(Path(path) for path in desk.stored() if path.endswith(".json"))
    values = {path.name[:4]: json.loads(path.read_text()) for path in paths}
    names = {path.name[:4]: path for path in paths}
    change(values)
    for path in paths:
        path.unlink()
    for number, value in values.items():
        folder = names["0001"].parent
        (folder / f"{number}-{value['fingerprint'][:12]}.json").write_text(json.dumps(value, sort_keys=True, indent=1))


def renumbered(value: dict[str, Any], revision: int) -> dict[str, Any]:
    return {**value, "revision": revision, "handle": f"pin:sub:{revision}"}


def nought(all_: Manifests) -> None:
    first = all_["0001"]
    all_.clear()
    all_["0000"] = renumbered(first, 0)


FORGERIES: Mapping[str, Callable[[Manifests], object]] = {
    "a gap: 1, then 3": lambda all_: all_.update({"0003": renumbered(all_.pop("0002"), 3)}),
    "a revision nought": lambda all_: all_.update({"0000": renumbered(all_["0001"], 0)}),
    "a revision nought alone": nought,
    "no first revision": lambda all_: all_.pop("0001"),
    "a previous one that never was": lambda all_: all_["0002"].update(previous=["sha256:" + "0" * 64]),
    "a previous one too many": lambda all_: all_["0002"]["previous"].append("sha256:" + "0" * 64),
    "no previous one": lambda all_: all_["0002"].update(previous=[]),
    "a first one with a previous": lambda all_: all_["0001"].update(previous=["sha256:" + "0" * 64]),
    "an earlier one edited": lambda all_: all_["0001"].update(reason="because"),
    "an earlier one withdrawn afterwards": lambda all_: all_["0001"].update(status="withdrawn"),
    "a third one that skips the second": lambda all_: all_.update(
        {"0003": {**renumbered(all_["0002"], 3), "reason": "again"}}
    ),
    "a text nobody confirmed": lambda all_: all_["0002"]["sources"][0].update(content_sha256="0" * 64),
    "another order": lambda all_: all_["0002"]["sources"].reverse(),
    "another target": lambda all_: all_["0002"].update(target="sub/else"),
    "other limits": lambda all_: all_["0002"]["limits"].update(sources=1),
    "another number inside": lambda all_: all_["0002"].update(revision=3),
    "a status that is none": lambda all_: all_["0002"].update(status="approved"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_history_no_command_wrote_is_found_by_check_and_carried_on_by_none(desk: Desk, name: str) -> None:
    desk.pin()
    desk.write({"AGENTS.md": "uno\n"})
    desk.pin()
    rewrite(desk, lambda values: None)
    # Written anew the first has other bytes than the second names.
    rewrite(desk, lambda values: values["0002"].update(previous=[digest_of(desk, "0001")]))
    assert desk.findings() == []
    rewrite(desk, FORGERIES[name])
    assert [each.rule for each in desk.findings()] == ["pin"]
    before = desk.stored()
    desk.write({"AGENTS.md": "due\n"})
    for step in (desk.pin, lambda: withdraw(desk), lambda: desk.pin(delivery={SUB: {"class": "mandatory"}})):
        with pytest.raises(AiwgError):
            step()
    assert desk.stored() == before


def digest_of(desk: Desk, number: str) -> str:
    (data,) = (data for path, data in desk.stored().items() if Path(path).name.startswith(f"{number}-"))
    return digest(data)
