"""What came of a confirmation."""

from __future__ import annotations

from typing import Any, NamedTuple


class Confirmation(NamedTuple):
    """``receipts`` are all of the operation's that are in place, ``receipt`` the first of them, None when every sink
    failed. ``owed`` holds what each sink that is still owed failed with. ``duplicate``: nothing was written now."""

    receipt: dict[str, Any] | None
    duplicate: bool
    receipts: tuple[dict[str, Any], ...] = ()
    owed: tuple[dict[str, Any], ...] = ()
