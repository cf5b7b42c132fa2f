"""One file: a key in one scope and its versions, newest first; from bytes and back, unknown fields kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from aiwg_memory.addons.canonical_context.layout import MAX_BYTES, Place, problems
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.core.strict_yaml import load
from aiwg_memory.errors import Damaged

SCHEMA = "aiwg.canonical_file.v1"
ACTIVE = "active"
ORDER = (
    "version", "status", "value", "digest", "scope", "delivery", "review", "provenance", "classification", "sources",
    "dependencies", "reviewer", "reason", "created_at", "review_at", "expires_at", "disposition", "forgotten",
)  # fmt: skip
CHANGING = frozenset(("status", "disposition"))
"""What may change of a version once it is written: how it ended."""
ERASED = "[forgotten]"

Version = Mapping[str, Any]


@dataclass(frozen=True)
class CanonFile:
    """``versions`` newest first. Only the newest may be active; the others are history and stay as they are."""

    place: Place
    versions: tuple[Version, ...]
    extra: Mapping[str, Any]

    @property
    def last(self) -> int:
        return int(self.versions[0]["version"]) if self.versions else 0

    @property
    def active(self) -> Version | None:
        return self.versions[0] if self.versions and self.versions[0]["status"] == ACTIVE else None

    def get(self, number: int) -> Version | None:
        return next((one for one in self.versions if one["version"] == number), None)

    def ended(self, number: int, status: str, disposition: Mapping[str, Any]) -> CanonFile:
        """The same with one version ended; nothing else of it changes."""
        told = {name: value for name, value in disposition.items() if value not in (None, "")}
        changed = [
            {**one, "status": status, "disposition": told} if one["version"] == number else one for one in self.versions
        ]
        return replace(self, versions=tuple(changed))

    def with_version(self, version: Version) -> CanonFile:
        return replace(self, versions=(version, *self.versions))

    def version_handle(self, number: int) -> str:
        return f"{self.place.handle}:v{number}"

    def render(self) -> bytes:
        from aiwg_memory.core.plain_yaml import render

        head = {"schema": SCHEMA, "target": self.place.target, "key": self.place.key}
        return render({**head, **self.extra, "versions": [_ordered(one) for one in self.versions]})


def empty(place: Place) -> CanonFile:
    return CanonFile(place, (), {})


def value_digest(value: str) -> str:
    return digest(value.encode("utf-8", "surrogatepass"))


def edited(version: Version) -> bool:
    """Whether the value is not the one that was confirmed: somebody typed another into the file."""
    held = version["digest"] == value_digest(version["value"])
    return not held and not (version.get("forgotten") and version["value"] == ERASED)


def _ordered(version: Version) -> dict[str, Any]:
    """The keys in one order whatever order they came in: a saved request must give the same bytes as a fresh one."""
    known = {name: version[name] for name in ORDER if version.get(name) not in (None, "", [])}
    if "sources" in known:
        known["sources"] = [_first(one, ("ref", "digest", "span")) for one in known["sources"]]
    if "dependencies" in known:
        known["dependencies"] = _sorted(known["dependencies"])
    return {**known, **{name: value for name, value in version.items() if name not in ORDER}}


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    rest = sorted(set(value) - set(names))
    return {name: _sorted(value[name]) for name in (*names, *rest) if value.get(name) is not None}


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(one) for one in value] if isinstance(value, list | tuple) else value


def read_file(path: RepoPath, data: bytes) -> tuple[CanonFile | None, tuple[Finding, ...]]:
    """The file, and what is wrong with it; with an error there is no file to go by."""
    try:
        value = load(data, path=path, limit=MAX_BYTES)
    except Damaged as error:
        return None, tuple(Finding(path, one.line, one.rule, one.message, hint=one.hint) for one in error.findings)
    if isinstance(value, dict) and _newer(value.get("schema")):
        message = f"it is written in {value['schema']}, which is newer than this tool"
        return None, (Finding(path, 1, "newer-schema", message, "warning", "upgrade aiwg-memory"),)
    if cheap("canonical_file.v1", value) is not None:
        return None, tuple(explain("canonical_file.v1", value, path=path, line=1))
    place = Place(value["target"], value["key"], value["versions"][0]["scope"])
    extra = {name: each for name, each in value.items() if name not in ("schema", "target", "key", "versions")}
    found = CanonFile(place, tuple(value["versions"]), extra)
    wrong = [Finding(path, 1, rule, message, hint=hint) for rule, message, hint in _wrong(path, found)]
    if wrong:
        return None, tuple(wrong)
    return found, tuple(_edits(path, found))


def _newer(schema: Any) -> bool:
    head, _, number = schema.rpartition(".v") if isinstance(schema, str) else ("", "", "")
    return head == SCHEMA.rpartition(".v")[0] and number.isdecimal() and number != "1"


def _wrong(path: RepoPath, found: CanonFile) -> Iterable[tuple[str, str, str]]:
    named = problems(found.place)
    yield from (("canonical-key", message, "") for message in named)
    if not named and found.place.path != path:
        yield "canonical-path", f"the file of {found.place.handle} is {found.place.path}", "move it there"
    numbers = [one["version"] for one in found.versions]
    if numbers != list(range(len(numbers), 0, -1)):
        hint = "history is added to, never shortened; bring it back from git"
        yield "canonical-history", f"the versions are numbered {numbers}, not {len(numbers)} down to 1", hint
    if any(one["status"] == ACTIVE for one in found.versions[1:]):
        hint = "two branches set it: keep both versions, number them, and let the older one be superseded"
        yield "canonical-active", "a version that is not the newest is active", hint
    if any(one["scope"] != found.place.scope for one in found.versions):
        yield "canonical-scope", "the versions have different scopes", "each scope has a file of its own"


def _edits(path: RepoPath, found: CanonFile) -> Iterable[Finding]:
    for one in found.versions:
        if edited(one):
            message = f"{found.version_handle(one['version'])} has another value than the one that was confirmed"
            yield Finding(
                path, 1, "canonical-edited", message, "warning", "set the value by `canon set`, or take it back"
            )
