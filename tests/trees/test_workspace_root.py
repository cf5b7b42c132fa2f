"""Where a workspace begins, and the starts that are refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from built import git, write

from aiwg_memory.errors import NotFound, UnsafePath
from aiwg_memory.worktree.root import find_workspace, real_root


def test_the_current_directory_is_resolved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"real/file": b"", "link": "real"})
    monkeypatch.chdir(tmp_path / "link")
    assert real_root() == str(tmp_path / "real")
    assert real_root(".") == str(tmp_path / "real")


def test_a_named_directory_that_is_a_link_is_refused_with_the_real_one(tmp_path: Path) -> None:
    write(tmp_path, {"real/inner/file": b"", "link": "real"})
    with pytest.raises(UnsafePath, match="link is a link") as raised:
        real_root(str(tmp_path / "link"))
    assert str(tmp_path / "real") in raised.value.hint
    with pytest.raises(UnsafePath, match="is a link"):
        real_root(f"{tmp_path}/link/")
    assert real_root(str(tmp_path / "link" / "inner")) == str(tmp_path / "real" / "inner")


def test_a_start_that_is_no_directory_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"file": b""})
    with pytest.raises(UnsafePath, match="is not a directory"):
        real_root(str(tmp_path / "file"))
    with pytest.raises(NotFound, match="is not there"):
        real_root(str(tmp_path / "gone"))


@pytest.mark.parametrize(
    ("start", "expected", "has_config"),
    [
        ("plain/deep", "plain/deep", False),
        ("repo/deep/er", "repo", False),
        ("repo/space/below", "repo/space", True),
        ("repo/nested/.aiwg", "repo", False),
        ("outer/repo/deep", "outer", True),
        ("worktree/deep", "worktree", False),
        ("empty/deep", "empty/deep", False),
        ("repo/empty/deep", "repo", False),
    ],
)
def test_the_nearest_config_wins_then_the_git_top_then_the_start(
    tmp_path: Path, start: str, expected: str, has_config: bool
) -> None:
    write(
        tmp_path,
        {
            "plain/deep/file": b"",
            "repo/.git/HEAD": b"",
            "repo/deep/er/file": b"",
            "repo/space/.aiwg/config.yaml": b"",
            "repo/space/below/file": b"",
            "repo/nested/.aiwg/instructions.md": b"only instructions",
            "outer/.aiwg/config.yaml": b"",
            "outer/repo/.git/HEAD": b"",
            "outer/repo/deep/file": b"",
            "empty/.git/file": b"",
            "empty/deep/file": b"",
            "repo/empty/.git/file": b"",
            "repo/empty/deep/file": b"",
            "worktree/.git": b"gitdir: elsewhere\n",
            "worktree/deep/file": b"",
        },
    )
    assert find_workspace(str(tmp_path / start)) == (str(tmp_path / expected), has_config)


@pytest.mark.parametrize(
    ("hostile", "what"),
    [
        ({".aiwg": "elsewhere", "elsewhere/config.yaml": b""}, r"\.aiwg is a link"),
        ({".aiwg": b"a file"}, r"\.aiwg is not a directory"),
        ({".aiwg/config.yaml": "../else.yaml", "else.yaml": b""}, r"config\.yaml is a link"),
        ({".aiwg/config.yaml/file": b""}, r"config\.yaml is not a regular file"),
    ],
)
def test_a_store_that_is_a_link_or_no_directory_is_refused_from_anywhere_below(
    tmp_path: Path, hostile: dict[str, bytes | str], what: str
) -> None:
    write(tmp_path, {**hostile, "below/deep/file": b""})
    for start in (tmp_path, tmp_path / "below" / "deep"):
        with pytest.raises(UnsafePath, match=what):
            find_workspace(str(start))


def test_a_real_repository_is_found_from_below(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_workspace(os.path.join(tmp_path, "a", "b")) == (str(tmp_path), False)
