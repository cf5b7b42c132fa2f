"""What maintenance would do, one step at a time, before anybody has agreed to any of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

KINDS = ("prune", "expire", "reanchor", "gather")
"""The kinds of step that change something, in the order they are shown."""
RECENCY = "recency"
"""The name of the argument that holds the digest of the recency notes among a request's inputs."""


class Step(NamedTuple):
    """One thing to do: to ``subject``, because of ``message``. ``operation`` and ``arguments`` are those of the addon's
    own operation; steps of one operation whose arguments are a list of targets are carried out together."""

    kind: str
    subject: str
    message: str
    operation: str
    arguments: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.kind} {self.subject}"
