"""Which files are consulted on the way to a target. Looks names up; opens nothing but the ignore file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.ignoring import IgnoreFile, rooted
from aiwg_memory.core.instructions.names import AGENTS, IGNORE_FILE, NEAR_MISSES, OVERRIDE, RULES, SINGLE, Kind
from aiwg_memory.core.instructions.settled import inside, link_target
from aiwg_memory.core.instructions.snapshot import Ignored
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.tree import Entry, Tree
from aiwg_memory.errors import AiwgError

IGNORED = "ignored on purpose"
# Names looked at below one rules folder: far above what 64 sources need, far below what takes long.
MAX_ENTRIES = 4096


class Candidate(NamedTuple):
    """A regular file that may be a source. ``order`` counts the rules of one level; ``stamp`` is the entry's."""

    path: RepoPath
    kind: Kind
    level: RepoPath | None
    depth: int
    size: int
    order: int = 0
    stamp: str = ""
    findings: tuple[Finding, ...] = ()


class Gathered:
    """What one level holds, in the order of delivery. ``entries`` is how many names its rules folder held.

    ``misnamed`` are near misses among the rules; ``findings`` the others, None until somebody wants to know.
    """

    def __init__(self) -> None:
        self.candidates: list[Candidate] = []
        self.ignored: list[Ignored] = []
        self.problems: list[Finding] = []
        self.misnamed: list[Finding] = []
        self.findings: list[Finding] | None = None
        self.entries = 0


def gather(tree: Tree, ignore: IgnoreFile, level: RepoPath | None, depth: int, rules_depth: int) -> Gathered:
    """Every candidate of one level; problems are collected, not raised. ``depth`` is the level's own, 0 at the root."""
    found = Gathered()
    _Level(tree, ignore, found, level, depth, rules_depth).gather()
    return found


def near_misses(tree: Tree, level: RepoPath | None) -> Iterator[Finding]:
    """Names that look right and are not read."""
    folders = {"": True} | {name: _is_folder(tree, join(level, name)) for name in (".claude", ".aiwg")}
    for right, wrong in NEAR_MISSES.items():
        if not folders[right.rpartition("/")[0]]:
            continue
        exact = _seen(tree, join(level, right))
        for name in wrong:
            entry = _seen(tree, join(level, name))
            # On a file system that folds case, the right name answers to the wrong one too.
            if entry is not None and entry.kind == "file" and (exact is None or exact.stamp != entry.stamp):
                message = f"is not read: the name is {right}"
                yield Finding(join(level, name), 0, "near-miss-name", message, "warning", "rename it, or ignore it")


def _is_folder(tree: Tree, path: RepoPath) -> bool:
    entry = _seen(tree, path)
    return entry is not None and entry.kind == "dir"


def _seen(tree: Tree, path: RepoPath) -> Entry | None:
    try:
        return tree.stat(path)
    except AiwgError:
        # What stands in the way is a problem of the level it stands at.
        return None


class _Level(NamedTuple):
    tree: Tree
    ignore: IgnoreFile
    found: Gathered
    level: RepoPath | None
    depth: int
    rules_depth: int

    def gather(self) -> None:
        folders = {name: self._folder(name) for name in (".claude", ".aiwg")}
        self._single(OVERRIDE, Kind.AGENTS)
        self._single(AGENTS, Kind.AGENTS)
        for kind, name in SINGLE.items():
            if folders.get(name.rpartition("/")[0], True):
                self._single(name, kind)
        if folders[".aiwg"] and self._folder(RULES):
            self._rules()
        if not self.found.candidates:
            self._explain_only_text()

    def _folder(self, name: str) -> bool:
        """Whether there is a real directory; a link in its place is one problem, unless it is ignored."""
        path = join(self.level, name)
        entry = self._look(path)
        if entry is None or entry.kind == "file":
            return False
        if entry.kind == "dir":
            return True
        if self.ignore.matches(path) or self.ignore.matches(f"{path}/"):
            self.found.ignored.append(Ignored(path, IGNORED, IGNORE_FILE))
        else:
            self._refuse(path, entry)
        return False

    def _single(self, name: str, kind: Kind) -> None:
        path = join(self.level, name)
        entry = self._look(path)
        if entry is None:
            return
        if self.ignore.matches(path):
            self.found.ignored.append(Ignored(path, IGNORED, IGNORE_FILE))
        elif entry.kind != "file":
            self._refuse(path, entry)
        else:
            self._keep(path, kind, entry, 0)

    def _keep(self, path: RepoPath, kind: Kind, entry: Entry, order: int) -> None:
        findings: tuple[Finding, ...] = ()
        if entry.links > 1:
            message = f"has {entry.links} names on disk: another name can change it"
            findings = (Finding(path, 0, "hard-link", message, "warning", "copy it, so that it has a text of its own"),)
        self.found.candidates.append(
            Candidate(path, kind, self.level, self.depth, entry.size, order, entry.stamp, findings)
        )

    def _rules(self) -> None:
        order = 0
        for path, entry in sorted(self._rule_entries(join(self.level, RULES), 1), key=lambda each: each[0].encode()):
            if self.ignore.matches(path):
                self.found.ignored.append(Ignored(path, IGNORED, IGNORE_FILE))
            elif entry.kind == "illegal":
                message = "has a name that no path may have"
                self._problem(path, "bad-name", message, "rename it, or ignore the folder it lies in")
            elif entry.kind != "file":
                self._refuse(path, entry)
            elif path.endswith(".md"):
                self._keep(RepoPath(path), Kind.RULE, entry, order)
                order += 1
            elif path.lower().endswith((".md", ".mdc", ".markdown")):
                message = "is not read: a rule's name ends in .md"
                self.found.misnamed.append(Finding(path, 0, "near-miss-name", message, "warning", "rename it"))

    def _rule_entries(self, folder: RepoPath, depth: int) -> Iterator[tuple[str, Entry]]:
        """Everything below the rules folder that is not a directory; an ignored directory is not entered."""
        try:
            entries = list(self.tree.list(folder))
        except AiwgError as error:
            self._problem(folder, error.code, error.message, error.hint)
            return
        self.found.entries += len(entries)
        if self.found.entries > MAX_ENTRIES:
            if self.found.entries - len(entries) <= MAX_ENTRIES:
                message = f"more than {MAX_ENTRIES} names lie below the rules folder of one level"
                self._problem(folder, "too-many-entries", message, "keep rules alone in there")
            return
        for entry in entries:
            path = f"{folder}/{entry.name}"
            if entry.kind != "dir":
                yield path, entry
            elif self.ignore.matches(f"{path}/"):
                self.found.ignored.append(Ignored(path, IGNORED, IGNORE_FILE))
            elif depth >= self.rules_depth:
                message = f"lies deeper than {self.rules_depth} levels below {RULES}"
                self._problem(path, "too-deep", message, "flatten it")
            else:
                yield from self._rule_entries(join(folder, entry.name), depth + 1)

    def _look(self, path: RepoPath) -> Entry | None:
        try:
            return self.tree.stat(path)
        except AiwgError as error:
            self._problem(path, error.code, error.message, error.hint)
            return None

    def _problem(self, path: str, rule: str, message: str, hint: str = "") -> None:
        self.found.problems.append(Finding(path, 0, rule, message, hint=hint))

    def _refuse(self, path: str, entry: Entry) -> None:
        hint = f"replace it by a regular file, or ignore it on purpose: aiwg-memory instructions ignore {rooted(path)}"
        if path == ".aiwg":
            # The file that says what is ignored lies inside.
            hint = "put a directory of its own in its place"
        if entry.kind == "link":
            self._problem(path, "symlink", "is a link; nobody reads through one", hint)
        else:
            what = "a directory" if entry.kind == "dir" else "a special file"
            self._problem(path, "special-file", f"is {what}, not a regular file", hint)

    def _explain_only_text(self) -> None:
        """Ignoring a link that stands for the only text of its level would lose that text: say so."""
        for number, old in enumerate(self.found.problems):
            if old.rule == "symlink" and old.path != ".aiwg":
                hint = f"{old.hint} ({self._lost(RepoPath(old.path))})"
                self.found.problems[number] = old._replace(hint=hint)

    def _lost(self, path: RepoPath) -> str:
        target = link_target(self.tree, path)
        where = inside(path, target) if target is not None else None
        what = f"the text of {where}" if where else "what it leads to"
        place = f"{self.level}/" if self.level else "the workspace root"
        return f"ignoring it leaves {place} without instructions: {what} is delivered only from a regular file"
