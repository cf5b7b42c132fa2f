"""Rules about candidates, what a confirmed one still owes, and registered outputs."""

from __future__ import annotations

from aiwg_memory.core.candidates import assertion_path
from aiwg_memory.core.operations import receipt_path
from aiwg_memory.core.outbox import outbox_path
from aiwg_memory.core.rules.compound_samples import OUTPUT, SINK, candidate, output, owed, paid, proposed
from aiwg_memory.core.rules.rule import Example, Rule
from aiwg_memory.core.rules.samples import SEG, lines, segment

_PENDING = proposed()
_RECORD = segment(store="memory/candidates.d")
_TEXT = assertion_path(candidate()["handle"])
_GOOD = Example(_PENDING)
_REGISTERED = Example(output())
_OWED = owed()
_PAID = paid()

PROPOSALS = (
    Rule(
        "candidate-file-name",
        "error",
        "Something else lies among the records of candidates",
        "Only segments are read there, and what is not read cannot be reviewed.",
        Example({**_PENDING, ".aiwg/memory/candidates.d/notes.md": "x\n"}),
        _GOOD,
    ),
    Rule(
        "forged-record",
        "error",
        "A candidate's record is not what its handle or fingerprint stands for",
        "A reviewer says yes to one assertion with one set of evidence. A record that says another would carry that "
        "yes to something nobody saw.",
        Example({**_PENDING, _RECORD: lines({**candidate(), "scope": "project:web"})}),
        _GOOD,
    ),
    Rule(
        "assertion-changed",
        "error",
        "A candidate's text is gone, or is not what was shown",
        "The record holds the digest of the text that was proposed; only that text can be accepted.",
        Example({**_PENDING, _TEXT: "Lunch is at one.\n"}),
        _GOOD,
    ),
    Rule(
        "assertion-left",
        "warning",
        "A text lies among the candidates and belongs to none",
        "It would be read as if somebody were about to decide on it.",
        Example({_TEXT: _PENDING[_TEXT]}),
        _GOOD,
    ),
    Rule(
        "outbox",
        "error",
        "A line of the outbox is not what anybody confirmed",
        "It holds the bytes that are still to be written, so its digests, its receipt and its name have to agree.",
        Example({**_OWED, outbox_path(SEG): _OWED[outbox_path(SEG)].replace('"handle":"cand_', '"handle":7,"x":"')}),
        Example(_PAID),
    ),
    Rule(
        "owed",
        "warning",
        "A confirmed promotion has not reached one of its sinks",
        "Everybody with the repository can deliver it to the byte as it was confirmed: `aiwg-memory recover`.",
        Example(_OWED),
        Example(_PAID),
    ),
    Rule(
        "forged-receipt",
        "error",
        "A receipt stands where another one is owed",
        "It would let an operation pass for delivered that never was.",
        Example(
            {**_PAID, receipt_path(SEG, SINK): _PAID[receipt_path(SEG, SINK)].replace('"op_111', '"op_222')}, _OWED
        ),
        Example(_PAID, _OWED),
    ),
    Rule(
        "output-changed",
        "warning",
        "A registered output has other bytes by now",
        "What was made with a pack is known by its digest; who cites it means those bytes.",
        Example({**output(), OUTPUT: "# Another report\n"}),
        _REGISTERED,
    ),
    Rule(
        "output-missing",
        "warning",
        "A registered output is not there any more",
        "Archive the registration, or bring the file back.",
        Example({path: text for path, text in output().items() if path != OUTPUT}),
        _REGISTERED,
    ),
    Rule(
        "output-reference",
        "error",
        "An output names another one that is not registered here",
        "What supersedes or contradicts something that cannot be looked up says nothing.",
        Example(output(supersedes=[f"out_{'0' * 16}"])),
        _REGISTERED,
    ),
)
