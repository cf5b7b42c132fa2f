"""A clone somebody works in: real git, real processes of the program, and a person who confirms."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PACKAGE_ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.executable).parent / "aiwg-memory"
ADA = "Ada Lovelace <ada@example.org>"


def environment(home: Path, **more: str) -> dict[str, str]:
    return {
        "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada Lovelace",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada Lovelace",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "LC_ALL": "C.UTF-8",
        **more,
    }


class Clone:
    """``root`` is the checkout; ``clock`` gives every operation a minute of its own."""

    def __init__(self, root: Path, *, init: bool = True) -> None:
        self.root = root
        self.home = root.parent / "home"
        self.home.mkdir(exist_ok=True)
        self.clock = 0
        self.env = environment(self.home)
        if init:
            root.mkdir(parents=True)
            self.git("init", "-q", "-b", "main")
            self.git("config", "user.name", "Ada Lovelace")
            self.git("config", "user.email", "ada@example.org")
            self.do("init")

    def git(self, *words: str, ok: bool = True, **more: str) -> subprocess.CompletedProcess[str]:
        asked = ["git", "-c", "protocol.file.allow=always", *words]
        done = subprocess.run(
            asked, cwd=self.root, env={**self.env, **more}, capture_output=True, text=True, errors="surrogateescape"
        )
        assert done.returncode == 0 or not ok, f"git {' '.join(words)}\n{done.stdout}{done.stderr}"
        return done

    def tool(self, *words: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        self.clock += 1
        now = f"2026-02-{1 + self.clock // 1440:02d}T{self.clock // 60 % 24:02d}:{self.clock % 60:02d}:00Z"
        return subprocess.run(
            [str(PROGRAM), *words],
            cwd=self.root,
            env={"AIWG_MEMORY_NOW": now, **(self.env if env is None else env)},
            capture_output=True,
            text=True,
            errors="surrogateescape",
        )

    def do(self, *words: str) -> dict[str, Any]:
        """Preview and confirm; the receipt."""
        shown = self.tool("--json", *words)
        assert shown.returncode == 0, shown.stdout + shown.stderr
        done = self.tool("--json", "confirm", json.loads(shown.stdout)["data"]["operation_id"])
        assert done.returncode == 0, done.stdout + done.stderr
        found: dict[str, Any] = json.loads(done.stdout)["data"]
        return found

    def check(self, *words: str, env: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
        done = self.tool("check", "--format", "json", *words, env=env)
        value = json.loads(done.stdout)
        assert value["status"] == "ok", value
        found: list[dict[str, Any]] = value["data"]["findings"]
        assert done.returncode == (1 if any(one["severity"] == "error" for one in found) else 0)
        return found

    def rules(self, *words: str, env: Mapping[str, str] | None = None) -> list[str]:
        return [one["rule"] for one in self.check(*words, env=env)]

    def write(self, name: str, data: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def add(self, *names: str) -> None:
        self.git("add", "-A", "--", *(names or (".",)))

    def commit(self, message: str = "change") -> str:
        """Everything; without the hook, which has tests of its own."""
        self.add()
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").stdout.strip()

    def facts(self) -> list[Path]:
        return sorted((self.root / ".aiwg/memory/facts").glob("*.txt"))
