"""Workspaces of every awkward kind, each with what discovery must say about it. Bytes are files, Link is a link."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SECRET = "outside-and-never-read"
KIB = 1024


class Link(NamedTuple):
    target: str


class Pipe(NamedTuple):
    pass


class Socket(NamedTuple):
    pass


class Folder(NamedTuple):
    pass


class HardLink(NamedTuple):
    """Another name of a file beside the workspace."""

    other: str


class Sealed(NamedTuple):
    """A file that nobody but root may read."""

    data: bytes


Content = bytes | str | Link | Pipe | Socket | Folder | HardLink | Sealed


class Case(NamedTuple):
    """``refused``: the rules and paths of all problems; None: accepted, with exactly these ``sources``."""

    name: str
    files: Mapping[str, Content]
    target: str = "."
    refused: tuple[tuple[str, str], ...] | None = None
    sources: tuple[str, ...] | None = None
    findings: tuple[str, ...] = ()
    ignored: tuple[tuple[str, str], ...] = ()


def build(root: Path, files: Mapping[str, Content]) -> Path:
    """The workspace ``root/ws``; names that begin with ``../`` lie beside it."""
    workspace = root / "ws"
    workspace.mkdir(parents=True)
    (root / "outside" / "inner").mkdir(parents=True)
    for place in ("outside/AGENTS.md", "outside/inner/AGENTS.md", "outside/CLAUDE.md", "outside/instructions.md"):
        (root / place).write_text(SECRET)
    for name, content in files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path, content)
    return workspace


def _make(path: Path, content: Content) -> None:
    if isinstance(content, str | bytes):
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    elif isinstance(content, Link):
        path.symlink_to(content.target)
    elif isinstance(content, Pipe):
        os.mkfifo(path)
    elif isinstance(content, Folder):
        path.mkdir()
    elif isinstance(content, HardLink):
        other = path.parent / content.other
        other.write_text("shared\n")
        os.link(other, path)
    elif isinstance(content, Sealed):
        path.write_bytes(content.data)
        path.chmod(0)
    else:
        here = Path.cwd()
        os.chdir(path.parent)  # the name of a socket may have about 100 bytes
        try:
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(path.name)
        finally:
            os.chdir(here)


def text(size: int) -> bytes:
    """Exactly ``size`` bytes of harmless Markdown."""
    return (b"# rules\n" + b"- keep the tests green\n" * (size // 20))[: size - 1] + b"\n"


def chain(levels: int) -> str:
    return "/".join(f"d{number:02}" for number in range(1, levels + 1))


def _rules(count: int) -> dict[str, Content]:
    return {f".aiwg/rules/r{number:03}.md": "r\n" for number in range(count)}


OK: dict[str, Content] = {"AGENTS.md": "ok\n"}
FOUR: dict[str, Content] = {
    name: text(64 * KIB) for name in ("AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", ".aiwg/instructions.md")
}
IGNORE = ".aiwg/instructions.ignore"

ORDER = (
    Case("nothing at all", {}, sources=()),
    Case(
        "every kind of one level, in order",
        {
            ".aiwg/rules/b.md": "1\n", ".aiwg/rules/a/z.md": "1\n", ".aiwg/instructions.md": "1\n",
            ".claude/CLAUDE.md": "1\n", "CLAUDE.md": "1\n", "AGENTS.md": "1\n", ".aiwg/rules/notes.txt": "no\n",
        },
        sources=(
            "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", ".aiwg/instructions.md", ".aiwg/rules/a/z.md",
            ".aiwg/rules/b.md",
        ),
    ),
    Case(
        "root first, and nothing beside the way",
        {"AGENTS.md": "1\n", "a/AGENTS.md": "1\n", "a/b/CLAUDE.md": "1\n", "c/AGENTS.md": "1\n"},
        "a/b/file.py",
        sources=("AGENTS.md", "a/AGENTS.md", "a/b/CLAUDE.md"),
    ),
    Case(
        "an override replaces its sibling as a whole, and says so when it names it",
        {"AGENTS.override.md": "additions to AGENTS.md\n", "AGENTS.md": "real\n"},
        sources=("AGENTS.override.md",), findings=("override-names-sibling",),
        ignored=(("AGENTS.md", "AGENTS.override.md"),),
    ),
    *(
        Case(
            f"an override that looks empty hides nothing: {name}", {"AGENTS.override.md": data, "AGENTS.md": "real\n"},
            sources=("AGENTS.md",), ignored=(("AGENTS.override.md", ""),),
        )
        for name, data in (
            ("no bytes", b""), ("ascii", b" \t\r\n\x0b\x0c"), ("wide spaces", "\u00a0\u3000\n".encode()),
            ("byte-order mark", b"\xef\xbb\xbf"), ("zero width", "\u200b\u2060\ufeff\n".encode()),
            ("separators", b"\x1c\x1d\x1e\x1f\n"),
        )
    ),
    Case(
        "an ignored override falls back",
        {"AGENTS.override.md": "o\n", "AGENTS.md": "real\n", IGNORE: "AGENTS.override.md\n"},
        sources=("AGENTS.md",), ignored=(("AGENTS.override.md", IGNORE),),
    ),
    Case("what lies above the root is not read", {"../AGENTS.md": Pipe(), **OK}, sources=("AGENTS.md",)),
    Case(
        "imports are text, and reported",
        {"CLAUDE.md": "@docs/trap.md @../outside/x.md `@not/one.md`\n", "docs/trap.md": Pipe()},
        sources=("CLAUDE.md",), findings=("unresolved-import",),
    ),
    Case("names with dashes", {".aiwg/rules/-rf.md": "1\n", ".aiwg/rules/--help.md": "1\n"},
         sources=(".aiwg/rules/--help.md", ".aiwg/rules/-rf.md")),
    Case("near misses are said", {"agents.md": "1\n", "Claude.md": "1\n", ".aiwg/rules/x.MD": "1\n"},
         sources=(), findings=("near-miss-name",)),
    Case("a near miss that is ignored is no matter", {"agents.md": "1\n", ".aiwg/instructions.ignore": "agents.md\n"},
         sources=(), findings=()),
    Case("a hard link is read and said", {"AGENTS.md": HardLink("../outside/shared.md")},
         sources=("AGENTS.md",), findings=("hard-link",)),
    Case("a link checked out as text", {"CLAUDE.md": "AGENTS.md", **OK}, sources=("AGENTS.md", "CLAUDE.md"),
         findings=("link-as-text",)),
    Case("a nested store holds instructions only", {"sub/.aiwg/rules/a.md": "1\n"}, "sub",
         sources=("sub/.aiwg/rules/a.md",)),
)  # fmt: skip

LINKS = (
    Case("to its sibling", {"CLAUDE.md": Link("AGENTS.md"), **OK}, refused=(("symlink", "CLAUDE.md"),)),
    Case("out of the workspace", {"AGENTS.md": Link("../outside/AGENTS.md")}, refused=(("symlink", "AGENTS.md"),)),
    Case("to nothing", {"AGENTS.md": Link("nowhere")}, refused=(("symlink", "AGENTS.md"),)),
    Case("an override that leads nowhere is no absent one", {"AGENTS.override.md": Link("nowhere"), **OK},
         refused=(("symlink", "AGENTS.override.md"),)),
    Case("in a circle", {"AGENTS.md": Link("CLAUDE.md"), "CLAUDE.md": Link("AGENTS.md")},
         refused=(("symlink", "AGENTS.md"), ("symlink", "CLAUDE.md"))),
    Case("on the way to the target", {"sub": Link("../outside"), **OK}, "sub/inner", refused=(("symlink", "sub"),)),
    Case("as the target", {"real/AGENTS.md": "r\n", "link": Link("real")}, "link", refused=(("symlink", "link"),)),
    Case("in place of .claude", {".claude": Link("../outside"), **OK}, refused=(("symlink", ".claude"),)),
    Case("in place of .aiwg, once", {".aiwg": Link("../outside"), **OK}, refused=(("symlink", ".aiwg"),)),
    Case("in place of rules", {".aiwg/rules": Link("../../outside")}, refused=(("symlink", ".aiwg/rules"),)),
    Case("among the rules", {".aiwg/rules/ok.md": "1\n", ".aiwg/rules/shared": Link("../../../outside")},
         refused=(("symlink", ".aiwg/rules/shared"),)),
    Case("among the rules, of any name, since it may stand for a folder", {".aiwg/rules/c.txt": Link("../../notes.txt"),
         "notes.txt": "n\n", **OK}, refused=(("symlink", ".aiwg/rules/c.txt"),)),
    Case("another file among the rules is none", {".aiwg/rules/c.txt": "n\n", **OK}, sources=("AGENTS.md",)),
    Case("rules that hold themselves", {".aiwg/rules/ok.md": "1\n", ".aiwg/rules/loop": Link(".")},
         refused=(("symlink", ".aiwg/rules/loop"),)),
    Case("in place of the ignore file", {IGNORE: Link("../../outside/AGENTS.md"), **OK},
         refused=(("unsafe-path", IGNORE),)),
    Case("ignored on purpose", {"CLAUDE.md": Link("AGENTS.md"), IGNORE: "./CLAUDE.md\n", **OK},
         sources=("AGENTS.md",), ignored=(("CLAUDE.md", IGNORE),)),
)  # fmt: skip

SPECIAL = (
    Case("a pipe", {"AGENTS.md": Pipe()}, refused=(("special-file", "AGENTS.md"),)),
    Case("a socket", {"CLAUDE.md": Socket()}, refused=(("special-file", "CLAUDE.md"),)),
    Case("a directory", {"AGENTS.md": Folder()}, refused=(("special-file", "AGENTS.md"),)),
    Case("a directory as an override", {"AGENTS.override.md": Folder(), **OK},
         refused=(("special-file", "AGENTS.override.md"),)),
    Case("a pipe among the rules", {".aiwg/rules/x.md": Pipe()}, refused=(("special-file", ".aiwg/rules/x.md"),)),
    Case("a pipe as .claude", {".claude": Pipe(), **OK}, refused=(("special-file", ".claude"),)),
    Case("a name with a newline", {".aiwg/rules/a\nb.md": "x\n"}, refused=(("bad-name", ".aiwg/rules/a\\nb.md"),)),
    Case("every problem at once", {"AGENTS.md": b"\xff", "CLAUDE.md": Link("x"), ".claude/CLAUDE.md": Pipe(),
                                   ".aiwg/instructions.md": b"a\0b", IGNORE: "/x\n"},
         refused=(("special-file", ".claude/CLAUDE.md"), ("nul-byte", ".aiwg/instructions.md"), ("bad-ignore", IGNORE),
                  ("invalid-utf8", "AGENTS.md"), ("symlink", "CLAUDE.md"))),
)  # fmt: skip

ENCODING = (
    Case("a NUL byte", {"AGENTS.md": b"rules\0more\n"}, refused=(("nul-byte", "AGENTS.md"),)),
    Case("a lone byte", {"AGENTS.md": b"ok \xff\n"}, refused=(("invalid-utf8", "AGENTS.md"),)),
    Case("UTF-16", {"AGENTS.md": "\u4e00\u4e01".encode("utf-16")}, refused=(("invalid-utf8", "AGENTS.md"),)),
    Case("a byte-order mark", {"AGENTS.md": b"\xef\xbb\xbf# r\n"}, sources=("AGENTS.md",),
         findings=("byte-order-mark",)),
    Case("CRLF", {"AGENTS.md": b"# r\r\n- one\r\n"}, sources=("AGENTS.md",)),
    Case("text that runs backwards", {"AGENTS.md": "pnpm \u202esnekot\u202c\n"}, sources=("AGENTS.md",),
         findings=("bidirectional-control",)),
    Case("text nobody sees", {"AGENTS.md": "do\u200b not\u2060\n"}, sources=("AGENTS.md",),
         findings=("invisible-character",)),
    Case("a blank file", {"AGENTS.md": b""}, refused=(("empty", "AGENTS.md"),)),
    Case("a file that looks blank", {"CLAUDE.md": "\u200b\n".encode()}, refused=(("empty", "CLAUDE.md"),)),
)  # fmt: skip

LIMITS = (
    Case("64 KiB", {"AGENTS.md": text(64 * KIB)}, sources=("AGENTS.md",)),
    Case("one byte over", {"AGENTS.md": text(64 * KIB + 1)}, refused=(("source-too-large", "AGENTS.md"),)),
    Case("64 sources", {**OK, **_rules(63)}),
    Case("64 sources and a blank override", {**OK, **_rules(63), "AGENTS.override.md": ""}),
    Case("65 sources", {**OK, **_rules(64)}, refused=(("too-many-sources", "."),)),
    Case("65 with an override", {"AGENTS.override.md": "o\n", **_rules(64)}, refused=(("too-many-sources", "."),)),
    Case("256 KiB", FOUR),
    Case("256 KiB and one byte", {**FOUR, ".aiwg/rules/r.md": "r"}, refused=(("total-too-large", "."),)),
    Case("32 levels", {**OK, f"{chain(32)}/AGENTS.md": "deep\n"}, chain(32),
         sources=("AGENTS.md", f"{chain(32)}/AGENTS.md")),
    Case("33 levels", {**OK, f"{chain(33)}/AGENTS.md": "deep\n"}, chain(33), refused=(("too-deep", ""),)),
    Case("33 levels that are not there", OK, f"{chain(33)}/file.py", refused=(("too-deep", ""),)),
    Case("rules 32 levels down", {f".aiwg/rules/{chain(31)}/r.md": "r\n"},
         sources=(f".aiwg/rules/{chain(31)}/r.md",)),
    Case("rules 33 levels down", {f".aiwg/rules/{chain(32)}/r.md": "r\n"},
         refused=(("too-deep", f".aiwg/rules/{chain(32)}"),)),
)  # fmt: skip


def _ignoring(lines: bytes | str, rule: str) -> tuple[Content, tuple[tuple[str, str], ...]]:
    return lines, ((rule, IGNORE),)


BAD_IGNORES = (
    ("an absolute pattern", "/CLAUDE.md\n", "bad-ignore"),
    ("a way up", "a/../CLAUDE.md\n", "bad-ignore"),
    ("a negation", "*.md\n!CLAUDE.md\n", "bad-ignore"),
    ("a backslash", "docs\\CLAUDE.md\n", "bad-ignore"),
    ("a drive", "c:/x\n", "bad-ignore"),
    ("a NUL", b"a\0b\n", "bad-ignore"),
    ("everything", "*\n", "bad-ignore"),
    ("stars without end", "*a*a*a*a*a*b\n", "bad-ignore"),
    ("two times any depth", "a/**/b/**/c\n", "bad-ignore"),
    ("an impossible bracket", "[z-a].md\n", "bad-ignore"),
    ("not UTF-8", b"\xff\n", "invalid-utf8"),
    ("129 patterns", "".join(f"nope/{number}.md\n" for number in range(129)), "ignore-too-many"),
    ("16 KiB and a byte", "#" * 16384 + "\n", "ignore-too-large"),
)
IGNORES = (
    *(Case(name, {**OK, IGNORE: lines}, refused=((rule, IGNORE),)) for name, lines, rule in BAD_IGNORES),
    Case("128 patterns and comments", {**OK, IGNORE: "# why\n" + "".join(f"no/{n}.md\n" for n in range(128))},
         sources=("AGENTS.md",)),
    Case("a folder of rules", {".aiwg/rules/old/a.md": "1\n", ".aiwg/rules/b.md": "1\n", IGNORE: ".aiwg/rules/old/\n"},
         sources=(".aiwg/rules/b.md",), ignored=((".aiwg/rules/old", IGNORE),)),
    Case("a name anywhere", {"CLAUDE.md": "1\n", "d/CLAUDE.md": "1\n", "d/AGENTS.md": "1\n", IGNORE: "CLAUDE.md\n"},
         "d", sources=("d/AGENTS.md",)),
    Case("one name alone", {"CLAUDE.md": "1\n", "d/CLAUDE.md": "1\n", IGNORE: "./CLAUDE.md\n"}, "d",
         sources=("d/CLAUDE.md",)),
    Case("a wildcard", {"CLAUDE.md": "1\n", "d/CLAUDE.md": "1\n", IGNORE: "d/*.md\n"}, "d", sources=("CLAUDE.md",)),
)  # fmt: skip

PLACES: dict[str, Content] = {
    "AGENTS.md": "root\n",
    "sub/AGENTS.md": "sub\n",
    "sub/x.py": "pass\n",
    "-rf/AGENTS.md": "1\n",
}
TARGETS = (
    Case("upwards", PLACES, "../outside", refused=(("escape", ""),)),
    Case("upwards inside", PLACES, "sub/../sub", refused=(("escape", ""),)),
    Case("absolute", PLACES, "/etc", refused=(("escape", ""),)),
    Case("empty", PLACES, "", refused=(("unsafe-path", ""),)),
    Case("a NUL", PLACES, "sub/a\0b", refused=(("unsafe-path", ""),)),
    Case("git's own", PLACES, ".git/config", refused=(("unsafe-path", ""),)),
    Case("below a file", PLACES, "sub/x.py/deeper", refused=(("special-file", "sub/x.py"),)),
    Case("a file to be", PLACES, "sub/new.py", sources=("AGENTS.md", "sub/AGENTS.md")),
    Case("directories to be", PLACES, "sub/a/b/new.py", sources=("AGENTS.md", "sub/AGENTS.md")),
    Case("with a slash", PLACES, "./sub/", sources=("AGENTS.md", "sub/AGENTS.md")),
    Case("a dash", PLACES, "-rf", sources=("AGENTS.md", "-rf/AGENTS.md")),
    Case("letters of one form", {**OK, "caf\u00e9/AGENTS.md": "1\n", "cafe\u0301/AGENTS.md": "2\n"}, "caf\u00e9",
         sources=("AGENTS.md", "caf\u00e9/AGENTS.md")),
    Case("letters of the other form", {**OK, "cafe\u0301/AGENTS.md": "2\n"}, "cafe\u0301",
         refused=(("unsafe-path", ""),)),
)  # fmt: skip

CASES = {
    f"{group}: {case.name}": case
    for group, cases in (
        ("order", ORDER), ("link", LINKS), ("special", SPECIAL), ("encoding", ENCODING), ("limit", LIMITS),
        ("ignore", IGNORES), ("target", TARGETS),
    )
    for case in cases
}  # fmt: skip
