"""What a file says is what is there, with or without a record."""

from __future__ import annotations

import pytest
from desk_of import ADA, Facts, file_of, handle

from aiwg_memory.addons import load, resolve
from aiwg_memory.addons.line_memory import ADDON
from aiwg_memory.addons.line_memory.checking import check
from aiwg_memory.addons.line_memory.reading import item, parse
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import UsageError

LINES = RepoPath(".aiwg/memory/line-memory.txt")


def test_every_function_the_addon_names_is_there() -> None:
    assert load(["line-memory"]) == (ADDON,)
    named = [ADDON.parse, ADDON.item, ADDON.check, ADDON.status, ADDON.dependents, ADDON.undo, *ADDON.plans.values()]
    assert all(callable(resolve(name)) for name in named)


def test_hand_typed_lines_are_facts_and_comments_and_blank_lines_are_not() -> None:
    data = "# how to read this\n\n  first   fact \n测试数据库每晚重建。\n#not one\nC# is used\n".encode()
    fragment = parse(LINES, data)
    assert [(unit.text, unit.first, unit.last) for unit in fragment.units] == [
        ("first fact", 3, 3),
        ("测试数据库每晚重建。", 4, 4),
        ("C# is used", 6, 6),
    ]
    assert not fragment.findings
    for unit in fragment.units:
        fact = item(unit, None)
        assert fact is not None
        assert (fact.review, fact.provenance, fact.unrecorded, fact.trust) == ("pending", "external", True, 1)
        assert fact.locator == fact.handle == handle(fact.text)
        assert fact.digest == digest(fact.text.encode())


def test_a_line_that_is_no_fact_or_stands_twice_is_named_and_the_rest_is_read() -> None:
    fragment = parse(LINES, b"one\na\x00b\none\r\ntwo")
    assert [unit.text for unit in fragment.units] == ["one", "two"]
    assert [(found.line, found.rule) for found in fragment.findings] == [(2, "fact-text"), (3, "fact-duplicate")]
    assert parse(LINES, b"one\n\xff\n").findings[0].line == 2


@pytest.mark.parametrize(
    ("name", "data", "rule", "units"),
    [
        ("notes.md", b"x\n", "fact-file-name", 0),
        ("ABCDEF0123456789.txt", b"x\n", "fact-file-name", 0),
        ("sub/0123456789abcdef.txt", b"x\n", "fact-file-name", 0),
        ("0123456789abcdef.txt", b"\n", "fact-text", 0),
        ("0123456789abcdef.txt", b"\xff", "fact-text", 0),
        ("0123456789abcdef.txt", b"edited\n", "fact-edited", 1),
        (handle("one two")[3:] + ".txt", b"one  two\n", "fact-not-normalised", 1),
        (handle("one two")[3:] + ".txt", b"one two", "fact-not-normalised", 1),
        (handle("one two")[3:] + ".txt", b"one\r\ntwo\r\n", "fact-not-normalised", 1),
    ],
)
def test_a_fact_file_that_is_not_as_written_is_reported_and_read_as_far_as_it_can_be(
    name: str, data: bytes, rule: str, units: int
) -> None:
    fragment = parse(RepoPath(f".aiwg/memory/facts/{name}"), data)
    assert [found.rule for found in fragment.findings] == [rule]
    assert len(fragment.units) == units


def test_a_recorded_fact_has_the_dimensions_of_its_record() -> None:
    facts = Facts()
    facts.do(
        "add", texts=["Release from main"], provenance="operator", kind="decision", scope="path:src", delivery="always",
        epoch="v2", expires_at="2027-01-01", sources=[{"ref": "docs/release.md", "span": "L3-L9"}],
    )  # fmt: skip
    unit = facts.store.units[handle("Release from main")][0]
    fact = item(unit, facts.now("Release from main"))
    assert fact is not None
    assert (fact.kind, fact.scope, fact.delivery, fact.review, fact.epoch) == (
        "decision", "path:src", "always", "confirmed", "v2",
    )  # fmt: skip
    assert (fact.trust, fact.lifecycle, fact.unrecorded) == (3, "active", False)
    assert fact.expires_at == "2027-01-01T00:00:00Z"
    assert fact.sources == ({"ref": "docs/release.md", "digest": None, "span": "L3-L9"},)
    assert facts.now("Release from main").text("reviewer") == ADA


@pytest.mark.parametrize(
    ("kind", "lifecycle"),
    [("archive", "archived"), ("revoke", "revoked"), ("expire", "expired"), ("remove", None)],
)
def test_a_text_whose_fact_is_history_is_history(kind: str, lifecycle: str | None) -> None:
    facts = Facts()
    facts.do("add", texts=["one"])
    facts.decide(kind, "one")
    unit = parse(RepoPath(file_of("one")), b"one\n").units[0]
    fact = item(unit, facts.now("one"))
    assert (fact.lifecycle if fact else None) == lifecycle


def test_records_are_held_to_their_schema_and_handles_to_their_texts() -> None:
    facts = Facts()
    plan = facts.do("add", texts=["one"])
    (path,) = [change.path for change in plan.changes if change.path.endswith(".jsonl")]
    data = facts.files[path]
    assert data is not None
    assert len(parse(path, data).versions) == 1
    for old, new in ((b'"kind":"fact"', b'"kind":"rumour"'), (b'"scope":"global"', b'"scope":"galaxy"')):
        (found,) = parse(path, data.replace(old, new)).findings
        assert (found.rule, found.line) == ("broken-record", 1)
    (found,) = parse(path, data.replace(b'"handle":"lm_', b'"handle":"lm_0')[:-1] + b"\n").findings
    assert found.rule == "broken-record"


def test_a_record_does_not_speak_for_another_text_with_the_same_handle() -> None:
    facts = Facts()
    facts.do("add", texts=["one"], provenance="operator")
    now = facts.now("one")
    (path,) = [path for path in facts.files if path.endswith(".jsonl")]
    other = now.text("digest")[:23] + "0" * 48
    facts.files[path] = (facts.files[path] or b"").replace(now.text("digest").encode(), other.encode())
    unit = facts.store.units[handle("one")][0]
    fact = item(unit, facts.now("one"))
    assert fact is not None
    assert (fact.review, fact.unrecorded) == ("pending", True)
    assert [found.rule for found in check(facts.tree, None)] == ["fact-digest"]
    with pytest.raises(UsageError, match="handle of another text"):
        facts.plan("add", texts=["one"])
