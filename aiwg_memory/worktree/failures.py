"""What an error of the operating system means to the person at the keyboard."""

from __future__ import annotations

import errno

from aiwg_memory.core.paths import display
from aiwg_memory.errors import AiwgError, DiskFailed, NotFound, UnsafePath

_WAYS_OUT = {
    errno.ENOSPC: "the disk is full: free some space and try again",
    errno.EDQUOT: "your disk quota is used up: free some space and try again",
    errno.EFBIG: "the file would be larger than a limit of this process allows: raise it and try again",
    errno.EROFS: "the file system is read-only: remount it for writing",
    errno.EIO: "the disk reports an error: check it before you go on",
    errno.EACCES: "check who owns it and its permissions",
    errno.EPERM: "the system does not allow it there: check its attributes, and that the file system has hard links",
    errno.EOPNOTSUPP: "the file system cannot do that: use one that has hard links, locks and times as those in use do",
    errno.EXDEV: "it lies on another file system than .aiwg/.local: move them onto one",
    errno.EMLINK: "the file system allows no further link to the file",
    errno.EMFILE: "this process may not open more files: raise its limit (`ulimit -n`) and try again",
    errno.ENFILE: "the system may not open more files: close other programs and try again",
    errno.ENAMETOOLONG: "the file system keeps no name that long: choose a shorter one",
    errno.ESTALE: "the file server has lost it: look at the mount, and try again",
}
NO_WAY_OUT = "the operating system says so: look at the disk before trying again"


def way_out(error: OSError, otherwise: str = NO_WAY_OUT) -> str:
    """What whoever meets this error can do."""
    return _WAYS_OUT.get(error.errno or 0, otherwise)


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
    return DiskFailed(f"{shown} cannot {doing}: {error.strerror or error}", hint=way_out(error))


LINK_HINT = "replace it by what it points to, or ignore it where ignoring is possible"
