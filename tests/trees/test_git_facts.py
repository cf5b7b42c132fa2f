"""What git knows: heads, revisions, names, people; in every shape a repository comes in."""

from __future__ import annotations

from pathlib import Path

import pytest
from built import ENVIRONMENT, changed, found, git, repository, staged, write

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import walk
from aiwg_memory.errors import Damaged, DiskFailed, NotFound, UsageError
from aiwg_memory.repo import process
from aiwg_memory.repo.repository import Repository


def _committed(root: Path) -> Repository:
    repo = repository(root, {"a.md": b"one", "dir/b.md": b"two"})
    git(root, "commit", "-q", "-m", "first")
    return repo


def test_outside_git_there_is_no_repository(tmp_path: Path) -> None:
    write(tmp_path, {"odd/.git/file": b"not a repository", "file": b""})
    assert Repository.find(str(tmp_path), ENVIRONMENT) is None
    assert Repository.find(str(tmp_path / "odd"), ENVIRONMENT) is None


def test_a_git_file_that_leads_nowhere_says_so_or_is_no_repository(tmp_path: Path) -> None:
    write(tmp_path, {"gone/.git": b"gitdir: ../nowhere\n", "text/.git": b"what?\n"})
    assert Repository.find(str(tmp_path / "gone"), ENVIRONMENT) is None
    with pytest.raises(Damaged, match="names none"):
        Repository.find(str(tmp_path / "text"), ENVIRONMENT)


def test_before_the_first_commit_there_is_an_index_and_no_head(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"a.md": b"one", "dir/b.md": b"two"})
    assert repo.head() is None
    assert staged(repo) == ["a.md", "dir/b.md"]
    assert repo.last_commit_for(RepoPath("a.md")) is None
    assert repo.index_tree().read(RepoPath("a.md"), limit=9) == b"one"
    with pytest.raises(UsageError, match="HEAD names no commit here"):
        repo.commit_tree("HEAD")


def test_an_empty_index_is_an_empty_tree(tmp_path: Path) -> None:
    repo = repository(tmp_path, {})
    assert list(walk(repo.index_tree())) == []
    assert staged(repo) == []


def test_head_is_right_however_it_is_kept(tmp_path: Path) -> None:
    repo = _committed(tmp_path)
    wanted = git(tmp_path, "rev-parse", "HEAD")
    assert repo.head() == wanted
    git(tmp_path, "pack-refs", "--all")
    assert not (tmp_path / ".git" / "refs" / "heads" / "main").exists()
    assert repo.head() == wanted
    git(tmp_path, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    git(tmp_path, "symbolic-ref", "HEAD", "refs/heads/alias")
    assert repo.head() == wanted
    git(tmp_path, "checkout", "-q", "--detach")
    assert repo.head() == wanted
    git(tmp_path, "checkout", "-q", "--orphan", "other")
    assert repo.head() is None


def test_a_longer_branch_name_is_not_taken_for_a_shorter_one(tmp_path: Path) -> None:
    repo = _committed(tmp_path)
    git(tmp_path, "branch", "feature/main")
    git(tmp_path, "pack-refs", "--all")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "pack-refs", "--all")
    assert repo.head() == git(tmp_path, "rev-parse", "main")
    assert repo.head() != git(tmp_path, "rev-parse", "feature/main")


def test_a_sha256_repository_reads_alike(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256")
    write(tmp_path, {"dir/a.md": b"long"})
    git(tmp_path, "add", "-A")
    repo = found(tmp_path)
    assert staged(repo) == ["dir/a.md"]
    git(tmp_path, "commit", "-q", "-m", "first")
    head = repo.head()
    assert head is not None
    assert len(head) == 64
    assert repo.commit_tree(head).read(RepoPath("dir/a.md"), limit=9) == b"long"
    assert changed(repo, repo.empty_tree) == ["dir/a.md"]


def test_a_linked_worktree_has_its_own_index_and_head(tmp_path: Path) -> None:
    main = _committed(tmp_path / "main")
    git(tmp_path / "main", "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    write(tmp_path / "side", {"new.md": b"new"})
    git(tmp_path / "side", "add", "-A")
    git(tmp_path / "side", "commit", "-q", "-m", "side")
    side = found(tmp_path / "side")
    assert side.top == str(tmp_path / "side")
    assert side.common_dir == main.git_dir == str(tmp_path / "main" / ".git")
    assert side.head() == git(tmp_path / "side", "rev-parse", "HEAD") != main.head()
    assert side.index_tree().stat(RepoPath("new.md")) is not None
    assert main.index_tree().stat(RepoPath("new.md")) is None


def test_a_submodule_is_special_from_outside_and_a_repository_inside(tmp_path: Path) -> None:
    _committed(tmp_path / "library")
    outer = _committed(tmp_path / "outer")
    git(tmp_path / "outer", "submodule", "--quiet", "add", str(tmp_path / "library"), "sub")
    git(tmp_path / "outer", "commit", "-q", "-m", "with a submodule")
    for tree in (outer.index_tree(), outer.commit_tree("HEAD")):
        entry = tree.stat(RepoPath("sub"))
        assert entry is not None
        assert entry.kind == "special"
    inner = found(tmp_path / "outer" / "sub")
    assert inner.top == str(tmp_path / "outer" / "sub")
    assert inner.index_tree().read(RepoPath("a.md"), limit=9) == b"one"


def test_a_bare_repository_has_commits_and_no_index(tmp_path: Path) -> None:
    _committed(tmp_path / "work")
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "work"), "bare")
    repo = found(tmp_path / "bare")
    assert repo.is_bare
    assert repo.commit_tree("HEAD").read(RepoPath("dir/b.md"), limit=9) == b"two"
    with pytest.raises(UsageError, match="is a bare repository, without an index"):
        repo.index_tree()
    with pytest.raises(UsageError, match="is a bare repository"):
        staged(repo)


def test_a_workspace_below_the_top_sees_itself_alone(tmp_path: Path) -> None:
    repository(tmp_path, {"out.md": b"o", "in/a.md": b"a", "in/dir/b.md": b"b"})
    repo = found(tmp_path / "in")
    assert repo.prefix == "in"
    assert staged(repo) == ["a.md", "dir/b.md"]
    git(tmp_path, "commit", "-q", "-m", "first")
    write(tmp_path, {"out2.md": b"o", "in/c.md": b"c"})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "second")
    assert changed(repo, "HEAD~1") == ["c.md"]
    last = repo.last_commit_for(RepoPath("c.md"))
    assert last is not None
    assert (last.commit, last.author) == (repo.head(), "Ada <ada@example.org>")
    assert repo.last_commit_for(RepoPath("out.md")) is None
    git(tmp_path, "rm", "-q", "-r", "--cached", "in")
    git(tmp_path, "commit", "-q", "-m", "third")
    assert list(repo.commit_tree("HEAD").list()) == []


@pytest.mark.parametrize(
    "rev", ["", "--all", "-x", "no-such-branch", "HEAD\n", "HEAD~9", "a\0b", "f" * 40, "HEAD^{tree}", "HEAD main"]
)
def test_what_is_no_revision_is_refused(tmp_path: Path, rev: str) -> None:
    repo = _committed(tmp_path)
    with pytest.raises(UsageError):
        repo.resolve(rev)


@pytest.mark.parametrize("rev", ["HEAD", "main", "v1", "main@{0}", "HEAD^0"])
def test_every_spelling_of_a_commit_resolves(tmp_path: Path, rev: str) -> None:
    repo = _committed(tmp_path)
    git(tmp_path, "tag", "-a", "-m", "a tag", "v1")
    assert repo.resolve(rev) == repo.head()
    assert repo.commit_tree(rev).identity == f"commit:{repo.head()}"


def test_a_full_id_that_is_no_commit_is_refused(tmp_path: Path) -> None:
    repo = _committed(tmp_path)
    with pytest.raises(UsageError, match="is not a commit"):
        repo.commit_tree(git(tmp_path, "rev-parse", "HEAD:a.md"))
    with pytest.raises(Damaged, match="is not here"):
        repo.commit_tree("f" * 40)


def test_an_object_that_was_not_fetched_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    repo = _committed(tmp_path)
    blob = git(tmp_path, "rev-parse", "HEAD:a.md")
    (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(Damaged, match="is not here") as raised:
        repo.commit_tree("HEAD").read(RepoPath("a.md"), limit=9)
    assert "git fetch" in raised.value.hint


def test_identity_is_what_git_is_configured_with(tmp_path: Path) -> None:
    repo = repository(tmp_path, {})
    assert repo.identity() is None
    git(tmp_path, "config", "user.name", "Ada\tL.")
    assert repo.identity() is None
    git(tmp_path, "config", "user.email", "ada@example.org")
    git(tmp_path, "config", "--add", "user.email", "later@example.org")
    assert repo.identity() == "Ada\tL. <later@example.org>"
    assert repo.config("user.name") == "Ada\tL."
    assert repo.config("user.nothing") is None
    git(tmp_path, "config", "core.hooksPath", "hooks here")
    assert repo.config("core.hooksPath") == "hooks here"


def test_names_with_newlines_and_stars_come_back_whole(tmp_path: Path) -> None:
    names = ["*.md", "new\nline", "x.md", "\udcff"]
    repo = repository(tmp_path, dict.fromkeys(names, b"x"))
    assert sorted(staged(repo)) == sorted(names)
    git(tmp_path, "commit", "-q", "-m", "first")
    first = repo.head()
    write(tmp_path, {"y.md": b"y"})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "second")
    last = repo.last_commit_for(RepoPath("*.md"))
    assert last is not None
    assert last.commit == first


def test_without_git_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = _committed(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "dir"))
    assert repo.head()
    with pytest.raises(DiskFailed, match="git is not installed"):
        staged(repo)
    with pytest.raises(DiskFailed, match="git is not installed"):
        repo.commit_tree("HEAD").read(RepoPath("a.md"), limit=9)


def test_a_tree_keeps_its_answer_while_the_index_moves_on(tmp_path: Path) -> None:
    repo = _committed(tmp_path)
    before = repo.index_tree()
    write(tmp_path, {"later.md": b"x"})
    git(tmp_path, "add", "-A")
    with pytest.raises(NotFound):
        before.read(RepoPath("later.md"), limit=9)
    assert repo.index_tree().identity != before.identity


def test_a_file_that_is_only_meant_to_be_added_is_not_staged(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"empty.md": b"", "a.md": b"one", "in/b.md": b""})
    write(tmp_path, {"meant.md": b"later", "in/meant.md": b"later"})
    git(tmp_path, "add", "-N", "meant.md", "in/meant.md")
    assert [entry.name for entry in repo.index_tree().list()] == ["a.md", "empty.md", "in"]
    assert [entry.name for entry in found(tmp_path / "in").index_tree().list()] == ["b.md"]
    assert staged(repo) == ["a.md", "empty.md", "in/b.md"]


@pytest.mark.parametrize("posix", [True, False], ids=["posix_spawn", "subprocess"])
def test_git_is_reached_either_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, posix: bool) -> None:
    monkeypatch.setattr(process, "_POSIX", posix)
    repo = _committed(tmp_path)
    assert repo.resolve("main") == repo.head()
    assert repo.commit_tree("HEAD").read(RepoPath("dir/b.md"), limit=9) == b"two"
    assert staged(repo) == []
    repo.close()
    nowhere = str(tmp_path / "dir")
    monkeypatch.setenv("PATH", nowhere)
    with pytest.raises(DiskFailed, match="git is not installed"):
        found(tmp_path, {**ENVIRONMENT, "PATH": nowhere}).staged_changes()
