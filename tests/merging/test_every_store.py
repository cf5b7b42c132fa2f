"""Twenty branches that each write to every other store: canonical keys, candidates, outputs, pins, receipts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from clone import PACKAGE_ROOT, environment
from queue_of import Queue

from aiwg_memory.core.findings import Finding
from aiwg_memory.workspace.canon import canon_rows, change_arguments
from aiwg_memory.workspace.checking import check
from aiwg_memory.workspace.instructions import history, pin_arguments
from aiwg_memory.workspace.outputs import output_rows, register_arguments

BRANCHES = 20


class Desk(Queue):
    def git(self, *words: str) -> str:
        asked = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words]
        return subprocess.run(asked, cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def packed(self) -> str:
        """A pack of what is there, kept on this machine for whatever is made with it."""
        env = {**environment(self.root.parent), "PYTHONPATH": str(PACKAGE_ROOT), "AIWG_MEMORY_NOW": self.now}
        asked = [sys.executable, "-m", "aiwg_memory", "context", "harbour office", "--json"]
        done = subprocess.run(asked, cwd=self.root, env=env, check=True, capture_output=True, text=True)
        return str(json.loads(done.stdout)["data"]["pack"]["id"])

    def key(self, name: str, value: str) -> None:
        self.do(
            "canonical-context.set",
            change_arguments(self.workspace(), name, None, {"value": value, "provenance": "operator"}),
        )

    def pin(self, target: str) -> None:
        self.do("instructions.pin", pin_arguments(self.workspace(), target, {}, ""))

    def output(self, name: str, text: str, pack: str) -> None:
        self.write(name, text)
        self.do("output.register", register_arguments(self.workspace(), str(self.root), name, pack, keep_task=True))


def found_wrong(desk: Desk) -> list[Finding]:
    found = desk.workspace()
    return check(found.addons, found.tree, everything=True)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(Queue.begun(tmp_path / "desk").root)
    desk.git("init", "-q", "-b", "main")
    desk.write(".aiwg/.gitignore", ".local/\n")
    for number in range(BRANCHES):
        desk.write(f"team{number}/AGENTS.md", f"Team {number} runs the tests.\n")
    desk.do("canonical-context.init", {})
    desk.do("line-memory.add", {"texts": ["The harbour office is old."], "provenance": "operator"})
    return desk


def test_twenty_branches_of_every_store_merge_without_a_conflict(desk: Desk) -> None:
    shared = desk.proposed("Everyone reads the harbour notes.")
    desk.decide("share", shared)
    desk.commit("start")
    pack = desk.packed()
    for number in range(BRANCHES):
        desk.git("checkout", "-q", "-b", f"branch-{number}", "main")
        desk.key(f"project-fact/berth.{number}", f"Berth {number}.")
        desk.decide("accept", desk.proposed(f"Crane {number} is booked by telephone."))
        desk.decide("accept", shared)
        desk.output(f"output/{number}.md", f"# Plan {number}\n", pack)
        desk.pin(f"team{number}")
        desk.pin("team0") if number % 2 else None
        desk.commit(f"branch {number}")
    desk.git("checkout", "-q", "main")
    for number in range(BRANCHES):
        desk.git("merge", "-q", "--no-edit", f"branch-{number}")
    found = desk.workspace()
    assert len(canon_rows(found, None, history=False)) == BRANCHES
    assert len(desk.rows("accepted")) == BRANCHES + 1
    assert not any(head.fork for head in desk.store.heads.values())
    assert len(output_rows(found, history=False)[0]) == BRANCHES
    for number in range(BRANCHES):
        assert [each.revision for each in history(found, f"team{number}").pins] == [1]
    made_here = 2 + 1 + BRANCHES * 5 + BRANCHES // 2
    assert len({each["seg"] for each in desk.receipts()}) == made_here
    assert [one for one in found_wrong(desk) if one.severity == "error"] == []


def test_a_pin_confirmed_differently_on_two_branches_is_a_fork_until_it_is_pinned_again(desk: Desk) -> None:
    desk.commit("start")
    for name in ("one", "two"):
        desk.git("checkout", "-q", "-b", name, "main")
        desk.write("team1/AGENTS.md", f"Team {name} decides.\n")
        desk.pin("team1")
        desk.git("checkout", "-q", "main", "--", "team1")
        desk.commit(name)
    desk.git("merge", "-q", "--no-edit", "one")
    assert "pin-fork" in {one.rule for one in found_wrong(desk)}
    desk.pin("team1")
    assert "pin-fork" not in {one.rule for one in found_wrong(desk)}
