"""What each agent loads, by its row of the table: every rule that is cited has an example here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from casebook import Content, Link, build
from hypothesis import given
from hypothesis import strategies as st

from aiwg_memory.core.instructions.agents import AGENTS, NAMED, level_of
from aiwg_memory.core.instructions.compare import View
from aiwg_memory.core.instructions.content import references
from aiwg_memory.core.instructions.matching import front_matter, matches
from aiwg_memory.workspace.instructions import views
from aiwg_memory.worktree.read import WorkTree

ROOT = Path(__file__).parents[2]


def _view(root: Path, files: Mapping[str, Content], agent: str, target: str = ".", started: str | None = None) -> View:
    with WorkTree(str(build(root, files))) as tree:
        (found,) = views(tree, target, (agent,), started)
    return found


def _rows(view: View) -> list[tuple[str, int, str]]:
    return [(row.path, row.seen, row.state) for row in view.rows]


def test_codex_shares_32_kib_root_first_and_cuts_bytes(tmp_path: Path) -> None:
    files = {"AGENTS.md": "a" * 20001 + "\n", "api/AGENTS.md": "é\n" * 5000, "api/v1/AGENTS.md": "late\n"}
    view = _view(tmp_path, files, "codex", "api/v1")
    assert _rows(view) == [
        ("AGENTS.md", 20002, "loaded"), ("api/AGENTS.md", 12766, "cut"), ("api/v1/AGENTS.md", 0, "dropped"),
    ]  # fmt: skip
    assert (view.total, view.lost) == (32768, 15000 - 12766 + 5)
    assert view.rows[1].note.startswith("cut after byte 12766, in line 4256, inside a character: 2234 bytes")


def test_codex_takes_the_first_file_that_exists_even_a_blank_one(tmp_path: Path) -> None:
    view = _view(tmp_path, {"AGENTS.override.md": "  \n", "AGENTS.md": "real\n", "CLAUDE.md": "c\n"}, "codex")
    assert _rows(view) == [("AGENTS.override.md", 0, "skipped")]
    assert dict(view.unseen) == {
        "AGENTS.md": "hidden by AGENTS.override.md", "AGENTS.override.md": "blank", "CLAUDE.md": "not one of its names",
    }  # fmt: skip


def test_codex_sees_nothing_below_where_it_was_started(tmp_path: Path) -> None:
    view = _view(tmp_path, {"AGENTS.md": "1\n", "api/AGENTS.md": "2\n"}, "codex", "api", started=".")
    assert _rows(view) == [("AGENTS.md", 2, "loaded")]
    assert view.unseen == (("api/AGENTS.md", "lies below the directory it was started in"),)


def test_claude_reads_agents_files_only_without_a_claude_file(tmp_path: Path) -> None:
    files = {"AGENTS.md": "1\n", "AGENTS.override.md": "never\n", "sub/AGENTS.md": "2\n"}
    assert [row.path for row in _view(tmp_path / "a", files, "claude", "sub").rows] == ["AGENTS.md", "sub/AGENTS.md"]
    more = {**files, "sub/.claude/CLAUDE.md": "c\n", "sub/CLAUDE.local.md": "mine\n"}
    view = _view(tmp_path / "b", more, "claude", "sub")
    assert [row.path for row in view.rows] == ["sub/.claude/CLAUDE.md", "sub/CLAUDE.local.md"]
    assert dict(view.unseen)["AGENTS.md"] == "not read beside sub/.claude/CLAUDE.md"
    assert dict(view.unseen)["AGENTS.override.md"] == "not one of its names"


def test_claude_follows_imports_four_hops_and_never_out(tmp_path: Path) -> None:
    files: dict[str, Content] = {f"d/{n}.md": f"@{n + 1}.md\n" for n in range(1, 6)}
    files |= {"CLAUDE.md": "@d/1.md `@d/5.md` @../outside/AGENTS.md @~/x.md @gone.md\n", "d/6.md": "end\n"}
    view = _view(tmp_path, files, "claude")
    assert [(row.path, row.state) for row in view.rows] == [
        ("CLAUDE.md", "loaded"), ("d/1.md", "loaded"), ("d/2.md", "loaded"), ("d/3.md", "loaded"),
        ("d/4.md", "loaded"), ("@../outside/AGENTS.md", "skipped"), ("@~/x.md", "skipped"), ("@gone.md", "skipped"),
    ]  # fmt: skip


def test_imports_beyond_those_that_are_counted_are_said(tmp_path: Path) -> None:
    files = {f"x/{number}.md": "y\n" for number in range(70)}
    rows = _view(tmp_path, {"CLAUDE.md": "".join(f"@{name}\n" for name in files), **files}, "claude").rows
    assert sum(row.state == "loaded" for row in rows) == 65
    assert [(row.path, row.note) for row in rows if row.state == "skipped"] == [
        ("@x/64.md", "in line 65 of CLAUDE.md: more than 64 imports are not looked at")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\n@no.md\n```\n@a.md", ["a.md"]),
        ("````\n```\n@no.md\n````\n@a.md", ["a.md"]),
        ("```md\n```sh\n@no.md\n```\n@a.md", ["a.md"]),
        ("~~~\n```\n@no.md\n~~~\n@a.md", ["a.md"]),
        ("```` `` ````\n@a.md", ["a.md"]),
        ("``x @no.md`` `@no.md` @a.md `", ["a.md"]),
        ("`` ` @no.md `` @a.md", ["a.md"]),
        ("```\n@no.md", []),
        ("`" * 60000 + " @a.md", []),
        ("` `` " * 20000 + " @a.md", ["a.md"]),
    ],
)
def test_code_imports_nothing(text: str, expected: list[str]) -> None:
    assert [name for _, name in references(text)] == expected


def test_an_import_that_leads_back_ends(tmp_path: Path) -> None:
    view = _view(tmp_path, {"CLAUDE.md": "@a.md\n", "a.md": "@CLAUDE.md\n@a.md\n"}, "claude")
    assert [(row.path, row.state) for row in view.rows] == [
        ("CLAUDE.md", "loaded"), ("a.md", "loaded"), ("@CLAUDE.md", "skipped"), ("@a.md", "skipped"),
    ]  # fmt: skip


def test_claude_rules_apply_by_path_and_bad_front_matter_applies_everywhere(tmp_path: Path) -> None:
    files = {
        "src/x.py": "pass\n", ".claude/rules/a.md": "always\n",
        ".claude/rules/b.md": '---\npaths: ["src/**/*.py"]\n---\nb\n',
        ".claude/rules/c.md": "---\npaths: docs/**\n---\n",
        ".claude/rules/d.md": "---\n[\n---\nd\n", "CLAUDE.md": "c\n",
    }  # fmt: skip
    view = _view(tmp_path, files, "claude", "src/x.py")
    assert [row.path for row in view.rows] == [
        "CLAUDE.md", ".claude/rules/a.md", ".claude/rules/b.md", ".claude/rules/d.md",
    ]  # fmt: skip
    assert view.unseen == ((".claude/rules/c.md", "its paths does not name this target"),)


def test_a_larger_file_than_4_mib_is_not_read_by_claude(tmp_path: Path) -> None:
    view = _view(tmp_path, {"CLAUDE.md": "x" * (4 * 1024 * 1024 + 1)}, "claude")
    assert _rows(view) == [("CLAUDE.md", 0, "skipped")]


def test_gemini_reads_its_own_name_without_a_limit(tmp_path: Path) -> None:
    files = {"GEMINI.md": "g" * 70000, "sub/GEMINI.md": "2\n", "AGENTS.md": "1\n"}
    view = _view(tmp_path, files, "gemini", "sub")
    assert _rows(view) == [("GEMINI.md", 70000, "loaded"), ("sub/GEMINI.md", 2, "loaded")]


def test_copilot_takes_the_nearest_agents_file_and_what_matches(tmp_path: Path) -> None:
    files = {
        "AGENTS.md": "1\n", "sub/AGENTS.md": "2\n", "sub/x.ts": "\n", "CLAUDE.md": "c\n",
        ".github/copilot-instructions.md": "all\n",
        ".github/instructions/ts.instructions.md": '---\napplyTo: "**/*.{ts,tsx}"\n---\nts\n',
        ".github/instructions/none.instructions.md": "no front matter\n",
    }  # fmt: skip
    view = _view(tmp_path, files, "copilot", "sub/x.ts")
    assert {row.path for row in view.rows} == {
        ".github/copilot-instructions.md", ".github/instructions/ts.instructions.md", "sub/AGENTS.md",
    }  # fmt: skip
    assert dict(view.unseen)["AGENTS.md"] == "a nearer one takes its place"
    assert dict(view.unseen)["CLAUDE.md"] == "not read beside AGENTS.md"


def test_links_are_named_and_never_followed_out(tmp_path: Path) -> None:
    files: dict[str, Content] = {
        "AGENTS.md": Link(".agents/base.md"),
        ".agents/base.md": "12345\n",
        "sub/AGENTS.md": Link("../../outside/AGENTS.md"),
    }
    view = _view(tmp_path, files, "codex", "sub")
    assert _rows(view) == [("AGENTS.md", 6, "loaded")]
    assert view.rows[0].note == "a link to .agents/base.md"
    assert view.unseen == (("sub/AGENTS.md", "a link out of the workspace; not looked at"),)


@pytest.mark.parametrize(
    ("front", "loaded"),
    [
        ("alwaysApply: true", True), ("globs: src/**, lib/**\nalwaysApply: false", True),
        ("alwaysApply: true\nglobs: docs/**", True), ("globs: docs/**", False), ("description: Tests", False),
        ("description: Tests\nalwaysApply: false", False),
    ],
)  # fmt: skip
def test_cursor_loads_a_rule_that_always_applies_or_names_the_target(tmp_path: Path, front: str, loaded: bool) -> None:
    rule = ".cursor/rules/style.mdc"
    files: dict[str, Content] = {
        rule: f"---\n{front}\n---\nTabs.\n", ".cursor/rules/plain.md": "no\n", "AGENTS.md": "all\n",
        "src/AGENTS.md": "near\n", "src/x.py": "\n",
    }  # fmt: skip
    view = _view(tmp_path, files, "cursor", "src/x.py")
    assert {path for path, _, _ in _rows(view)} == {"AGENTS.md", "src/AGENTS.md", *([rule] if loaded else [])}


def test_every_rule_is_cited_in_the_documentation() -> None:
    text = " ".join((ROOT / "docs/agents.md").read_text("utf-8").split())
    for agent in AGENTS:
        assert agent.title in text
        for each in agent.citations:
            assert each.rule in text, each.rule
            assert each.source in text, each.source
            assert each.date in text


def test_names_lead_to_the_directory_they_speak_for() -> None:
    assert level_of("AGENTS.md") == ""
    assert level_of("a/b/.claude/CLAUDE.md") == "a/b"
    assert level_of("a/.aiwg/rules/x/y.md") == "a"
    assert level_of(".github/instructions/x.instructions.md") == ""
    assert level_of("a/.github/instructions/x.instructions.md") is None
    assert level_of("docs/NOTAGENTS.md") is None
    assert sorted(NAMED) == ["claude", "codex", "copilot", "cursor", "gemini"]


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/*.py", "a/b/x.py", True), ("**/*.py", "x.py", True), ("*.py", "a/x.py", False),
        ("src/**", "src/a/b", True),
        ("src/**", "lib/a", False), ("src/*/x", "src/a/x", True), ("src/*/x", "src/a/b/x", False),
        ("**", "anything/at/all", True), ("{a,b}/?.md", "b/x.md", True), ("{a,b}/?.md", "c/x.md", False),
        ("./src/x", "src/x", True), ("a/**/b/**/c", "a/b/c", True), ("a/**/b/**/c", "a/x/b/y/z/c", True),
    ],
)  # fmt: skip
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


@given(st.text("a*?/", max_size=40), st.text("a/", max_size=200))
def test_a_glob_ends_whatever_it_is(pattern: str, path: str) -> None:
    matches(pattern * 20, path)


def test_a_glob_made_to_hang_matches_nothing() -> None:
    assert not matches("{a,b}" * 12, "a" * 12)
    assert not matches("*a" * 100 + "b", "a" * 5000)
    assert not matches("{" + "," * 10**6 + "}" + "x" * 10**6, "x" * 10**6)
    assert not matches("**/" * 10**6 + "x", "a/b")


def test_front_matter_is_read_as_agents_read_it() -> None:
    front = front_matter('---\n# why\napplyTo: "a/**, {b,c}/*.ts"\npaths:\n  - x\n  - "y z"\nempty:\n---\ntext\n')
    assert front is not None
    assert front.keys == {"applyTo": (3, ("a/**", "{b,c}/*.ts")), "paths": (4, ("x", "y z")), "empty": (7, ())}
    assert front_matter("text\n---\n") is None
    assert (front_matter("---\nnever: ends\n") or front).problem == "it never ends"


@pytest.mark.parametrize("flood", ["- a\n" * 10**6, "- " + "{a,b}," * 10**6, "x" * 4 * 10**6, "\n" * 4 * 10**6])
def test_a_flood_of_front_matter_is_a_problem_and_not_read_to_its_end(flood: str) -> None:
    front = front_matter(f"---\npaths:\n{flood}\n---\ntext\n")
    assert front is not None
    assert front.problem == "it does not end within 16384 characters"


def test_a_long_text_behind_front_matter_is_no_matter() -> None:
    front = front_matter("---\npaths: x\n---\n" + "text\n" * 10**5)
    assert front is not None
    assert front == ({"paths": (2, ("x",))}, "")


def test_a_pull_request_that_cuts_a_file_says_so(tmp_path: Path) -> None:
    workspace = build(tmp_path, {"AGENTS.md": "a" * 19999 + "\n", "api/AGENTS.md": "b" * 11999 + "\n"})
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.c", *arguments], cwd=workspace, check=True,
                       capture_output=True, env=environment)  # fmt: skip

    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    (workspace / "AGENTS.md").write_text("a" * 22007 + "\n")
    git("commit", "-q", "-a", "-m", "two")
    done = subprocess.run(
        [sys.executable, "-m", "aiwg_memory", "instructions", "diff", "HEAD~1..HEAD"],
        cwd=workspace, capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    assert done.stderr == ""
    assert "this removes 1240 bytes of api/AGENTS.md from Codex's sight" in done.stdout
    assert "api: changed AGENTS.md" in done.stdout
