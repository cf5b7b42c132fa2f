"""One version of one record: the whole JSON object, and the digest that stands for the decision in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from aiwg_memory.core.canonical import DIGEST, canonical_json, digest_json
from aiwg_memory.core.patterns import pattern

DIMENSIONS = ("kind", "scope", "delivery", "review", "provenance", "epoch")
COVERED = ("handle", "previous", "status", "digest", "replacement", *DIMENSIONS)
KNOWN_SCHEMA = 1

_SCHEMA = pattern(r"aiwg\.[a-z][a-z0-9_]*\.v([1-9][0-9]{0,5})\Z")
_TIME = pattern(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z\Z")


class Version:
    """``value`` is the JSON object as read, unknown fields included; nobody changes it. ``path`` and ``line`` say where
    it was read and do not count when versions are compared. Build one from foreign data only after ``problem``."""

    def __init__(self, value: Mapping[str, Any], path: str = "", line: int = 0) -> None:
        self.value, self.path, self.line = value, path, line

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def handle(self) -> str:
        return str(self.value["handle"])

    @property
    def version(self) -> int:
        return int(self.value["version"])

    @property
    def previous(self) -> tuple[str, ...]:
        """The digests of the versions this one replaces: none for a first one, several where it settles a fork."""
        stated = self.value.get("previous")
        if stated is None:
            return ()
        return (stated,) if isinstance(stated, str) else tuple(stated)

    @property
    def status(self) -> str:
        return str(self.value["status"])

    @property
    def at(self) -> str:
        return str(self.value["at"])

    @property
    def seg(self) -> str:
        return self.text("seg")

    @property
    def newer(self) -> bool:
        """Whether a newer tool wrote it: it can be read as far as it is understood, and not be replaced."""
        return schema_number(self.value) > KNOWN_SCHEMA

    def text(self, name: str, default: str = "") -> str:
        """The field ``name`` where it is a string that is not empty, else ``default``."""
        found = self.value.get(name)
        return found if isinstance(found, str) and found else default

    def list(self, name: str) -> tuple[Any, ...]:
        found = self.value.get(name)
        return tuple(found) if isinstance(found, list) else ()

    def object(self, name: str) -> Mapping[str, Any]:
        found = self.value.get(name)
        return found if isinstance(found, dict) else {}

    @cached_property
    def digest(self) -> str:
        """Over handle, previous, status, text digest, replacement and the dimensions alone.

        Absent, null and empty are the same. Two people who decide the same thing about the same version make one
        version; taking a reason or a reviewer's name out of it breaks no chain.
        """
        covered = {name: self.value[name] for name in COVERED if self.value.get(name) not in (None, "", [])}
        if self.previous:
            covered["previous"] = sorted(self.previous)
        return digest_json(covered)

    @cached_property
    def canonical(self) -> bytes:
        """The line as it is stored, without its newline."""
        return canonical_json(self.value)


def succeed(heads: Iterable[Version], changes: Mapping[str, Any], like: Version | None = None) -> Version:
    """The version that replaces ``heads`` (one, or all of a fork): ``changes`` over the fields of ``like``.

    ``like`` is the first head unless it is given; no heads make a first version. ``version`` and ``previous`` follow
    from the heads.
    """
    before = tuple(heads)
    base = like or (before[0] if before else None)
    value = {**(base.value if base else {}), **changes}
    names = sorted({head.digest for head in before})
    value["version"] = 1 + max((head.version for head in before), default=0)
    value["previous"] = None if not names else names[0] if len(names) == 1 else names
    return Version(value)


def schema_number(value: Mapping[str, Any]) -> int:
    """The number at the end of ``schema``; 0 when there is none."""
    match = _SCHEMA.match(value["schema"]) if isinstance(value.get("schema"), str) else None
    return int(match[1]) if match else 0


def problem(value: Any) -> str | None:
    """Why a JSON value cannot be a record version, or None. What folding needs, and no more: a store has its schema."""
    if not isinstance(value, dict):
        return "not a JSON object"
    if not schema_number(value):
        return "`schema` is not of the form aiwg.<thing>.v<number>"
    for name in ("handle", "status"):
        if not isinstance(value.get(name), str) or not value[name]:
            return f"`{name}` is not a string that holds something"
    number = value.get("version")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        return "`version` is not a whole number from 1"
    if not isinstance(value.get("at"), str) or not _TIME.match(value["at"]):
        return "`at` is not a time of the form 2026-01-31T12:00:00Z"
    return _previous_problem(value.get("previous")) or _shape_problem(value)


def _previous_problem(stated: Any) -> str | None:
    names = [] if stated is None else stated if isinstance(stated, list) else [stated]
    if all(isinstance(name, str) and DIGEST.match(name) for name in names):
        return None
    return "`previous` is neither null nor a digest nor a list of digests"


def _shape_problem(value: Mapping[str, Any]) -> str | None:
    for name, kind, phrase in (("sources", dict, "objects"), ("parents", str, "strings")):
        stated = value.get(name)
        if stated is not None and not (isinstance(stated, list) and all(isinstance(one, kind) for one in stated)):
            return f"`{name}` is not a list of {phrase}"
    for name in (*DIMENSIONS, "digest", "replacement"):
        stated = value.get(name)
        if stated is not None and not isinstance(stated, str):
            return f"`{name}` is not a string"
    envelope = value.get("dependencies")
    if envelope is not None and not isinstance(envelope, dict):
        return "`dependencies` is not an object"
    return None
