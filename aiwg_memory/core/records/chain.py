"""What is wrong with the chains of a record set: broken links, forks, and what a change lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aiwg_memory.core.canonical import short
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.records.fold import Head
from aiwg_memory.core.records.version import Version


def chain_findings(versions: Iterable[Version]) -> list[Finding]:
    """A ``previous`` that names no version of the same handle. A cycle cannot be: each link is a digest over the last.

    The version stays usable; it stands as a head of its own.
    """
    lines = list(versions)
    owner: dict[str, set[str]] = {}
    for version in lines:
        owner.setdefault(version.digest, set()).add(version.handle)
    findings = []
    for version in lines:
        for name in version.previous:
            handles = owner.get(name, set())
            if version.handle in handles:
                continue
            what = f"a version of {min(handles)}" if handles else f"{short(name, 12)}, which is not there"
            findings.append(
                Finding(
                    version.path,
                    version.line,
                    "broken-chain",
                    f"version {version.version} of {version.handle} names as its predecessor {what}",
                    hint="bring back the segment that held it, from git",
                )
            )
    return sorted(set(findings))


_WAYS = {"lm": "`facts resolve` settles it", "cand": "`candidates resolve` settles it"}


def fork_findings(heads: Mapping[str, Head]) -> list[Finding]:
    """Every handle with more than one head, with who decided what; the place is that of the head readers go by."""
    findings = []
    for handle, head in heads.items():
        if head.fork:
            sides = " and ".join(
                f"{one.text('reviewer', 'someone')} ({_decision(one)}, {short(one.digest, 8)})" for one in head.fork
            )
            findings.append(
                Finding(
                    head.current.path,
                    head.current.line,
                    "record-fork",
                    f"{handle} was decided differently by {sides}; until it is settled the first stands",
                    hint=_WAYS.get(handle.partition("_")[0], "decide about it once more: that settles it"),
                )
            )
    return findings


def _decision(version: Version) -> str:
    review = version.text("review")
    return f"{version.status}, {review}" if review else version.status


def lost_findings(head: Iterable[Version], base: Iterable[Version]) -> list[Finding]:
    """Versions that were in ``base`` and are in no segment of ``head``: nothing is ever taken out of a record set."""
    kept = {version.digest for version in head}
    lost = {version.digest: version for version in base if version.digest not in kept}
    return [
        Finding(
            version.path,
            0,
            "record-lost",
            f"version {version.version} of {version.handle} ({version.status}) is gone from the records",
            hint="bring its segment back from git; a record is ended by a new version, not by deleting it",
        )
        for version in sorted(lost.values(), key=lambda one: (one.path, one.line))
    ]
