"""A command or an option that a message names is there, on the command that prints the message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from test_help import ALL, LEAVES

import aiwg_memory

PACKAGE = Path(aiwg_memory.__file__).parent
PAGES = (PACKAGE.parent / "README.md", *sorted((PACKAGE.parent / "docs").glob("*.md")))

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]\b")
DECLARED = re.compile(r"--[a-z/-]+")
PROGRAM = re.compile(r"\baiwg-memory((?: +[^\s`\"|<>;,)]+)*)")
SPAN = re.compile(r"`([^`\n]+)`")
GITS = re.compile(r"`?git [^`]*`?")
WORD = re.compile(r"[a-z][a-z-]*")
PROSE = {"is", "and", "pack", "wants", "reads", "or"}
"""What follows the program's name where it is no command line."""
OTHERS = {"import click"}
"""What begins like a command of ours and is another language's."""
PATTERNS = {"core/screening/rules.py"}
"""What holds other programs' options, to find secrets behind them."""
SHARED = {"-C", "--json", "--quiet", "--no-color", "--user-store", "--help", "--version"}

EVERY_CHANGE = "every command that has a reviewer"
SAYS = {
    "addons/canonical_context/importing.py": "canon import",
    "addons/canonical_context/promoting.py": "promote",
    "addons/canonical_context/setting.py": "canon set, canon rollback, promote",
    "addons/compound_memory/candidates/desk.py": "accept, promote, review",
    "addons/compound_memory/lineage/revoking.py": "lineage revoke",
    "addons/line_memory/adopting.py": "facts adopt",
    "addons/line_memory/desk.py": "add, facts adopt, facts restore, facts supersede, facts merge, promote",
    "addons/line_memory/scopes.py": "add",
    "addons/llm_wiki/ingesting.py": "ingest",
    "core/changes/text.py": "diff",
    "core/adapters.py": "adapters refresh, adapters remove",
    "cli/instructions.py": "instructions pin",
    "cli/manifest.py": "review",
    "core/budget.py": "context",
    "workspace/anchors.py": "check",
    "workspace/candidates.py": "candidates resolve",
    "workspace/canon.py": "canon show, canon set, canon history",
    "workspace/diffing.py": "diff",
    "workspace/facts.py": "facts resolve",
    "workspace/instructions.py": "instructions show, instructions explain, instructions compare",
    "workspace/lineage.py": "lineage revoke",
    "workspace/pages.py": "wiki edit",
    "workspace/people.py": EVERY_CHANGE,
    "workspace/tasks.py": "context",
}
"""Which commands print what a module says with an option, where the text names no command itself."""


class Said(NamedTuple):
    module: str
    line: int
    functions: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text!r}"


def strings(tree: ast.AST, module: str, functions: tuple[str, ...] = ()) -> Iterator[Said]:
    """Every text of a module, an f-string as one with ``X`` for what is put in, with the functions around it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (one.value if isinstance(one, ast.Constant) else "X" for one in node.values)
            yield Said(module, node.lineno, functions, "".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Said(module, node.lineno, functions, node.value)
        if not isinstance(node, ast.JoinedStr):
            inside = (*functions, node.name) if isinstance(node, ast.FunctionDef) else functions
            yield from strings(node, module, inside)


def all_said() -> list[Said]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        if not module.startswith("repo/"):
            found += list(strings(ast.parse(path.read_text("utf-8")), module))
    return found


EVERYTHING = all_said()


def options(words: tuple[str, ...]) -> set[str]:
    return SHARED | {name for each in ALL[words].params for name in (*each.opts, *each.secondary_opts)}


def problem(line: str) -> str | None:
    """What is wrong with the words of a command line, without the program; None when the command is there."""
    words = [word for word in line.split() if word != "--user-store"]
    if words[:1] == ["-C"]:
        words = words[2:]
    if not words or words[0] in SHARED or words[0] in PROSE or not WORD.fullmatch(words[0].rstrip(".:?")):
        return None
    name: tuple[str, ...] = (words[0].rstrip(".:?"),)
    if name not in ALL:
        return f"there is no command {name[0]}"
    group = ALL[name]
    if isinstance(group, click.Group) and len(words) > 1 and WORD.fullmatch(words[1].rstrip(".:?")):
        name = (*name, words[1].rstrip(".:?"))
        if name not in ALL:
            return f"there is no command {' '.join(name)}"
    unknown = set(OPTION.findall(line)) - options(name)
    return f"{' '.join(name)} has no option {', '.join(sorted(unknown))}" if unknown else None


def lines_of(text: str) -> Iterator[str]:
    """The command lines in a text, each without the program: after its name, or in backticks."""
    for found in PROGRAM.finditer(text):
        yield found[1]
    for span in SPAN.findall(text):
        if span not in OTHERS and not span.startswith("aiwg-memory") and (span.split(" ")[0],) in ALL:
            yield span


def test_every_command_line_in_a_message_is_one() -> None:
    wrong = [f"{said}: {what}" for said in EVERYTHING for line in lines_of(said.text) if (what := problem(line))]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_line_in_the_documentation_is_one(page: Path) -> None:
    wrong = []
    for number, text in enumerate(page.read_text("utf-8").splitlines(), 1):
        wrong += [f"{number}: {what}" for line in lines_of(text) if (what := problem(line))]
    assert wrong == [], "\n".join(wrong)


def speakers(said: Said) -> list[tuple[str, ...]]:
    """The commands that print this text: the one it stands in, those of its module, or those of ``SAYS``."""
    if said.module.startswith("cli/"):
        module = "aiwg_memory." + said.module.removesuffix(".py").replace("/", ".")
        here = {
            words: each.callback for words, each in LEAVES.items() if getattr(each.callback, "__module__", "") == module
        }
        inside = [words for words, call in here.items() if getattr(call, "__name__", "") in said.functions]
        if inside or said.module not in SAYS:
            return inside or list(here)
    names = SAYS.get(said.module, "")
    if names == EVERY_CHANGE:
        return [words for words in LEAVES if "--reviewer" in options(words)]
    return [tuple(name.split(" ")) for name in names.split(", ") if name]


def test_every_option_in_a_message_is_one_of_the_commands_that_say_so() -> None:
    wrong = []
    for said in EVERYTHING:
        text = SPAN.sub("", GITS.sub("", said.text))
        named = set(OPTION.findall(PROGRAM.sub("", text))) - SHARED
        if said.module in PATTERNS or not named or DECLARED.fullmatch(said.text):
            continue
        commands = speakers(said)
        lacking = [" ".join(words) for words in commands if named - options(words)]
        if not commands or lacking:
            wrong.append(f"{said}: {', '.join(lacking) or 'nobody knows which command says this'}")
    assert wrong == [], "\n".join(wrong)
