"""What runs in other people's pipelines puts no text that a stranger can choose into a shell."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from clone import PACKAGE_ROOT, PROGRAM, Clone

ACTION = yaml.safe_load((PACKAGE_ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
GITLAB = yaml.safe_load((PACKAGE_ROOT / "docs/examples/gitlab-ci.yml").read_text("utf-8"))


def test_no_expression_stands_in_a_script() -> None:
    assert [step["name"] for step in STEPS if "${{" in step["run"]] == []


def test_python_starts_isolated_from_the_checkout() -> None:
    lines = [line for line in STEPS[0]["run"].splitlines() if "python" in line]
    assert lines
    assert all(" -I " in line for line in lines)


def test_every_variable_of_the_gitlab_job_is_quoted() -> None:
    for line in (*GITLAB["aiwg-memory"]["before_script"], *GITLAB["aiwg-memory"]["script"]):
        assert line.count("$") == sum(part.count("$") for part in line.split('"')[1::2])


def test_the_action_uses_check_and_diff_and_no_other_command() -> None:
    said = "\n".join(step["run"] for step in STEPS[1:])
    assert re.findall(r'aiwg-memory" -C "\$DIRECTORY" ([a-z]+)', said) == ["diff", "check"]
    assert said.count("bin/aiwg-memory") == 2


@pytest.mark.parametrize("branch", ["topic", "$(touch${IFS}oops)", "a;touch${IFS}oops"])
def test_the_steps_tell_and_judge_a_branch_whatever_it_is_called(tmp_path: Path, branch: str) -> None:
    clone = Clone(tmp_path / "desk")
    base = clone.commit()
    clone.git("checkout", "-q", "-b", branch)
    clone.write(".aiwg/memory/line-memory.txt", "The database password: " + "tr0ub4dor" + "-and-3\n")
    clone.commit()
    (tmp_path / "aiwg-memory/bin").mkdir(parents=True)
    (tmp_path / "aiwg-memory/bin/aiwg-memory").symlink_to(PROGRAM)
    summary = tmp_path / "summary.md"
    told, done = (
        subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=clone.root,
            env={**clone.env, "RUNNER_TEMP": str(tmp_path), "DIRECTORY": ".", "BASE": base, "HEAD": branch,
                 "NEW_ONLY": "false", "STRICT": "true", "LINK": "https://forge.example/team/desk/blob/1",
                 "GITHUB_STEP_SUMMARY": str(summary)},
            capture_output=True, text=True,
        )
        for step in STEPS[1:]
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert "1 fact added" in summary.read_text("utf-8"), summary.read_text("utf-8")
    assert "tr0ub4dor" not in summary.read_text("utf-8")
    assert done.returncode == 1, done.stderr
    assert "::error file=.aiwg/memory/line-memory.txt,line=1,title=secret-assignment::" in done.stdout
    assert not (clone.root / "oops").exists()
