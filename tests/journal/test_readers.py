"""Nobody reads half of an operation; what waits for a person is a warning beside it. Undo copies are bounded."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import pytest
from cases import BASE, NOW, PLANS, after, apply, lay, local, plan_of, state
from power import PowerDisk, Stopped

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.schema import cheap
from aiwg_memory.errors import Damaged, Locked, NotFound
from aiwg_memory.journal import Journal
from aiwg_memory.journal.undo import KEPT_BYTES


def test_whatever_moment_a_reader_comes_it_sees_one_state(tmp_path: Path) -> None:
    """Two looks with an apply's calls in between: never the one file old and the other new."""
    plan = plan_of(PLANS["replace"])
    last = 1000
    for begin in range(1, last):
        root = lay(tmp_path / str(begin))
        disk = PowerDisk(str(root), stop=begin)
        try:
            apply(Journal(str(root), disk=disk), plan)
            break
        except Stopped:
            pass
        seen, warnings = Journal(str(root)).read(partial(state, root), NOW)
        assert seen in (BASE, after(plan))
        assert all(each.severity == "note" for each in warnings)


def test_a_reader_in_whose_midst_an_operation_ends_reads_again(tmp_path: Path) -> None:
    root, plan = lay(tmp_path / "w"), plan_of(PLANS["replace"])
    looks: list[int] = []

    def work() -> bytes:
        first = (root / "AGENTS.md").read_bytes()
        if not looks:
            apply(Journal(str(root)), plan)
        looks.append(1)
        return first + (root / ".aiwg/facts.d/a.jsonl").read_bytes()

    assert Journal(str(root)).read(work, NOW)[0] == b'Be kinder.\n{"a":2}\n'
    assert len(looks) == 2


def test_an_error_in_the_midst_of_an_operation_is_not_believed(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    looks = []

    def work() -> str:
        looks.append(1)
        if len(looks) == 1:
            apply(Journal(str(root)), plan_of(PLANS["delete"]))
            raise NotFound("it was there a moment ago")
        return "read"

    assert Journal(str(root)).read(work, NOW)[0] == "read"
    with pytest.raises(NotFound):
        Journal(str(root)).read(missing, NOW)


def missing() -> str:
    raise NotFound("it is not there")


def test_files_that_never_rest_are_said_to(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    count = []

    def work() -> None:
        count.append(1)
        apply(Journal(str(root)), plan_of({f"n{len(count)}.md": b"x"}))

    with pytest.raises(Locked) as caught:
        Journal(str(root)).read(work, NOW)
    assert caught.value.exit_status == 75


def test_what_waits_is_a_warning_and_the_reader_goes_on(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    disk = PowerDisk(str(root))

    def edit(call: int) -> None:
        if local(root, "journal"):
            (root / "AGENTS.md").write_bytes(b"mine\n")

    disk.between = edit
    with pytest.raises(Damaged):
        apply(Journal(str(root), disk=disk), plan_of(PLANS["mixture"]))
    record = next((root / ".aiwg/.local/journal").iterdir()).read_text()
    assert cheap("journal.v1", json.loads(record)) is None
    text, warnings = Journal(str(root)).read(lambda: (root / "AGENTS.md").read_bytes(), NOW)
    assert text == b"mine\n"
    assert [(each.path, each.severity) for each in warnings] == [("AGENTS.md", "warning")]


def test_a_workspace_without_a_local_directory_is_read_without_a_write(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    disk = PowerDisk(str(root))
    journal = Journal(str(root), disk=disk)
    assert journal.read(lambda: "read", NOW) == ("read", [])
    assert journal.recover(NOW) == []
    assert disk.calls == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema":"aiwg.journal.v1","id":"x"}'])
def test_a_journal_that_cannot_be_read_stops_everything(tmp_path: Path, text: str) -> None:
    root = lay(tmp_path / "w")
    apply(Journal(str(root)), plan_of(PLANS["new"]))
    (root / ".aiwg/.local/journal/x.json").write_text(text)
    before = state(root)
    with pytest.raises(Damaged, match=r"journal/x\.json"):
        Journal(str(root)).recover(NOW)
    assert state(root) == before


def test_undo_copies_hold_what_vanished(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    journal = Journal(str(root))
    apply(journal, plan_of(PLANS["mixture"]))
    for name in ("AGENTS.md", ".aiwg/facts.d/a.jsonl", ".aiwg/wiki/deep/only.md"):
        assert journal.undo_copy(digest(BASE[name])) == BASE[name]
    assert journal.undo_copy(digest(b"never there")) is None
    kept = root / ".aiwg/.local/undo" / digest(BASE["AGENTS.md"])[7:]
    kept.chmod(0o644)
    kept.write_bytes(b"damaged")
    assert journal.undo_copy(digest(BASE["AGENTS.md"])) is None


def test_undo_copies_are_kept_thirty_days_and_within_the_bound(tmp_path: Path) -> None:
    root = lay(tmp_path / "w")
    journal = Journal(str(root))
    apply(journal, plan_of({"warm.md": b"up\n"}))
    folder = root / ".aiwg/.local/undo"
    now = 1_769_846_400  # NOW
    for name, size, age in (("a" * 64, 1, 31), ("b" * 64, KEPT_BYTES - 100, 3), ("c" * 64, 100, 29), ("d" * 64, 90, 2)):
        with (folder / name).open("wb") as file:
            file.truncate(size)
        os.utime(folder / name, (0, now - age * 24 * 3600))
    apply(journal, plan_of({"other.md": b"x\n"}))
    assert local(root, "undo") == ["b" * 64, "d" * 64]
