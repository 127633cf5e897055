"""Defects and hazards on the real classes: what a release has, and what another one has not."""

from __future__ import annotations

import pytest

from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.running import run_schedules
from tests.at_length import all_but
from tests.rocketmq.conftest import OLDEST_AT_LENGTH, wanted

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
        "F-48": True,
        "F-52": True,
        "F-75": False,
        "F-77": True,
        "F-79": True,
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
        "F-48": True,
        "F-52": True,
        "F-75": True,
        "F-77": True,
        "F-79": True,
        "#10417": True,
        "#10666": True,
        "#6344": False,
    },
}


AT_BOTH_ENDS = {
    "5.0.0": {"#5712": True, "#5631": True, "#5663": True, "#6609": True, "#9897": True, "F-20": True, "F-40": True},
    "5.5.1": {
        "InsufficientExpansion": True,
        "InsufficientRemoval": True,
        "#9897": False,
        "#10417": False,
        "#10578": False,
        "#10875": False,
        "F-20": True,
        "F-40": True,
        "F-48": True,
        "F-79": True,
    },
}
"""Of docs/releases.md the oldest and the newest."""

DIFFERENT = {name for name, seen in SEEN["5.5.0"].items() if seen is not SEEN["5.1.4"][name]} | {"F-77"}


@pytest.mark.large
@pytest.mark.parametrize("version", all_but(AT_BOTH_ENDS, "5.0.0"))
def test_the_oldest_and_the_newest_of_the_table(version: str) -> None:
    release = wanted(version, instead="5.5.0" if version == "5.5.1" else "")
    expected = AT_BOTH_ENDS[version]
    found = run_schedules(release, only=expected, logged=True)
    assert {each.id: each.seen for each in found} == expected, [each.what for each in found]
    (election,) = [each for each in found if each.id == "F-20"]
    assert any("is not bigger than lastEntry" in line for line in election.logged), election.logged[-9:]


@OLDEST_AT_LENGTH
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
