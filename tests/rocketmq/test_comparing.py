"""Ours and the classes side by side: a few of each comparison, and a difference that is counted."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from rmqproof.rocketmq.comparing import COMPARISONS, Compared, Pair, compare
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.schedules.bench import Bench
from tests.rocketmq.drawn import Comparison

ROOT = Path(__file__).parents[2]
DRAWN = {
    name: COMPARISONS[name][0] for name in ("controller", "policy", "epochs", "files", "confirm offsets", "requests")
}
"""Where the same input has the same answer whatever else the machine does: others wait for a store's threads."""


def test_a_few_of_each(newest: Release) -> None:
    found = compare(newest, None, 600, 7)
    assert not found.different, found.unexplained
    assert found.made["AutoSwitchHAService.computeConfirmOffset"] >= 20
    assert len(found.made) > len(COMPARISONS)


def drawn(release: Release, comparisons: Mapping[str, Comparison]) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "tests.rocketmq.drawn"]
    return subprocess.run(command, input=pickle.dumps((release, comparisons)), capture_output=True, cwd=ROOT)


@pytest.mark.large
def test_what_hypothesis_draws(newest: Release) -> None:
    done = drawn(newest, DRAWN)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-3000:]
    counts = dict(line.split(": ") for line in done.stdout.decode().splitlines())
    assert counts.keys() == DRAWN.keys()
    assert all(int(count) >= 60 for count in counts.values()), counts


def wrong_policy(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """The greatest id is elected, says this one; a set of one member has nothing else to elect."""
    for _ in range(count):
        members = frozenset(random.sample((1, 2, 3), random.randrange(1, 4)))
        theirs = bench.manager.elect(members, None, None, None, ())
        yield Pair("DefaultElectPolicy.elect", str(sorted(members)), theirs, max(members))


def test_a_wrong_answer_is_made_small(newest: Release) -> None:
    done = drawn(newest, {"wrong": wrong_policy})
    assert done.returncode == 1
    assert b"AssertionError: DefaultElectPolicy.elect: [" in done.stderr


def test_a_difference_is_counted_with_its_reason_or_as_a_failure() -> None:
    found = Compared()
    for pair in (Pair("a", "x", 1, 1), Pair("a", "y", 1, 2), Pair("a", "z", 1, 2, "known")):
        found.take(pair)
    assert (found.made["a"], found.different["a"], found.explained["a: known"]) == (3, 1, 1)
    assert found.unexplained == [{"what": "a", "given": "y", "theirs": "1", "ours": "2"}]
