"""The queue in a person's editor; whatever goes wrong there, the person's text is kept in a file that is named."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from typing import Any

from aiwg_memory.cli.app import App
from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.errors import AiwgError, UsageError

SHEETS = RepoPath(".aiwg/.local/review")
MAX_SHEET = 4 * 1024 * 1024


def edited_batch(app: App, rows: Sequence[Any]) -> list[dict[str, Any]]:
    """The entries of the sheet as the person left it; [] for an empty one. Raises UsageError, naming the kept file,
    for an editor that fails and for a sheet that cannot be read."""
    from aiwg_memory.addons.compound_memory.candidates.sheet import parse_sheet, render_sheet
    from aiwg_memory.worktree.local import prepare

    sheet = render_sheet(rows).encode("utf-8", "surrogatepass")
    disk = app.workspace.journal.disk
    path = join(SHEETS, f"{short(digest(sheet), 12)}.md")
    prepare(disk)
    disk.make_dirs(SHEETS)
    disk.replace(path, sheet)
    try:
        _run_editor(app, os.path.join(app.workspace.root, path))
        text = disk.read(path, limit=MAX_SHEET).decode("utf-8")
        entries = parse_sheet(text, rows)
    except (AiwgError, UnicodeDecodeError) as error:
        message = error.message if isinstance(error, AiwgError) else "the sheet is not UTF-8"
        findings = error.findings if isinstance(error, AiwgError) else ()
        raise UsageError(
            f"{message}; nothing was changed",
            hint=f"what you wrote is kept in {path}",
            code="sheet",
            findings=findings,
        ) from error
    disk.unlink(path)
    return entries


def _run_editor(app: App, file: str) -> None:
    editor = app.environ.get("VISUAL") or app.environ.get("EDITOR") or ("vi" if app.interactive else "")
    if not editor:
        raise UsageError("there is no editor: neither VISUAL nor EDITOR is set, and this is no terminal")
    try:
        status = subprocess.run([*shlex.split(editor), file], check=False, env=dict(app.environ)).returncode
    except (OSError, ValueError) as error:
        raise UsageError(f"the editor {editor!r} cannot be started") from error
    if status != 0:
        raise UsageError(f"the editor {editor!r} ended with status {status}")
