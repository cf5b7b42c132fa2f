"""The pre-commit framework itself, from PyPI, running our hook from a clone of this repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from clone import PACKAGE_ROOT, Clone

HAND = ".aiwg/memory/line-memory.txt"
SECRET = "The database password: " + "tr0ub4dor" + "-and-3"
FRAMEWORK = str(Path(sys.executable).parent / "pre-commit")


def run(clone: Clone, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [FRAMEWORK, *words], cwd=clone.root, env={**clone.env, **more}, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the working tree, as the one commit of a repository somebody could name in their settings."""
    root = tmp_path_factory.mktemp("published") / "repository"
    root.mkdir()
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "aiwg_memory", "schemas",
         "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"],
        cwd=PACKAGE_ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (PACKAGE_ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes((PACKAGE_ROOT / name).read_bytes())
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for words in (["init", "-q"], ["add", "-A", "-f"], [*author, "commit", "-q", "-m", "all"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root


def test_the_framework_runs_the_hook_in_an_environment_of_its_own(tmp_path: Path, published: Path) -> None:
    clone = Clone(tmp_path / "desk")
    revision = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=published, capture_output=True, text=True, check=True
    ).stdout.strip()
    clone.write(
        ".pre-commit-config.yaml",
        f"repos:\n  - repo: {published}\n    rev: {revision}\n    hooks:\n      - id: aiwg-memory\n",
    )
    clone.commit()
    done = run(clone, "install")
    assert done.returncode == 0, done.stdout + done.stderr
    clone.write(HAND, f"{SECRET}\n")
    clone.add()
    done = clone.git("commit", "-m", "change", ok=False)
    assert done.returncode == 1
    assert "secret-assignment" in done.stdout + done.stderr, done.stdout + done.stderr
    clone.git("reset", "-q")
    clone.git("clean", "-q", "-f", HAND)
    clone.do("add", "Lunch is at noon.")
    clone.add()
    clone.write(HAND, f"{SECRET}\n")
    assert clone.git("commit", "-m", "change", ok=False).returncode == 0
    (fact,) = clone.facts()
    clone.git("rm", "-q", f".aiwg/memory/facts/{fact.name}")
    done = clone.git("commit", "-m", "only a deletion", ok=False)
    assert "fact-file-missing" in done.stdout + done.stderr
    theirs = (clone.root / ".git/hooks/pre-commit").read_bytes()
    install = clone.tool("hooks", "install")
    assert install.returncode == 0, install.stderr
    assert "beside it: another hook" in install.stdout
    assert clone.git("commit", "-m", "both say no", ok=False).returncode == 1
    assert clone.tool("hooks", "uninstall").returncode == 0
    assert (clone.root / ".git/hooks/pre-commit").read_bytes() == theirs
