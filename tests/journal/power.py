"""A disk that records what each call did and what was synced, and can be stopped at any call and lose power.

``PowerDisk`` works on a real directory and keeps a ledger beside it: for each file what was written and what of it was
synced, for each directory its names now and at its last sync. ``lose_power`` builds the directory a machine may find
when it starts again.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.worktree.disk import Disk

CALLS = ("make_dir", "write_new", "set_time", "sync_file", "sync_dir", "link_new", "rename", "unlink", "remove_dir")
LOSSES = ("nothing", "unsynced", "data", "mixed-1", "mixed-2")


class Stopped(BaseException):
    """The machine stopped here: nothing runs after it, no clean-up either."""


class Folder:
    def __init__(self) -> None:
        self.now: dict[str, Folder | File] = {}
        self.kept: dict[str, Folder | File] = {}


class File:
    def __init__(self, now: bytes, mode: int, kept: bytes = b"", time: int | None = None) -> None:
        self.now, self.kept, self.mode, self.time = now, kept, mode, time


class PowerDisk(Disk):
    """Raises Stopped instead of call number ``stop`` (from 1) and every later one; ``torn``: a write is half done."""

    def __init__(self, root: str, *, stop: int = 0, torn: bool = False, ledger: Folder | None = None) -> None:
        super().__init__(root)
        self.ledger = ledger or _load(Path(root))
        self.stop, self.torn, self.calls = stop, torn, 0
        self.log: list[tuple[str, str]] = []
        self.between: Callable[[int], None] = lambda call: None

    def reload(self) -> None:
        """Somebody else changed the directory: take it as it is, all of it synced."""
        self.ledger = _load(Path(self.root))

    def _call(self, name: str, path: RepoPath | None) -> None:
        self.calls += 1
        self.log.append((name, path or ""))
        self.between(self.calls)
        if self.stop and self.calls >= self.stop:
            if self.torn and self.calls == self.stop and name == "write_new":
                return
            raise Stopped

    def _at(self, path: RepoPath) -> tuple[Folder, str]:
        *above, name = path.parts
        folder: Any = self.ledger
        for part in above:
            folder = folder.now[part]
        return folder, name

    def _node(self, path: RepoPath | None) -> Any:
        if path is None:
            return self.ledger
        folder, name = self._at(path)
        return folder.now[name]

    def make_dir(self, path: RepoPath) -> bool:
        self._call("make_dir", path)
        made = super().make_dir(path)
        if made:
            folder, name = self._at(path)
            folder.now[name] = Folder()
        return made

    def write_new(self, path: RepoPath, data: bytes, mode: int = 0o644) -> None:
        self._call("write_new", path)
        torn = self.stop == self.calls
        data = data[: len(data) // 2] if torn else data
        super().write_new(path, data, mode)
        folder, name = self._at(path)
        folder.now[name] = File(data, mode)
        if torn:
            raise Stopped

    def set_time(self, path: RepoPath, moment: int) -> None:
        self._call("set_time", path)
        super().set_time(path, moment)
        self._node(path).time = moment

    def sync_file(self, path: RepoPath) -> None:
        self._call("sync_file", path)
        assert self.stat(path) is not None
        self._node(path).kept = self._node(path).now

    def sync_dir(self, path: RepoPath | None) -> None:
        self._call("sync_dir", path)
        assert path is None or self.stat(path) is not None
        self._node(path).kept = dict(self._node(path).now)

    def link_new(self, source: RepoPath, target: RepoPath) -> bool:
        self._call("link_new", target)
        linked = super().link_new(source, target)
        if linked:
            folder, name = self._at(target)
            folder.now[name] = self._node(source)
        return linked

    def rename(self, source: RepoPath, target: RepoPath) -> None:
        self._call("rename", target)
        super().rename(source, target)
        out, old = self._at(source)
        folder, name = self._at(target)
        folder.now[name] = out.now.pop(old)

    def unlink(self, path: RepoPath) -> None:
        self._call("unlink", path)
        super().unlink(path)
        folder, name = self._at(path)
        del folder.now[name]

    def remove_dir(self, path: RepoPath) -> bool:
        self._call("remove_dir", path)
        removed = super().remove_dir(path)
        if removed:
            folder, name = self._at(path)
            del folder.now[name]
        return removed

    def lose_power(self, target: Path, loss: str) -> str:
        """What may be found afterwards, as a new directory.

        nothing: the process died, the machine lived. unsynced: everything not synced is lost. data: names survived,
        unsynced bytes did not. mixed: each directory and file either way, but no stage forgets what its target has.
        """
        chance = random.Random(f"{loss}{self.calls}")
        target.mkdir()
        _build(self.ledger, target, loss, chance, {}, "")
        return str(target)


def _load(path: Path) -> Folder:
    folder = Folder()
    for each in path.iterdir():
        if each.is_dir() and not each.is_symlink():
            folder.now[each.name] = _load(each)
        elif each.is_file() and not each.is_symlink():
            data = each.read_bytes()
            status = each.stat()
            folder.now[each.name] = File(data, status.st_mode & 0o777, data, status.st_mtime_ns)
    folder.kept = dict(folder.now)
    return folder


def _build(folder: Folder, at: Path, loss: str, chance: random.Random, made: dict[int, Path], path: str) -> None:
    names = {"nothing": folder.now, "unsynced": folder.kept, "data": folder.now}.get(loss)
    if names is None:
        names = folder.kept if ".local/stage" in path or chance.random() < 0.5 else folder.now
    for name, node in names.items():
        inner = at / name
        if isinstance(node, Folder):
            inner.mkdir()
            _build(node, inner, loss, chance, made, f"{path}/{name}")
        elif id(node) in made:
            os.link(made[id(node)], inner)
        else:
            survived = loss == "nothing" or (loss.startswith("mixed") and chance.random() < 0.5)
            inner.write_bytes(node.now if survived else node.kept)
            inner.chmod(node.mode)
            if node.time is not None:
                os.utime(inner, ns=(node.time, node.time))
            made[id(node)] = inner
