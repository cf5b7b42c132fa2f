"""Several sinks: whatever stops where, each is delivered exactly once, exactly as it was confirmed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from queue_of import ADA, BOTH, LIN, NOTES, TEXT, Queue

from aiwg_memory.addons.line_memory.store import read as facts_of
from aiwg_memory.core.operations import Plan
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import DiskFailed, UsageError
from aiwg_memory.workspace.delivering import deliver, drop
from aiwg_memory.workspace.mutations import Mutations
from aiwg_memory.workspace.owing import MAX_ERROR, owed_rows
from aiwg_memory.workspace.reporting import status
from aiwg_memory.worktree.disk import Disk

CALLS = ("make_dir", "write_new", "sync_file", "sync_dir", "link_new", "rename", "unlink", "remove_dir")


class Stopped(BaseException):
    """The process ended here: nothing runs after it."""


class Watched(Disk):
    """Counts the calls that change something and asks ``before`` about each, which may raise."""

    def __init__(self, root: str, before: Callable[[int, str, str], None]) -> None:
        super().__init__(root)
        self.calls = 0
        self.before = before


def _watched(name: str) -> Any:
    def call(self: Watched, *args: Any, **more: Any) -> Any:
        self.calls += 1
        self.before(self.calls, name, str(args[-1] if name in ("link_new", "rename") else args[0]))
        return getattr(Disk, name)(self, *args, **more)

    return call


for _name in CALLS:
    setattr(Watched, _name, _watched(_name))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Plan]:
    """A clone with an accepted candidate and the preview of its promotion to two sinks."""
    root = tmp_path_factory.mktemp("prepared")
    queue = Queue.begun(root)
    return root, queue.promotion(queue.accepted())


@pytest.fixture(scope="module")
def threefold(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Plan]:
    """The same with a third sink."""
    root = tmp_path_factory.mktemp("threefold")
    queue = Queue.begun(root)
    queue.do("canonical-context.init", {})
    return root, queue.promotion(queue.accepted(), *BOTH, "canonical-context:decision/harbour.channel")


def clone(prepared: tuple[Path, Plan], to: Path, *, local: bool = True) -> Queue:
    shutil.copytree(prepared[0], to, ignore=None if local else shutil.ignore_patterns(".local"))
    return Queue(to, minutes=30)


def delivered_once(queue: Queue, plan: Plan) -> None:
    """Every sink holds the statement once, with one receipt; nothing is owed, staged or left over."""
    assert queue.facts() == [TEXT]
    fact = next(iter(facts_of(queue.workspace().tree).heads.values()))
    assert (fact.current.version, fact.fork) == (1, ())
    for change in plan.changes:
        assert (queue.root / change.path).read_bytes() == change.after
    made = [each for each in queue.receipts() if each["operation_id"] == plan.operation_id]
    assert sorted(each["sink"] for each in made) == sorted(sink.name for sink in plan.sinks)
    assert not queue.owed()
    assert not (queue.root / ".aiwg/outbox.d").exists()
    assert not list((queue.root / ".aiwg/.local/stage").glob("*"))


def test_stop_at_every_call_then_repeat_or_recover_elsewhere(threefold: tuple[Path, Plan], tmp_path: Path) -> None:
    plan = threefold[1]
    assert len(plan.sinks) == 3
    call, owed, ended = 0, set(), False
    while not ended:
        call += 1
        queue = clone(threefold, tmp_path / f"{call}")

        def stop(number: int, name: str, path: str, at: int = call) -> None:
            if number >= at:
                raise Stopped

        before = queue.tracked()
        mutations = Mutations(queue.on(Watched(str(queue.root), stop)))
        try:
            mutations.confirm(plan.operation_id, reviewer=ADA, now=queue.now)
            ended = True
        except Stopped:
            # Somebody who pulls what was committed half done has nothing but the files, and delivers from them.
            half = Queue(tmp_path / f"{call}-half", minutes=31)
            shutil.copytree(queue.root, half.root, ignore=shutil.ignore_patterns(".local"))
            if half.owed():
                half.deliver(LIN)
                delivered_once(half, plan)
            shutil.rmtree(half.root)
            # Another clone sees what was tracked when the process stopped, and is recovered by somebody else there.
            other = Queue(tmp_path / f"{call}-other", minutes=31)
            shutil.copytree(queue.root, other.root)
            other.workspace().journal.recover(other.now)
            shutil.rmtree(other.root / ".aiwg/.local")
            owed.add(len(other.owed()))
            began = bool(other.owed() or [each for each in other.receipts() if each["sink"]])
            other.deliver(LIN)
            if began:
                delivered_once(other, plan)
            else:
                assert other.tracked() == before
            done = queue.confirm(plan)
            assert not done.owed
        delivered_once(queue, plan)
        shutil.rmtree(tmp_path / f"{call}")
        shutil.rmtree(tmp_path / f"{call}-other", ignore_errors=True)
    assert owed == {0, 1, 2, 3}, "it was stopped before, between and after the sinks"


@pytest.mark.parametrize("when", ["before", "during", "after"])
@pytest.mark.parametrize("sink", ["line-memory", "wiki"])
def test_a_sink_that_fails_leaves_the_other_standing(
    prepared: tuple[Path, Plan], tmp_path: Path, sink: str, when: str
) -> None:
    queue, plan = clone(prepared, tmp_path / "clone"), prepared[1]
    place = next(change.path for change in plan.changes if ("wiki" in change.path) == (sink == "wiki"))
    bad_name, bad_end = {
        "before": ("write_new", f"-{sink}/0"),
        "during": ("link_new", place),
        "after": ("link_new", f"-{sink}.jsonl"),
    }[when]

    def fail(number: int, name: str, path: str) -> None:
        if name == bad_name and path.endswith(bad_end):
            raise DiskFailed(f"{path}: the disk is full")

    found = queue.on(Watched(str(queue.root), fail))
    done = Mutations(found).confirm(plan.operation_id, reviewer=ADA, now=queue.now)
    assert done.owed
    assert sink in {row["sink"] for row in done.owed}
    assert {each["sink"] for each in done.receipts} <= {"line-memory", "wiki"} - {sink}
    if when == "before":
        assert len(done.receipts) == 1, "the other sink's receipt stands"
        assert [row["sink"] for row in owed_rows(queue.workspace())] == [sink]
    queue.workspace().journal.recover(queue.now)
    queue.deliver()
    delivered_once(queue, plan)


def test_what_is_owed_is_told_where_no_attempt_can_be_noted(prepared: tuple[Path, Plan], tmp_path: Path) -> None:
    queue, plan = clone(prepared, tmp_path / "clone"), prepared[1]
    (queue.root / ".aiwg/.local/owed").write_text("in the way of the notes")

    def fail(number: int, name: str, path: str) -> None:
        if name == "write_new" and path.endswith("-line-memory/receipt"):
            raise DiskFailed(f"{path}: the disk is full")

    done = Mutations(queue.on(Watched(str(queue.root), fail))).confirm(plan.operation_id, reviewer=ADA, now=queue.now)
    assert [(row["sink"], row["code"]) for row in done.owed] == [("line-memory", "disk-failed")]
    assert [each["sink"] for each in done.receipts] == ["wiki"]
    queue.deliver()
    delivered_once(queue, plan)


def test_the_last_error_and_the_attempts_are_shown(prepared: tuple[Path, Plan], tmp_path: Path) -> None:
    queue, plan = clone(prepared, tmp_path / "clone"), prepared[1]
    page = next(change.path for change in plan.changes if "wiki" in change.path)
    (queue.root / page).mkdir(parents=True)
    queue.confirm(plan)
    for _ in range(2):
        queue.deliver()
    row = owed_rows(queue.workspace())[0]
    assert (row["sink"], row["attempts"]) == ("wiki", 3)
    assert "there is a directory" in row["error"]
    assert len(row["error"]) <= MAX_ERROR
    told = status(queue.workspace())
    assert any("wiki is owed" in line and "tried 3x" in line for line in told["broken"])
    assert "aiwg-memory recover" in told["next"]
    (queue.root / page).rmdir()
    receipts, failed = queue.deliver(LIN)
    assert not failed
    assert (receipts[0]["delivered_by"], receipts[0]["reviewer"]) == (LIN, ADA)
    delivered_once(queue, plan)


def blocked(prepared: tuple[Path, Plan], at: Path) -> tuple[Queue, Plan]:
    """A clone that owes its page, with the way free again."""
    queue, plan = clone(prepared, at), prepared[1]
    page = next(change.path for change in plan.changes if "wiki" in change.path)
    (queue.root / page).mkdir(parents=True)
    queue.confirm(plan)
    (queue.root / page).rmdir()
    assert [one.sink for one in queue.owed()] == ["wiki"]
    return queue, plan


def test_two_clones_deliver_the_same_bytes(prepared: tuple[Path, Plan], tmp_path: Path) -> None:
    queue, plan = blocked(prepared, tmp_path / "one")
    other = Queue(tmp_path / "two", minutes=40)
    shutil.copytree(queue.root, other.root, ignore=shutil.ignore_patterns(".local"))
    queue.confirm(plan)
    other.deliver(ADA)
    assert queue.tracked() == other.tracked()


def test_what_was_delivered_elsewhere_is_cleared_away(prepared: tuple[Path, Plan], tmp_path: Path) -> None:
    queue, plan = blocked(prepared, tmp_path / "one")
    box = next((queue.root / ".aiwg/outbox.d").iterdir())
    kept = box.read_bytes()
    queue.deliver()
    box.parent.mkdir()
    box.write_bytes(kept)
    assert not queue.owed(), "a merge that brings the file back owes nothing"
    assert queue.deliver() == ([], [])
    delivered_once(queue, plan)


def test_drop_closes_one_sink_with_a_receipt_that_says_so(prepared: tuple[Path, Plan], tmp_path: Path) -> None:
    queue, plan = blocked(prepared, tmp_path / "one")
    receipt = drop(queue.workspace(), "wiki", LIN, "the page is written by hand", queue.now)
    assert receipt["changes"] == []
    assert receipt["dropped"] == {"by": LIN, "at": queue.now, "reason": "the page is written by hand"}
    assert not queue.owed()
    assert not (queue.root / ".aiwg/outbox.d").exists()
    assert not list((queue.root / ".aiwg/wiki").rglob("*.md"))
    done = queue.confirm(plan)
    assert done.duplicate
    assert [bool(each.get("dropped")) for each in done.receipts] == [False, True]


# command -> what becomes of one sink of a promotion: delivered, dropped, or the refusal that leaves it as it is
OUTBOX = {
    "confirm": {"previewed": "delivered", "owed": "delivered", "delivered": "delivered", "dropped": "dropped"},
    "recover": {"previewed": "previewed", "owed": "delivered", "delivered": "delivered", "dropped": "dropped"},
    "drop": {"previewed": "usage", "owed": "dropped", "delivered": "usage", "dropped": "usage"},
}


@pytest.mark.parametrize("state", ["previewed", "owed", "delivered", "dropped"])
@pytest.mark.parametrize("command", sorted(OUTBOX))
def test_every_command_on_a_sink_in_every_state(
    prepared: tuple[Path, Plan], tmp_path: Path, command: str, state: str
) -> None:
    if state == "previewed":
        queue, plan = clone(prepared, tmp_path / "one"), prepared[1]
    else:
        queue, plan = blocked(prepared, tmp_path / "one")
    if state == "delivered":
        queue.deliver()
    elif state == "dropped":
        drop(queue.workspace(), "wiki", LIN, "written by hand", queue.now)
    before, wanted = queue.tracked(), OUTBOX[command][state]
    if wanted == "usage":
        with pytest.raises(UsageError, match="nothing is owed to wiki"):
            drop(queue.workspace(), "wiki", LIN, "again", queue.now)
    elif command == "confirm":
        assert queue.confirm(plan).duplicate == (state in ("delivered", "dropped"))
    elif command == "recover":
        queue.deliver()
    else:
        drop(queue.workspace(), "wiki", LIN, "written by hand", queue.now)
    if wanted in ("usage", state):
        assert queue.tracked() == before, "what is settled stays settled"
    made = {each["sink"]: bool(each.get("dropped")) for each in queue.receipts()}
    after = {"usage": state}.get(wanted, wanted)
    assert made.get("wiki") == {"delivered": False, "dropped": True}.get(after)
    assert bool(list((queue.root / ".aiwg/wiki").rglob("*.md"))) == (after == "delivered")


@pytest.mark.parametrize("change", ["evidence", "candidate", "target"])
def test_an_owed_delivery_is_checked_again(prepared: tuple[Path, Plan], tmp_path: Path, change: str) -> None:
    queue, plan = blocked(prepared, tmp_path / "one")
    page = next(change.path for change in plan.changes if "wiki" in change.path)
    if change == "evidence":
        queue.write(NOTES, "Something else.\n")
    elif change == "candidate":
        queue.decide("reopen", next(iter(queue.store.heads)))
    else:
        queue.write(page, "# A person's own page\n")
    before = queue.tracked()
    receipts, failed = queue.deliver()
    assert not receipts
    code = {"evidence": "evidence-changed", "candidate": "revoked-since", "target": "stale-preview"}[change]
    assert [row["code"] for row in failed] == [code]
    assert queue.tracked() == before, "what a person did stays, and so does what is owed"


def test_a_forged_receipt_pays_nothing(prepared: tuple[Path, Plan], tmp_path: Path) -> None:
    from aiwg_memory.addons.compound_memory.promotion.checking import check

    queue, plan = blocked(prepared, tmp_path / "one")
    true = next(each for each in queue.receipts() if each["sink"] == "line-memory")
    owed = queue.owed()[0]
    place = queue.root / f".aiwg/receipts.d/{plan.request.seg}-wiki.jsonl"
    forgeries: list[dict[str, Any]] = [
        {**true, "sink": "wiki"},
        {**owed.receipt, "operation_id": "op_" + "0" * 64},
        {**owed.receipt, "changes": []},
        {**owed.receipt, "dropped": {"by": "x"}},
        true,
    ]
    for forged in forgeries:
        place.write_text(json.dumps(forged) + "\n")
        assert [one.sink for one in queue.owed()] == ["wiki"], forged
        assert "forged-receipt" in {one.rule for one in check(queue.workspace().tree, None)}
        assert queue.deliver()[1], "nobody writes over it, or delivers around it"
    place.unlink()
    queue.deliver()
    delivered_once(queue, plan)


@pytest.mark.parametrize("forgery", ["path", "bytes", "reviewer", "workspace", "secret", "seg"])
def test_a_forged_outbox_delivers_nothing(prepared: tuple[Path, Plan], tmp_path: Path, forgery: str) -> None:
    import base64

    from aiwg_memory.core.canonical import digest

    queue, _ = blocked(prepared, tmp_path / "one")
    box = next((queue.root / ".aiwg/outbox.d").iterdir())
    lines = [json.loads(line) for line in box.read_text().splitlines()]
    line = next(one for one in lines if one["sink"] == "wiki")
    change, told = line["changes"][0], line["receipt"]["changes"][0]
    if forgery == "path":
        change["path"] = told["path"] = "src/main.py"
    elif forgery == "bytes":
        change["base64"] = base64.b64encode(b"# Other\n").decode()
    elif forgery == "secret":
        data = b"# Key\n\npassword: 'hunter2-Xk29vQ81mz'\n"
        change["base64"] = base64.b64encode(data).decode()
        change["after"] = told["after"] = digest(data)
    elif forgery == "seg":
        line["seg"] = line["receipt"]["seg"] = "20260101T000000Z-0123456789ab"
    else:
        line["receipt"][forgery] = {"reviewer": "agent", "workspace": "ws_other"}[forgery]
    box.write_text("".join(json.dumps(one) + "\n" for one in lines))
    before = queue.tracked()
    receipts, _ = deliver(queue.workspace(), LIN, queue.now)
    assert not receipts
    assert queue.tracked() == before
    assert not (queue.root / "src").exists()


def test_a_broken_outbox_is_kept_and_reported(prepared: tuple[Path, Plan], tmp_path: Path) -> None:
    from aiwg_memory.addons.compound_memory.promotion.checking import check

    queue, _ = blocked(prepared, tmp_path / "one")
    box = next((queue.root / ".aiwg/outbox.d").iterdir())
    box.write_text("<<<<<<< ours\n" + box.read_text())
    queue.deliver()
    assert box.exists(), "a file with a line nobody can read is not taken away"
    found = check(queue.workspace().tree, None)
    assert [(one.rule, one.line, one.severity) for one in found if one.rule == "outbox"] == [("outbox", 1, "error")]
    assert RepoPath(str(box.relative_to(queue.root)))
