"""Patterns that are compiled when they are first used: a command needs a few of the hundreds there are."""

from __future__ import annotations

import re
from typing import Any, cast

_ASKED = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "pattern", "flags")


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """What ``re.compile`` gives, but for methods of a regular expression that nobody here uses."""
    return cast("re.Pattern[str]", _Waiting(text, flags))


def bytes_pattern(text: bytes, flags: int = 0) -> re.Pattern[bytes]:
    return cast("re.Pattern[bytes]", _Waiting(text, flags))


class _Waiting:
    """Has the methods of the pattern itself from the first use on."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _ASKED:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        self.__dict__.update({asked: getattr(compiled, asked) for asked in _ASKED})
        return self.__dict__[name]
