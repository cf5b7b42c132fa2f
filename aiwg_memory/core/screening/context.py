"""Secrets told by what stands around them: key blocks, addresses with a password, headers, telling names."""

from __future__ import annotations

import re
from collections.abc import Iterator

import aiwg_memory.core.screening.values as values
from aiwg_memory.core.screening.lazy import compiled

Span = tuple[int, int, str]

# A key block is at most this long, in characters; without an end line its header and the lines of base64 go.
MAX_BLOCK = 16_384

_TELLING = (
    "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey", "api_key", "api-key", "api key",
    "access_key", "accesskey", "access-key", "private_key", "privatekey", "auth_key", "authkey", "signing_key",
    "encryption_key", "master_key", "storage_key", "credential", "db_pass", "dbpass", "smtp_pass", "_auth",
)  # fmt: skip
_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "pwd", "db_pass", "dbpass", "smtp_pass")


def _pattern(name: str) -> re.Pattern[str]:
    return compiled(_PATTERNS[name], re.ASCII | re.IGNORECASE)


_PATTERNS = {
    "header": r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----",
    "body": r"(?:(?:\\r)?(?:\\n|\n|\r)[ \t>#*/]{0,8}[A-Za-z0-9+/=:, -]{0,90}){0,400}",
    "putty": r"PuTTY-User-Key-File-[0-9]: ",
    # User, password, host; what holds a colon or a slash is a path or another scheme more often than a password.
    "url": r"://([^\s/:@\"'<>`]{0,100}):([^\s/:@\"'<>`]{1,200})@([\w.-]{1,200}|\[)",
    "basic": r"basic[ \t]{1,4}([A-Za-z0-9+/]{12,400}={0,2})",
    "bearer": r"(?:bearer|token)[ \t]{1,4}([\w.~+/-]{20,1000}={0,2})",
    # What may follow a telling word within a name, the end of the name, the sign, the opening quote.
    "assignment": r"(?:s|[_-]?(?:key|token|secret|value|text|string|str|base64|b64|hex|plain|prod(?:uction)?|staging"
    r"|stage|dev|test|live|default|current|old|new|[0-9]{1,2})){0,3}"
    r"\\?[\"'`]?\]?[ \t]{0,8}(?P<sep>(?:is|was)[ \t]?[:=]?(?=[ \t])|=>|:=|==?|:|,(?=[ \t]{0,3}[\"']))"
    r"[ \t]{0,8}(?P<open>(?:[bru]|\\)?[\"'`])?",
    "quoted": r"[^\s\"'`\\]{6,400}",
    # Up to the next field of an address's query: what is cut short would leave the end of a secret standing.
    "bare": r"(?:(?!&[\w.-]{1,40}=)[^\s\"'`,;()\[\]{}<>|\\]){6,400}",
    "beside": r"[^\n]{0,30}?(?<![\w/+.=%$-])([\w+/=-]{20,200})(?![\w/+.=%-])",
}


def private_keys(text: str) -> Iterator[Span]:
    """PEM, OpenSSH and PGP private key blocks, also with their line ends escaped; PuTTY key files."""
    done = 0
    at = text.find("-----BEGIN ")
    while at >= 0:
        if at >= done and (header := _pattern("header").match(text, at)):
            done = _block_end(text, header.end())
            yield at, done, "private-key"
        at = text.find("-----BEGIN ", at + 1)
    at = text.find("PuTTY-User-Key-File-")
    while at >= 0:
        if at >= done and _pattern("putty").match(text, at):
            end = text.find("Private-MAC:", at, at + MAX_BLOCK)
            line = text.find("\n", end if end >= 0 else at)
            done = line if line >= 0 else len(text)
            yield at, done, "private-key"
        at = text.find("PuTTY-User-Key-File-", at + 1)


def _block_end(text: str, start: int) -> int:
    end = text.find("-----END ", start, start + MAX_BLOCK)
    if end >= 0:
        close = text.find("-----", end + 9, end + 60)
        return close + 5 if close >= 0 else end + 9
    body = _pattern("body").match(text, start, start + MAX_BLOCK)
    return body.end() if body else start


def urls(text: str) -> Iterator[Span]:
    """Addresses with a password before the host: connection strings, and basic authentication for the web."""
    at = text.find("://")
    while at >= 0:
        match = _pattern("url").match(text, at)
        if match and not values.is_placeholder(match[2]) and match[2].casefold() != match[1].casefold():
            scheme = text[max(0, at - 12) : at].lower()
            web = scheme.endswith(("http", "https", "ftp", "ftps", "ssh", "git", "svn"))
            if not values.is_code(match[2]) and not (match[2].isdigit() and len(match[2]) < 6):
                yield (*match.span(2), "basic-auth-url" if web else "connection-string")
        at = text.find("://", at + 3)


def headers(text: str, lowered: str) -> Iterator[Span]:
    """The values of Authorization headers."""
    for word, kind in (("basic ", "basic"), ("bearer ", "bearer"), ("token ", "bearer")):
        at = lowered.find(word)
        while at >= 0:
            match = _pattern(kind).match(text, at)
            if match and (_is_basic(match[1]) if kind == "basic" else values.is_dense(match[1])):
                yield (*match.span(1), "authorization-header")
            at = lowered.find(word, at + 1)


def _is_basic(value: str) -> bool:
    """Whether the value decodes to a printable ``user:password``, which prose after the word basic never does."""
    from binascii import Error, a2b_base64

    try:
        plain = a2b_base64(value.encode("ascii") + b"=" * (-len(value) % 4)).decode("ascii")
    except (Error, UnicodeDecodeError):
        return False
    _, colon, password = plain.partition(":")
    return bool(colon and password) and plain.isprintable() and not values.is_placeholder(password)


def assignments(text: str, lowered: str) -> Iterator[Span]:
    """Values given to telling names, and dense values within 30 characters behind a telling word."""
    for word in _TELLING:
        done = 0
        at = lowered.find(word)
        while at >= 0:
            if at >= done and (span := _behind(text, at + len(word), word in _PASSWORDS)):
                yield span
                done = span[1]
            at = lowered.find(word, at + 1)


def _behind(text: str, at: int, password: bool) -> Span | None:
    name = _pattern("assignment").match(text, at)
    if not name:
        dense = _pattern("beside").match(text, at)
        if dense and values.is_dense(dense[1]) and not text.endswith(("SHA256:", "sha256:"), 0, dense.start(1)):
            return (*dense.span(1), "high-entropy")
        return None
    quoted = bool(name["open"])
    value = _pattern("quoted" if quoted else "bare").match(text, name.end())
    if not value or (name["sep"] == "," and not quoted):
        return None
    found = value[0] if quoted else value[0].rstrip(".:?")
    if quoted and text[value.end() : value.end() + 1] not in ("'", '"', "`", "\\"):
        return None
    if not quoted and (values.is_code(found) or (password and values.is_wordy(found))):
        return None
    if _suspect(found, password, quoted):
        return value.start(), value.start() + len(found), "assignment"
    return None


def _suspect(value: str, password: bool, quoted: bool) -> bool:
    if password:
        return len(value) >= (6 if quoted else 7) and values.is_password(value)
    return len(value) >= 16 and values.is_random(value)
