"""``project_instruction_snapshot.v1``: the applicable texts of one target, and one number for what is delivered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import digest_json, short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.names import KIND_NAMES, Kind

PROTOCOL = "project_instruction_snapshot.v1"
TRUST = "project_workflow_untrusted"

# A source guides; it grants nothing. There is one authority for all sources, and no constructor for another.
AUTHORITY: Mapping[str, bool] = {
    "workflow_guidance": True,
    "formatting_guidance": True,
    "validation_guidance": True,
    **dict.fromkeys(
        (
            "tool",
            "network",
            "secret",
            "debug",
            "plugin",
            "hook",
            "mcp",
            "approval",
            "credential",
            "process",
            "terminal_lease",
            "execution_profile",
            "policy",
        ),
        False,
    ),
}


class Source(NamedTuple):
    """One delivered text. ``size`` is in bytes on disk; ``content_sha256`` is of the normalised, screened text.

    ``plain_sha256`` is of the same text before redaction, which tells other screening rules from another text;
    ``numbers`` are the lines on disk of the lines of ``content``, empty where it was not read from disk.
    """

    ordinal: int
    path: str
    kind: Kind
    scope: str
    depth: int
    precedence: int
    content: str
    content_sha256: str
    size: int
    why_effective: str
    redacted: bool
    plain_sha256: str = ""
    findings: tuple[Finding, ...] = ()
    numbers: tuple[int, ...] = ()

    def identity(self) -> dict[str, Any]:
        """What is delivered and why it wins: no text, no explanation, no time."""
        return {
            "ordinal": self.ordinal,
            "path": self.path,
            "kind": KIND_NAMES[self.kind],
            "scope": self.scope,
            "depth": self.depth,
            "precedence": self.precedence,
            "content_sha256": self.content_sha256,
            "redacted": self.redacted,
            "trust": TRUST,
            "authority": dict(AUTHORITY),
        }

    def to_json(self, loaded_at: str) -> dict[str, Any]:
        return {
            **self.identity(),
            "content": self.content,
            "plain_sha256": self.plain_sha256,
            "size": self.size,
            "loaded_at": loaded_at,
            "applicable_to": f"{self.scope}/**" if self.scope != "." else "**",
            "why_effective": self.why_effective,
            "findings": [finding.to_json() for finding in self.findings],
        }


def fingerprint(target: str, limits: Mapping[str, int], sources: Sequence[Mapping[str, Any]]) -> str:
    """Over what is delivered and why; ``sources`` are their identities, in order."""
    covered = {
        "protocol_version": PROTOCOL,
        "target_path": target,
        "limits": dict(limits),
        "sources": sources,
    }
    return short(digest_json(covered), 64)


class Ignored(NamedTuple):
    """A file that exists and is not delivered, and why; ``by`` names what replaces it, if something does."""

    path: str
    reason: str
    by: str = ""

    def to_json(self) -> dict[str, str]:
        return {"path": self.path, "reason": self.reason, "by": self.by}


class Conflict(NamedTuple):
    """Two sources of one kind at neighbouring levels: both stay, the nearer one wins where they disagree."""

    lower: str
    higher: str
    resolution: str

    def to_json(self) -> dict[str, str]:
        return {"lower": self.lower, "higher": self.higher, "resolution": self.resolution}


class Snapshot(NamedTuple):
    """Everything that applies to one target. ``findings`` are about the tree, those of a source are in the source."""

    target: str
    sources: tuple[Source, ...]
    ignored: tuple[Ignored, ...]
    conflicts: tuple[Conflict, ...]
    limits: Mapping[str, int]
    screening: str
    tree: str
    loaded_at: str
    findings: tuple[Finding, ...] = ()

    @property
    def fingerprint(self) -> str:
        """64 hex digits; equal exactly when the same texts are delivered for the same reason."""
        return fingerprint(self.target, self.limits, [source.identity() for source in self.sources])

    def to_json(self) -> dict[str, Any]:
        return {
            "protocol_version": PROTOCOL,
            "target_path": self.target,
            "fingerprint": self.fingerprint,
            "sources": [source.to_json(self.loaded_at) for source in self.sources],
            "ignored": [each.to_json() for each in self.ignored],
            "conflicts": [each.to_json() for each in self.conflicts],
            "limits": dict(self.limits),
            "screening": self.screening,
            "loaded_at": self.loaded_at,
            "tree": self.tree,
            "findings": [finding.to_json() for finding in self.findings],
        }
