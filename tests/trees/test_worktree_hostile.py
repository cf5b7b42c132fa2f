"""What a disk can do to a reader: special files, swaps, torn writes, refused permission, links out."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from built import write

from aiwg_memory.core.paths import RepoPath
from aiwg_memory.errors import DiskFailed, Locked, NotFound, TooLarge, UnsafePath
from aiwg_memory.worktree.descend import KEPT
from aiwg_memory.worktree.read import WorkTree, guarantees


@pytest.fixture(params=[True, False], ids=["descriptors", "checked"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WorkTree]:
    (tmp_path / "root").mkdir()
    with WorkTree(str(tmp_path / "root"), descriptors=request.param) as made:
        yield made


def _child(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_pipe_neither_blocks_nor_reads(tree: WorkTree) -> None:
    os.mkfifo(f"{tree.root}/pipe")
    entry = tree.stat(RepoPath("pipe"))
    assert entry is not None
    assert entry.kind == "special"
    with pytest.raises(UnsafePath, match="pipe is a special file, not a regular file"):
        tree.read(RepoPath("pipe"), limit=10)
    with pytest.raises(UnsafePath, match="pipe is a special file"):
        tree.stat(RepoPath("pipe/below"))


def test_a_socket_is_refused(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree.root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("sock")
        assert [entry.kind for entry in tree.list()] == ["special"]
        with pytest.raises(UnsafePath, match="sock is a special file"):
            tree.read(RepoPath("sock"), limit=10)


def test_a_device_is_refused(tree: WorkTree) -> None:
    """Making a device needs privilege; without it there is one at a known place."""
    with WorkTree("/dev") as devices, pytest.raises(UnsafePath, match="null is a special file"):
        devices.read(RepoPath("null"), limit=10)
    with pytest.raises(NotFound):
        tree.read(RepoPath("null"), limit=10)


def test_a_hard_link_is_a_regular_file(tree: WorkTree) -> None:
    write(Path(tree.root), {"one": b"same"})
    os.link(f"{tree.root}/one", f"{tree.root}/two")
    assert tree.read(RepoPath("two"), limit=4) == b"same"


def test_a_name_longer_than_the_file_system_keeps_is_not_there(tree: WorkTree) -> None:
    assert tree.stat(RepoPath("n" * 1000)) is None
    with pytest.raises(NotFound):
        tree.read(RepoPath("n" * 1000), limit=10)


def test_a_root_that_is_a_link_a_file_or_gone_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"dir/file": b"", "link": "dir"})
    for descriptors in (True, False):
        with pytest.raises(UnsafePath):
            WorkTree(str(tmp_path / "link"), descriptors=descriptors)
        with pytest.raises(UnsafePath):
            WorkTree(str(tmp_path / "dir" / "file"), descriptors=descriptors)
        with pytest.raises(NotFound):
            WorkTree(str(tmp_path / "gone"), descriptors=descriptors)


def test_what_stands_there_now_is_read_not_what_was_kept_open(tree: WorkTree) -> None:
    root = Path(tree.root)
    write(root, {"a/b/file": b"old"})
    assert tree.read(RepoPath("a/b/file"), limit=3) == b"old"
    (root / "a").rename(root / "moved")
    assert tree.stat(RepoPath("a/b/file")) is None
    write(root, {"a/b/file": b"new"})
    assert tree.read(RepoPath("a/b/file"), limit=3) == b"new"
    (root / "a" / "b").rename(root / "b")
    (root / "a" / "b").symlink_to("../b")
    with pytest.raises(UnsafePath, match="a/b is a link"):
        tree.read(RepoPath("a/b/file"), limit=3)


def test_more_directories_than_are_kept_open_can_be_read(tree: WorkTree) -> None:
    names = [f"{number}/deeper/file" for number in range(KEPT)]
    write(Path(tree.root), {name: name.encode() for name in names})
    before = len(os.listdir("/proc/self/fd"))
    for name in names * 2:
        assert tree.read(RepoPath(name), limit=100) == name.encode()
    assert len(os.listdir("/proc/self/fd")) <= before + KEPT


def test_close_leaves_no_descriptor_open(tmp_path: Path) -> None:
    write(tmp_path, {"a/b/c/file": b"x"})
    before = len(os.listdir("/proc/self/fd"))
    with WorkTree(str(tmp_path)) as tree:
        tree.read(RepoPath("a/b/c/file"), limit=1)
        assert list(tree.walk_files())
        with pytest.raises(TooLarge):
            tree.read(RepoPath("a/b/c/file"), limit=0)
    assert len(os.listdir("/proc/self/fd")) == before


_SWAPPER = """
    import os, sys, time
    os.chdir(sys.argv[1])
    end = time.monotonic() + 60
    while time.monotonic() < end:
        os.rename("real", "d")
        os.rename("d", "real")
        os.rename("link", "d")
        os.rename("d", "link")
"""


def test_a_directory_swapped_for_a_link_is_never_read_through(tmp_path: Path) -> None:
    """A process swaps the directory and a link to one outside as fast as it can; not one read comes from outside."""
    write(tmp_path, {"outside/file": b"OUTSIDE", "root/real/file": b"inside!", "root/link": "../outside"})
    root = tmp_path / "root"
    seen: set[bytes] = set()
    refused = turns = 0
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(_SWAPPER), str(root)]) as swapper:
        with WorkTree(str(root)) as tree:
            while turns < 5000 or (not (seen and refused) and swapper.poll() is None):
                turns += 1
                try:
                    seen.add(tree.read(RepoPath("d/file"), limit=100))
                except NotFound:
                    continue
                except UnsafePath:
                    refused += 1
        swapper.kill()
    assert seen == {b"inside!"}
    assert refused


_WRITER = """
    import os, sys, time
    end = time.monotonic() + 3
    turn = 0
    print("ready", flush=True)
    while time.monotonic() < end:
        turn += 1
        with open(sys.argv[1], "r+b", buffering=0) as file:
            for block in range(64):
                os.pwrite(file.fileno(), bytes([turn % 251]) * 4096, block * 4096)
"""


def test_a_settled_read_is_never_torn(tmp_path: Path) -> None:
    target = tmp_path / "busy"
    target.write_bytes(bytes(64 * 4096))
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(_WRITER), str(target)], stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        refused = 0
        with WorkTree(str(tmp_path), time.time) as tree:
            while writer.poll() is None:
                try:
                    data = tree.read_settled(RepoPath("busy"), 1 << 20)
                    assert len(set(data)) == 1
                except Locked:
                    refused += 1
    assert refused


def test_a_settled_read_waits_once_for_a_young_file(tmp_path: Path) -> None:
    write(tmp_path, {"young": b"y"})
    with WorkTree(str(tmp_path), time.time) as tree:
        assert tree.read_settled(RepoPath("young"), 10) == b"y"
    with WorkTree(str(tmp_path)) as without_a_clock:
        assert without_a_clock.read_settled(RepoPath("young"), 10, settle=0.001) == b"y"


def test_a_file_written_while_it_settles_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"busy": b"one"})
    with WorkTree(str(tmp_path), time.time) as tree:
        later = threading.Timer(0.05, lambda: (tmp_path / "busy").write_bytes(b"two"))
        later.start()
        with pytest.raises(Locked, match="busy is still being written"):
            tree.read_settled(RepoPath("busy"), 10, settle=0.5)
        later.join()


def test_old_files_and_files_from_the_future_are_settled(tmp_path: Path) -> None:
    write(tmp_path, {"old": b"o", "future": b"f"})
    os.utime(tmp_path / "old", (1, 1))
    os.utime(tmp_path / "future", (9e9, 9e9))
    with WorkTree(str(tmp_path), time.time) as tree:
        assert tree.read_settled(RepoPath("old"), 10, settle=1e6) == b"o"
        assert tree.read_settled(RepoPath("future"), 10, settle=1e6) == b"f"
        with pytest.raises(NotFound):
            tree.read_settled(RepoPath("gone"), 10)
        with pytest.raises(TooLarge):
            tree.read_settled(RepoPath("old"), 0)


def test_a_file_without_a_size_is_not_taken_for_empty() -> None:
    with WorkTree(f"/proc/{os.getpid()}") as tree, pytest.raises(Locked, match="status changed while it was read"):
        tree.read(RepoPath("status"), limit=1 << 20)


def test_refused_permission_is_a_failure_of_the_disk_with_a_way_out(tmp_path: Path) -> None:
    write(tmp_path, {"shut/file": b"x", "secret": b"x"})
    os.chmod(tmp_path / "shut", 0)
    os.chmod(tmp_path / "secret", 0)
    opened = WorkTree(str(tmp_path))
    previous = os.geteuid()
    if previous == 0:
        os.seteuid(65534)
    try:
        for path in ("secret", "shut/file"):
            with pytest.raises(DiskFailed, match="cannot be read: Permission denied") as raised:
                opened.read(RepoPath(path), limit=10)
            assert raised.value.hint == "check who owns it and its permissions"
        with pytest.raises(DiskFailed):
            list(opened.list(RepoPath("shut")))
    finally:
        os.seteuid(previous)
        os.chmod(tmp_path / "shut", 0o700)
        opened.close()


_AUDITED = """
    import os, sys
    from aiwg_memory.core.paths import RepoPath
    from aiwg_memory.core.tree import walk
    from aiwg_memory.errors import AiwgError
    from aiwg_memory.worktree.read import WorkTree
    opened = []
    def hook(event, arguments):
        if event in ("open", "os.scandir", "os.listdir"):
            opened.append(arguments[0])
    root = sys.argv[1]
    paths = [RepoPath(path) for path in sys.argv[2:]]
    sys.addaudithook(hook)
    with WorkTree(root) as tree:
        for parent, entry in list(walk(tree)):
            if entry.kind != "illegal":
                paths.append(RepoPath(f"{parent}/{entry.name}" if parent else entry.name))
        for path in paths:
            try:
                tree.read(path, limit=100)
            except AiwgError:
                pass
    outside = {name for name in opened if isinstance(name, (str, bytes)) and name != root and b"/" in os.fsencode(name)}
    print(len(opened), sorted(map(os.fsencode, outside)))
"""


def test_nothing_but_the_root_is_opened_by_a_path(tmp_path: Path) -> None:
    """Every other open is one plain name from a directory's descriptor, so that there is no way out to be raced."""
    write(tmp_path, {"a/b/c.md": b"x", "out": "/etc", "a/up": "../..", "a/b/passwd": "/etc/passwd", "x.md": b"y"})
    done = _child(_AUDITED, str(tmp_path), "out/passwd", "a/up/x.md", "a/b/passwd", "missing/a")
    assert done.returncode == 0, done.stderr
    count, outside = done.stdout.split(maxsplit=1)
    assert int(count) > 5
    assert outside.strip() == "[]"


def test_names_are_utf8_whatever_the_locale(tmp_path: Path) -> None:
    write(tmp_path, {"\u00e9t\u00e9.md": b"x"})
    code = """
        import sys
        from aiwg_memory.core.paths import RepoPath
        from aiwg_memory.worktree.read import WorkTree
        with WorkTree(sys.argv[1]) as tree:
            (entry,) = tree.list()
            print(ascii(entry.name), entry.kind, tree.read(RepoPath(entry.name), limit=1))
    """
    for locale in ("C", "C.UTF-8", "POSIX"):
        done = subprocess.run(
            [sys.executable, "-X", "utf8=0", "-c", textwrap.dedent(code), str(tmp_path)],
            env={"LC_ALL": locale, "PYTHONCOERCECLOCALE": "0", "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == "'\\xe9t\\xe9.md' file b'x'\n", done.stderr


def test_walk_files_gives_paths_and_everything_else(tmp_path: Path) -> None:
    write(tmp_path, {"a/b.md": b"x", "a/l": "b.md", "a/new\nline": b"", "c": b""})
    with WorkTree(str(tmp_path)) as tree:
        assert [(path, entry.kind) for path, entry in tree.walk_files()] == [
            ("a/b.md", "file"),
            ("a/l", "link"),
            (None, "illegal"),
            ("c", "file"),
        ]
        assert list(tree.walk_files(RepoPath("gone"))) == []


def test_a_root_that_goes_away_is_an_error_not_an_empty_tree(tree: WorkTree) -> None:
    Path(tree.root).rmdir()
    with pytest.raises(NotFound, match="is not there any more"):
        list(tree.list())


def test_the_promise_is_stated() -> None:
    assert any("descriptor" in line for line in guarantees())
