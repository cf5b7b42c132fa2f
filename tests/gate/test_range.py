"""`check --range` judges what a branch changed since it left another, by the settings of where it goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from clone import ADA, Clone

HAND = ".aiwg/memory/line-memory.txt"
SECRET = "The database password: " + "tr0ub4dor" + "-and-3"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path / "desk")
    made.commit("start")
    return made


def settings(clone: Clone, more: str) -> None:
    path = clone.root / ".aiwg/config.yaml"
    path.write_text(path.read_text() + more)


def test_what_the_base_did_meanwhile_is_not_this_branchs_doing(clone: Clone) -> None:
    clone.git("checkout", "-q", "-b", "topic")
    clone.do("add", "Lunch is at noon.")
    clone.commit()
    clone.git("checkout", "-q", "main")
    clone.write(HAND, f"{SECRET}\n")
    clone.commit()
    assert clone.check("--range", "main..topic") == []
    assert clone.check("--range", "main...topic") == []
    assert "secret-assignment" in clone.rules("--range", "main~1..main")


def test_a_range_without_a_head_means_this_commit(clone: Clone) -> None:
    clone.write(HAND, f"{SECRET}\n")
    clone.commit()
    assert "secret-assignment" in clone.rules("--range", "HEAD~1..")


def test_a_secret_that_came_and_went_again_within_the_range_is_not_in_its_result(clone: Clone) -> None:
    clone.write(HAND, f"{SECRET}\n")
    clone.commit()
    clone.write(HAND, "Lunch is at noon.\n")
    clone.commit()
    assert "secret-assignment" not in clone.rules("--range", "HEAD~2..HEAD")


def test_only_what_the_change_introduces_counts_when_asked(clone: Clone) -> None:
    clone.write(HAND, "Lunch is \x07 at noon.\n")
    clone.commit()
    clone.write(HAND, "Lunch is \x07 at noon.\nTea is at four.\n")
    clone.commit()
    assert "fact-text" in clone.rules("--range", "HEAD~1..HEAD")
    assert "fact-text" not in clone.rules("--range", "HEAD~1..HEAD", "--new-only")


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        (".aiwg/memory/facts.d/20260101T000000Z-0123456789ab.JSONL", "fact-file-name"),
        (".aiwg/memory/facts.d/more/20260101T000000Z-0123456789ab.jsonl", "fact-file-name"),
        (".aiwg/memory/facts/more/0123456789abcdef.txt", "fact-file-name"),
        (".aiwg/memory/candidates.d/more/20260101T000000Z-0123456789ab.jsonl", "candidate-file-name"),
    ],
)
def test_a_file_that_no_store_would_read_where_it_lies_fails_the_change_as_it_fails_check(
    clone: Clone, path: str, rule: str
) -> None:
    clone.write(path, "Lunch is at noon.\n")
    clone.commit()
    assert rule in clone.rules("--range", "HEAD~1..HEAD")
    assert rule in clone.rules("--range", "HEAD~1..HEAD", "--new-only")
    assert rule in clone.rules()
    clone.do("add", "Tea is at four.")
    clone.commit()
    assert rule not in clone.rules("--range", "HEAD~1..HEAD")


def test_a_shallow_clone_is_told_what_it_lacks(clone: Clone) -> None:
    for number in range(3):
        clone.write("notes.txt", f"{number}\n")
        clone.commit()
    clone.git("checkout", "-q", "-b", "topic", "HEAD~2")
    clone.write("other.txt", "x\n")
    clone.commit()
    shallow = clone.root.parent / "shallow"
    clone.git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{clone.root}", str(shallow))
    done = Clone(shallow, init=False).tool("check", "--range", "origin/main..origin/topic")
    assert done.returncode == 2
    assert "shallow" in done.stderr
    assert "fetch-depth: 0" in done.stderr


def test_two_histories_and_names_that_are_none_are_usage_errors(clone: Clone) -> None:
    clone.git("checkout", "-q", "--orphan", "alone")
    clone.commit()
    for given in ("main..alone", "main..nowhere", "--output=x..HEAD", "main"):
        done = clone.tool("check", f"--range={given}")
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr


def test_a_reviewer_who_is_not_on_the_list_of_the_base_is_found_and_cannot_put_himself_there(clone: Clone) -> None:
    settings(clone, "reviewers:\n  - Grace Hopper <grace@example.org>\nreceipts: required\n")
    base = clone.commit()
    config = clone.root / ".aiwg/config.yaml"
    config.write_text(config.read_text().replace("Grace Hopper <grace@example.org>", ADA))
    clone.do("add", "Lunch is at noon.")
    clone.commit()
    found = clone.check("--range", f"{base}..HEAD")
    assert ("reviewer", "error") in {(one["rule"], one["severity"]) for one in found}
    assert "gate-loosened" in {one["rule"] for one in found}


def test_what_would_loosen_the_gate_is_said_setting_by_setting(clone: Clone) -> None:
    settings(clone, "receipts: required\nagents: 'off'\n")
    base = clone.commit()
    config = clone.root / ".aiwg/config.yaml"
    text = config.read_text().replace("receipts: required\nagents: 'off'\n", "")
    config.write_text(
        text + "confirm_under_agent: true\nscreening:\n  - class: private-key\n    where: .aiwg\n    reason: no\n"
    )
    clone.commit()
    said = [one["message"] for one in clone.check("--range", f"{base}..HEAD") if one["rule"] == "gate-loosened"]
    for name in ("receipts", "agents", "confirm_under_agent", "screening"):
        assert any(f"`{name}`" in each for each in said), said


def test_a_handle_that_vanished_fails_and_one_that_was_ended_does_not(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    clone.do("add", "Tea is at four.")
    base = clone.commit()
    first, second = clone.facts()
    clone.do("facts", "archive", f"lm_{first.stem}")
    clone.commit()
    assert clone.check("--range", f"{base}..HEAD") == []
    for path in (clone.root / ".aiwg").rglob("*"):
        if path.is_file() and f"lm_{second.stem}".encode() in path.read_bytes() and "receipts" not in str(path):
            path.unlink()
    second.unlink()
    clone.commit()
    assert {"record-lost", "handle-vanished", "segment-edited"} <= set(clone.rules("--range", f"{base}..HEAD"))


def test_opposite_decisions_that_were_merged_are_a_fork_in_the_range(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    base = clone.commit()
    handle = f"lm_{clone.facts()[0].stem}"
    clone.git("checkout", "-q", "-b", "topic")
    clone.do("facts", "reject", handle)
    clone.commit()
    clone.git("checkout", "-q", "main")
    clone.do("facts", "revoke", handle)
    clone.commit()
    clone.git("merge", "-q", "--no-edit", "topic")
    assert "record-fork" in clone.rules("--range", f"{base}..HEAD")
    assert "record-fork" in clone.rules("--range", "HEAD~1..HEAD")
