"""``init`` where repositories really are: new and old, other tools' files, worktrees, submodules, outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from person import Person


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path, init=False)


def ready(person: Person, where: Path) -> None:
    done = person.run("add", "Builds run on Linux.", cwd=where)
    assert done.status == 0, done


def test_a_new_repository_is_set_up_and_says_where(ada: Person) -> None:
    preview = ada.run("init")
    assert preview.status == 0
    assert f"in {ada.root}" in preview.out
    assert not (ada.root / ".aiwg/config.yaml").exists()
    ada.do("init")
    ready(ada, ada.root)
    assert ada.run("check", "--strict").status == 0
    assert ada.git("status", "--porcelain", "-uall").count(".local") == 0


def test_repeating_it_changes_nothing_and_keeps_the_identity(ada: Person) -> None:
    ada.do("init")
    before = ada.files()
    value = ada.json("init")
    assert value["status"] == "ok"
    assert value["data"]["changes"] == []
    assert ada.files() == before


def test_what_a_person_wrote_there_is_added_to_and_never_overwritten(ada: Person) -> None:
    ada.write(".aiwg/.gitignore", "mine/\n")
    ada.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\n# mine\nreceipts: required\n")
    ada.do("init")
    assert (ada.root / ".aiwg/.gitignore").read_text().startswith("mine/\n.local/\n")
    assert (ada.root / ".aiwg/config.yaml").read_text().endswith("# mine\nreceipts: required\n")


def test_a_config_without_an_identity_is_told_and_not_overwritten(ada: Person) -> None:
    ada.write(".aiwg/config.yaml", "receipts: required\n")
    value = ada.run("init")
    assert (ada.root / ".aiwg/config.yaml").read_text() == "receipts: required\n"
    assert value.status in (0, 2)
    assert "workspace" in value.out + value.err


def test_a_linked_claude_file_gets_a_line_that_says_it_is_known(ada: Person) -> None:
    ada.write("AGENTS.md", "Be kind.\n")
    (ada.root / "CLAUDE.md").symlink_to("AGENTS.md")
    done = ada.run("init")
    assert "+./CLAUDE.md" in done.out
    assert "never followed" in done.out
    assert "no other instructions" not in done.out
    ada.do("init")
    assert (ada.root / ".aiwg/instructions.ignore").read_text() == "./CLAUDE.md\n"
    assert (ada.root / "CLAUDE.md").is_symlink()


def test_a_link_that_is_the_only_text_at_the_root_is_explained(ada: Person) -> None:
    ada.write("docs/agents.md", "Be kind.\n")
    (ada.root / "CLAUDE.md").symlink_to("docs/agents.md")
    assert "is not read here until AGENTS.md is a file of its own" in ada.run("init").out


def test_other_tools_memory_is_named_with_what_can_be_done(ada: Person) -> None:
    ada.write(".aiwg/memory/line-memory.txt", "The staging cluster is called heron.\n")
    ada.write(".serena/memories/build.md", "# Build\n")
    ada.write("memory-bank/projectbrief.md", "# Brief\n")
    ada.write("GEMINI.md", "Be kind.\n")
    before = ada.files()
    done = ada.run("init")
    for text in ("line-memory.txt", "facts adopt", ".serena/memories", "import markdown", "memory-bank", "GEMINI.md"):
        assert text in done.out
    ada.do("init")
    after = ada.files()
    assert {name: after[name] for name in before} == before
    ada.do("facts", "adopt")
    assert ada.json("facts", "list")["data"]["facts"][0]["version"] == 1


def test_a_repository_without_commits_and_one_with_some(ada: Person) -> None:
    receipt = ada.do("init")
    assert receipt["git_head"] is None
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")
    assert len(ada.do("add", "Builds run on Linux.")["git_head"]) == 40


def test_a_worktree_is_a_workspace_of_its_own(ada: Person, tmp_path: Path) -> None:
    ada.do("init")
    ada.git("add", "-A")
    ada.git("commit", "-q", "-m", "one")
    other = tmp_path / "other"
    ada.git("worktree", "add", "-q", str(other))
    assert (other / ".git").is_file()
    ready(ada, other)
    operation = ada.json("previews", cwd=other)["data"]["previews"][0]["operation_id"]
    assert ada.run("confirm", operation).status == 2
    assert ada.run("confirm", operation, cwd=other).status == 0
    assert ada.json("facts", "list")["data"]["total"] == 0


def test_a_submodule_has_its_own_memory(ada: Person, tmp_path: Path) -> None:
    inner = Person(tmp_path / "inner", init=False)
    inner.write("readme.md", "Inner\n")
    inner.git("add", "-A")
    inner.git("commit", "-q", "-m", "one")
    ada.git("submodule", "add", "-q", str(inner.root), "library")
    where = ada.root / "library"
    assert (where / ".git").is_file()
    ada.git("config", "user.name", "Ada Lovelace", cwd=where)
    ada.git("config", "user.email", "ada@example.org", cwd=where)
    operation = ada.json("init", cwd=where)["data"]["operation_id"]
    assert ada.run("confirm", operation, cwd=where).status == 0
    assert (where / ".aiwg/config.yaml").is_file()
    assert not (ada.root / ".aiwg/config.yaml").exists()


def test_a_sub_directory_sets_up_its_repository(ada: Person) -> None:
    where = ada.root / "src" / "deep"
    where.mkdir(parents=True)
    done = ada.run("init", cwd=where)
    assert f"in {ada.root}\n" in done.out
    operation = ada.json("init", cwd=where)["data"]["operation_id"]
    assert ada.run("confirm", operation, cwd=where).status == 0
    assert (ada.root / ".aiwg/config.yaml").is_file()
    ready(ada, where)


def test_outside_git_it_warns_and_works_with_a_named_reviewer_or_ones_global_identity(tmp_path: Path) -> None:
    ada = Person(tmp_path, git=False, init=False)
    nameless = ada.run("init")
    assert nameless.status == 2
    assert "--reviewer" in nameless.err
    named = ada.run("init", "--reviewer", "Ada Lovelace <ada@example.org>")
    assert named.status == 0
    assert "is not in a git repository" in named.err
    (ada.home / ".gitconfig").write_text("[user]\nname = Ada Lovelace\nemail = ada@example.org\n")
    receipt = ada.do("init")
    assert receipt["reviewer"] == "Ada Lovelace <ada@example.org>"
    assert ada.do("add", "Builds run on Linux.")["git_head"] is None


def test_a_bare_repository_has_no_place_for_it(tmp_path: Path) -> None:
    ada = Person(tmp_path, git=False, init=False)
    ada.git("init", "-q", "--bare", ".")
    before = ada.files()
    done = ada.run("init", "--reviewer", "Ada")
    assert done.status == 2, done
    assert "bare repository" in done.err
    assert ada.files() == before


def test_a_machine_is_no_reviewer_of_the_set_up_either(ada: Person) -> None:
    assert ada.run("init", "--reviewer", "assistant").status == 4


def test_undoing_it_leaves_the_repository_as_it_was(ada: Person) -> None:
    ada.write(".gitignore", "build/\n")
    before = ada.files()
    seg = ada.do("init")["seg"]
    receipt = ada.do("undo", seg)
    left = {name for name in ada.files() if not name.startswith(".aiwg/receipts.d/")}
    assert left == set(before)
    assert receipt["kind"] == "workspace.undo"
