"""What other tools keep, read into entries of one form. Pure: files by name in, entries and remarks out.

Nothing that is read here is believed: an entry carries what was said of it, and becomes something pending.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MAX_ENTRIES = 10_000


class File(NamedTuple):
    """One file to read. ``ref`` is the locator it may be cited by; "" for one outside the workspace."""

    data: bytes
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """``id`` is what the other tool calls it, ``origin`` what it says of it: tool, place, created_at, reviewer, reason,
    disposition. ``replacement`` is the other tool's id of what took its place."""

    text: str
    place: str
    id: str = ""
    status: str = "active"
    scope: str = "global"
    sources: tuple[Mapping[str, Any], ...] = ()
    tags: tuple[str, ...] = ()
    expires_at: str = ""
    review_at: str = ""
    replacement: str = ""
    origin: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Value:
    """One version of one key; several of one key come oldest first."""

    target: str
    key: str
    value: str
    place: str
    id: str
    status: str = "active"
    scope: str = "global"
    classification: str = "internal"
    sources: tuple[Mapping[str, Any], ...] = ()
    expires_at: str = ""
    review_at: str = ""
    origin: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """``path`` is below the wiki; ``text`` has no front matter but what a page of ours may take over."""

    path: str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Output:
    path: str
    digest: str
    media_type: str
    pack: Mapping[str, Any]
    sources: tuple[Mapping[str, Any], ...]
    place: str
    id: str
    supersedes: tuple[str, ...] = ()
    conflicts_with: tuple[str, ...] = ()


class Remark(NamedTuple):
    """What was left out, or taken in otherwise than it stood there, and why."""

    subject: str
    message: str


@dataclass(slots=True)
class Found:
    facts: list[Fact] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def remark(self, subject: str, message: str) -> None:
        self.remarks.append(Remark(subject, message))

    @property
    def count(self) -> int:
        return len(self.facts) + len(self.values) + len(self.pages) + len(self.outputs)


def unproven(tool: str) -> dict[str, Any]:
    """The dependency envelope of what another tool kept: nobody here can say what it rests on."""
    return {"state": "unknown", "reason": f"taken in from {tool}"}
