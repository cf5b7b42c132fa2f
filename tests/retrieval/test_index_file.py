"""The index's file may be old, broken, deleted, blocked or a trap: the answers stay those of the tree."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lined import ADDON, TODAY, texts

from aiwg_memory.index.search import Index
from aiwg_memory.worktree.read import WorkTree


def index_file(root: Path) -> Path:
    [found] = (root / ".aiwg/.local").glob("index-*.sqlite")
    return found


NAMES = ("one", "two", "three")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".aiwg/lines").mkdir(parents=True)
    for name in NAMES:
        write(tmp_path, name, f"gate {name}", old=True)
    return tmp_path


def write(root: Path, name: str, text: str, *, old: bool = False) -> Path:
    path = root / f".aiwg/lines/{name}.txt"
    path.write_text(text + "\n")
    if old:
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return path


def gates(root: Path, *, later: float = 60) -> list[str]:
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        index.sync(tree, [ADDON], now=time.time() + later)
        return sorted(texts(index.search("gate", limit=10, as_of=TODAY)))


ALL = sorted(f"gate {name}" for name in NAMES)


def test_a_second_look_reads_nothing(root: Path) -> None:
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        assert index.sync(tree, [ADDON], now=time.time() + 60).read == 3
        again = index.sync(tree, [ADDON], now=time.time() + 60)
        assert (again.read, again.changed, again.files, again.units) == (0, 0, 3, 3)
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        assert index.sync(tree, [ADDON], now=time.time() + 60).read == 0


def test_a_file_changed_at_the_moment_of_indexing_is_read_again(root: Path) -> None:
    path = write(root, "one", "gate new")
    assert "gate new" in gates(root, later=0)
    status = path.stat()
    # Same size, same times: only a second read can tell.
    path.write_text("gate odd\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert "gate odd" in gates(root, later=0)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"not a database at all, but long enough to be taken for one" * 100),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(path.read_bytes()[:4096] + bytes(len(path.read_bytes()) - 4096)),
        lambda path: path.unlink(),
        lambda path: sqlite3.connect(path).execute("drop table units").connection.close(),
        lambda path: sqlite3.connect(path).execute("drop table postings").connection.close(),
    ],
    ids=["garbage", "emptied", "cut short", "zeroed", "deleted", "a table gone", "the postings gone"],
)
def test_a_damaged_file_is_made_again(root: Path, damage) -> None:  # type: ignore[no-untyped-def]
    assert gates(root) == ALL
    damage(index_file(root))
    write(root, "two", "gate changed")
    assert gates(root) == sorted(["gate one", "gate changed", "gate three"])
    assert gates(root) == sorted(["gate one", "gate changed", "gate three"])


def test_rows_damaged_since_the_last_look_are_made_again_when_asked(root: Path) -> None:
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        index.sync(tree, [ADDON], now=time.time() + 60)
        index.close()
        connection = sqlite3.connect(index_file(root))
        connection.execute("drop table postings")
        connection.close()
        index.sync(tree, [ADDON], now=time.time() + 60)
        assert sorted(texts(index.search("gate", limit=10, as_of=TODAY))) == ALL


def test_rows_made_by_other_code_are_not_believed(root: Path) -> None:
    assert gates(root) == ALL
    connection = sqlite3.connect(index_file(root))
    connection.execute("update meta set value = 'older' where key = 'fingerprint'")
    connection.execute("update units set item = replace(item, 'pending', 'confirmed')")
    connection.commit()
    connection.close()
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        assert index.sync(tree, [ADDON], now=time.time()).rebuilt
        assert {hit.item.review for hit in index.search("gate", limit=5, as_of=TODAY)} == {"pending"}


def test_deleting_it_under_an_open_index_harms_nobody(root: Path) -> None:
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        index.sync(tree, [ADDON], now=time.time() + 60)
        index_file(root).unlink()
        assert sorted(texts(index.search("gate", limit=5, as_of=TODAY))) == ALL
        write(root, "two", "gate changed")
        index.sync(tree, [ADDON], now=time.time() + 60)
        assert "gate changed" in texts(index.search("gate", limit=5, as_of=TODAY))
    assert "gate changed" in gates(root)


@pytest.mark.parametrize("trap", ["file", "folder"])
def test_a_link_in_its_place_is_not_followed(root: Path, tmp_path_factory: pytest.TempPathFactory, trap: str) -> None:
    outside = tmp_path_factory.mktemp("outside")
    if trap == "folder":
        (root / ".aiwg/.local").symlink_to(outside)
    else:
        gates(root)
        place = index_file(root)
        place.unlink()
        place.symlink_to(outside / "index.sqlite")
    assert gates(root) == ALL
    assert list(outside.iterdir()) == []


def test_without_a_store_folder_nothing_is_made(tmp_path: Path) -> None:
    assert gates(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_what_it_makes_is_private_and_never_tracked(root: Path) -> None:
    gates(root)
    assert index_file(root).stat().st_mode & 0o077 == 0
    assert (root / ".aiwg/.local/.gitignore").read_text() == "*\n"


def test_another_process_in_the_middle_of_writing_is_waited_for_or_gone_round(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aiwg_memory.index.file.BUSY_SECONDS", 0.05)
    assert gates(root) == ALL
    blocker = sqlite3.connect(index_file(root), isolation_level=None)
    blocker.execute("begin exclusive")
    write(root, "two", "gate changed")
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        assert index.sync(tree, [ADDON], now=time.time()).in_memory
        assert "gate changed" in texts(index.search("gate", limit=5, as_of=TODAY))
    blocker.execute("rollback")
    blocker.close()
    assert "gate changed" in gates(root)


def test_a_reader_keeps_the_tree_it_synced_while_another_moves_on(root: Path) -> None:
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        index.sync(tree, [ADDON], now=time.time() + 60)
        write(root, "two", "gate changed")
        assert "gate changed" in gates_of_process(root)
        assert sorted(texts(index.search("gate", limit=5, as_of=TODAY))) == ALL


def gates_of_process(root: Path) -> list[str]:
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); from pathlib import Path;"
        "from test_index_file import gates;"
        "print('\\n'.join(gates(Path(sys.argv[1]))))"
    )
    here = str(Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", code, str(root), here], capture_output=True, text=True, check=True)
    return done.stdout.split("\n")


def test_two_processes_index_and_read_at_once(root: Path) -> None:
    for number in range(40):
        write(root, f"more{number}", f"gate more{number}")
    here = str(Path(__file__).parent)
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); from pathlib import Path;"
        "from test_index_file import gates;"
        "seen = {tuple(gates(Path(sys.argv[1]))) for _ in range(5)}; assert len(seen) == 1, seen; print(seen)"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(root), here], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert outputs[0] == outputs[1] != ""


def test_where_nothing_may_be_written_the_old_rows_are_a_start(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gates(root) == ALL
    before = index_file(root).read_bytes()
    # The superuser of a container may write everywhere: what the system says is all there is to go by.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    write(root, "two", "gate changed")
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        report = index.sync(tree, [ADDON], now=time.time() + 60)
        assert (report.read, bool(report.in_memory), report.rebuilt) == (1, True, False)
        assert "gate changed" in texts(index.search("gate", limit=5, as_of=TODAY))
    assert index_file(root).read_bytes() == before


def test_a_file_where_its_folder_would_be_sends_it_to_memory(root: Path) -> None:
    (root / ".aiwg/.local").write_text("")
    assert gates(root) == ALL


def test_a_file_that_cannot_be_read_is_reported_and_holds_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gates(root)
    monkeypatch.setattr("aiwg_memory.index.sync.LARGEST", 12)
    write(root, "two", "gate that is far too long")
    with Index(str(root)) as index, WorkTree(str(root)) as tree:
        for _ in range(2):
            assert index.sync(tree, [ADDON], now=time.time() + 60).skipped == (".aiwg/lines/two.txt",)
            assert index.quality == "degraded"
        assert sorted(texts(index.search("gate", limit=5, as_of=TODAY))) == ["gate one", "gate three"]
        monkeypatch.undo()
        assert index.sync(tree, [ADDON], now=time.time() + 60).skipped == ()
        assert index.quality == "full"


def test_an_index_whose_error_is_no_text_is_thrown_away(tmp_path: Path) -> None:
    """SQLite tells what is wrong with a table in the bytes of its broken description."""
    from aiwg_memory.index.file import PREFIX
    from aiwg_memory.index.search import Index
    from aiwg_memory.worktree.read import WorkTree

    (tmp_path / ".aiwg").mkdir()
    with Index(str(tmp_path)) as index, WorkTree(str(tmp_path)) as tree:
        index.sync(tree, [], now=0.0)
    [kept] = (tmp_path / ".aiwg/.local").glob(f"{PREFIX}*.sqlite")
    kept.write_bytes(kept.read_bytes().replace(b"CREATE TABLE ", b"CREATE \x8f\x8f\x8f\x8f\x8f "))
    with Index(str(tmp_path)) as index, WorkTree(str(tmp_path)) as tree:
        index.sync(tree, [], now=0.0)
    assert b"\x8f\x8f\x8f" not in kept.read_bytes()
