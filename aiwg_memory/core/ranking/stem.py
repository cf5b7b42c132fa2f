"""English inflection: the Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980).

Written out here because the published packages cost more to import than a whole query does.
"""

from __future__ import annotations

# A word's *shape* is its letters as vowels (v) and consonants (c); y is decided by what precedes it.
_LETTERS = {code: "v" if chr(code) in "aeiou" else "c" for code in range(128) if chr(code) != "y"}

_STEP2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP4 = dict.fromkeys((
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism", "ate", "iti", "ous",
    "ive", "ize", "ion",
), "")  # fmt: skip


def stem(word: str) -> str:
    """The stem of a lower-case ASCII word; words of one or two letters stay."""
    if len(word) < 3:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _STEP2, 1)
    word = _replace(word, _STEP3, 1)
    word = _replace(word, _STEP4, 2)
    return _tidy(word)


def _shape(word: str) -> str:
    shape = word.translate(_LETTERS)
    if "y" not in shape:
        return shape
    return "".join(
        kind if kind != "y" else "c" if at == 0 or shape[at - 1] == "v" else "v" for at, kind in enumerate(shape)
    )


def _measure(word: str) -> int:
    """How often a consonant follows a vowel."""
    return _shape(word).count("vc")


def _short(word: str) -> bool:
    """Consonants, one vowel and one consonant that is not w, x or y: what keeps its e."""
    return _shape(word).lstrip("c") == "vc" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith("sses") or (word.endswith("ies") and len(word) > 3):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            base = word[: -len(ending)]
            if "v" not in _shape(base):
                return word
            if base.endswith(("at", "bl", "iz")) or _short(base):
                return base + "e"
            return base[:-1] if base[-1:] == base[-2:-1] and base[-1] not in "aeiouylsz" else base
    return word


def _replace(word: str, endings: dict[str, str], least: int) -> str:
    """The longest of the endings replaced, where what precedes it measures at least that much."""
    for size in range(min(7, len(word)), 1, -1):
        ending = word[-size:]
        if ending in endings and (ending != "ion" or word[-4:-3] in ("s", "t")):
            base = word[:-size]
            return base + endings[ending] if _measure(base) >= least else word
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        measure = _measure(base)
        if measure > 1 or (measure == 1 and not _short(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
