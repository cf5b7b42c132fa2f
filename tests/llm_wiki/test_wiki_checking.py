"""What check and lint say about a wiki, and what they leave alone."""

from __future__ import annotations

import json

import pytest
from wiki_samples import CATALOG, PAGE, done, findings, plan, request, rules, source, target

from aiwg_memory.addons.llm_wiki.checking import check
from aiwg_memory.addons.llm_wiki.links import Names, beside, in_workspace, links, without_code
from aiwg_memory.addons.llm_wiki.sources import dependents
from aiwg_memory.addons.llm_wiki.status import status
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.document import Document, edit_front
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import MemoryTree

Files = dict[str, bytes | None]


def wiki(**named: bytes) -> Files:
    """Pages ``a`` to ``z`` that all link to each other, so that only what a test is about is told."""
    index = b"".join(b"- [" + name.encode() + b"](" + name.encode() + b".md)\n" for name in named)
    return {".aiwg/wiki/index.md": index, **{f".aiwg/wiki/{name}.md": data for name, data in named.items()}}


def test_a_sound_wiki_gives_nothing() -> None:
    assert rules(wiki(a=b"# A\nx\n", b=b"# B\nx\n")) == set()
    assert rules({}) == set()


@pytest.mark.parametrize(
    ("page", "rule"),
    [
        (b"# A\n[[Nowhere]]\n", "broken-link"),
        (b"# A\n[x](nowhere.md)\n", "broken-link"),
        (b"# A\n[x](../../../outside.md)\n", "broken-link"),
        (b"# A\n\n[x]: gone.md\n", "broken-link"),
        (b"---\nsuperseded_by: gone.md\n---\nx\n", "broken-link"),
        (b"# A\n> [!contradiction]\n> x\n", "contradiction"),
        (b"---\nsources:\n- ref: gone.md\n---\nx\n", "source-missing"),
        (b"---\nsources:\n- ref: src/x.py\n  digest: sha256:" + b"0" * 64 + b"\n---\nx\n", "source-changed"),
        (b"# B\nx\n", "duplicate-title"),
        (b"---\naliases: [x\n---\n", "yaml-syntax"),
        (b"---\nstatus: odd\n---\nx\n", "schema"),
        (b"---\nscope: odd\n---\nx\n", "scope"),
        (b"\0\1", "binary"),
        (b"\xff", "encoding"),
        (b"x\r\n", "line-ending"),
        (b"x", "final-newline"),
    ],
)
def test_one_problem_one_rule(page: bytes, rule: str) -> None:
    files = {**wiki(a=page, b=b"# B\nx\n"), "src/x.py": b"x\n"}
    assert {name for name, path in rules(files) if path == "a.md"} == {rule}


def test_of_many_pages_of_one_title_a_few_are_named() -> None:
    files = wiki(**{f"p{number:03d}": b"# A\nx\n" for number in range(500)})
    said = {each.path: each.message for each in check(MemoryTree(files), None) if each.rule == "duplicate-title"}
    assert said[".aiwg/wiki/p001.md"] == (
        "the title A is also that of wiki:p000.md, wiki:p002.md, wiki:p003.md and 496 more"
    )
    assert sum(map(len, said.values())) < 100 * len(said)


@pytest.mark.parametrize(
    "line",
    ["[[B]]", "[[b]]", "[[b.md|label]]", "[[Other Name]]", "[[B#Part]]", "[x](b.md)", "[x](b.md#part)",
     "[x](/b.md 'title')",
     "[x](<b.md>)", "[x](../../src/x.py)", "[x](https://example.org/y.md)", "[x](#here)", "`[[Nowhere]]`",
     "![x](../../src/x.py)",
     "``[[a`b]] [x](no.md)``", "\\[[Nowhere]]", "[x](mailto:a@b.org)", "[x](b.md?x=1)",
     "[[C#]]", "[[c#|label]]", "[[C##Part]]", "[[C#Part]]", "[[#Part]]"],
)  # fmt: skip
def test_links_that_lead_somewhere(line: str) -> None:
    files = {
        **wiki(
            a=b"# A\n" + line.encode() + b"\n",
            b=b"---\naliases: [other name]\n---\n# B\nx\n",
            sharp=b"---\ntitle: C#\naliases: [C]\n---\nx\n",
        ),
        "src/x.py": b"x",
    }
    assert rules(files) == set()


def test_a_name_that_ends_in_a_sharp_is_not_the_page_without_it() -> None:
    names = Names(((RepoPath(".aiwg/wiki/c.md"), "C", ()), (RepoPath(".aiwg/wiki/sharp.md"), "C#", ())))
    source = RepoPath(".aiwg/wiki/a.md")
    led = {target: names.page(target, source) for target in ("C", "C#", "C#Part", "C##Part", "C# # Part", "D#C")}
    assert {target: page and page.name for target, page in led.items()} == {
        "C": "c.md", "C#": "sharp.md", "C#Part": "c.md", "C##Part": "sharp.md", "C# # Part": "sharp.md", "D#C": None,
    }  # fmt: skip


def test_code_holds_no_links() -> None:
    body = "a [[One]]\n\n```\n[[Two]]\n```\n<!--\n[[Three]]\n-->\n[x](four%20five.md) `[[Six]]` [[Seven|s]]\n"
    found = links(Document({}, body, 5))
    assert [(link.line, link.target, link.wiki) for link in found] == [
        (5, "One", True),
        (13, "Seven", True),
        (13, "four five.md", False),
    ]
    assert without_code("`" * 50_000 + "a" + "`" * 49_999) == "`" * 50_000 + "a" + "`" * 49_999
    assert len(links(Document({}, "[[" * 50_000 + "[x](" * 20_000, 1))) == 0


def test_paths_of_links_stay_below_the_workspace_or_lead_nowhere() -> None:
    source_page = RepoPath(".aiwg/wiki/a/b.md")
    assert beside("../c.md", source_page) == "c.md"
    assert beside("./d//e.md", source_page) == "a/d/e.md"
    assert in_workspace(beside("../../../x", source_page)) == "x"
    assert in_workspace(beside("../../../../x", source_page)) is None
    assert in_workspace(beside("/x", source_page)) == ".aiwg/wiki/x"


def test_an_orphan_has_no_link_by_title_alias_or_path_and_is_in_no_index() -> None:
    lone: Files = {".aiwg/wiki/a.md": b"# A\n[[A]]\n", ".aiwg/wiki/b.md": b"# B\nx\n"}
    assert rules(lone) == {("orphan", "a.md"), ("orphan", "b.md")}
    for link in (b"[[B]]", b"[[b]]", b"[x](b.md)"):
        assert rules({**lone, ".aiwg/wiki/a.md": b"# A\n" + link + b"\n"}) == {("orphan", "a.md")}
    assert rules(done(lone, "index")) == set()
    archived = {".aiwg/wiki/a.md": b"---\nstatus: archived\n---\nx\n"}
    assert rules(archived) == set()


def test_dates_are_judged_only_when_a_date_is_given() -> None:
    files = wiki(a=b"---\nreview_at: 2026-01-01\nexpires_at: 2026-06-01T00:00:00Z\n---\nx\n")
    assert rules(files) == set()
    told = {day: {each.rule for each in check(MemoryTree(files), None, day)} - {"no-sources"} for day in
            ("2026-01-01", "2026-01-02", "2026-06-01", "2026-06-02")}  # fmt: skip
    assert list(told.values()) == [set(), {"stale"}, {"stale"}, {"stale", "expired"}]


def test_raw_copies_are_what_they_are_named_by() -> None:
    notes = b"notes\n"
    cited = b"---\nsources:\n- ref: notes/a.md\n  digest: " + digest(notes).encode() + b"\n---\nx\n"
    files = done({**wiki(a=cited), "notes/a.md": notes}, "ingest", sources=[source(notes)])
    copy = f".aiwg/wiki/raw/{short(digest(notes))}-a.md"
    assert rules(files) == set()
    assert rules({**files, copy: b"forged\n"}) == {("raw-changed", copy[11:])}
    assert rules({**files, ".aiwg/wiki/raw/x.md": b"x"}) == {("raw-name", "raw/x.md")}
    gone = {path: data for path, data in files.items() if path != copy}
    assert rules(gone) == {("raw-vanished", copy[11:]), ("source-vanished", "a.md")}
    stray = f".aiwg/wiki/raw/{short(digest(b'stray'))}-s"
    assert rules({**files, stray: b"stray"}) == {("raw-unrecorded", stray[11:])}
    moved = {**files, "notes/a.md": b"other\n"}
    assert rules(moved) == set()
    newer = done(moved, "ingest", sources=[source(b"other\n")])
    assert rules(newer) == set()
    undated = {**newer, ".aiwg/wiki/a.md": cited.replace(digest(notes).encode(), b"sha256:" + b"1" * 64)}
    assert rules(undated) == {("source-changed", "a.md")}


def test_a_broken_record_line_is_told_with_its_line() -> None:
    files = done({"notes/a.md": b"x\n"}, "ingest", sources=[source(b"x\n")])
    (segment,) = [path for path in files if "/raw.d/" in path]
    files[segment] = (files[segment] or b"") + b"=======\n{}\n"
    told = [(each.rule, each.line) for each in findings(files) if each.path == segment]
    assert told == [("merge-marker", 2), ("broken-record", 3)]


def test_links_and_special_files_are_told_and_not_read() -> None:
    files: Files = {**wiki(a=b"# A\nx\n"), ".aiwg/wiki/b.md": None, ".aiwg/wiki/raw.d": None, "elsewhere": None}
    files[".aiwg/wiki/c.md"] = b"---\nsources:\n- ref: elsewhere/x\n---\n# C\n[x](../../elsewhere/x)\n[[C]]\n"
    assert {rule for rule in rules(files) if rule[1] != "c.md"} == {("not-a-file", "b.md"), ("not-a-file", "raw.d")}
    assert {rule for rule, path in rules(files) if path == "c.md"} == {"source-missing", "broken-link", "orphan"}


def test_a_base_leaves_what_it_has_as_well_and_shows_what_a_change_breaks_elsewhere() -> None:
    base = wiki(a=b"# A\n[[Gone]] [[B]]\n", b=b"# B\nx\n", c=b"# C\n[[Lost]]\n")
    assert rules(base, base) == set()
    head = {**base, ".aiwg/wiki/c.md": b"# C\n[[Lost]] more\n"}
    assert rules(head, base) == {("broken-link", "c.md")}
    del head[".aiwg/wiki/b.md"]
    told = [(each.path, each.message) for each in findings(head, base) if each.rule == "broken-link"]
    assert (".aiwg/wiki/a.md", "the link to B leads nowhere") in told
    assert (".aiwg/wiki/a.md", "the link to Gone leads nowhere") not in told


def test_a_record_that_vanishes_is_told() -> None:
    base = done({"notes/a.md": b"x\n"}, "ingest", sources=[source(b"x\n")])
    head = {path: data for path, data in base.items() if "/raw" not in path}
    assert [each.severity for each in findings(head, base)] == ["error"]


def test_what_rests_on_a_source_is_found_by_every_name_of_it() -> None:
    notes = b"notes\n"
    copy = f"raw/{short(digest(notes))}-a.md"
    handle = "raw_" + short(digest(notes))
    refs = ["notes/a.md#L1", copy, handle, digest(notes), f".aiwg/wiki/{copy}"]
    pages = {f"p{n}": edit_front(b"x\n", {"sources": [{"ref": ref}]}) for n, ref in enumerate(refs)}
    pages["leaf"] = edit_front(b"x\n", {"dependencies": {"state": "known", "leaves": [{"ref": "notes/a.md"}]}})
    pages["other"] = edit_front(b"notes/a.md\n", {"sources": [{"ref": "b.md"}]})
    files = done({**wiki(**pages), "notes/a.md": notes}, "ingest", sources=[source(notes)])
    wanted = {f"wiki:{name}.md" for name in pages if name != "other"}
    for name in ("notes/a.md", copy, handle, digest(notes)):
        assert set(dependents(MemoryTree(files), name)) - {handle} == wanted
    assert list(dependents(MemoryTree(files), "nothing.md")) == []


def test_the_index_is_a_function_of_the_pages() -> None:
    pages: Files = {
        CATALOG: PAGE,
        ".aiwg/wiki/z.md": b"# Z [x] *a*\n",
        ".aiwg/wiki/b c (d).md": "导入\n".encode(),
        ".aiwg/wiki/old.md": b"---\nstatus: archived\n---\nx\n",
        ".aiwg/wiki/storage/a.md": b"x\n",
    }
    after = done(pages, "index")
    assert (after[".aiwg/wiki/index.md"] or b"").decode().split("\n")[4:] == [
        "- [b c (d)](b%20c%20%28d%29.md)",
        "- [Z \\[x\\] \\*a\\*](z.md)",
        "",
        "## storage",
        "",
        "- [a](storage/a.md)",
        "- [Import catalog](storage/catalog.md)",
        "",
    ]
    assert plan(dict(reversed(after.items())), request("index")).changes == ()
    assert rules(after) == set()
    moved = done(after, "archive", targets=[target(after)])
    assert plan(moved, request("index")).changes


def test_status_counts_and_says_what_to_do() -> None:
    files = done({CATALOG: PAGE, ".aiwg/wiki/b.md": b"\0"}, "confirm", targets=[target({CATALOG: PAGE})])
    said = status(MemoryTree(files))
    assert (said["state"], said["counts"]["confirmed"], said["counts"]["unreadable"]) == ("degraded", 1, 1)
    assert said["next"]
    assert status(MemoryTree({}))["state"] == "ready"
    json.dumps(said)
