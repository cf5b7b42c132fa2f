"""Rules about a change as a change: what the gate asks of a commit or a pull request."""

from __future__ import annotations

from aiwg_memory.core.rules.rule import Example, Rule
from aiwg_memory.core.rules.samples import (
    ADA,
    LATER,
    LUNCH,
    OTHER,
    SEG,
    fact,
    lines,
    receipt,
    record,
    segment,
    successor,
    text_file,
)

_CONFIG = ".aiwg/config.yaml"
_OPEN = "schema: aiwg.config.v1\n"
_CLOSED = f"{_OPEN}reviewers:\n  - {ADA}\n"
_LUNCH = fact()
_ENDED = {segment(LATER): lines(successor(record(), status="archived"))}
_KEPT = {**_LUNCH, **receipt({}, _LUNCH)}

CHANGES = (
    Rule(
        "unreviewed",
        "warning",
        "No receipt accounts for a change",
        "Every confirmed operation leaves a receipt that names each file with its digest before and after. A change "
        "that no receipts lead to was made by hand. That is allowed, and worth a look; with `receipts: required` in "
        "the settings of the base it is an error.",
        Example(_LUNCH, {}),
        Example(_KEPT, {}),
    ),
    Rule(
        "segment-edited",
        "error",
        "A file of records was edited or deleted",
        "Records are never edited: a decision is ended by a later one in a file of its own. What a digest does not "
        "cover (who, why, when) could be rewritten unseen otherwise.",
        Example({**_LUNCH, segment(): lines(record(reviewer="Eve <eve@example.org>"))}, _LUNCH),
        Example({segment(): lines(record()), **_ENDED}, _LUNCH),
    ),
    Rule(
        "record-form",
        "error",
        "A record is not canonical JSON",
        "A record has one spelling, so that a search for a handle finds every version of it. Escapes that are not "
        "needed can hide one.",
        Example({**_LUNCH, segment(): lines(record()).replace('"lm_', '"\\u006cm_')}, {}),
        Example(_LUNCH, {}),
    ),
    Rule(
        "receipt-changed",
        "error",
        "A receipt was rewritten or taken out",
        "What was confirmed stays as it was confirmed. Undoing something is a new operation with a receipt of its own.",
        Example(_LUNCH, _KEPT),
        Example(_KEPT, _KEPT),
    ),
    Rule(
        "receipt",
        "error",
        "A line is no receipt, or lies under another's name",
        "A receipt is one JSON object of the schema `receipt.v1`, in a file named by its operation.",
        Example({f".aiwg/receipts.d/{SEG}.jsonl": "{}\n"}, {}),
        Example(_KEPT, {}),
    ),
    Rule(
        "reviewer",
        "warning",
        "A receipt names a reviewer who may not review",
        "A reviewer is a person, and where `reviewers` in the settings of the base lists some, one of those. A change "
        "cannot add its own author to the list it is judged by. An error with `receipts: required`.",
        Example(
            {_CONFIG: _CLOSED, **_LUNCH, **receipt({}, _LUNCH, reviewer="Eve <eve@example.org>")}, {_CONFIG: _CLOSED}
        ),
        Example({_CONFIG: _CLOSED, **_KEPT}, {_CONFIG: _CLOSED}),
    ),
    Rule(
        "foreign-receipt",
        "warning",
        "A receipt is of another workspace",
        "A store that was copied from another project brings receipts that say nothing about this one.",
        Example(
            {_CONFIG: f"{_OPEN}workspace: ws_{'4' * 32}\n", **_KEPT}, {_CONFIG: f"{_OPEN}workspace: ws_{'4' * 32}\n"}
        ),
        Example(
            {_CONFIG: f"{_OPEN}workspace: ws_{'3' * 32}\n", **_KEPT}, {_CONFIG: f"{_OPEN}workspace: ws_{'3' * 32}\n"}
        ),
    ),
    Rule(
        "handle-vanished",
        "error",
        "A fact, page or copy is gone without a word",
        "Whoever cites a handle can learn what became of it: a tombstone, a successor or a receipt says so. A line "
        "typed by hand that never had a record may go, with a warning.",
        Example({}, {text_file(LUNCH): f"{LUNCH}\n"}),
        Example(_ENDED | {segment(): lines(record())}, _LUNCH),
    ),
    Rule(
        "record-lost",
        "error",
        "A version that was recorded is in no file of records any more",
        "Nothing is ever taken out of a set of records; gathering files into one keeps every line.",
        Example({text_file(LUNCH): f"{LUNCH}\n"}, _LUNCH),
        Example({text_file(LUNCH): f"{LUNCH}\n", segment("202601-0123456789ab"): lines(record())}, _LUNCH),
    ),
    Rule(
        "gate-loosened",
        "warning",
        "The settings would let more through than before",
        "Reviewers, receipts, recorded exceptions, agents and addons decide what passes. The settings of the base "
        "judge this change; look at the new ones before they judge the next.",
        Example({_CONFIG: _OPEN}, {_CONFIG: f"{_OPEN}receipts: required\n"}),
        Example({_CONFIG: f"{_OPEN}receipts: required\n"}, {_CONFIG: _OPEN}),
    ),
    Rule(
        "standing-over-cap",
        "error",
        "What is always delivered is longer than the cap",
        "Every session pays for standing memory whether it needs it or not; what is over `delivery.always_cap` "
        "characters would be cut, and nobody can say which half.",
        Example(fact("Standing. " * 110 + "End.", delivery="always"), {}),
        Example(fact("Standing.", delivery="always"), {}),
    ),
    Rule(
        "local-file",
        "error",
        "A file of `.aiwg/.local/` is tracked",
        "What lies there belongs to one machine: previews, an index, undo copies of texts that may have been "
        "forgotten.",
        Example({".aiwg/.local/index.sqlite": "x"}, {}),
        Example(_LUNCH, {}),
    ),
    Rule(
        "record-fork",
        "error",
        "One thing was decided differently on two branches",
        "Two versions name the same predecessor. Readers go by the more restrictive one until a person settles it "
        "with `resolve`.",
        Example(
            {
                segment(): lines(record()),
                segment(LATER): lines(successor(record(), status="archived")),
                segment(OTHER): lines({**successor(record(), status="revoked"), "seg": OTHER}),
            }
        ),
        Example({segment(): lines(record()), **_ENDED}),
    ),
    Rule(
        "broken-chain",
        "error",
        "A record names a predecessor that is not there",
        "A version says which one it replaces by digest. When that one is missing, a file of records was lost.",
        Example({segment(LATER): lines(successor(record(), status="archived"))}),
        Example({segment(): lines(record()), segment(LATER): lines(successor(record(), status="archived"))}),
    ),
)
