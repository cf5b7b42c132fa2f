"""Rules about pages and raw evidence."""

from __future__ import annotations

from aiwg_memory.core.rules.rule import Example, Rule
from aiwg_memory.core.rules.samples import linked, page, raw, segment

_GOOD = Example(linked(lunch=page()))
_RAW = Example(raw())
_COPY = next(path for path in raw() if "/raw/" in path)
_RECORD = segment(store="wiki/raw.d")

PAGES = (
    Rule(
        "broken-link",
        "warning",
        "A link leads nowhere",
        "A wiki link names a title, an alias or a path; a Markdown link names a file beside the page.",
        Example(linked(lunch=page("# Lunch\n\nSee [[Dinner]].\n"))),
        Example(linked(lunch=page("# Lunch\n\nSee [[Tea]].\n"), tea=page("# Tea\n"))),
    ),
    Rule(
        "orphan",
        "warning",
        "No page and no index leads to a page",
        "What nobody links to is read by nobody; `wiki index` lists it.",
        Example({".aiwg/wiki/lunch.md": page()}),
        _GOOD,
    ),
    Rule(
        "duplicate-title",
        "warning",
        "Two pages have one title",
        "A link by title can only lead to one of them.",
        Example(linked(lunch=page(), noon=page())),
        Example(linked(lunch=page(), tea=page("# Tea\n"))),
    ),
    Rule(
        "no-sources",
        "note",
        "A page names no source",
        "Without a source nobody can tell what the page rests on, or when it stopped being true.",
        Example(linked(lunch=page(front=""))),
        _GOOD,
    ),
    Rule(
        "source-missing",
        "warning",
        "A source is neither a raw copy nor a file here",
        "What a page cites has to be there for whoever doubts it.",
        Example(linked(lunch=page(front="sources:\n  - ref: notes/gone.txt\n"))),
        Example({**linked(lunch=page(front="sources:\n  - ref: notes/hours.txt\n")), **raw()}),
    ),
    Rule(
        "source-vanished",
        "warning",
        "What a page or a fact cites was here and is gone",
        "A raw copy that has a record is kept as long as something rests on it; a cited file may have been renamed.",
        Example(
            {
                **linked(lunch=page(front="sources:\n  - ref: notes/hours.txt\n")),
                **{path: data for path, data in raw().items() if path != _COPY},
            }
        ),
        Example({**linked(lunch=page(front="sources:\n  - ref: notes/hours.txt\n")), **raw()}),
    ),
    Rule(
        "source-changed",
        "warning",
        "A source is not what was cited any more",
        "The page rests on bytes with the digest it states.",
        Example(
            {
                **linked(lunch=page(front=f"sources:\n  - ref: notes/hours.txt\n    digest: sha256:{'0' * 64}\n")),
                **raw(),
            }
        ),
        Example({**linked(lunch=page(front="sources:\n  - ref: notes/hours.txt\n")), **raw()}),
    ),
    Rule(
        "source-ended",
        "warning",
        "A page rests on a copy that was withdrawn",
        "Whoever withdrew it said that nothing should rest on it any more.",
        Example({**linked(lunch=page(front="sources:\n  - ref: notes/hours.txt\n")), **raw(status="revoked")}),
        Example({**linked(lunch=page(front="sources:\n  - ref: notes/hours.txt\n")), **raw()}),
    ),
    Rule(
        "stale",
        "warning",
        "A page was to be looked at again by now",
        "Look at it and set a later date. Said by `wiki lint` and `maintain`, which know the day.",
        Example(linked(lunch=page(front="review_at: 2026-06-30\n")), day="2026-07-01"),
        Example(linked(lunch=page(front="review_at: 2026-06-30\n")), day="2026-06-01"),
    ),
    Rule(
        "expired",
        "warning",
        "A page is past the day it was given to last",
        "It is not delivered any more. Said by `wiki lint` and `maintain`, which know the day.",
        Example(linked(lunch=page(front="expires_at: 2026-06-30\n")), day="2026-07-01"),
        Example(linked(lunch=page(front="expires_at: 2026-06-30\n")), day="2026-06-01"),
    ),
    Rule(
        "contradiction",
        "warning",
        "A contradiction is marked and not settled",
        "A passage under `> [!contradiction]` is delivered at half its rank until somebody decides.",
        Example(linked(lunch=page("# Lunch\n\n> [!contradiction]\n> Noon, or one?\n"))),
        _GOOD,
    ),
    Rule(
        "front-matter",
        "error",
        "The front matter is not a list of keys",
        "Between the `---` lines stand `key: value` lines, and nothing else.",
        Example(linked(lunch=page(front="- a\n- b\n"))),
        _GOOD,
    ),
    Rule(
        "schema",
        "error",
        "A value is not what its schema allows",
        "The schemas in `schemas/` are the source of truth of every format.",
        Example(linked(lunch=page(front="status: wrong\n"))),
        _GOOD,
    ),
    Rule(
        "scope",
        "error",
        "A page's scope is none",
        "A page whose scope nobody can tell is delivered to nobody.",
        Example(linked(lunch=page(front="scope: everywhere\n"))),
        _GOOD,
    ),
    Rule(
        "binary",
        "error",
        "A page is binary",
        "Pages are Markdown; anything else is raw evidence, which `ingest` keeps.",
        Example(linked(lunch="# Lunch\0\n")),
        _GOOD,
    ),
    Rule(
        "final-newline",
        "warning",
        "The last line has no end",
        "One final newline, so that an appended line stays a line.",
        Example(linked(lunch=page().rstrip("\n"))),
        _GOOD,
    ),
    Rule(
        "not-a-file",
        "error",
        "A link or another thing lies where a file belongs",
        "Nobody reads through it.",
        Example({".aiwg/wiki/lunch.md": None}),
        _GOOD,
    ),
    Rule(
        "raw-name",
        "error",
        "A raw copy is not named like one",
        "A copy is named by the digest of its bytes, so that a changed one is seen.",
        Example({".aiwg/wiki/raw/hours.txt": "noon\n"}),
        _RAW,
    ),
    Rule(
        "raw-changed",
        "error",
        "A raw copy was edited",
        "Raw evidence is never edited: what rests on it would rest on nothing.",
        Example({**raw(), _COPY: "Opening hours: one.\n"}),
        _RAW,
    ),
    Rule(
        "raw-unrecorded",
        "warning",
        "Nothing says where a raw copy came from",
        "Its record was lost, or the file was put there by hand.",
        Example({_COPY: raw()[_COPY]}),
        _RAW,
    ),
    Rule(
        "raw-vanished",
        "warning",
        "A recorded raw copy is gone",
        "Take it back from git, or end the record.",
        Example({_RECORD: raw()[_RECORD]}),
        _RAW,
    ),
    Rule(
        "raw-left",
        "warning",
        "A raw copy was ended, and is still there",
        "A file that comes back would be cited again.",
        Example(raw(status="removed")),
        _RAW,
    ),
)
