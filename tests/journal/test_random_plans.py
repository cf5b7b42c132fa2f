"""Any plan, stopped anywhere, with any loss, and stopped again in the recovery: the old state or the new one."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from cases import NOW, after, apply, lay, local, plan_of, state
from hypothesis import given, settings
from hypothesis import strategies as st
from power import LOSSES, PowerDisk, Stopped

from aiwg_memory.journal import Journal

PARTS = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(PARTS, min_size=1, max_size=4).map(lambda parts: "/".join(parts) + ".md")
BYTES = st.binary(max_size=20)


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, bytes], dict[str, bytes | None]]:
    files = {f".aiwg/{path}": data for path, data in draw(st.dictionaries(PATHS, BYTES, max_size=5)).items()}
    files[".aiwg/config.yaml"] = b"workspace: w\n"
    changes: dict[str, bytes | None] = {}
    for path in draw(st.lists(st.sampled_from(sorted(files)), unique=True)):
        after_bytes = draw(st.none() | BYTES)
        if after_bytes != files[path]:
            changes[path] = after_bytes
    for path, data in draw(st.dictionaries(PATHS, BYTES, min_size=1, max_size=4)).items():
        if f".aiwg/{path}" not in files:
            changes[f".aiwg/{path}"] = data
    return files, changes


@settings(max_examples=60)
@given(cases(), st.data())
def test_any_plan_any_stop_any_loss(
    case: tuple[dict[str, bytes], Mapping[str, bytes | None]], data: st.DataObject
) -> None:
    files, changes = case
    plan = plan_of(changes, files)
    with TemporaryDirectory() as folder:
        top = Path(folder)
        whole = PowerDisk(str(lay(top / "whole", files)))
        apply(Journal(whole.root, disk=whole), plan)
        assert state(whole.root) == after(plan, files)
        root = lay(top / "w", files)
        disk = PowerDisk(str(root), stop=data.draw(st.integers(1, whole.calls)), torn=data.draw(st.booleans()))
        with contextlib.suppress(Stopped):
            apply(Journal(str(root), disk=disk), plan)
        for turn in range(3):
            lost = disk.lose_power(top / f"{turn}", data.draw(st.sampled_from(LOSSES)))
            disk = PowerDisk(lost, stop=data.draw(st.integers(1, 40)))
            try:
                Journal(lost, disk=disk).recover(NOW)
            except Stopped:
                continue
        lost = disk.lose_power(top / "last", "unsynced")
        Journal(lost, disk=PowerDisk(lost)).recover(NOW)
        assert state(lost) in (files, after(plan, files))
        assert (local(lost, "stage"), local(lost, "journal")) == ([], [])
