"""The four trees, each built from one description: bytes are files, text is a link to that target."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from aiwg_memory.core.tree import MemoryTree, Tree
from aiwg_memory.repo import differences
from aiwg_memory.repo.repository import Repository
from aiwg_memory.worktree.read import WorkTree

Description = Mapping[str, bytes | str]
OPENED: list[Repository | WorkTree] = []

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


def git(folder: Path, *arguments: str, data: bytes = b"", **more: str) -> str:
    """Run git for the setting up of a test; its output without the last newline."""
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", "-c", "core.protectNTFS=false", *arguments],
        cwd=folder,
        input=data,
        env={**ENVIRONMENT, **more},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def write(root: Path, description: Description) -> None:
    for name, content in description.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.symlink_to(content)
        else:
            path.write_bytes(content)


def repository(root: Path, description: Description) -> Repository:
    """A new repository with ``description`` staged."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    write(root, description)
    git(root, "add", "-A", "-f")
    return found(root)


def found(root: Path, environ: Mapping[str, str] = ENVIRONMENT) -> Repository:
    repo = Repository.find(str(root), environ)
    assert repo is not None
    OPENED.append(repo)
    return repo


def staged(repo: Repository) -> list[str]:
    """What the next commit changes below the workspace."""
    listed = repo.staged_changes()[1].split(b"\0")
    return [name.decode("utf-8", "surrogateescape") for name in listed[1::2]]


def changed(repo: Repository, base: str) -> list[str]:
    """What HEAD has and ``base`` has not, or not alike."""
    first = base if base == repo.empty_tree else repo.resolve(base)
    return [each.path for each in differences.commits(repo, first, repo.resolve("HEAD")).touched]


def opened(tree: WorkTree) -> WorkTree:
    """``tree``, to be closed when the test is over."""
    OPENED.append(tree)
    return tree


def memory(_: Path, description: Description) -> Tree:
    return MemoryTree({name: None if isinstance(data, str) else data for name, data in description.items()})


def disk(root: Path, description: Description) -> Tree:
    write(root, description)
    return opened(WorkTree(str(root)))


def checked(root: Path, description: Description) -> Tree:
    write(root, description)
    return opened(WorkTree(str(root), descriptors=False))


def index(root: Path, description: Description) -> Tree:
    repo = repository(root, description)
    _empty(root)
    return repo.index_tree()


def commit(root: Path, description: Description) -> Tree:
    repo = repository(root, description)
    git(root, "commit", "-q", "--allow-empty", "-m", "all")
    git(root, "read-tree", "--empty")
    _empty(root)
    return repo.commit_tree("HEAD")


def below(root: Path, description: Description) -> Tree:
    """A commit of a repository in which the workspace is a directory further down."""
    repository(root, {f"inner/space/{name}": data for name, data in description.items()} | {"outside.md": b"no"})
    git(root, "commit", "-q", "-m", "all")
    return found(root / "inner" / "space").commit_tree("HEAD")


def below_index(root: Path, description: Description) -> Tree:
    repository(root, {f"inner/space/{name}": data for name, data in description.items()} | {"outside.md": b"no"})
    return found(root / "inner" / "space").index_tree()


TREES: dict[str, Callable[[Path, Description], Tree]] = {
    each.__name__: each for each in (memory, disk, checked, index, commit, below, below_index)
}
RAW = {name: build for name, build in TREES.items() if name != "memory"}


def _empty(root: Path) -> None:
    """Nothing but ``.git`` stays, so that an answer can only come from git."""
    for path in root.iterdir():
        if path.name != ".git":
            subprocess.run(["rm", "-rf", str(path)], check=True)
