"""What ``init`` creates, and what it finds in a repository that already exists. Adds and appends, never overwrites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aiwg_memory.core.instructions.ignoring import rooted
from aiwg_memory.core.operations import Draft, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import Refused

CONFIG = RepoPath(".aiwg/config.yaml")
IGNORE = RepoPath(".aiwg/.gitignore")
ATTRIBUTES = RepoPath(".aiwg/.gitattributes")
INSTRUCTIONS_IGNORE = RepoPath(".aiwg/instructions.ignore")

IGNORE_LINES = (".local/", "wiki/index.md", "sessions/")
ATTRIBUTE_LINES = ("wiki/raw/** -text", "pins/objects/** -text")


@dataclass(frozen=True, slots=True)
class Discovery:
    """Something that was there before us, and what can be done with it."""

    path: str
    what: str
    advice: str


def plan_init(tree: Tree, request: Request) -> Plan:
    """Arguments: ``own``, for a person's own store; ``ignore``, the instruction files to list in
    ``instructions.ignore``. The id is the request's."""
    from aiwg_memory.core.config import render_config, render_own_config

    own = bool(request.arguments.get("own"))
    draft = Draft(tree)
    existing = tree.stat(CONFIG)
    if existing is None:
        render = render_own_config if own else render_config
        draft.write(CONFIG, render(request.workspace))
    elif existing.kind != "file":
        raise Refused(f"{CONFIG} is not a regular file", hint="move it away and run init again")
    if not own:
        _append(draft, tree, IGNORE, IGNORE_LINES)
        _append(draft, tree, ATTRIBUTES, ATTRIBUTE_LINES)
        _append(draft, tree, INSTRUCTIONS_IGNORE, tuple(rooted(each) for each in request.arguments.get("ignore", ())))
    verb = "Set up" if existing is None else "Complete"
    return Plan(
        request,
        f"{verb} {'your own store' if own else '.aiwg/ for this workspace'}",
        draft.changes,
        subjects=(request.workspace,),
    )


def _append(draft: Draft, tree: Tree, path: RepoPath, lines: tuple[str, ...]) -> None:
    entry = tree.stat(path)
    old = tree.read(path, limit=64 * 1024) if entry is not None and entry.kind == "file" else b""
    have = {line.strip() for line in old.decode("utf-8", "replace").splitlines()}
    missing = [line for line in lines if line not in have]
    if missing:
        lead = old if not old or old.endswith(b"\n") else old + b"\n"
        draft.write(path, lead + "".join(line + "\n" for line in missing).encode())


_INSTRUCTIONS = {
    "AGENTS.md": "Codex and most other agents",
    "AGENTS.override.md": "Codex",
    "CLAUDE.md": "Claude Code",
    ".claude/CLAUDE.md": "Claude Code",
    "GEMINI.md": "Gemini CLI",
    ".github/copilot-instructions.md": "Copilot",
    ".cursorrules": "Cursor",
    ".cursor/rules": "Cursor",
    ".windsurfrules": "Windsurf",
    ".goosehints": "goose",
}
_MEMORIES = {
    ".aiwg/memory/line-memory.txt": (
        "facts typed by hand, one a line",
        "readable at once, labelled unreviewed; `facts adopt` gives them records",
    ),
    ".aiwg/memory/line-memory.meta.json": (
        "another tool's record of the facts beside it",
        "left alone; `aiwg-memory import aiwg` takes in what it says of them",
    ),
    ".aiwg/context/compound-memory/context.json": (
        "another tool's canonical context",
        "left alone; `aiwg-memory import aiwg` takes it in, after `canon init`",
    ),
    ".aiwg/memory/output-registration": (
        "another tool's registered outputs",
        "left alone; `aiwg-memory import aiwg` takes them in",
    ),
    ".claude/agent-memory": (
        "memory files of Claude Code's agents",
        "left alone; `aiwg-memory import claude .claude/agent-memory` takes them in",
    ),
    ".serena/memories": (
        "Serena's memories",
        "left alone; `aiwg-memory import markdown .serena/memories` takes in their bullets",
    ),
    "memory-bank": (
        "a memory bank of Markdown files",
        "left alone; `aiwg-memory import markdown memory-bank` takes in their bullets",
    ),
    ".basic-memory": (
        "Basic Memory's notes",
        "left alone; `aiwg-memory import basic-memory .basic-memory` takes them in",
    ),
}


def discover(tree: Tree) -> Iterator[Discovery]:
    """Instruction files and other tools' memory at their well-known places; nothing is opened."""
    for name, agent in _INSTRUCTIONS.items():
        kind = _kind(tree, name)
        if kind == "link":
            yield Discovery(name, f"instructions for {agent}, as a link", "never followed; a line of .aiwg says so")
        elif kind is not None:
            yield Discovery(name, f"instructions for {agent}", "what an agent is told; init leaves it alone")
    for name, (what, advice) in _MEMORIES.items():
        if _kind(tree, name) is not None:
            yield Discovery(name, what, advice)


def linked_instructions(tree: Tree) -> tuple[str, ...]:
    """The instruction files that are links, so that a line may say they are ignored on purpose."""
    return tuple(name for name in ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md") if _kind(tree, name) == "link")


def _kind(tree: Tree, name: str) -> str | None:
    from aiwg_memory.errors import UnsafePath

    try:
        entry = tree.stat(RepoPath(name))
    except UnsafePath:
        return None
    return entry.kind if entry else None


def plan_undo(tree: Tree, request: Request) -> Plan:
    """The inverse of an ``init``: what it created goes, what it appended to is as before; later edits refuse."""
    from aiwg_memory.core.before import as_before

    receipt = request.arguments["receipt"]
    changes = as_before(tree, request).changes
    return Plan(request, f"Undo {receipt['kind']} {receipt['seg']}", changes, subjects=(request.workspace,))
