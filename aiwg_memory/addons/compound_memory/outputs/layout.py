"""Where registrations lie, and the status of those that stand."""

from __future__ import annotations

from aiwg_memory.core.paths import RepoPath

RECORDS = RepoPath(".aiwg/memory/outputs.d")
LIVE = "active"
