"""What is shipped is whole: every addon answers where it says, and the wheel holds every schema."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from rules import PACKAGE, ROOT

from aiwg_memory.addons import BUILTIN, Addon, load, resolve
from aiwg_memory.core.schema import kinds


def dotted(addon: Addon) -> list[str]:
    single = (addon.parse, addon.item, addon.check, addon.status, addon.dependents, addon.undo)
    return [name for name in (*single, *addon.plans.values(), *addon.commands.values()) if name]


def test_the_builtin_addons_load_together() -> None:
    assert sorted(addon.name for addon in load(list(BUILTIN))) == sorted(BUILTIN)


@pytest.mark.parametrize("name", sorted(BUILTIN))
def test_every_name_an_addon_gives_leads_to_something(name: str) -> None:
    (addon,) = (each for each in load(list(BUILTIN)) if each.name == name)
    assert dotted(addon)
    for each in dotted(addon):
        assert callable(resolve(each)), each
    assert set(addon.schemas) <= set(kinds())


def imported() -> set[str]:
    """The first word of every import of the package, however deep in a function; without those for types alone."""
    found: set[str] = set()
    for path in (ROOT / PACKAGE).rglob("*.py"):
        tree = ast.parse(path.read_bytes())
        for block in [each for each in ast.walk(tree) if isinstance(each, ast.If)]:
            if isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING":
                block.body = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    return found - {PACKAGE} - set(sys.stdlib_module_names)


def test_an_install_without_extras_brings_all_that_is_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {re.split(r"[^\w.-]", each, maxsplit=1)[0].lower() for each in project["dependencies"]}
    brought = {"referencing": "jsonschema"}
    owners = packages_distributions()
    needed = {brought.get(name, owners[name][0].lower()) for name in imported()}
    assert needed == declared


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by the backend itself, in a process of its own, without a network or another environment."""
    folder = tmp_path_factory.mktemp("wheel")
    code = f"from hatchling.build import build_wheel; print(build_wheel({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


def test_the_wheel_holds_every_module_and_every_schema(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"{PACKAGE}/schemas/{kind}.json" for kind in kinds()} <= names
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / PACKAGE).rglob("*.py")}
    assert modules <= names
    assert f"{PACKAGE}/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "docs/", ".aiwg/"))]


def test_the_wheel_judges_values_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import aiwg_memory; assert sys.argv[1] in aiwg_memory.__file__;"
        "from aiwg_memory.core.schema import cheap, kinds; print(cheap('check.v1', {}), len(kinds()))"
    )
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout) == ("", f'/: the key "findings" is missing {len(kinds())}\n')
