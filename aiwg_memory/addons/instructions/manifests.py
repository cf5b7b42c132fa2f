"""One manifest of a pin: bytes to a revision and back.

A manifest holds neither time nor reviewer (its receipt does), so that the same confirmation on two branches is one file
with the same bytes, and two different ones are two files of one revision: a fork, which the next revision settles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from aiwg_memory.core.canonical import digest, indented_json, slug
from aiwg_memory.core.instructions.names import KIND_NAMES, Kind
from aiwg_memory.core.instructions.snapshot import Source, fingerprint
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.records import read_line
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Damaged

PINS = RepoPath(".aiwg/pins")
MAX_MANIFEST = 1 << 20
CLASSES = ("mandatory", "optional", "excluded")
REASONS = ("superseded", "not_applicable", "withdrawn")
_SHA = re.compile(r"[0-9a-f]{64}\Z")
_KINDS = {name: kind for kind, name in KIND_NAMES.items()}


class Pin(NamedTuple):
    """One revision. ``digest`` is that of the manifest's bytes, which later revisions name as ``previous``.

    ``sources`` are without their texts.
    """

    path: RepoPath
    digest: str
    value: Mapping[str, Any]
    sources: tuple[Source, ...]

    @property
    def target(self) -> str:
        return str(self.value["target"])

    @property
    def revision(self) -> int:
        return int(self.value["revision"])

    @property
    def handle(self) -> str:
        return f"pin:{self.target}:{self.revision}"

    @property
    def fingerprint(self) -> str:
        return str(self.value["fingerprint"])

    @property
    def withdrawn(self) -> bool:
        return bool(self.value["status"] == "withdrawn")

    @property
    def screening(self) -> str:
        return str(self.value["screening"])

    @property
    def delivery(self) -> dict[str, Mapping[str, str]]:
        """By path: the class a reviewer set, also of paths that are no source at the moment."""
        return {each["path"]: each for each in self.value["delivery"]}

    def delivery_class(self, path: str) -> str:
        return self.delivery[path]["class"] if path in self.delivery else "optional"


def folder_of(target: str) -> RepoPath:
    return join(PINS, slug(target))


def read_pin(tree: Tree, path: RepoPath) -> Pin:
    """One manifest. Raises Damaged, NotFound, UnsafePath."""
    data = tree.read(path, limit=MAX_MANIFEST)
    whole = digest(data)
    value, sources, problem = _parsed(data, whole)
    problem = problem or _inconsistent(path, value, sources)
    if problem:
        raise Damaged(f"{path}: {problem}", hint="pins are never edited: take it back from git")
    return Pin(path, whole, value, sources)


_Pin = tuple[Any, tuple[Source, ...], str]


def _parsed(data: bytes, whole: str) -> _Pin:
    """The value, its sources, and what is wrong with it. What pins of one chain have in common is parsed once.

    A list as ``write_manifest`` writes it is taken out, and the digest of all put in its place, which no document can
    hold of itself: the whole can be parsed exactly when the parts can.
    """
    rest = data
    taken: dict[str, tuple[Any, tuple[Source, ...] | None]] = {}
    for name in ("conflicts", "sources"):
        begin = f'\n "{name}": '.encode()
        before, _, after = rest.partition(begin + b"[\n")
        listed, end, after = after.partition(b"\n ]")
        shared = _shared(listed) if end else None
        if shared is not None:
            taken[name] = shared
            rest = b'%b%b"%b"%b' % (before, begin, whole.encode(), after)
    value, wrong = read_line(rest)
    if taken and (wrong or type(value) is not dict or any(value.get(name) != whole for name in taken)):
        taken = {}
        value, wrong = read_line(data)
    if wrong:
        return value, (), f"it cannot be read: {wrong}"
    for name in taken:
        value[name] = taken[name][0]
    sources = None
    if _is_pin(value):
        sources = taken["sources"][1] if "sources" in taken else _sources(value["sources"])
    return (value, (), _misshapen(value)) if sources is None else (value, sources, "")


@lru_cache(maxsize=4096)
def _shared(listed: bytes) -> tuple[Any, tuple[Source, ...] | None] | None:
    """The list of which these are the items, and the sources it is one of; None where it is no list by itself."""
    value, wrong = read_line(b'{"":[%b]}' % listed)
    return None if wrong or len(value) != 1 else (value[""], _sources(value[""]))


def _misshapen(value: Any) -> str:
    from aiwg_memory.core.schema import cheap

    return cheap("pin.v1", value) or "it is no pin"


_TEXTS = ("handle", "target", "status", "fingerprint", "screening", "reason")
_FIELDS = itemgetter(
    "path", "kind", "scope", "content_sha256", "plain_sha256", "why_effective", "ordinal", "depth", "precedence",
    "size", "redacted",
)  # fmt: skip


def _sources(listed: Any) -> tuple[Source, ...] | None:
    """None for what has not the shape of the sources of a pin."""
    try:
        return tuple(_source(*_FIELDS(each)) for each in listed)
    except (KeyError, TypeError, AttributeError):
        return None


def _is_pin(value: Any) -> bool:
    """Whether it has the shape of one, judged by what is read of it: there may be hundreds a command."""
    try:
        return (
            value["schema"] == "aiwg.pin.v1"
            and all(type(value[name]) is str for name in _TEXTS)
            and type(value["revision"]) is int
            and value["revision"] > 0
            # The first revision alone comes after none.
            and (value["revision"] > 1) is bool(value["previous"])
            and value["status"] in ("pinned", "withdrawn")
            and all(type(value[name]) is list for name in ("previous", "delivery", "sources"))
            and all(type(each) is str for each in value["previous"])
            and all(type(each) is int for each in value["limits"].values())
            and all(each["class"] in CLASSES and type(each["path"]) is str for each in value["delivery"])
            and all(each["reason"] in ("", *REASONS) for each in value["delivery"])
            and all(type(each["content_sha256"]) is str for each in value["delivery"])
        )
    except (KeyError, TypeError, AttributeError):
        return False


@lru_cache(maxsize=4096, typed=True)
def _source(
    path: str, kind: str, scope: str, content_sha256: str, plain_sha256: str, why_effective: str, ordinal: int,
    depth: int, precedence: int, size: int, redacted: bool,
) -> Source:  # fmt: skip
    """Raises TypeError or KeyError for what is none. Pins of one chain share theirs."""
    texts = (path, kind, scope, content_sha256, plain_sha256, why_effective)
    if (
        not all(type(each) is str for each in texts)
        or not all(type(each) is int for each in (ordinal, depth, precedence, size))
        or type(redacted) is not bool
        or _SHA.match(content_sha256) is None
        # Else a text that nobody confirmed would pass for one whose findings a person has seen.
        or (plain_sha256 != content_sha256) is not redacted
    ):
        raise TypeError("no source of a pin")
    return Source(
        ordinal=ordinal,
        path=path,
        kind=Kind(_KINDS[kind]),
        scope=scope,
        depth=depth,
        precedence=precedence,
        content="",
        content_sha256=content_sha256,
        size=size,
        why_effective=why_effective,
        redacted=redacted,
        plain_sha256=plain_sha256,
    )


def _inconsistent(path: RepoPath, value: Mapping[str, Any], sources: tuple[Source, ...]) -> str:
    if path.name != _name(value["revision"], value["fingerprint"]):
        return "its name is not that of its revision and fingerprint"
    if path.parent != folder_of(value["target"]):
        return f"it does not lie in the folder of {value['target']}"
    if value["status"] == "pinned" and fingerprint(value["target"], value["limits"], sources) != value["fingerprint"]:
        return "its sources do not have its fingerprint"
    now = {each.path: each.content_sha256 for each in sources}
    if any(now.get(each["path"], each["content_sha256"]) != each["content_sha256"] for each in value["delivery"]):
        return "a delivery class is bound to another text than the one it delivers"
    return ""


def write_manifest(value: Mapping[str, Any]) -> tuple[RepoPath, bytes]:
    path = join(folder_of(value["target"]), _name(value["revision"], value["fingerprint"]))
    return path, indented_json(value)


def _name(revision: int, fingerprint: str) -> str:
    return f"{revision:04d}-{fingerprint[:12]}.json"
