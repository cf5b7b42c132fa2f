"""From an output to two memories, by the command line: proposed, accepted, promoted, interrupted, recovered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from conformance.run import judge_schema

SAID = "Night trains carry bicycles from April to October."


class Hand:
    """A person in a repository; each command is one minute after the last."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.minutes = 0
        root.mkdir()
        for words in (("init", "-q"), ("config", "user.name", "Ada"), ("config", "user.email", "ada@example.org")):
            subprocess.run(["git", *words], cwd=root, check=True)

    def run(self, *words: str, stdin: str = "", status: int = 0, environ: dict[str, str] | None = None) -> Any:
        self.minutes += 1
        env = {
            "PATH": os.environ["PATH"], "HOME": str(self.root), "PYTHONPATH": str(Path(__file__).parents[2]),
            "AIWG_MEMORY_NOW": f"2026-04-01T10:{self.minutes:02}:00Z", **(environ or {}),
        }  # fmt: skip
        command = [sys.executable, "-m", "aiwg_memory", *words, "--json"]
        done = subprocess.run(command, cwd=self.root, env=env, input=stdin, capture_output=True, text=True, check=False)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        value = json.loads(done.stdout)
        assert list(judge_schema("output", done.stdout, "envelope.v1")) == []
        return value

    def did(self, *words: str, stdin: str = "") -> Any:
        shown = self.run(*words, stdin=stdin)["data"]
        return self.run("confirm", shown["operation_id"])["data"]


def test_what_an_output_said_becomes_a_fact_and_a_page(tmp_path: Path) -> None:
    ada = Hand(tmp_path / "desk")
    ada.did("init")
    ada.did("add", "Night trains run on Fridays.")
    pack = ada.run("context", "night trains")["data"]["pack"]["id"]
    report = ada.root / "output/trains.md"
    report.parent.mkdir()
    report.write_text(f"# Night trains\n\nDecision: {SAID}\n")
    ada.did("outputs", "register", "output/trains.md", "--pack", pack)
    output = ada.run("outputs", "list")["data"]["outputs"][0]["handle"]

    told = ada.run("candidates", "extract", output, environ={"CLAUDECODE": "1"})["data"]["proposals"]
    assert [one["outcome"] for one in told] == ["proposed"]
    row = ada.run("review")["data"]["candidates"][0]
    assert row["evidence"][0]["ref"] == output
    assert (row["assertion"], row["evidence"][0]["span"], row["provenance"]) == (SAID, "L3", "extracted")
    unseen(ada)

    shown = f"{row['candidate_id']}@{row['version']}:{row['fingerprint'][7:19]}"
    accepted = ada.run("accept", shown)["data"]
    refused = ada.run("confirm", accepted["operation_id"], status=4, environ={"CLAUDECODE": "1"})
    assert refused["error"]["code"] == "agent-driving"
    ada.run("confirm", accepted["operation_id"])
    assert ada.run("accept", shown, status=3)["error"]["code"] == "stale-candidate"
    unseen(ada)

    plan = ada.run("promote", row["candidate_id"], "--to", "line-memory", "--to", "wiki")["data"]
    page = next(each["path"] for each in plan["changes"] if each["path"].startswith(".aiwg/wiki/"))
    (ada.root / page).mkdir(parents=True)
    owed = ada.run("confirm", plan["operation_id"], status=5)
    assert owed["error"]["code"] == "owed"
    assert [each["sink"] for each in owed["data"]["receipts"]] == ["line-memory"]
    assert [each["sink"] for each in owed["data"]["owed"]] == ["wiki"]
    box = next((ada.root / ".aiwg/outbox.d").iterdir())
    assert len(box.read_text().splitlines()) == 2
    findings = ada.run("check", "--all")["data"]["findings"]
    assert [each["rule"] for each in findings if each["rule"] in ("owed", "unreviewed")] == ["owed"]

    (ada.root / page).rmdir()
    done = ada.run("recover")["data"]
    assert [each["sink"] for each in done["receipts"]] == ["wiki"]
    assert not done.get("owed")
    assert not box.exists()
    again = ada.run("confirm", plan["operation_id"])["data"]
    assert again["duplicate"]
    assert len(again["receipts"]) == 2
    facts = [path.read_text() for path in (ada.root / ".aiwg/memory/facts").glob("*.txt")]
    assert facts.count(SAID + "\n") == 1
    assert {hit["handle"][:5] for hit in ada.run("search", "bicycles")["data"]["hits"]} == {
        "lm_" + facts_handle(ada),
        "wiki:",
    }
    assert ada.run("receipts", "verify")["data"]["findings"] == []
    assert [each for each in ada.run("check", "--all")["data"]["findings"] if each["severity"] == "error"] == []


def unseen(ada: Hand) -> None:
    """Before it is promoted it is in no pack and no search."""
    assert ada.run("search", "bicycles April")["data"]["hits"] == []
    assert "bicycles" not in ada.run("context", "bicycles on night trains in April")["data"]["text"]


def facts_handle(ada: Hand) -> str:
    folder = ada.root / ".aiwg/memory/facts"
    return next(path.stem[:2] for path in folder.glob("*.txt") if SAID in path.read_text())
