"""A quarry's memory: a survey that two facts and a page rest on, an output made with them, and what came of that."""

from __future__ import annotations

import json
from copy import copy
from pathlib import Path
from shutil import copytree
from typing import Any

from person import Person

SURVEY = (
    "# Survey of the north face\n\nThe north face holds forty years of slate.\n\nBlasting is heard in the school.\n"
)
FACTS = ("The north face holds forty years of slate.", "Blasting on the north face is heard in the school.")
PAGE = """\
---
title: The north face
sources:
  - ref: surveys/north.md
---

# The north face

## Reserves of slate

The slate of the north face lasts forty years.
"""
TASK = "How long does the slate of the north face last, and where is blasting heard?"


class Quarry(Person):
    """``fact``, ``other``, ``page``, ``output``, ``candidate``, ``value`` are the handles of what rests on ``raw``."""

    def __init__(self, base: Path) -> None:
        super().__init__(base)
        self.write("surveys/north.md", SURVEY)
        self.raw = self.do("ingest", "surveys/north.md")["subjects"][0]
        self.do("add", *FACTS, "--source", "surveys/north.md")
        found = {one["text"]: one["handle"] for one in self.json("facts", "list")["data"]["facts"]}
        self.fact, self.other = (found[text] for text in FACTS)
        self.write(".aiwg/wiki/faces/north.md", PAGE)
        self.page = "wiki:faces/north.md"
        self.git("add", "-A")
        self.git("commit", "-qm", "surveyed")
        pack = self.json("context", TASK)["data"]["pack"]["id"]
        self.write("output/plan.md", "# Plan\n\nQuarry the north face first; blast after school.\n")
        (self.output,) = self.do("outputs", "register", "output/plan.md", "--pack", pack)["subjects"]
        proposal = {"type": "decision", "assertion": "Blast after four.", "evidence": [{"ref": self.output}]}
        proposed = self.json("candidates", "propose", stdin=json.dumps(proposal).encode())
        self.candidate = proposed["data"]["proposals"][0]["candidate_id"]
        self.do("candidates", "share", self.candidate)
        self.do("canon", "init")
        self.do("canon", "set", "project-fact/face.first", "The north face.", "--source", self.fact)
        self.value = "ctx:project-fact/face.first:v1"
        self.git("add", "-A")
        self.git("commit", "-qm", "as it was")
        self.before = self.git("rev-parse", "HEAD").strip()

    def copied(self, base: Path) -> Quarry:
        """The same quarry once more, for a test that changes it."""
        other = copy(self)
        other.base, other.root, other.home = base, base / "desk", base / "home"
        copytree(self.base, base, dirs_exist_ok=True)
        other.environment = {**self.environment, "HOME": str(other.home)}
        return other

    def handles(self, task: str = TASK, *options: str) -> dict[str, tuple[str, ...]]:
        """What a pack delivers, by handle, with its labels."""
        items = self.json("context", task, *options)["data"]["pack"]["items"]
        return {one["handle"]: tuple(one.get("labels", ())) for one in items}

    def excluded(self, task: str = TASK, *options: str) -> dict[str, str]:
        pack = self.json("context", task, *options)["data"]["pack"]
        return {one["handle"]: one["code"] for one in pack["excluded"]}

    def affected(self, source: str) -> dict[str, Any]:
        rows = self.json("lineage", "affected", source, kind="lineage_affected_data.v1")["data"]["affected"]
        return {one["handle"]: one for one in rows}
