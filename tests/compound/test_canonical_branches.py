"""Two branches: different keys merge by themselves, one key decided twice conflicts, as it should. With real git."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shore import Shore

DEPTH = "project-fact/harbour.depth"
FILE = ".aiwg/context/compound-memory/project-fact/harbour.depth.yaml"


@pytest.fixture
def shore(tmp_path: Path) -> Shore:
    shore = Shore.begun(tmp_path / "project")
    shore.do("init")
    shore.do("canon", "init")
    shore.commit("set up")
    return shore


def on_branch(shore: Shore, name: str, *commands: tuple[str, ...]) -> None:
    shore.git("checkout", "-q", "-b", name, "main")
    for command in commands:
        shore.do(*command)
    shore.commit(name)


def test_different_keys_and_scopes_merge_without_a_conflict(shore: Shore) -> None:
    on_branch(shore, "one", ("canon", "set", DEPTH, "Nine."), ("canon", "set", "goal/season", "Open by May."))
    on_branch(shore, "two", ("canon", "set", DEPTH, "Six.", "--scope", "path:docks/inner"))
    shore.git("checkout", "-q", "main")
    shore.git("merge", "-q", "--no-edit", "one")
    shore.git("merge", "-q", "--no-edit", "two")
    assert len(shore.ask("canon", "list")["data"]["canonical"]) == 3
    assert [one for one in shore.ask("check", "--all")["data"]["findings"] if one["severity"] == "error"] == []


@pytest.mark.parametrize("known", [False, True])
def test_one_key_set_on_two_branches_conflicts_and_check_says_so(shore: Shore, known: bool) -> None:
    acknowledge: tuple[str, ...] = ()
    if known:
        shore.do("canon", "set", DEPTH, "Eight.")
        shore.commit("known")
        acknowledge = ("--acknowledge", "v1")
    on_branch(shore, "one", ("canon", "set", DEPTH, "Nine.", *acknowledge))
    on_branch(shore, "two", ("canon", "set", DEPTH, "Ten.", *acknowledge))
    shore.git("merge", "--no-edit", "one", status=1)
    assert FILE in shore.git("diff", "--name-only", "--diff-filter=U")
    findings = shore.ask("check", "--all", status=1)["data"]["findings"]
    assert FILE in [one["path"] for one in findings if one["severity"] == "error"]
    assert FILE in "".join(shore.ask("canon", "list")["warnings"])
    assert shore.ask("canon", "show", DEPTH, status=5)["error"]["code"] == "damaged"


def test_turning_it_on_twice_is_nothing_to_merge(tmp_path: Path) -> None:
    shore = Shore.begun(tmp_path / "project")
    shore.do("init")
    shore.commit("set up")
    on_branch(shore, "one", ("canon", "init"))
    on_branch(shore, "two", ("canon", "init"))
    shore.git("merge", "-q", "--no-edit", "one")
    assert shore.ask("canon", "init")["data"]["changes"] == []


def test_a_value_goes_out_as_a_bundle_and_back_in_elsewhere(shore: Shore, tmp_path: Path) -> None:
    shore.do("canon", "set", DEPTH, "Nine.")
    shore.write("bundle.json", shore.run("canon", "export"))
    other = Shore.begun(tmp_path / "other")
    other.do("init")
    other.do("canon", "init")
    refused = other.ask("canon", "import", str(shore.root / "bundle.json"), status=4)
    assert refused["error"]["code"] == "cross-workspace"
    receipt = other.do("canon", "import", str(shore.root / "bundle.json"), "--allow-cross-workspace")
    assert receipt["subjects"] == [f"ctx:{DEPTH}"]
    row = other.ask("canon", "show", DEPTH)["data"]["version"]
    assert (row["value"], row["review"]) == ("Nine.", "pending")


def test_a_revoked_value_is_withheld_even_from_a_pack_of_an_older_tree(shore: Shore) -> None:
    shore.do("canon", "set", DEPTH, "Nine metres at the harbour wall.")
    shore.commit("nine")
    old = shore.git("rev-parse", "HEAD").strip()
    task = "How deep is the harbour at the wall?"
    assert "Nine metres" in shore.pack(task)["text"]
    shore.do("canon", "revoke", DEPTH, "--reason", "the wall has moved")
    shore.commit("revoked")
    assert "Nine metres" not in shore.pack(task)["text"]
    at_old = shore.pack(task, "--at", old)
    assert "Nine metres" not in at_old["text"]
    assert "revoked" in json.dumps(at_old["pack"]["excluded"])


def test_forgetting_a_value_leaves_it_in_no_file_of_this_machine(shore: Shore) -> None:
    secret = "The spare key\n\n  lies under the third bollard."
    shore.do("canon", "set", DEPTH, secret)
    shore.pack("Where does the spare key lie?", "--capture")
    shore.do("canon", "set", DEPTH, "Nine.", "--acknowledge", "v1")
    shore.do("forget", f"ctx:{DEPTH}:v1")
    everywhere = b"".join(path.read_bytes() for path in (shore.root / ".aiwg").rglob("*") if path.is_file())
    assert b"bollard" not in everywhere
    assert shore.ask("canon", "show", DEPTH)["data"]["version"]["value"] == "Nine."
    assert [one for one in shore.ask("check", "--all")["data"]["findings"] if one["severity"] == "error"] == []


def test_a_value_with_sources_is_confirmed_as_it_was_shown(shore: Shore) -> None:
    (fact,) = shore.do("add", "The harbour is nine metres deep.")["subjects"]
    shore.do("canon", "set", DEPTH, "Nine.", "--source", fact[:12], "--source", "sources/review.md#L3")
    sources = shore.ask("canon", "show", DEPTH)["data"]["version"]["sources"]
    assert [(one["ref"], "digest" in one) for one in sources] == [(fact, True), ("sources/review.md", True)]


def test_dates_act_on_the_day_a_pack_is_for(shore: Shore) -> None:
    shore.do("canon", "set", DEPTH, "Nine metres.", "--review-by", "2026-07-01", "--expires", "2026-08-01")
    task = "What is the harbour depth?"
    labels = {day: _canonical(shore.pack(task, "--as-of", day)) for day in ("2026-06-30", "2026-07-01", "2026-08-01")}
    assert labels == {"2026-06-30": ["active"], "2026-07-01": ["stale"], "2026-08-01": []}
    excluded = shore.pack(task, "--as-of", "2026-08-01")["pack"]["excluded"]
    assert (f"ctx:{DEPTH}", "expired") in [(one["handle"], one["code"]) for one in excluded]


def _canonical(data: dict[str, Any]) -> list[str]:
    items = [item for item in data["pack"]["items"] if item["layer"] == "canonical"]
    return ["stale" if "stale" in item["labels"] else item["lifecycle"] for item in items]


def test_undo_of_a_receipt_is_a_preview_of_a_new_version(shore: Shore) -> None:
    shore.do("canon", "set", DEPTH, "Nine.")
    receipt = shore.do("canon", "set", DEPTH, "Ten.", "--acknowledge", "v1")
    shore.do("undo", receipt["seg"])
    told = shore.ask("canon", "history", DEPTH)["data"]["versions"]
    assert [(one["version"], one["status"], one["value"]) for one in told] == [
        (3, "active", "Nine."),
        (2, "superseded", "Ten."),
        (1, "superseded", "Nine."),
    ]
    shore.commit("undone")
    assert shore.run("receipts", "verify", status=None).count(FILE) == 0


def test_what_is_no_text_is_no_value(shore: Shore) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aiwg_memory", "canon", "set", DEPTH],
        cwd=shore.root, env=shore.environ(), input=b"\xff\xfe", capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, b"not UTF-8" in done.stderr) == (2, True)


def test_a_fact_gives_way_to_a_canonical_value_that_stands(shore: Shore) -> None:
    (fact,) = shore.do("add", "The harbour is eight metres deep.")["subjects"]
    told = shore.ask("facts", "supersede", fact, "--by", f"ctx:{DEPTH}", status=2)
    assert told["error"]["code"] == "not-found"
    shore.do("canon", "set", DEPTH, "Nine.")
    receipt = shore.do("facts", "supersede", fact, "--by", f"ctx:{DEPTH}")
    assert shore.ask("facts", "list")["data"]["facts"] == []
    latest = shore.ask("facts", "show", fact)["data"]["versions"][-1]
    assert (latest["status"], latest["replacement"]) == ("superseded", f"ctx:{DEPTH}")
    shore.do("undo", receipt["seg"])
    assert [one["handle"] for one in shore.ask("facts", "list")["data"]["facts"]] == [fact]
    shore.do("canon", "revoke", DEPTH)
    assert shore.ask("facts", "supersede", fact, "--by", f"ctx:{DEPTH}", status=2)["error"]["code"] == "not-found"
    assert [one for one in shore.ask("check", "--all")["data"]["findings"] if one["severity"] == "error"] == []


def test_a_pack_shows_canonical_context_above_the_facts(shore: Shore) -> None:
    shore.do("add", "The catalog of ferries is kept in a card index.")
    shore.do("canon", "set", "project-fact/catalog.kept-in", "SQLite, with a copy on paper.")
    pack = shore.pack("Where is the catalog of ferries kept?")["pack"]
    assert [item["layer"] for item in pack["items"]][:2] == ["canonical", "facts"]
    assert pack["items"][0]["locator"] == "ctx:project-fact/catalog.kept-in:v1"


def test_two_scopes_that_both_apply_are_shown_as_a_disagreement(shore: Shore) -> None:
    shore.do("canon", "set", DEPTH, "Nine metres.")
    shore.do("canon", "set", DEPTH, "Silted up; ask the pilot.", "--scope", "path:docks")
    inside = shore.pack("What is the harbour depth?", "--target", "docks/inner")["pack"]
    sides = [(item["handle"], item["disagreement"]) for item in inside["items"][:2]]
    assert sorted(sides) == [(f"ctx:{DEPTH}", 1), (f"ctx:{DEPTH}@path:docks", 1)]
    outside = shore.pack("What is the harbour depth?")["pack"]
    canonical = [item for item in outside["items"] if item["layer"] == "canonical"]
    assert [(item["handle"], item["disagreement"]) for item in canonical] == [(f"ctx:{DEPTH}", 0)]
