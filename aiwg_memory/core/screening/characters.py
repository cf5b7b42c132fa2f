"""Characters nobody sees: invisible ones, controls, bidirectional controls, tags; and words of look-alike letters.

A character that some script or emoji needs may stay where it does its work, told by its neighbours:

- a joiner (U+200C, U+200D) behind a letter of a script that joins or stacks (Arabic to Khmer, Mongolian), or, for
  U+200D, between two emoji;
- one variation selector behind a visible character that is no ASCII letter and no space; U+E0100.. behind an
  ideograph;
- a directional mark (U+200E, U+200F, U+061C) beside a right-to-left letter; never an embedding, override or isolate;
- tags in the flags of England, Scotland and Wales only, since any other sequence of tags can carry a hidden text;
- one byte-order mark (U+FEFF) that begins a line in front of a letter: that of a file put behind another;
- a Mongolian variation selector behind a Mongolian letter, and the blank pattern beside Braille.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aiwg_memory.core.screening.kinds import BIDI, HOMOGLYPH, INVISIBLE, TAG
from aiwg_memory.core.screening.lazy import compiled

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_TAGS = "\U000e0001\U000e0020-\U000e007f"
# What Unicode says no text holds: two of them are in no XML document, whatever the escape.
_NONE = "\ufdd0-\ufdef" + "".join(
    chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
)
_SUSPECT = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029"
    "\u2060-\u2065\u206a-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000\U000e0002-\U000e001f\U000e0080-\U000e0fff"
    + _NONE
    + _BIDI
    + _TAGS
    + "]"
)
_MARK = "\ufeff"
_JOINING = r"[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1aaf\ua840-\ua87f\uaa60-\uaa7f]"
_EMOJI = "[\u2190-\u2bff\u3030\u303d\u3297\u3299\u00a9\u00ae\U0001f000-\U0001faff]"
_RTL = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
_IDEOGRAPH = "[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_FLAGS = tuple("".join(chr(0xE0000 + ord(c)) for c in name) + "\U000e007f" for name in ("gbeng", "gbsct", "gbwls"))

# Words of Latin letters among which letters of another script pass for Latin ones.
_MIXED = "[A-Za-z][\u0370-\u052f]|[\u0370-\u052f][A-Za-z]"
_WORD = "[A-Za-z\u00c0-\u024f\u0370-\u052f]+"
_LOOKALIKE = frozenset("аеорсухіјѕԁһӏԛԝүАВЕКМНОРСТУХІЈЅԌԚԜҮӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιϲϳ")


def oddities(text: str, *, strict: bool = False) -> Iterator[tuple[int, str]]:
    """Where a character stands that a reader does not see, and its class; then mixed words.

    ``strict`` is for keys, titles and names, which are put together from nothing: no byte-order mark belongs there.
    """
    for match in compiled(_SUSPECT).finditer(text):
        if (strict and match[0] == _MARK) or not _legitimate(text, match.start()):
            yield match.start(), _kind(match[0])
    if not text.isascii() and compiled(_MIXED).search(text):
        for word in compiled(_WORD).finditer(text):
            foreign = [c for c in word[0] if c >= "\u0370"]
            if 0 < len(foreign) < len(word[0]) and all(c in _LOOKALIKE for c in foreign):
                yield word.start(), HOMOGLYPH


def escape_invisible(text: str) -> str:
    """``text`` with every character that ``oddities`` calls unseen written as an escape, ``\\u200b``; idempotent."""

    def shown(match: re.Match[str]) -> str:
        return match[0] if _legitimate(text, match.start()) else _escaped(match[0])

    return compiled(_SUSPECT).sub(shown, text)


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _kind(char: str) -> str:
    if compiled(f"[{_TAGS}]").match(char):
        return TAG
    return BIDI if compiled(f"[{_BIDI}]").match(char) else INVISIBLE


def _legitimate(text: str, at: int) -> bool:
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if char in "\u200c\u200d":
        if _is(_JOINING, before):
            return True
        base = text[at - 2 : at - 1] if before == "\ufe0f" else before
        return char == "\u200d" and _is(_EMOJI, base) and _is(_EMOJI, after)
    if "\ufe00" <= char <= "\ufe0f":
        return (
            bool(before)
            and not before.isspace()
            and not _hidden(before)
            and (not before.isascii() or before in "#*0123456789")
        )
    if char == _MARK:
        return before in ("", "\n") and after.isalpha()
    if char in "\u200e\u200f\u061c":
        return _is(_RTL, before) or _is(_RTL, after)
    if char == "\u2800":
        return _is("[\u2801-\u28ff]", before) or _is("[\u2801-\u28ff]", after)
    if "\u180b" <= char <= "\u180f":
        return _is("[\u1820-\u18aa]", before)
    if "\U000e0100" <= char <= "\U000e01ef":
        return _is(_IDEOGRAPH, before)
    return _in_flag(text, at) if "\U000e0020" <= char <= "\U000e007f" else False


def _in_flag(text: str, at: int) -> bool:
    flag = text.rfind("\U0001f3f4", max(0, at - 7), at)
    return flag >= 0 and text.startswith(_FLAGS, flag + 1) and at <= flag + 6


def _is(name: str, char: str) -> bool:
    return bool(char) and bool(compiled(name).match(char)) and not _hidden(char)


def _hidden(char: str) -> bool:
    return bool(compiled(_SUSPECT).match(char))
