"""The git hook lies beside what is there, says no where it must, and leaves no trace when it goes."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest
from clone import Clone

HAND = ".aiwg/memory/line-memory.txt"
SECRET = "The database password: " + "tr0ub4dor" + "-and-3"
OTHERS = {
    "a shell script": (b"#!/bin/sh\nset -e\necho other ran >> ran.txt\n", 0o755),
    "a script for env bash": (b"#!/usr/bin/env bash\nwords=(a b)\necho ${words[1]} >> ran.txt\nexit 0\n", 0o755),
    "a script that ends in exec": (b"#!/bin/sh\nexec sh -c 'echo other >> ran.txt'\n", 0o750),
    "a program in Python": (b"#!/usr/bin/env python3\nopen('ran.txt', 'a').write('x')\n", 0o755),
    "lines that end with CR LF": (b"#!/bin/sh\r\necho other\r\n", 0o755),
    "a script without a final newline": (b"#!/bin/sh\necho other >> ran.txt", 0o755),
    "a hook that is switched off": (b"#!/bin/sh\nexit 1\n", 0o644),
    "no first line": (b"echo other >> ran.txt\n", 0o755),
}


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path / "desk")
    made.commit()
    return made


def hook(clone: Clone) -> Path:
    return clone.root / ".git/hooks/pre-commit"


def install(clone: Clone) -> None:
    done = clone.tool("hooks", "install")
    assert done.returncode == 0, done.stderr


def commit(clone: Clone, **more: str) -> subprocess.CompletedProcess[str]:
    return clone.git("commit", "-m", "change", ok=False, **more)


def test_a_commit_with_something_wrong_does_not_come_to_be_and_another_does(clone: Clone) -> None:
    install(clone)
    clone.write(HAND, f"{SECRET}\n")
    clone.add()
    done = commit(clone)
    assert done.returncode == 1
    assert "secret-assignment" in done.stdout + done.stderr
    assert (
        done.stderr.count("aiwg-memory: this commit was blocked; `aiwg-memory check --staged` says this again\n") == 1
    )
    clone.write(HAND, "Lunch is at noon.\n")
    clone.add()
    assert commit(clone).returncode == 0
    assert clone.git("status", "--porcelain").stdout == ""


def test_nothing_is_started_when_nothing_of_ours_is_staged(clone: Clone) -> None:
    install(clone)
    text = hook(clone).read_text()
    trap = clone.home / "trap"
    trap.write_text("#!/bin/sh\necho started >&2\nexit 1\n")
    trap.chmod(0o755)
    line = next(line for line in text.splitlines() if line.strip().startswith("aiwg_memory=/"))
    hook(clone).write_text(text.replace(line, f"    aiwg_memory={trap}"))
    clone.write("src/main.py", "pass\n")
    clone.add()
    done = commit(clone)
    assert (done.returncode, "started" in done.stderr) == (0, False)
    clone.write(HAND, "Lunch is at noon.\n")
    clone.add()
    assert commit(clone).returncode == 1


@pytest.mark.parametrize(("data", "mode"), OTHERS.values(), ids=OTHERS)
def test_a_hook_that_was_there_runs_too_and_is_as_it_was_afterwards(clone: Clone, data: bytes, mode: int) -> None:
    hook(clone).parent.mkdir(exist_ok=True)
    hook(clone).write_bytes(data)
    hook(clone).chmod(mode)
    runs = mode & stat.S_IXUSR and b"\r" not in data
    install(clone)
    install(clone)
    clone.write(HAND, f"{SECRET}\n")
    clone.add()
    assert commit(clone).returncode == 1
    clone.write(HAND, "Lunch is at noon.\n")
    clone.add()
    if b"\r" not in data:
        assert commit(clone).returncode == 0
        assert (clone.root / "ran.txt").exists() == bool(runs)
    assert clone.tool("hooks", "uninstall").returncode == 0
    assert hook(clone).read_bytes() == data
    assert stat.S_IMODE(hook(clone).stat().st_mode) == mode
    assert [path.name for path in hook(clone).parent.iterdir() if "aiwg" in path.name] == []


def test_a_hook_that_is_a_link_is_kept_as_a_link(clone: Clone) -> None:
    script = clone.write("scripts/hook.sh", "#!/bin/sh\necho other >> ran.txt\n")
    script.chmod(0o755)
    clone.commit()
    hook(clone).parent.mkdir(exist_ok=True)
    hook(clone).symlink_to("../../scripts/hook.sh")
    install(clone)
    assert script.read_text() == "#!/bin/sh\necho other >> ran.txt\n"
    clone.write(HAND, "Lunch is at noon.\n")
    clone.add()
    assert commit(clone).returncode == 0
    assert (clone.root / "ran.txt").exists()
    assert clone.tool("hooks", "uninstall").returncode == 0
    assert os.readlink(hook(clone)) == "../../scripts/hook.sh"


def test_without_another_hook_no_file_stays(clone: Clone) -> None:
    before = sorted(path.name for path in (clone.root / ".git/hooks").iterdir())
    install(clone)
    assert clone.tool("hooks", "uninstall").returncode == 0
    assert clone.tool("hooks", "uninstall").returncode == 0
    assert sorted(path.name for path in (clone.root / ".git/hooks").iterdir()) == before


def test_lines_added_around_ours_stay_when_ours_go(clone: Clone) -> None:
    install(clone)
    hook(clone).write_text(hook(clone).read_text() + "echo mine\n")
    clone.tool("hooks", "uninstall")
    assert hook(clone).read_text() == "#!/bin/sh\necho mine\n"


@pytest.mark.parametrize("where", ["tools/hooks", "{home}/shared"])
def test_core_hooks_path_is_honoured(clone: Clone, where: str) -> None:
    path = where.format(home=clone.home)
    clone.git("config", "core.hooksPath", path)
    install(clone)
    assert not hook(clone).exists()
    assert (clone.root / path / "pre-commit").exists()
    clone.write(HAND, f"{SECRET}\n")
    clone.add(HAND)
    assert commit(clone).returncode == 1
    assert f"core.hooksPath: {path}" in clone.tool("hooks", "status").stdout


def test_beside_husky_our_lines_go_into_the_file_that_people_edit(clone: Clone) -> None:
    wrapper = '#!/usr/bin/env sh\nsh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"\n'
    clone.write(".husky/_/pre-commit", wrapper).chmod(0o755)
    clone.write(".husky/_/.gitignore", "*\n")
    clone.write(".husky/pre-commit", "#!/bin/sh\necho tests >> ran.txt\n").chmod(0o755)
    clone.commit()
    clone.git("config", "core.hooksPath", ".husky/_")
    install(clone)
    assert (clone.root / ".husky/_/pre-commit").read_text() == wrapper
    assert "aiwg-memory" in (clone.root / ".husky/pre-commit").read_text()
    assert clone.git("diff", "--cached", "--name-only").stdout == ""
    clone.write(HAND, f"{SECRET}\n")
    clone.add(HAND)
    assert commit(clone).returncode == 1
    clone.write(HAND, "Lunch is at noon.\n")
    clone.add(HAND)
    assert commit(clone).returncode == 0
    assert (clone.root / "ran.txt").exists()
    assert clone.tool("hooks", "uninstall").returncode == 0
    assert (clone.root / ".husky/pre-commit").read_text() == "#!/bin/sh\necho tests >> ran.txt\n"
    assert (clone.root / ".husky/_/pre-commit").read_text() == wrapper


def test_in_a_linked_worktree_the_one_hook_serves_all(clone: Clone) -> None:
    clone.git("worktree", "add", "-q", "../second", "-b", "second")
    second = Clone(clone.root.parent / "second", init=False)
    install(second)
    assert hook(clone).exists()
    for each in (clone, second):
        each.write(HAND, f"{SECRET}\n")
        each.add()
        assert commit(each).returncode == 1
    assert second.tool("hooks", "uninstall").returncode == 0
    assert not hook(clone).exists()


def test_a_workspace_further_down_with_a_name_for_a_shell_to_trip_over(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "desk")
    name = "it's $(touch oops) [x]"
    clone.write(f"{name}/.aiwg/config.yaml", "workspace: ws_0123456789abcdef\n")
    clone.commit()
    done = clone.tool("-C", name, "hooks", "install")
    assert done.returncode == 0, done.stderr
    clone.write(HAND, f"{SECRET}\n")
    clone.add()
    assert commit(clone).returncode == 0
    clone.write(f"{name}/{HAND}", f"{SECRET}\n")
    clone.add()
    assert commit(clone).returncode == 1
    assert not (clone.root / "oops").exists()


def test_when_the_tool_is_gone_a_commit_passes_with_one_line(clone: Clone) -> None:
    install(clone)
    text = hook(clone).read_text()
    line = next(line for line in text.splitlines() if line.strip().startswith("aiwg_memory=/"))
    hook(clone).write_text(text.replace(line, "    aiwg_memory=/nowhere/aiwg-memory"))
    clone.write(HAND, f"{SECRET}\n")
    clone.add()
    done = commit(clone, PATH="/usr/local/bin:/usr/bin:/bin")
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if "aiwg" in line] == [
        "aiwg-memory is not installed here: what is staged of .aiwg was not checked"
    ]


def test_a_commit_of_named_files_and_one_of_everything_are_judged_by_what_they_hold(clone: Clone) -> None:
    clone.write(HAND, "Lunch is at noon.\n")
    clone.write("notes.txt", "one\n")
    clone.commit()
    install(clone)
    clone.write(HAND, f"{SECRET}\n")
    clone.write("notes.txt", "two\n")
    assert clone.git("commit", "-q", "-m", "notes", "notes.txt", ok=False).returncode == 0
    assert clone.git("commit", "-q", "-a", "-m", "all", ok=False).returncode == 1


def test_status_says_what_is_there(clone: Clone) -> None:
    assert "not installed" in clone.tool("hooks", "status").stdout
    install(clone)
    assert "pre-commit hook: installed\n" in clone.tool("hooks", "status").stdout
    hook(clone).write_text(hook(clone).read_text().replace("--staged", "--staged --strict"))
    assert "install renews it" in clone.tool("hooks", "status").stdout
    hook(clone).chmod(0o644)
    assert "not executable" in clone.tool("hooks", "status").stdout


def test_a_bare_repository_has_nobody_who_commits(clone: Clone) -> None:
    bare = clone.root.parent / "bare.git"
    clone.git("clone", "-q", "--bare", str(clone.root), str(bare))
    there = Clone(bare, init=False)
    done = there.tool("hooks", "install")
    assert (done.returncode, "pre-receive" in done.stderr) == (2, True)
