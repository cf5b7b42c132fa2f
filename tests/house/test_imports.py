"""Whoever opens a file knows from its folder what it may touch."""

from __future__ import annotations

import pytest
from rules import FUNCTION_CAP, MODULE_CAP, package_sources, violations

SOUND = {
    "aiwg_memory": "",
    "aiwg_memory.errors": "from typing import Any\n",
    "aiwg_memory.core": "",
    "aiwg_memory.core.paths": "import re, urllib.parse\nfrom aiwg_memory.errors import E\n",
    "aiwg_memory.core.items": "from aiwg_memory.core.paths import P\n",
    "aiwg_memory.core.ranking": "",
    "aiwg_memory.core.a": "from aiwg_memory.core.items import I\nA = 1\n",
    "aiwg_memory.addons": "",
    "aiwg_memory.addons.one": "from aiwg_memory.addons import Addon\nfrom aiwg_memory.core.a import A\n",
    "aiwg_memory.addons.one.plans": "from aiwg_memory.addons.one import B\n",
    "aiwg_memory.addons.two": "",
    "aiwg_memory.repo": "import os\nimport subprocess\nfrom aiwg_memory.core.a import A\n",
    "aiwg_memory.workspace": "from aiwg_memory.repo import R\nimport pathlib\n",
    "aiwg_memory.cli": "import click\nfrom aiwg_memory.workspace import W\nprint(1)\nopen('x')\n",
    "aiwg_memory.__main__": "from aiwg_memory.cli import main\n",
}
PLANTED = [
    ("aiwg_memory.errors", "from aiwg_memory.core.a import A", "upward import"),
    ("aiwg_memory.core.a", "from aiwg_memory.addons import one", "upward import"),
    ("aiwg_memory.core.a", "import aiwg_memory.repo", "upward import"),
    ("aiwg_memory.addons.one", "from aiwg_memory.repo import R", "upward import"),
    ("aiwg_memory.repo", "from aiwg_memory.workspace import W", "upward import"),
    ("aiwg_memory.workspace", "def f():\n    from aiwg_memory.cli import main", "upward import"),
    ("aiwg_memory.addons.one", "from aiwg_memory.addons.two import x", "imports addon two"),
    ("aiwg_memory.addons.one.plans", "import aiwg_memory.addons.two.parse", "imports addon two"),
    ("aiwg_memory.core.a", "import os", "belongs to the doors"),
    ("aiwg_memory.core.a", "from os.path import join", "belongs to the doors"),
    ("aiwg_memory.core.a", "def f():\n    import pathlib", "belongs to the doors"),
    ("aiwg_memory.addons.one", "from subprocess import run", "belongs to the doors"),
    ("aiwg_memory.addons.one", "import sqlite3", "belongs to the doors"),
    ("aiwg_memory.addons.one", "import git", "belongs to the doors"),
    ("aiwg_memory.core.a", "import tempfile, shutil", "belongs to the doors"),
    ("aiwg_memory.core.a", "import socket", "belongs to the doors"),
    ("aiwg_memory.workspace", "import click", "click outside cli"),
    ("aiwg_memory.core.a", "from click import echo", "click outside cli"),
    ("aiwg_memory.core.a", "open('x')", "call of open"),
    ("aiwg_memory.addons.one", "def f():\n    with open('x') as g: pass", "call of open"),
    ("aiwg_memory.core.a", "print(1)", "print outside cli"),
    ("aiwg_memory.workspace", "print(1)", "print outside cli"),
    ("aiwg_memory.core.a", "import datetime\ndatetime.datetime.now()", "call of now"),
    ("aiwg_memory.addons.one", "from datetime import date\ndate.today()", "call of today"),
    ("aiwg_memory.core.a", "import time", "differ from run to run"),
    ("aiwg_memory.core.a", "from uuid import uuid4", "differ from run to run"),
    ("aiwg_memory.addons.one", "import random", "differ from run to run"),
    ("aiwg_memory.cli", "import urllib.request", "network"),
    ("aiwg_memory.repo", "from http import client", "network"),
    ("aiwg_memory.core.a", "from . import paths", "relative import"),
    ("aiwg_memory.cli", "from ..core import a", "relative import"),
    ("aiwg_memory.core.paths", "from aiwg_memory.core.items import I", "order inside core"),
    ("aiwg_memory.core.items", "from aiwg_memory.core import ranking", "order inside core"),
    ("aiwg_memory.core.ranking", "import aiwg_memory.core.a", "order inside core"),
    ("aiwg_memory.addons.one", "import aiwg_memory.addons.one.plans", "import cycle"),
    ("aiwg_memory.repo", "def f():\n    import aiwg_memory.index", "import cycle"),
    ("aiwg_memory.cli", "\n" * MODULE_CAP, "lines, at most 400"),
    ("aiwg_memory.cli", "def f():\n" + "    f()\n" * FUNCTION_CAP, "f has 61 lines"),
]


def test_the_package_keeps_the_rules() -> None:
    assert violations(package_sources()) == []


def test_a_sound_house_is_not_blamed() -> None:
    assert violations(SOUND) == []


@pytest.mark.parametrize(("module", "code", "said"), PLANTED, ids=[f"{m[12:]}: {c[:40]!r}" for m, c, _ in PLANTED])
def test_every_planted_offence_is_found(module: str, code: str, said: str) -> None:
    planted = {**SOUND, "aiwg_memory.index": "from aiwg_memory.repo import R\n"}
    found = violations({**planted, module: planted[module] + code + "\n"})
    assert any(said in problem for problem in found), found


def test_a_type_may_name_a_neighbour_that_imports_us_but_never_look_upward() -> None:
    typing = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from {} import X\n"
    assert violations({**SOUND, "aiwg_memory.addons.one": typing.format("aiwg_memory.addons.one.plans")}) == []
    for module, target, said in (
        ("aiwg_memory.core.paths", "aiwg_memory.core.items", "order inside core"),
        ("aiwg_memory.errors", "aiwg_memory.core.a", "upward import"),
        ("aiwg_memory.addons.one", "aiwg_memory.addons.two.parse", "imports addon two"),
    ):
        assert any(said in problem for problem in violations({**SOUND, module: typing.format(target)}))
