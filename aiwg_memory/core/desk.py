"""Where one plan is put together: arguments judged, files that come and go, what to say, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from aiwg_memory.core.config import load_config
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.operations import Draft, Note, Plan, Request
from aiwg_memory.core.paths import parted, path_problem
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.core.screening import screen
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, Refused, UsageError

Rules = Callable[[Mapping[str, Any], str], Iterable[str]]


class Desk:
    """Problems are collected and raised together by ``plan``; until then the plan goes on as if there were none.

    Raises UsageError at once for arguments that are not of the schema ``schema``, or lack one of ``needs``, or hold one
    that is neither needed nor in ``takes``, or break one of ``rules``: what no schema can say, asked of arguments that
    are of theirs and of the moment of the request, and answered in sentences.
    """

    def __init__(
        self,
        tree: Tree,
        request: Request,
        schema: str,
        *,
        needs: Iterable[str],
        takes: Iterable[str] = (),
        rules: Rules | None = None,
    ) -> None:
        self.tree = tree
        self.request = request
        self.arguments = _arguments(request, schema, tuple(needs), tuple(takes), rules)
        self.config = load_config(tree)
        self.draft = Draft(tree)
        self.duplicates: list[Note] = []
        self.conflicts: list[Note] = []
        self.supersedes: list[Note] = []
        self.warnings: list[Finding] = []
        self.subjects: dict[str, None] = {}
        self._exceptions = self.config.screening
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

    def screen(self, text: str, path: str, *, line: int = 0, strict: bool = False) -> None:
        """Refuse what the screen refuses, and say what it warns of. ``strict`` is for keys, titles and references."""
        self.judge(screen(text, path=path, line=line, strict=strict, exceptions=self._exceptions))

    def judge(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.severity == "error":
                self._refused.append(finding)
            elif finding.severity == "warning":
                self.warnings.append(finding)

    def cite(self, sources: Iterable[Mapping[str, Any]]) -> None:
        """Say of sources without a digest, which nothing here was found for, that they are kept as they are written.
        What is named by a scheme, as a URL or a session, was never looked for."""
        for source in sources:
            ref = source["ref"]
            if not source.get("digest") and (ref.startswith("ctx:") or not path_problem(parted(ref)[0])):
                said = "names nothing here: no path from the root, no raw copy, no handle; it is kept as it is written"
                self.warnings.append(Finding(ref, 0, "source-missing", said, "warning"))

    def plan(self, summary: str) -> Plan:
        """Raises Refused when something may not be done, else UsageError when something cannot, with all of both."""
        problem = self._problem(self._refused, self._wrong)
        if problem is not None:
            raise problem
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

    def _problem(self, refused: Sequence[Finding], wrong: Sequence[Finding]) -> AiwgError | None:
        found = [*refused, *wrong]
        if not found:
            return None
        same = all(one.rule == found[0].rule for one in found)
        return told(Refused if refused else UsageError, found, found[0].rule if same or not refused else "screening")


def told(kind: type[AiwgError], found: Sequence[Finding], code: str, *, placed: bool = True) -> AiwgError:
    """One error that says every finding once, with the first way out there is; ``placed`` says their lines too."""
    said = (f"{one.path} line {one.line}: {one.message}" if placed and one.line else one.message for one in found)
    hint = next((one.hint for one in found if one.hint), "")
    return kind("; ".join(dict.fromkeys(said)), hint=hint, code=code, findings=found)


def _arguments(
    request: Request, schema: str, needs: tuple[str, ...], takes: tuple[str, ...], rules: Rules | None
) -> Mapping[str, Any]:
    given = dict(request.arguments)
    messages = [f"the key {name!r} is missing" for name in needs if name not in given]
    messages += [f"{request.kind} takes no key {name!r}" for name in sorted(set(given) - set(needs) - set(takes))]
    if cheap(schema, given) is not None:
        messages += [_in_words(finding.message) for finding in explain(schema, given)]
    elif rules is not None:
        messages += rules(given, request.at)
    if messages:
        findings = [Finding("", 0, "argument", message) for message in dict.fromkeys(messages)]
        said = "; ".join(finding.message for finding in findings)
        hint = "correct the arguments; nothing was planned"
        raise UsageError(said, hint=hint, findings=findings)
    return given


_SAID = {"expires_at": "expiry date", "review_at": "review date", "ref": "locator"}


def _in_words(message: str) -> str:
    """``/texts/0/ref: …`` as ``text 1 ref: …``: whoever reads it typed words and options, and no JSON."""
    place, colon, said = message.partition(": ")
    if not colon or not place.startswith("/"):
        return message
    words: list[str] = []
    for part in place.strip("/").split("/"):
        if part.isdigit() and words:
            words[-1] = words[-1].removesuffix("s")
            words.append(str(int(part) + 1))
        else:
            words.append(_SAID.get(part, part))
    return f"{' '.join(words)}: {said}" if words != [""] else said
