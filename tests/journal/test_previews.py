"""A preview is what a person says yes to: found by an unambiguous beginning of its id, for seven days."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from cases import NOW, PLANS, lay, local, plan_of
from hypothesis import given
from hypothesis import strategies as st

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.schema import cheap
from aiwg_memory.errors import Damaged, UsageError
from aiwg_memory.journal import Journal
from aiwg_memory.journal.previews import MAX_PREVIEWS

LATER = "2026-02-07T08:00:01Z"


def with_input(data: bytes = b"\x00\xffraw") -> Plan:
    plan = plan_of(PLANS["new"])
    request = replace(plan.request, inputs={digest(data): data})
    return Plan(request, plan.summary, plan.changes)


def test_what_is_saved_is_found_again(tmp_path: Path) -> None:
    journal, plan = Journal(str(lay(tmp_path / "w"))), with_input()
    journal.previews.save(plan, NOW)
    hexes = plan.operation_id[3:]
    for prefix in (plan.operation_id, hexes, hexes[:8], "op_" + hexes[:12]):
        found = journal.previews.find(prefix, NOW)
        assert found is not None
        assert found.request == plan.request
        assert found.request.inputs == plan.request.inputs
        assert (found.operation_id, found.summary, found.created) == (plan.operation_id, plan.summary, NOW)
        assert [dict(change) for change in found.changes] == [change.to_json() for change in plan.changes]
    assert [row["operation_id"] for row in journal.previews.waiting(NOW)] == [plan.operation_id]
    assert local(tmp_path / "w", "previews") == [plan.operation_id + ".json"]
    saved = json.loads((tmp_path / "w/.aiwg/.local/previews" / f"{plan.operation_id}.json").read_text())
    assert cheap("preview.v1", saved) is None
    journal.previews.remove(plan.operation_id)
    journal.previews.remove(plan.operation_id)
    assert journal.previews.find(plan.operation_id, NOW) is None


@pytest.mark.parametrize("prefix", ["", "op_", "abcdef0", "op_abcdef0", "latest", "../../etc", "g" * 8, "a" * 65])
def test_what_is_no_beginning_of_an_id_is_a_usage_error(tmp_path: Path, prefix: str) -> None:
    with pytest.raises(UsageError):
        Journal(str(lay(tmp_path / "w"))).previews.find(prefix, NOW)


def test_an_ambiguous_beginning_names_the_candidates(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    journal, plan = Journal(str(root)), with_input()
    journal.previews.save(plan, NOW)
    folder = root / ".aiwg/.local/previews"
    other = plan.operation_id[:12] + ("0" if plan.operation_id[12] != "0" else "1") + plan.operation_id[13:]
    (folder / f"{other}.json").write_bytes((folder / f"{plan.operation_id}.json").read_bytes())
    with pytest.raises(UsageError) as caught:
        journal.previews.find(plan.operation_id[:12], NOW)
    assert other[:16] in caught.value.message
    assert plan.operation_id[:16] in caught.value.message


def test_seven_days(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    journal, plan = Journal(str(root)), with_input()
    journal.previews.save(plan, NOW)
    assert journal.previews.find(plan.operation_id, "2026-02-07T08:00:00Z") is not None
    assert journal.previews.find(plan.operation_id, LATER) is None
    assert journal.previews.waiting(LATER) == []
    journal.previews.expire("2096-01-01T00:00:00Z")
    assert local(root, "previews") == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema":"aiwg.preview.v2"}', '{"schema":"aiwg.preview.v1"}'])
def test_a_preview_that_cannot_be_read_says_so(tmp_path: Path, text: str) -> None:
    root = lay(tmp_path / "w")
    journal, plan = Journal(str(root)), with_input()
    journal.previews.save(plan, NOW)
    (root / ".aiwg/.local/previews" / f"{plan.operation_id}.json").write_text(text)
    with pytest.raises(Damaged, match=plan.operation_id):
        journal.previews.find(plan.operation_id, NOW)
    journal.previews.save(plan_of(PLANS["delete"]), NOW)
    rows = journal.previews.waiting(NOW)
    assert [row["operation_id"] for row in rows] == [plan_of(PLANS["delete"]).operation_id, plan.operation_id]
    assert "cannot be read" in rows[1]["summary"]


@pytest.mark.parametrize("odd", [None, 1, "x", [1], ["x"], {"x": 1}], ids=str)
def test_no_field_of_a_preview_may_be_of_another_kind(tmp_path: Path, odd: object) -> None:
    root = lay(tmp_path / "w")
    journal, plan = Journal(str(root)), with_input()
    journal.previews.save(plan, NOW)
    file = root / ".aiwg/.local/previews" / f"{plan.operation_id}.json"
    saved = json.loads(file.read_text())
    for field in saved:
        if (field, odd) in (("notes", ["x"]), ("summary", "x"), ("workspace", "x")):
            continue
        file.write_text(json.dumps({**saved, field: odd}))
        with pytest.raises(Damaged, match=plan.operation_id):
            journal.previews.find(plan.operation_id, NOW)
        assert "cannot be read" in journal.previews.waiting(NOW)[0]["summary"]


def test_the_number_is_bounded_and_the_oldest_go(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    journal, plan = Journal(str(root)), with_input()
    journal.previews.save(plan, NOW)
    folder = root / ".aiwg/.local/previews"
    for n in range(MAX_PREVIEWS + 5):
        path = folder / f"op_{n:064x}.json"
        path.write_bytes(b"{}")
        os.utime(path, (n, n + 1_000_000_000))
    journal.previews.save(plan_of(PLANS["delete"]), NOW)
    left = local(root, "previews")
    assert len(left) <= MAX_PREVIEWS
    assert f"{plan_of(PLANS['delete']).operation_id}.json" in left


@given(st.binary(max_size=300), st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=3))
def test_any_input_and_argument_comes_back(data: bytes, arguments: dict[str, object]) -> None:
    from tempfile import TemporaryDirectory

    plan = with_input(data)
    plan = Plan(replace(plan.request, arguments=arguments), plan.summary, plan.changes)
    with TemporaryDirectory() as root:
        journal = Journal(root)
        journal.previews.save(plan, NOW)
        found = journal.previews.find(plan.operation_id, NOW)
        assert found is not None
        assert found.request == plan.request
