"""Running git: where it looks, what it may not do, and how its bytes come back."""

from __future__ import annotations

import errno
import os
import select
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, NamedTuple

from aiwg_memory.errors import Damaged, DiskFailed

if TYPE_CHECKING:
    from io import BufferedReader

# What a person sets to say where their own configuration is; no repository can set these.
_KEPT = {
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
}  # fmt: skip
_FORCED = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # what stops a lazy fetch in versions that do not know the line above
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
# A bare repository is believed only when GIT_DIR names it: one committed into a checkout brings its own settings.
_ALWAYS = ("git", "--no-pager", "-c", "safe.bareRepository=explicit")
_QUIET = (*_ALWAYS, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
FETCH_ALL = "fetch it (`git fetch --refetch --no-filter`), or run `git fsck`"
"""The way out of a missing object; fetched again with the filter of a partial clone, it would still be missing."""
_CHUNK = 1 << 16
_POSIX = hasattr(os, "posix_spawn")


class Result(NamedTuple):
    status: int
    out: bytes
    err: str


def git_environment(environ: Mapping[str, str], located: Mapping[str, str]) -> dict[str, str]:
    """``environ`` without anything that redirects git, but for ``located`` (GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE)."""
    clean = {name: value for name, value in environ.items() if not name.startswith("GIT_") or name in _KEPT}
    return {**clean, **_FORCED, **located}


def command(folder: str, arguments: Sequence[str], *, configured: bool = False) -> list[str]:
    """``configured``: see the repository's own settings for hooks and monitors, to report them, not to run them."""
    return [*(_ALWAYS if configured else _QUIET), "-C", folder, *arguments]


def run(argv: Sequence[str], environment: Mapping[str, str], data: bytes = b"") -> Result:
    """One git process from start to end. Raises DiskFailed when git is not installed."""
    if not _POSIX:
        return _run_elsewhere(argv, environment, data)
    inner, given = os.pipe()
    taken, out = os.pipe()
    said, err = os.pipe()
    try:
        child = spawn(argv, environment, (inner, out, err))
    except BaseException:
        for descriptor in (given, taken, said):
            os.close(descriptor)
        raise
    finally:
        for descriptor in (inner, out, err):
            os.close(descriptor)
    answers = _exchange(given, data, (taken, said))
    return Result(wait(child), answers[0], answers[1].decode("utf-8", "replace").strip())


def spawn(argv: Sequence[str], environment: Mapping[str, str], streams: tuple[int, int, int]) -> int:
    """Start git with these three standard streams; its process id."""
    actions = [(os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(streams)]
    try:
        return os.posix_spawnp(argv[0], list(argv), dict(environment), file_actions=actions)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise no_git() from error
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.ENOEXEC):
            raise
        told = f"git cannot be run: {error.strerror}"
        raise DiskFailed(told, hint="look at what the PATH has as git; git 2.30 or later is needed") from error


def no_git() -> DiskFailed:
    return DiskFailed("git is not installed, or not on the PATH", hint="install git 2.30 or later")


def wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _exchange(given: int, data: bytes, wanted: tuple[int, int]) -> tuple[bytes, bytes]:
    """Write and read at once, so that neither side waits for the other; closes all three."""
    parts: dict[int, list[bytes]] = {descriptor: [] for descriptor in wanted}
    poll = select.poll()
    for descriptor in wanted:
        poll.register(descriptor, select.POLLIN)
    left = memoryview(data)
    if left:
        os.set_blocking(given, False)
        poll.register(given, select.POLLOUT)
    else:
        os.close(given)
    waiting = set(wanted)
    while waiting:
        for descriptor, _ in poll.poll():
            if descriptor in waiting:
                chunk = os.read(descriptor, _CHUNK)
                parts[descriptor].append(chunk)
                if not chunk:
                    poll.unregister(descriptor)
                    os.close(descriptor)
                    waiting.remove(descriptor)
            else:
                left = _feed(given, left)
                if not left:
                    poll.unregister(given)
                    os.close(given)
    if left:
        os.close(given)
    return b"".join(parts[wanted[0]]), b"".join(parts[wanted[1]])


def _feed(given: int, left: memoryview) -> memoryview:
    try:
        return left[os.write(given, left[:_CHUNK]) :]
    except BrokenPipeError:
        return left[:0]


class Conversation:
    """One git process that answers line by line until it is closed."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        self.given, self.taken, self._wait = (_talk if _POSIX else _talk_elsewhere)(argv, environment)

    def ask(self, lines: Sequence[str]) -> None:
        try:
            self.given.write("".join(f"{line}\n" for line in lines).encode())
            self.given.flush()
        except BrokenPipeError as error:
            raise Damaged("git ended before it answered", hint="run `git fsck` to see what it says") from error

    def close(self) -> None:
        """Whatever it still wants to say is not listened to."""
        self.taken.close()
        with suppress(BrokenPipeError):
            self.given.close()
        self._wait()


_Talk = tuple[IO[bytes], "BufferedReader", Callable[[], object]]


def _talk(argv: Sequence[str], environment: Mapping[str, str]) -> _Talk:
    inner, given = os.pipe()
    taken, out = os.pipe()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        child = spawn(argv, environment, (inner, out, nowhere))
    except BaseException:
        os.close(given)
        os.close(taken)
        raise
    finally:
        for descriptor in (inner, out, nowhere):
            os.close(descriptor)
    return os.fdopen(given, "wb"), os.fdopen(taken, "rb"), lambda: wait(child)


def _talk_elsewhere(argv: Sequence[str], environment: Mapping[str, str]) -> _Talk:
    import subprocess
    from io import BufferedReader

    try:
        child = subprocess.Popen(
            argv,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except FileNotFoundError as error:
        raise no_git() from error
    assert child.stdin is not None
    assert isinstance(child.stdout, BufferedReader)
    return child.stdin, child.stdout, child.wait


def _run_elsewhere(argv: Sequence[str], environment: Mapping[str, str], data: bytes) -> Result:
    import subprocess

    try:
        done = subprocess.run(argv, env=dict(environment), input=data, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise no_git() from error
    return Result(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip())
