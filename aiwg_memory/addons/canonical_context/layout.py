"""Targets, keys and scopes: what they may be, the handle they give and the file they live in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from aiwg_memory.core.canonical import slug
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.screening import reserved_namespace
from aiwg_memory.errors import UsageError

ROOT = RepoPath(".aiwg/context/compound-memory")
STORE = RepoPath(".aiwg/context/compound-memory/store.yaml")
MARKER = b"# Canonical context is kept in this workspace; one file a key and scope, versions newest first.\n" + (
    b"schema: aiwg.canonical_store.v1\n"
)
TARGETS = {
    "project-fact": "fact",
    "preference": "profile",
    "goal": "standing",
    "project": "fact",
    "person": "profile",
    "decision": "decision",
    "operating-rule": "standing",
}
"""Each target, and the kind of memory item its values are."""
MAX_VALUE = 8192
MAX_BYTES = 1024 * 1024

_KEY = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}\Z")
_SCOPE = re.compile(r"(?:global|path:\S.*|(?:project|session):[A-Za-z0-9._-]{1,128})\Z")
_VERSION = re.compile(r":v([1-9][0-9]{0,8})\Z")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """One key in one scope: what is unique, and has a file of its own."""

    target: str
    key: str
    scope: str = "global"

    @property
    def base(self) -> str:
        """The handle without the scope: what two scopes of one key have in common."""
        return f"ctx:{self.target}/{self.key}"

    @property
    def handle(self) -> str:
        return self.base + ("" if self.scope == "global" else f"@{self.scope}")

    @property
    def path(self) -> RepoPath:
        """Raises UnsafePath for a key that no file system may hold (``con``)."""
        tail = "" if self.scope == "global" else "@" + slug(self.scope)
        return RepoPath(f"{ROOT}/{self.target}/{self.key}{tail}.yaml")


def problems(place: Place) -> list[str]:
    """Every rule that target, key and scope break, in words."""
    found = []
    if place.target not in TARGETS:
        found.append(f"the target {place.target!r} is not one of {', '.join(TARGETS)}")
    if not _KEY.match(place.key):
        found.append(
            f"the key {place.key!r} is not 1 to 128 of a-z, 0-9, '.', '_' and '-', beginning with a letter or digit"
        )
    else:
        # A key's first part ends where a name in dotted, dashed or underscored form does.
        taken = reserved_namespace(place.key) or reserved_namespace(re.split("[-_]", place.key)[0])
        if taken:
            found.append(f"the key {place.key!r} is in the namespace {taken}, which belongs to a higher authority")
        named = path_problem(f"{place.key}.yaml")
        if named:
            found.append(f"the key {place.key!r} cannot be the name of a file: it has {named}")
    return found + _scope_problems(place.scope)


def _scope_problems(scope: str) -> list[str]:
    if not _SCOPE.match(scope):
        return [f"the scope {scope!r} is not global, path:<directory>, project:<id> or session:<id>"]
    problem = path_problem(scope.removeprefix("path:")) if scope.startswith("path:") else None
    return [f"the scope {scope!r} has {problem}"] if problem else []


def parse_handle(name: str) -> tuple[Place, int | None]:
    """``ctx:<target>/<key>[@scope][:v3]``, with or without ``ctx:``. Raises UsageError for what cannot be one."""
    plain = name.removeprefix("ctx:")
    found = _VERSION.search(plain)
    if found:
        plain = plain[: found.start()]
    plain, _, scope = plain.partition("@")
    target, slash, key = plain.partition("/")
    if not slash or not target or not key:
        raise UsageError(f"{name!r} names no key", hint="write it as TARGET/KEY, such as project-fact/catalog.engine")
    return Place(target, key, scope or "global"), int(found[1]) if found else None
