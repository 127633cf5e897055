"""Ours and the classes side by side: a few of each comparison, and a difference that is counted."""

from __future__ import annotations

from rmqproof.rocketmq.comparing import COMPARISONS, Compared, Pair, compare
from rmqproof.rocketmq.releases import Release


def test_a_few_of_each(newest: Release) -> None:
    found = compare(newest, None, 600, 7)
    assert not found.different, found.unexplained
    assert found.made["AutoSwitchHAService.computeConfirmOffset"] >= 20
    assert len(found.made) > len(COMPARISONS)


def test_a_difference_is_counted_with_its_reason_or_as_a_failure() -> None:
    found = Compared()
    for pair in (Pair("a", "x", 1, 1), Pair("a", "y", 1, 2), Pair("a", "z", 1, 2, "known")):
        found.take(pair)
    assert (found.made["a"], found.different["a"], found.explained["a: known"]) == (3, 1, 1)
    assert found.unexplained == [{"what": "a", "given": "y", "theirs": "1", "ours": "2"}]
