"""What a repository can try on its reader, and what a hook's environment means."""

from __future__ import annotations

import os
import stat
import sys
import textwrap
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from built import ENVIRONMENT, changed, found, git, repository, staged, write
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.tree import walk
from aiwg_memory.errors import Damaged, TooLarge, UnsafePath
from aiwg_memory.repo.changes import NamedTree
from aiwg_memory.repo.place import locate
from aiwg_memory.repo.repository import Repository
from aiwg_memory.repo.trees import Folders


def _script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_nothing_a_repository_configures_is_run(tmp_path: Path) -> None:
    root = tmp_path / "root"
    repository(root, {".gitattributes": b"* filter=evil diff=evil\n", "a.md": b"one", "b.md": b"two"})
    git(root, "commit", "-q", "-m", "first")
    write(root, {"c.md": b"three"})
    git(root, "add", "-A")
    ran = tmp_path / "ran"
    trap = _script(tmp_path / "trap", f'echo "$0 $*" >> {ran}; cat')
    for name in (
        "core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv",
        "diff.evil.command", "diff.external", "core.pager", "pager.ls-files", "gpg.program", "core.sshCommand",
        "core.editor", "credential.helper", "core.askPass", "alias.ls-files", "alias.cat-file",
    ):  # fmt: skip
        git(root, "config", name, f"!{trap}" if name.startswith("alias") else str(trap))
    git(root, "config", "log.showSignature", "true")
    git(root, "config", "core.hooksPath", str(tmp_path / "hooks"))
    for hook in ("post-index-change", "reference-transaction", "pre-commit", "post-checkout"):
        _script(tmp_path / "hooks" / hook, f"echo {hook} >> {ran}")
    index_before = (root / ".git" / "index").read_bytes()
    ran.unlink(missing_ok=True)

    with found(root) as repo:
        for tree in (repo.index_tree(), repo.commit_tree("HEAD")):
            assert tree.read(RepoPath("a.md"), limit=9) == b"one"
            assert len(list(walk(tree))) >= 3
        assert staged(repo) == ["c.md"]
        assert "a.md" in changed(repo, repo.empty_tree)
        assert repo.last_commit_for(RepoPath("a.md")) is not None
        assert repo.identity() is None
        assert repo.head() is not None
    assert not ran.exists()
    assert (root / ".git" / "index").read_bytes() == index_before


def test_a_lazy_fetch_is_not_made(tmp_path: Path) -> None:
    root, ran = tmp_path / "root", tmp_path / "ran"
    repo = repository(root, {"a.md": b"one"})
    git(root, "commit", "-q", "-m", "first")
    blob = git(root, "rev-parse", "HEAD:a.md")
    trap = _script(tmp_path / "trap", f"echo ran >> {ran}")
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::{trap}",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
        "protocol.allow": "always",
    }.items():
        git(root, "config", name, value)
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(Damaged):
        repo.index_tree().read(RepoPath("a.md"), limit=9)
    assert not ran.exists()


def test_a_configured_work_tree_elsewhere_does_not_move_the_workspace(tmp_path: Path) -> None:
    root = tmp_path / "root"
    repository(root, {"in/a.md": b"one", "b.md": b"two"})
    git(root, "config", "core.worktree", "/")
    assert [entry.name for entry in found(root).index_tree().list()] == ["b.md", "in"]
    assert [entry.name for entry in found(root / "in").index_tree().list()] == ["a.md"]
    assert staged(found(root / "in")) == ["a.md"]


def test_replaced_objects_are_not_believed(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"a.md": b"true"})
    true = git(tmp_path, "rev-parse", ":a.md")
    git(tmp_path, "replace", true, git(tmp_path, "hash-object", "-w", "--stdin", data=b"false"))
    assert repo.index_tree().read(RepoPath("a.md"), limit=9) == b"true"


def test_an_unmerged_path_names_itself_and_the_way_out(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"both.md": b"base", "fine.md": b"fine", "dir/also.md": b"base"})
    git(tmp_path, "commit", "-q", "-m", "base")
    git(tmp_path, "checkout", "-q", "-b", "side")
    write(tmp_path, {"both.md": b"side", "dir/also.md": b"side"})
    git(tmp_path, "commit", "-q", "-a", "-m", "side")
    git(tmp_path, "checkout", "-q", "main")
    write(tmp_path, {"both.md": b"main", "dir/also.md": b"main"})
    git(tmp_path, "commit", "-q", "-a", "-m", "main")
    git(tmp_path, "-c", "alias.m=!git merge -q side || true", "m")
    tree = repo.index_tree()
    for path in ("both.md", "dir/also.md"):
        with pytest.raises(Damaged, match=f"{path} is unmerged") as raised:
            tree.read(RepoPath(path), limit=9)
        assert "git add" in raised.value.hint
    with pytest.raises(Damaged, match=r"both\.md is unmerged"):
        list(tree.list())
    assert tree.read(RepoPath("fine.md"), limit=9) == b"fine"
    assert repo.commit_tree("HEAD").read(RepoPath("both.md"), limit=9) == b"main"


def _raw_tree(root: Path, entries: list[tuple[str, bytes, str]]) -> str:
    """A commit of a tree written byte by byte, with names no git command would let in."""
    data = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(blob) for mode, name, blob in entries)
    tree = git(root, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", data=data)
    return git(root, "commit-tree", tree, "-m", "raw")


def test_names_no_checkout_would_make_are_illegal_not_followed(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"a.md": b"one"})
    blob = git(tmp_path, "rev-parse", ":a.md")
    names = [b"..", b".", b".git", b"a/b", b"", b".GIT", b"nul", b"ok.md"]
    commit = _raw_tree(tmp_path, [("100644", name, blob) for name in names])
    kinds = sorted((entry.kind, entry.name) for entry in repo.commit_tree(commit).list())
    assert [name for kind, name in kinds if kind == "file"] == ["ok.md"]
    assert len([kind for kind, _ in kinds if kind == "illegal"]) == len(names) - 1


@given(
    data=st.data(),
    names=st.lists(
        st.text("ab 0146\n", min_size=1, max_size=3)
        .filter(lambda name: name.strip() == name)
        .flatmap(lambda name: st.sampled_from([name, f"a 100644 {name}", f"a 40000 {name}", f"0 100644 {name}"])),
        min_size=1,
        max_size=4,
        unique=True,
    ),
)
@settings(max_examples=25)
def test_a_name_that_stands_within_another_name_is_not_taken_for_it(data: st.DataObject, names: list[str]) -> None:
    """A tree is names and ids without marks between them: what is looked for may stand in the middle of a name."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        repo = repository(root, {f"in/{name}": name.encode() for name in names})
        git(root, "commit", "-q", "-m", "all")
        with repo:
            tree = NamedTree(repo, repo.resolve("HEAD"), {})
            asked = data.draw(st.sampled_from(sorted({part for name in names for part in (name, name.split(" ")[-1])})))
            found_there = Folders(repo.objects, repo.resolve("HEAD"), "").find(f"in/{asked}")
            assert (found_there is not None) == (asked in names)
            assert set(tree.names(RepoPath("in"))) == set(names)
            if asked in names and path_problem(asked) is None:
                assert tree.read(RepoPath(f"in/{asked}"), limit=99) == asked.encode()


def test_a_directory_that_holds_one_name_twice_is_refused(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"a.md": b"one"})
    blob = git(tmp_path, "rev-parse", ":a.md")
    commit = _raw_tree(tmp_path, [("100644", b"x", blob), ("120000", b"x", blob)])
    with pytest.raises(Damaged, match="holds x twice"):
        list(repo.commit_tree(commit).list())


def test_an_odd_mode_is_special_and_an_old_one_a_file(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"a.md": b"one"})
    blob = git(tmp_path, "rev-parse", ":a.md")
    tree = repo.commit_tree(_raw_tree(tmp_path, [("100664", b"old", blob), ("010644", b"pipe", blob)]))
    assert [(entry.name, entry.kind) for entry in tree.list()] == [("old", "file"), ("pipe", "special")]
    with pytest.raises(UnsafePath):
        tree.read(RepoPath("pipe"), limit=9)


def test_a_mode_is_what_git_takes_it_for_whatever_is_written_before_it(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"in/a.md": b"one"})
    blob, inner = git(tmp_path, "rev-parse", ":in/a.md"), git(tmp_path, "write-tree", "--prefix=in/")
    top = [("0100644", b"file", blob), ("040000", b"in", inner), ("1000644", b"odd", blob), ("0120000", b"to", blob)]
    commit = _raw_tree(tmp_path, top)
    whole, named, folders = repo.commit_tree(commit), NamedTree(repo, commit, {}), Folders(repo.objects, commit, "")
    wanted = {"file": "file", "in": "dir", "odd": "special", "to": "link"}
    assert {entry.name: entry.kind for entry in whole.list()} == wanted
    assert {name: node.kind for name in wanted if (node := folders.find(name))} == wanted
    assert named.read(RepoPath("in/a.md"), limit=9) == b"one"
    assert folders.below("in") == [b"in/a.md"]


def _spoilt(root: Path, blob: str) -> None:
    """The object as git finds its size and cannot read on."""
    path = root / ".git/objects" / blob[:2] / blob[2:]
    whole = zlib.compress(zlib.decompress(path.read_bytes()), 0)
    path.chmod(0o644)
    path.write_bytes(whole[:60])


def test_what_git_cannot_read_is_refused_and_not_taken_for_less(tmp_path: Path) -> None:
    names = [RepoPath(name) for name in ("a.md", "b.md", "c.md")]
    repo = repository(tmp_path, {name: name.encode() * 99 for name in names})
    _spoilt(tmp_path, git(tmp_path, "rev-parse", ":b.md"))
    tree = repo.index_tree()
    with pytest.raises(Damaged, match=r"before it gave all of"):
        tree.learn(names)
    with pytest.raises(Damaged, match=r"before it gave all of b\.md"):
        tree.read(names[1], limit=999)
    assert tree.read(names[2], limit=999) == b"c.md" * 99


def test_an_object_that_is_not_here_moves_no_other_answer(tmp_path: Path) -> None:
    repo = repository(tmp_path, {name: name.encode() for name in ("a", "bb", "ccc")})
    here = [git(tmp_path, "rev-parse", f":{name}") for name in ("a", "bb", "ccc")]
    for ask in (repo.objects.sizes, repo.objects.learn):
        with pytest.raises(Damaged, match="is not here"):
            ask(["f" * 40, *here])
        assert repo.objects.sizes(list(reversed(here))) == [3, 2, 1]
        assert repo.objects.read(here[1], limit=9) == b"bb"


def test_a_blob_over_the_limit_is_refused_before_it_is_taken(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"big": bytes(50_000_000), "small": b"s"})
    tree = repo.index_tree()
    with pytest.raises(TooLarge, match="big has 50000000 bytes; at most 1000 are read here"):
        tree.read(RepoPath("big"), limit=1000)
    assert tree.read(RepoPath("small"), limit=1) == b"s"


_IN_HOOK = """
    import os, sys
    from aiwg_memory.repo.repository import Repository
    repo = Repository.find(os.path.realpath(sys.argv[1]))
    names = sorted(entry.name for entry in repo.index_tree().list() if entry.kind != "dir")
    changed = [name.decode() for name in repo.staged_changes()[1].split(bytes(1))[1::2]]
    with open(sys.argv[2], "a") as seen:
        print(os.environ.get("GIT_INDEX_FILE", "-") != "-", names, changed, file=seen)
"""


def _with_hook(root: Path, looked_at: str, seen: Path) -> None:
    program = root.parent / "in_hook.py"
    program.write_text(textwrap.dedent(_IN_HOOK), encoding="utf-8")
    common = Path(git(root, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    _script(common / "hooks" / "pre-commit", f'exec "{sys.executable}" "{program}" "{looked_at}" "{seen}"')


def test_a_hook_judges_what_will_be_committed(tmp_path: Path) -> None:
    """A partial commit gives its hook an index of its own; in a linked worktree git sets GIT_DIR as well."""
    root, seen = tmp_path / "root", tmp_path / "seen"
    repository(root, {"a.md": b"1", "b.md": b"1"})
    git(root, "commit", "-q", "-m", "first")
    _with_hook(root, ".", seen)
    write(root, {"a.md": b"2", "b.md": b"2", "c.md": b"2"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "only a", "a.md")
    git(root, "commit", "-q", "-m", "the rest")
    git(root, "worktree", "add", "-q", str(tmp_path / "side"))
    write(tmp_path / "side", {"d.md": b"3", "e.md": b"3"})
    git(tmp_path / "side", "add", "-A")
    git(tmp_path / "side", "commit", "-q", "-m", "only d", "d.md")
    assert seen.read_text().splitlines() == [
        "True ['a.md', 'b.md'] ['a.md']",
        "True ['a.md', 'b.md', 'c.md'] ['b.md', 'c.md']",
        "True ['a.md', 'b.md', 'c.md', 'd.md'] ['d.md']",
    ]


def test_a_hook_that_looks_at_another_repository_sees_that_one(tmp_path: Path) -> None:
    root, other, seen = tmp_path / "root", tmp_path / "other", tmp_path / "seen"
    repository(root, {"a.md": b"1"})
    repository(other, {"x.md": b"1"})
    _with_hook(root, str(other), seen)
    git(root, "commit", "-q", "-m", "first")
    git(root, "worktree", "add", "-q", str(tmp_path / "side"))
    write(tmp_path / "side", {"d.md": b"3"})
    git(tmp_path / "side", "add", "-A")
    git(tmp_path / "side", "commit", "-q", "-m", "second")
    assert seen.read_text().splitlines() == ["True ['x.md'] ['x.md']"] * 2


def test_an_index_named_by_the_environment_counts_in_its_own_repository_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path / "root", {"a.md": b"1"})
    repository(tmp_path / "other", {"x.md": b"1"})
    environ = {**ENVIRONMENT, "GIT_INDEX_FILE": str(tmp_path / "alternative")}
    monkeypatch.chdir(tmp_path / "root")
    assert list(found(tmp_path / "root", environ).index_tree().list()) == []
    assert [entry.name for entry in found(tmp_path / "other", environ).index_tree().list()] == ["x.md"]


def test_variables_that_redirect_git_are_dropped(tmp_path: Path) -> None:
    repository(tmp_path / "root", {"a.md": b"1"})
    repository(tmp_path / "other", {"x.md": b"1"})
    environ = {
        **ENVIRONMENT,
        "GIT_DIR": str(tmp_path / "other" / ".git"),
        "GIT_OBJECT_DIRECTORY": os.devnull,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_NAMESPACE": "elsewhere",
        "GIT_EXTERNAL_DIFF": "false",
    }
    repo = found(tmp_path / "root", environ)
    assert repo.index_tree().read(RepoPath("a.md"), limit=9) == b"1"


def test_a_repository_kept_apart_from_its_files_is_found_by_its_variables(tmp_path: Path) -> None:
    repository(tmp_path / "home", {"deep/a.md": b"1"})
    (tmp_path / "home" / ".git").rename(tmp_path / "dots")
    environ = {**ENVIRONMENT, "GIT_DIR": str(tmp_path / "dots"), "GIT_WORK_TREE": str(tmp_path / "home")}
    repo = found(tmp_path / "home" / "deep", environ)
    assert (repo.top, repo.prefix) == (str(tmp_path / "home"), "deep")
    assert repo.index_tree().read(RepoPath("a.md"), limit=9) == b"1"


def test_a_repository_of_someone_else_is_refused_with_gits_own_reason(tmp_path: Path) -> None:
    repository(tmp_path, {"a.md": b"1"})
    place = locate(str(tmp_path), ENVIRONMENT)
    assert place is not None
    place.located["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
    with pytest.raises(Damaged, match="dubious ownership") as raised:
        Repository(str(tmp_path), place, ENVIRONMENT).index_tree()
    assert "safe.directory" in raised.value.hint


def test_a_bare_repository_committed_into_a_checkout_is_not_taken_for_it(tmp_path: Path) -> None:
    planted = {"HEAD": b"ref: refs/heads/x\n", "config": b"[core]\nbare = true\n", "objects/x": b"", "refs/x": b""}
    everywhere = {f"{place}{name}": data for name, data in planted.items() for place in ("", "in/")}
    repository(tmp_path, {**everywhere, "a.md": b"one", "in/b.md": b"two"})
    repo = found(tmp_path)
    assert not repo.is_bare
    assert repo.index_tree().read(RepoPath("in/b.md"), limit=9) == b"two"
    below = found(tmp_path / "in")
    assert below.git_dir == str(tmp_path / ".git")
    with pytest.raises(Damaged, match="cannot use bare repository"):
        below.index_tree()
