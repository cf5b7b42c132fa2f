"""Which repository a directory belongs to, and how far the variables git sets for its hooks are believed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from aiwg_memory.errors import Damaged

_MARKERS = ("objects", "refs")


class Place(NamedTuple):
    """``top`` is the root of the checkout, "" in a bare repository; ``git_dir`` is that of this checkout.

    ``located`` are the variables every git call here runs with, so that no setting can point it elsewhere.
    """

    top: str
    git_dir: str
    located: dict[str, str]


def locate(root: str, environ: Mapping[str, str]) -> Place | None:
    """The repository around the real directory ``root``, or None.

    A hook's GIT_DIR, GIT_WORK_TREE and GIT_INDEX_FILE are honoured when they speak of that same repository; a hook
    that looks at another directory's memory gets that directory's own repository and index.
    """
    place = _discover(root)
    spoken = environ.get("GIT_DIR")
    if spoken:
        git_dir = os.path.realpath(spoken)
        if place is not None and os.path.realpath(place.git_dir) == git_dir:
            return _with_index(place, environ)
        tree = environ.get("GIT_WORK_TREE")
        top = os.path.realpath(tree) if tree else ""
        if top and _within(root, top) and not (place and place.top != top and _within(place.top, top)):
            return _with_index(Place(top, git_dir, {"GIT_DIR": git_dir, "GIT_WORK_TREE": top}), environ)
        return place
    if place is None or "GIT_INDEX_FILE" not in environ:
        return place
    here = _discover(os.path.realpath(os.getcwd()))
    return _with_index(place, environ) if here and here.git_dir == place.git_dir else place


def common_dir(git_dir: str) -> str:
    """Where branches and objects are: another directory than ``git_dir`` in a linked worktree."""
    try:
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8") as file:
            return os.path.normpath(os.path.join(git_dir, file.read(4096).strip()))
    except OSError:
        return git_dir


def _discover(root: str) -> Place | None:
    """A checkout goes before a bare repository, which is a few files that anyone can commit into a checkout."""
    folder = root
    while True:
        dot_git = os.path.join(folder, ".git")
        git_dir = _pointed(dot_git) if os.path.isfile(dot_git) else dot_git
        if _is_git_dir(git_dir):
            return Place(folder, git_dir, {"GIT_WORK_TREE": folder})
        above = os.path.dirname(folder)
        if above == folder:
            return Place("", root, {"GIT_DIR": root}) if _is_git_dir(root) else None
        folder = above


def _is_git_dir(folder: str) -> bool:
    if not os.path.lexists(os.path.join(folder, "HEAD")):
        return False
    shared = common_dir(folder)
    return all(os.path.isdir(os.path.join(shared, name)) for name in _MARKERS)


def _pointed(dot_git: str) -> str:
    """Where the ``.git`` file of a worktree or submodule leads."""
    with open(dot_git, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read(4096 + 16)
    if not text.startswith("gitdir: "):
        raise Damaged(f"{dot_git} is no directory and names none", hint="run `git worktree repair`")
    return os.path.normpath(os.path.join(os.path.dirname(dot_git), text[len("gitdir: ") :].rstrip("\r\n")))


def _with_index(place: Place, environ: Mapping[str, str]) -> Place:
    index = environ.get("GIT_INDEX_FILE")
    return place._replace(located={**place.located, "GIT_INDEX_FILE": os.path.abspath(index)}) if index else place


def _within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)
