"""The index is told from the commit before it and from what differs: it answers as if it had been listed whole."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from built import Description, found, git, repository, write
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.focus import key
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import MemoryTree, walk
from aiwg_memory.errors import AiwgError
from aiwg_memory.repo.changes import staged

_NAMES = (
    "wiki/a", "wiki/a.md", "wiki/A b.md", "wiki/a/b.md", "wiki/a/c/b.md", "wiki/sub/x.md", "x", "memory/d/1",
    "wiki/\u00e9.md",
)  # fmt: skip
_SIDES = st.dictionaries(
    st.sampled_from([f".aiwg/{name}" for name in _NAMES]), st.sampled_from([b"one lm", b"two", b"LM\n"]), max_size=6
)
_WIKI = RepoPath(".aiwg/wiki")


def _possible(files: dict[str, bytes]) -> Description:
    """Without what would have to be a file and a directory."""
    return {name: data for name, data in files.items() if not any(other.startswith(f"{name}/") for other in files)}


@given(before=_SIDES.map(_possible), after=_SIDES.map(_possible), inner=st.sampled_from(["", "team"]))
@settings(max_examples=30)
def test_the_index_answers_as_a_whole_listing_does(before: Description, after: Description, inner: str) -> None:
    with TemporaryDirectory() as folder:
        top = Path(folder)
        root = top / inner
        repository(top, {"README": b"lm", **{f"{inner}/{name}".lstrip("/"): data for name, data in before.items()}})
        root.mkdir(exist_ok=True)
        git(top, "commit", "-q", "-m", "before")
        rmtree(root / ".aiwg", ignore_errors=True)
        write(root, after)
        git(top, "add", "-A")
        with found(root) as repo:
            base, listed = repo.staged_changes()
            head = staged(repo, base, listed).head
            whole = MemoryTree({name: data for name, data in after.items() if isinstance(data, bytes)})
            for path in (RepoPath(".aiwg"), _WIKI, RepoPath(".aiwg/wiki/a"), RepoPath(".aiwg/memory")):
                try:
                    listing = {entry.name for entry in whole.list(path)}
                except AiwgError:
                    listing = set()
                assert set(head.names(path)) == listing
            below = [RepoPath(f"{parent}/{entry.name}") for parent, entry in walk(whole, _WIKI) if entry.kind != "dir"]
            assert set(head.alike(_WIKI, ["amd", "bmd"])) == {
                path for path in below if key(path.name) in ("amd", "bmd")
            }
            hits = {path for path in below if re.search(b"lm", whole.read(path, limit=99), re.IGNORECASE)}
            touched = {path for path in below if after[path] != before.get(path)}
            assert hits <= set(head.holding(_WIKI, "lm")) <= hits | touched


def test_settings_of_a_person_do_not_change_what_is_found(tmp_path: Path) -> None:
    repository(tmp_path, {"team/.aiwg/wiki/a.md": b"one lm\n"})
    git(tmp_path, "commit", "-q", "-m", "all")
    for name in ("grep.fullName", "grep.lineNumber", "grep.column", "submodule.recurse"):
        git(tmp_path, "config", name, "true")
    with found(tmp_path / "team") as repo:
        head = staged(repo, repo.resolve("HEAD"), b"").head
        assert list(head.holding(_WIKI, "lm")) == [".aiwg/wiki/a.md"]
