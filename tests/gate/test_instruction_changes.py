"""What a commit does to instruction files is said before it is made, from what is staged, at the file it is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from clone import Clone

TEXT = "Run the tests.\n"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path / "desk")
    made.write("AGENTS.md", TEXT)
    made.write("api/AGENTS.md", TEXT)
    made.write("api/CLAUDE.md", "See @AGENTS.md\n")
    made.do("instructions", "pin", "api")
    made.commit()
    return made


def rules(clone: Clone, *words: str) -> set[tuple[str, str, str]]:
    found = clone.check(*(words or ("--staged",)))
    return {(one["path"].partition("/0001-")[0], one["rule"], one["severity"]) for one in found}


def staged(clone: Clone, **files: str) -> set[tuple[str, str, str]]:
    for name, text in files.items():
        clone.write(name, text)
    clone.add()
    return rules(clone)


def pin(clone: Clone) -> str:
    (folder,) = (path for path in (clone.root / ".aiwg/pins").iterdir() if path.name != "objects")
    return f".aiwg/pins/{folder.name}"


def test_a_file_of_no_pin_says_nothing_and_one_of_a_pins_chain_says_the_drift(clone: Clone) -> None:
    assert staged(clone, **{"docs/AGENTS.md": TEXT}) == set()
    assert staged(clone, **{"AGENTS.md": "Else.\n"}) == {(pin(clone), "pin-stale", "error")}


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("web/CLAUDE.md", "See @gone/style.md\n", "import-broken"),
        ("web/GEMINI.md", "See @~/style.md\n", "import-outside"),
        ("web/.aiwg/rules/style.md", "---\npaths: x\n---\nTabs.\n", "rule-front-matter"),
        ("web/.claude/rules/style.md", "---\nglobs: x\n---\nTabs.\n", "rule-front-matter"),
        (".github/instructions/x.instructions.md", "---\nfiles: x\n---\nTabs.\n", "rule-front-matter"),
        ("web/agents.md", TEXT, "near-miss-name"),
        ("web/AGENTS.md", "x" * 33_000, "agent-overflow"),
        ("web/AGENTS.md", "x" * 66_000, "source-too-large"),
        ("web/.claude/CLAUDE.md", "a\0b\n", "nul-byte"),
    ],
)
def test_what_is_wrong_with_a_touched_file_is_a_warning_wherever_it_lies(
    clone: Clone, path: str, text: str, rule: str
) -> None:
    assert (path, rule, "warning") in staged(clone, **{path: text})
    clone.commit()
    assert (path, rule, "warning") in rules(clone, "--range", "HEAD~1..HEAD")


TOKEN = "token: ghp_" + "a8Jk2LmQ9xR4tYw6Zb1Nc3Vd5Ef7Gh0Pq2Rs"


@pytest.mark.parametrize(
    "path", ["web/AGENTS.md", "web/GEMINI.md", ".github/copilot-instructions.md", "web/.aiwg/rules/style.md"]
)
def test_a_secret_is_an_error_where_it_is_added_and_a_warning_where_it_was(clone: Clone, path: str) -> None:
    clone.write(path, f"{TEXT}{TOKEN}  # aiwg: allow github-token an example\n")
    clone.commit()
    assert rules(clone, "--range", "HEAD~1..HEAD") - {(path, "secret-github-token", "note")} == set()
    added = {(path, "secret-github-token", "error")}
    assert staged(clone, **{path: f"{TEXT}{TOKEN}\n"}) == added
    clone.commit()
    assert rules(clone, "--range", "HEAD~1..HEAD") == added
    assert staged(clone, **{path: f"Else.\n{TOKEN}\n"}) <= {(path, "secret-github-token", "warning")}


def test_a_link_in_the_place_of_a_file_is_an_error_at_the_root(clone: Clone) -> None:
    (clone.root / "CLAUDE.md").symlink_to("AGENTS.md")
    clone.add()
    assert ("CLAUDE.md", "symlink", "error") in rules(clone)


def test_what_a_longer_root_file_pushes_out_is_said_of_the_file_that_is_cut(clone: Clone) -> None:
    clone.write("web/AGENTS.md", "y" * 20_000)
    clone.commit()
    assert ("web/AGENTS.md", "agent-overflow", "warning") in staged(clone, **{"AGENTS.md": "x" * 20_000})


def test_overflow_is_an_error_where_the_settings_say_so(clone: Clone) -> None:
    settings = (clone.root / ".aiwg/config.yaml").read_text()
    clone.write(".aiwg/config.yaml", f"{settings}instructions:\n  agent_overflow: error\n")
    clone.commit()
    assert ("web/AGENTS.md", "agent-overflow", "error") in staged(clone, **{"web/AGENTS.md": "x" * 33_000})


def test_removing_a_file_or_a_pin_is_said(clone: Clone) -> None:
    (clone.root / "api/AGENTS.md").unlink()
    clone.add()
    assert rules(clone) == {(pin(clone), "pin-stale", "error"), ("api/CLAUDE.md", "import-broken", "warning")}
    folder = pin(clone)
    clone.git("rm", "-rq", folder)
    assert (folder, "pin-history", "error") in rules(clone)


def test_tightened_limits_concern_every_pin(clone: Clone) -> None:
    settings = (clone.root / ".aiwg/config.yaml").read_text()
    found = staged(clone, **{".aiwg/config.yaml": f"{settings}instructions:\n  limits: {{sources: 2}}\n"})
    assert {(pin(clone), "pin-stale", "error"), (".", "too-many-sources", "error")} <= found


def test_a_name_that_no_path_may_have_is_said_where_it_refuses_a_target(clone: Clone) -> None:
    found = staged(clone, **{"api/.aiwg/rules/a\nb.md": TEXT, "web/.aiwg/rules/c\n/d.md": TEXT})
    assert {(path, severity) for path, rule, severity in found if rule == "bad-name"} == {
        ("api/.aiwg/rules/a\\nb.md", "error"),
        ("web/.aiwg/rules/c\\n", "warning"),
    }
    assert (pin(clone), "pin-stale", "error") in found
    clone.commit()
    assert rules(clone, "--range", "HEAD~1..HEAD") == found


def test_what_was_wrong_before_is_left_out_on_request(clone: Clone) -> None:
    clone.write("web/CLAUDE.md", "See @gone/style.md\n")
    clone.commit()
    clone.write("web/CLAUDE.md", "See @gone/style.md\nAnd @gone/other.md\n")
    clone.add()
    messages = [one["message"] for one in clone.check("--staged", "--new-only")]
    assert messages == ["@gone/other.md is not there"]
