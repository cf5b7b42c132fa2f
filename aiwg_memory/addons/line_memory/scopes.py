"""Where a fact may apply: one person's own facts lie in their own store, and nothing else does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.core.config import Config
from aiwg_memory.errors import UsageError

OWN = "user"


def scoped(arguments: Mapping[str, Any], config: Config) -> dict[str, Any]:
    """The arguments with the scope this store gives. Raises UsageError for one that belongs into another store."""
    given = dict(arguments)
    if config.store != OWN:
        if given.get("scope") == OWN:
            raise UsageError(
                "a fact of scope user is one person's own, and this store is shared",
                hint="add it with --user-store: it is kept outside every repository",
                code="user-scope",
            )
        return given
    if given.get("scope", OWN) != OWN:
        raise UsageError(
            f"the scope {given['scope']!r} has no place in your own store; legal is user",
            hint="leave --scope out, or add the fact to the repository it is about",
            code="user-scope",
        )
    return {**given, "scope": OWN}
