"""A workspace on disk that time passes over, driven through the library; every ``do`` is previewed and confirmed."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aiwg_memory.addons.line_memory.store import Store, read
from aiwg_memory.addons.line_memory.text import handle_of
from aiwg_memory.core.operations import Plan
from aiwg_memory.workspace import Workspace
from aiwg_memory.workspace.maintaining import maintenance_request
from aiwg_memory.workspace.mutations import Mutations
from aiwg_memory.workspace.requests import request

ADA = "Ada <ada@example.org>"
FACTS = ".aiwg/memory/facts.d"


class Household:
    """``now`` is the time of the next operation; it moves on by itself, a second each."""

    def __init__(self, root: Path, now: str = "2026-01-05T09:00:00Z") -> None:
        self.root = root
        self.day, self.seconds = now[:10], 0

    @classmethod
    def begun(cls, root: Path, config: str = "", *, git: bool = False) -> Household:
        house = cls(root)
        house.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\n" + config)
        house.write(".aiwg/.gitignore", ".local/\n")
        if git:
            house.git("init", "-q", "-b", "main")
        return house

    def git(self, *words: str) -> str:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        return subprocess.run(["git", *who, *words], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "work")

    def clone(self, root: Path) -> Household:
        subprocess.run(["git", "clone", "-q", str(self.root), str(root)], check=True, capture_output=True)
        other = Household(root)
        other.day, other.seconds = self.day, self.seconds + 1800
        return other

    def pull(self, other: Household) -> None:
        self.git("pull", "-q", "--no-rebase", "--no-edit", str(other.root), "main")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    @property
    def now(self) -> str:
        return f"{self.day}T{9 + self.seconds // 3600:02}:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}Z"

    def workspace(self) -> Workspace:
        return Workspace.open(str(self.root), now=self.now, environ={}, clock=time.time)

    @property
    def store(self) -> Store:
        return read(self.workspace().tree)

    def confirm(self, plan: Plan) -> Plan:
        assert plan.changes, plan.summary
        Mutations(self.workspace()).confirm(plan.operation_id, reviewer=ADA, now=self.now)
        return plan

    def do(self, kind: str, arguments: Mapping[str, Any], on: str = "") -> Plan:
        self.day = on or self.day
        self.seconds += 1
        found = self.workspace()
        return self.confirm(Mutations(found).preview(request(found, kind, arguments, ADA)))

    def add(self, text: str, on: str = "", **more: Any) -> str:
        self.do("line-memory.add", {"texts": [text], "provenance": "operator", **more}, on)
        return handle_of(text)

    def maintenance(self, *, only: Any = (), skip: Any = (), leave: Any = ()) -> Plan:
        self.seconds += 1
        found = self.workspace()
        asked = maintenance_request(found, only, skip, ADA)
        if leave:
            asked = request(found, asked.kind, {**asked.arguments, "leave": sorted(leave)}, ADA, asked.inputs)
        return Mutations(found).preview(asked)

    def maintain(self, **how: Any) -> list[str]:
        return steps(self.confirm(self.maintenance(**how)))

    def segments(self, folder: str = FACTS) -> list[str]:
        return sorted(path.name for path in (self.root / folder).iterdir())

    def tracked(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not {".local", ".git"} & set(path.relative_to(self.root).parts)
        }


def steps(plan: Plan) -> list[str]:
    return [note.subject for note in plan.steps]
