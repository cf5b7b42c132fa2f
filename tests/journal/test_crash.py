"""Stopping an apply at any call of the disk ends in exactly the old state, or exactly the new one with its receipt."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import BASE, NOW, PLANS, after, apply, folders, lay, local, parents, plan_of, receipt_of, state
from power import CALLS, LOSSES, PowerDisk, Stopped

from aiwg_memory.core.operations import Plan
from aiwg_memory.journal import Journal
from aiwg_memory.worktree.disk import Disk


def settled(root: str, plan: Plan) -> bool:
    """Recover as the next command does; whether the new state came of it. Both are exact, and nothing is left."""
    receipts = Journal(root, disk=PowerDisk(root)).recover(NOW)
    found = state(root)
    new = found == after(plan)
    assert new or found == BASE
    assert receipts in ([], [receipt_of(plan)])
    assert new or not receipts
    assert local(root, "stage") == []
    assert local(root, "journal") == []
    again = PowerDisk(root)
    assert Journal(root, disk=again).recover(NOW) == []
    assert again.calls == 0
    return new


def stopped_at(root: Path, plan: Plan, call: int, *, torn: bool = False) -> PowerDisk | None:
    """The disk of an apply that stopped at this call; None when it ended before."""
    disk = PowerDisk(str(lay(root)), stop=call, torn=torn)
    try:
        apply(Journal(str(root), disk=disk), plan)
    except Stopped:
        return disk
    assert state(root) == after(plan)
    return None


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize("name", PLANS)
def test_stop_at_every_call(tmp_path: Path, name: str, torn: bool) -> None:
    plan = plan_of(PLANS[name])
    outcomes, call = [], 0
    while (disk := stopped_at(tmp_path / str(call), plan, call + 1, torn=torn)) is not None:
        call += 1
        for loss in LOSSES:
            root = disk.lose_power(tmp_path / f"{call}-{loss}", loss)
            new = settled(root, plan)
            if loss == "nothing":
                outcomes.append(new)
                assert folders(root) == parents(after(plan) if new else BASE)
    assert outcomes == sorted(outcomes), "once it is committed it stays committed"
    assert {False, True} == set(outcomes)


@pytest.mark.parametrize("name", ["mixture", "new-tree", "empties"])
def test_stop_at_every_call_of_recovery_after_every_stop(tmp_path: Path, name: str) -> None:
    plan = plan_of(PLANS[name])
    call = 1
    while stopped_at(tmp_path / f"{call}", plan, call) is not None:
        step = 1
        while True:
            root = tmp_path / f"{call}-{step}"
            first = stopped_at(root, plan, call)
            assert first is not None
            second = PowerDisk(str(root), stop=step, ledger=first.ledger)
            try:
                Journal(str(root), disk=second).recover(NOW)
            except Stopped:
                for loss in LOSSES[:3]:
                    settled(second.lose_power(tmp_path / f"{call}-{step}-{loss}", loss), plan)
                step += 1
                continue
            break
        # What recovery called done is done, even when power goes right after it.
        done = state(root)
        lost = second.lose_power(tmp_path / f"{call}-done", "unsynced")
        settled(lost, plan)
        assert state(lost) == done
        call += 3


@pytest.mark.parametrize("name", PLANS)
def test_what_apply_called_done_survives_power_loss(tmp_path: Path, name: str) -> None:
    plan = plan_of(PLANS[name])
    disk = PowerDisk(str(lay(tmp_path / "w")))
    apply(Journal(str(tmp_path / "w"), disk=disk), plan)
    for loss in LOSSES:
        root = disk.lose_power(tmp_path / loss, loss)
        assert settled(root, plan)
        for change in plan.changes:
            if change.read_only:
                assert (Path(root) / change.path).stat().st_mode & 0o222 == 0


@pytest.mark.parametrize("name", PLANS)
def test_nothing_is_synced_twice(tmp_path: Path, name: str) -> None:
    root = lay(tmp_path / "w")
    apply(Journal(str(root)), plan_of({"warm.md": b"up\n"}))
    disk = PowerDisk(str(root))
    apply(Journal(str(root), disk=disk), plan_of(PLANS[name]))
    files = [path for call, path in disk.log if call == "sync_file"]
    assert len(files) == len(set(files))
    dirs = [path for call, path in disk.log if call == "sync_dir"]
    doubled = {path for path in dirs if dirs.count(path) > 1}
    assert doubled <= {".aiwg/.local/journal"}, "its names change twice: the journal comes, the journal goes"


def test_every_call_that_changes_the_disk_is_one_that_can_be_stopped() -> None:
    looks = {"root", "close", "folder", "stat", "read", "names", "nearest"}
    made_of_others = {"draft", "make_dirs", "remove_tree", "replace"}
    logs = {"append"}  # Of this machine, and no apply's.
    public = {name for name in dir(Disk) if not name.startswith("_")}
    assert public - looks - made_of_others - logs == set(CALLS)
