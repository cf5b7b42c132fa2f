"""What the git hook runs, without the parser of command lines, which costs as much as the check itself."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiwg_memory.cli.findings import failed, findings_text
from aiwg_memory.cli.terminal import shown, write
from aiwg_memory.errors import AiwgError

if TYPE_CHECKING:
    from aiwg_memory.core.findings import Finding
    from aiwg_memory.workspace import Workspace

_FLAGS = frozenset(("--staged", "--new-only", "--strict", "--quiet", "--no-color"))


def run(words: Sequence[str]) -> int | None:
    """The exit status of ``check --staged`` with nothing but these flags and ``-C DIR``; None: this is for the parser.

    An error is for the parser too, which meets it again and reports it.
    """
    directory, flags = None, []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "-C" and rest and directory is None:
            directory = rest.pop(0)
        else:
            flags.append(word)
    if flags[:1] != ["check"] or "--staged" not in flags or not _FLAGS.issuperset(flags[1:]):
        return None
    from aiwg_memory.workspace import Workspace
    from aiwg_memory.workspace.staging import staging

    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    try:
        workspace = Workspace.open(directory, now=now, environ=os.environ, clock=time.time)
        base, listed = staging(workspace)
        findings = _judged(workspace, base, listed, new_only="--new-only" in flags) if listed else []
        write(shown(findings_text(findings)))
    except (AiwgError, OSError):
        return None
    return 1 if failed(findings, strict="--strict" in flags) else 0


def _judged(workspace: Workspace, base: str, listed: bytes, *, new_only: bool) -> list[Finding]:
    from aiwg_memory.workspace.gating import staged_of

    return staged_of(workspace, base, listed, new_only=new_only)
