"""A candidate rests on lines of a file that goes on changing: review says how they stand, and its item follows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from person import Person

CODE = "import time\n\n\ndef retry(call):\n    for _ in range(3):\n        call()\n"
SAID = "A call is retried three times."


class Coder(Person):
    """``candidate`` rests on the three lines of ``retry``."""

    def __init__(self, base: Path) -> None:
        super().__init__(base)
        self.write("src/retry.py", CODE)
        value = {"type": "discovery", "assertion": SAID, "evidence": [{"ref": "src/retry.py", "span": "L4-L6"}]}
        self.candidate = self.proposed(value)["candidate_id"]

    def proposed(self, value: dict[str, Any], status: int = 0) -> dict[str, Any]:
        told = self.json("candidates", "propose", stdin=json.dumps(value).encode(), status=status)
        found: dict[str, Any] = told["data"]["proposals"][0]
        return found

    def lines(self) -> list[dict[str, Any]]:
        (row,) = self.json("review")["data"]["candidates"]
        found: list[dict[str, Any]] = row["lines"]
        return found

    def sources(self, fact: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.json("facts", "show", fact)["data"]["versions"][-1]["sources"]
        return found


@pytest.fixture
def coder(tmp_path: Path) -> Coder:
    return Coder(tmp_path)


def test_review_says_verified_moved_and_gone(coder: Coder) -> None:
    assert [one["state"] for one in coder.lines()] == ["verified"]
    assert "src/retry.py#L4-L6 (verified)" in coder.run("review").out
    coder.write("src/retry.py", "# Calls again.\n" + CODE)
    assert [(one["state"], one["now"]) for one in coder.lines()] == [("moved", "L5-L7")]
    assert "src/retry.py#L4-L6 (moved to L5-L7)" in coder.run("review").out
    coder.write("src/retry.py", CODE.replace("3", "4"))
    assert "src/retry.py#L4-L6 (gone)" in coder.run("review").out
    error = coder.json("accept", coder.candidate, status=4)["error"]
    assert error["findings"][0]["rule"] == "evidence-changed"
    (coder.root / "src/retry.py").unlink()
    assert coder.json("accept", coder.candidate, status=4)["error"]["findings"][0]["rule"] == "evidence-vanished"


@pytest.mark.parametrize("sink", ["line-memory", "wiki:retry.md", "canonical-context:project-fact/retry"])
def test_what_it_becomes_follows_the_lines_from_where_they_are(coder: Coder, sink: str) -> None:
    coder.do("canon", "init")
    coder.write("src/retry.py", "# Calls again.\n" + CODE)
    coder.do("accept", coder.candidate)
    (handle,) = [one for one in coder.do("promote", coder.candidate, "--to", sink)["subjects"] if one[:5] != "cand_"]
    pack = coder.json("context", SAID)["data"]["pack"]["items"]
    assert [label for item in pack for label in item["labels"] if "source" in label] == []
    coder.environment["AIWG_MEMORY_NOW"] = "2026-02-01T08:00:00Z"
    coder.write("src/retry.py", "# Calls again,\n# three times.\n" + CODE)
    (item,) = coder.json("context", SAID)["data"]["pack"]["items"]
    assert "source moved" in item["labels"]
    steps = coder.json("maintain")["data"].get("steps", [])
    assert [one["subject"] for one in steps if one["subject"].startswith("reanchor")] == [
        f"reanchor {handle.partition(':v')[0]}"
    ]
    coder.do("maintain", "--only", "reanchor")
    (item,) = coder.json("context", SAID)["data"]["pack"]["items"]
    assert "source moved" not in item["labels"]
    assert "src/retry.py#L6-L8" not in str(coder.json("check")["data"]["findings"])
    assert item["review"] == "confirmed"


def test_the_digest_of_the_file_may_be_stated_too_and_another_one_is_refused(coder: Coder) -> None:
    from aiwg_memory.core.canonical import digest

    evidence = {"ref": "src/retry.py#L1", "digest": digest(CODE.encode())}
    found = coder.proposed({"type": "discovery", "assertion": "Time is imported.", "evidence": [evidence]})
    assert found["outcome"] == "proposed"
    evidence["digest"] = digest(b"another")
    found = coder.proposed({"type": "discovery", "assertion": "Time passes.", "evidence": [evidence]}, 4)
    assert found["code"] == "evidence-changed"
    evidence = {"ref": "src/retry.py", "span": "L90"}
    found = coder.proposed({"type": "discovery", "assertion": "Time passes.", "evidence": [evidence]}, 4)
    assert "has 6 lines, not L90" in found["message"]


def test_a_forged_anchor_leads_to_no_other_lines(coder: Coder) -> None:
    coder.do("candidates", "share", coder.candidate)
    (segment,) = (coder.root / ".aiwg/memory/candidates.d").iterdir()
    record = json.loads(segment.read_text())
    from aiwg_memory.core.canonical import canonical_json, digest

    record["evidence"][0]["anchor"] = {"first": digest(b"import time"), "file": digest(b"x")}
    segment.write_bytes(canonical_json(record) + b"\n")
    coder.write("src/retry.py", "# Calls again.\n" + CODE)
    assert [one["state"] for one in coder.lines()] == ["gone"]
    assert coder.run("accept", coder.candidate).status == 4
