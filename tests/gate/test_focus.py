"""What the gate says of a change is what a look at the whole store says of the files it touches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_rules import stored, touched

from aiwg_memory.addons import BUILTIN, Addon, load, resolve
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.gate.change import Change
from aiwg_memory.core.rules.compound_samples import candidate, output, owed, paid, proposed
from aiwg_memory.core.rules.samples import (
    ADA,
    AT,
    KEYS_ON,
    LATER,
    OTHER,
    fact,
    key_file,
    key_version,
    lines,
    linked,
    page,
    raw,
    record,
    segment,
    successor,
)
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.workspace.gating import ELSEWHERE, WHEN_NEW, view

Files = Mapping[str, str | None]
ADDONS = {addon.name: addon for addon in load(tuple(BUILTIN)) if addon.around}
_OLD = key_version("MySQL 8", 1, status="superseded", disposition={"by": ADA, "at": AT})
_ENDED = {segment(LATER, "memory/candidates.d"): lines(successor(candidate(), status="rejected"))}
_COPIED = next(json.loads(text or "") for path, text in raw().items() if path.endswith(".jsonl"))
_CITING = next(iter(lines_ for path, lines_ in output().items() if path.endswith(".jsonl")))
# What only a look at the whole store can say, by the rules' own words.
_WHOLE = {"fact-near-duplicate", "facts-over-limit"}

PIECES: dict[str, tuple[Files, ...]] = {
    "line-memory": (
        fact(), fact("Tea is at four.", delivery="always"), fact(status="archived"),
        {segment(LATER): lines(successor(record(), status="revoked"))},
        {segment(OTHER): lines({**successor(record(), status="archived"), "seg": OTHER})},
        {segment(LATER): "{broken\n"}, {".aiwg/memory/line-memory.txt": "Lunch is at noon.\nBread.\n"},
    ),
    "llm-wiki": (
        linked(lunch=page("# Lunch\n\nSee [[Tea]].\n"), tea=page("# Tea\n")), linked(tea=page("# Tea\n")),
        {".aiwg/wiki/noon.md": page("# Lunch\n")}, raw(), raw(status="removed"),
        {segment(LATER, "wiki/raw.d"): lines(successor(_COPIED, status="revoked"))},
        {segment(OTHER, "wiki/raw.d"): lines({**successor(_COPIED, status="removed"), "seg": OTHER})},
        {".aiwg/wiki/cake.md": page("# Cake\n\nSee [[Pie]].\n")}, {".aiwg/wiki/pie.md": page("# Pie\n")},
        {".aiwg/wiki/pie.md": page("# Pie\n\nWith [[lunch]] and [[cake]].\n")}, {".aiwg/wiki/noon.md": page("# Pie\n")},
        {".aiwg/wiki/cake.md": page("# Cake\n\nSee [the pie](pie.md).\n")}, {".aiwg/wiki/index.md": "# Index\n"},
        {".aiwg/wiki/pie.md": page("# Pie\n", front="superseded_by: The Cake\n")},
        {".aiwg/wiki/sub/a.md": page("# The Cake\n\nNo [[Such page]], a [[Noon]], an [[a]].\n")},
        linked(lunch=page(front="sources:\n  - ref: notes/hours.txt\n")),
    ),
    "canonical-context": (
        key_file(key_version("PostgreSQL 16", 2), _OLD), key_file(_OLD), key_file(key_version("x", 1), key="tea"),
        key_file(key_version("Be kind.", 1, delivery="always"), key="manners"), key_file(_OLD, key="system.engine"),
        {KEYS_ON: "another tool's\n"}, {KEYS_ON.replace("store.yaml", "notes.txt"): "x\n"},
        key_file({**key_version("PostgreSQL 16", 2), "value": "17"}, _OLD),
    ),
    "compound-memory": (
        proposed(), proposed("Tea is at four.", status="rejected"), _ENDED, output(),
        output(supersedes=[f"out_{'0' * 16}"]), owed(), paid(),
        {path: f"{text}x" for path, text in proposed().items() if path.endswith(".md")},
        {segment(OTHER, "memory/outputs.d"): (_CITING or "").replace('"supersedes":[]', '"supersedes":["out_1"]')},
        {"reports/lunch.md": "# Changed\n"}, {".aiwg/memory/candidates.d/notes.md": "x\n"},
        {path: text for path, text in proposed("Tea is at four.").items() if path.endswith(".jsonl")},
    ),
}  # fmt: skip


def relevant(found: Iterable[Finding], change: Change, rules: frozenset[str] = frozenset()) -> set[Finding]:
    names = {each.path for each in change.touched}
    return {one for one in found if (one.path in names or one.rule in rules) and one.rule not in _WHOLE}


def put(pieces: Iterable[Files], without: Iterable[str]) -> Files:
    whole = {path: text for piece in pieces for path, text in piece.items()}
    for path in without:
        whole.pop(path, None)
    return whole


def drawn(name: str) -> st.SearchStrategy[Files]:
    pieces = PIECES[name]
    names = sorted({path for piece in pieces for path in piece})
    return st.builds(put, st.lists(st.sampled_from(pieces), max_size=6), st.lists(st.sampled_from(names), max_size=2))


@pytest.mark.parametrize("addon", ADDONS.values(), ids=ADDONS)
@given(data=st.data())
@settings(max_examples=120)
def test_a_focused_look_finds_what_a_full_one_does(addon: Addon, data: st.DataObject) -> None:
    before, after = stored(data.draw(drawn(addon.name))), stored(data.draw(drawn(addon.name)))
    change = Change(MemoryTree(after), MemoryTree(before), touched(after, before))
    seen = view(addon, change)
    judge = resolve(addon.check)
    if seen is None:
        assert not relevant(judge(change.head, change.base), change, ELSEWHERE)
        return
    focused = relevant(judge(seen.head, seen.base), change, ELSEWHERE)
    assert focused == relevant(judge(change.head, change.base), change, ELSEWHERE)
    now = {each for each in relevant(judge(seen.head, None), change) if each.rule not in WHEN_NEW}
    assert now == {each for each in relevant(judge(change.head, None), change) if each.rule not in WHEN_NEW}
