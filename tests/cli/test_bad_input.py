"""What a person, a merge or a disk can get wrong: one clear error, its status, nothing lost or half-done."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import pytest
from person import COMMAND, Done, Person

BYTES = "caf\udce9"
"""An argument in Latin-1, as a program finds it."""


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def refused(ada: Person, done: Done, status: int, *said: str) -> None:
    assert done.status == status, done
    assert "Traceback" not in done.err
    assert done.err.count("error[") == 1, done
    for text in said:
        assert text in done.err, done


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("", 2, ""),
        ("   ", 2, ""),
        ("bell \x07 rings", 2, ""),
        ("x" * 501, 2, "500"),
        ("The key is AKIAIOSFODNN7EXAMPLA and more", 4, "aws-access-key"),
        ("Mirror https://deploy:9f3kQz81LmXvTr@git.example.org/m.git", 4, ""),
    ],
)
def test_a_fact_that_cannot_be_one_is_refused_by_its_rule(ada: Person, text: str, status: int, said: str) -> None:
    before = ada.files()
    done = ada.run("add", "--", text)
    refused(ada, done, status, said)
    assert "9f3kQz81LmXvTr" not in done.err + done.out
    assert "AKIAIOSFODNN7" not in done.err + done.out
    assert ada.files() == before


def test_a_fact_with_invisible_characters_warns_and_shows_them(ada: Person) -> None:
    done = ada.run("add", "Builds run\u202e on Linux.")
    assert done.status == 0
    assert "warning" in done.out
    assert "\u202e" not in done.out
    assert "\\u202e" in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", BYTES],
        ["add", "Builds run on Linux.", "--reason", BYTES],
        ["add", "Builds run on Linux.", "--source", BYTES],
        ["facts", "archive", "--reason", BYTES, "lm_0fa15b25f44895dc"],
        ["wiki", "add", "page.md", "--set", f"title={BYTES}"],
        ["canon", "set", "release.branch", BYTES],
    ],
    ids=lambda arguments: " ".join(arguments).encode("ascii", "replace").decode(),
)
def test_bytes_that_are_not_text_are_refused_wherever_they_are_given(ada: Person, arguments: list[str]) -> None:
    ada.do("add", "Builds run on Linux.")
    before = ada.files()
    refused(ada, ada.run(*arguments, stdin=b"# Page\n"), 2)
    assert ada.files() == before


@pytest.mark.parametrize("arguments", [["import", "aiwg", "notes.md"], ["-C", "notes.md/x", "status"]], ids=" ".join)
def test_a_file_where_a_folder_was_meant_is_no_failure_of_the_disk(ada: Person, arguments: list[str]) -> None:
    ada.write("notes.md", "x\n")
    refused(ada, ada.run(*arguments), 2, "notes.md")


def test_a_task_that_is_not_text_is_searched_with_what_is(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.")
    for said in (ada.run("context", f"builds {BYTES}"), ada.run("context", stdin=b"builds \xff")):
        assert said.status == 0, said
        assert "Builds run on Linux." in said.out


def test_several_bad_facts_are_told_together(ada: Person) -> None:
    done = ada.run("add", "bell \x07 rings", "x" * 501, "fine")
    refused(ada, done, 2, "fact 1: ", "fact 2: ")


def test_every_bad_source_of_an_ingest_is_told_together(ada: Person) -> None:
    ada.write("good.md", "fine\n")
    ada.write(".env", "TOKEN=x\n")
    (ada.root / "link.md").symlink_to("good.md")
    os.mkfifo(ada.root / "pipe.md")
    done = ada.run("ingest", "good.md", "absent.md", "link.md", "pipe.md")
    refused(ada, ada.run("ingest", "good.md", ".env"), 4, ".env")
    refused(ada, ada.run("ingest", "absent.md"), 2, "absent.md is not there")
    refused(ada, done, 4, "absent.md", "link.md", "pipe.md")
    assert not (ada.root / ".aiwg/wiki").exists()


@pytest.mark.parametrize(
    ("arguments", "value", "said"),
    [
        (["context", "x", "--budget", "255"], "255", ("256", "65536")),
        (["context", "x", "--budget", "65537"], "65537", ("256", "65536")),
        (["context", "x", "--budget", "-1"], "-1", ("256", "65536")),
        (["context", "x", "--budget", "ten"], "ten", ("integer",)),
        (["context", "x", "--window", "0"], "0", ()),
        (["context", "x", "--window", "100000", "--reserve", "-5"], "-5", ()),
        (["context", "x", "--window", "100000", "--used", "100000"], "", ("256",)),
        (["context", "x", "--as-of", "yesterday"], "yesterday", ("date",)),
        (["context", "x", "--as-of", "2026-02-30"], "2026-02-30", ("date",)),
        (["context", "x", "--for", "nobody"], "nobody", ("claude-hook",)),
        (["context", "x", "--unit", "words"], "words", ("characters",)),
        (["context", "x", "--at", "no-such-branch"], "no-such-branch", ("commit",)),
        (["context", "x", "--target", "../x"], "../x", ()),
        (["facts", "list", "--limit", "0"], "0", ("1<=x<=100000",)),
        (["facts", "search", "x", "--limit", "201"], "201", ("200",)),
        (["search", "x", "--limit", "0"], "0", ("200",)),
        (["receipts", "list", "--limit", "10001"], "10001", ("10000",)),
        (["add", "x", "--scope", "everywhere"], "everywhere", ("global", "path:")),
        (["add", "x", "--expires", "soon"], "soon", ()),
        (["add", "x", "--expires", "2025-01-01"], "2025-01-01", ("10 years",)),
        (["add", "x", "--expires", "2126-01-01"], "2126-01-01", ("10 years",)),
        (["add", "x", "--delivery", "never"], "never", ("retrieved",)),
        (["add", "x", "--kind", "rumour"], "rumour", ("decision",)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_bad_value_names_the_value_the_rule_and_the_legal_range(
    ada: Person, arguments: list[str], value: str, said: tuple[str, ...]
) -> None:
    done = ada.run(*arguments)
    assert done.status in (2, 4), done
    refused(ada, done, done.status, value, *said)
    assert done.out == ""


def test_a_task_may_be_long_or_say_nothing_worth_searching(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.")
    refused(ada, ada.run("context", ""), 2, "empty")
    refused(ada, ada.run("context", stdin=b" \n "), 2, "empty")
    refused(ada, ada.run("context", stdin=b"x" * ((1 << 20) + 1)), 4, "1048576")
    for task in (b"builds linux " * 80000, b"the of and to in", b"?! ... ;;; ---", b"\xff\xfe\x00builds", b"\x00"):
        done = ada.run("context", stdin=task)
        assert done.status == 0, (task[:20], done)
        assert len(done.out) <= 8000


def test_a_link_anywhere_under_the_store_is_refused_or_reported_and_never_followed(ada: Person) -> None:
    secret = ada.base / "secret.txt"
    secret.write_text("The vault code is 0000.\n")
    ada.do("add", "Builds run on Linux.")
    (ada.root / ".aiwg/memory/facts/0123456789abcdef.txt").symlink_to(secret)
    (ada.root / ".aiwg/wiki").mkdir()
    (ada.root / ".aiwg/wiki/linked.md").symlink_to(secret)
    for arguments in (
        ["search", "vault code"],
        ["context", "vault code"],
        ["facts", "list"],
        ["status"],
        ["wiki", "list"],
    ):
        done = ada.run(*arguments)
        assert "0000" not in done.out + done.err
        assert "Traceback" not in done.err
    checked = ada.run("check")
    assert checked.status == 1
    assert "0123456789abcdef.txt" in checked.out
    assert "linked.md" in checked.out
    assert secret.read_text() == "The vault code is 0000.\n"


@pytest.mark.parametrize("name", [".aiwg", ".aiwg/memory", ".aiwg/memory/facts", ".aiwg/.local", ".aiwg/receipts.d"])
def test_a_directory_of_the_store_that_is_a_link_stops_a_change_before_anything_is_written(
    ada: Person, name: str
) -> None:
    ada.do("add", "Builds run on Linux.")
    elsewhere = ada.base / "elsewhere"
    (ada.root / name).rename(elsewhere)
    (ada.root / name).symlink_to(elsewhere)
    before = sorted(str(path) for path in elsewhere.rglob("*"))
    done = ada.run("add", "Tests run on every push.")
    if done.status == 0:
        operation = ada.json("previews")["data"]["previews"][0]["operation_id"]
        done = ada.run("confirm", operation)
    refused(ada, done, 4, "link")
    after = sorted(
        str(path) for path in elsewhere.rglob("*") if "previews" not in str(path) and ".local" not in str(path)
    )
    assert after == [path for path in before if "previews" not in path and ".local" not in path]


def test_broken_lines_and_merge_markers_are_found_and_the_rest_is_used(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.")
    segment = next((ada.root / ".aiwg/memory/facts.d").iterdir())
    segment.write_bytes(b"<<<<<<< HEAD\n" + segment.read_bytes() + b'=======\n{"half": \n>>>>>>> other\n')
    done = ada.run("check")
    assert done.status == 1
    assert f"{segment.name}:1" in done.out
    assert "Builds run on Linux." in ada.run("facts", "list").out
    assert ada.run("status").status == 0


def test_a_newer_schema_is_kept_shown_and_not_overwritten(ada: Person) -> None:
    handle = ada.do("add", "Builds run on Linux.")["subjects"][0]
    segment = next((ada.root / ".aiwg/memory/facts.d").iterdir())
    segment.write_bytes(segment.read_bytes().replace(b"fact_record.v1", b"fact_record.v9"))
    before = ada.files()
    done = ada.run("facts", "archive", handle)
    assert done.status in (2, 5), done
    assert "newer" in done.err
    assert ada.files() == before
    assert ada.run("facts", "list").status == 0


@pytest.mark.parametrize(
    "text", ["workspace: [\n", "workspace: ws_0123456789abcdef\nno_such_key: 1\n", "\xff", "- a\n"]
)
def test_a_config_that_cannot_be_read_is_one_error_with_its_place(ada: Person, text: str) -> None:
    ada.write(".aiwg/config.yaml", text.encode("latin-1"))
    for arguments in (["add", "x"], ["status"], ["context", "x"], ["check"]):
        done = ada.run(*arguments)
        assert done.status == (1 if arguments == ["check"] and done.status == 1 else 2), done
        assert "Traceback" not in done.err
        assert ".aiwg/config.yaml" in done.err + done.out


def unprivileged(ada: Person, *arguments: str) -> Done:
    """As someone who may read everything here and write nothing."""
    command = [*COMMAND, *arguments]
    if os.getuid() == 0:
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    environment = {**ada.environment, "GIT_CONFIG_COUNT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=ada.root, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_where_nothing_can_be_written_packs_are_built_and_a_change_is_an_error_of_the_disk(ada: Person) -> None:
    ada.do("add", "Builds run on Linux.")
    for path in [ada.base, *ada.base.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o555 if path.is_dir() else 0o444)
    for folder in ada.base.parents:
        if folder.stat().st_uid == os.getuid() and folder not in (Path("/"), Path("/tmp")):
            folder.chmod(folder.stat().st_mode | 0o055)
    try:
        assert "Builds run on Linux." in unprivileged(ada, "context", "where do builds run").out
        assert unprivileged(ada, "search", "builds").status == 0
        assert unprivileged(ada, "status").status == 0
        done = unprivileged(ada, "add", "Tests run on every push.", "--reviewer", "Ada")
        refused(ada, done, 74, "Permission denied", "permissions")
    finally:
        for path in [ada.base, *ada.base.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_full_disk_leaves_everything_as_it_was(ada: Person) -> None:
    ada.write("big.md", "evidence " * 20000)
    operation = ada.preview("ingest", "big.md")
    before = ada.files()

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = subprocess.run(
        [*COMMAND, "confirm", operation],
        cwd=ada.root,
        env=ada.environment,
        capture_output=True,
        text=True,
        preexec_fn=small,
    )
    assert done.returncode == 74, done
    assert "Traceback" not in done.stderr
    assert ada.files() == before
    assert ada.json("confirm", operation)["data"]["duplicate"] is False
    assert ada.run("check").status == 0


def test_a_secret_among_many_facts_is_named_by_the_place_of_its_fact(ada: Person) -> None:
    text = "Builds run on Linux.\nThe key is AKIAIOSFODNN7EXAMPLA and more\n"
    refused(ada, ada.run("add", stdin=text.encode()), 4, "fact 2: a secret of the class aws-access-key")


def test_an_empty_standard_input_is_no_wish_for_an_empty_page(ada: Person) -> None:
    ada.do("wiki", "add", "storage.md", stdin=b"# Storage\n\nOne table.\n")
    ada.write("empty.md", "\n")
    for words, stdin in (
        (("wiki", "add", "new.md"), b""),
        (("wiki", "edit", "storage.md"), b" \n"),
        (("wiki", "edit", "storage.md", "--file", "empty.md"), b""),
    ):
        refused(ada, ada.run(*words, stdin=stdin), 2, "the text of the page is empty")


def test_a_fact_file_with_a_name_of_its_own_is_told_where_facts_are_typed(ada: Person) -> None:
    ada.write(".aiwg/memory/facts/builds.txt", "Builds run on Linux.\n")
    done = ada.run("check")
    assert done.status == 1
    assert "a line of .aiwg/memory/line-memory.txt" in done.out
    assert ".aiwg/memory/line-memory.txt" in ada.run("facts", "adopt", "--help").out


def test_paths_are_said_to_count_from_the_root(ada: Person) -> None:
    ada.write("src/app.py", "print()\n")
    done = ada.run("-C", "src", "add", "It prints.", "--source", "app.py")
    assert "names nothing here: no path from the root" in done.out
    done = ada.run("-C", "src", "candidates", "propose", "It prints.", "--evidence", "app.py")
    assert "by its path from the root" in done.out + done.err


def test_the_whole_workspace_is_no_source_of_proposals(ada: Person) -> None:
    refused(ada, ada.run("candidates", "extract", "."), 2, "the whole workspace is not a source")


def test_a_candidate_decided_since_is_said_how_to_look_at_again(ada: Person) -> None:
    ada.write("docs/a.md", "Builds run on Linux.\n")
    ada.run("candidates", "propose", "Builds run on Linux.", "--evidence", "docs/a.md")
    shown = ada.run("review").out.split()[0]
    ada.do("accept", shown)
    handle = shown.partition("@")[0]
    refused(ada, ada.run("accept", shown), 3, f"`aiwg-memory candidates show {handle}`")
