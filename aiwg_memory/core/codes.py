"""What every reason and every code of a pack means, for the person who reads it."""

from __future__ import annotations

MEANINGS = {
    "ranked": "it answered the task, and had its place",
    "always": "it is delivered with every pack (delivery: always)",
    "given": "it comes with the request: a pin, working state, instructions",
    "cut": "only its beginning had room; the pack says how much was cut",
    "no-room": "there was no room left for it. Items go in by value for their length, near-copies and the crowd of one"
    " page last, so what is ranked lower but shorter, or less alike to what is in, may have gone in before it",
    "below-floor": "too few of the task's words, weighed by how rare they are, stand in its own text",
    "duplicate-claim": "the same claim is in the pack already",
    "<section>-cap": "the room that was set for its section was used up",
    "locator-cap": "the room that was set for locators was used up",
    "rejected": "a person said that it is not so",
    "pending-policy": "nobody has confirmed it yet, and the settings deliver only what was confirmed",
    "confirmed-policy": "the settings do not deliver what was confirmed here",
    "out-of-scope": "it, or what it rests on, holds elsewhere: another directory, project, session or store",
    "on-demand": "it never comes unasked (delivery: on_demand)",
    "filtered": "a filter of the request left it out",
    "incognito": "the request asked for no memory",
    "lineage-unknown": "it is not known what it rests on, and the settings withhold that",
    "dependency-revoked": "something it rests on was revoked",
    "source-revoked": "its source was revoked",
    "source-changed": "its source is not what it was when it was cited",
    "source-vanished": "its source is gone",
    "source-moved": "the lines it cites are somewhere else in their file now",
    "forgotten": "its text was erased",
    "superseded": "another item took its place",
    "merged": "it became part of another item",
    "revoked": "it turned out wrong and was withdrawn",
    "archived": "it is no longer of use, and history now",
    "expired": "its last day is over",
    "origin-unavailable": "where it came from cannot be reached",
    "lexical": "(a pack's first line) found by words, without a model of meanings",
    "trust 3": "(a heading) stated by a person; 2: extracted or reported by a tool; 1: taken from somewhere else",
    "tree": "(a pack's first line) the state of the memory it was built from: a commit and what the files hold",
}
"""By code."""


def meaning(code: str) -> str:
    """One sentence; nothing for what is no code."""
    if code in MEANINGS:
        return MEANINGS[code]
    return MEANINGS["<section>-cap"] if code.endswith("-cap") else ""
