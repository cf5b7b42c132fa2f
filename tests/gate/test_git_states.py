"""Whatever state git is in, and however it calls a hook, the gate judges the commit that would be made."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from clone import Clone, environment

HAND = ".aiwg/memory/line-memory.txt"
SECRET = "The database password: " + "tr0ub4dor" + "-and-3"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "desk")


def test_an_empty_repository_and_the_first_commit(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "desk")
    assert clone.check("--staged") == []
    clone.write(HAND, f"{SECRET}\n")
    clone.add()
    assert "secret-assignment" in clone.rules("--staged")


def test_a_commit_of_half_a_file_is_judged_by_that_half(clone: Clone) -> None:
    clone.write(HAND, "One.\n")
    clone.commit()
    clone.write(HAND, f"One.\nTwo.\n{SECRET}\n")
    patch = f"--- a/{HAND}\n+++ b/{HAND}\n@@ -1 +1,2 @@\n One.\n+Two.\n"
    (clone.home / "half.patch").write_text(patch)
    clone.git("apply", "--cached", str(clone.home / "half.patch"))
    assert "secret-assignment" not in clone.rules("--staged")


def test_the_index_that_git_names_to_its_hook_is_the_one_judged(clone: Clone) -> None:
    clone.commit()
    clone.write(HAND, f"{SECRET}\n")
    index = clone.root / ".git/next-index-1.lock"
    clone.git("read-tree", "HEAD", GIT_INDEX_FILE=str(index))
    clone.git("add", "-A", GIT_INDEX_FILE=str(index))
    assert clone.rules("--staged") == []
    for name in (str(index), ".git/next-index-1.lock"):
        env = {**clone.env, "GIT_INDEX_FILE": name, "GIT_DIR": ".git", "GIT_PREFIX": ""}
        assert "secret-assignment" in clone.rules("--staged", env=env)


def test_a_merge_that_is_concluded_by_hand_is_judged_as_the_commit_it_becomes(clone: Clone) -> None:
    clone.write("notes.txt", "one\n")
    base = clone.commit()
    clone.do("add", "Lunch is at noon.")
    clone.write("notes.txt", "two\n")
    clone.commit()
    clone.git("checkout", "-q", "-b", "other", base)
    clone.do("add", "Tea is at four.")
    clone.write("notes.txt", "three\n")
    clone.commit()
    assert clone.git("merge", "main", ok=False).returncode != 0
    assert clone.rules("--staged") == []
    clone.write("notes.txt", "both\n")
    clone.add()
    assert clone.rules("--staged") == []
    clone.git("commit", "-q", "--no-edit")
    assert clone.rules("--all") == []


def test_a_file_of_ours_that_is_unmerged_stops_with_the_way_out(clone: Clone) -> None:
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nAt noon.\n")
    base = clone.commit()
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nAt one.\n")
    clone.commit()
    clone.git("checkout", "-q", "-b", "other", base)
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nAt two.\n")
    clone.commit()
    assert clone.git("merge", "main", ok=False).returncode != 0
    done = clone.tool("check", "--staged")
    assert done.returncode != 0
    assert "unmerged" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_cherry_picks_and_rebases_keep_what_accounts_for_them(clone: Clone) -> None:
    base = clone.commit()
    clone.do("add", "Lunch is at noon.")
    picked = clone.commit()
    clone.git("checkout", "-q", "-b", "other", base)
    clone.do("add", "Tea is at four.")
    clone.commit()
    clone.git("cherry-pick", "--no-commit", picked)
    assert clone.rules("--staged") == []
    clone.git("commit", "-q", "-m", "picked")
    clone.git("checkout", "-q", "-b", "third", base)
    clone.do("add", "Dinner is at eight.")
    clone.commit()
    clone.git("rebase", "-q", "other")
    assert clone.rules("--range", "main..HEAD") == []
    assert clone.rules("--all") == []


def test_renames_and_modes_are_what_they_are(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nAt noon.\n")
    clone.commit()
    name = f".aiwg/memory/facts/{clone.facts()[0].name}"
    clone.git("update-index", "--chmod=+x", name)
    assert clone.rules("--staged") == []
    clone.git("reset", "-q")
    clone.git("mv", name, ".aiwg/memory/facts/0000000000000000.txt")
    assert "fact-edited" in clone.rules("--staged")


def test_a_submodule_that_asks_to_be_ignored_is_seen(clone: Clone) -> None:
    head = clone.commit()
    clone.write(".gitmodules", '[submodule "x"]\n\tpath = .aiwg/rules\n\turl = https://example.org/x\n\tignore = all\n')
    clone.git("config", "diff.ignoreSubmodules", "all")
    clone.git("add", ".gitmodules")
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{head},.aiwg/rules")
    assert "unsafe-path" in clone.rules("--staged")
    clone.git("commit", "-q", "--no-verify", "-m", "sub")
    assert "unsafe-path" in clone.rules("--range", f"{head}..HEAD")


def test_a_submodule_or_a_link_where_files_belong_is_refused(clone: Clone) -> None:
    head = clone.commit()
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{head},.aiwg/wiki/sub")
    blob = clone.git("hash-object", "-w", "--stdin", ok=True).stdout.strip()
    clone.git("update-index", "--add", "--cacheinfo", f"120000,{blob},.aiwg/rules")
    found = [one for one in clone.check("--staged") if one["rule"] == "unsafe-path"]
    assert {one["path"] for one in found} == {".aiwg/wiki/sub", ".aiwg/rules"}


def test_the_whole_store_may_not_be_a_submodule(clone: Clone) -> None:
    head = clone.commit()
    clone.git("rm", "-r", "-q", "--cached", ".aiwg")
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{head},.aiwg")
    assert "unsafe-path" in clone.rules("--staged")


def test_a_sparse_checkout_without_the_store_is_judged_all_the_same(clone: Clone) -> None:
    clone.do("add", "Lunch is at noon.")
    clone.write("src/main.py", "pass\n")
    clone.commit()
    name = f".aiwg/memory/facts/{clone.facts()[0].name}"
    clone.git("sparse-checkout", "set", "--no-cone", "/src/")
    assert not (clone.root / ".aiwg/memory/facts").exists()
    assert clone.rules("--staged") == []
    clone.git("rm", "-q", "--cached", "--sparse", name)
    assert "fact-file-missing" in clone.rules("--staged")


def test_a_linked_worktree_and_a_workspace_further_down(clone: Clone) -> None:
    clone.commit()
    clone.git("worktree", "add", "-q", "../second", "-b", "second")
    second = Clone(clone.root.parent / "second", init=False)
    second.write(HAND, f"{SECRET}\n")
    second.add()
    assert "secret-assignment" in second.rules("--staged")
    assert clone.rules("--staged") == []


def test_a_workspace_further_down_sees_only_itself(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "desk", init=False)
    clone.root.mkdir()
    clone.git("init", "-q", "-b", "main")
    clone.git("config", "user.name", "Ada Lovelace")
    clone.git("config", "user.email", "ada@example.org")
    inner = clone.root / "team/space"
    inner.mkdir(parents=True)
    below = Clone(inner, init=False)
    below.home = clone.home
    below.env = clone.env
    below.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\n")
    below.write(HAND, f"{SECRET}\n")
    clone.write(".aiwg/other.txt", f"{SECRET}\n")
    clone.add()
    assert {one["path"] for one in below.check("--staged")} == {".aiwg/config.yaml", HAND}
    assert "secret-assignment" in clone.rules("--staged", "-C", "team/space")


def test_a_bare_repository_judges_a_range_and_says_so(clone: Clone) -> None:
    clone.commit()
    clone.do("add", "Lunch is at noon.")
    clone.write(HAND, f"{SECRET}\n")
    clone.commit()
    bare = clone.root.parent / "bare.git"
    clone.git("clone", "-q", "--bare", str(clone.root), str(bare))
    there = Clone(bare, init=False)
    done = there.tool("check", "--staged")
    assert (done.returncode, "--range" in done.stderr) == (2, True)
    for words in (["check"], ["check", "--all"], ["diff"], ["instructions", "check"]):
        done = there.tool(*words)
        assert (done.returncode, "is a bare repository" in done.stderr) == (2, True), words
        assert "work in a clone" in done.stderr
    env = {**there.env, "GIT_DIR": str(bare)}
    assert "secret-assignment" in there.rules("--range", "main~1..main", env=env)


@pytest.mark.parametrize("left_out", ["blob:none", "tree:0"])
def test_what_a_partial_clone_left_out_is_named_with_a_way_out_that_brings_it(clone: Clone, left_out: str) -> None:
    clone.commit()
    clone.write(HAND, f"{SECRET}\n")
    clone.commit()
    clone.git("rm", "-q", HAND)
    clone.commit()
    clone.git("config", "uploadpack.allowFilter", "true")
    some = clone.root.parent / "some"
    clone.git("clone", "-q", f"--filter={left_out}", f"file://{clone.root}", str(some))
    there = Clone(some, init=False)
    done = there.tool("check", "--range", "HEAD~2..HEAD~1")
    assert done.returncode == 5
    assert "warning" not in done.stderr
    there.git(*done.stderr.partition("`git ")[2].partition("`")[0].split())
    assert "secret-assignment" in there.rules("--range", "HEAD~2..HEAD~1")


def test_a_store_that_is_not_checked_out_is_not_set_up_anew(clone: Clone) -> None:
    clone.commit()
    clone.git("sparse-checkout", "set", "--cone", "docs")
    for words in (["init"], ["add", "Lunch is at noon."]):
        done = clone.tool(*words)
        assert (done.returncode, "error[not-checked-out]" in done.stderr) == (2, True), words
    clone.git(*done.stderr.partition("`git ")[2].partition("`")[0].split())
    clone.do("add", "Lunch is at noon.")


def test_neither_a_home_nor_a_locale_is_needed(clone: Clone) -> None:
    clone.write(".aiwg/wiki/mittag.md", "# Mittag — 昼\n\n" + SECRET + "\n")
    clone.add()
    bare = {name: value for name, value in clone.env.items() if name not in ("HOME", "LC_ALL")}
    for more in ({"LC_ALL": "C"}, {"LC_ALL": "tr_TR.UTF-8"}, {"LANG": "POSIX", "PYTHONUTF8": "0"}):
        assert "secret-assignment" in clone.rules("--staged", env={**bare, **more})


def test_a_hundred_thousand_files_staged_elsewhere_are_not_looked_at(clone: Clone) -> None:
    clone.commit()
    blob = clone.git("hash-object", "-w", "--stdin").stdout.strip()
    lines = "".join(f"100644 {blob}\tsrc/{number // 1000}/{number}.txt\n" for number in range(100_000))
    feed = clone.home / "feed"
    feed.write_text(lines)
    with feed.open() as given:
        subprocess.run(["git", "update-index", "--index-info"], cwd=clone.root, env=clone.env, stdin=given, check=True)
    clone.write(HAND, f"{SECRET}\n")
    clone.add(".aiwg")
    assert "secret-assignment" in clone.rules("--staged")


def test_outside_a_repository_it_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    clone = Clone(folder, init=False)
    clone.env = {**environment(clone.home), "GIT_CEILING_DIRECTORIES": os.fspath(tmp_path)}
    done = clone.tool("check", "--staged")
    assert (done.returncode, "not in a git repository" in done.stderr) == (2, True)
