"""No finding has an id that nobody can look up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from clone import PACKAGE_ROOT

from aiwg_memory.core.rules import RULES, covers
from aiwg_memory.core.rules.document import page
from aiwg_memory.core.rules.instructions import INSTRUCTIONS
from aiwg_memory.core.rules.mentioned import REFUSALS, SHOWN
from aiwg_memory.errors import Damaged, DiskFailed, Locked, NotFound, UnsafePath

_ID = re.compile(r"[a-z][a-z0-9]+(?:-[a-z0-9]+)*\Z")
# What makes a finding, by name; its arguments that look like an id are one, but for severities and words of commands.
_MAKERS = {"Finding", "_no", "_warning", "_report", "wrong", "refuse", "_problem"}
_WORDS = {"error", "warning", "note", "resolve"}


def written(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        found: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            found = node.args if name in _MAKERS else []
        elif isinstance(node, ast.Yield | ast.Return) and isinstance(node.value, ast.Tuple):
            found = node.value.elts[:1]  # ("canonical-path", "the file of … is …")
        elif isinstance(node, ast.Assign) and "rule" in ast.dump(node.targets[0]):
            found = [node.value] if not isinstance(node.value, ast.Tuple) else node.value.elts[:1]
        for each in found:
            value = each.value if isinstance(each, ast.Constant) else None
            told = isinstance(node, ast.Call) or "-" in str(value)
            if isinstance(value, str) and told and _ID.match(value) and value not in _WORDS:
                yield value


def test_every_id_in_the_sources_is_in_the_table() -> None:
    known = REFUSALS | SHOWN
    found = {
        f"{value} in {path.relative_to(PACKAGE_ROOT)}"
        for path in (PACKAGE_ROOT / "aiwg_memory").rglob("*.py")
        for value in written(path)
        if value not in known and not any(covers(rule, value) for rule in RULES)
    }
    assert sorted(found) == []


def test_ids_are_in_one_place_only() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    assert not set(ids) & (REFUSALS | SHOWN)


def test_the_page_of_the_documentation_is_that_of_the_table() -> None:
    assert (PACKAGE_ROOT / "docs/rules.md").read_text("utf-8") == page()


def test_the_page_of_instructions_names_all_that_discovery_and_its_check_say() -> None:
    sources = [*(PACKAGE_ROOT / "aiwg_memory/core/instructions").glob("*.py")]
    sources.append(PACKAGE_ROOT / "aiwg_memory/addons/instructions/checking.py")
    said = {value for path in sources for value in written(path)} | {rule.id for rule in INSTRUCTIONS}
    # What a tree raises where it is read, and discovery repeats.
    said |= {error.code for error in (Damaged, DiskFailed, Locked, NotFound, UnsafePath)}
    text = (PACKAGE_ROOT / "docs/instructions.md").read_text("utf-8")
    assert sorted(rule for rule in said if f"`{rule}`" not in text) == []
