"""A rule of the check: what it is called, why it is there, and two examples that are its test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from aiwg_memory.core.findings import Severity

Files = Mapping[str, str | None]
"""Path to text; None is a symbolic link."""


class Example(NamedTuple):
    """A store, or with ``before`` a change of one: ``files`` is then what it became. ``day``: when one looks.

    ``disk``: it is judged where it lies, for rules about what a disk alone can hold. ``links`` are second names that
    the disk has for some of ``files``.
    """

    files: Files
    before: Files | None = None
    day: str = ""
    disk: bool = False
    links: Mapping[str, str] = {}


class Rule(NamedTuple):
    """``id`` stands in findings; one that ends in ``*`` is a family. ``severity`` is the usual one.

    ``bad`` gives a finding of this rule and ``good`` gives none. ``title`` is one line, ``why`` is for whoever met it.
    """

    id: str
    severity: Severity
    title: str
    why: str
    bad: Example
    good: Example

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "severity": self.severity, "title": self.title, "why": self.why}
