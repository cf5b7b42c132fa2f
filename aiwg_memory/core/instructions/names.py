"""The file names that are instructions, in the order of their precedence within one level."""

from __future__ import annotations

from enum import IntEnum

from aiwg_memory.core.paths import RepoPath


class Kind(IntEnum):
    """The kinds of one level, the later the higher; of an override and its plain file at most one counts."""

    AGENTS = 0
    CLAUDE = 1
    DOT_CLAUDE = 2
    AIWG = 3
    RULE = 4


OVERRIDE = "AGENTS.override.md"
AGENTS = "AGENTS.md"
SINGLE = {Kind.CLAUDE: "CLAUDE.md", Kind.DOT_CLAUDE: ".claude/CLAUDE.md", Kind.AIWG: ".aiwg/instructions.md"}
RULES = ".aiwg/rules"
IGNORE_FILE = RepoPath(".aiwg/instructions.ignore")

KIND_NAMES = {
    Kind.AGENTS: "agents",
    Kind.CLAUDE: "claude",
    Kind.DOT_CLAUDE: "claude-directory",
    Kind.AIWG: "aiwg",
    Kind.RULE: "rule",
}

# Spellings that people write and no agent of that name reads; looked up by name, so a level is never listed.
NEAR_MISSES = {
    "AGENTS.md": ("agents.md", "Agents.md", "AGENTS.MD", "AGENT.md", "agent.md", "AGENTS.txt"),
    "AGENTS.override.md": ("AGENTS.OVERRIDE.md", "agents.override.md", "AGENTS.override.MD"),
    "CLAUDE.md": ("claude.md", "Claude.md", "CLAUDE.MD"),
    ".claude/CLAUDE.md": (".claude/claude.md", ".claude/Claude.md"),
    ".aiwg/instructions.md": (".aiwg/INSTRUCTIONS.md", ".aiwg/instructions.MD", ".aiwg/Instructions.md"),
}


def near_level(path: str) -> str | None:
    """The directory that a nearly right name would speak for ("" the root); None for any other name."""
    found = [name for names in NEAR_MISSES.values() for name in names if f"/{path}".endswith(f"/{name}")]
    return f"/{path}"[1 : -len(max(found, key=len)) - 1] if found else None


def is_instruction(path: str) -> bool:
    """Whether a path is, by its name alone, a source of this tool's own rules."""
    name = path.rpartition("/")[2]
    return (
        name in (AGENTS, OVERRIDE, "CLAUDE.md")
        or f"/{path}".endswith("/.aiwg/instructions.md")
        or (f"/{RULES}/" in f"/{path}" and name.endswith(".md"))
    )
