"""A person at the keyboard: a directory, a clean environment, real processes, and a real pseudo-terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.run import judge_schema, snapshot

COMMAND = (sys.executable, "-m", "aiwg_memory")
ADA = "Ada Lovelace <ada@example.org>"
NOW = "2026-01-31T08:00:00Z"
PACKAGE_ROOT = str(Path(__file__).parents[2])


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"status {self.status}\n--- out\n{self.out}\n--- err\n{self.err}"


class Person:
    """``base`` holds their home and, in ``desk``, the directory they work in: a git repository, and set up, unless
    ``git`` and ``init`` say otherwise."""

    def __init__(self, base: Path, *, git: bool = True, init: bool = True) -> None:
        self.base = base
        self.root = base / "desk"
        self.home = base / "home"
        self.root.mkdir(parents=True)
        self.home.mkdir()
        self.environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "PYTHONPATH": PACKAGE_ROOT,
            "GIT_CONFIG_NOSYSTEM": "1",
            "AIWG_MEMORY_NOW": NOW,
            "LC_ALL": "C.UTF-8",
        }
        if git:
            self.git("init", "--quiet", "--initial-branch", "main")
            self.git("config", "user.name", "Ada Lovelace")
            self.git("config", "user.email", "ada@example.org")
        if init:
            self.write(".aiwg/config.yaml", "workspace: ws_0123456789abcdef\n")

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=cwd or self.root, env=self.environment, check=True, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout

    def run(
        self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str | None] | None = None, cwd: Path | None = None
    ) -> Done:
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=cwd or self.root, env=self._env(env), input=stdin, capture_output=True
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def _env(self, more: Mapping[str, str | None] | None) -> dict[str, str]:
        merged = {**self.environment, **(more or {})}
        return {name: value for name, value in merged.items() if value is not None}

    def json(self, *arguments: str, status: int = 0, kind: str = "", **how: Any) -> dict[str, Any]:
        """The one object that --json prints, held to the envelope's schema and that of its data; ``status`` is met."""
        done = self.run(*arguments, "--json", **how)
        assert done.status == status, done
        assert list(judge_schema("stdout", done.out, "envelope.v1")) == []
        if kind:
            assert list(judge_schema("stdout", done.out, kind, "data")) == []
        value: dict[str, Any] = json.loads(done.out)
        assert (value["error"] is None) == (value["status"] in ("ok", "preview"))
        return value

    def preview(self, *arguments: str, **how: Any) -> str:
        """The id of what these arguments would do."""
        operation: str = self.json(*arguments, kind="preview_data.v1", **how)["data"]["operation_id"]
        return operation

    def do(self, *arguments: str, **how: Any) -> dict[str, Any]:
        """Preview, then confirm; the receipt."""
        place = [word for word in arguments if word == "--user-store"]
        operation = self.preview(*arguments, **how)
        receipt: dict[str, Any] = self.json("confirm", operation, *place, kind="confirm_data.v1")["data"]["receipt"]
        return receipt

    def files(self) -> dict[str, bytes]:
        """Every file of the workspace but git's and this machine's own."""
        return snapshot(self.root)

    def start(self, *arguments: str, env: Mapping[str, str | None] | None = None) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*COMMAND, *arguments], cwd=self.root, env=self._env(env), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def terminal(self, *arguments: str, env: Mapping[str, str | None] | None = None) -> Terminal:
        return Terminal([*COMMAND, *arguments], self.root, {"TERM": "dumb", **self._env(env)})


class Terminal:
    """One command on a pseudo-terminal of its own, so that it may ask."""

    def __init__(self, command: list[str], cwd: Path, environment: Mapping[str, str]) -> None:
        self.seen = ""
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            # Whoever runs the tests in the background of a shell has interrupts ignored, and hands that on.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(cwd)
            os.execve(command[0], command, dict(environment))

    def until(self, text: str, *, times: int = 1, seconds: float = 60) -> str:
        """Read until ``text`` was printed so often; what was seen so far. Fails when it does not come."""
        deadline = time.monotonic() + seconds
        while self.seen.count(text) < times:
            assert time.monotonic() < deadline, f"waited for {text!r}; seen: {self.seen}"
            if not self._read(0.5):
                break
        assert self.seen.count(text) >= times, f"it ended without {text!r}; seen: {self.seen}"
        return self.seen

    def _read(self, seconds: float) -> bool:
        waiting = select.poll()
        waiting.register(self._fd, select.POLLIN | select.POLLHUP)
        if not waiting.poll(seconds * 1000):
            return True
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # how Linux says that the other end of a terminal is closed
            return False
        self.seen += data.decode().replace("\r\n", "\n")
        return bool(data)

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def interrupt(self) -> None:
        self.type("\x03")

    def end(self, seconds: float = 60) -> int:
        """Read to the end; the exit status."""
        deadline = time.monotonic() + seconds
        while self._read(0.5):
            if time.monotonic() > deadline:
                os.kill(self._pid, signal.SIGKILL)
        os.close(self._fd)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
