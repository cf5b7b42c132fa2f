"""Where one plan about the wiki is put together: files that come and go, what is wrong, and what to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, look, page_handle, page_path
from aiwg_memory.addons.llm_wiki.state import scope_problem
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.config import load_config
from aiwg_memory.core.document import normalise, parse_document, title_of
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Draft, Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.core.screening import Exemption, redact, screen
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, Refused, UsageError


class Desk:
    """Problems are collected and raised together by ``plan``; until then the plan goes on as if there were none.

    Raises UsageError at once for arguments that are not of the schema ``wiki_request.v1``.
    """

    def __init__(self, tree: Tree, request: Request, *, needs: tuple[str, ...], takes: tuple[str, ...] = ()) -> None:
        self.tree = tree
        self.request = request
        self.arguments = _arguments(request, needs, takes)
        self.config = load_config(tree)
        self.draft = Draft(tree)
        self.duplicates: list[Note] = []
        self.conflicts: list[Note] = []
        self.supersedes: list[Note] = []
        self.warnings: list[Finding] = []
        self.subjects: dict[str, None] = {}
        self._exceptions = [Exemption(one.screening_class, one.where, one.reason) for one in self.config.screening]
        self._wrong: list[Finding] = []
        self._refused: list[Finding] = []

    def wrong(self, rule: str, message: str, hint: str = "", path: str = "") -> None:
        self._wrong.append(Finding(path, 0, rule, message, hint=hint))

    def refuse(self, rule: str, message: str, hint: str = "", path: str = "") -> None:
        self._refused.append(Finding(path, 0, rule, message, hint=hint))

    def screen(self, text: str, path: str, *, line: int = 0, strict: bool = False, warn: bool = True) -> None:
        """Refuse what the screen refuses, and say what it warns of."""
        for finding in screen(text, path=path, line=line, strict=strict, exceptions=self._exceptions):
            if finding.severity == "error":
                self._refused.append(finding)
            elif finding.severity == "warning" and warn:
                self.warnings.append(finding)

    def redacted(self, text: str, path: str) -> str:
        """``text`` without its secrets where the request asks for that; each one is said."""
        if not self.arguments.get("redact"):
            return text
        clean, findings = redact(text, path=path, exceptions=self._exceptions)
        self.warnings += findings
        return clean

    def page(self, target: Mapping[str, Any]) -> tuple[RepoPath, bytes] | None:
        """The page a target names and its bytes, after its expected digest was compared; None after noting why not."""
        try:
            path = page_path(target["handle"])
        except AiwgError as error:
            self.wrong(error.code, error.message, error.hint)
            return None
        data = self.read(path)
        if data is None:
            self.wrong("not-found", f"there is no page {page_handle(path)}", "list shows the pages there are", path)
        elif digest(data) != target["expected"]:
            message = f"{page_handle(path)} is not what was shown: it has the digest {digest(data)[:15]}…"
            self.wrong("wrong-version", message, "look at it again, then decide", path)
        else:
            return path, data
        return None

    def read(self, path: RepoPath) -> bytes | None:
        entry = look(self.tree, path)
        return self.tree.read(path, limit=MAX_PAGE) if entry is not None and entry.kind == "file" else None

    def judge(self, path: RepoPath, data: bytes) -> None:
        """A page as somebody wants it to stand: readable, by the schema, and what the screen lets through."""
        document, problems = parse_document(path, data)
        stated = {key: value for key, value in document.front.items() if value is not None}
        self._wrong += [finding for finding in problems if finding.severity == "error"]
        if cheap("page.v1", stated) is not None:
            self._wrong += explain("page.v1", stated, path=path, line=1)
        if (problem := scope_problem(document.front)) is not None:
            self.wrong("scope", problem, "leave the scope out for a page that applies everywhere", path)
        self.screen(title_of(document), path, line=1, strict=True)
        for key in ("aliases", "tags", "superseded_by", "supersedes", "epoch"):
            value = stated.get(key)
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, str):
                    self.screen(each, path, line=1, strict=True)
        self.screen(path, path, strict=True)
        self.screen(data.decode("utf-8", "replace"), path, line=1)

    def place(self, path: RepoPath, data: bytes) -> None:
        data = normalise(data)
        if len(data) > MAX_PAGE:
            self.wrong("too-large", f"{path} would have {len(data)} bytes; at most {MAX_PAGE}", "part it in two", path)
        self.subjects[page_handle(path)] = None
        self.draft.write(path, data)

    def plan(self, summary: str) -> Plan:
        """Raises Refused when something may not be done, else UsageError when something cannot, with all of both."""
        found = [*self._refused, *self._wrong]
        if found:
            kind: type[AiwgError] = Refused if self._refused else UsageError
            same = all(one.rule == found[0].rule for one in found)
            code = found[0].rule if same or not self._refused else "screening"
            hint = _hint(found, "take it out of the text" if self._refused else "")
            raise kind(_sentence(found), hint=hint, code=code, findings=found)
        changes = self.draft.changes
        return Plan(
            request=self.request,
            summary=summary if changes else "nothing to change",
            changes=changes,
            subjects=tuple(sorted(self.subjects)) if changes else (),
            duplicates=tuple(self.duplicates),
            conflicts=tuple(self.conflicts),
            supersedes=tuple(self.supersedes),
            warnings=tuple(dict.fromkeys(self.warnings)),
        )


def _arguments(request: Request, needs: tuple[str, ...], takes: tuple[str, ...]) -> Mapping[str, Any]:
    given = dict(request.arguments)
    messages = [f"/: the key {name!r} is missing" for name in needs if name not in given]
    messages += [f"/: {request.kind} takes no key {name!r}" for name in sorted(set(given) - set(needs) - set(takes))]
    if cheap("wiki_request.v1", given) is not None:
        messages += [finding.message for finding in explain("wiki_request.v1", given)]
    if messages:
        findings = [Finding("", 0, "argument", message) for message in dict.fromkeys(messages)]
        hint = "correct the arguments; nothing was planned"
        raise UsageError(f"{request.kind}: {_sentence(findings)}", hint=hint, findings=findings)
    return given


def _sentence(findings: list[Finding]) -> str:
    places = (f"{one.path} line {one.line}: {one.message}" if one.line else one.message for one in findings)
    return "; ".join(dict.fromkeys(places))


def _hint(findings: list[Finding], otherwise: str) -> str:
    return next((finding.hint for finding in findings if finding.hint), otherwise)
