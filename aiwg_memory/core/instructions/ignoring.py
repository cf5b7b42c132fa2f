"""``.aiwg/instructions.ignore``: the explicit, recorded way to live with a file that would be refused."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.names import IGNORE_FILE
from aiwg_memory.core.paths import display
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, TooLarge

if TYPE_CHECKING:
    from pathspec import PathSpec

MAX_BYTES = 16 * 1024
MAX_PATTERNS = 128


@dataclass(frozen=True)
class IgnoreFile:
    """At most 128 patterns in at most 16 KiB, gitignore-style, relative to the root; no negation."""

    patterns: tuple[str, ...] = ()
    present: bool = False

    @cached_property
    def _spec(self) -> PathSpec[Any]:
        from pathspec import PathSpec

        return PathSpec.from_lines("gitignore", self.patterns)

    def matches(self, path: str) -> bool:
        """Whether ``path``, or a directory above it, is named by a pattern."""
        return bool(self.patterns) and self._spec.match_file(path)


def load_ignore(tree: Tree, problems: list[Finding]) -> IgnoreFile:
    """The ignore file of a tree; what is wrong with it goes to ``problems``, all of it together."""
    try:
        entry = tree.stat(IGNORE_FILE)
        if entry is None:
            return IgnoreFile()
        data = tree.read(IGNORE_FILE, limit=MAX_BYTES)
        text = data.decode("utf-8-sig")
    except TooLarge:
        problems.append(Finding(IGNORE_FILE, 0, "ignore-too-large", f"has more than {MAX_BYTES} bytes"))
        return IgnoreFile(present=True)
    except AiwgError as error:
        problems.append(Finding(IGNORE_FILE, 0, error.code, error.message, hint=error.hint))
        return IgnoreFile(present=True)
    except UnicodeDecodeError:
        problems.append(Finding(IGNORE_FILE, 0, "invalid-utf8", "is not UTF-8"))
        return IgnoreFile(present=True)
    patterns = []
    for number, line in enumerate(text.splitlines(), 1):
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        problem = _problem(pattern)
        if problem:
            problems.append(
                Finding(
                    IGNORE_FILE,
                    number,
                    "bad-ignore",
                    f"the pattern {display(pattern)!r} {problem}",
                    hint="write a path or a gitignore-style pattern relative to the workspace root",
                )
            )
        else:
            patterns.append(pattern)
    if len(patterns) > MAX_PATTERNS:
        problems.append(
            Finding(IGNORE_FILE, 0, "ignore-too-many", f"has {len(patterns)} patterns; at most {MAX_PATTERNS} are read")
        )
    return IgnoreFile(tuple(patterns), True)


def _problem(pattern: str) -> str | None:
    if "\0" in pattern:
        return "holds a NUL"
    if "\\" in pattern:
        return "holds a backslash, which means different things on different systems"
    if pattern.startswith("!"):
        return "is a negation; only what is ignored can be said"
    if pattern.startswith("/") or pattern[1:2] == ":":
        return "is absolute"
    if ".." in pattern.split("/"):
        return "holds the part '..'"
    return None
