"""Facts in Markdown: a bullet each, with the headings above it as tags; observations, where the bullets are that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aiwg_memory.core.canonical import digest
from aiwg_memory.core.foreign import Fact, File, Found

_BULLET = re.compile(r"(\s*)(?:[-*+]|[0-9]{1,9}[.)])\s+(.*)\Z")
_BOX = re.compile(r"\[[ xX]\]\s+")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\Z")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_LINK_ALONE = re.compile(r"!?\[[^\]]*\]\([^)]*\)[.:]?\Z|\[\[[^\]]*\]\][.:]?\Z")
_ENTRY = re.compile(r"\*{0,2}\[[^\]]*\]\([^)]*\.md\)")
_OBSERVATION = re.compile(r"\[([^\]\[]{1,64})\]\s+(.*)\Z")
_RELATION = re.compile(r".{0,128}\[\[[^\]]+\]\]")
_TAG = re.compile(r"(?:^|\s)#([^\s#()]{1,64})")


def bullets(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Line, text and headings of every bullet, a nested one by itself; what is indented below it belongs to it."""
    headings: list[tuple[int, str]] = []
    words: list[str] = []
    open_at, fence, front = 0, "", False
    for number, line in enumerate(text.split("\n"), 1):
        if line.rstrip() == "---" and (number == 1 or front):
            front = number == 1
            continue
        mark = _FENCE.match(line)
        if fence or mark or front:
            fence = "" if mark and mark[1] == fence else fence or (mark[1] if mark else "")
            continue
        bullet, heading = _BULLET.match(line), _HEADING.match(line)
        if words and not bullet and line[:1].isspace() and line.strip():
            words.append(line.strip())
            continue
        if words:
            yield open_at, " ".join(words), tuple(name for _, name in headings)
            words = []
        if heading:
            headings = [one for one in headings if one[0] < len(heading[1])] + [(len(heading[1]), heading[2])]
        elif bullet:
            open_at, words = number, [_BOX.sub("", bullet[2].strip(), count=1)]
    if words:
        yield open_at, " ".join(words), tuple(name for _, name in headings)


def facts(name: str, file: File, tool: str, found: Found, *, observations: bool = False) -> None:
    """Every bullet of one file; with ``observations`` only ``- [category] text #tag (context)``."""
    try:
        text = file.data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        found.remark(name, "is left out: it is not UTF-8")
        return
    for line, words, headings in bullets(text):
        place = f"{name}:{line}"
        if observations:
            match = _OBSERVATION.match(words)
            if match is None or _RELATION.match(words):
                continue
            tags = (match[1], *_TAG.findall(match[2]))
            said = " ".join(_TAG.sub(" ", match[2]).split())
        elif _LINK_ALONE.match(words):
            found.remark(place, "is left out: it is a link and says nothing")
            continue
        elif tool == "claude" and _ENTRY.match(words):
            found.remark(place, "is left out: it leads to a note, which is a page of its own")
            continue
        else:
            tags, said = headings, words
        if said:
            found.facts.append(bullet_fact(said, tags, place, line, file, tool))


def bullet_fact(text: str, tags: tuple[str, ...], place: str, line: int, file: File, tool: str) -> Fact:
    """``line`` is where the bullet stands in ``file``; each of ``tags`` is a heading."""
    sources = ({"ref": file.ref, "digest": digest(file.data), "span": f"L{line}"},) if file.ref else ()
    named = tuple(dict.fromkeys("-".join(tag.casefold().split())[:64] for tag in tags))
    return Fact(text, place, tags=named, sources=sources, origin={"tool": tool, "place": place})
