"""Whether a value could be a secret at all: placeholders, code, digests and plain words are not."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

from aiwg_memory.core.screening.lazy import compiled

# A random value holds one of these about once in a billion; a value made up for a page nearly always does.
_MADE_UP = (
    r"example|sample|placeholder|your[-_ ]|your(?:key|token|pass)|change[-_ ]?(?:me|this|it)|replace|insert[-_]|"
    r"dummy|\bfake|redacted|hidden|xxxx|\*\*\*|\.\.\.|…|todo|fixme|abcdefgh|12345678|0123456|deadbeef|qwerty|foobar|"
    r"notreal|not[-_]a[-_]|goes[-_]?here|my[-_]?(?:secret|token|password|key|api)|some[-_]?(?:secret|token|password|key)|"
    r"(?:test|secret|token|password|api|access)[-_](?:secret|token|password|key)|00000000|lorem"
)
_TEMPLATE = r"[<>]|\$\{|\$\(|\{\{|%\(|%s|\{[\w.]*\}|\A\$[A-Za-z_]|\A%[A-Za-z_]+%\Z|\A@[A-Za-z_]+@\Z"
_ONE_WORD = (
    r"(?:pass(?:word|wd|phrase|code)?|pwd?|secret|token|key|user(?:name)?|admin|root|guest|test(?:ing)?|string|none|null|"
    r"true|false|nil|undefined|empty|default|value|required|optional|postgres|mysql|mongo|redis|rabbitmq|local(?:host)?|"
    r"foo|bar|baz|hunter|auth|bearer|basic|text|hash|dev|prod|db|app|api|my|the|an?)*[-_.]?[0-9]{0,4}"
)
# Integrity hashes and public keys say what they are.
_PUBLIC = r"sha(?:1|256|384|512)[-:=]|md5[-:=]|AAAA[A-Z]3|ssh-"
_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_CODE = (
    r"[A-Za-z_][\w.]*[(\[]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z_]\w*(?:->|::)\w|/|\.{1,2}/|[a-z]+://"
    r"|[A-Z][A-Z0-9]*_[A-Z0-9_]+\Z"
)


def is_placeholder(value: str) -> bool:
    """Whether a page would print this in place of a secret: a template, a stock word, one character repeated."""
    return (
        len(set(value)) < 4
        or bool(compiled(_TEMPLATE).search(value))
        or bool(compiled(_MADE_UP, re.IGNORECASE).search(value))
        or bool(compiled(_ONE_WORD, re.IGNORECASE).fullmatch(value))
    )


def is_uuid(value: str) -> bool:
    return bool(compiled(_UUID, re.IGNORECASE).fullmatch(value))


def is_code(value: str) -> bool:
    """Whether an unquoted value reads as a call, a dotted name, a path, an address or a constant's name."""
    return bool(compiled(_CODE).match(value))


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    size = len(value)
    return -sum(n / size * log2(n / size) for n in Counter(value).values()) if size else 0.0


def is_token(value: str) -> bool:
    """A value behind a known prefix: anything but a placeholder, with the spread of something drawn at random."""
    return not is_placeholder(value) and entropy(value) >= 2.8


def is_random(value: str) -> bool:
    """A value whose name alone makes it suspect: letters and digits mixed, spread of at least 3 bits a character."""
    return (
        any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and not is_placeholder(value)
        and not compiled(_PUBLIC, re.IGNORECASE).match(value)
        and entropy(value) >= 3.0
        and not is_uuid(value)
        and not is_wordy(value)
    )


def is_password(value: str) -> bool:
    """A value a person would type: no stock word, two sorts of characters of which one is no letter, no slug."""
    marks = sum(not c.isalnum() and c not in "-_./\\:" for c in value)
    return (
        not is_placeholder(value)
        and any(c.isalpha() for c in value)
        and (marks > 0 or any(c.isdigit() for c in value))
        and not (value.islower() and is_wordy(value))
    )


def is_dense(value: str) -> bool:
    """A value that stands out by itself: upper and lower case and digits, 3.8 bits a character, no path or words."""
    return (
        any(c.isupper() for c in value)
        and any(c.islower() for c in value)
        and sum(c.isdigit() for c in value) >= 2
        and not is_placeholder(value)
        and not compiled(_PUBLIC, re.IGNORECASE).match(value)
        and entropy(value) >= 3.8
        and not is_wordy(value)
    )


def is_wordy(value: str) -> bool:
    """Words or numbers joined by punctuation: a slug, a file name, a date or a version, not something drawn."""
    parts = [part for part in re.split(r"[-_./:\\]", value) if part]
    return len(parts) > 1 and all(
        part.isdigit()
        or (part.isalpha() and (part.islower() or part.isupper() or part.istitle()))
        or re.fullmatch(r"[A-Za-z]{1,12}[0-9]{1,4}|v?[0-9]{1,4}[a-z]{0,2}", part)
        for part in parts
    )
