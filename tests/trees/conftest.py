"""What a test here opened is closed after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from built import OPENED


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().close()
