"""English inflection: the Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980).

Written out here because the published packages cost more to import than a whole query does.
"""

from __future__ import annotations

import re

_CONSONANT = "(?:[^aeiouy]|(?<=[aeiou])y|^y)"
_VOWEL = "(?:[aeiou]|(?<![aeiou])(?<!^)y)"
_STEM = f"{_CONSONANT}*"
_M1 = re.compile(f"^{_STEM}{_VOWEL}+{_CONSONANT}")
_M2 = re.compile(f"^{_STEM}(?:{_VOWEL}+{_CONSONANT}+){{2}}")
_EXACTLY_M1 = re.compile(f"^{_STEM}{_VOWEL}+{_CONSONANT}+{_VOWEL}*$")
_HAS_VOWEL = re.compile(f"^{_STEM}{_VOWEL}")
_CVC = re.compile(f"^{_STEM}{_VOWEL}[^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")

_STEP2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism", "ate", "iti", "ous",
    "ive", "ize",
)  # fmt: skip
_END2 = re.compile(f"(?:{'|'.join(sorted(_STEP2, key=len, reverse=True))})$")
_END3 = re.compile(f"(?:{'|'.join(sorted(_STEP3, key=len, reverse=True))})$")
_END4 = re.compile(f"(?:{'|'.join(sorted(_STEP4, key=len, reverse=True))}|(?<=[st])ion)$")


def stem(word: str) -> str:
    """The stem of a lower-case ASCII word; words of one or two letters stay."""
    if len(word) < 3:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _END2, _STEP2)
    word = _replace(word, _END3, _STEP3)
    found = _END4.search(word)
    if found and _M2.search(word[: found.start()]):
        word = word[: found.start()]
    return _tidy(word)


def _plural(word: str) -> str:
    if word.endswith("sses") or (word.endswith("ies") and len(word) > 3):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _M1.search(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            base = word[: -len(ending)]
            if not _HAS_VOWEL.search(base):
                return word
            if base.endswith(("at", "bl", "iz")) or (_EXACTLY_M1.search(base) and _CVC.search(base)):
                return base + "e"
            return base[:-1] if _DOUBLE.search(base) else base
    return word


def _replace(word: str, ending: re.Pattern[str], table: dict[str, str]) -> str:
    found = ending.search(word)
    if found and _M1.search(word[: found.start()]):
        return word[: found.start()] + table[found.group()]
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _M2.search(base) or (_EXACTLY_M1.search(base) and not _CVC.search(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _M2.search(word[:-1]) else word
