"""Which commits wrote some files: one git process for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.repo.repository import Repository


class Written(NamedTuple):
    """``blob`` is the id of what it wrote, "" where it took the file away. ``at`` is the author's time (RFC 3339)."""

    path: str
    commit: str
    author: str
    at: str
    blob: str


def written(repository: Repository, paths: Sequence[RepoPath], head: str | None = None) -> list[Written]:
    """Every commit reachable from ``head`` (HEAD) that wrote one of ``paths``, oldest first; none before the first."""
    head = head or repository.head()
    if head is None or not paths:
        return []
    asked = (
        "--literal-pathspecs", "log", "-z", "--no-show-signature", "--no-mailmap", "--no-color", "--no-ext-diff",
        "--no-renames", "--relative", "--raw", "--full-index", "--format=%x01%H%x02%an <%ae>%x02%aI", head, "--",
    )  # fmt: skip
    fields = repository._git(*asked, *paths).out.decode("utf-8", "surrogateescape").split("\0")
    found: list[Written] = []
    said = ("", "", "")
    for number, field in enumerate(fields):
        plain = field.strip("\n")
        if plain.startswith("\x01"):
            commit, author, at = plain[1:].split("\x02")
            said = (commit, author, at)
        elif plain.startswith(":") and number + 1 < len(fields):
            blob = plain.split()[3]
            found.append(Written(fields[number + 1], *said, "" if set(blob) == {"0"} else blob))
    return found[::-1]
