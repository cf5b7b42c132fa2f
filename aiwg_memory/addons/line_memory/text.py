"""What a fact's text may be, the handle it gives, and when two texts say the same."""

from __future__ import annotations

import unicodedata

from aiwg_memory.core.canonical import digest, short
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.patterns import pattern

FACTS = RepoPath(".aiwg/memory/facts")
RECORDS = RepoPath(".aiwg/memory/facts.d")
LINES = RepoPath(".aiwg/memory/line-memory.txt")
HANDLE = pattern(r"lm_[0-9a-f]{16}\Z")
FILE_NAME = pattern(r"[0-9a-f]{16}\.txt\Z")

_SPACE = pattern("[ \t\n\v\f\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_ALNUM = pattern(r"[^\W_]")
_REFUSED = pattern("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_EDGE = ".,;:?!'\"`()[]{}…–—«»“”‘’„‚"
_LEADING = _EDGE.replace(".", "").replace("!", "")
# Scripts that write without spaces put these between words; elsewhere they stand at the edge of one.
_BETWEEN = pattern("[。，、；：！？．「」『』（）【】《》〈〉・،؛؟۔।॥።፣።؟]")


def normalise(text: str, limit: int) -> str:
    """The text as it is stored: runs of whitespace are one space, none at the ends.

    Raises ValueError, in words, for control characters, for nothing left, and for more than ``limit`` code points.
    """
    text = _SPACE.sub(" ", text).strip(" ")
    if not text.isprintable() and _REFUSED.search(text):
        raise ValueError("a fact holds no control characters")
    if not text:
        raise ValueError("a fact holds at least one character")
    if len(text) > limit:
        raise ValueError(f"a fact has 1 to {limit} characters; this one has {len(text)}")
    return text


def text_digest(text: str) -> str:
    return digest(text.encode())


def handle_of(text: str) -> str:
    """``lm_`` and 16 hex digits of the digest of the normalised text: the same on every branch and in every scope."""
    return "lm_" + short(text_digest(text))


def fact_path(handle: str) -> RepoPath:
    return join(FACTS, handle.removeprefix("lm_") + ".txt")


def near_key(text: str) -> str:
    """Equal for texts that differ in case, in the form of their characters or in punctuation around words alone.

    What changes a claim stays: every word, and every symbol that is not sentence punctuation (``C++``, ``>= 5``,
    ``-5``, ``.net``, ``10²``).
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", "".join(map(_raised, _BETWEEN.sub(" ", text))))
    words = (word.lstrip(_LEADING).rstrip(_EDGE) for word in text.casefold().split())
    return " ".join(_undotted(word) for word in words if word.strip(_EDGE))


def initial(text: str) -> str:
    """Equal for texts whose ``near_key`` is equal, and quick to tell: the first letter or digit of that key, or ""."""
    found = _ALNUM.search(text.casefold() if text.isascii() else near_key(text))
    return found[0] if found else ""


def _undotted(word: str) -> str:
    """A dot or ``!`` before a name belongs to it; more of them are punctuation."""
    bare = word.lstrip(_EDGE)
    return word if len(word) - len(bare) == 1 and word[0] in ".!" else bare


def _raised(character: str) -> str:
    """NFKC makes 10² into 102 and 1½ into 11⁄2; a mark between keeps them what they are."""
    form = unicodedata.decomposition(character)
    return "^" + character if form.startswith(("<super>", "<sub>", "<fraction>")) else character
