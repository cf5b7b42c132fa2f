"""Where one plan is put together: arguments judged, files that come and go, what to say, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aiwg_memory.core.config import load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Draft, Note, Plan, Request
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.core.screening import Exemption, screen
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, Refused, UsageError


class Desk:
    """Problems are collected and raised together by ``plan``; until then the plan goes on as if there were none.

    Raises UsageError at once for arguments that are not of the schema ``schema``, or lack one of ``needs``, or hold one
    that is neither needed nor in ``takes``.
    """

    def __init__(
        self, tree: Tree, request: Request, schema: str, *, needs: Iterable[str], takes: Iterable[str] = ()
    ) -> None:
        self.tree = tree
        self.request = request
        self.arguments = _arguments(request, schema, tuple(needs), tuple(takes))
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

    @property
    def sound(self) -> bool:
        """Whether nothing was found wrong or refused so far."""
        return not self._wrong and not self._refused

    def wrong(self, rule: str, message: str, hint: str = "", path: str = "") -> None:
        self._wrong.append(Finding(path, 0, rule, message, hint=hint))

    def refuse(self, rule: str, message: str, hint: str = "", path: str = "") -> None:
        self._refused.append(Finding(path, 0, rule, message, hint=hint))

    def screen(self, text: str, path: str, *, strict: bool = False) -> None:
        """Refuse what the screen refuses, and say what it warns of. ``strict`` is for keys, titles and references."""
        self.judge(screen(text, path=path, strict=strict, exceptions=self._exceptions))

    def judge(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.severity == "error":
                self._refused.append(finding)
            elif finding.severity == "warning":
                self.warnings.append(finding)

    def plan(self, summary: str) -> Plan:
        """Raises Refused when something may not be done, else UsageError when something cannot, with all of both."""
        found = [*self._refused, *self._wrong]
        if found:
            kind: type[AiwgError] = Refused if self._refused else UsageError
            same = all(one.rule == found[0].rule for one in found)
            code = found[0].rule if same or not self._refused else "screening"
            hint = next((one.hint for one in found if one.hint), "")
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


def _arguments(request: Request, schema: str, needs: tuple[str, ...], takes: tuple[str, ...]) -> Mapping[str, Any]:
    given = dict(request.arguments)
    messages = [f"/: the key {name!r} is missing" for name in needs if name not in given]
    messages += [f"/: {request.kind} takes no key {name!r}" for name in sorted(set(given) - set(needs) - set(takes))]
    if cheap(schema, given) is not None:
        messages += [finding.message for finding in explain(schema, given)]
    if messages:
        findings = [Finding("", 0, "argument", message) for message in dict.fromkeys(messages)]
        hint = "correct the arguments; nothing was planned"
        raise UsageError(f"{request.kind}: {_sentence(findings)}", hint=hint, findings=findings)
    return given


def _sentence(findings: list[Finding]) -> str:
    return "; ".join(dict.fromkeys(one.message for one in findings))
