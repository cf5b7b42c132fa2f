"""The screen as facts use it: the workspace's recorded exceptions may name a fact by its path or by its handle."""

from __future__ import annotations

from aiwg_memory.addons.line_memory.text import FACTS
from aiwg_memory.core.config import Config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import RepoPath


def screened(text: str, path: RepoPath, config: Config, *, line: int = 0, strict: bool = False) -> list[Finding]:
    """What is wrong with a text that stands, or will stand, in ``path``."""
    from aiwg_memory.core.screening import screen

    handle = "lm_" + path.name[:16] if path.parent == FACTS else ""
    exceptions = [each._replace(where=path) if each.where == handle else each for each in config.screening]
    return screen(text, path=path, line=line, strict=strict, exceptions=exceptions)
