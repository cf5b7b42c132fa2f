"""A person edits a target at any moment: nothing they wrote is overwritten, and two ways out are theirs to choose."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cases import BASE, NOW, PLANS, after, apply, folders, lay, local, parents, plan_of, receipt_of, state
from power import LOSSES, PowerDisk, Stopped

from aiwg_memory.core.canonical import digest, named
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import AiwgError, Damaged, StalePreview, UnsafePath, UsageError
from aiwg_memory.journal import Journal

MINE = b"what a person wrote\n"
TARGETS = [change.path for change in plan_of(PLANS["mixture"]).changes]


def write(path: Path) -> None:
    """As most editors save: a new file over the old name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + "~")
    draft.write_bytes(MINE)
    draft.replace(path)


def edited_at(root: Path, plan: Plan, target: str, call: int) -> tuple[PowerDisk, AiwgError | None]:
    """An apply during which a person saves ``target`` right before this call of the disk."""
    disk = PowerDisk(str(lay(root)))

    def save(at: int) -> None:
        if at == call:
            write(root / target)
            disk.reload()

    disk.between = save
    try:
        apply(Journal(str(root), disk=disk), plan)
    except (Damaged, StalePreview) as error:
        return disk, error
    return disk, None


@pytest.mark.parametrize("target", TARGETS)
def test_an_edit_at_any_call_is_kept(tmp_path: Path, target: str) -> None:
    plan = plan_of(PLANS["mixture"])
    seen = set()
    total = 1000
    call = 0
    while (call := call + 1) <= total:
        root = tmp_path / str(call)
        disk, error = edited_at(root, plan, target, call)
        total = min(total, disk.calls) if error is None else total
        moment = disk.log[call - 1] if call <= disk.calls else ("", "")
        if moment[1] == target or moment[1].endswith(".gone"):
            continue  # The moment between looking and moving, which nothing can close.
        assert (root / target).read_bytes() == MINE
        seen.add(type(error))
        if isinstance(error, StalePreview):
            assert state(root) == {**BASE, target: MINE}
            assert local(root, "stage") == []
        elif isinstance(error, Damaged):
            assert [finding.path for finding in error.findings] == [target]
            assert named(digest(MINE)) in error.findings[0].message
            assert plan.request.seg not in "".join(state(root))
    assert seen == {StalePreview, Damaged, type(None)}


def waiting_workspace(root: Path, target: str) -> Journal:
    """A workspace whose apply committed, stopped, and finds ``target`` edited."""
    lay(root)
    plan = plan_of(PLANS["mixture"])
    disk = PowerDisk(str(root), stop=1000)
    disk.between = lambda at: _stop_after_commit(disk)
    with pytest.raises(Stopped):
        apply(Journal(str(root), disk=disk), plan)
    write(root / target)
    return Journal(str(root))


def _stop_after_commit(disk: PowerDisk) -> None:
    name, path = disk.log[-2] if len(disk.log) > 1 else ("", "")
    if name == "rename" and path.startswith(".aiwg/.local/journal/"):
        raise Stopped


@pytest.mark.parametrize("target", TARGETS)
def test_everything_else_is_finished_and_mutations_wait(tmp_path: Path, target: str) -> None:
    root, plan = tmp_path / "w", plan_of(PLANS["mixture"])
    journal = waiting_workspace(root, target)
    with pytest.raises(Damaged) as caught:
        journal.recover(NOW)
    assert caught.value.exit_status == 5
    finding = caught.value.findings[0]
    change = next(change for change in plan.changes if change.path == target)
    was, comes, there = (named(each) for each in (change.before, change.after_digest, digest(MINE)))
    assert finding.message.endswith(f" replaces {was} by {comes}; there is {there}")
    assert len(finding.message) < 100
    assert (finding.hint, "--keep-mine" in caught.value.hint) == ("", True)
    expected = {**after(plan), target: MINE}
    del expected[f".aiwg/receipts.d/{plan.request.seg}.jsonl"]
    assert state(root) == expected
    assert [each.path for each in journal.pending()] == [target]
    with pytest.raises(Damaged):
        apply(journal, plan_of({"other.md": b"x"}))
    assert not (root / "other.md").exists()


@pytest.mark.parametrize("target", TARGETS)
def test_keep_mine_finishes_with_the_receipt(tmp_path: Path, target: str) -> None:
    root, plan = tmp_path / "w", plan_of(PLANS["mixture"])
    journal = waiting_workspace(root, target)
    assert journal.keep_mine(RepoPath(target), NOW) == [receipt_of(plan)]
    assert state(root) == {**after(plan), target: MINE}
    assert (local(root, "journal"), local(root, "stage")) == ([], [])
    with pytest.raises(UsageError):
        journal.keep_mine(RepoPath(target), NOW)


def test_two_edited_files_are_settled_one_by_one(tmp_path: Path) -> None:
    root, plan = tmp_path / "w", plan_of(PLANS["mixture"])
    journal = waiting_workspace(root, "AGENTS.md")
    write(root / ".aiwg/facts.d/a.jsonl")
    with pytest.raises(Damaged) as caught:
        journal.keep_mine(RepoPath("AGENTS.md"), NOW)
    assert [finding.path for finding in caught.value.findings] == [".aiwg/facts.d/a.jsonl"]
    assert Journal(str(root)).keep_mine(RepoPath(".aiwg/facts.d/a.jsonl"), NOW) == [receipt_of(plan)]
    assert state(root) == {**after(plan), "AGENTS.md": MINE, ".aiwg/facts.d/a.jsonl": MINE}


@pytest.mark.parametrize("recovered", [False, True])
@pytest.mark.parametrize("target", TARGETS)
def test_abandon_takes_back_what_was_made_and_keeps_what_they_wrote(
    tmp_path: Path, target: str, recovered: bool
) -> None:
    root = tmp_path / "w"
    journal = waiting_workspace(root, target)
    if recovered:
        with pytest.raises(Damaged):
            journal.recover(NOW)
    taken, receipts = journal.abandon(NOW)
    assert (len(taken), receipts) == (1, [])
    assert state(root) == {**BASE, target: MINE}
    assert folders(root) == parents(state(root))
    assert (local(root, "journal"), local(root, "stage")) == ([], [])


def test_abandon_stopped_at_any_call_goes_on_backwards(tmp_path: Path) -> None:
    target = ".aiwg/facts.d/b.jsonl"
    call = 1
    while True:
        root = tmp_path / str(call)
        journal = waiting_workspace(root, target)
        with pytest.raises(Damaged):
            journal.recover(NOW)
        disk = PowerDisk(str(root), stop=call)
        try:
            Journal(str(root), disk=disk).abandon(NOW)
            break
        except Stopped:
            for loss in LOSSES[:3]:
                lost = disk.lose_power(tmp_path / f"{call}-{loss}", loss)
                again = Journal(lost, disk=PowerDisk(lost))
                try:
                    assert again.recover(NOW) == []
                except Damaged:
                    assert [each.path for each in again.pending()] == [target], "the turn had not been committed"
                    assert again.abandon(NOW)[1] == []
                assert state(lost) == {**BASE, target: MINE}
        call += 1
    assert call > 20


def test_abandon_without_an_undo_copy_changes_nothing(tmp_path: Path) -> None:
    root = tmp_path / "w"
    journal = waiting_workspace(root, ".aiwg/facts.d/b.jsonl")
    with pytest.raises(Damaged):
        journal.recover(NOW)
    (root / ".aiwg/.local/undo" / digest(BASE["AGENTS.md"])[7:]).unlink()
    before = state(root)
    with pytest.raises(Damaged, match="copy"):
        journal.abandon(NOW)
    assert state(root) == before


def test_an_edit_in_place_of_a_file_just_linked_is_theirs(tmp_path: Path) -> None:
    plan = plan_of(PLANS["new"])
    path = plan.changes[0].path
    for call in range(1, 1000):
        root = tmp_path / str(call)
        disk = PowerDisk(str(lay(root)), stop=call)
        with pytest.raises(Stopped):
            apply(Journal(str(root), disk=disk), plan)
        if (root / path).exists():
            break
    with (root / path).open("ab") as file:
        file.write(MINE)
    Journal(str(root)).recover(NOW)
    assert state(root) == {**after(plan), path: (plan.changes[0].after or b"") + MINE}


@pytest.mark.parametrize("kind", ["directory", "link", "fifo", "dangling"])
@pytest.mark.parametrize("target", [".aiwg/facts.d/b.jsonl", "AGENTS.md", ".aiwg/wiki/old.md"])
def test_a_target_that_is_no_regular_file_is_refused(tmp_path: Path, kind: str, target: str) -> None:
    root = lay(tmp_path / "w")
    plan = plan_of({target: b"x\n"} if target != ".aiwg/wiki/old.md" else {target: None, "AGENTS.md": b"y\n"})
    path = root / target
    path.unlink(missing_ok=True)
    outside = tmp_path / "outside"
    outside.write_bytes(BASE.get(target, b"x\n"))
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(outside if kind == "link" else tmp_path / "nowhere")
    before = state(root)
    with pytest.raises(UnsafePath, match=target):
        apply(Journal(str(root)), plan)
    assert state(root) == before
    assert outside.read_bytes() == BASE.get(target, b"x\n")
    assert (local(root, "stage"), local(root, "journal")) == ([], [])


@pytest.mark.parametrize("link", [".aiwg", ".aiwg/facts.d", ".aiwg/.local", ".aiwg/.local/stage"])
def test_no_link_on_the_way_is_followed(tmp_path: Path, link: str) -> None:
    root = lay(tmp_path / "w")
    apply(Journal(str(root)), plan_of({"warm.md": b"up\n"}))
    outside = tmp_path / "outside"
    (root / link).rename(outside)
    (root / link).symlink_to(outside)
    before = state(outside)
    with pytest.raises(UnsafePath):
        apply(Journal(str(root)), plan_of({".aiwg/facts.d/new.jsonl": b"{}\n"}))
    assert state(outside) == before


def test_a_directory_replaced_by_a_link_after_the_commit_waits(tmp_path: Path) -> None:
    root = tmp_path / "w"
    journal = waiting_workspace(root, "unrelated.md")
    (root / ".aiwg/facts.d").rename(tmp_path / "outside")
    (root / ".aiwg/facts.d").symlink_to(tmp_path / "outside")
    with pytest.raises(Damaged) as caught:
        journal.recover(NOW)
    assert {finding.path for finding in caught.value.findings} == {".aiwg/facts.d/a.jsonl", ".aiwg/facts.d/b.jsonl"}
    assert sorted(each.name for each in (tmp_path / "outside").iterdir()) == ["a.jsonl"]
    assert journal.abandon(NOW)[1] == []
    assert (root / "AGENTS.md").read_bytes() == BASE["AGENTS.md"]
