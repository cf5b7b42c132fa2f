"""Rules about canonical context: the project's current word on a key, and every earlier word behind it."""

from __future__ import annotations

from aiwg_memory.core.rules.rule import Example, Rule
from aiwg_memory.core.rules.samples import ADA, KEY, KEYS_ON, key_file, key_version

_OLD = key_version("MySQL 8", 1, status="superseded", disposition={"by": ADA, "at": "2026-02-01T08:00:00Z"})
_NEW = key_version("PostgreSQL 16", 2)
_FILE = key_file(_NEW, _OLD)
_GOOD = Example(_FILE)
_DATED = "2026-06-30T00:00:00Z"

KEYS = (
    Rule(
        "canonical-off",
        "error",
        "There are keys, but canonical context is not turned on",
        "Nothing reads them until a person says with `canon init` that this project keeps its word here.",
        Example({path: text for path, text in _FILE.items() if path != KEYS_ON}),
        _GOOD,
    ),
    Rule(
        "canonical-key",
        "error",
        "A target, key or scope is not one that may be",
        "A key is lower-case words joined by dots; `system`, `developer`, `provider` and `agent` belong to a higher "
        "authority, and memory never speaks for one.",
        Example(key_file(_NEW, _OLD, key="system.engine")),
        _GOOD,
    ),
    Rule(
        "canonical-path",
        "error",
        "A key lies in another file than its own",
        "One key in one scope is one file, so that two branches that set it meet in a conflict that somebody sees.",
        Example({KEYS_ON: _FILE[KEYS_ON], KEY.replace("engine", "motor"): _FILE[KEY]}),
        _GOOD,
    ),
    Rule(
        "canonical-active",
        "error",
        "A version that is not the newest is active",
        "Two branches set the key and both were kept. A person numbers them and lets the older one be superseded.",
        Example(key_file(_NEW, key_version("MySQL 8", 1))),
        _GOOD,
    ),
    Rule(
        "canonical-scope",
        "error",
        "The versions of one file have different scopes",
        "A scope has a file of its own; what held for one folder would come to hold everywhere.",
        Example(key_file(_NEW, {**_OLD, "scope": "project:web"})),
        _GOOD,
    ),
    Rule(
        "canonical-history",
        "error",
        "A version of a key is gone, was altered or is counted wrongly",
        "History is added to and never edited: what was decided, by whom and why stays readable.",
        Example(key_file(_NEW, {**_OLD, "reason": "because"}), _FILE),
        Example(key_file(key_version("SQLite 3", 3), {**_OLD, **_NEW, "status": "superseded"}, _OLD), _FILE),
    ),
    Rule(
        "canonical-lost",
        "error",
        "A key is gone with all its versions",
        "Ending a key is a version like any other (`canon archive`); deleting its file leaves nobody to ask.",
        Example({KEYS_ON: _FILE[KEYS_ON]}, _FILE),
        Example(key_file(_OLD), {KEYS_ON: _FILE[KEYS_ON]}),
    ),
    Rule(
        "canonical-edited",
        "warning",
        "A value is not the one that was confirmed",
        "Somebody typed another into the file. It counts as pending until `canon set` makes it a version of its own.",
        Example(key_file({**_NEW, "value": "PostgreSQL 17"}, _OLD)),
        _GOOD,
    ),
    Rule(
        "canonical-expired",
        "warning",
        "A value is past the day it was given to last",
        "It is not delivered any more. Said by `maintain` and `status`, which know the day.",
        Example(key_file({**_NEW, "expires_at": _DATED}, _OLD), day="2026-07-01"),
        Example(key_file({**_NEW, "expires_at": _DATED}, _OLD), day="2026-06-01"),
    ),
    Rule(
        "canonical-review-due",
        "warning",
        "A value was to be looked at again by now",
        "It is delivered as stale until somebody confirms it. Said by `maintain` and `status`, which know the day.",
        Example(key_file({**_NEW, "review_at": _DATED}, _OLD), day="2026-07-01"),
        Example(key_file({**_NEW, "review_at": _DATED}, _OLD), day="2026-06-01"),
    ),
)
