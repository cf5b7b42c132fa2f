"""How two states of one thing differ, in our own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aiwg_memory.core.candidates import narrower
from aiwg_memory.core.records import Head

WORDS = {
    "review": "review", "kind": "kind", "scope": "scope", "delivery": "delivery", "classification": "classification",
    "provenance": "provenance", "epoch": "epoch", "expires_at": "expires", "review_at": "review due",
}  # fmt: skip


def steps(was: Mapping[str, Any], now: Mapping[str, Any], names: Iterable[str] = WORDS) -> str:
    """``delivery retrieved → always, scope global → path:src``; "" where nothing of ``names`` differs."""
    return ", ".join(_steps(was, now, names))


def _steps(was: Mapping[str, Any], now: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    for name in names:
        before, after = was.get(name) or "none", now.get(name) or "none"
        if before != after:
            yield f"{WORDS[name]} {before} → {after}"


def refs(value: Mapping[str, Any]) -> tuple[str, ...]:
    """What a record or a page names as its sources, sorted, each once."""
    stated = value.get("sources") or value.get("evidence")
    found = {
        str(each["ref"]) + (f"#{each['span']}" if each.get("span") else "")
        for each in (stated if isinstance(stated, list | tuple) else ())
        if isinstance(each, Mapping) and each.get("ref")
    }
    return tuple(sorted(found))


def sourced(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """How many sources came and went, in words."""
    before, after = set(refs(was)), set(refs(now))
    counts = (("added", len(after - before)), ("taken out", len(before - after)))
    return ", ".join(f"{count} source{'s' if count > 1 else ''} {word}" for word, count in counts if count)


def listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def narrowest(*classes: str) -> str:
    """The class that decides who may read what is said of both sides."""
    return narrower(one for one in classes if one)


def same(was: Head | None, now: Head | None) -> bool:
    """Whether nothing that is told differs: the same versions stand, and what their digests leave out is equal."""
    if was is None or now is None:
        return was is now
    return {one.canonical for one in was.heads} == {one.canonical for one in now.heads}


def forked(now: Head | None) -> str:
    return "decided differently on two branches" if now is not None and now.fork else ""
