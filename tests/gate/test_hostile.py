"""A pull request from a stranger: it is read, bounded and never run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from clone import Clone

HAND = ".aiwg/memory/line-memory.txt"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path / "desk")
    made.commit()
    return made


def stage(clone: Clone, name: str, data: bytes, mode: str = "100644") -> None:
    """Put a blob into the index under a name that a checkout might refuse."""
    source = clone.home / "blob"
    source.write_bytes(data)
    blob = clone.git("hash-object", "-w", str(source)).stdout.strip()
    clone.git("-c", "core.protectNTFS=false", "update-index", "--add", "--cacheinfo", f"{mode},{blob},{name}")


@pytest.mark.parametrize(
    "name", [".aiwg/wiki/line\nbreak.md", ".aiwg/wiki/a:b.md", ".aiwg/wiki/con.md", ".aiwg/wiki/back\\slash.md"]
)
def test_names_that_trip_a_program_are_refused_on_one_line(clone: Clone, name: str) -> None:
    stage(clone, name, b"# X\n")
    done = clone.tool("check", "--staged", "--format", "github")
    assert done.returncode == 1
    assert "title=unsafe-path" in done.stdout
    assert all(line.startswith("::") for line in done.stdout.splitlines())


def test_links_are_refused_and_not_followed(clone: Clone, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("The database password: " + "tr0ub4dor-and-3\n")
    for name in (HAND, ".aiwg/wiki/outside.md", ".aiwg/receipts.d/x.jsonl", ".aiwg/memory/facts.d"):
        stage(clone, name, os.fsencode(tmp_path / "outside"), "120000")
    found = clone.check("--staged")
    assert {one["path"] for one in found if one["rule"] == "unsafe-path"} >= {HAND, ".aiwg/wiki/outside.md"}
    assert not [one for one in found if one["rule"].startswith("secret-")]


def test_a_config_that_is_a_link_is_refused(clone: Clone) -> None:
    clone.git("rm", "-q", "--cached", ".aiwg/config.yaml")
    stage(clone, ".aiwg/config.yaml", b"/etc/passwd", "120000")
    assert "unsafe-path" in clone.rules("--staged")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (".aiwg/memory/facts.d/20260101T000000Z-000000000000.jsonl", b"[" * 200_000 + b"\n"),
        (".aiwg/receipts.d/20260101T000000Z-000000000000.jsonl", b'{"a":' * 200_000 + b"\n"),
        (".aiwg/memory/facts.d/20260101T000000Z-000000000001.jsonl", b"9" * 100_000 + b"\n"),
        (".aiwg/config.yaml", b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nreviewers: *c\n"),
        (".aiwg/config.yaml", b"reviewers: " + b"[" * 10_000 + b"\n"),
        (".aiwg/wiki/bomb.md", b"---\na: &a [x]\nb: [*a]\n---\n# X\n"),
        (".aiwg/wiki/giant.md", b"# X\n" + b"word " * 2_000_000),
    ],
    ids=["json depth", "receipt depth", "digits", "yaml aliases", "yaml depth", "front matter", "giant page"],
)
def test_bombs_are_findings(clone: Clone, name: str, data: bytes) -> None:
    stage(clone, name, data)
    assert [one for one in clone.check("--staged") if one["severity"] == "error"]


def test_nothing_a_change_brings_is_run(clone: Clone) -> None:
    trap = "#!/bin/sh\ntouch ran\n"
    clone.write("yaml.py", "open('ran', 'w')\n")
    clone.write("aiwg_memory/__init__.py", "open('ran', 'w')\n")
    clone.write("sitecustomize.py", "open('ran', 'w')\n")
    clone.write("trap.sh", trap).chmod(0o755)
    clone.write(".gitattributes", "* filter=trap diff=trap\n")
    clone.write(".aiwg/.gitattributes", "* filter=trap diff=trap\n")
    clone.write(HAND, "Lunch is at noon.\n")
    clone.add()
    for name in ("filter.trap.clean", "filter.trap.smudge", "diff.trap.textconv", "diff.trap.command"):
        clone.git("config", name, "./trap.sh")
    clone.git("config", "core.fsmonitor", "./trap.sh")
    clone.tool("check", "--staged")
    (clone.root / "ran").unlink(missing_ok=True)
    clone.tool("check", "--staged")
    clone.tool("check", "--range", "HEAD..HEAD")
    assert not (clone.root / "ran").exists()


def test_an_addon_that_only_the_change_names_is_not_loaded(clone: Clone) -> None:
    config = clone.root / ".aiwg/config.yaml"
    config.write_text(config.read_text() + "addons: [line-memory, stranger]\n")
    clone.add()
    assert "gate-loosened" in clone.rules("--staged")


def test_paths_that_differ_by_case_are_found(clone: Clone) -> None:
    clone.write(".aiwg/wiki/lunch.md", "# Lunch\n\nAt noon.\n")
    clone.commit()
    stage(clone, ".aiwg/wiki/Lunch.md", b"# Two\n")
    assert "case-collision" in clone.rules("--staged")


def test_the_store_in_another_spelling_is_looked_at(clone: Clone) -> None:
    """Where case does not count, such a file takes the place of the store's own."""
    names = [".AIWG/config.yaml", ".AIWG/memory/facts/0123456789abcdef.txt", ".AIWG/memory/line-memory.txt"]
    for name in names:
        stage(clone, name, b"x\n")
    assert [one["path"] for one in clone.check("--staged") if one["rule"] == "case-collision"] == names
