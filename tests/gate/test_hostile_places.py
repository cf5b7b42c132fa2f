"""The hook in every place and state it can find itself in: what is wrong is blocked and all else passes.

``docs/threat-model.md`` lists each of them, and every test it names is held to exist.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from clone import PACKAGE_ROOT, Clone

HAND = ".aiwg/memory/line-memory.txt"
SECRET = "The database password: " + "tr0ub4dor" + "-and-3"
PAGE = "# Lunch\n\nAt noon.\n"


def staged_secret(clone: Clone) -> None:
    clone.write(HAND, f"{SECRET}\n")
    clone.add()


def nothing_staged(clone: Clone) -> None:
    clone.write(HAND, f"{SECRET}\n")


def commit_part(clone: Clone) -> None:
    """``commit -p``: the wrong half is left out."""
    clone.write(HAND, "One.\n")
    clone.git("add", HAND)
    clone.write(HAND, f"One.\n{SECRET}\n")


def renamed(clone: Clone) -> None:
    clone.git("mv", ".aiwg/wiki/lunch.md", ".aiwg/wiki/dinner.md")


def mode_changed(clone: Clone) -> None:
    clone.git("update-index", "--chmod=+x", ".aiwg/wiki/lunch.md")


def renamed_to_a_device(clone: Clone) -> None:
    blob = clone.git("rev-parse", "HEAD:.aiwg/wiki/lunch.md").stdout.strip()
    clone.git("update-index", "--add", "--cacheinfo", f"100644,{blob},.aiwg/wiki/con.md")


def submodule_elsewhere(clone: Clone) -> None:
    head = clone.git("rev-parse", "HEAD").stdout.strip()
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{head},vendor/lib")


def submodule_inside(clone: Clone) -> None:
    head = clone.git("rev-parse", "HEAD").stdout.strip()
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{head},.aiwg/wiki/lib")


def sparse(clone: Clone) -> None:
    clone.write("src/main.py", "pass\n")
    clone.commit()
    clone.git("sparse-checkout", "set", "--no-cone", "/src/")
    clone.write("src/main.py", "print()\n")
    clone.git("add", "src/main.py")


def diverged(clone: Clone, secret: bool = False) -> None:
    """Two branches that both wrote notes.txt; ``other`` is checked out and brings memory along."""
    base = clone.git("rev-parse", "HEAD").stdout.strip()
    clone.write("notes.txt", "main\n")
    clone.commit("main")
    clone.git("checkout", "-q", "-b", "other", base)
    clone.write("notes.txt", "other\n")
    clone.write(HAND, f"{SECRET if secret else 'Tea is at four.'}\n")
    clone.commit("other")


def merge(clone: Clone) -> None:
    diverged(clone)
    assert clone.git("merge", "main", ok=False).returncode == 1
    clone.write("notes.txt", "both\n")
    clone.add("notes.txt")


def rebase(clone: Clone) -> None:
    diverged(clone)
    assert clone.git("rebase", "main", ok=False).returncode == 1
    clone.write("notes.txt", "both\n")
    clone.add("notes.txt")


def cherry_pick(clone: Clone) -> None:
    diverged(clone)
    clone.git("checkout", "-q", "main")
    assert clone.git("cherry-pick", "other", ok=False).returncode == 1
    clone.write("notes.txt", "both\n")
    clone.add("notes.txt")


def cherry_pick_of_a_secret(clone: Clone) -> None:
    diverged(clone, secret=True)
    clone.git("checkout", "-q", "main")
    assert clone.git("cherry-pick", "other", ok=False).returncode == 1
    clone.write("notes.txt", "both\n")
    clone.add("notes.txt")


def intent_to_add(clone: Clone) -> None:
    clone.write(HAND, f"{SECRET}\n")
    clone.git("add", "--intent-to-add", HAND)


PLACES: list[tuple[Callable[[Clone], None], dict[str, str], str]] = [
    (nothing_staged, {}, ""),
    (staged_secret, {}, "secret-assignment"),
    (staged_secret, {"GIT_PREFIX": "src/"}, "secret-assignment"),
    (staged_secret, {"GIT_DIR": ".git", "GIT_WORK_TREE": "."}, "secret-assignment"),
    (staged_secret, {"GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index", "GIT_PREFIX": ""}, "secret-assignment"),
    (staged_secret, {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "de"}, "secret-assignment"),
    (staged_secret, {"LC_ALL": "C", "PYTHONUTF8": "0", "HOME": ""}, "secret-assignment"),
    (commit_part, {}, ""),
    (intent_to_add, {}, ""),
    (renamed, {}, ""),
    (mode_changed, {}, ""),
    (renamed_to_a_device, {}, "unsafe-path"),
    (submodule_elsewhere, {}, ""),
    (submodule_inside, {}, "unsafe-path"),
    (sparse, {}, ""),
    (merge, {}, ""),
    (rebase, {}, ""),
    (cherry_pick, {}, ""),
    (cherry_pick_of_a_secret, {}, "secret-assignment"),
]


@pytest.mark.parametrize(
    ("prepare", "more", "blocked"), PLACES, ids=[" ".join((each[0].__name__, *each[1])) for each in PLACES]
)
def test_the_hook_blocks_what_is_wrong_wherever_it_runs(
    tmp_path: Path, prepare: Callable[[Clone], None], more: dict[str, str], blocked: str
) -> None:
    clone = Clone(tmp_path / "desk")
    clone.write(".aiwg/wiki/lunch.md", PAGE)
    clone.write("notes.txt", "base\n")
    clone.commit("start")
    prepare(clone)
    clone.env = {name: value for name, value in {**clone.env, **more}.items() if value or name != "HOME"}
    errors = {one["rule"] for one in clone.check("--staged") if one["severity"] == "error"}
    assert (blocked in errors) if blocked else not errors


def test_every_test_that_the_threat_model_names_is_there() -> None:
    text = (PACKAGE_ROOT / "docs/threat-model.md").read_text("utf-8")
    sources = "".join(path.read_text("utf-8") for path in sorted((PACKAGE_ROOT / "tests/gate").glob("test_*.py")))
    for name in re.findall(r"`(test_[a-z_]+)(?:…)?`", text):
        assert f"def {name}" in sources, name
    for name in re.findall(r"`([a-z_]+/test_[a-z_]+\.py)`", text):
        assert os.path.isfile(PACKAGE_ROOT / "tests" / name), name
    for row in PLACES:
        assert f"`{row[0].__name__}`" in text, row[0].__name__
