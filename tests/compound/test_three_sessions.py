"""The loop in three sessions, by the command line: collected, used, compounded, and reproduced on the last day."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from catalog import CHINESE, FACTS, FILES, FIRST, PAGE_HANDLE, REVIEW, SAID, TASK, VALUE
from shore import Shore

HOSTILE = REVIEW.splitlines()[-1]
WANTED = {FACTS[0], FACTS[1], "Where it lives", "Receipts"}


def named(item: dict[str, Any]) -> str:
    """A fact by its text, a passage by its heading."""
    slug = item["handle"].partition("#")[2]
    return next((name for name in WANTED if name.lower().replace(" ", "-") in slug), item["text"])


def collect(shore: Shore) -> None:
    shore.do("init")
    shore.do("ingest", "sources")
    copies = sorted(path.read_text("utf-8") for path in (shore.root / ".aiwg/wiki/raw").iterdir())
    assert copies == sorted(text for name, text in FILES.items() if name.startswith("sources/"))
    assert all((shore.root / name).read_text("utf-8") == text for name, text in FILES.items())
    again = shore.ask("ingest", "sources")["data"]
    assert (again["changes"], len(again["duplicates"])) == ([], 2)
    shore.do("add", *FACTS[:2], "--source", FIRST)
    shore.do("add", stdin="\n".join(FACTS[2:]))
    assert sorted(fact["text"] for fact in shore.ask("facts", "list")["data"]["facts"]) == sorted(FACTS)
    shore.commit("collect")


def use(shore: Shore) -> tuple[str, str]:
    """The pack of this session and the output registered with it."""
    pack = shore.pack(TASK)["pack"]
    assert sorted(map(named, pack["items"])) == sorted(WANTED), "precision and recall are 1"
    for task in (TASK, CHINESE):
        for form in ("markdown", "xml", "json"):
            text = shore.run("context", task, "--budget", "1200", "--format", form)
            assert len(text) <= 1200
            assert all(word not in text for word in (HOSTILE, "JSON files", "olour"))
    assert len({shore.run("context", TASK, "--budget", "1200") for _ in range(20)}) == 1
    assert shore.pack(CHINESE)["pack"]["items"][0]["text"] == FACTS[3]
    shore.write("output/catalog-report.md", "# Catalog\n\nIt is one file, and receipts are kept.\n")
    (output,) = shore.do("outputs", "register", "output/catalog-report.md", "--pack", pack["id"])["subjects"]
    assert len(shore.ask("facts", "list")["data"]["facts"]) == len(FACTS)
    assert shore.ask("review")["data"]["candidates"] == []
    shore.commit("use")
    return pack["id"], output


def promoted(shore: Shore, output: str) -> tuple[str, str]:
    """What the output suggests, accepted and promoted to two sinks of which one fails at first; candidate and page."""
    line = json.dumps({"type": "decision", "assertion": SAID, "evidence": [{"ref": output}]})
    shore.ask("candidates", "propose", stdin=line)
    assert SAID not in shore.run("context", SAID, "--budget", "1200")
    assert SAID not in shore.run("search", SAID)
    (row,) = shore.ask("review")["data"]["candidates"]
    shore.do("accept", f"{row['candidate_id']}@{row['version']}:{row['fingerprint'][7:19]}")
    plan = shore.ask("promote", row["candidate_id"], "--to", "line-memory", "--to", "wiki")["data"]
    page = shore.root / next(each["path"] for each in plan["changes"] if each["path"].startswith(".aiwg/wiki/"))
    page.mkdir(parents=True)
    told = shore.ask("confirm", plan["operation_id"], status=5)["data"]
    assert [one["sink"] for one in told["receipts"]] == ["line-memory"]
    assert [one["sink"] for one in told["owed"]] == ["wiki"]
    page.rmdir()
    told = shore.ask("recover")["data"]
    assert [one["sink"] for one in told["receipts"]] == ["wiki"]
    assert not told.get("owed")
    assert [fact["text"] for fact in shore.ask("facts", "list")["data"]["facts"]].count(SAID) == 1
    return row["candidate_id"], f"wiki:{page.relative_to(shore.root / '.aiwg/wiki').as_posix()}"


def settled(shore: Shore) -> dict[str, str]:
    """Canonical context wins over a fact, and takes the place of an unrelated one; every fact's handle by its text."""
    facts = {fact["text"]: fact["handle"] for fact in shore.ask("facts", "list")["data"]["facts"]}
    shore.do("canon", "init")
    engine = "SQLite; PostgreSQL when hosted"
    shore.do("canon", "set", "project-fact/catalog.engine", engine, "--source", facts[FACTS[0]])
    text = shore.run("context", "Which engine stores the import catalog?", "--budget", "1200")
    assert -1 < text.index(engine) < text.index(FACTS[0])
    shore.do("facts", "supersede", facts[FACTS[2]], "--by", "ctx:project-fact/catalog.engine")
    shown = shore.ask("facts", "show", facts[FACTS[2]])["data"]
    assert shown["versions"][-1]["replacement"].startswith("ctx:project-fact/catalog.engine"), shown
    shore.commit("compound")
    return facts


def withdrawn(shore: Shore, fallen: set[str]) -> None:
    """The first source falls with ``fallen``, the page is retained; the preview names them and changes nothing."""
    (raw,) = [one for one in shore.ask("lineage", "show", PAGE_HANDLE)["data"]["rests_on"] if one["layer"] == "raw"]
    assert (shore.root / raw["path"]).read_text("utf-8") == REVIEW
    before = shore.tracked()
    words = ("lineage", "revoke", FIRST, "--action", "revoke", "--for", f"{PAGE_HANDLE}=retain")
    told = {one["subject"]: one["message"] for one in shore.ask(*words)["data"]["conflicts"]}
    assert shore.tracked() == before
    assert told.pop(PAGE_HANDLE).startswith("is retained")
    assert told.keys() == {*fallen, raw["handle"]}
    assert all(message.startswith("is revoked") for message in told.values())
    shore.do(*words)


def test_three_sessions_from_the_first_source_to_the_last_day(tmp_path: Path) -> None:
    shore = Shore.begun(tmp_path / "project", FILES)
    begun = shore.git("rev-parse", "HEAD").strip()
    collect(shore)
    pack, output = use(shore)
    used = shore.git("rev-parse", "HEAD").strip()
    candidate, page = promoted(shore, output)
    facts = settled(shore)
    fallen = {facts[FACTS[0]], facts[FACTS[1]], facts[SAID], output, candidate, page, VALUE}
    withdrawn(shore, fallen)

    for options in (("--at", used), ()):
        now = shore.pack(TASK, *options)["pack"]
        assert {named(item) for item in now["items"]} >= {"Where it lives", "Receipts"}
        assert {item["handle"].partition("#")[0] for item in now["items"]} == {PAGE_HANDLE}
        assert all("retained after revocation" in item["labels"] for item in now["items"])
        if options:
            codes = {one["handle"]: one["code"] for one in now["excluded"]}
            assert {codes[facts[text]] for text in FACTS[:2]} == {"revoked"}
    assert all("history is not delivered" in shore.ask("why", one)["data"]["reason"] for one in fallen - {page})
    text = shore.run("context", "Which engine stores the import catalog?", "--budget", "1200")
    assert "when hosted" not in text
    assert FACTS[0] not in shore.run("search", "catalog SQLite") + text

    shore.commit("withdraw")
    assert shore.ask("pack", "verify", pack)["data"]["verdict"] == "match"
    assert [one for one in shore.ask("check", "--all")["data"]["findings"] if one["severity"] == "error"] == []
    assert shore.ask("receipts", "verify")["data"]["findings"] == []
    receipts = shore.ask("receipts", "list")["data"]["receipts"]
    told = {change["path"] for receipt in receipts for change in receipt["changes"]}
    changed = shore.git("diff", "--name-only", "-z", begun, "HEAD", "--", ".aiwg").split("\0")[:-1]
    assert {path for path in changed if not path.startswith(".aiwg/receipts.d/")} <= told
