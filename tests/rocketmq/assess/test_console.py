"""The table of verdicts shows every class of faults, however narrow the terminal is."""

from __future__ import annotations

import pytest

from rmqproof.rocketmq.assess.console import fitting

CLASSES = ["process-crash", "machine-crash", "power-loss", "controller-partition", "broker-partition", "disk-loss"]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
def test_no_class_is_cut_off(width: int) -> None:
    groups = fitting(CLASSES, width)
    assert [name for group in groups for name in group] == CLASSES
    for group in groups:
        longest = [max(len(part) + 1 for part in name.split("-")) for name in group]
        assert len(group) == 1 or 26 + sum(longest) + 2 * len(group) <= width


def test_one_table_where_there_is_room() -> None:
    assert len(fitting(CLASSES, 120)) == 1
