"""The workspace: finds the root, reads the settings, wires doors and addons. It holds no rules of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from aiwg_memory.errors import AiwgError, UsageError
from aiwg_memory.worktree.root import find_workspace, real_root

if TYPE_CHECKING:
    from aiwg_memory.addons import Addon
    from aiwg_memory.core.config import Config
    from aiwg_memory.core.tree import Tree
    from aiwg_memory.journal import Journal
    from aiwg_memory.repo.repository import Repository
    from aiwg_memory.worktree.read import WorkTree


class Workspace:
    """One checkout. ``initialised`` is whether it has a ``.aiwg/config.yaml``; without one it can be read.

    ``now`` is the command's time (RFC 3339); ``clock`` asks the machine's, for files that may still be changing.
    ``own`` is a person's own store, which belongs to no repository.
    """

    def __init__(
        self,
        root: str,
        initialised: bool,
        now: str,
        environ: Mapping[str, str],
        clock: Callable[[], float],
        *,
        own: bool = False,
    ) -> None:
        self.root, self.initialised, self.own = root, initialised, own
        self.now, self.environ, self.clock = now, environ, clock

    @classmethod
    def open(
        cls, directory: str | None, *, now: str, environ: Mapping[str, str], clock: Callable[[], float]
    ) -> Workspace:
        """The workspace around ``directory``; None is the process's own. Raises UnsafePath, NotFound."""
        root, initialised = find_workspace(real_root(directory))
        return cls(root, initialised, now, environ, clock)

    def close(self) -> None:
        """End what git still runs; it starts again when it is asked."""
        if self.__dict__.get("repository") is not None:
            self.repository.close()  # type: ignore[union-attr]

    @cached_property
    def tree(self) -> WorkTree:
        from aiwg_memory.worktree.read import WorkTree

        return WorkTree(self.root, self.clock)

    @cached_property
    def kept(self) -> Tree:
        """The tree, with catalogues that are kept beside it: for counting and for lists."""
        from aiwg_memory.workspace.addons import retrieved
        from aiwg_memory.workspace.catalogues import Catalogued

        return Catalogued(self.tree, lambda: retrieved(self.addons), self.clock)

    @cached_property
    def config(self) -> Config:
        from aiwg_memory.core.config import load_config

        return load_config(self.tree)

    @cached_property
    def repository(self) -> Repository | None:
        if self.own:
            return None
        from aiwg_memory.repo.repository import Repository

        return Repository.find(self.root, self.environ)

    @cached_property
    def addons(self) -> tuple[Addon, ...]:
        from aiwg_memory.workspace.addons import enabled

        return enabled(self.config)

    @cached_property
    def journal(self) -> Journal:
        from aiwg_memory.journal import Journal

        return Journal(self.root, timeout_ms=self.config.maintenance.lock_timeout_ms)

    def require_repository(self) -> Repository:
        """Raises UsageError outside git."""
        if self.repository is None:
            raise UsageError(f"{self.root} is not in a git repository", hint="git init, or leave the revision out")
        return self.repository

    def require_checkout(self) -> None:
        """Raises UsageError where git has the config and the disk has not: set up anew, it were another workspace."""
        if self.initialised or self.repository is None or self.repository.is_bare:
            return
        from aiwg_memory.core.config import PATH

        try:
            listed = self.repository.index_tree().stat(PATH) is not None
        except AiwgError:
            return
        if listed:
            raise UsageError(
                f"{self.root}: git has {PATH}, and it is not checked out",
                hint="`git sparse-checkout add .aiwg` or `git checkout -- .aiwg` brings the store here",
                code="not-checked-out",
            )

    def require_init(self) -> None:
        """Raises UsageError where there is no config yet: a store of another tool can be read, not changed."""
        if not self.initialised:
            self.require_checkout()
            raise UsageError(
                f"{self.root} is not set up: it has no .aiwg/config.yaml",
                hint=f"aiwg-memory {'--user-store ' if self.own else ''}init  (it previews what it will create)",
            )
