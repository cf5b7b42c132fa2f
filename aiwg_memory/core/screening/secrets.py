"""Find secrets: a literal first, by plain string search, then the rule it belongs to, at that place only.

A kilobyte of prose holds none of the literals and costs a hundred string searches and no regular expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import aiwg_memory.core.screening.context as context
import aiwg_memory.core.screening.rules as rules
from aiwg_memory.core.screening.lazy import compiled


class Secret(NamedTuple):
    """``text[start:end]`` holds a secret of this kind."""

    start: int
    end: int
    kind: str


def find(text: str) -> list[Secret]:
    """Every secret in order, none overlapping: of two that overlap the union, under the name of the more specific."""
    found = [*_shaped(text), *context.private_keys(text)]
    lowered = lower(text)
    found += context.urls(text)
    found += context.headers(text, lowered)
    found += context.assignments(text, lowered)
    return _merged([Secret(*span) for span in found])


def lower(text: str) -> str:
    """Lower case of the same length: U+0130 alone becomes two characters otherwise."""
    return text.replace("\u0130", "i").lower()


def occurrences(text: str, literal: str) -> Iterator[int]:
    at = text.find(literal)
    while at >= 0:
        yield at
        at = text.find(literal, at + 1)


def _shaped(text: str) -> Iterator[tuple[int, int, str]]:
    lowered = lower(text)
    for rule in rules.rules():
        where = lowered if rule.folded else text
        for literal in rule.literals:
            if literal in where:
                yield from _matches(rule, literal, text, where)


def _matches(rule: rules.Rule, literal: str, text: str, where: str) -> Iterator[tuple[int, int, str]]:
    pattern = compiled(rule.pattern, rule.flags)
    done = 0
    for at in occurrences(where, literal):
        if at < done:
            continue
        for start in range(at, max(done, at - rule.back) - 1, -1):
            match = pattern.match(text, start)
            if match and rule.accept(match[1]):
                done = match.end()
                yield (*match.span(rule.group), rule.kind)
                break


def _merged(found: list[Secret]) -> list[Secret]:
    """The earlier rule names the union: shapes come before contexts."""
    merged: list[tuple[Secret, int]] = []
    for secret, rank in sorted((secret, rank) for rank, secret in enumerate(found)):
        if not merged or secret.start >= merged[-1][0].end:
            merged.append((secret, rank))
            continue
        last, first = merged[-1]
        kind = secret.kind if rank < first else last.kind
        merged[-1] = Secret(last.start, max(last.end, secret.end), kind), min(rank, first)
    return [secret for secret, _ in merged]
