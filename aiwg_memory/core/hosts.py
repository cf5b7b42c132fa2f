"""What each host that reads our output cuts, so that nothing is cut by it."""

from __future__ import annotations

from collections.abc import Mapping

from aiwg_memory.core.budget import Limit

# Claude Code turns a hook's string of more than 10,000 characters, counted after JSON escaping, into a preview (9,947
# passed, 10,843 did not); Codex takes 2,500 tokens of additional context. Both as measured in November 2026.
HOSTS: Mapping[str, Limit] = {
    "claude-hook": Limit("json-escaped", 9900),
    "codex-hook": Limit("tokens", 2500),
}
