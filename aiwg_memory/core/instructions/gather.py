"""Which files are consulted on the way to a target. Looks names up; opens nothing but the ignore file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.ignoring import IgnoreFile, load_ignore
from aiwg_memory.core.instructions.names import AGENTS, IGNORE_FILE, NEAR_MISSES, OVERRIDE, RULES, SINGLE, Kind
from aiwg_memory.core.instructions.snapshot import Ignored
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.tree import Entry, Tree
from aiwg_memory.errors import AiwgError

WAY_OUT = "replace it by a regular file, or ignore it on purpose: aiwg-memory instructions ignore {path}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A regular file that may be a source. ``order`` counts the rules of one level."""

    path: RepoPath
    kind: Kind
    level: RepoPath | None
    depth: int
    size: int
    order: int = 0
    findings: tuple[Finding, ...] = ()


@dataclass
class Gathered:
    """What one walk came across, in the order of delivery."""

    candidates: list[Candidate] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def gather(tree: Tree, levels: Sequence[RepoPath | None], limits: Mapping[str, int]) -> Gathered:
    """Every candidate of every level; problems are collected, not raised."""
    found = Gathered()
    ignore = load_ignore(tree, found.problems)
    if ignore.present:
        found.ignored.append(Ignored(IGNORE_FILE, "control file", ""))
    for depth, level in enumerate(levels):
        _Level(tree, ignore, found, level, depth, limits["depth"]).gather()
    return found


@dataclass(frozen=True)
class _Level:
    tree: Tree
    ignore: IgnoreFile
    found: Gathered
    level: RepoPath | None
    depth: int
    rules_depth: int

    def gather(self) -> None:
        before = len(self.found.candidates), len(self.found.problems)
        self._single(OVERRIDE, Kind.AGENTS)
        self._single(AGENTS, Kind.AGENTS)
        for kind, name in SINGLE.items():
            folder = name.rpartition("/")[0]
            if not folder or self._folder(folder, name):
                self._single(name, kind)
        if self._folder(".aiwg", RULES) and self._folder(RULES, RULES):
            self._rules()
        self._near_misses()
        self._explain_only_text(*before)

    def _folder(self, name: str, inside: str) -> bool:
        """Whether there is a real directory; a link in its place is one problem, unless what lies inside is ignored."""
        path = join(self.level, name)
        entry = self._look(path)
        if entry is None or entry.kind == "file":
            return False
        if entry.kind == "dir":
            return True
        if (
            self.ignore.matches(path)
            or self.ignore.matches(f"{path}/")
            or self.ignore.matches(join(self.level, inside))
        ):
            self.found.ignored.append(Ignored(path, "ignored by .aiwg/instructions.ignore", IGNORE_FILE))
        else:
            self._refuse(path, entry)
        return False

    def _single(self, name: str, kind: Kind) -> None:
        path = join(self.level, name)
        entry = self._look(path)
        if entry is None:
            return
        if self.ignore.matches(path):
            self.found.ignored.append(Ignored(path, "ignored by .aiwg/instructions.ignore", IGNORE_FILE))
        elif entry.kind != "file":
            self._refuse(path, entry)
        else:
            self._keep(path, kind, entry, 0)

    def _keep(self, path: RepoPath, kind: Kind, entry: Entry, order: int) -> None:
        findings: tuple[Finding, ...] = ()
        if entry.links > 1:
            findings = (
                Finding(
                    path, 0, "hard-link", f"has {entry.links} names on disk: another name can change it", "warning"
                ),
            )
        self.found.candidates.append(Candidate(path, kind, self.level, self.depth, entry.size, order, findings))

    def _rules(self) -> None:
        order = 0
        for path, entry in sorted(self._rule_entries(join(self.level, RULES), 1), key=lambda each: each[0]):
            if entry.kind == "file" and not path.endswith(".md"):
                if path.lower().endswith((".md", ".mdc", ".markdown")):
                    self.found.findings.append(
                        Finding(
                            path, 0, "near-miss-name", "is not read: a rule's name ends in .md", "warning", "rename it"
                        )
                    )
            elif self.ignore.matches(path):
                self.found.ignored.append(Ignored(path, "ignored by .aiwg/instructions.ignore", IGNORE_FILE))
            elif entry.kind != "file":
                self._refuse(path, entry)
            else:
                self._keep(RepoPath(path), Kind.RULE, entry, order)
                order += 1

    def _rule_entries(self, folder: RepoPath, depth: int) -> Iterator[tuple[str, Entry]]:
        """Everything below the rules folder that is not a directory; an ignored directory is not entered."""
        try:
            entries = list(self.tree.list(folder))
        except AiwgError as error:
            self.found.problems.append(Finding(folder, 0, error.code, error.message, hint=error.hint))
            return
        for entry in entries:
            if entry.kind == "illegal":
                self.found.problems.append(
                    Finding(
                        f"{folder}/{entry.name}", 0, "bad-name", "has a name that no path may have", hint="rename it"
                    )
                )
            elif entry.kind != "dir":
                yield f"{folder}/{entry.name}", entry
            elif self.ignore.matches(f"{folder}/{entry.name}/"):
                path = f"{folder}/{entry.name}"
                self.found.ignored.append(Ignored(path, "ignored by .aiwg/instructions.ignore", IGNORE_FILE))
            elif depth >= self.rules_depth:
                message = f"lies deeper than {self.rules_depth} levels below {RULES}"
                self.found.problems.append(Finding(f"{folder}/{entry.name}", 0, "too-deep", message, hint="flatten it"))
            else:
                yield from self._rule_entries(join(folder, entry.name), depth + 1)

    def _near_misses(self) -> None:
        for right, wrong in NEAR_MISSES.items():
            exact = self._look(join(self.level, right))
            for name in wrong:
                entry = self._look(join(self.level, name))
                # On a file system that folds case, the right name answers to the wrong one too.
                if entry is not None and entry.kind == "file" and (exact is None or exact.stamp != entry.stamp):
                    self.found.findings.append(
                        Finding(
                            join(self.level, name), 0, "near-miss-name", f"is not read: the name is {right}", "warning"
                        )
                    )

    def _look(self, path: RepoPath) -> Entry | None:
        try:
            return self.tree.stat(path)
        except AiwgError:
            # What stands in the way was looked at one level up, and reported there.
            return None

    def _refuse(self, path: str, entry: Entry) -> None:
        if entry.kind == "link":
            problem = Finding(path, 0, "symlink", "is a link; nobody reads through one", hint=WAY_OUT.format(path=path))
        else:
            what = "a directory" if entry.kind == "dir" else "a special file"
            problem = Finding(path, 0, "special-file", f"is {what}, not a regular file", hint=WAY_OUT.format(path=path))
        self.found.problems.append(problem)

    def _explain_only_text(self, candidates: int, problems: int) -> None:
        """Ignoring a link that stands for the only text of its level would lose that text: say so."""
        if len(self.found.candidates) > candidates:
            return
        for number in range(problems, len(self.found.problems)):
            old = self.found.problems[number]
            if old.rule == "symlink":
                hint = f"{old.hint} (ignoring it leaves no instructions at this level: replacing it keeps them)"
                self.found.problems[number] = Finding(old.path, old.line, old.rule, old.message, old.severity, hint)
