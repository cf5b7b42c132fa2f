"""Canonical JSON, digests and short names: the one spelling everything that is compared or addressed is made from."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from typing import Any

from aiwg_memory.core.patterns import pattern

DIGEST = pattern(r"sha256:[0-9a-f]{64}\Z")


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no spaces, unescaped UTF-8, no final newline; floats that are not numbers raise ValueError."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def indented_json(value: Any) -> bytes:
    """The form of a file that people read in a diff: sorted keys, a line each."""
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def digest(data: bytes) -> str:
    """``sha256:`` and 64 lower-case hex digits."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def digest_json(value: Any) -> str:
    return digest(canonical_json(value))


def short(full: str, length: int = 16) -> str:
    """The first ``length`` hex digits of a digest, or of an id with a prefix such as ``op_``."""
    return full.rpartition(":")[2].rpartition("_")[2][:length]


def named(what: str | None) -> str:
    """How a sentence names what a file held: a digest by 12 of its digits, "nothing" for None, else what was said."""
    if what is None:
        return "nothing"
    return f"sha256:{short(what, 12)}" if DIGEST.match(what) else what


def slug_stem(name: str) -> str:
    """What the slug of ``name``, and of every path below a folder of this name, begins with."""
    plain = name if name.isascii() else unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40].strip("-")


def slug(name: str) -> str:
    """At most 40 lower-case ASCII letters, digits and ``-`` of a name, then ``-`` and 8 hex digits of its digest."""
    kept = slug_stem(name)
    tail = short(digest(name.encode()), 8)
    return f"{kept}-{tail}" if kept else tail
