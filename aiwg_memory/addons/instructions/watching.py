"""Which files are looked at when they change: what any agent of the table reads, and what is nearly called so."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.core.instructions.agents import EVERY_FOLDER, EVERY_NAME, OWN_RULES
from aiwg_memory.core.instructions.names import NEAR_MISSES


def _globs() -> Iterator[str]:
    """Case does not count, so that only the near misses spelt with other letters have to be named."""
    wrong = [name for names in NEAR_MISSES.values() for name in names]
    folded: set[str] = set()
    for name in sorted({*EVERY_NAME, *wrong}, key=lambda each: (each.count("/"), each not in EVERY_NAME, each)):
        if name.casefold() not in folded and name.rpartition("/")[2].casefold() not in folded:
            folded.add(name.casefold())
            yield name
    for rules in EVERY_FOLDER:
        # Below our own folder every name counts, since one that is nearly right is said.
        yield f"{rules.folder}/**" if rules is OWN_RULES else f"{rules.folder}/**/*{rules.suffix}"
    # A link in the place of a directory, and the settings, which may tighten limits.
    yield from (".aiwg", ".claude", ".aiwg/config.yaml")


GLOBS = tuple(_globs())
