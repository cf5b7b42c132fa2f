"""Where output goes, in which form, and under which circumstances it still comes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from person import COMMAND, Person


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_shared_options_stand_before_or_after_the_command(ada: Person, tmp_path: Path) -> None:
    ada.do("add", "Builds run on Linux.")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    said = [
        ada.run(*words, cwd=elsewhere)
        for words in (
            ["-C", str(ada.root), "--json", "facts", "list"],
            ["facts", "list", "-C", str(ada.root), "--json"],
            ["facts", "--json", "-C", str(ada.root), "list"],
            ["--json", "facts", "list", "-C", os.path.relpath(ada.root, elsewhere)],
        )
    ]
    assert {done.status for done in said} == {0}
    assert {done.out for done in said} == {said[0].out}
    assert json.loads(said[0].out)["data"]["total"] == 1


def test_a_command_that_goes_on_names_the_directory_it_was_told(ada: Person, tmp_path: Path) -> None:
    done = ada.run("-C", "desk", "add", "Builds run on Linux.", cwd=tmp_path)
    assert "aiwg-memory -C desk confirm op_" in done.out


def test_a_directory_that_is_a_link_is_refused_with_the_real_one(ada: Person, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(ada.root)
    done = ada.run("status", "-C", str(tmp_path / "link"), cwd=tmp_path)
    assert done.status == 4
    assert str(ada.root) in done.err


@pytest.mark.parametrize("name", ["absent", "file"])
def test_a_directory_that_is_none_is_one_clear_error(ada: Person, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    done = ada.run("status", "-C", str(tmp_path / name))
    assert done.status in (2, 4)
    assert name in done.err
    assert "Traceback" not in done.err


def test_two_dashes_end_the_options(ada: Person) -> None:
    done = ada.run("add", "--", "--json")
    assert done.status == 0
    assert "+--json\n" in done.out
    assert ada.run("add", "-v means verbose").status == 2


def test_a_fact_may_begin_with_a_dash_on_standard_input(ada: Person) -> None:
    ada.do("add", "-", stdin=b"-v means verbose\n--quiet means quiet\n")
    assert ada.json("facts", "list", kind="list_data.v1")["data"]["total"] == 2


def test_quiet_drops_the_notes_and_keeps_the_result_and_the_errors(ada: Person, tmp_path: Path) -> None:
    outside = Person(tmp_path / "outside", git=False, init=False)
    loud = outside.run("init", "--reviewer", "Ada")
    quiet = outside.run("init", "--reviewer", "Ada", "--quiet")
    assert "warning:" in loud.err
    assert quiet.err == ""
    assert "Set up" in quiet.out
    assert "error[" in ada.run("confirm", "op_00000000", "--quiet").err


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"], ["facts", "list"], ["wiki", "list"], ["search", "builds"], ["check"], ["previews"], ["doctor"],
        ["receipts", "list"], ["config"], ["addons"], ["recover"], ["wiki", "lint"],
        ["add", "Tests run on every push."], ["init"], ["context", "builds"], ["facts", "adopt"], ["wiki", "index"],
        ["completion", "bash"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_success_is_one_object(ada: Person, arguments: list[str]) -> None:
    ada.do("add", "Builds run on Linux.")
    done = ada.run(*arguments, "--json")
    assert done.status == 0, done
    ada.json(*arguments)


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["no-such-command"], 2, "usage"),
        ([], 2, "usage"),
        (["facts", "no-such-command"], 2, "usage"),
        (["add", "--no-such-option"], 2, "usage"),
        (["confirm"], 2, "usage"),
        (["confirm", "latest"], 2, "usage"),
        (["confirm", "op_0123456789"], 2, "usage"),
        (["context", "x", "--budget", "many"], 2, "usage"),
        (["facts", "show", "lm_0000"], 2, "not-found"),
        (["receipts", "show", "20260131"], 2, "not-found"),
        (["undo", "20260131"], 2, "not-found"),
        (["wiki", "show", "nothing.md"], 2, "not-found"),
        (["explain", "pack_0"], 2, "not-found"),
        (["add", "Mirror https://deploy:9f3kQz81LmXvTr@git.example.org/m.git"], 4, "screening"),
        (["add", "x", "--reviewer", "assistant"], 4, "reviewer"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_usage_errors_and_refusals_are_the_same_one_object(
    ada: Person, arguments: list[str], status: int, code: str
) -> None:
    value = ada.json(*arguments, status=status)
    assert value["error"]["code"] == code
    assert value["status"] == ("refused" if status == 4 else "error")
    assert value["error"]["hint"]


def shell(ada: Person, script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", script], cwd=ada.root, env=ada.environment, capture_output=True, text=True)


PROGRAM = f"{COMMAND[0]} -m aiwg_memory"


def test_a_closed_pipe_is_no_failure_and_no_traceback(ada: Person) -> None:
    for number in range(40):
        ada.write(f".aiwg/memory/facts/{number:016x}.txt", f"Fact {number} {'x' * 400}\n")
    for words in ("facts list", "check --rules", "status", "facts list --json", "--help", "", "check --staged"):
        for reader in ("head -c 1", "true"):
            done = shell(ada, f"{PROGRAM} {words} | {reader} >/dev/null; echo ${{PIPESTATUS[0]}}")
            assert (done.stdout, done.stderr) == ("0\n", ""), words


@pytest.mark.parametrize("words", ["check --staged", "check --staged --json"])
def test_a_gate_whose_output_nobody_reads_fails_all_the_same(ada: Person, words: str) -> None:
    ada.write(".aiwg/wiki/mirror.md", "# Mirror\n\nhttps://deploy:9f3kQz81LmXvTr@git.example.org/m.git\n")
    ada.git("add", "-A")
    done = shell(ada, f"{PROGRAM} {words} | true; echo ${{PIPESTATUS[0]}}")
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.parametrize("where", [">&-", ">/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize("words", ["status", "status --json", "check --staged", "context builds", ""])
def test_an_output_that_takes_nothing_is_an_error_of_the_disk(ada: Person, words: str, where: str) -> None:
    done = shell(ada, f"{PROGRAM} {words} {where}")
    assert done.returncode == 74
    assert "Traceback" not in done.stderr
    assert "2>" in where or done.stderr.count("error[disk-failed]") == 1


@pytest.mark.parametrize("where", [">&-", ">/dev/full"])
def test_an_error_that_standard_output_does_not_take_is_said_on_standard_error(ada: Person, where: str) -> None:
    for words in ("confirm op_00000000 --json", "no-such-command --json"):
        done = shell(ada, f"{PROGRAM} {words} {where}")
        assert done.returncode == 2, words
        assert done.stderr.count("error[usage]") == 1, words


def test_a_closed_standard_error_changes_nothing_else(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.")
    for words in ("context builds", "search builds", "status", "check"):
        closed, open_ = (shell(ada, f"{PROGRAM} {words} {where}") for where in ("2>&-", ""))
        assert (closed.returncode, closed.stdout) == (0, open_.stdout), words


@pytest.mark.parametrize("words", ["status", "add 'Builds run on Linux.'", "diff"])
def test_too_few_open_files_are_one_clear_error(ada: Person, words: str) -> None:
    ada.do("add", "Builds run on Linux.")
    seen = set()
    for number in (9, 11, 14, 18, 22):
        done = shell(ada, f"ulimit -n {number}; {PROGRAM} {words}")
        assert "Traceback" not in done.stderr, number
        assert done.returncode in (0, 74), number
        assert done.returncode != 74 or ("Too many open files" in done.stderr and "ulimit -n" in done.stderr)
        seen.add(done.returncode)
    assert 74 in seen


def test_a_proposal_that_the_disk_does_not_take_is_no_refusal(ada: Person) -> None:
    ada.write(".aiwg/.local/inbox/.keep", "")
    done = shell(ada, f"ulimit -f 0; {PROGRAM} candidates propose 'Builds run on Linux.'")
    assert done.returncode == 74
    assert "hint: " in done.stdout + done.stderr


def test_the_locale_changes_nothing(ada: Person) -> None:
    ada.do("add", "Größe zählt: 数 ≥ 5.")
    said = {ada.run("facts", "list", env={"LC_ALL": name, "LANG": name}).out for name in ("C", "C.UTF-8", "POSIX")}
    assert len(said) == 1
    assert "Größe zählt: 数 ≥ 5." in said.pop()
    refused = ada.run("wiki", "show", "größe.md", env={"LC_ALL": "C"})
    assert refused.status == 2
    assert "größe.md" in refused.err


def test_without_a_home_everything_but_ones_own_store_works(ada: Person) -> None:
    assert ada.run("add", "Builds run on Linux.", env={"HOME": None}).status == 0
    assert ada.run("status", env={"HOME": None}).status == 0
    done = ada.run("status", "--user-store", env={"HOME": None})
    assert done.status == 2
    assert "XDG_DATA_HOME" in done.err


def test_without_git_on_the_path_memory_can_be_read_and_a_named_reviewer_writes(ada: Person, tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    (bare / "sh").symlink_to(str(shutil.which("sh")))
    without = {"PATH": str(bare)}
    assert ada.run("status", env=without).status == 0
    assert ada.run("search", "builds", env=without).status == 0
    assert ada.run("add", "Builds run on Linux.", "--reviewer", "Ada", env=without).status == 0
    done = ada.run("add", "Builds run on Linux.", env=without)
    assert done.status == 74
    assert "git is not installed" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("mode", [0o644, 0o755])
def test_a_git_that_cannot_be_run_is_named(ada: Person, tmp_path: Path, mode: int) -> None:
    broken = tmp_path / "bin"
    broken.mkdir()
    (broken / "git").write_bytes(b"\0 no program")
    (broken / "git").chmod(mode)
    done = ada.run("diff", env={"PATH": str(broken)})
    assert done.status == 74
    assert "git cannot be run" in done.err
    assert "PATH" in done.err


def test_a_time_that_is_none_is_refused(ada: Person) -> None:
    for time in ("", "now", "2026-02-30T00:00:00Z", "2026-01-31T08:00:00+01:00"):
        done = ada.run("status", env={"AIWG_MEMORY_NOW": time})
        assert done.status == 2, time
        assert "AIWG_MEMORY_NOW" in done.err


def test_a_result_goes_to_standard_output_and_nothing_else_does(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.")
    done = ada.run("context", "where do builds run", "--explain")
    assert done.out.count("Builds run on Linux.") == 1
    assert "Builds" not in done.err
    failed = ada.run("context")
    assert failed.status == 2
    assert failed.out == ""
