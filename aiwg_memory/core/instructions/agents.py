"""What each agent loads: one table, each rule with its source and date, because agents change.

A change of an agent is a change of its row here and in ``docs/agents.md``; how rows are read is in ``compare``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Citation(NamedTuple):
    """``how`` the rule was found: ``code`` read in the sources, ``docs`` stated by the vendor, ``search`` quoted by
    others from the vendor's page, which was not read itself."""

    rule: str
    how: Literal["code", "docs", "search"]
    source: str
    date: str


class Files(NamedTuple):
    """Names in one directory. ``first``: of those that exist the first alone; ``nearest``: the deepest level's alone.

    ``root``: looked for at the root only. ``unless``: not loaded where one of these lies in the chain.
    """

    names: tuple[str, ...]
    pick: Literal["first", "all", "nearest"] = "all"
    root: bool = False
    unless: tuple[str, ...] = ()


class Rules(NamedTuple):
    """Files below ``folder`` whose name ends in ``suffix``; ``key`` of their front matter says for which paths.

    ``unkeyed``: whether one without the key is loaded at once. ``known``: every key of the front matter that is read.
    ``always``: the key that, being true, has one loaded whatever else it says.
    """

    folder: str
    suffix: str
    key: str
    unkeyed: bool
    known: tuple[str, ...]
    root: bool = False
    always: str = ""


class Agent(NamedTuple):
    """``total`` and ``each`` are in bytes. What is over ``total`` is cut, a file over ``each`` is skipped whole.

    ``hops``: how deep ``@path`` imports are followed, 0 for not at all. ``below``: what happens to files deeper than
    the directory it was started in. ``links``: whether links are followed, None where it is not stated.
    """

    name: str
    title: str
    files: tuple[Files, ...]
    rules: tuple[Rules, ...]
    total: int | None
    each: int | None
    skips_blank: bool
    hops: int
    below: Literal["never", "when touched", "loaded"]
    links: bool | None
    citations: tuple[Citation, ...]


_CODEX = "codex-rs/core/src/agents_md.rs @0cf644af"
_CODEX_DOCS = "developers.openai.com/codex/guides/agents-md"
_CLAUDE = "code.claude.com/docs/en/memory (copy: ericbuess/claude-code-docs @e82bac34)"
_CLAUDE_LOG = "anthropics/claude-code CHANGELOG.md"
_GEMINI = "memoryDiscovery.ts @5411f113"
_GEMINI_IMPORTS = "memoryImportProcessor.ts @5411f113"
_COPILOT = "github/docs @042be307"
_CURSOR = "cursor.com/docs/rules"
_WHEN = "2026-11"

AGENTS = (
    Agent(
        name="codex",
        title="Codex",
        files=(Files(("AGENTS.override.md", "AGENTS.md"), pick="first"),),
        rules=(),
        total=32 * 1024,
        each=None,
        skips_blank=True,
        hops=0,
        below="never",
        links=True,
        citations=(
            Citation("from the directory that holds .git down to where it was started", "code", _CODEX, _WHEN),
            Citation("of each directory the first file that exists, even a blank one", "code", _CODEX, _WHEN),
            Citation("32 KiB (project_doc_max_bytes) for the chain, root first, cut as bytes", "code", _CODEX, _WHEN),
            Citation("blank files are skipped and take no room", "code", _CODEX, _WHEN),
            Citation("links are allowed", "docs", _CODEX_DOCS, _WHEN),
            Citation("no imports", "code", "cluesmith/codev#1208", _WHEN),
            Citation("nothing below where it was started", "code", _CODEX, _WHEN),
        ),
    ),
    Agent(
        name="claude",
        title="Claude Code",
        files=(
            Files(("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")),
            Files(("AGENTS.md", ".claude/AGENTS.md"), unless=("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")),
        ),
        rules=(Rules(".claude/rules", ".md", "paths", True, ("paths",)),),
        total=None,
        each=4 * 1024 * 1024,
        skips_blank=False,
        hops=4,
        below="when touched",
        links=True,
        citations=(
            Citation("from the file system's root down to where it was started, all joined", "docs", _CLAUDE, _WHEN),
            Citation("CLAUDE.md, .claude/CLAUDE.md, CLAUDE.local.md, .claude/rules/**/*.md", "docs", _CLAUDE, _WHEN),
            Citation("AGENTS.md only where no CLAUDE.md lies at or above (2.1.277 on)", "docs", _CLAUDE_LOG, _WHEN),
            Citation("AGENTS.override.md is never read", "docs", _CLAUDE, _WHEN),
            Citation("a file of up to 4 MiB whole, a larger one not at all", "docs", _CLAUDE, _WHEN),
            Citation("@path imports, four hops, not in code", "docs", _CLAUDE, _WHEN),
            Citation("files further down when something there is read or written", "docs", _CLAUDE, _WHEN),
            Citation("a rule with bad front matter is loaded for every path", "docs", _CLAUDE, _WHEN),
            Citation("links are followed", "docs", _CLAUDE, _WHEN),
        ),
    ),
    Agent(
        name="gemini",
        title="Gemini CLI",
        files=(Files(("GEMINI.md",)),),
        rules=(),
        total=None,
        each=None,
        skips_blank=False,
        hops=5,
        below="when touched",
        links=True,
        citations=(
            Citation("from .git's directory down, by path; GEMINI.md or context.fileName", "code", _GEMINI, _WHEN),
            Citation("no limit of size", "code", _GEMINI, _WHEN),
            Citation("links are followed, out of the project too", "code", _GEMINI, _WHEN),
            Citation("@path imports inside the project, five deep, not in code", "code", _GEMINI_IMPORTS, _WHEN),
            Citation("files further down when a tool touches a path there", "code", _GEMINI, _WHEN),
        ),
    ),
    Agent(
        name="copilot",
        title="Copilot",
        files=(
            Files((".github/copilot-instructions.md",), root=True),
            Files(("AGENTS.md",), pick="nearest"),
            Files(("CLAUDE.md", "GEMINI.md"), pick="first", root=True, unless=("AGENTS.md",)),
        ),
        rules=(
            Rules(
                ".github/instructions",
                ".instructions.md",
                "applyTo",
                False,
                ("applyTo", "description", "excludeAgent", "name"),
                root=True,
            ),
        ),
        total=None,
        each=None,
        skips_blank=False,
        hops=0,
        below="loaded",
        links=None,
        citations=(
            Citation(
                ".github/copilot-instructions.md and what matches of .github/instructions", "docs", _COPILOT, _WHEN
            ),
            Citation("AGENTS.md anywhere, the nearest one wins", "docs", _COPILOT, _WHEN),
            Citation("or one CLAUDE.md or GEMINI.md at the root", "docs", _COPILOT, _WHEN),
            Citation("limits and links are not stated", "docs", _COPILOT, _WHEN),
        ),
    ),
    Agent(
        name="cursor",
        title="Cursor",
        files=(Files((".cursorrules",), root=True), Files(("AGENTS.md",))),
        rules=(
            Rules(
                ".cursor/rules", ".mdc", "globs", False, ("alwaysApply", "description", "globs"), always="alwaysApply"
            ),
        ),
        total=None,
        each=None,
        skips_blank=False,
        hops=0,
        below="when touched",
        links=None,
        citations=(
            Citation(".cursor/rules/**/*.mdc, of directories further down too; no plain .md", "search", _CURSOR, _WHEN),
            Citation("loaded where alwaysApply is true or globs match, else on demand", "search", _CURSOR, _WHEN),
            Citation("AGENTS.md of each directory, together; the nearer one wins", "search", _CURSOR, _WHEN),
            Citation(".cursorrules at the root, an older form", "search", _CURSOR, _WHEN),
            Citation("sizes, imports and links are not stated there", "search", _CURSOR, _WHEN),
        ),
    ),
)

NAMED = {agent.name: agent for agent in AGENTS}

EVERY_NAME = tuple(
    dict.fromkeys(
        [
            *(name for agent in AGENTS for files in agent.files for name in files.names),
            ".aiwg/instructions.md",
        ]
    )
)
"""Every file name that some agent, or this tool, looks for in a directory."""

OWN_RULES = Rules(".aiwg/rules", ".md", "", True, ())
EVERY_FOLDER = (OWN_RULES, *(rules for agent in AGENTS for rules in agent.rules))


def level_of(path: str) -> str | None:
    """The directory an instruction file speaks for ("" the root); None for what no agent looks for."""
    whole = f"/{path}"
    names = [name for name in (*EVERY_NAME, "AGENTS.override.md") if whole.endswith(f"/{name}")]
    if names:
        return whole[1 : -len(max(names, key=len)) - 1]
    for rules in EVERY_FOLDER:
        before, found, _ = whole.partition(f"/{rules.folder}/")
        if found and path.endswith(rules.suffix) and not (rules.root and before):
            return before[1:]
    return None
