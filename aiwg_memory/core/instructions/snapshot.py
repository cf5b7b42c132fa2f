"""``project_instruction_snapshot.v1``: the applicable texts of one target, and one number for what is delivered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import canonical_json, digest, short
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
        return _identity(*self._covered())

    def covered(self) -> bytes:
        """Its identity as canonical JSON."""
        return _identity_json(*self._covered())

    def _covered(self) -> tuple[int, str, Kind, str, int, int, str, bool]:
        return (
            self.ordinal, self.path, self.kind, self.scope, self.depth, self.precedence, self.content_sha256,
            self.redacted,
        )  # fmt: skip

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


def _identity(
    ordinal: int, path: str, kind: Kind, scope: str, depth: int, precedence: int, content_sha256: str, redacted: bool
) -> dict[str, Any]:
    return {
        "ordinal": ordinal,
        "path": path,
        "kind": KIND_NAMES[kind],
        "scope": scope,
        "depth": depth,
        "precedence": precedence,
        "content_sha256": content_sha256,
        "redacted": redacted,
        "trust": TRUST,
        "authority": dict(AUTHORITY),
    }


@lru_cache(maxsize=4096)
def _identity_json(*covered: Any) -> bytes:
    """Hundreds of pins share their sources, and most of a fingerprint's time is this."""
    return canonical_json(_identity(*covered))


def fingerprint(target: str, limits: Mapping[str, int], sources: Sequence[Source]) -> str:
    """Of canonical JSON over what is delivered and why: protocol, target, limits and sources, in order."""
    said = _beginning(tuple(limits.items())), _listed(tuple(sources)), canonical_json(target)
    return short(digest(b'%b,"sources":[%b],"target_path":%b}' % said), 64)


@lru_cache(maxsize=64)
def _beginning(limits: tuple[tuple[str, int], ...]) -> bytes:
    return b'{"limits":%b,"protocol_version":%b' % (canonical_json(dict(limits)), canonical_json(PROTOCOL))


def _listed(sources: Sequence[Source]) -> bytes:
    return b",".join(source.covered() for source in sources)


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
        return fingerprint(self.target, self.limits, self.sources)

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
