"""Choose and order what an agent is given, under a bound on what is printed."""

from __future__ import annotations

from aiwg_memory.core.packs.build import build_pack
from aiwg_memory.core.packs.pack import Pack
from aiwg_memory.core.packs.request import Given, PackRequest

__all__ = ["Given", "Pack", "PackRequest", "build_pack"]
