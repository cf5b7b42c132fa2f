"""What a page gives to retrieval, and what the page itself says about that."""

from __future__ import annotations

import json
from typing import Any

import pytest
from wiki_samples import ADA, CATALOG, PAGE, request

from aiwg_memory.addons.llm_wiki.layout import is_page, page_path, safe_name
from aiwg_memory.addons.llm_wiki.reading import item, parse
from aiwg_memory.addons.llm_wiki.verdicts import stamped
from aiwg_memory.core.document import edit_front
from aiwg_memory.core.items import MemoryItem
from aiwg_memory.core.paths import RepoPath, part_problem
from aiwg_memory.errors import AiwgError

PATH = RepoPath(CATALOG)


def items(data: bytes, path: RepoPath = PATH) -> list[MemoryItem]:
    found = [item(unit, None) for unit in parse(path, data).units]
    assert None not in found
    return [each for each in found if each]


def only(data: bytes) -> MemoryItem:
    (found,) = items(data)
    return found


def test_a_page_without_front_matter_is_pending_and_active() -> None:
    found = only(PAGE)
    assert (found.kind, found.review, found.lifecycle, found.trust) == ("note", "pending", "active", 1)
    assert found.locator == "storage/catalog.md#L3"
    assert found.title == "Import catalog"
    assert found.heading == ""


def test_dimensions_come_from_the_front_matter() -> None:
    front = {
        "title": "T", "kind": "reference", "provenance": "operator", "scope": "path:src", "delivery": "always",
        "classification": "public", "epoch": "e1", "review_at": "2026-06-01", "expires_at": "2027-06-01",
        "sources": [{"ref": "a.md"}], "dependencies": {"state": "known", "leaves": []},
    }  # fmt: skip
    found = only(edit_front(PAGE, front))
    said = {key: getattr(found, key) for key in front if key != "sources"}
    assert said == {key: value for key, value in front.items() if key != "sources"}
    assert found.sources == ({"ref": "a.md"},)
    assert found.trust == 3


@pytest.mark.parametrize(
    ("front", "key", "read"),
    [
        ({"kind": "concept"}, "kind", "legacy"),
        ({"kind": 3}, "kind", "legacy"),
        ({"status": "archived"}, "lifecycle", "archived"),
        ({"status": "superseded"}, "lifecycle", "superseded"),
        ({"status": "revoked"}, "lifecycle", "revoked"),
        ({"status": "secret"}, "lifecycle", "revoked"),
        ({"status": None}, "lifecycle", "active"),
        ({"provenance": "god"}, "provenance", "external"),
        ({"delivery": "loud"}, "delivery", "on_demand"),
        ({"classification": "top"}, "classification", "private"),
        ({"expires_at": "soon"}, "lifecycle", "expired"),
        ({"review_at": 2026}, "lifecycle", "stale"),
        ({"epoch": 3}, "epoch", "3"),
        ({"title": 1984}, "title", "Import catalog"),
    ],
)
def test_what_nobody_knows_is_read_as_the_most_restrictive(front: dict[str, Any], key: str, read: str) -> None:
    assert getattr(only(edit_front(PAGE, front)), key) == read


def test_a_scope_nobody_understands_is_retrieved_nowhere() -> None:
    fragment = parse(PATH, edit_front(PAGE, {"scope": "galaxy"}))
    assert not fragment.units
    assert [finding.rule for finding in fragment.findings] == ["scope"]


def test_a_verdict_stands_while_the_page_is_what_it_was_given_for() -> None:
    asked = request("confirm")
    for page in (PAGE, edit_front(PAGE, {"title": "T"}), b"\xef\xbb\xbf" + PAGE.replace(b"\n", b"\r\n"), b"x"):
        confirmed = stamped(page, asked, "confirmed")
        assert only(confirmed).review == "confirmed"
        assert only(confirmed).at == asked.at
        assert only(confirmed + b"more\n").review == "pending"
        assert only(edit_front(confirmed, {"status": "archived"})).review == "pending"
        assert only(confirmed.replace(b"\n", b"\r\n").replace(b"\r\r", b"\r")).review == "confirmed"
        assert parse(PATH, stamped(page, asked, "rejected")).units == ()


@pytest.mark.parametrize(
    "reviewed",
    [
        "confirmed",
        [],
        {},
        {"verdict": "confirmed"},
        {"verdict": "maybe", "digest": "x"},
        {"verdict": "confirmed", "digest": 1},
    ],
)
def test_a_verdict_that_is_not_whole_is_none(reviewed: Any) -> None:
    assert only(edit_front(PAGE, {"reviewed": reviewed})).review == "pending"


def test_a_contradiction_marks_its_section_alone() -> None:
    data = b"# A\nclaim\n\n> [!contradiction]\n> not so\n\n# B\nother\n"
    assert [each.lifecycle for each in items(data)] == ["contradicted", "active"]
    assert {each.lifecycle for each in items(edit_front(data, {"status": "revoked"}))} == {"revoked"}


def test_handles_are_unique_and_stay_when_other_sections_come() -> None:
    one = b"# T\n## N\na\n## M\nb\n## N\nc\n"
    before = [each.handle for each in items(one)]
    after = [each.handle for each in items(one.replace(b"## M", b"## new\nx\n## M"))]
    assert len(set(before)) == 3
    assert before[2] == before[0] + "-2"
    assert set(before) < set(after)
    long = b"# T\nfirst\n\n" + b"\n\n".join(b"word " * 120 for _ in range(4)) + b"\n"
    handles = [each.handle for each in items(long)]
    assert len(set(handles)) == len(handles) > 1
    assert handles[1] == handles[0] + ".2"


def test_handles_name_their_page_whatever_it_is_called() -> None:
    for name in ("a.md", "b c.md", "c#1.md", "50%23.md", "目录/页.md", "x%.md"):
        path = RepoPath(f".aiwg/wiki/{name}")
        for data in (b"top\n", b"# A\nx\n"):
            assert page_path(items(data, path)[0].handle) == path
    for wrong in ("lm_0123456789abcdef", "wiki:raw/x.md", "wiki:index.md", "wiki:a.txt", "wiki:../a.md", "wiki:"):
        with pytest.raises(AiwgError):
            page_path(wrong)


@pytest.mark.parametrize(
    ("path", "page"),
    [
        (".aiwg/wiki/a.md", True), (".aiwg/wiki/b/index.md", True), (".aiwg/wiki/index.md", False),
        (".aiwg/wiki/raw/0123456789abcdef-a.md", False), (".aiwg/wiki/raw.d/a.md", False), (".aiwg/wiki/a.png", False),
        (".aiwg/wiki/.trash/a.md", False), (".aiwg/wiki/b/.a.md", False), ("docs/a.md", False),
        (".aiwg/wiki/rawer/a.md", True),
    ],
)  # fmt: skip
def test_which_files_are_pages(path: str, page: bool) -> None:
    assert is_page(path) is page
    assert bool(parse(RepoPath(path), PAGE).units) is page


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"---\na: &x [*x]\n---\ntext\n", "yaml-anchor"),
        (b"---\na: !!python/name:os.system\n---\ntext\n", "yaml-tag"),
        (b"---\nstatus: revoked\nstatus: active\n---\ntext\n", "yaml-duplicate-key"),
        (b"---\na: " + b"x" * 10_000_000 + b"\n---\ntext\n", "yaml-size"),
        (b"\x89PNG\0\0\0", "binary"),
        (b"caf\xe9\n", "encoding"),
        (b"a\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n", "merge-marker"),
    ],
)
def test_a_page_that_cannot_be_read_whole_gives_nothing(data: bytes, rule: str) -> None:
    fragment = parse(PATH, data)
    assert fragment.units == ()
    assert rule in {finding.rule for finding in fragment.findings}


def test_a_page_in_another_form_is_read_and_told() -> None:
    fragment = parse(PATH, b"\xef\xbb\xbf# A\r\nx")
    assert [unit.text for unit in fragment.units] == ["x"]
    assert [finding.severity for finding in fragment.findings] == ["warning"] * 3
    assert only("# 导入目录\n\n目录是一个文件。\n".encode()).title == "导入目录"
    assert only("# 导入目录\n\n目录是一个文件。\n".encode()).text == "目录是一个文件。"


def test_schema_violations_are_told_and_the_rest_is_used() -> None:
    fragment = parse(PATH, edit_front(PAGE, {"tags": [{"a": 1}], "custom": [1]}))
    assert [finding.rule for finding in fragment.findings] == ["schema"]
    assert len(fragment.units) == 1


def test_raw_records_become_versions_and_a_broken_line_spoils_no_other() -> None:
    record = {
        "schema": "aiwg.raw_record.v1", "handle": "raw_" + "0" * 16, "version": 1, "previous": None, "status": "active",
        "seg": "20260501T100000Z-0123456789ab", "at": "2026-05-01T10:00:00Z", "digest": "sha256:" + "0" * 64,
        "bytes": 1, "name": "a", "file": "0" * 16 + "-a", "source_kind": "file", "route": "ingest",
        "classification": "internal", "sources": [{"ref": "a"}], "reviewer": ADA,
    }  # fmt: skip
    data = b"<<<<<<< x\n" + json.dumps(record).encode() + b"\n{\n" + json.dumps({**record, "handle": "raw_1"}).encode()
    fragment = parse(RepoPath(".aiwg/wiki/raw.d/a.jsonl"), data)
    assert [version.handle for version in fragment.versions] == [record["handle"]]
    assert [finding.line for finding in fragment.findings] == [1, 3, 4]


@pytest.mark.parametrize(
    "name", ["a b.md", "../../etc/passwd", "con.txt", "x" * 300, "目录.md", ".", "a/b\\c:d", "e\u0301"]
)
def test_a_safe_name_is_a_legal_part_of_a_path(name: str) -> None:
    assert part_problem("0123456789abcdef-" + safe_name(name)) is None
    assert len(safe_name(name).encode()) <= 200
