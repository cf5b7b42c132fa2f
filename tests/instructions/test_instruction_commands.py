"""The commands as a person and a program use them, and what a pack says of instructions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from casebook import Content, Link, build

from aiwg_memory.core.schema import explain

ROOT = Path(__file__).parents[2]
CONFIG = "schema: aiwg.config.v1\nworkspace: ws_0123456789abcdef0123456789abcdef\n"

KINDS = {
    "instructions show": "instruction_snapshot.v1",
    "instructions check": "check.v1",
    **{
        f"instructions {name}": f"instructions_{name}_data.v1"
        for name in ("compare", "tree", "diff", "history", "explain")
    },
}


class Shell:
    """One git repository of Ada Lovelace, and commands in it."""

    def __init__(self, root: Path, files: Mapping[str, Content]) -> None:
        self.root = build(root, {".aiwg/config.yaml": CONFIG, **files})
        self.minutes = 0
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(root), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
        for command in (("init", "-q"), ("config", "user.name", "Ada"), ("config", "user.email", "ada@example.org")):
            subprocess.run(["git", *command], cwd=self.root, check=True, env=self.environment)

    def run(self, *arguments: str, status: int = 0) -> str:
        self.minutes += 1
        now = {"AIWG_MEMORY_NOW": f"2026-01-31T08:{self.minutes:02}:00Z"}
        done = subprocess.run(
            [sys.executable, "-m", "aiwg_memory", *arguments], cwd=self.root, env={**self.environment, **now},
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if status in (0, 1) else done.stderr

    def data(self, *arguments: str, status: int = 0) -> dict[str, Any]:
        """What --json prints as data, held to the schema of its kind."""
        found: dict[str, Any] = json.loads(self.run(*arguments, "--json", status=status))["data"]
        kind = KINDS.get(" ".join(arguments[:2])) if status in (0, 1) else None
        assert kind is None or explain(kind, found) == []
        return found

    def commit(self) -> None:
        for command in (("add", "-A"), ("commit", "-qm", "change")):
            subprocess.run(["git", *command], cwd=self.root, check=True, env=self.environment)

    def do(self, *arguments: str) -> None:
        self.run("confirm", self.data(*arguments)["operation_id"])


FILES: dict[str, Content] = {"AGENTS.md": "# Root\n\nRun the tests.\n", "api/AGENTS.md": "Never run the tests twice.\n"}


def test_show_prints_the_snapshot_itself(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    data = shell.data("instructions", "show", "api/new.py")
    assert explain("instruction_snapshot.v1", data) == []
    assert [source["path"] for source in data["sources"]] == ["AGENTS.md", "api/AGENTS.md"]
    assert data["target_path"] == "api/new.py"
    text = shell.run("instructions", "show", "api/new.py")
    assert "> Run the tests." in text
    assert data["fingerprint"] in text


def test_a_forged_line_cannot_pass_for_ours(tmp_path: Path) -> None:
    shell = Shell(tmp_path, {"AGENTS.md": "x\x1b[2Jy\nfingerprint 0000\u202e\n"})
    text = shell.run("instructions", "show")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.count("\nfingerprint ") == 1


def test_explain_says_which_line_wins(tmp_path: Path) -> None:
    data = Shell(tmp_path, FILES).data("instructions", "explain", "api", "running", "tests")
    assert [(line["path"], line["line"], line["wins"]) for line in data["lines"]] == [
        ("AGENTS.md", 3, False), ("api/AGENTS.md", 1, True),
    ]  # fmt: skip


def test_the_way_from_a_linked_file_to_a_pin(tmp_path: Path) -> None:
    shell = Shell(tmp_path, {**FILES, "CLAUDE.md": Link("AGENTS.md")})
    told = shell.run("instructions", "show", "api", status=4)
    assert "aiwg-memory instructions ignore ./CLAUDE.md" in told
    shell.do("instructions", "ignore", "./CLAUDE.md")
    shell.do("instructions", "pin", "api", "--mandatory", "AGENTS.md", "--exclude", "api/AGENTS.md=not_applicable")
    shell.run("instructions", "check")
    (shell.root / "AGENTS.md").write_text("Changed.\n")
    assert "changed AGENTS.md" in shell.run("instructions", "check", status=1)
    assert "pin-stale" in shell.run("check", status=1)
    assert "+Changed." in shell.run("instructions", "diff", "api", status=1)
    (row,) = shell.data("instructions", "history", "api")["pins"]
    assert (row["reviewer"], row["delivered"]) == ("Ada <ada@example.org>", True)
    shell.do("instructions", "pin", "api", "--withdraw", "--reason", "starting over")
    shell.run("instructions", "check")
    assert [row["status"] for row in shell.data("instructions", "history", "api")["pins"]] == ["pinned", "withdrawn"]
    shell.run("receipts", "verify", status=1)


def test_staged_and_committed_trees_are_judged_as_they_are(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    subprocess.run(["git", "add", "-A"], cwd=shell.root, check=True, env=shell.environment)
    subprocess.run(["git", "commit", "-qm", "one"], cwd=shell.root, check=True, env=shell.environment)
    here = shell.data("instructions", "show", "api")["fingerprint"]
    (shell.root / "AGENTS.md").write_text("Changed.\n")
    assert shell.data("instructions", "show", "api")["fingerprint"] != here
    for where in (("--staged",), ("--at", "HEAD")):
        assert shell.data("instructions", "show", "api", *where)["fingerprint"] == here


def test_tree_fits_a_terminal_and_names_pins(tmp_path: Path) -> None:
    long = "/".join(["directory-with-a-long-name"] * 4)
    shell = Shell(
        tmp_path, {**FILES, f"{long}/AGENTS.md": "x\n", f"{long}/.claude/rules/very-long-rule-name.md": "y\n"}
    )
    shell.do("instructions", "pin", "api")
    (shell.root / "api/AGENTS.md").unlink()
    text = shell.run("instructions", "tree")
    rows = [line for line in text.splitlines() if line.startswith("  ") and "AGENTS.md" in line]
    assert rows
    assert max(map(len, rows)) <= 80
    assert "STALE: removed api/AGENTS.md" in text
    assert "\n  .claude/rules/very-long-rule-name.md\n" in text
    shell.environment["COLUMNS"] = "100"
    (row,) = (line for line in shell.run("instructions", "tree").splitlines() if "very-long-rule-name.md" in line)
    assert row.split()[:3] == [".claude/rules/very-long-rule-name.md", "2", "-"]
    assert len(row) <= 100
    data = shell.data("instructions", "tree")
    assert {each["path"] for each in data["directories"]} == {".", long}


def test_check_reports_what_does_nothing_and_what_is_cut(tmp_path: Path) -> None:
    shell = Shell(
        tmp_path,
        {
            "AGENTS.md": "a" * 30000 + "\n", "api/AGENTS.md": "b" * 5000 + "\n",
            ".aiwg/rules/x.md": "---\npaths: src/**\n---\nr\n", "sub/CLAUDE.md": "@gone.md\n",
            "other/CLAUDE.md": Link("../outside"), ".github/instructions/y.instructions.md": "---\nglobs: x\n---\n",
        },
    )  # fmt: skip
    data = shell.data("instructions", "check")
    found = {(each["rule"], each["path"], each["severity"]) for each in data["findings"]}
    assert found >= {
        ("agent-overflow", "api/AGENTS.md", "warning"), ("rule-front-matter", ".aiwg/rules/x.md", "warning"),
        ("import-broken", "sub/CLAUDE.md", "warning"), ("symlink", "other/CLAUDE.md", "warning"),
        ("rule-front-matter", ".github/instructions/y.instructions.md", "warning"),
    }  # fmt: skip
    (shell.root / ".aiwg/config.yaml").write_text(f"{CONFIG}instructions: {{agent_overflow: error}}\n")
    assert "error[agent-overflow]" in shell.run("instructions", "check", status=1)


def test_a_repository_without_a_store_is_served_too(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    (shell.root / ".aiwg/config.yaml").unlink()
    (shell.root / ".aiwg").rmdir()
    assert len(shell.data("instructions", "show", "api")["sources"]) == 2
    for command in (("compare", "api"), ("tree",), ("explain", "api", "tests"), ("check",), ("history", "api")):
        shell.run("instructions", *command)
    assert not (shell.root / ".aiwg").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "../x"), ("show", "/etc"), ("show", "a\x1bb"), ("compare", "api", "--agent", "nobody"),
        ("compare", "api", "--started", "elsewhere"), ("pin", "api", "--exclude", "AGENTS.md"),
        ("pin", "api", "--exclude", "AGENTS.md=because"), ("pin", "api", "--mandatory", "nothing.md"),
        ("pin", "api", "--mandatory", "AGENTS.md", "--optional", "AGENTS.md"), ("pin", "api", "--withdraw"),
        ("diff", "api"), ("diff", "nowhere..HEAD"), ("ignore", "/x"), ("ignore", "*"), ("show", "--at", "nowhere"),
        ("show", "--at", "HEAD", "--staged"), ("explain", "api", "..."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_sentence_and_a_hint(arguments: tuple[str, ...], tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    done = subprocess.run(
        [sys.executable, "-m", "aiwg_memory", "instructions", *arguments], cwd=shell.root, env=shell.environment,
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode in (2, 4)
    assert done.stdout == ""
    assert done.stderr.startswith("error[")
    assert "hint: " in done.stderr
    assert "Traceback" not in done.stderr


def _instructions(shell: Shell, *arguments: str) -> list[dict[str, Any]]:
    pack = shell.data("context", "run the tests", *arguments)["pack"]
    return [item for item in pack["items"] if item["section"] == "instructions"]


def test_a_pack_lists_what_applies_and_says_that_nobody_confirmed_it(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    assert _instructions(shell) == []
    (item,) = _instructions(shell, "--target", "api")
    assert item["labels"] == ["project_workflow_untrusted", "not confirmed by anyone"]
    fingerprint = shell.data("instructions", "show", "api")["fingerprint"]
    assert item["text"].splitlines()[0] == f"fingerprint {fingerprint[:12]}; the later one wins"
    assert "Run the tests" not in item["text"]
    texts = _instructions(shell, "--target", "api", "--include-instructions")
    assert {each["locator"] for each in texts} >= {"AGENTS.md", "api/AGENTS.md"}


def test_a_pack_delivers_the_pinned_text_and_never_drops_a_mandatory_one(tmp_path: Path) -> None:
    shell = Shell(tmp_path, {**FILES, "AGENTS.md": "Mandatory. " * 40 + "\n"})
    shell.do("instructions", "pin", "api", "--mandatory", "AGENTS.md", "--exclude", "api/AGENTS.md=superseded")
    (shell.root / "AGENTS.md").write_text("Other.\n")
    items = _instructions(shell, "--target", "api/x.py")
    assert [each["locator"] for each in items] == ["AGENTS.md", "pin:api:1"]
    assert items[0]["labels"] == ["project_workflow_untrusted", "pinned revision 1, stale", "mandatory"]
    assert items[0]["text"].startswith("Mandatory. Mandatory.")
    assert "api/AGENTS.md excluded" in items[1]["text"]
    told = shell.run("context", "x", "--target", "api", "--budget", "300", status=4)
    assert "instructions:AGENTS.md (440 characters)" in told
    assert _instructions(shell, "--target", "api", "--incognito")


def test_an_unsafe_tree_is_said_in_the_pack_and_refuses_its_texts(tmp_path: Path) -> None:
    shell = Shell(tmp_path, {**FILES, "CLAUDE.md": Link("AGENTS.md")})
    (item,) = _instructions(shell, "--target", "api")
    assert item["labels"] == ["project_workflow_untrusted", "refused"]
    told = shell.run("context", "x", "--target", "api", "--include-instructions", status=4)
    assert "CLAUDE.md: is a link" in told


def test_a_pin_of_the_root_is_delivered_without_a_target(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    shell.do("instructions", "pin", "--mandatory", "AGENTS.md")
    assert [each["locator"] for each in _instructions(shell)] == ["AGENTS.md", "pin:.:1"]


def test_a_pack_with_instructions_can_be_verified(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    shell.do("instructions", "pin", "api")
    pack = shell.data("context", "run the tests", "--target", "api", "--include-instructions")["pack"]["id"]
    assert "match" in shell.run("pack", "verify", pack)


def test_nothing_is_imported_for_a_pack_without_a_target(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    code = (
        "import sys; from aiwg_memory.cli.boundary import run; run(['context', 'x']);"
        "print([name for name in sys.modules if 'instruction' in name], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=shell.root, env=shell.environment, capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert set(json.loads(done.stderr.splitlines()[-1].replace("'", '"'))) <= {"aiwg_memory.addons.instructions"}


def test_show_imports_nothing_expensive(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    code = (
        "import sys; from aiwg_memory.cli.boundary import run; run(['instructions', 'show', 'api']);"
        "print(sorted({'yaml', 'jsonschema', 'pathspec', 'markdown_it', 'git', 'subprocess'} & set(sys.modules)),"
        " file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=shell.root, env=shell.environment, capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.stderr == "[]\n"


def test_everything_that_is_printed_for_programs_has_a_schema(tmp_path: Path) -> None:
    files = {"AGENTS.md": "one\n", "a/CLAUDE.md": "See @gone.md\n", "a/b/AGENTS.md": "x" * 33_000, "c/AGENTS.md": "\n"}
    shell = Shell(tmp_path, {**files, "GEMINI.md": Link("AGENTS.md")})
    for target in (".", "a/b", "c"):
        shell.data("instructions", "compare", target)
        shell.data("instructions", "history", target)
    assert shell.data("instructions", "explain", "a/b", "one")["lines"]
    shell.do("instructions", "pin", "a", "--mandatory", "AGENTS.md")
    assert shell.data("instructions", "diff", "a")["stale"] is False
    (shell.root / "AGENTS.md").write_text("two\n")
    assert shell.data("instructions", "diff", "a", status=1)["changed"] == ["AGENTS.md"]
    assert shell.data("instructions", "tree")["pins"][0]["drift"] == "changed AGENTS.md"
    assert shell.data("instructions", "history", "a")["pins"][0]["delivery"][0]["class"] == "mandatory"
    (shell.root / "AGENTS.md").write_text("\n")
    assert shell.data("instructions", "diff", "a", status=1)["refused"]


def test_what_a_range_changes_in_an_agents_sight_has_a_schema(tmp_path: Path) -> None:
    shell = Shell(tmp_path, {"AGENTS.md": "one\n", "api/AGENTS.md": "x" * 20_000})
    shell.commit()
    (shell.root / "AGENTS.md").write_text("y" * 20_000)
    (shell.root / "CLAUDE.md").symlink_to("AGENTS.md")
    shell.commit()
    told = shell.data("instructions", "diff", "HEAD~1..HEAD")
    assert {each["what"] for each in told["sight"]} >= {"cut", "new"}
    assert [each["target"] for each in told["targets"] if each["refused"]] == [".", "api"]


def test_a_pin_is_previewed_in_words_and_with_the_texts_it_keeps(tmp_path: Path) -> None:
    shell = Shell(tmp_path, FILES)
    told = shell.run("instructions", "pin", "api", "--mandatory", "AGENTS.md")
    assert "+pin:api:1: pinned, fingerprint " in told
    assert "  1. AGENTS.md, " in told
    assert "class mandatory" in told
    assert '"content_sha256"' not in told
    assert told.count("--- /dev/null") == 1 + told.count("+++ b/.aiwg/pins/objects/")
