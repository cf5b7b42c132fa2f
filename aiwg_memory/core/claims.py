"""When two texts say the same, and when they nearly do and disagree."""

from __future__ import annotations

import re
import unicodedata
from zlib import crc32

_QUOTES = " \"'“”‘’«»「」『』"
_END = " .,;:…。，；：、"
LONGEST = 500
_SKETCH = 24

# Words whose presence turns a statement round, or that stand for a number.
_SKIPPED = frozenset((
    "not", "no", "never", "none", "without", "nor", "neither", "always", "nicht", "kein", "keine", "nie", "ne", "pas",
    "jamais", "non", "nunca", "sin", "не", "нет", "без", "никогда", "zero", "one", "two", "three", "four", "five",
    "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "hundred", "thousand",
))  # fmt: skip
_CONTRACTED = r"n['’]t\b"
_SKIPPED_INSIDE = ("没有", "不", "没", "未", "无", "ない")
_NOT_LETTERS = r"[\W\d_]+"
_BREAKS = {code: " " for code in range(128) if not chr(code).isalpha()}


def normalised(text: str) -> str:
    """The claim a text makes: NFKC, case folded, one space for white space, outer quotes and the full stop gone.

    Symbols stay, a leading dot and a question mark among them: they change what is said.
    """
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(folded.casefold().split()).strip(_QUOTES).rstrip(_END).rstrip(_QUOTES)


def opening(text: str) -> str:
    """Where a text's claim begins: equal claims have equal openings, and most texts are told apart by them."""
    words = " ".join(text.split(None, 12)[:12])
    return normalised(words[:200] if words.isascii() else words)


def skeleton(claim: str) -> str:
    """A normalised claim without its numbers, negations and symbols: equal skeletons of unequal claims disagree.

    Empty for claims over 500 characters and for those of fewer than two words, which would match anything.
    """
    if len(claim) > LONGEST:
        return ""
    claim = claim.replace("cannot", "can not")
    if "n't" in claim or "n’t" in claim:
        claim = re.sub(_CONTRACTED, " ", claim)
    if claim.isascii():
        claim = claim.translate(_BREAKS)
    else:
        for inside in _SKIPPED_INSIDE:
            claim = claim.replace(inside, "")
        claim = re.sub(_NOT_LETTERS, " ", claim)
    words = [word for word in claim.split() if word not in _SKIPPED]
    if len(words) >= 2 or (words and not words[0].isascii() and len(words[0]) >= 4):
        return " ".join(words)
    return ""


def sketch(claim: str) -> frozenset[int]:
    """At most 24 marks of a claim's words: the share two texts have in common estimates how alike they are."""
    words = set(claim.split()) if claim.isascii() else set(_pieces(claim))
    return frozenset(sorted(crc32(word.encode("utf-8", "surrogatepass")) for word in words)[:_SKETCH])


def _pieces(claim: str) -> list[str]:
    found: list[str] = []
    for word in claim.split():
        if word.isascii() or len(word) < 8:
            found.append(word)
        else:
            found.extend(word[start : start + 4] for start in range(len(word) - 3))
    return found


def alike(left: frozenset[int], right: frozenset[int]) -> float:
    """0..1: the share of the smaller sketch that the other holds, for sketches of texts of about one length."""
    smaller = min(len(left), len(right))
    return len(left & right) / max(len(left), len(right)) if smaller else 0.0
