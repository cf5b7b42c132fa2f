"""What judging a change reads and starts does not grow with the store around it, or with the length of the change."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from clone import Clone

from aiwg_memory.core.focus import key, naming
from aiwg_memory.core.gate.change import Change, Touch
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.rules.compound_samples import proposed
from aiwg_memory.core.rules.samples import (
    KEYS_ON,
    LATER,
    SEG,
    key_file,
    key_version,
    lines,
    page,
    record,
    segment,
    text_file,
)
from aiwg_memory.core.tree import MemoryTree, Tree
from aiwg_memory.workspace.gating import check_change


class Counting(MemoryTree):
    """Searches as git does, outside the program, and notes every file that is read."""

    def __init__(self, content: dict[str, bytes | None]) -> None:
        super().__init__(content)
        self.looked: set[str] = set()

    def read(self, path: RepoPath, *, limit: int) -> bytes:
        self.looked.add(path)
        return super().read(path, limit=limit)

    def learn(self, paths: Iterable[RepoPath]) -> None:
        """A dict has nothing to fetch."""

    def whole(self) -> Tree:
        return self

    def called(self, globs: Sequence[str]) -> Sequence[RepoPath]:
        wanted = naming(globs)
        return [path for path in self._content if wanted.fullmatch(path)]

    def names(self, folder: RepoPath) -> Iterable[str]:
        return [entry.name for entry in self.list(folder)]

    def alike(self, folder: RepoPath, keys: Iterable[str]) -> Iterable[RepoPath]:
        wanted = set(keys)
        return [path for path in self._content if path.under(folder) and key(path.name) in wanted]

    def holding(self, folder: RepoPath, pattern: str, without: Sequence[RepoPath] = ()) -> Sequence[RepoPath]:
        wanted = re.compile(pattern.encode(), re.IGNORECASE)
        return [
            path
            for path, data in self._content.items()
            if path.under(folder) and data and wanted.search(data) and not any(path.under(each) for each in without)
        ]


def store(facts: int, pages: int) -> dict[str, bytes | None]:
    found: dict[str, bytes | None] = {}
    for number in range(facts):
        text = f"Fact number {number}."
        found[text_file(text)] = f"{text}\n".encode()
        found[segment(f"20260131T080000Z-{number:012x}")] = lines(record(text)).encode()
    for number in range(pages):
        found[f".aiwg/wiki/topic-{number:04}x.md"] = page(f"# Topic {number:04}x\n\nText.\n").encode()
        said: dict[str, str] = key_file(key_version(f"Value {number}", 1), key=f"key.{number:04}x")
        said |= proposed(f"Proposal number {number}.", seg=f"20260131T080000Z-{number:012x}")
        found |= {path.replace(SEG, f"20260131T080000Z-{number:012x}"): text.encode() for path, text in said.items()}
    return found


def read(size: int) -> int:
    before = store(size, size)
    text = "A new fact."
    added: dict[str, bytes | None] = {
        text_file(text): f"{text}\n".encode(),
        segment("20260301T080000Z-ffffffffffff"): lines(record(text)).encode(),
        ".aiwg/wiki/new.md": page("# Brand new\n\nSee [[Topic 0001x]].\n").encode(),
    }
    said: dict[str, str] = {**key_file(key_version("New", 1), key="new.key"), **proposed("A new proposal.")}
    added |= {path.replace(SEG, LATER): new.encode() for path, new in said.items() if path != KEYS_ON}
    head, base = Counting({**before, **added}), Counting(before)
    check_change(Change(head, base, [Touch(path, None, "file") for path in sorted(added)]), new_only=False)
    return len(head.looked) + len(base.looked)


def test_doubling_the_store_reads_no_file_more() -> None:
    assert read(20) == read(40) == read(80)
    assert read(80) < 30


def test_a_long_range_starts_no_more_processes_of_git_than_a_short_one(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repo")
    clone.commit()
    pages = [f".aiwg/wiki/topic-{number}.md" for number in range(60)]
    for number, path in enumerate(pages):
        clone.write(path, page(f"# Topic {number}\n\nSee [[Nowhere {number}]] and [[Topic {number + 1}]].\n"))
        if number in (0, 59):
            clone.commit()
    said = tmp_path / "said.txt"
    git = shutil.which("git", path=clone.env["PATH"])
    door = clone.write("../bin/git", f'#!/bin/sh\necho "$*" >> "{said}"\nexec "{git}" "$@"\n')
    door.chmod(0o755)
    counted = []
    for words in (("check", "--range"), ("diff",)):
        for span in ("HEAD~2..HEAD~1", "HEAD~1..HEAD"):
            said.write_text("")
            clone.tool(*words, span, env={**clone.env, "PATH": f"{door.parent}:{clone.env['PATH']}"})
            counted.append(len(said.read_text().splitlines()))
            assert " grep " in said.read_text(), "what nobody touched is searched by git, not read"
    assert counted[0] == counted[1] <= 8
    assert counted[2] == counted[3] <= 4
