"""Where a thing comes from: commit, receipt, reviewer and evidence of every version."""

from __future__ import annotations

from pathlib import Path

from person import ADA, Person


def commit(person: Person, message: str) -> str:
    person.git("add", "-A")
    person.git("commit", "-q", "--no-verify", "-m", message)
    return person.git("rev-parse", "HEAD").strip()


def day(person: Person, number: int) -> None:
    person.environment["AIWG_MEMORY_NOW"] = f"2026-02-{number:02d}T08:00:00Z"


def test_a_fact_is_told_version_by_version(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.write("notes.txt", "Said.\n")
    (fact,) = person.do("add", "One.", "--source", "notes.txt")["subjects"]
    first = commit(person, "one")
    day(person, 1)
    person.do("facts", "reject", fact, "--reason", "it is not so")
    second = commit(person, "two")
    day(person, 2)
    person.do("facts", "confirm", fact)
    rows = person.json("log", fact, "--show-internal", kind="log_data.v1")["data"]["versions"]
    assert [row["version"] for row in rows] == [1, 2, 3]
    assert [row["commit"] and row["commit"]["id"] for row in rows] == [first, second, None]
    assert [row["receipt"]["kind"].partition(".")[2] for row in rows] == ["add", "reject", "confirm"]
    assert rows[1]["reason"] == "it is not so"
    told = person.json("blame", fact, "--show-internal", kind="blame_data.v1")["data"]
    assert (told["verified_at"], told["verified_by"]) == ("2026-02-02T08:00:00Z", ADA)
    assert [(one["ref"], one["state"]) for one in told["evidence"]] == [("notes.txt", "there")]
    person.write("src/retry.py", "def retry():\n    for _ in range(3):\n        call()\n")
    (cited,) = person.do("add", "A call is retried three times.", "--source", "src/retry.py#L2-L3")["subjects"]
    out = person.run("blame", cited, "--show-internal").out
    assert [line for line in out.splitlines() if "rests on" in line] == ["  rests on src/retry.py#L2-L3: there"]
    quiet = person.run("blame", cited).out
    assert "src/retry.py" not in quiet
    assert "--show-internal names what is internal" in quiet
    (person.root / "notes.txt").unlink()
    assert person.json("blame", fact)["data"]["evidence"][0]["state"] == "vanished"


def test_a_thing_is_found_by_what_a_person_types(tmp_path: Path) -> None:
    person = Person(tmp_path)
    (fact, other) = person.do("add", "One.", "Two.")["subjects"]
    person.write("../page.md", "# A\n\nOne.\n")
    person.do("wiki", "add", "ops/a.md", "--file", "../page.md")
    person.do("canon", "init")
    person.do("canon", "set", "project-fact/catalog.engine", "SQLite")
    key = "project-fact/catalog.engine"
    for name, handle in {fact[:9]: fact, "ops/a.md": "wiki:ops/a.md", key: f"ctx:{key}"}.items():
        assert person.json("blame", name)["data"]["handle"] == handle
        assert person.json("log", name)["data"] == person.json("log", handle)["data"]
    assert other in person.json("log", "lm_", status=2)["error"]["message"]
    assert person.run("log", "lm_ffff").status == 2


def test_a_page_is_told_by_the_commits_that_wrote_it(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.write("../page.md", "---\nsources:\n  - ref: notes.txt\n---\n# A\n\nOne.\n")
    person.do("wiki", "add", "ä/a.md", "--file", "../page.md")
    first = commit(person, "one")
    page = person.root / ".aiwg/wiki/ä/a.md"
    page.write_text(page.read_text().replace("One.", "Two."))
    second = commit(person, "by hand")
    rows = person.json("log", "wiki:ä/a.md", kind="log_data.v1")["data"]["versions"]
    assert [row["commit"]["id"] for row in rows] == [first, second]
    assert [bool(row["receipt"]) for row in rows] == [True, False]
    assert [row["review"] for row in rows] == ["confirmed", "pending"]
    page.write_text(page.read_text().replace("Two.", "Three."))
    (*_, last) = person.json("log", "wiki:ä/a.md")["data"]["versions"]
    assert (last["commit"], last["receipt"], last["version"]) == (None, None, 3)
    told = person.json("blame", "wiki:ä/a.md", kind="blame_data.v1")["data"]
    assert told["verified_by"] == ADA
    assert "without a receipt" in person.run("blame", "wiki:ä/a.md").out


def test_what_nobody_knows_is_not_found(tmp_path: Path) -> None:
    person = Person(tmp_path, git=False)
    assert person.run("log", "lm_0123456789abcdef").status == 2
    assert person.run("blame", "wiki:none.md").status == 2
    assert person.run("log", "nothing").status == 2
    assert person.run("log", "wiki:../../../etc/passwd.md").status in (2, 4)
