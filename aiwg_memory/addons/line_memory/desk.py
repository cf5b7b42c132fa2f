"""Where one plan about facts is put together: record versions and fact files, over the desk that all share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from aiwg_memory.addons.line_memory.asking import dated, problems, takes
from aiwg_memory.addons.line_memory.first import first_record
from aiwg_memory.addons.line_memory.reading import NO_LIMIT, without_lines
from aiwg_memory.addons.line_memory.scopes import scoped
from aiwg_memory.addons.line_memory.screens import screened
from aiwg_memory.addons.line_memory.store import LIVE, Store, read
from aiwg_memory.addons.line_memory.text import LINES, RECORDS, fact_path, handle_of, normalise
from aiwg_memory.core import desk
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.naming import names_alone
from aiwg_memory.core.operations import Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.records import Version, render_segment, succeed
from aiwg_memory.core.screening import redact
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, Refused, UsageError

MAX_SOURCES = 32
_NEW_WORDS = ("line-memory.add", "line-memory.supersede", "line-memory.merge")


class Desk(desk.Desk):
    """Arguments are those ``asking`` knows for the request's kind; the rest is as at every desk."""

    def __init__(self, tree: Tree, request: Request) -> None:
        needs, more = takes(request.kind)
        super().__init__(tree, request, "fact_request.v1", needs=needs, takes=more, rules=problems)
        self.arguments = scoped(dated(self.arguments), self.config)
        self.store: Store = read(tree)
        self._written: dict[str, Version] = {}
        self._taken_lines: set[str] = set()
        for stated in (self.arguments.get("reason"), self.arguments.get("epoch"), *self._references()):
            if stated:
                self.screen(stated, RECORDS, strict=True)
        self.cite(self.arguments.get("sources", ()))

    def _references(self) -> Iterator[str]:
        for source in self.arguments.get("sources", ()):
            yield source["ref"]

    def ended(self, head: Version) -> bool:
        """Whether a fact that is history may come back: it was acknowledged by its handle, which is then said again."""
        was = "forgotten" if head.value.get("forgotten") else head.status
        who = f" by {head.text('reviewer')}" if head.text("reviewer") else ""
        message = f"{head.handle} was {was}{who} at {head.at}"
        if head.handle in self.arguments.get("acknowledged", ()):
            self.conflicts.append(Note(head.handle, message + "; this brings it back"))
            return True
        hint = f"--acknowledge {head.handle} brings it back all the same"
        self.refuse("ended-fact", message, hint, fact_path(head.handle))
        return False

    def fact(self, raw: str, place: str = "") -> tuple[str, bool] | None:
        """A text as it will be stored and whether secrets were taken out of it; None after noting why it cannot be."""
        try:
            text = normalise(raw, self.config.facts.max_characters)
        except ValueError as error:
            self.wrong("fact-text", f"{place}: {error}" if place else str(error))
            return None
        if self.request.kind in _NEW_WORDS and names_alone(text):
            said, way = f"{text} names something and says nothing: it is no fact", "say in a sentence what is so"
            if self.request.kind == "line-memory.supersede":
                more = f"`--by {text}` puts what it names in the place of the fact"
            else:
                more = f"`--source {text}` is what the sentence rests on"
            self.wrong("fact-text", f"{place}: {said}" if place else said, f"{more}; else {way}")
            return None
        redacted = False
        if self.arguments.get("redact"):
            clean, findings = redact(text)
            redacted = bool(findings)
            text = normalise(clean, NO_LIMIT)
        refused = len(self._refused)
        self.screen_fact(text)
        if place:
            placed = [one._replace(message=f"{place}: {one.message}") for one in self._refused[refused:]]
            self._refused[refused:] = placed
        return text, redacted

    def screen_fact(self, text: str) -> None:
        """Judge a fact's text: what is refused makes ``plan`` raise, the rest is said as warnings."""
        self.screen(text, fact_path(handle_of(text)), line=1)

    def screen(self, text: str, path: str, *, line: int = 0, strict: bool = False) -> None:
        """As at every desk; an exception may name the fact by its handle, and is said where it lets a text through."""
        for finding in screened(text, RepoPath(path), self.config, line=line, strict=strict):
            (self._refused if finding.severity == "error" else self.warnings).append(finding)

    def heads(self, target: Mapping[str, Any]) -> tuple[Version, ...] | None:
        """What ``target`` replaces, after its expected version was compared; () where there is no record yet.

        None after noting what is wrong: an unknown handle, another version, a fork, a newer tool's record.
        """
        handle, expected = target["handle"], target["expected"]
        head = self.store.heads.get(handle)
        if head is None:
            if handle not in self.store.units:
                self.wrong("not-found", f"there is no fact {handle}", "`facts list` shows the facts there are")
            elif expected != 0:
                self.wrong("wrong-version", f"{handle} has no record yet; the expected version is 0, not {expected}")
            else:
                return ()
            return None
        current = head.current
        expected = sorted(expected) if isinstance(expected, list) else expected
        if head.fork and not isinstance(expected, list):
            self.wrong("record-fork", f"{handle} was decided differently on two branches", "`facts resolve` settles it")
        elif any(one.newer for one in head.heads):
            self.wrong("newer-schema", f"{handle} was last written by a newer tool", "upgrade aiwg-memory")
        elif expected not in (current.version, current.digest) and expected != sorted(one.digest for one in head.heads):
            said = f"{handle} is at version {current.version} ({current.status}), not at {expected}"
            self.wrong("wrong-version", said, "look at it again, then decide")
        else:
            return head.heads
        return None

    def record(
        self,
        handle: str,
        heads: Iterable[Version],
        changes: Mapping[str, Any],
        *,
        text: str = "",
        like: Version | None = None,
    ) -> Version:
        """A new version of a record, over what this plan has already written of it. ``text`` begins a first one.

        What ``changes`` leaves open is as in the first head, or as in ``like``.
        """
        before = tuple(heads)
        values = dict(changes)
        if not before:
            values = {**first_record(text, self.arguments), **values}
        written = self._written.get(handle)
        if written:
            version = Version({**written.value, **changes})
        else:
            values |= {"at": self.request.at, "seg": self.request.seg, "reviewer": self.request.reviewer}
            values["reason"] = self.arguments.get("reason", "")
            version = succeed(before, values, like)
        if len(version.list("sources")) > MAX_SOURCES:
            self.wrong("too-many-sources", f"{handle} would have {len(version.list('sources'))} sources; at most 32")
        self._written[handle] = version
        self.subjects[handle] = None
        return version

    def place(self, text: str, *, only: bool = True) -> None:
        """The fact is in its own file, and in no other place; without ``only`` a line typed by hand stays."""
        handle = handle_of(text)
        self.draft.write(fact_path(handle), text.encode() + b"\n")
        if only:
            self._clear(handle, keep=fact_path(handle))

    def drop(self, handle: str) -> None:
        """The fact's text stands nowhere any more."""
        if fact_path(handle) in self.store.files:
            self.draft.remove(fact_path(handle))
        self._clear(handle, keep=None)

    def _clear(self, handle: str, keep: RepoPath | None) -> None:
        for unit in self.store.units.get(handle, ()):
            if unit.path == LINES:
                self._taken_lines.add(handle)
            elif unit.path != keep:
                self.draft.remove(unit.path)

    def plan(self, summary: str) -> Plan:
        if self.sound:
            self._take_lines()
            if self._written:
                segment = RepoPath(f"{RECORDS}/{self.request.seg}.jsonl")
                self.draft.write(segment, render_segment(self._written.values()))
            self._count()
        return super().plan(summary)

    def _problem(self, refused: Sequence[Finding], wrong: Sequence[Finding]) -> AiwgError | None:
        """What cannot be done as asked, alone, before what a rule forbids. A fact is one line: no number is said."""
        if wrong:
            return desk.told(UsageError, wrong, wrong[0].rule, placed=False)
        ended = all(one.rule == "ended-fact" for one in refused)
        return desk.told(Refused, refused, "ended-fact" if ended else "screening", placed=False) if refused else None

    def _take_lines(self) -> None:
        if not self._taken_lines:
            return
        left = without_lines(self.tree.read(LINES, limit=MAX_FILE), self._taken_lines)
        if left.strip():
            self.draft.write(LINES, left)
        else:
            self.draft.remove(LINES)

    def _count(self) -> None:
        live = set(self.store.live())
        before = len(live)
        for handle, version in self._written.items():
            (live.add if version.status in LIVE else live.discard)(handle)
        limit = self.config.facts.max_lines
        if len(live) > limit and len(live) > before:
            message = f"there would be {len(live)} facts; more than {limit} are hard to keep true"
            self.warnings.append(
                Finding(RECORDS, 0, "facts-over-limit", message, "warning", "archive what is not used")
            )
