"""The lines of a git hook that are ours: how they look, how they get into a hook that is there, and out again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from shlex import quote

BEGIN = b"# >>> aiwg-memory >>>\n"
END = b"# <<< aiwg-memory <<<\n"
NEW = b"#!/bin/sh\n"
BEFORE = "pre-commit.before-aiwg-memory"
"""Where a hook goes that cannot take lines of ours: a program, a link, or one that is switched off."""

_SHELL = re.compile(rb"#![ \t]*(?:/usr/bin/env[ \t]+)?(?:/[\w./-]*/)?(?:ba|da|k|z|a)?sh(?:[ \t]+-[a-z]+)*[ \t]*\n")


def block(prefix: str, tool: str, watched: Sequence[str]) -> bytes:
    """``prefix`` is the way from the top of the repository to the workspace; ``tool`` the program as it is now.

    Git answers whether anything of ours is staged; only then is a program started. Every failure to answer counts as
    yes, a program that is gone as a pass that says so.
    """
    below = f"{prefix}/" if prefix else ""
    specs = [f":(top,icase,literal){below}.aiwg", *(f":(top,icase,glob){below}**/{name}" for name in watched)]
    place = f" -C {quote(prefix)}" if prefix else ""
    blocked = f"aiwg-memory: this commit was blocked; `aiwg-memory{place} check --staged` says this again"
    return (
        BEGIN
        + (
            "# Checks what is staged of the shared memory; `aiwg-memory hooks uninstall` takes these lines out.\n"
            f"if ! git diff --cached --quiet --no-ext-diff -- {' '.join(map(quote, specs))}; then\n"
            f"    aiwg_memory={quote(tool)}\n"
            '    [ -x "$aiwg_memory" ] || aiwg_memory=$(command -v aiwg-memory) || aiwg_memory=\n'
            '    if [ -n "$aiwg_memory" ]; then\n'
            f'        "$aiwg_memory"{place} check --staged || {{\n'
            "            aiwg_memory=$?\n"
            f"            echo {quote(blocked)} >&2\n"
            '            exit "$aiwg_memory"\n'
            "        }\n"
            "    else\n"
            "        echo 'aiwg-memory is not installed here: what is staged of .aiwg was not checked' >&2\n"
            "    fi\n"
            "fi\n"
        ).encode()
        + END
    )


def chained() -> bytes:
    """What a hook of ours says last, when another one was there that could not take our lines."""
    return f'before=$(dirname "$0")/{BEFORE}\n[ ! -x "$before" ] || exec "$before" "$@"\n'.encode()


def takes_lines(hook: bytes) -> bool:
    """Whether this is a shell script that lines can be put into."""
    return _SHELL.match(hook) is not None and b"\0" not in hook


def inserted(hook: bytes, ours: bytes) -> bytes:
    """``hook`` with our lines behind its first one, where no ``exec`` or ``exit`` of its own comes before them."""
    first, _, rest = hook.partition(b"\n")
    return first + b"\n" + ours + rest


def removed(hook: bytes) -> bytes:
    """``hook`` without our lines: the bytes that were there before, and whatever was changed around them since."""
    start = hook.find(BEGIN)
    end = hook.find(END, start)
    return hook if start < 0 or end < 0 else hook[:start] + hook[end + len(END) :]
