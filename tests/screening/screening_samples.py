"""The sample strings, joined: ``secrets.txt`` holds a class and a text a line, ``lookalikes.txt`` a text a line.

All are drawn at random or made up. ``⁂`` cuts what a scanner of stored files could take for a leak, so that a forge
does not refuse the repository; it is taken out here. ``⏎`` is a line break.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def secrets() -> list[tuple[str, str]]:
    pairs = (line.split("\t", 1) for line in _lines("secrets.txt"))
    return [(kind, text.replace("⁂", "")) for kind, text in pairs]


def lookalikes() -> list[str]:
    return [text.replace("⁂", "") for text in _lines("lookalikes.txt")]


def _lines(name: str) -> list[str]:
    text = (_HERE / name).read_text("utf-8")
    return [line.replace("⏎", "\n") for line in text.split("\n") if line]
