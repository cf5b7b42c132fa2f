"""Changes of the settings that decide what the gate lets through."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.core.config import PATH, Config
from aiwg_memory.core.counting import few
from aiwg_memory.core.findings import Finding


def loosened(head: Config, base: Config) -> Iterator[Finding]:
    """One warning for each setting by which a change would let more through than before."""
    for name, was, now in _settings(head, base):
        message = f"the change loosens `{name}`: it was {was}, and would be {now}"
        yield Finding(PATH, 0, "gate-loosened", message, "warning", "look at this before anything else in the change")


def _settings(head: Config, base: Config) -> Iterator[tuple[str, str, str]]:
    if (base.reviewers and set(head.reviewers) - set(base.reviewers)) or (base.reviewers and not head.reviewers):
        yield "reviewers", _names(base.reviewers), _names(head.reviewers)
    if base.receipts == "required" != head.receipts:
        yield "receipts", base.receipts, head.receipts
    if head.confirm_under_agent and not base.confirm_under_agent:
        yield "confirm_under_agent", "false", "true"
    if base.agents == "off" != head.agents:
        yield "agents", base.agents, head.agents
    more = [one for one in head.screening if one not in base.screening]
    if more:
        places = [f"{one.screening_class} at {one.where}" for one in more]
        yield "screening", f"{len(base.screening)} exceptions", f"also {_names(places)}"
    if base.workspace and head.workspace != base.workspace:
        yield "workspace", base.workspace, head.workspace or "no one"
    if head.addons is not None and (base.addons is None or set(base.addons) - set(head.addons)):
        yield "addons", _names(base.addons or ("all",)), _names(head.addons or ("all",))


def _names(names: tuple[str, ...] | list[str]) -> str:
    return few(names) or "anyone"
