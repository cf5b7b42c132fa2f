"""What is withdrawn goes from the generated blocks in the same plan: nothing an agent loads waits for a refresh."""

from __future__ import annotations

from pathlib import Path

import pytest
from person import Person

RULE = "Deploy only with the blue key."
OTHER = "Ask before you push."


class Signed(Person):
    """Two facts that are always delivered, in the blocks of two agents; ``fact`` rests on a file that was ingested."""

    def __init__(self, base: Path) -> None:
        super().__init__(base)
        self.write("AGENTS.md", "# Mine\n\nUse tabs.\n")
        self.write("docs/keys.md", "The blue key deploys.\n")
        self.raw = self.do("ingest", "docs/keys.md")["subjects"][0]
        (self.fact,) = self.do("add", "--delivery", "always", RULE, "--source", "docs/keys.md")["subjects"]
        self.do("add", "--delivery", "always", OTHER)
        self.do("adapters", "refresh", "agents", "claude", "--always")
        self.environment["AIWG_MEMORY_NOW"] = "2026-02-01T08:00:00Z"

    def shown(self, name: str = "AGENTS.md") -> str:
        return (self.root / name).read_text()


@pytest.fixture
def signed(tmp_path: Path) -> Signed:
    return Signed(tmp_path)


def test_a_revoked_source_goes_from_the_blocks_with_what_rests_on_it(signed: Signed) -> None:
    told = signed.json("lineage", "revoke", "docs/keys.md", "--action", "revoke", kind="preview_data.v1")["data"]
    assert f"-- `{signed.fact}` {RULE}" in told["diff"]
    notes = {one["subject"]: one["message"] for one in told["conflicts"]}
    assert signed.fact in notes["AGENTS.md"]
    signed.json("confirm", told["operation_id"])
    for name in ("AGENTS.md", "CLAUDE.md"):
        assert RULE not in signed.shown(name)
        assert OTHER in signed.shown(name)
    assert signed.shown().startswith("# Mine\n\nUse tabs.\n")
    assert signed.run("adapters", "check").status == 0


COMMANDS = [
    ("facts", "revoke", "{fact}"),
    ("facts", "remove", "{fact}"),
    ("facts", "archive", "{fact}"),
    ("facts", "reject", "{fact}"),
    ("facts", "supersede", "{fact}", "Deploy with the red key."),
    ("forget", "{fact}"),
    ("raw", "revoke", "{raw}"),
    ("lineage", "revoke", "{raw}", "--action", "retain"),
    ("lineage", "revoke", "{raw}", "--action", "origin-unavailable"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=[" ".join(words) for words in COMMANDS])
def test_whatever_ends_a_fact_takes_its_line_out(signed: Signed, words: tuple[str, ...]) -> None:
    signed.do(*(word.format(fact=signed.fact, raw=signed.raw) for word in words))
    for name in ("AGENTS.md", "CLAUDE.md"):
        assert signed.fact not in signed.shown(name)
        assert OTHER in signed.shown(name)
    # What comes in another's place is shown from the next refresh on.
    assert signed.run("adapters", "check").status == ("supersede" in words)


def test_a_key_and_a_page_that_end_go_too_and_the_last_line_says_nothing_yet(signed: Signed) -> None:
    signed.do("canon", "init")
    signed.do("canon", "set", "operating-rule/push", "Never force.", "--delivery", "always")
    page = b"---\ndelivery: always\n---\n\n# Naming\n\nNames are short.\n"
    signed.do("wiki", "add", "naming.md", stdin=page)
    signed.do("adapters", "refresh")
    assert "Never force." in signed.shown()
    assert "Names are short." in signed.shown()
    signed.environment["AIWG_MEMORY_NOW"] = "2026-02-02T08:00:00Z"
    signed.do("canon", "revoke", "operating-rule/push")
    assert "Never force." not in signed.shown()
    signed.do("wiki", "revoke", "wiki:naming.md")
    assert "Names are short." not in signed.shown()
    handles = [one["handle"] for one in signed.json("facts", "list")["data"]["facts"]]
    signed.do("facts", "revoke", *handles)
    assert "- nothing yet" in signed.shown()
    assert signed.run("adapters", "check").status == 0


def test_other_plans_leave_the_blocks_alone(signed: Signed) -> None:
    before = signed.shown()
    for words in (("add", "Run the tests."), ("facts", "confirm", signed.fact), ("ingest", "AGENTS.md")):
        assert "CLAUDE.md" not in str(signed.json(*words)["data"]["changes"])
    assert signed.shown() == before


def test_undone_it_stands_there_again_unless_the_file_was_edited_since(signed: Signed) -> None:
    before = signed.shown()
    receipt = signed.do("lineage", "revoke", "docs/keys.md", "--action", "revoke")
    with (signed.root / "CLAUDE.md").open("a") as file:
        file.write("More of mine.\n")
    signed.environment["AIWG_MEMORY_NOW"] = "2026-02-02T08:00:00Z"
    told = signed.json("undo", receipt["seg"], kind="preview_data.v1")["data"]
    assert {"CLAUDE.md"} == {one["subject"] for one in told["conflicts"] if "was changed since" in one["message"]}
    signed.json("confirm", told["operation_id"])
    assert signed.shown() == before
    assert RULE not in signed.shown("CLAUDE.md")
    assert signed.shown("CLAUDE.md").endswith("More of mine.\n")
    assert signed.run("adapters", "check").status == 1


def test_an_edited_block_and_a_link_stay_and_the_preview_says_what_to_type(signed: Signed) -> None:
    path = signed.root / "AGENTS.md"
    path.write_text(path.read_text().replace("an order", "AN ORDER"))
    kept = path.read_text()
    (signed.root / "GEMINI.md").symlink_to("AGENTS.md")
    told = signed.json("facts", "revoke", signed.fact, kind="preview_data.v1")["data"]
    notes = {one["subject"]: one["message"] for one in told["conflicts"]}
    assert signed.fact in notes["AGENTS.md"]
    assert "adapters refresh --acknowledge agents" in notes["AGENTS.md"]
    assert "link" in notes["GEMINI.md"]
    signed.json("confirm", told["operation_id"])
    assert path.read_text() == kept
    assert RULE not in signed.shown("CLAUDE.md")
    signed.write(".aiwg/instructions.ignore", "./GEMINI.md\n")
    told = signed.json("facts", "list")["data"]["facts"]
    notes = signed.json("facts", "remove", told[0]["handle"])["data"]["conflicts"]
    assert "GEMINI.md" not in {one["subject"] for one in notes}


def test_what_is_written_around_the_block_after_the_preview_makes_it_stale(signed: Signed) -> None:
    operation = signed.preview("facts", "revoke", signed.fact)
    with (signed.root / "AGENTS.md").open("a") as file:
        file.write("More of mine.\n")
    error = signed.json("confirm", operation, status=3)["error"]
    assert error["code"] == "stale-preview"
    assert "AGENTS.md" in {one["path"] for one in error["findings"]}
    assert RULE in signed.shown()
    signed.do("facts", "revoke", signed.fact)
    assert RULE not in signed.shown()
    assert signed.shown().endswith("More of mine.\n")


def test_the_gate_accounts_for_the_block_by_the_same_receipt(signed: Signed) -> None:
    config = signed.root / ".aiwg/config.yaml"
    config.write_text(config.read_text() + "receipts: required\n")
    signed.git("add", "-A")
    signed.git("commit", "-qm", "before")
    signed.do("facts", "revoke", signed.fact)
    signed.git("add", "-A")
    signed.git("commit", "-qm", "after")
    assert signed.run("check", "--range", "HEAD~1..HEAD").status == 0


def test_a_forgetting_says_which_commits_keep_the_line(signed: Signed) -> None:
    signed.git("add", "-A")
    signed.git("commit", "-q", "-m", "Set up")
    signed.write("AGENTS.md", signed.shown().replace("Use tabs.", "Use spaces."))
    signed.git("commit", "-q", "-a", "-m", "Say something else")
    first = signed.git("rev-list", "--all", "--reverse").split()[0]
    told = signed.run("forget", signed.fact).out
    assert f"git keeps {signed.fact}: 1 commit with it in a block of an agent's file, the first {first[:12]}" in told


EDITS = {
    "another bullet": lambda data: data.replace(b"- `lm", b"* `lm"),
    "another heading": lambda data: data.replace(b"Known and always to be kept in mind", b"Always"),
    "indented": lambda data: data.replace(b"- `lm", b"   - `lm"),
    "two blocks": lambda data: data + data,
    "an end that is gone": lambda data: data.replace(b"<!-- aiwg-memory:end -->", b""),
    "no text": lambda data: data + b"\xff",
    "utf-16": lambda data: data.decode().encode("utf-16"),
    "too large": lambda data: data + b"x" * (4 << 20),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_what_cannot_be_taken_out_is_never_left_without_a_word(signed: Signed, name: str) -> None:
    path = signed.root / "AGENTS.md"
    path.write_bytes(EDITS[name](path.read_bytes()))
    kept = path.read_bytes()
    for words in (("facts", "revoke", signed.fact), ("raw", "revoke", signed.raw)):
        told = signed.json(*words)["data"]
        assert "AGENTS.md" in {one["subject"] for one in told["conflicts"]}
        assert "AGENTS.md" not in {one["path"] for one in told["changes"]}
    signed.json("confirm", told["operation_id"])
    assert path.read_bytes() == kept


def test_what_stands_outside_the_block_stays_and_is_named(signed: Signed) -> None:
    path = signed.root / "AGENTS.md"
    path.write_bytes(f"- `{signed.fact}` is ours\n".encode() + path.read_bytes())
    told = signed.do("facts", "revoke", signed.fact)
    assert path.read_text().startswith(f"- `{signed.fact}` is ours\n# Mine\n")
    assert RULE not in signed.shown()
    assert "AGENTS.md" in {one["path"] for one in told["changes"]}


def test_a_page_with_a_mark_in_its_name_goes_too(signed: Signed) -> None:
    signed.do("wiki", "add", "x` y.md", stdin=b"---\ndelivery: always\n---\n\n# Naming\n\nNames are short.\n")
    signed.do("adapters", "refresh")
    assert "Names are short." in signed.shown()
    signed.do("wiki", "revoke", "wiki:x` y.md")
    assert "Names are short." not in signed.shown()
    assert OTHER in signed.shown()


def test_a_link_is_named_where_the_source_of_a_fact_goes(signed: Signed) -> None:
    (signed.root / "GEMINI.md").symlink_to("AGENTS.md")
    notes = signed.json("raw", "revoke", signed.raw)["data"]["conflicts"]
    assert "GEMINI.md" in {one["subject"] for one in notes}
