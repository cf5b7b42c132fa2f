"""`check --staged` judges what the next commit changes, as it is staged, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clone import Clone

SECRET = "The database password: " + "tr0ub4dor" + "-and-3"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "desk")


def test_confirmed_operations_pass_without_a_word(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    assert clone.check("--staged") == []
    clone.add()
    assert clone.check("--staged") == []
    clone.commit()
    clone.do("facts", "archive", f"lm_{clone.facts()[0].stem}")
    clone.add()
    assert clone.check("--staged") == []


def test_a_withdrawn_source_passes_though_no_page_and_no_copy_changes(clone: Clone) -> None:
    clone.write("hours.md", "Lunch is at noon.\n")
    clone.do("ingest", "hours.md")
    clone.do("add", "Lunch is at noon.", "--source", "hours.md")
    clone.commit()
    clone.do("lineage", "revoke", "hours.md", "--action", "revoke")
    clone.add()
    assert clone.check("--staged") == []
    clone.commit()
    assert clone.check("--range", "HEAD~1..HEAD") == []


def test_what_is_staged_counts_and_not_what_lies_on_the_disk(clone: Clone) -> None:
    path = clone.write(".aiwg/memory/line-memory.txt", f"{SECRET}\n")
    clone.add()
    path.write_text("Lunch is at noon.\n")
    assert "secret-assignment" in clone.rules("--staged")
    clone.add()
    path.write_text(f"{SECRET}\n")
    assert "secret-assignment" not in clone.rules("--staged")


def test_a_finding_says_where_what_and_how_to_go_on_and_never_the_secret(clone: Clone) -> None:
    clone.commit()
    clone.write(".aiwg/memory/line-memory.txt", f"Lunch is at noon.\n{SECRET}\n")
    clone.add()
    done = clone.tool("check", "--staged")
    assert done.returncode == 1
    assert ".aiwg/memory/line-memory.txt:2: error[secret-assignment]: a secret of the class assignment" in done.stdout
    assert "aiwg: allow assignment <reason>" in done.stdout
    assert "tr0ub4dor" not in done.stdout + done.stderr


def test_a_recorded_exception_is_listed_as_a_note_with_its_reason(clone: Clone) -> None:
    clone.write(".aiwg/memory/line-memory.txt", f"{SECRET}  # aiwg: allow assignment an example in a song\n")
    clone.add()
    (found,) = (one for one in clone.check("--staged") if one["rule"] == "secret-assignment")
    assert found["severity"] == "note"
    assert "an example in a song" in found["message"]


def test_only_added_lines_are_screened(clone: Clone) -> None:
    clone.write(".aiwg/wiki/keys.md", f"# Keys\n\n{SECRET}\n")
    clone.commit()
    clone.write(".aiwg/wiki/keys.md", f"# Keys\n\n{SECRET}\n\nMore.\n")
    clone.add()
    assert "secret-assignment" not in clone.rules("--staged")


def test_a_change_by_hand_is_a_warning_and_an_error_where_receipts_are_required(clone: Clone) -> None:
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nAt noon.\n")
    clone.add()
    assert ("unreviewed", "warning") in {(one["rule"], one["severity"]) for one in clone.check("--staged")}
    clone.git("reset", "-q")
    config = clone.root / ".aiwg/config.yaml"
    config.write_text(config.read_text() + "receipts: required\n")
    clone.commit()
    clone.write(".aiwg/wiki/tea.md", "# Tea\n\nAt four.\n")
    clone.add()
    assert ("unreviewed", "error") in {(one["rule"], one["severity"]) for one in clone.check("--staged")}


def test_a_receipt_without_what_it_accounts_for_is_seen(clone: Clone) -> None:
    clone.commit()
    clone.do("add", "Lunch is at noon.")
    clone.add(".aiwg/receipts.d")
    assert set(clone.rules("--staged")) == {"unreviewed"}
    clone.add()
    assert clone.rules("--staged") == []


def test_what_was_committed_after_its_receipt_is_accounted_for(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    clone.add(".aiwg/receipts.d")
    clone.git("commit", "-q", "-m", "receipts")
    clone.add()
    assert clone.rules("--staged") == []


def test_a_fact_edited_to_another_decision_on_the_way_is_found(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    clone.commit()
    (segment,) = (clone.root / ".aiwg/memory/facts.d").iterdir()
    segment.write_text(segment.read_text().replace("Ada Lovelace", "Eve"))
    clone.add()
    assert "segment-edited" in clone.rules("--staged")
    segment.unlink()
    clone.add()
    assert {"segment-edited", "record-lost"} <= set(clone.rules("--staged"))


def test_a_fact_whose_file_vanishes_without_a_word_is_found(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nAt noon.\n")
    clone.commit()
    clone.git("rm", "-q", ".aiwg/wiki/lunch.md", f".aiwg/memory/facts/{clone.facts()[0].name}")
    assert {"fact-file-missing", "handle-vanished"} <= set(clone.rules("--staged"))


def test_a_page_that_moves_is_not_one_that_vanished(clone: Clone) -> None:
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nAt noon.\n")
    clone.commit()
    clone.git("mv", ".aiwg/wiki/lunch.md", ".aiwg/wiki/noon.md")
    assert "handle-vanished" not in clone.rules("--staged")


def test_a_decision_that_forks_is_found_though_the_other_was_committed_long_ago(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    base = clone.commit()
    handle = f"lm_{clone.facts()[0].stem}"
    clone.do("facts", "reject", handle)
    clone.commit()
    clone.git("checkout", "-q", "-b", "other", base)
    clone.do("facts", "archive", handle)
    clone.add()
    tree = clone.git("write-tree").stdout.strip()
    clone.git("checkout", "-q", "-f", "main")
    clone.git("read-tree", tree)
    clone.git("checkout", "-q", "main", "--", ".aiwg/memory/facts.d", ok=False)
    clone.git("add", "-A")
    clone.git("checkout", "-q", "-f", "main")
    clone.git("checkout", tree, "--", ".aiwg/memory/facts.d", ".aiwg/receipts.d")
    assert "record-fork" in clone.rules("--staged")


def test_a_link_to_a_page_that_a_change_removes_is_found_in_the_page_that_stays(clone: Clone) -> None:
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nSee [[Tea]] and [tea](tea.md).\n")
    clone.write(".aiwg/wiki/tea.md", "# Tea\n")
    clone.write(".aiwg/wiki/far.md", "# Far\n\nSee [[Nothing]].\n")
    clone.commit()
    clone.git("rm", "-q", ".aiwg/wiki/tea.md")
    found = clone.check("--staged")
    assert {one["path"] for one in found if one["rule"] == "broken-link"} == {".aiwg/wiki/lunch.md"}


def test_standing_memory_over_its_cap_fails_though_each_change_is_small(clone: Clone) -> None:
    long = "Answer in the language of the question, and say what you do not know. "
    for number in range(2):
        clone.do("add", f"{number} {long * 6}", "--delivery", "always")
    clone.commit()
    clone.do("add", f"3 {long * 6}", "--delivery", "always")
    clone.add()
    (found,) = clone.check("--staged")
    assert found["rule"] == "standing-over-cap"


def test_formats_carry_the_same_findings(clone: Clone) -> None:
    clone.write(".aiwg/memory/line-memory.txt", f"{SECRET}\n")
    clone.add()
    plain = clone.tool("--json", "check", "--staged").stdout
    assert json.loads(plain)["data"] == json.loads(clone.tool("check", "--staged", "--format", "json").stdout)["data"]
    forge = clone.tool("check", "--staged", "--format", "github")
    assert "::error file=.aiwg/memory/line-memory.txt,line=1,title=secret-assignment::a secret" in forge.stdout
    assert all(line.startswith("::") for line in forge.stdout.splitlines())


def test_ways_to_judge_exclude_each_other(clone: Clone) -> None:
    for words in (("--staged", "--all"), ("--staged", "--range", "A..B"), ("--new-only",), ("--range", "main")):
        assert clone.tool("check", *words).returncode == 2, words
