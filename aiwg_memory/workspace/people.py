"""Whose decision a change is, and who prepared it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiwg_memory.errors import Refused, UsageError

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace


def reviewer(workspace: Workspace, named: str | None) -> str:
    """``named``, else git's ``user.name <user.email>``; screened. UsageError without one, Refused for a machine's."""
    from aiwg_memory.core.screening.reviewer import reviewer_problem

    name = named if named is not None else _from_git(workspace)
    if not name:
        raise UsageError(
            "there is no reviewer: git has no user.name and user.email here",
            hint='git config user.name "Your Name" and user.email, or name one with --reviewer',
        )
    problem = reviewer_problem(name, workspace.config.reviewers)
    if problem:
        raise Refused(
            f"{name!r} cannot be a reviewer: {problem}",
            code="reviewer",
            hint="a reviewer is a person; set git's user.name, or use --reviewer",
        )
    return name


def _from_git(workspace: Workspace) -> str | None:
    if workspace.repository is not None:
        return workspace.repository.identity()
    from aiwg_memory.repo.repository import identity_anywhere

    return identity_anywhere(workspace.environ)


def provenance(workspace: Workspace) -> str:
    """``operator``, but never for what is prepared while an agent drives, whoever confirms it."""
    from aiwg_memory.core.screening.reviewer import agent_driving

    return "conversation" if agent_driving(workspace.environ) else "operator"


def require_person(workspace: Workspace) -> None:
    """Raises Refused while the environment says an agent drives, unless ``confirm_under_agent`` allows it."""
    from aiwg_memory.core.screening.reviewer import agent_driving

    variable = agent_driving(workspace.environ)
    if variable and not workspace.config.confirm_under_agent:
        raise Refused(
            f"an agent is driving ({variable} is set), and only a person confirms",
            code="agent-driving",
            hint="ask the person to confirm the id in their own terminal",
        )
