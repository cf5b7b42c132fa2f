"""Help, examples, completion: complete without documentation, and free of what they do not use."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from person import COMMAND, Person

from aiwg_memory.cli.app import App, Command
from aiwg_memory.cli.manifest import COMMANDS
from aiwg_memory.cli.root import root


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command and group by the words that name it."""
    context = click.Context(root, obj=App())
    for name in COMMANDS:
        found = root.get_command(context, name)
        assert found is not None
        yield (name,), found
        if isinstance(found, click.Group):
            yield from (((name, inner), each) for inner, each in found.commands.items())


ALL = dict(commands())
LEAVES = {words: each for words, each in ALL.items() if not isinstance(each, click.Group)}


def examples(each: click.Command) -> list[list[str]]:
    """The words of every use of the program in a command's example, up to a redirection or a pipe."""
    assert isinstance(each, Command)
    found = []
    for line in each.example.splitlines():
        for use in re.findall(r"aiwg-memory (.*?)(?:\)\"|$)", line):
            words = shlex.split(use)
            ends = [at for at, word in enumerate(words) if word in ("<", ">", "|")]
            found.append(words[: min(ends, default=len(words))])
    return found


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_every_command_has_an_example_that_parses_and_is_of_this_command(words: tuple[str, ...]) -> None:
    found = examples(LEAVES[words])
    assert found
    for arguments in found:
        assert tuple(arguments[: len(words)]) == words
        context = LEAVES[words].make_context(words[-1], arguments[len(words) :], obj=App())
        context.close()


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_help_says_what_the_command_is_for_and_how_it_is_used(words: tuple[str, ...]) -> None:
    context = click.Context(ALL[words], info_name=" ".join(("aiwg-memory", *words)))
    text = ALL[words].get_help(context)
    assert text.startswith(f"Usage: aiwg-memory {' '.join(words)}")
    assert ALL[words].help or ALL[words].short_help
    for option in ("-C", "--json", "--quiet", "--no-color", "--user-store"):
        assert option in text
    if words in LEAVES:
        assert "aiwg-memory " in text.partition("Example")[2]


def test_every_option_says_what_it_is_for() -> None:
    silent = [
        f"{' '.join(words)} {each.opts[0]}"
        for words, command in ALL.items()
        for each in command.params
        if isinstance(each, click.Option) and not each.help
    ]
    assert silent == []


def test_the_manifest_is_what_the_commands_say_of_themselves() -> None:
    for name, entry in COMMANDS.items():
        assert ALL[(name,)].name == name
        assert entry.help.endswith(".")
        assert len(entry.help) <= 80
        said = ALL[(name,)].get_short_help_str(200)
        assert said, name


def loaded(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split() if name.startswith("aiwg_memory.")}


ALLOWED = {"cli", "cli.app", "cli.boundary", "cli.manifest", "cli.root", "cli.terminal", "errors"}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], [], ["no-such-command"]])
def test_what_answers_before_any_command_loads_no_command(arguments: list[str]) -> None:
    names = loaded(
        "import sys, io\n"
        "from aiwg_memory.cli.boundary import run\n"
        "out, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO())\n"
        f"run({arguments!r})\n"
        "print(*sys.modules, file=out)"
    )
    assert names <= {f"aiwg_memory.{name}" for name in ALLOWED}


def complete(shell: str, words: str, at: int) -> str:
    environment = {
        "_AIWG_MEMORY_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(at),
        "PATH": "/usr/bin:/bin",
    }
    done = subprocess.run(COMMAND, env=environment, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_names_the_commands_and_their_options(shell: str) -> None:
    assert set(COMMANDS) <= set(re.split(r"[\n,]", complete(shell, "aiwg-memory ", 1)))
    assert "confirm" in complete(shell, "aiwg-memory conf", 1)
    assert "--reviewer" in complete(shell, "aiwg-memory add --", 2)
    assert "supersede" in complete(shell, "aiwg-memory facts ", 2)


def test_completion_of_commands_loads_no_command() -> None:
    names = loaded(
        "import sys, io, os\n"
        "os.environ |= {'_AIWG_MEMORY_COMPLETE': 'bash_complete', 'COMP_WORDS': 'aiwg-memory ', 'COMP_CWORD': '1'}\n"
        "from aiwg_memory.cli.boundary import run\n"
        "out, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO())\n"
        "try:\n    run([])\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=out)"
    )
    assert names <= {f"aiwg_memory.{name}" for name in ALLOWED}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_is_printed_for_each_shell(tmp_path: Path, shell: str) -> None:
    done = Person(tmp_path, git=False, init=False).run("completion", shell)
    assert done.status == 0
    assert "_AIWG_MEMORY_COMPLETE" in done.out
    assert "aiwg-memory" in done.out


def test_an_unknown_command_names_the_nearest_ones(tmp_path: Path) -> None:
    done = Person(tmp_path, git=False, init=False).run("confrim", "op_0")
    assert done.status == 2
    assert "Did you mean confirm" in done.err
    assert done.out == ""


@pytest.mark.parametrize(("word", "group"), [("propose", "candidates"), ("lint", "wiki"), ("register", "outputs")])
def test_a_command_of_a_group_is_found_without_it(tmp_path: Path, word: str, group: str) -> None:
    assert f"Did you mean {group}?" in Person(tmp_path, git=False, init=False).run(word).err


def test_a_missing_option_is_told_in_plain_words(tmp_path: Path) -> None:
    err = Person(tmp_path).run("lineage", "revoke", "notes.md").err
    assert "retain, revoke" in err
    assert "\\n" not in err
