"""What looking at one thing tells a person: sentences and lines, not the record as it is stored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from person import ADA, Person


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_a_fact_is_shown_with_its_history(ada: Person) -> None:
    handle = ada.do("add", "Builds run on Linux.", "--source", "docs/ci.md")["subjects"][0]
    ada.do("facts", "reject", handle, "--reason", "we moved")
    out = ada.run("facts", "show", handle[:8]).out
    assert "  Builds run on Linux.\n" in out
    assert "lifecycle active, review rejected, kind fact" in out
    assert "  source docs/ci.md\n" in out
    assert f"active, rejected  {ADA}: we moved" in out
    assert "{" not in out
    assert [each["version"] for each in ada.json("facts", "show", handle)["data"]["versions"]] == [1, 2]


def test_a_fact_typed_by_hand_and_one_whose_text_is_gone_say_so(ada: Person) -> None:
    ada.write(".aiwg/memory/line-memory.txt", "Tests run on every push.\n")
    typed = ada.json("facts", "list")["data"]["facts"][0]["handle"]
    assert "no record yet: typed by hand" in ada.run("facts", "show", typed).out
    handle = ada.do("add", "Builds run on Linux.")["subjects"][0]
    ada.do("facts", "archive", handle)
    assert "(text gone)" in ada.run("facts", "show", handle).out


def test_a_phrase_in_quotes_comes_first_and_is_named(ada: Person) -> None:
    ada.do("add", "The pool of a connection has a size; size the pool.", "A connection pool size of twenty is enough.")
    plain = ada.run("search", "connection", "pool", "size")
    assert "holds" not in plain.out + plain.err
    quoted = ada.run("search", '"connection pool size" twenty')
    assert quoted.out.splitlines()[0].endswith('holds "connection pool size"')
    assert "A connection pool size of twenty is enough." in quoted.out.splitlines()[1]
    assert quoted.out.count("holds") == 1
    assert quoted.err == ""
    told = ada.run("search", '"pool of twenty" connection')
    assert told.err == 'warning: no hit holds "pool of twenty" word for word\n'
    assert len(told.out.splitlines()) == 4


def test_a_receipt_is_shown_with_the_files_it_changed(ada: Person) -> None:
    receipt = ada.do("add", "Builds run on Linux.")
    out = ada.run("receipts", "show", receipt["seg"]).out
    assert out.startswith(f"{receipt['seg']}  line-memory.add\n  by {ADA}\n")
    assert f"  new {receipt['changes'][0]['path']}\n" in out
    assert ada.json("receipts", "show", receipt["seg"])["data"]["receipt"] == receipt


def test_a_state_that_is_none_is_refused_and_the_states_are_named(ada: Person) -> None:
    for arguments in (["facts", "list"], ["wiki", "list"]):
        done = ada.run(*arguments, "--lifecycle", "bogus")
        assert done.status == 2
        assert "superseded" in done.err


def test_an_error_says_a_thing_once(ada: Person) -> None:
    for arguments in (
        ["ingest", "nothing.txt"],
        ["facts", "archive", "lm_ffff"],
        ["add", "Mirror https://deploy:9f3kQz81LmXvTr@git.example.org/m.git"],
        ["add", "x" * 501],
        ["wiki", "add", "../x.md"],
        ["confirm", "op_12345678"],
    ):
        lines = ada.run(*arguments, stdin=b"# X\n").err.splitlines()
        assert lines[0].startswith("error["), arguments
        assert all(line.startswith("hint: ") for line in lines[1:]), lines


def test_the_help_of_a_group_cuts_no_sentence_short(ada: Person) -> None:
    for group in ("facts", "wiki", "receipts", "pack"):
        assert "..." not in ada.run(group, "--help").out.partition("Commands:")[2]


def test_what_lay_here_before_init_needs_no_receipt_until_it_changes(tmp_path: Path) -> None:
    ada = Person(tmp_path, init=False)
    ada.write(".aiwg/wiki/old.md", "# Old\n\nFrom before.\n")
    ada.git("add", "-A")
    ada.git("commit", "-qm", "before")
    ada.do("init")
    ada.do("add", "A fact.")
    assert ada.json("receipts", "verify")["data"]["findings"] == []
    ada.write(".aiwg/wiki/old.md", "# Old\n\nEdited.\n")
    ada.write(".aiwg/wiki/new.md", "# New\n\nBy hand.\n")
    done = ada.json("receipts", "verify", status=1)
    assert [one["path"] for one in done["data"]["findings"]] == [".aiwg/wiki/new.md", ".aiwg/wiki/old.md"]
    (receipt,) = [path for path in (ada.root / ".aiwg/receipts.d").iterdir() if "workspace.init" in path.read_text()]
    text = receipt.read_text()
    for commit in ("0" * 40, "--all", "HEAD~9"):
        receipt.write_text(re.sub('"git_head":"[0-9a-f]+"', f'"git_head":"{commit}"', text))
        assert "old.md" in ada.run("receipts", "verify").out, "a commit that is not there explains nothing"


@pytest.mark.parametrize(
    ("texts", "warned"),
    [
        (("hello", "world"), True),
        (("Builds", "run", "on", "Linux."), True),
        (("Builds run on Linux.", "Tests run on every push."), False),
        (("Builds run on Linux.", "Tests"), False),
        (("hello",), False),
        (("数据库连接池的大小是二十", "缓存在五分钟后过期"), False),
    ],
)
def test_words_that_lack_their_quotes_are_warned_of_and_taken_as_given(
    ada: Person, texts: tuple[str, ...], warned: bool
) -> None:
    done = ada.run("add", *texts)
    assert done.status == 0
    assert ("stands in quotes" in done.err) == warned
    assert f"add {len(texts)} fact" in done.out
    told = ada.json("add", *texts)
    assert bool(told["warnings"]) == warned
    assert ada.run("add", stdin="\n".join(texts).encode()).err == ""


def test_settling_what_is_no_fork_says_that_it_is_none(ada: Person) -> None:
    handle = ada.do("add", "Builds run on Linux.")["subjects"][0]
    error = ada.json("facts", "resolve", handle, "--keep", "4f0c9a52", status=2)["error"]
    assert "was not decided differently on two branches" in error["message"]
    assert f"facts show {handle}" in error["hint"]


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--scope", "nowhere", 'scope: "nowhere" is not written like global, path:src/net or project:billing'),
        ("--expires", "soon", 'expiry date: "soon" is not written like 2026-01-31 or 2026-01-31T08:00:00Z'),
    ],
)
def test_a_value_of_the_wrong_form_is_told_by_example_and_without_patterns(
    ada: Person, option: str, value: str, said: str
) -> None:
    done = ada.run("add", "Builds run on Linux.", option, value)
    assert done.status == 2
    assert f"error[usage]: {said}\n" in done.err


def test_a_proposal_that_is_refused_says_the_way_out(ada: Person) -> None:
    done = ada.run("candidates", "propose", stdin=b'{"type": "discovery"}\n')
    assert done.status == 4
    assert "refused: this is no proposal" in done.out
    assert "  hint: `candidates propose --help` shows one\n" in done.out


def test_an_empty_pack_where_nothing_is_set_up_says_so(tmp_path: Path) -> None:
    done = Person(tmp_path, init=False).run("context", "the import catalog")
    assert (done.status, "aiwg-memory init" in done.err) == (0, True)


def test_a_hit_that_holds_no_word_says_why_it_is_there(ada: Person) -> None:
    lines = "Releases are cut on Tuesday.\nThe broker listens on port 5673.\n"
    ada.write(".aiwg/memory/line-memory.txt", lines)
    first, _, second, _ = ada.run("search", "releases").out.splitlines()
    assert (first.endswith("beside what does"), second.endswith("beside what does")) == (False, True)
