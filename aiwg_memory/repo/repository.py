"""Repository: the facts git knows about a workspace. Asking changes nothing and runs nothing a repository names."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.core.patterns import pattern
from aiwg_memory.errors import AiwgError, Damaged, UsageError
from aiwg_memory.repo.place import Place, common_dir, locate

if TYPE_CHECKING:
    from aiwg_memory.repo.objects import Objects
    from aiwg_memory.repo.process import Result
    from aiwg_memory.repo.trees import GitTree

_ID = pattern(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_EMPTY = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_EMPTY_BLOBS = (
    b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)


class LastCommit(NamedTuple):
    """``author`` is ``name <email>``, ``at`` the author's time in RFC 3339 with its offset."""

    commit: str
    author: str
    at: str


class Repository:
    """The repository around the workspace ``root``; ``prefix`` is the way from its top to there, "" at the top.

    Every path in and out is relative to ``root``; what lies outside it does not count. Use as a context manager.
    """

    def __init__(self, root: str, place: Place, environ: Mapping[str, str]) -> None:
        self.root = root
        self.top = place.top
        self.git_dir = place.git_dir
        self.prefix = os.path.relpath(root, place.top).replace(os.sep, "/") if place.top not in ("", root) else ""
        self._environ, self._located = environ, place.located

    @classmethod
    def find(cls, root: str, environ: Mapping[str, str] = os.environ) -> Self | None:
        """None outside git. Starts no process."""
        place = locate(root, environ)
        return None if place is None else cls(root, place, environ)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if "objects" in self.__dict__:
            self.objects.close()

    @cached_property
    def _environment(self) -> Mapping[str, str]:
        from aiwg_memory.repo.process import git_environment

        return git_environment(self._environ, self._located)

    @cached_property
    def objects(self) -> Objects:
        from aiwg_memory.repo.objects import Objects

        return Objects(self.root, self._environment)

    @property
    def common_dir(self) -> str:
        return common_dir(self.git_dir)

    @property
    def is_bare(self) -> bool:
        return not self.top

    def head(self) -> str | None:
        """The commit HEAD is at; None before the first commit."""
        quick = _quick_head(self.git_dir, self.common_dir)
        return self._slow_head() if quick is None else quick or None

    def resolve(self, rev: str) -> str:
        """The commit id of any spelling git knows. Raises UsageError when it is none, or looks like an option."""
        if _ID.match(rev) is None and (not rev or rev.startswith("-") or not rev.isprintable()):
            raise UsageError(f"{display(rev)} is not a revision", hint="name a branch, a tag or a commit")
        found = self.objects.named(f"{rev}^{{commit}}")
        if found is None:
            raise UsageError(f"{display(rev)} names no commit here", hint="see `git log`; fetch it if it is elsewhere")
        return found

    def identity(self) -> str | None:
        """``user.name <user.email>`` as git is configured, None unless both are set."""
        return _person(self._git(*_WHO, ok=(0, 1), asks=True).out)

    def config(self, name: str) -> str | None:
        """The value in effect of one setting, None when it is not set."""
        done = self._git("config", "-z", "--get", name, ok=(0, 1), asks=True)
        return _text(done.out).removesuffix("\0") if done.status == 0 else None

    def git_path(self, name: str) -> str:
        """Where git keeps, or by its configuration looks for, ``name`` (``hooks``); absolute."""
        done = self._git("rev-parse", "--git-path", name, asks=True)
        return os.path.normpath(os.path.join(self.root, _text(done.out).rstrip("\n")))

    def index_tree(self) -> GitTree:
        """What is staged. Raises UsageError in a bare repository."""
        from aiwg_memory.core.canonical import digest
        from aiwg_memory.repo.trees import GitTree, index_listing

        self._needs_checkout("an index")
        staged = self._without_intents(self._git("ls-files", "-s", "-z").out)
        return GitTree(index_listing(staged), self.objects, f"index:{digest(staged)}")

    def commit_tree(self, rev: str) -> GitTree:
        from aiwg_memory.repo.trees import GitTree, commit_listing

        commit = rev if _ID.match(rev) else self.resolve(rev)
        return GitTree(commit_listing(self.objects, commit, self.prefix), self.objects, f"commit:{commit}")

    def staged_changes(self) -> tuple[str, bytes]:
        """The commit or tree the next commit comes after, and git's raw list of what that changes in the workspace."""
        if self.is_bare:
            raise UsageError(
                f"{display(self.root)} is a bare repository, without an index",
                hint="check --range BASE..HEAD judges what was pushed",
            )
        base = self.head() or self.empty_tree
        return base, self._git("diff-index", "--cached", _NO_INTENTS, *RAW, base).out

    def last_commit_for(self, path: RepoPath) -> LastCommit | None:
        """The newest commit reachable from HEAD that touched ``path``; None when there is none."""
        head = self.head()
        if head is None:
            return None
        found = self._git(
            "--literal-pathspecs", "rev-list", "-1", "--format=%H%x00%an <%ae>%x00%aI", head, "--", path
        ).out
        lines = _text(found).splitlines()
        return LastCommit(*lines[1].split("\0")) if len(lines) > 1 else None

    def _without_intents(self, staged: bytes) -> bytes:
        """``git add -N`` lists a file as empty, and the next commit will not hold it."""
        if not any(blob in staged for blob in _EMPTY_BLOBS):
            return staged
        listed = self._git("diff-index", "--cached", _NO_INTENTS, *_NAMES, self.empty_tree).out
        real = set(listed.split(b"\0"))
        entries = (entry for entry in staged.split(b"\0") if entry.partition(b"\t")[2] in real)
        return b"".join(entry + b"\0" for entry in entries if entry)

    def commits_touching(self, path: str, *, since: str | None = None, limit: int) -> list[str]:
        """The commits of any branch that changed ``path`` or what lies below it, oldest first, at most ``limit``.

        ``since`` leaves out a commit and everything before it.
        """
        left_out = [f"^{self.resolve(since)}"] if since else []
        asked = ("--literal-pathspecs", "rev-list", "--all", "--reverse", *left_out, "--", path)
        return self._git(*asked).out.decode().split()[:limit]

    def commits_naming(self, text: str, paths: Sequence[str], *, limit: int) -> list[str]:
        """The commits of any branch that brought ``text`` into one of ``paths`` or took it out, oldest first."""
        asked = ("log", "--all", "--reverse", "--format=%H", "-S", text, "--", *paths)
        return self._git("--literal-pathspecs", *asked).out.decode().split()[:limit]

    @cached_property
    def empty_tree(self) -> str:
        """The id of the tree without a file, which git knows without having it."""
        return _EMPTY[64 if self._sha256() else 40]

    def _sha256(self) -> bool:
        """Git writes the format of objects into the repository's own settings, and nowhere else reads it."""
        try:
            with open(os.path.join(self.common_dir, "config"), "rb") as file:
                return b"objectformat" in file.read().lower() and self.config("extensions.objectformat") == "sha256"
        except OSError:
            return self.config("extensions.objectformat") == "sha256"

    def _slow_head(self) -> str | None:
        done = self._git("rev-parse", "--verify", "--quiet", "HEAD", ok=(0, 1))
        return done.out.decode().strip() or None

    def _needs_checkout(self, what: str) -> None:
        if self.is_bare:
            raise UsageError(f"{display(self.root)} is a bare repository, without {what}", hint="work in a clone of it")

    def _git(self, *arguments: str, data: bytes = b"", ok: Sequence[int] = (0,), asks: bool = False) -> Result:
        from aiwg_memory.repo.process import command, run

        done = run(command(self.root, arguments, configured=asks), self._environment, data)
        if done.status not in ok:
            raise _failed(self.root, next(word for word in arguments if not word.startswith("-")), done)
        return done


def identity_anywhere(environ: Mapping[str, str]) -> str | None:
    """``user.name <user.email>`` as git is configured for this person outside every repository; None unless both."""
    from aiwg_memory.repo.process import command, git_environment, run

    done = run(command("/", _WHO, configured=True), git_environment(environ, {}))
    return _person(done.out) if done.status == 0 else None


def _person(listing: bytes) -> str | None:
    found = _settings(listing)
    name, email = found.get("user.name", ""), found.get("user.email", "")
    return f"{name} <{email}>" if name and email else None


_WHO = ("config", "-z", "--get-regexp", r"^user\.(name|email)$")
_NO_INTENTS = "--ita-invisible-in-index"
# Else a submodule is left out of a list where ``.gitmodules`` asks for it; what lies in one is never looked at.
SUBMODULES = "--ignore-submodules=dirty"
RAW = ("--raw", "--full-index", "--no-renames", "--no-ext-diff", SUBMODULES, "-z", "--relative")
_NAMES = ("--name-only", "-z", "--no-renames", "--no-ext-diff", SUBMODULES, "--relative")


def _failed(root: str, what: str, done: Result) -> AiwgError:
    if "must be run in a work tree" in done.err:
        hint = "name commits (`diff BASE..HEAD`, `context --at REV`), or work in a clone of it"
        return UsageError(f"{display(root)} is a bare repository, without files of its own", hint=hint)
    lines = done.err.splitlines() or [f"status {done.status}"]
    said = next((line for line in lines if line.startswith(("fatal: ", "error: "))), lines[0])
    hint = "git itself says so; try the same with git"
    if "dubious ownership" in said:
        hint = "the repository belongs to someone else; if you trust it: git config --global --add safe.directory DIR"
    elif "promisor" in said or "missing" in said:
        from aiwg_memory.repo.process import FETCH_ALL

        hint = FETCH_ALL
    return Damaged(f"git {what} failed: {display(said.removeprefix('fatal: '))}", hint=hint)


def _quick_head(git_dir: str, shared: str) -> str | None:
    """HEAD without a process: a commit, a loose ref or a packed one; "" before a commit, None for anything rarer."""
    if os.path.isdir(os.path.join(shared, "reftable")):
        return None
    head = _small(os.path.join(git_dir, "HEAD"))
    if _ID.match(head):
        return head
    ref = head.removeprefix("ref: ")
    if ref == head or not ref.startswith("refs/heads/") or ".." in ref:
        return None
    loose = os.path.join(shared, ref)
    if os.path.lexists(loose):
        found = _small(loose)
        return found if _ID.match(found) else None
    return _packed(os.path.join(shared, "packed-refs"), ref)


def _small(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(4096).strip()
    except OSError:
        return ""


def _packed(path: str, ref: str) -> str | None:
    """The commit; "" when neither the file nor the branch is there; None when it cannot be read."""
    try:
        with open(path, "rb") as file:
            found = re.search(
                rb"^([0-9a-f]{40,64}) " + re.escape(ref.encode("utf-8", "surrogateescape")) + rb"$",
                file.read(),
                re.MULTILINE,
            )
    except FileNotFoundError:
        return ""
    except OSError:
        return None
    return found[1].decode() if found else ""


def _settings(listing: bytes) -> dict[str, str]:
    """``git config -z --get-regexp``: the last of several values is the one in effect."""
    pairs = (entry.partition("\n") for entry in _text(listing).split("\0") if entry)
    return {name: value for name, _, value in pairs}


def _names(listing: bytes) -> list[str]:
    return [name for name in _text(listing).split("\0") if name]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
