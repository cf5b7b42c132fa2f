"""From text to terms: what the index stores and what a query asks for, by one function for both.

A *run* is a stretch without white space that belongs together (``src/retry.py``, ``parseHTTPHeader``, ``C++``, 数据库).
A run gives one or more *terms*: itself and its parts for identifiers, a stem for an English word, character bigrams for
scripts without spaces, trigrams where no stemmer serves. Change ``ANALYSER`` when the terms of any text change.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from aiwg_memory.core.ranking.stem import stem

ANALYSER = "3"

LONGEST = 64
"""Characters of a run that may be one term; longer ones (keys, encoded data) give their parts alone."""

_MEMO_SIZE = 100_000

# Vowel signs and points are no word characters to the standard library; danda and khan stay the stops they are.
_SIGNS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u109f"
    "\u1780-\u17d3\u200c\u200d"
)
_RUN = re.compile(rf"[\w{_SIGNS}]+(?:[-./:\\@'’]+[\w{_SIGNS}]+)*(?:\+\+|#)?")
# Where another sort of script begins: d for those whose character carries about half a word (kana, Han, Hangul), u for
# others without spaces (Thai, Lao, Tibetan, Myanmar, Khmer), w for words, - for what joins the parts of a run.
_BEGIN = (
    (0, "w"), (0xE00, "u"), (0x10A0, "w"), (0x1100, "d"), (0x1200, "w"), (0x1780, "u"), (0x1800, "w"), (0x3040, "d"),
    (0x3100, "w"), (0x31F0, "d"), (0x3200, "w"), (0x3400, "d"), (0x4DC0, "w"), (0x4E00, "d"), (0xA000, "w"),
    (0xAC00, "d"), (0xD7A4, "w"), (0xF900, "d"), (0xFB00, "w"), (0x20000, "d"), (0x31350, "w"),
)  # fmt: skip
_SAME_SCRIPT = re.compile("d+|u+|w+")
# Accents, points and joiners: what two spellings of one word may differ in.
_MARKS = dict.fromkeys((
    *range(0x300, 0x370), *range(0x610, 0x61B), *range(0x64B, 0x660), 0x670, *range(0x591, 0x5C8), 0x640,
    *range(0x200B, 0x2010),
))  # fmt: skip
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:\.\d+)*|[^\W\d_A-Za-z]+")
_NUMBER = re.compile(r"v?(\d+(?:[-./:]\d+)*)", re.IGNORECASE)
_SPELLED = re.compile(r"(?<![^\W_A-Za-z])(?:[A-Z]?[a-z]{3,}|[A-Z]{4,})(?![^\W_A-Za-z\d])")
_HEX = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}")
_POSSESSIVE = re.compile(r"['’][sS]\b")


class _Scripts(dict[int, str]):
    """The sort of script of a character, found when it is first met: a pattern of such ranges costs more to compile
    than a query does."""

    def __missing__(self, code: int) -> str:
        found = self[code] = _BEGIN[bisect_right(_BEGIN, (code, "z")) - 1][1]
        return found


_scripts = _Scripts((ord(joint), "-") for joint in "-./:\\@'’+#")
_memo: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}


def fold(text: str) -> str:
    """Compatibility forms, case and diacritics taken away: what two spellings of one word have in common."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", text.translate(_MARKS))


def runs(text: str) -> list[str]:
    """The runs of a text in order, as they were written but for compatibility forms."""
    return _RUN.findall(text if text.isascii() else unicodedata.normalize("NFKC", text))


def terms_of(run: str) -> tuple[str, ...]:
    """The terms of one run, in order."""
    return (_memo.get(run) or _learned(run))[0]


def _learned(run: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = tuple(word.lower() for word in _SPELLED.findall(run) if len(word) <= LONGEST)
    found = (_analyse(run), words)
    if len(run) <= 4 * LONGEST:
        if len(_memo) >= _MEMO_SIZE:
            _memo.clear()
        _memo[run] = found
    return found


def spelling(run: str) -> str:
    """The run as a plain lower-case English word, or "" where it is none: what slips are looked for among."""
    return run.lower() if run.isascii() and run.isalpha() and not _camel(run) and len(run) <= LONGEST else ""


def terms(text: str) -> list[str]:
    """Every term of a text, in order, repetitions kept."""
    return analyse(text)[0]


def analyse(text: str) -> tuple[list[str], set[str]]:
    """The terms of a text in order, and its plain English words of four letters and more as they are spelled, those
    inside identifiers among them: what a slip of the pen is compared with."""
    found: list[str] = []
    words: set[str] = set()
    known = _memo.get
    for run in runs(text):
        run_terms, run_words = known(run) or _learned(run)
        found += run_terms
        words.update(run_words)
    return found, words


def is_dense(term: str) -> bool:
    """Whether a term is of a script whose characters carry about half a word each."""
    return not term.isascii() and _scripts[ord(term[0])] == "d"


def _analyse(run: str) -> tuple[str, ...]:
    if "'" in run or "’" in run:
        run = _POSSESSIVE.sub("", run)
    if run.isascii():
        return _ascii(run)
    found: list[str] = []
    run = unicodedata.normalize("NFD", run).translate(_MARKS)
    for part in _SAME_SCRIPT.finditer(run.translate(_scripts)):
        piece = run[part.start() : part.end()]
        script = part[0][0]
        if script == "d":
            found += grams(unicodedata.normalize("NFC", piece), 2)
        elif script == "u":
            found += grams(piece, 3)
        else:
            found += _word(piece)
    return tuple(found)


def _word(word: str) -> tuple[str, ...]:
    folded = fold(word)
    if folded.isascii():
        return _ascii(word if word.isascii() else folded)
    if folded[0] < "\u0370":  # Latin with letters of its own: no stemmer of ours serves it
        return (folded,)
    return tuple(grams(folded, 3))


def grams(word: str, size: int) -> list[str]:
    """Overlapping pieces of ``size`` characters; a shorter word is its own piece."""
    return [word[at : at + size] for at in range(len(word) - size + 1)] or [word]


def _ascii(run: str) -> tuple[str, ...]:
    if run.isalpha() and not _camel(run):
        return (stem(run.lower()),) if len(run) <= LONGEST else ()
    if run[-1] in "+#":
        return (run.lower(), *_ascii(run.rstrip("+#")))
    number = _NUMBER.fullmatch(run)
    if number:
        return _number(number.group(1))
    return _compound(run)


def _camel(run: str) -> bool:
    return not (run[1:].islower() or run.isupper() or run.islower())


def _number(text: str) -> tuple[str, ...]:
    """A version, date or time is itself and its leading part; its other digits mean nothing alone."""
    if text.isdigit():
        return (text[:LONGEST],)
    head = re.split(r"[-./:]", text, maxsplit=2)
    lead = head[0] if len(head[0]) == 4 or len(head) < 3 else f"{head[0]}.{head[1]}"
    return (text[:LONGEST], lead)


def _compound(run: str) -> tuple[str, ...]:
    """An identifier, path or hyphenated word: all its parts, and the whole with its joints taken out, so that
    ``retryPolicy``, ``retry_policy`` and ``retry-policy`` meet."""
    if _HEX.fullmatch(run.lower()):
        return (run.lower()[:LONGEST],)
    parts: list[str] = []
    for word in re.split(r"[^0-9A-Za-z.]+|\.(?!\d)|(?<!\d)\.", run):
        low = word.lower()
        if _HEX.fullmatch(low):
            parts.append(low[:LONGEST])
        else:
            parts += [part.lower() for part in _PARTS.findall(word)]
    found = [stem(part) if part.isalpha() else part for part in parts if len(part) <= LONGEST]
    whole = "".join(parts)
    if len(parts) > 1 and len(whole) <= LONGEST:
        found.append(whole if whole != found[0] else whole + "_")
    return tuple(found)
