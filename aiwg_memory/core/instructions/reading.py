"""One candidate read and judged, once, however many targets it applies to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.content import Text, blank, prepare
from aiwg_memory.core.instructions.gather import Candidate
from aiwg_memory.core.instructions.names import OVERRIDE, Kind
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, TooLarge

if TYPE_CHECKING:
    from aiwg_memory.core.findings import ScreeningException

_IMPORTING = (Kind.AGENTS, Kind.CLAUDE, Kind.DOT_CLAUDE)


class Read(NamedTuple):
    """``problem`` is why it may not be delivered; without one, ``text`` None is a blank override."""

    text: Text | None = None
    problem: Finding | None = None


class Reader:
    """Reads candidates of one tree, each at most ``at_most`` bytes."""

    def __init__(self, tree: Tree, at_most: int, exceptions: Sequence[ScreeningException]) -> None:
        self._tree, self._at_most, self._exceptions = tree, at_most, exceptions
        self.confirmed: set[str] = set()
        self._known: dict[RepoPath, Read] = {}

    def read(self, each: Candidate) -> Read:
        if each.path not in self._known:
            self._known[each.path] = self._read(each)
        return self._known[each.path]

    def _read(self, each: Candidate) -> Read:
        try:
            data = self._tree.read(each.path, limit=self._at_most)
        except TooLarge:
            hint = "shorten it or spread it over files; nothing is cut"
            return _no(each, "source-too-large", f"has more than {self._at_most} bytes", hint)
        except AiwgError as error:
            return _no(each, error.code, error.message, error.hint)
        try:
            raw = data.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"is not UTF-8: byte {error.start} is {data[error.start]:#04x}"
            return _no(each, "invalid-utf8", message, "save it as UTF-8")
        if "\0" in raw:
            return _no(each, "nul-byte", "holds a NUL byte", "save it as UTF-8 text")
        if blank(raw):
            if each.path.name == OVERRIDE:
                return Read()
            return _no(each, "empty", "is blank; only an override may be", "write it, remove it or ignore it")
        imports = each.kind in _IMPORTING
        text = prepare(each.path, raw, imports=imports, exceptions=self._exceptions, confirmed=self.confirmed)
        return Read(text)


def _no(each: Candidate, rule: str, message: str, hint: str) -> Read:
    return Read(problem=Finding(each.path, 0, rule, message, hint=hint))
