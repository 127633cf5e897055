"""What the suite's own tools have to do."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("groups")
def test_a_group_of_tests_has_one_process(request: pytest.FixtureRequest) -> None:
    """pytest 9.2 has no `_nodeid`, where pytest-xdist 3.8 writes the group: each group was spread without a word."""
    if request.config.getoption("loadgroup", False):
        assert request.node.nodeid.endswith("@groups")
