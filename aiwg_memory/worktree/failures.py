"""What an error of the operating system means to the person at the keyboard."""

from __future__ import annotations

import errno

from aiwg_memory.core.paths import display
from aiwg_memory.errors import AiwgError, DiskFailed, NotFound, UnsafePath

_DENIED = (errno.EACCES, errno.EPERM)
_CROWDED = (errno.EMFILE, errno.ENFILE)


def failure(error: OSError, path: str, doing: str = "be read") -> AiwgError:
    """The error to raise instead. ``path`` is shown as it is safe to show."""
    shown = display(path)
    if isinstance(error, FileNotFoundError):
        return NotFound(f"{shown} is not there")
    if isinstance(error, NotADirectoryError):
        return NotFound(f"{shown} is not there: a file stands where a folder would have to")
    if error.errno == errno.ELOOP:
        return UnsafePath(f"{shown} is a link; nobody reads through it", hint=LINK_HINT)
    if error.errno == errno.ENAMETOOLONG:
        return NotFound(f"{shown} is not there: its name is longer than this file system keeps")
    hint = "the operating system says so; look at the disk before trying again"
    if error.errno in _DENIED:
        hint = "check who owns it and its permissions"
    elif error.errno in _CROWDED:
        hint = "too many files are open; close other programs or raise the limit"
    elif error.errno == errno.ENOSPC:
        hint = "the disk is full; make room and try again"
    elif error.errno == errno.EROFS:
        hint = "the file system is mounted read-only"
    return DiskFailed(f"{shown} cannot {doing}: {error.strerror or error}", hint=hint)


LINK_HINT = "replace it by what it points to, or ignore it where ignoring is possible"
