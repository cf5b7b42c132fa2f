"""Objects by id, through git processes that stay: sizes before content, and never part of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from aiwg_memory.errors import Damaged, TooLarge
from aiwg_memory.repo.process import FETCH_ALL, Conversation, command

if TYPE_CHECKING:
    from io import BufferedReader

# Answers to this many questions fit a pipe, so that git never waits for us while we write.
_AT_ONCE = 400
# What is kept of objects that will be read, so that a look at hundreds of small ones is one question, in bytes.
_SMALL, _HELD = 64 * 1024, 4 * 1024 * 1024


class Objects:
    """The object store of the repository at ``folder``. Starts nothing until asked; ``close`` ends what it started.

    One process answers for sizes and content, ``git cat-file --batch-command``; before git 2.36 there are two.
    """

    def __init__(self, folder: str, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        self._running: dict[str, Conversation] = {}
        self._held: dict[str, bytes] = {}
        self._room = _HELD
        self._together = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for mode in list(self._running):
            self._running.pop(mode).close()

    def __del__(self) -> None:
        if hasattr(self, "_running"):
            self.close()

    def named(self, spelling: str) -> str | None:
        """The id of the object that git knows by a spelling of one line, or None."""
        words = self._ask("info", [spelling]).readline().split()
        # What names nothing is said again, blanks and all, before "missing".
        return words[0].decode() if len(words) == 3 and words[2].isdigit() else None

    def sizes(self, ids: Sequence[str]) -> list[int]:
        """The size of each object in bytes. Raises Damaged for one that is not here."""
        found: list[int] = []
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            with self._asking("info", some) as answers:
                found += [_size(answers.readline(), wanted) for wanted in some]
        return found

    def read(self, wanted: str, *, limit: int, name: str = "") -> bytes:
        """The whole object. Raises TooLarge before a byte of it is taken, Damaged when it is not here.

        ``name`` is what the message calls it.
        """
        if wanted in self._held and len(self._held[wanted]) <= limit:
            return self._held[wanted]
        with self._asking("contents", [wanted]) as answers:
            size = _size(answers.readline(), wanted)
            if size > limit:
                raise TooLarge(f"{name or wanted} has {size} bytes; at most {limit} are read here")
            return _content(answers, size, name or wanted)

    def hold(self, sizes: Mapping[str, int]) -> None:
        """Fetch what is small at once, as far as there is room, for ``read`` to answer from. Raises Damaged."""
        wanted = []
        for each, size in sizes.items():
            if each not in self._held and size <= min(_SMALL, self._room):
                self._room -= size
                wanted.append(each)
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            with self._asking("contents", some) as answers:
                for each in some:
                    self._held[each] = _content(answers, _size(answers.readline(), each), each)

    def learn(self, ids: Sequence[str]) -> None:
        """The same, of objects whose sizes are not known."""
        if ids:
            self.hold(dict(zip(ids, self.sizes(ids), strict=True)))

    @contextmanager
    def _asking(self, verb: str, names: Sequence[str]) -> Iterator[BufferedReader]:
        """As ``_ask``; where an answer is refused, what else was asked is nobody's answer, and the process ends."""
        answers = self._ask(verb, names)
        try:
            yield answers
        except BaseException:
            self._running.pop(self._mode(verb)).close()
            raise

    def _ask(self, verb: str, names: Sequence[str]) -> BufferedReader:
        """Where the answers come from, in the order of the names."""
        mode = self._mode(verb)
        fresh = mode not in self._running
        if fresh:
            self._running[mode] = Conversation(command(self._folder, ["cat-file", *mode.split()]), self._environment)
        talk = self._running[mode]
        try:
            talk.ask([*(f"{verb} {name}" for name in names), "flush"] if self._together else names)
            understood = not (fresh and self._together) or talk.taken.peek(1) != b""
        except Damaged:
            if not (fresh and self._together):
                raise
            understood = False
        if understood:
            return talk.taken
        # An older git, or one that will say to the next question what is wrong.
        self._running.pop(mode).close()
        self._together = False
        return self._ask(verb, names)

    def _mode(self, verb: str) -> str:
        if self._together:
            return "--batch-command --buffer"
        return "--batch-check" if verb == "info" else "--batch"


def _size(line: bytes, wanted: str) -> int:
    words = line.split()
    if len(words) != 3:
        raise Damaged(f"the git object {wanted} is not here", hint=FETCH_ALL)
    return int(words[2])


def _content(answers: BufferedReader, size: int, name: str) -> bytes:
    """Git says the size of an object before it finds that it cannot read it."""
    data = answers.read(size + 1)
    if len(data) != size + 1:
        raise Damaged(f"git ended before it gave all of {name}", hint="run `git fsck`")
    return data[:-1]
