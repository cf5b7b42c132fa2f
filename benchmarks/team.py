"""A team's repository: 50 people, 1,000 commits, 5,000 pages, 2,000 receipts; and what the daily commands cost in it.

The history is written by ``git fast-import``. ``scale`` multiplies everything but the change that is measured, so that
several scales show what follows the change and what follows the repository.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from aiwg_memory.core.rules.samples import AT, fact, page, receipt, text_file
from benchmarks.corpus import own
from benchmarks.timing import BARE, paired, process

PAGES, COMMITS, RECEIPTS, PEOPLE, CODE = 5000, 1000, 2000, 50, 2000
_CONFIG = "schema: aiwg.config.v1\nworkspace: ws_" + "3" * 32 + "\nfacts:\n  max_lines: 100000\n"
_PROGRAM = str(Path(sys.executable).parent / "aiwg-memory")
Files = Mapping[str, str]


class Team:
    """``root`` is the checkout; the branch ``big`` has the last 500 commits, ``small`` the last ten."""

    def __init__(self, root: Path, seed: int, scale: float) -> None:
        self.root, self.random = root, Random(seed)
        self.sentences = [question.evidence for question in own(seed).questions]
        self.made = 0
        self.pages = int(PAGES * scale)
        subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
        with subprocess.Popen(["git", "-C", str(root), "fast-import", "--quiet"], stdin=subprocess.PIPE) as git:
            assert git.stdin is not None
            for text in self._history(int(COMMITS * scale)):
                git.stdin.write(text.encode())
        self.git("reset", "-q", "--hard", "main")

    def git(self, *words: str) -> str:
        asked = ["git", "-C", str(self.root), "-c", "user.name=n", "-c", "user.email=n@example.org", *words]
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout

    def _history(self, commits: int) -> Iterator[str]:
        first = {".aiwg/config.yaml": _CONFIG, "AGENTS.md": "# For agents\n\nRun the tests.\n"}
        first |= {f"src/part{n % 40}/module{n}.py": f"VALUE = {n}\n" for n in range(self.pages * CODE // PAGES)}
        first |= {self._place(n): self._page(n) for n in range(self.pages - commits // 2)}
        yield from self._commit(0, "Begin", first)
        for number in range(1, commits):
            files = {path: text for _ in range(RECEIPTS // COMMITS) for path, text in self.operation().items()}
            at = self.pages - commits // 2 + number // 2 if number % 2 else self.random.randrange(self.pages // 2)
            files[self._place(at)] = self._page(at, number)
            files[f"src/part{number % 40}/module{number % CODE}.py"] = f"VALUE = {number}  # changed\n"
            yield from self._commit(number, f"Change number {number}", files)

    def _commit(self, number: int, message: str, files: Files) -> Iterator[str]:
        person = f"Person {number % PEOPLE} <person{number % PEOPLE}@example.org> {1_770_000_000 + number * 3600} +0000"
        yield f"commit refs/heads/main\ncommitter {person}\ndata {len(message)}\n{message}\n"
        for path, text in files.items():
            yield f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"

    def operation(self) -> dict[str, str]:
        """One confirmed fact: its file, its segment and its receipt."""
        self.made += 1
        seg = self._seg()
        said = f"{self.random.choice(self.sentences)} (ticket T{self.made})"
        made = {path.replace("20260131T080000Z-0123456789ab", seg): text for path, text in fact(said, seg=seg).items()}
        told = receipt({}, made, seg, workspace="ws_" + "3" * 32, subjects=["lm_" + text_file(said)[-20:-4]])
        return {path: str(text) for path, text in {**made, **told}.items()}

    def _place(self, number: int) -> str:
        return f".aiwg/wiki/part-{number % 50}/page-{number:05}.md"

    def _page(self, number: int, edition: int = 0) -> str:
        body = ". ".join(self.random.choices(self.sentences, k=6))
        near = f"See [[Page {max(0, number - 1):05}]]."
        return page(f"# Page {number:05}\n\n{near}\n\n## Part\n\n{body}.\n\nEdition {edition}.\n")

    def stage(self, files: int, *, by_hand: bool = False) -> None:
        """Leave so many changed files of ours staged, or one more where an operation has two left; for none of them, a
        file of code. Half of the operations are facts and half are pages, and what is written ``by_hand`` are pages
        without a receipt in the place of those.
        """
        self.git("reset", "-q", "--hard")
        changed: dict[str, str] = {} if files else {"src/part0/module0.py": "VALUE = 'changed'\n"}
        number = 0
        while len(changed) < files:
            number += 1
            changed |= self.operation() if number % 2 else self._edit(number, receipted=not by_hand)
        for path, text in changed.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, "utf-8")
        self.git("add", "-A")

    def _edit(self, number: int, *, receipted: bool) -> dict[str, str]:
        """A page that was there, with another text."""
        self.made += 1
        path = self._place(number)
        there = self.root / path
        before = {path: there.read_text("utf-8")} if there.exists() else {}
        after = {path: self._page(number, 7)}
        told = receipt(before, after, self._seg(), kind="wiki.edit", workspace="ws_" + "3" * 32)
        return after | {name: str(text) for name, text in told.items() if receipted}

    def _seg(self) -> str:
        return f"{AT[:10].replace('-', '')}T{self.made % 86400:06d}Z-{self.made:012x}"


def table(seed: int, scales: tuple[float, ...] = (0.02, 1, 2)) -> Iterator[str]:
    bare = process(BARE)
    yield f"A bare interpreter starts in {bare * 1000:.1f} ms; each figure is that many of it: of `check --staged` the"
    yield "middle of runs beside it, of the others the best of a few. A short history has no more than those."
    yield ""
    told: dict[str, list[str]] = {}
    for at, scale in enumerate(scales):
        with tempfile.TemporaryDirectory() as folder:
            team = Team(Path(folder) / "team", seed, scale)
            found = dict(_staged(team))
            if scale >= 1:
                found |= {name: taken / bare for name, taken in _measured(team)}
            for name, figure in found.items():
                told.setdefault(name, [""] * at).append(f"{figure:.1f}")
    yield "| command | " + " | ".join(f"× {scale:g}" for scale in scales) + " |"
    yield "|" + "---|" * (len(scales) + 1)
    yield from (f"| {name} | {' | '.join(figures)} |" for name, figures in told.items())


def _staged(team: Team) -> Iterator[tuple[str, float]]:
    for files, by_hand, name in (
        (0, False, "nothing of ours staged"),
        (10, False, "10 files"),
        (100, False, "100 files"),
        (10, True, "10 files, pages by hand"),
        (100, True, "100 files, pages by hand"),
    ):
        team.stage(files, by_hand=by_hand)
        found = paired([_PROGRAM, "check", "--staged"], BARE, team.root, accept=(0, 1))
        yield f"check --staged, {name}", found


def _measured(team: Team) -> Iterator[tuple[str, float]]:
    def timed(*words: str, repeats: int = 5, accept: tuple[int, ...] = (0,)) -> float:
        return process([_PROGRAM, *words], team.root, repeats=repeats, accept=accept)

    handle = next(path.name for path in sorted((team.root / ".aiwg/memory/facts").iterdir()))
    handle = f"lm_{handle.removesuffix('.txt')}"
    yield "git status", process(["git", "status", "--porcelain"], team.root)
    for files in (10, 100):
        team.stage(files)
        yield f"diff --staged, {files} files", timed("diff", "--staged")
    team.git("reset", "-q", "--hard")
    for commits in (10, 500):
        yield f"check --range, {commits} commits", timed("check", "--range", f"HEAD~{commits}..HEAD", accept=(0, 1))
        yield f"diff, {commits} commits", timed("diff", f"HEAD~{commits}..HEAD", "--format", "markdown")
    yield "diff, nothing changed", timed("diff")
    yield "blame", timed("blame", handle)
    yield "log", timed("log", handle)
    yield "status", timed("status")
    yield "context, the first time", timed("context", "retry failed gateway call", repeats=1)
    yield "context", timed("context", "retry failed gateway call")
    yield "check --all", timed("check", "--all", repeats=1, accept=(0, 1))
