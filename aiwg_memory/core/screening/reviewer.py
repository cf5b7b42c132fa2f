"""Whose word counts: a reviewer is a person by name, and no agent is at the keyboard.

A guard-rail, not authentication: whoever can write the directory can write anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aiwg_memory.core.paths import display
from aiwg_memory.core.screening.characters import oddities

MAX_NAME = 200

# Whole names that mean a machine. "Bot Nguyen" is a person, "bot" is not.
_MACHINES = frozenset((
    "agent", "agents", "assistant", "assistants", "llm", "model", "models", "repository", "repo", "tool", "tools",
    "supervisor", "automatic", "auto", "automated", "automation", "system", "bot", "bots", "ai", "robot",
    "machine", "subagent", "copilot", "codex", "chatgpt", "gpt", "opencode", "github-actions", "dependabot",
    "renovate", "claude code", "codex cli", "gemini cli", "cursor agent", "github actions", "github copilot",
    "coding agent", "ai agent", "ai assistant", "language model",
))  # fmt: skip
# What agents sign their commits with.
_MACHINE_ADDRESSES = frozenset(("noreply@anthropic.com", "cursoragent@cursor.com", "copilot@github.com"))


def reviewer_problem(name: str, allowed: Sequence[str] = ()) -> str | None:
    """Why ``name``, a name or ``name <address>``, may not review, or None.

    ``allowed`` closes the set when it is not empty: whole names or addresses, compared without case.
    """
    if not name.strip():
        return "the reviewer has no name"
    if len(name) > MAX_NAME:
        return f"the reviewer's name is longer than {MAX_NAME} characters"
    if any(c in "\t\n\r" for c in name) or next(oddities(name, strict=True), None):
        return f"the reviewer's name {display(name)} holds a control, invisible or look-alike character"
    person, address = _parts(name)
    if not person and not address:
        return "the reviewer has no name"
    if _is_machine(person or address.partition("@")[0]) or address in _MACHINE_ADDRESSES or "[bot]@" in address:
        return f"{display(name)} means a machine, and only a person can review"
    if allowed and not {person, address, _folded(name)} & {form for one in allowed for form in _forms(one)} - {""}:
        return f"{display(name)} is not among the allowed reviewers"
    return None


def _parts(name: str) -> tuple[str, str]:
    head, mark, tail = name.partition("<")
    if mark:
        return _folded(head).strip("\"'"), _folded(tail.rstrip().removesuffix(">"))
    return ("", _folded(name)) if "@" in name and " " not in name.strip() else (_folded(name), "")


def _forms(name: str) -> tuple[str, ...]:
    person, address = _parts(name)
    return (address, _folded(name)) if address else (person,)


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _is_machine(name: str) -> bool:
    return name.strip(" .@*_-\"'()[]") in _MACHINES or name.endswith("[bot]")


# Variables that an agent runtime sets for the commands it runs, and only then, as its documentation, its source or
# other projects' detectors have them. Not here, since people's terminals and settings have them too:
# CURSOR_TRACE_ID, TERM_PROGRAM and VSCODE_* (an editor's terminal), REPL_ID, CODEX_HOME, OPENCODE_CONFIG, AIDER_*,
# COPILOT_MODEL, *_API_KEY (settings), CI.
_DRIVING = {
    "CLAUDECODE": "Claude Code",  # its settings reference: 1 in shells it spawns
    "CLAUDE_CODE": "Claude Code",  # earlier name, set by wrappers
    "CLAUDE_CODE_ENTRYPOINT": "Claude Code",  # how the session began, inherited by its commands
    "CLAUDE_CODE_CHILD_SESSION": "Claude Code",
    "CODEX_SANDBOX": "Codex",  # seatbelt on macOS
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",  # its contributor notes: 1 in its shell tool
    "CODEX_THREAD_ID": "Codex",  # in its unified exec
    "CODEX_CI": "Codex",
    "CURSOR_AGENT": "Cursor",  # in the agent's terminal, not in a person's
    "GEMINI_CLI": "Gemini CLI",  # its shell tool: 1
    "QWEN_CODE": "Qwen Code",  # a fork of the same shell tool
    "OPENCODE": "OpenCode",
    "OPENCODE_CLIENT": "OpenCode",
    "COPILOT_CLI": "Copilot CLI",
    "COPILOT_AGENT": "Copilot coding agent",
    "COPILOT_AGENT_JOB_ID": "Copilot coding agent",
    "GOOSE_TERMINAL": "Goose",  # its developer extension: 1, beside AGENT=goose
    "AMP_CURRENT_THREAD_ID": "Amp",  # beside AGENT=amp
    "AUGMENT_AGENT": "Augment",
    "CLINE_ACTIVE": "Cline",
    "ANTIGRAVITY_AGENT": "Antigravity",
    "CRUSH": "Crush",
    "KILO_PID": "Kilo Code",
    "PI_CODING_AGENT": "Pi",
    "TRAE_AI_SHELL_ID": "Trae",
    "AI_AGENT": "an agent",  # proposed as a standard name; the value names the agent
}
_OFF = frozenset(("", "0", "false", "no", "off"))
# AGENT is proposed as a standard too, yet other programs use the word: only these values count.
_AGENT_VALUES = frozenset((
    "1", "true", "yes", "on", "goose", "amp", "claude", "claude-code", "cursor", "cursor-cli", "gemini",
    "gemini-cli", "codex", "augment", "cline", "opencode", "crush", "trae", "devin", "copilot", "github-copilot",
    "antigravity", "qwen-code", "kilo", "roo-code", "pi",
))  # fmt: skip


def agent_driving(environ: Mapping[str, str]) -> str | None:
    """The variable in ``environ`` that says an agent runs this command, or None; 0, false, no and off say no."""
    for name in _DRIVING:
        if environ.get(name, "").strip().casefold() not in _OFF:
            return name
    if environ.get("AGENT", "").strip().casefold().partition("@")[0] in _AGENT_VALUES:
        return "AGENT"
    # Cursor's extension host has the variable in a person's terminal as well, with another value.
    if environ.get("CURSOR_EXTENSION_HOST_ROLE") == "agent-exec":
        return "CURSOR_EXTENSION_HOST_ROLE"
    if "amazonq" in environ.get("AWS_EXECUTION_ENV", "").casefold():
        return "AWS_EXECUTION_ENV"
    return None
