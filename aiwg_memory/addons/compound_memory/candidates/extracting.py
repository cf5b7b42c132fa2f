"""Proposals out of a text without a model: labelled lines, decisions and corrections, with the lines they stand on.

Quoted lines, code and packs are skipped: they are somebody else's words, and derived context is no source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from aiwg_memory.core.candidates import MAX_ASSERTION
from aiwg_memory.core.render import is_pack

MAX_SOURCES = 200
MAX_FOUND = 50


@dataclass(frozen=True, slots=True)
class Found:
    """``first`` and ``last`` are lines of the source, from 1; ``confidence`` how telling the form is, 0 to 1."""

    type: str
    text: str
    first: int
    last: int
    confidence: float

    @property
    def span(self) -> str:
        return f"L{self.first}" if self.first == self.last else f"L{self.first}-L{self.last}"


_LABELS = {
    "decision": "decision", "decided": "decision", "resolution": "decision", "requirement": "requirement",
    "must": "requirement", "constraint": "constraint", "limitation": "constraint", "preference": "preference",
    "convention": "preference", "todo": "task", "task": "task", "action": "task", "action item": "task",
    "next step": "task", "discovery": "discovery", "finding": "discovery", "found": "discovery",
    "learned": "discovery", "lesson": "discovery", "note to self": "discovery", "correction": "discovery",
    "fix": "fix", "fixed": "fix", "root cause": "fix", "failed approach": "failed-approach",
    "did not work": "failed-approach", "dead end": "failed-approach", "procedure": "procedure", "runbook": "procedure",
    "risk": "risk", "caveat": "risk", "contradiction": "contradiction", "open": "question",
    "open question": "question", "question": "question", "entity": "entity", "relationship": "relationship",
    "决定": "decision", "约束": "constraint", "要求": "requirement", "偏好": "preference", "待办": "task",
    "发现": "discovery", "风险": "risk", "问题": "question", "待定": "question",
}  # fmt: skip
_NAMES = "|".join(sorted(map(re.escape, _LABELS), key=len, reverse=True))
_STRONG = r"(?:\*\*|__)?"
_LABELLED = re.compile(
    r"[ \t]{0,12}(?:[-*+][ \t]+|[0-9]{1,3}[.)][ \t]+)?(?:\[[ xX]\][ \t]+)?"
    rf"({_STRONG})({_NAMES})s?{_STRONG}[ \t]*[:：]{_STRONG}[ \t]*(.*)\Z",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:we|i|the team)\s+(?:have\s+|had\s+)?(?:decided|agreed|settled|chose|opted)\b", re.IGNORECASE
)
_CORRECTED = re.compile(
    r"(?:no,|actually,|correction[,—-]|that(?:'s| is) (?:wrong|not right)[.,;:—-])\s+\S", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.!?。！？]+(?:[.!?。！？]+(?=\s|\Z|[^\x00-\x7f])|[.!?](?=\S)[^.!?。！？]*)*[.!?。！？]*")
_SPEAKER = re.compile(
    r"[ \t]{0,4}(?:\*\*)?(?:user|human|assistant|agent|you|me|[A-Z][\w .-]{0,30})(?:\*\*)?[ \t]*[:：](?:\*\*)?[ \t]+"
)
_FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")
_ITEM = re.compile(r"[ \t]*(?:[-*+][ \t]|[0-9]{1,3}[.)][ \t]|#{1,6}[ \t]|>|\||```|~~~)")
_PACK_LINE = ("[", "## ", "- ", ">", "Quoted data, not orders")


def extract(text: str, first_line: int = 1) -> Iterator[Found]:
    """What ``text`` says in a form that can be told without a model; its first line has the number ``first_line``."""
    lines = text.replace("\r\n", "\n").split("\n")
    usable = _usable(lines)
    at = 0
    while at < len(lines):
        found, after = _at(lines, usable, at) if usable[at] else (None, at + 1)
        if found is not None:
            kind, said, confidence = found
            if 0 < len(said) <= MAX_ASSERTION:
                yield Found(kind, said, first_line + at, first_line + after - 1, confidence)
        at = after


def _at(lines: list[str], usable: list[bool], at: int) -> tuple[tuple[str, str, float] | None, int]:
    line = lines[at]
    label = _LABELLED.match(line)
    if label is not None:
        said, after = _continued(lines, usable, at, label[3])
        said = said.strip().strip("*_").strip()
        return ((_LABELS[label[2].lower()], said, 0.8) if said else None), after
    speaker = _SPEAKER.match(line)
    plain = (line[speaker.end() :] if speaker else line).strip()
    for sentence in _SENTENCE.findall(plain):
        if _DECIDED.search(sentence):
            return ("decision", _bare(sentence), 0.5), at + 1
    if _CORRECTED.match(plain):
        return ("discovery", _bare(plain), 0.4), at + 1
    return None, at + 1


def _bare(sentence: str) -> str:
    return re.sub(r"^(?:[-*+]|[0-9]{1,3}[.)])[ \t]+", "", sentence.strip())


def _continued(lines: list[str], usable: list[bool], at: int, said: str) -> tuple[str, int]:
    """The rest of a paragraph, or of a list item, belongs to what its first line says."""
    after = at + 1
    parts = [said.strip()]
    while after < len(lines) and usable[after] and lines[after].strip():
        if _ITEM.match(lines[after]) or _LABELLED.match(lines[after]) or _SPEAKER.match(lines[after]):
            break
        parts.append(lines[after].strip())
        after += 1
    return " ".join(part for part in parts if part), after


def _usable(lines: list[str]) -> list[bool]:
    """Which lines are the source's own prose: no code, no quotation, no front matter, nothing of a pack."""
    usable = []
    fence, pack = "", ""
    front = bool(lines) and lines[0].rstrip() == "---"
    for number, line in enumerate(lines):
        if front:
            front = not (number and line.rstrip() in ("---", "..."))
            usable.append(False)
            continue
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1] == fence else fence
            usable.append(False)
            continue
        pack = _pack_after(line, pack)
        if mark and not pack:
            fence = mark[1]
        usable.append(not (mark or pack or line.lstrip().startswith(">")))
    return usable


def _pack_after(line: str, pack: str) -> str:
    """Which form of pack this line is in, after it was in ``pack``; "" for none. A pack begins by its frame alone."""
    if is_pack(line):
        return "xml" if line.lstrip().startswith("<") else "json" if line.lstrip().startswith("{") else "markdown"
    if pack == "markdown" and not line.startswith(_PACK_LINE):
        return ""
    if pack == "xml" and "</aiwg-memory>" in line:
        return "end"
    return "" if pack == "end" else pack
