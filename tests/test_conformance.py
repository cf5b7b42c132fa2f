"""This implementation against the language-neutral cases."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conformance.run import CASES, run_case


@pytest.mark.parametrize("case", sorted(CASES.glob("*.yaml")), ids=lambda path: path.stem)
def test_case(case: Path) -> None:
    assert run_case(case, [sys.executable, "-m", "aiwg_memory"]) == []
