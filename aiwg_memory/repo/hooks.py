"""The pre-commit hook of a repository, wherever git looks for it: our lines put in, taken out, and looked at."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import NamedTuple

from aiwg_memory.core import hook_text
from aiwg_memory.core.paths import display
from aiwg_memory.errors import AiwgError, DiskFailed, UsageError
from aiwg_memory.repo.repository import Repository

_LIMIT = 1024 * 1024


class Hook(NamedTuple):
    """``installed``: our lines are there. ``current``: as this version would write them. ``runs``: git would run it.

    ``others``: what else is in it, as ``none``, ``shell`` (one script with ours) or ``chained`` (a file of its own).
    """

    path: str
    installed: bool
    current: bool
    runs: bool
    others: str
    hooks_path: str


def look(repository: Repository, ours: bytes) -> Hook:
    path, configured = _place(repository)
    data = _read(path)
    installed = data is not None and hook_text.BEGIN in data
    rest = hook_text.removed(data or b"")
    before = os.path.join(os.path.dirname(path), hook_text.BEFORE)
    others = "chained" if os.path.lexists(before) else "shell" if rest.strip() not in (b"", b"#!/bin/sh") else "none"
    return Hook(
        path, installed, ours in (data or b""), data is not None and os.access(path, os.X_OK), others, configured
    )


def install(repository: Repository, ours: bytes) -> Hook:
    """Put our lines in, or renew them. Stages nothing. Raises UsageError without a checkout, DiskFailed."""
    path, _ = _place(repository)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = _read(path)
        if data is not None and hook_text.BEGIN in data:
            old = data[data.index(hook_text.BEGIN) : data.index(hook_text.END) + len(hook_text.END)]
            _write(path, data.replace(old, ours), _mode(path))
        elif data is None and not os.path.lexists(path):
            _write(path, hook_text.NEW + ours, 0o755)
        elif data is not None and hook_text.takes_lines(data) and os.access(path, os.X_OK) and not os.path.islink(path):
            _write(path, hook_text.inserted(data, ours), _mode(path))
        else:
            _chain(path, ours)
    except OSError as error:
        raise _failed(path, error) from error
    return look(repository, ours)


def uninstall(repository: Repository, ours: bytes) -> Hook:
    """Take our lines out; what was there before is there again, byte for byte."""
    path, _ = _place(repository)
    before = os.path.join(os.path.dirname(path), hook_text.BEFORE)
    try:
        data = _read(path)
        if data is not None and hook_text.BEGIN in data:
            rest = hook_text.removed(data)
            if rest == hook_text.NEW + hook_text.chained() and os.path.lexists(before):
                os.replace(before, path)
            elif rest == hook_text.NEW:
                os.unlink(path)
            else:
                _write(path, rest, _mode(path))
    except OSError as error:
        raise _failed(path, error) from error
    return look(repository, ours)


def lines(repository: Repository, tool: str, watched: Sequence[str]) -> bytes:
    return hook_text.block(repository.prefix, tool, watched)


def _chain(path: str, ours: bytes) -> None:
    before = os.path.join(os.path.dirname(path), hook_text.BEFORE)
    if os.path.lexists(before):
        raise UsageError(
            f"{display(path)} cannot take lines, and {hook_text.BEFORE} is in the way",
            hint="move one of the two away; nothing was changed",
        )
    os.rename(path, before)
    try:
        _write(path, hook_text.NEW + ours + hook_text.chained(), 0o755)
    except OSError:
        os.rename(before, path)
        raise


def _place(repository: Repository) -> tuple[str, str]:
    """The file git runs, and what core.hooksPath says ("" when it says nothing)."""
    if repository.is_bare:
        raise UsageError(
            f"{display(repository.root)} is a bare repository; nobody commits in it",
            hint="a pre-receive hook can run `aiwg-memory check --range OLD..NEW`",
        )
    configured = repository.config("core.hooksPath") or ""
    found = repository.git_path("hooks")
    folder, name = os.path.split(found.rstrip("/"))
    if name == "_" and os.path.basename(folder) == ".husky":
        # Husky writes what is in `_` anew at every install and runs the file of the same name above it.
        found = folder
    return os.path.join(found, "pre-commit"), configured


def _read(path: str) -> bytes | None:
    """None for what is not there or is no regular file, a link to one included only when it can be read."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            return file.read(_LIMIT)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _failed(path, error) from error


def _mode(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def _write(path: str, data: bytes, mode: int) -> None:
    """In one step, so that a commit at this moment runs the old hook or the new one."""
    real = os.path.realpath(path)
    temporary = f"{real}.aiwg-memory-{os.getpid()}"
    with open(temporary, "xb") as file:
        file.write(data)
    os.chmod(temporary, mode)
    os.replace(temporary, real)


def _failed(path: str, error: OSError) -> AiwgError:
    return DiskFailed(f"{display(path)} could not be changed: {error.strerror}", hint="nothing else was changed")
