"""For all tests: no verdict depends on how busy the machine is."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait for processes, which leaves one idle now and then."""
    return (os.cpu_count() or 1) + 1
