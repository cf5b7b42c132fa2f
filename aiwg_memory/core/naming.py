"""How a person names an item: its handle, a locator that was printed, a line of a page, a page, a beginning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from aiwg_memory.core.counting import few
from aiwg_memory.errors import UsageError

MIN_DIGITS = 4
"""Fewer characters after a handle's prefix name nothing: they would fit too much."""

_DIGEST = re.compile("@[0-9a-f]{4,64}\\Z")
_SPAN = re.compile("L([0-9]{1,9})(?:-L([0-9]{1,9}))?\\Z")
_HEX = re.compile("[0-9a-f]{8,64}\\Z")
_BEGINNING = re.compile(f"[a-z]+[_:].{{{MIN_DIGITS},}}", re.DOTALL)
_FOLDER = ".aiwg/wiki/"
_NAME_ALONE = re.compile(
    r"(?:(?:lm|raw|cand|out)_[0-9a-f]{4,64}|(?:ctx|wiki|session|pin):[^\s:]\S*|[^\s#]+#L[0-9]+(?:-L[0-9]+)?(?:@[0-9a-f]{8})?)\Z"
)


class Named(NamedTuple):
    """An item's handle, and the locator it is printed with."""

    handle: str
    locator: str


def names_alone(text: str) -> bool:
    """Whether a text is nothing but a handle, or the locator of some lines: it names something and says nothing."""
    return _NAME_ALONE.match(text.strip()) is not None


def essence(wanted: str) -> str:
    """What is part of the handle or of the locator of every item that ``wanted`` can name."""
    page, _ = _page_and_span(_plain(wanted))
    return page


def named(wanted: str, known: Iterable[Named]) -> list[str]:
    """The handles that ``wanted`` names, in order: one, or all those of a page or of lines of it; none when unknown.

    Raises UsageError for a beginning that fits several.
    """
    everything = sorted(set(known))
    plain = _plain(wanted)
    exact = [each.handle for each in everything if plain in (each.handle, each.locator)]
    if exact:
        return list(dict.fromkeys(exact))
    page, span = _page_and_span(plain)
    on_page = [each for each in everything if page in (each.handle.partition("#")[0], _page_and_span(each.locator)[0])]
    if on_page:
        return list(dict.fromkeys(each.handle for each in on_page if span is None or _meets(each.locator, span)))
    begun = sorted({each.handle for each in everything if _begins(each.handle, plain)})
    if len(begun) > 1:
        raise UsageError(f"{wanted} fits {len(begun)} items: {few(begun)}", hint="give more of it")
    return begun


def _plain(wanted: str) -> str:
    """Without the digest a pack prints after a locator, and without the folder of the wiki."""
    text = wanted.strip().removeprefix("./").removeprefix(_FOLDER)
    return _DIGEST.sub("", text) if "#L" in text else text


def _page_and_span(text: str) -> tuple[str, tuple[int, int] | None]:
    page, mark, tail = text.rpartition("#")
    found = _SPAN.match(tail) if mark else None
    if found is None:
        return text, None
    return page, (int(found[1]), int(found[2] or found[1]))


def _meets(locator: str, span: tuple[int, int]) -> bool:
    own = _page_and_span(locator)[1]
    return own is not None and own[0] <= span[1] and span[0] <= own[1]


def _begins(handle: str, wanted: str) -> bool:
    if _BEGINNING.match(wanted):
        return handle.startswith(wanted)
    return bool(_HEX.match(wanted)) and handle.partition("_")[2].startswith(wanted)
