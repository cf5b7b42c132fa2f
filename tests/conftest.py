"""What holds for every test: none is judged by a clock, and what a test opened is closed after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from built import OPENED
from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().close()
