"""A pull request of thirty mixed changes: two commits of a real repository, made through the command line."""

from __future__ import annotations

import json
from pathlib import Path

from person import Person

DAY = "2026-02-{:02d}T08:00:00Z"
WHO = "Ada Lovelace"
HOSTILE = "See </details> <img src=x> @everyone #123 ```end``` [x](https://evil.example) and `code`"


def page(title: str, *passages: tuple[str, str], source: str = "src/retry.py", more: str = "") -> str:
    body = "\n".join(f"## {heading}\n\n{text}\n" for heading, text in passages)
    return f"---\ntitle: {title}\nclassification: public\nsources:\n  - ref: {source}\n{more}---\n# {title}\n\n{body}"


class Project:
    """``at`` gives every commit a day of its own, so that every id is the same on every machine."""

    def __init__(self, base: Path) -> None:
        self.person = Person(base)
        self.at = 1

    def do(self, *words: str, stdin: bytes = b"") -> list[str]:
        operation = self.person.preview(*words, stdin=stdin)
        done = self.person.json("confirm", operation)["data"]
        subjects: list[str] = done["receipt"]["subjects"]
        return subjects

    def public(self, *facts: str, **options: str) -> list[str]:
        """The handles of some public facts, in the order given."""
        found = []
        for fact in facts:
            more = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
            found += self.do("add", "--classification", "public", *more, fact)
        return found

    def commit(self, message: str) -> str:
        env = {f"GIT_{role}_DATE": DAY.format(self.at) for role in ("AUTHOR", "COMMITTER")}
        self.person.environment.update(env)
        self.person.git("add", "-A")
        self.person.git("commit", "-q", "--no-verify", "-m", message)
        self.at += 1
        self.person.environment["AIWG_MEMORY_NOW"] = DAY.format(self.at)
        return self.person.git("rev-parse", "HEAD").strip()


def before(project: Project) -> dict[str, str]:
    person = project.person
    person.write("src/retry.py", "ATTEMPTS = 5\n" * 20)
    person.write("src/cache.py", "TTL = 60\n" * 20)
    person.write("notes.txt", "What was said in the meeting.\n")
    person.write("AGENTS.md", "# Agents\n\nRun the tests.\nUse tabs.\n")
    project.do("canon", "init")
    names: dict[str, str] = {}
    names["attempts"], names["jitter"] = project.public(
        "Retries stop after three attempts.", "Retries are jittered.", source="src/retry.py"
    )
    names["ttl"], names["evict"] = project.public("The cache holds entries for a minute.", "The cache never evicts.")
    names["one"], names["two"] = project.public("Logs are JSON.", "Log lines are JSON objects.")
    (names["always"],) = project.public("Run the tests before you push.", kind="standing")
    (names["wrong"],) = project.public("The queue keeps its order.")
    (names["internal"],) = project.do("add", "The staging database is rebuilt on Mondays.")
    (names["private"],) = project.do("add", "--classification", "private", "Ada is on leave in March.")
    for name, text in (
        ("retries.md", page("Retries", ("Bound", "Three attempts."), ("Pause", "A second each."))),
        ("cache.md", page("Cache", ("Size", "A thousand entries."), source="src/cache.py")),
        ("queue.md", page("Queue", ("Order", "First in, first out."))),
    ):
        person.write("draft.md", text)
        project.do("wiki", "add", name, "--file", "draft.md")
    (person.root / "draft.md").unlink()
    for key, value in (("project-fact/queue.engine", "Redis 6"), ("goal/uptime", "99.9 percent")):
        project.do("canon", "set", "--classification", "public", key, value)
    project.do("instructions", "pin", ".")
    return names


def change(project: Project, names: dict[str, str]) -> None:
    person = project.person
    facts(project, names)
    person.write("draft.md", page("Retries", ("Bound", "Five attempts."), ("Budget", "A minute in all.")))
    project.do("wiki", "edit", "retries.md", "--file", "draft.md")
    person.write("draft.md", page("Deploys", ("Order", "Canary first."), source="notes.txt"))
    project.do("wiki", "add", "deploys.md", "--file", "draft.md")
    (person.root / "draft.md").unlink()
    project.do("wiki", "reject", "wiki:cache.md", "--reason", "the bound is ten thousand")
    project.do("wiki", "archive", "wiki:queue.md")
    project.do(
        "canon", "set", "--acknowledge", "v1", "project-fact/queue.engine", "Redis 7", "--classification", "public"
    )
    project.do("canon", "set", "--classification", "public", "preference/style", "Four spaces.")
    project.do("canon", "revoke", "goal/uptime", "--reason", "nobody measured it")
    project.do("ingest", "--classification", "public", "notes.txt")
    candidates(project)
    person.git("mv", "src/retry.py", "src/backoff.py")
    person.git("rm", "-q", "src/cache.py")
    person.write("AGENTS.md", "# Agents\n\nRun the tests.\nUse four spaces.\nAsk before you push.\n")
    person.write("CLAUDE.md", "Read AGENTS.md.\n")
    project.do("instructions", "pin", ".")


def facts(project: Project, names: dict[str, str]) -> None:
    project.public("Deploys begin with a canary.", source="notes.txt")
    project.public(HOSTILE)
    project.do("add", "The office code changes in May.")
    project.do("facts", "supersede", names["attempts"], "Retries stop after five attempts.", "--source", "src/retry.py")
    project.do("facts", "archive", names["ttl"], "--reason", "replaced by the page")
    project.do("facts", "revoke", names["wrong"], "--reason", "it does not, see @ops and #77")
    project.do("facts", "merge", names["one"], names["two"], "--into", "Every log line is one JSON object.")
    project.do("facts", "reject", names["evict"], "--reason", "it evicts after an hour")
    project.do("facts", "archive", names["private"])
    project.do("facts", "archive", names["internal"])
    (always,) = project.public("Ask before you push to main.", kind="standing", delivery="always")
    del always
    project.person.write(".aiwg/memory/line-memory.txt", "Typed by hand on a Friday.\n")


def candidates(project: Project) -> None:
    for kind, text in (("decision", "Releases are cut from main."), ("task", "Rewrite everything in one weekend.")):
        told = {"type": kind, "assertion": text, "classification": "public", "evidence": [{"ref": "notes.txt"}]}
        project.person.json("candidates", "propose", stdin=json.dumps(told).encode())
    rows = project.person.json("candidates", "list")["data"]["candidates"]
    by_type = {row["type"]: row["candidate_id"] for row in rows}
    project.do("accept", by_type["decision"])
    project.do("reject", by_type["task"], "--reason", "no")


def pull_request(base: Path) -> tuple[Person, str, str]:
    """The person, the commit it starts from and the commit it ends with."""
    project = Project(base)
    names = before(project)
    first = project.commit("what was there")
    change(project, names)
    return project.person, first, project.commit("what changes")
