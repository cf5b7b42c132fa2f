"""RepoPath: the one definition of a legal path, and the only path type below the command line."""

from __future__ import annotations

import re
import unicodedata
from typing import Self

from aiwg_memory.core.patterns import pattern
from aiwg_memory.errors import UnsafePath

MAX_BYTES = 4096
MAX_PARTS = 64

# What HFS+ ignores when it compares names, so that ".g\u200cit" is ".git" there.
_IGNORABLE = "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]"
_CONTROL = r"[\x00-\x1f\x7f-\x9f\u2028\u2029]"
_DEVICE = r"(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)\Z"
_GIT = r"(?:\.git|git~[0-9]+)\Z"
_PART = pattern(r"[^./]+(?:\.[0-9]+)?\Z")
# Nine names of ten, at a quarter of the price: trees of ten thousand files are walked on every command. The
# patterns for the tenth are compiled when it is met.
_PLAIN = re.compile(
    r"(?!(?i:(?:con|prn|aux|nul|com[0-9]|lpt[0-9]) *(?:\.|\Z)|git~[0-9]+\Z|\.git\Z))[A-Za-z0-9_.~ -]*[A-Za-z0-9_-]\Z"
)


def part_problem(part: str) -> str | None:
    """Why ``part`` may not be one component of a path, or None."""
    if _PLAIN.match(part):
        return None
    if not part:
        return "an empty part"
    if part in (".", ".."):
        return f"the part {part!r}"
    if "/" in part:
        return "a slash inside one name"
    if "\\" in part or ":" in part:
        return "a backslash or a colon"
    if re.search(_CONTROL, part):
        return "a control or newline character"
    if not part.isascii():
        if any("\ud800" <= c <= "\udfff" for c in part):
            return "bytes that are not UTF-8"
        if not unicodedata.is_normalized("NFC", part):
            return "a name that is not in Unicode form NFC"
    folded = re.sub(_IGNORABLE, "", part).casefold().rstrip(". ")
    if not folded:
        return "a part of nothing but dots, spaces or invisible characters"
    if re.match(_GIT, folded):
        return "a part that a file system may take for .git"
    if re.match(_DEVICE, folded.partition(".")[0].rstrip(" ")):
        return "a Windows device name"
    return None


class RepoPath(str):
    """Relative, ``/``-separated, NFC, at most 4,096 bytes and 64 parts; code point order is byte order.

    Raises UnsafePath naming the rule. None stands for the root where a function takes ``RepoPath | None``.
    """

    __slots__ = ()

    def __new__(cls, value: str) -> Self:
        if isinstance(value, cls):
            return value
        problem = path_problem(value)
        if problem:
            raise UnsafePath(
                f"{display(value)} is not a legal path: it has {problem}",
                hint="use a relative path with / between plain names, below the workspace root",
            )
        return super().__new__(cls, value)

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.split("/"))

    @property
    def name(self) -> str:
        return self.rpartition("/")[2]

    @property
    def parent(self) -> RepoPath | None:
        head = self.rpartition("/")[0]
        return str.__new__(RepoPath, head) if head else None

    def under(self, folder: RepoPath | None) -> bool:
        """Whether this is ``folder`` or lies below it."""
        return folder is None or self == folder or self.startswith(folder + "/")


def path_problem(value: str) -> str | None:
    """Why ``value`` is not a legal path, or None."""
    if not value:
        return "no parts"
    if value.startswith("/"):
        return "a leading slash"
    parts = value.split("/")
    if len(parts) > MAX_PARTS:
        return f"more than {MAX_PARTS} parts"
    for part in parts:
        problem = part_problem(part)
        if problem:
            return problem
    if len(value.encode()) > MAX_BYTES:
        return f"more than {MAX_BYTES} bytes"
    return None


def parted(reference: str) -> tuple[str, str]:
    """What a reference names, and the lines or the section behind its last ``#``; "" where it names the whole.

    A ``#`` that a dot or a slash follows is part of a file's name: ``C#.md`` is a page, ``C#.md#L3`` a line of it.
    """
    name, _, part = reference.rpartition("#")
    return (name, part) if name and _PART.match(part) else (reference, "")


def join(folder: RepoPath | None, name: str) -> RepoPath:
    """``name`` below ``folder``, which is legal already and is not judged again. Raises UnsafePath."""
    if not folder:
        return RepoPath(name)
    path = f"{folder}/{name}"
    if _PLAIN.match(name) and len(path) * 4 <= MAX_BYTES and path.count("/") < MAX_PARTS:
        return str.__new__(RepoPath, path)
    return RepoPath(path)


def display(value: str) -> str:
    """A name that may be hostile, on one line and printable, at most 200 characters."""
    if value.isprintable() and 0 < len(value) <= 200:
        return value
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in value[:200])
    return shown + ("…" if len(value) > 200 else "") or "''"
