"""Defects and hazards on the real classes: what a release has, and what another one has not."""

from __future__ import annotations

import pytest

from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.running import run_schedules

SEEN = {
    "5.5.0": {
        "InsufficientExpansion": True,
        "InsufficientRemoval": True,
        "InsufficientTruncation": True,
        "#10875": True,
        "#10578": True,
        "#9689": False,
        "#9897": False,
        "#9717": False,
        "#7689": False,
        "F-1": True,
        "F-40": True,
        "F-16": True,
        "F-28": True,
        "F-52": True,
        "F-75": False,
        "F-77": True,
        "#10417": True,
        "#10666": True,
        "#6344": False,
    },
    "5.1.4": {
        "InsufficientExpansion": True,
        "InsufficientRemoval": False,
        "InsufficientTruncation": False,
        "#10875": False,
        "#10578": True,
        "#9689": True,
        "#9897": True,
        "#9717": False,
        "#7689": True,
        "F-1": True,
        "F-40": True,
        "F-16": True,
        "F-28": True,
        "F-52": True,
        "F-75": True,
        "F-77": True,
        "#10417": True,
        "#10666": True,
        "#6344": False,
    },
}


DIFFERENT = {name for name, seen in SEEN["5.5.0"].items() if seen is not SEEN["5.1.4"][name]} | {"F-77"}


@pytest.mark.parametrize("all_of_them", [False, pytest.param(True, marks=pytest.mark.large)])
def test_what_is_seen(release: Release, all_of_them: bool) -> None:
    """Those that the releases answer differently; at greater length the others, too."""
    wanted = {name: seen for name, seen in SEEN[release.version].items() if all_of_them or name in DIFFERENT}
    found = {each.id: each for each in run_schedules(release, only=wanted)}
    assert {name: each.seen for name, each in found.items()} == wanted, [each.what for each in found.values()]
    alone = "a put asks [1] and gets PUT_OK; the master dies, elected is broker 2"
    assert (alone in found["InsufficientRemoval"].what) is wanted["InsufficientRemoval"]
    told = "asks [1] and gets PUT_OK" if wanted["InsufficientRemoval"] else "asks [1, 2] and gets FLUSH_SLAVE_TIMEOUT"
    assert told in found["F-77"].what
