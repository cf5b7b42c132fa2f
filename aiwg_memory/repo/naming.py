"""The names of files, as git knows them: what is ignored there, or lies in another repository, is not among them."""

from __future__ import annotations

from collections.abc import Callable

from aiwg_memory.repo.repository import Repository


def names(repository: Repository, tree: str, wanted: Callable[[str], bool]) -> list[str]:
    """Below the workspace, byte-wise sorted. ``tree`` is the identity of one: a commit's, the index's, or the disk's.

    Names that are not UTF-8 keep their bytes as lone surrogates. Raises Damaged when git fails.
    """
    if tree.startswith("commit:"):
        listed: tuple[str, ...] = ("ls-tree", "-r", "-z", "--name-only", tree.removeprefix("commit:"))
    elif tree.startswith("index:"):
        listed = ("ls-files", "-z", "--cached")
    else:
        listed = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    output = repository._git(*listed).out
    found = (name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name)
    return sorted({name for name in found if wanted(name)}, key=lambda name: name.encode("utf-8", "surrogateescape"))
