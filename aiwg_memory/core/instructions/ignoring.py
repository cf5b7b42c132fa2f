"""``.aiwg/instructions.ignore``: the explicit, recorded way to live with a file that would be refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.names import IGNORE_FILE
from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, TooLarge

if TYPE_CHECKING:
    from pathspec import PathSpec

_WILD = re.compile(r"[*?\[]")
_STORE = RepoPath(".aiwg")
MAX_BYTES = 16 * 1024
MAX_PATTERNS = 128
# Each one that is not closed is searched for to the end of the pattern.
MAX_BRACKETS = 32


class IgnoreFile:
    """At most 128 patterns in at most 16 KiB, gitignore-style, relative to the root; no negation.

    As in a ``.gitignore``, a pattern without a slash names a file or directory anywhere. A leading ``./`` ties it to
    the root, as a leading slash does there, which here is refused with all that is absolute.
    """

    def __init__(self, patterns: tuple[str, ...] = (), present: bool = False) -> None:
        self.patterns, self.present = patterns, present
        self._plain = tuple(each for each in patterns if not _WILD.search(each))
        wild = [_rooted(each) for each in patterns if _WILD.search(each)]
        self._wild: PathSpec[Any] | None = _spec(wild) if wild else None

    def matches(self, path: str) -> bool:
        """Whether ``path`` (a directory's ends in a slash), or a directory above it, is named by a pattern."""
        if any(_names(pattern, path) for pattern in self._plain):
            return True
        return self._wild is not None and self._wild.match_file(path)


def rooted(path: str) -> str:
    """The pattern that names this one path and no other."""
    return path if "/" in path else f"./{path}"


def _spec(patterns: Sequence[str]) -> PathSpec[Any]:
    from pathspec import PathSpec

    return PathSpec.from_lines("gitignore", patterns)


def _rooted(pattern: str) -> str:
    return pattern[1:] if pattern.startswith("./") else pattern


def _names(pattern: str, path: str) -> bool:
    """A pattern without wildcards, which is most of them: not worth importing a library for."""
    name = pattern.removeprefix("./")
    if "/" in name.rstrip("/") or name is not pattern:
        whole = name.rstrip("/") + "/"
        return f"{path}/".startswith(whole) if not name.endswith("/") else path.startswith(whole)
    parts = path.split("/")
    if name.endswith("/"):
        parts.pop()
    return name.rstrip("/") in parts


def load_ignore(tree: Tree, problems: list[Finding]) -> IgnoreFile:
    """The ignore file of a tree; what is wrong with it goes to ``problems``, all of it together."""
    try:
        store = tree.stat(_STORE)
        # Anything else in its place is one problem of the level it stands at, reported there.
        entry = tree.stat(IGNORE_FILE) if store is not None and store.kind == "dir" else None
        if entry is None:
            return IgnoreFile()
        data = tree.read(IGNORE_FILE, limit=MAX_BYTES)
    except TooLarge:
        message = f"has more than {MAX_BYTES} bytes"
        problems.append(
            Finding(IGNORE_FILE, 0, "ignore-too-large", message, hint="shorten it; a folder needs one line")
        )
        return IgnoreFile(present=True)
    except AiwgError as error:
        problems.append(Finding(IGNORE_FILE, 0, error.code, error.message, hint=error.hint))
        return IgnoreFile(present=True)
    return parse_ignore(data, problems)


def parse_ignore(data: bytes, problems: list[Finding]) -> IgnoreFile:
    """The patterns of an ignore file's bytes; every broken line goes to ``problems``."""
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        problems.append(Finding(IGNORE_FILE, 0, "invalid-utf8", "is not UTF-8", hint="save it as UTF-8"))
        return IgnoreFile(present=True)
    patterns = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        problem = pattern_problem(pattern)
        if problem:
            message = f"the pattern {display(pattern)!r} {problem}"
            hint = "write a path or a gitignore-style pattern relative to the workspace root"
            problems.append(Finding(IGNORE_FILE, number, "bad-ignore", message, hint=hint))
        else:
            patterns.append(pattern)
    if len(patterns) > MAX_PATTERNS:
        message = f"has {len(patterns)} patterns; at most {MAX_PATTERNS} are read"
        hint = "name folders instead of each file in them"
        problems.append(Finding(IGNORE_FILE, 0, "ignore-too-many", message, hint=hint))
        # What is refused anyway is not matched against: a pattern costs time at every name.
        return IgnoreFile(present=True)
    return IgnoreFile(tuple(patterns), True)


def pattern_problem(pattern: str) -> str | None:
    """Why one line may not be a pattern, or None."""
    if "\0" in pattern:
        return "holds a NUL"
    if not pattern.isprintable():
        return "holds a control or invisible character"
    if "\\" in pattern:
        return "holds a backslash, which means different things on different systems"
    if pattern.startswith("!"):
        return "is a negation; only what is ignored can be said"
    if pattern.startswith("/") or pattern[1:2] == ":":
        return "is absolute"
    if ".." in pattern.split("/"):
        return "holds the part '..'"
    if not pattern.strip("/*?."):
        return "would ignore everything; name what is to be ignored"
    return _costly(pattern) if _WILD.search(pattern) else None


def _costly(pattern: str) -> str | None:
    """Matching goes back and forth between the stars of one name: ten of them take minutes on forty characters."""
    names = pattern.removesuffix("/**").split("/")
    if names.count("**") > 1 or any(name.count("*") > 2 for name in names):
        return "holds more than two * in one name, or more than one **"
    if pattern.count("[") > MAX_BRACKETS:
        return f"holds more than {MAX_BRACKETS} brackets"
    try:
        _spec([_rooted(pattern)])
    except (ValueError, re.error):
        return "is no pattern; look at its brackets"
    return None
