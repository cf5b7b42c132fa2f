"""Rules about facts and their records."""

from __future__ import annotations

from typing import Any

from aiwg_memory.core.anchors import anchored
from aiwg_memory.core.rules.rule import Example, Rule
from aiwg_memory.core.rules.samples import LATER, LUNCH, fact, lines, record, segment, successor, text_file

_TYPED = ".aiwg/memory/line-memory.txt"
_RECORD = {segment(): lines(record())}
_JUNE = "2026-06-30T00:00:00Z"
_HOURS = "docs/hours.md"
_CITING = fact(sources=[{"ref": _HOURS, "span": "L1", **(anchored(b"Noon to one.\n", "L1") or {})}])
_OTHER = "Tea is at four."


def _gave_way(text: str, other: str) -> dict[str, Any]:
    """The record of a fact whose place another took."""
    return record(text, status="superseded", replacement=record(other)["handle"])


FACTS = (
    Rule(
        "fact-file-name",
        "error",
        "A file among the facts is not named like one",
        "A fact's file is named by 16 hex digits of the digest of its text, its records by their operation.",
        Example({".aiwg/memory/facts/lunch.txt": f"{LUNCH}\n"}),
        Example(fact()),
    ),
    Rule(
        "fact-text",
        "error",
        "A fact's text cannot be one",
        "A fact is one line of UTF-8 text without control characters, and not empty.",
        Example({_TYPED: "Lunch is \x07 at noon.\n"}),
        Example({_TYPED: f"{LUNCH}\n"}),
    ),
    Rule(
        "fact-not-normalised",
        "warning",
        "A fact's file is not in its one form",
        "One line, single spaces, one final newline: then equal facts are equal files on every branch.",
        Example({**fact(), text_file(LUNCH): "Lunch  is at noon."}),
        Example(fact()),
    ),
    Rule(
        "fact-edited",
        "warning",
        "A fact's file holds another text than its name says",
        "Somebody edited it. `facts adopt` offers the new text as the successor of the old fact.",
        Example({**fact(), text_file(LUNCH): f"{_OTHER}\n"}),
        Example(fact()),
    ),
    Rule(
        "fact-unrecorded",
        "note",
        "Facts have no record yet",
        "They can be found, labelled unreviewed; `facts adopt` gives them records.",
        Example({_TYPED: f"{LUNCH}\n"}),
        Example(fact()),
    ),
    Rule(
        "fact-duplicate",
        "warning",
        "One fact stands in two places",
        "A copy says nothing more and can be edited apart from the other.",
        Example({_TYPED: f"{LUNCH}\n{LUNCH}\n"}),
        Example({_TYPED: f"{LUNCH}\n{_OTHER}\n"}),
    ),
    Rule(
        "fact-near-duplicate",
        "warning",
        "Two facts differ only in case or punctuation",
        "They take room twice and will drift apart. What changes a claim (`C` and `C++`) is not taken for the same. "
        "Only a look at the whole store finds them: `check`, not `check --staged`.",
        Example({_TYPED: f"{LUNCH}\nlunch is at noon\n"}),
        Example({_TYPED: f"{LUNCH}\n{_OTHER}\n"}),
    ),
    Rule(
        "fact-too-long",
        "warning",
        "A fact is longer than a new one may be",
        "Long facts are rarely one fact; several short ones are found and ended one by one.",
        Example({_TYPED: "x" * 501 + "\n"}),
        Example({_TYPED: "x" * 500 + "\n"}),
    ),
    Rule(
        "facts-over-limit",
        "warning",
        "There are more facts than anyone keeps true",
        "`facts.max_lines` in the settings says how many; archive what is not used.",
        Example({_TYPED: "".join(f"Fact number {number}.\n" for number in range(201))}),
        Example({_TYPED: f"{LUNCH}\n"}),
    ),
    Rule(
        "fact-digest",
        "error",
        "A fact's text is not the one its record was made for",
        "The record names the digest of the whole text. Sixteen digits can be made to agree, the whole cannot.",
        Example(
            {
                text_file(LUNCH): f"{LUNCH}\n",
                segment(): lines(record(digest=record()["digest"][:-1] + "0")),
            }
        ),
        Example(fact()),
    ),
    Rule(
        "fact-ended",
        "error",
        "A fact was ended, and its text is still there",
        "A file that comes back, by a merge or by hand, would deliver again what somebody withdrew.",
        Example({**fact(), segment(LATER): lines(successor(record(), status="revoked"))}),
        Example({**_RECORD, segment(LATER): lines(successor(record(), status="revoked"))}),
    ),
    Rule(
        "replaced-in-a-circle",
        "warning",
        "What took the place of something gave its own place to it",
        "Each says that the other counts, so neither does, and nobody is told either. Restore the one that is right.",
        Example({segment(): lines(_gave_way(LUNCH, _OTHER), _gave_way(_OTHER, LUNCH))}),
        Example({**fact(_OTHER), segment(LATER): lines(_gave_way(LUNCH, _OTHER))}),
    ),
    Rule(
        "fact-file-missing",
        "error",
        "A fact is active, and its file is gone",
        "The text is its file and nowhere else. Bring it back from git, or archive the fact.",
        Example(_RECORD),
        Example(fact()),
    ),
    Rule(
        "fact-expired",
        "warning",
        "A fact is past the day it was given to last",
        "It is not delivered any more. Said by `maintain` and `status`, which know the day.",
        Example(fact(expires_at=_JUNE), day="2026-07-01"),
        Example(fact(expires_at=_JUNE), day="2026-06-01"),
    ),
    Rule(
        "fact-review-due",
        "warning",
        "A fact was to be looked at again by now",
        "It is delivered as stale until somebody confirms it. Said by `maintain` and `status`, which know the day.",
        Example(fact(review_at=_JUNE), day="2026-07-01"),
        Example(fact(review_at=_JUNE), day="2026-06-01"),
    ),
    Rule(
        "source-moved",
        "warning",
        "The lines a fact or a value rests on stand elsewhere in their file",
        "The text is still there; `lineage reanchor` and `maintain` preview the new place.",
        Example({**_CITING, _HOURS: "# Hours\n\nNoon to one.\n"}),
        Example({**_CITING, _HOURS: "Noon to one.\n"}),
    ),
    Rule(
        "fact-user-scope",
        "error",
        "A fact of one person lies in a shared store",
        "What concerns one person alone belongs in their own store, outside the repository.",
        Example(fact(scope="user")),
        Example(fact(scope="project:web")),
    ),
    Rule(
        "broken-record",
        "error",
        "A line among the records is no record",
        "The other lines stay usable, and nothing is rebuilt over this one in silence.",
        Example({segment(): "{not json\n"}),
        Example(_RECORD | fact()),
    ),
    Rule(
        "newer-schema",
        "warning",
        "A record is written in a schema newer than this tool",
        "It is read as far as it is understood, and cannot be changed here.",
        Example({**fact(), segment(): lines(record(schema="aiwg.fact_record.v9"))}),
        Example(fact()),
    ),
    Rule(
        "merge-marker",
        "error",
        "A merge conflict was left in a file",
        "Records never conflict, since each operation adds a file of its own; a marker means that one was edited.",
        Example({segment(): "<<<<<<< ours\n"}),
        Example(fact()),
    ),
    Rule(
        "byte-order-mark",
        "warning",
        "A file begins with a byte order mark",
        "Text here is UTF-8 without one; tools differ in whether they see it.",
        Example({**fact(), segment(): "\ufeff" + lines(record())}),
        Example(fact()),
    ),
    Rule(
        "line-ending",
        "warning",
        "Lines end with CR LF",
        "LF is the form on disk, so that equal texts are equal bytes on every platform.",
        Example({**fact(), segment(): lines(record()).replace("\n", "\r\n")}),
        Example(fact()),
    ),
)
