"""Confirmed instruction snapshots (pins), and the file that says which instruction files are ignored on purpose."""

from __future__ import annotations

from aiwg_memory.addons import Addon

_HERE = "aiwg_memory.addons.instructions"

ADDON = Addon(
    name="instructions",
    version="1",
    summary="pinned project instructions",
    paths=(".aiwg/pins/", ".aiwg/instructions.ignore"),
    watches=f"{_HERE}.watching:GLOBS",
    schemas=("pin.v1", "instruction_snapshot.v1", "instruction_request.v1"),
    check=f"{_HERE}.checking:check",
    touching=f"{_HERE}.touching:touching",
    describe=f"{_HERE}.describing:describe",
    status=f"{_HERE}.status:status",
    undo=f"{_HERE}.undoing:undo",
    plans={
        "instructions.pin": f"{_HERE}.pinning:pin",
        "instructions.withdraw": f"{_HERE}.pinning:withdraw",
        "instructions.ignore": f"{_HERE}.ignoring:ignore",
        "instructions.undo": f"{_HERE}.undoing:undo",
    },
)
