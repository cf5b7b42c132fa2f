"""What can go wrong that is the user's or the world's doing, each with a stable code and an exit status.

The statuses are those of the command line: 2 usage, 3 stale, 4 refused, 5 damaged, 74 input/output, 75 locked.
Any other exception is a bug of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol


class Problem(Protocol):
    """What an error needs of a finding: where, which rule, what, and the way out."""

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def rule(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def hint(self) -> str: ...
    def to_json(self) -> dict[str, Any]: ...


class AiwgError(Exception):
    """One sentence on what and where, a hint on the way out, and the findings when there are several problems."""

    code = "error"
    exit_status = 5

    def __init__(self, message: str, *, hint: str = "", code: str = "", findings: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code or type(self).code
        self.findings = tuple(findings)


class UsageError(AiwgError):
    """An argument, a configuration value or an id that cannot be used."""

    code, exit_status = "usage", 2


class NotFound(AiwgError):
    """The thing named is not there."""

    code, exit_status = "not-found", 2


class StalePreview(AiwgError):
    """What was previewed is no longer what would happen; ``fresh`` is the plan of what would, when there is one."""

    code, exit_status = "stale-preview", 3
    fresh: object = None


class Refused(AiwgError):
    """A safety rule says no: a secret, a reviewer, a bound that cannot be met."""

    code, exit_status = "refused", 4


class UnsafePath(Refused):
    """A path that is illegal, or that holds a link or a special file where a regular file or directory must be."""

    code = "unsafe-path"


class TooLarge(Refused):
    """More bytes, entries or levels than the stated bound."""

    code = "too-large"


class Damaged(AiwgError):
    """A store that cannot be read as what it should be, or an unfinished operation that needs a person."""

    code, exit_status = "damaged", 5


class DiskFailed(AiwgError):
    """The disk or a file failed: no space, read-only, an input/output error."""

    code, exit_status = "disk-failed", 74


class Locked(AiwgError):
    """Another process holds the workspace, or something moved while it was read: try again."""

    code, exit_status = "locked", 75
