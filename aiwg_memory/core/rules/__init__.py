"""Every rule of the check in one table: the documentation, the listing and a test of each are made from it."""

from __future__ import annotations

from aiwg_memory.core.rules.changes import CHANGES
from aiwg_memory.core.rules.facts import FACTS
from aiwg_memory.core.rules.files import FILES, SCREENED
from aiwg_memory.core.rules.instructions import INSTRUCTIONS
from aiwg_memory.core.rules.keys import KEYS
from aiwg_memory.core.rules.pages import PAGES
from aiwg_memory.core.rules.proposals import PROPOSALS
from aiwg_memory.core.rules.rule import Example, Rule

GROUPS = {
    "A change as a change": CHANGES,
    "Facts and records": FACTS,
    "Pages and raw evidence": PAGES,
    "Canonical context": KEYS,
    "Candidates, outputs and what is owed": PROPOSALS,
    "Instructions and pins": INSTRUCTIONS,
    "Files and settings": FILES,
    "What a text holds": SCREENED,
}
RULES = tuple(sorted(rule for group in GROUPS.values() for rule in group))

__all__ = ["GROUPS", "RULES", "Example", "Rule", "covers"]


def covers(rule: Rule, found: str) -> bool:
    """Whether the id ``found`` in a finding is this rule, or one of this family."""
    return found.startswith(rule.id[:-1]) if rule.id.endswith("*") else found == rule.id
