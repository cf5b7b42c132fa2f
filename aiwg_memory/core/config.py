"""``.aiwg/config.yaml``: settings and identity of one workspace. Its legal values are in the schema ``config.v1``.

A workspace without the file is readable with the defaults, which are those of the classes here; its ``workspace`` is
then "", and a mutation asks for ``init`` first.

The classes are named tuples: every command imports this, and eleven dataclasses would take five times as long to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from aiwg_memory.core.findings import Finding, ScreeningException
from aiwg_memory.core.paths import RepoPath, path_problem
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, UsageError

PATH = RepoPath(".aiwg/config.yaml")
MAX_BYTES = 64 * 1024
KIND = "config.v1"
WEIGHTS: Mapping[str, int] = MappingProxyType({"sessions": 1, "canonical": 3, "wiki": 8, "facts": 4})


class Context(NamedTuple):
    """``total`` and each cap are in ``unit``. ``floor`` None is the scorer's own; a section without a cap has none."""

    total: int = 8000
    unit: str = "characters"
    weights: Mapping[str, int] = WEIGHTS
    caps: Mapping[str, int] = MappingProxyType({})
    floor: float | None = None
    default_no_touch: bool = True


class Delivery(NamedTuple):
    """Which review states go out, and how loudly doubt is said. ``always_cap`` is in characters."""

    retrieved: tuple[str, ...] = ("confirmed", "pending")
    always: tuple[str, ...] = ("confirmed",)
    always_cap: int = 1000
    unknown_lineage: str = "label"
    changed_source: str = "label"
    session_hooks: bool = False


class Facts(NamedTuple):
    max_lines: int = 200
    max_characters: int = 500


class Sources(NamedTuple):
    max_bytes: int = 4 * 1024 * 1024
    output_folders: tuple[RepoPath, ...] = (RepoPath("output"),)


class Maintenance(NamedTuple):
    scan_limit: int = 1000
    lock_timeout_ms: int = 5000


class Limits(NamedTuple):
    """Of instruction discovery; a workspace may tighten them, never widen."""

    sources: int = 64
    source_bytes: int = 64 * 1024
    total_bytes: int = 256 * 1024
    depth: int = 32


class Instructions(NamedTuple):
    profile: str = "aiwg"
    limits: Limits = Limits()
    agent_overflow: str = "warning"


class Sessions(NamedTuple):
    track: bool = False


class Config(NamedTuple):
    """``store`` is whose it is: a ``repository``'s, or one ``user``'s own. ``reviewers`` empty: any person.

    ``addons`` None: all built-in ones.
    """

    workspace: str = ""
    store: str = "repository"
    review_policy: str = "explicit"
    agents: str = "propose"
    confirm_under_agent: bool = False
    reviewers: tuple[str, ...] = ()
    receipts: str = "expected"
    addons: tuple[str, ...] | None = None
    context: Context = Context()
    delivery: Delivery = Delivery()
    facts: Facts = Facts()
    sources: Sources = Sources()
    maintenance: Maintenance = Maintenance()
    instructions: Instructions = Instructions()
    screening: tuple[ScreeningException, ...] = ()
    sessions: Sessions = Sessions()

    def to_json(self) -> dict[str, Any]:
        """The file's content with every default spelled out; ``from_json`` is its inverse."""
        return _document(self)


_SECTIONS: Mapping[str, type] = {
    "context": Context,
    "delivery": Delivery,
    "facts": Facts,
    "sources": Sources,
    "maintenance": Maintenance,
    "sessions": Sessions,
}


def from_json(document: Mapping[str, Any]) -> Config:
    """The Config of a document that the schema ``config.v1`` accepts."""
    given = {key: _frozen(value) for key, value in document.items() if key != "schema"}
    for name, kind in _SECTIONS.items():
        if name in given:
            given[name] = kind(**_values(name, given[name]))
    if "instructions" in given:
        inner = dict(given["instructions"])
        given["instructions"] = Instructions(**{**inner, "limits": Limits(**inner.get("limits", {}))})
    if "screening" in given:
        given["screening"] = tuple(
            ScreeningException(each["class"], each["where"], each["reason"]) for each in given["screening"]
        )
    return Config(**given)


def _values(section: str, values: Mapping[str, Any]) -> dict[str, Any]:
    result = {key: _frozen(value) for key, value in values.items()}
    if section == "context":
        result["weights"] = {**WEIGHTS, **result.get("weights", {})}
    if section == "sources" and "output_folders" in result:
        result["output_folders"] = tuple(RepoPath(each) for each in result["output_folders"])
    return result


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _document(value: Any) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, each in value._asdict().items():
        if each is None or (key in ("workspace", "reviewers", "screening") and not each):
            continue
        if key == "screening":
            each = [{"class": one.screening_class, "where": one.where, "reason": one.reason} for one in each]
        elif hasattr(each, "_asdict"):
            each = _document(each)
        elif isinstance(each, tuple):
            each = [str(one) for one in each]
        result[key] = dict(each) if isinstance(each, Mapping) else each
    return result


def load_config(tree: Tree) -> Config:
    """The workspace's settings; the defaults where there is no file. Raises like ``parse_config`` and ``Tree.read``."""
    if tree.stat(PATH) is None:
        return Config()
    return parse_config(tree.read(PATH, limit=MAX_BYTES), PATH)


def parse_config(data: bytes, path: str = PATH) -> Config:
    """Raises UsageError (code ``config``) with every problem as a finding: place, value, rule, legal range."""
    from aiwg_memory.core.strict_yaml import load

    try:
        document = load(data, path=path, limit=MAX_BYTES)
    except AiwgError as error:
        raise UsageError(error.message, hint=error.hint, code="config", findings=error.findings) from error
    if document is None:
        document = {}
    problems = _problems(document, data, path)
    if problems:
        raise UsageError(
            f"{path}: " + "; ".join(problem.message for problem in problems),
            hint=next((problem.hint for problem in problems if problem.hint), "correct the file and run it again"),
            code="config",
            findings=problems,
        )
    return from_json(document)


def _problems(document: Any, data: bytes, path: str) -> list[Finding]:
    if cheap(KIND, document) is not None:
        lines = _lines(data, path)
        return explain(KIND, document, path=path, locate=lambda at: lines.get(str(at[0]), 0) if at else 0)
    folders = document.get("sources", {}).get("output_folders", [])
    line = _lines(data, path).get("sources", 0) if folders else 0
    return [
        Finding(path, line, "config", f"/sources/output_folders/{at}: {folder!r} is no legal path: it has {problem}")
        for at, folder in enumerate(folders)
        if (problem := path_problem(folder)) is not None
    ]


def _lines(data: bytes, path: str) -> dict[str, int]:
    """The line of each top-level key; a problem is placed at the section it is in."""
    from aiwg_memory.core.strict_yaml import outline

    return {span.key: span.line + 1 for span in outline(data.decode(), path=path) or ()}


def render_own_config(workspace: str) -> bytes:
    """The file ``init`` writes into a person's own store: facts alone, and nothing of a repository."""
    return f"""\
# Settings of your own store. It lies outside every repository and is not shared; packs take it in only when asked.
schema: aiwg.config.v1

# Who this store is, drawn once: do not change it.
workspace: {workspace}

# Every fact here is yours alone.
store: user
addons: [line-memory]
""".encode()


def render_config(workspace: str) -> bytes:
    """The file ``init`` writes: the identity, and what people change first, commented out with its default."""
    return f"""\
# Settings of this workspace. What is not set here has its default; `aiwg-memory config` shows all values.
schema: aiwg.config.v1

# Who this workspace is, drawn once. Clones share it: do not change it.
workspace: {workspace}

# Who may confirm changes, as whole names or addresses. Without a list, any person may.
# reviewers:
#   - Ada Lovelace <ada@example.org>

# A tracked change without a receipt is a warning (expected) or fails `check --range` (required).
# receipts: expected

# The hard bound of a context pack, in characters, and how its sections share it.
# context:
#   total: 8000
#   weights: {{canonical: 3, wiki: 8, facts: 4, sessions: 1}}
""".encode()
