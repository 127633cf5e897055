"""How work is shared out, and what happens to a worker that dies."""

from __future__ import annotations

import os
import signal

import pytest

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.fingerprint_set import FingerprintSet
from rmqproof.model.search.workers import Team, deal

from .toys import grid, two_phase


@pytest.mark.parametrize(("spans", "workers"), [(16, 2), (5, 2), (24, 3), (32, 4), (1, 2), (2, 4), (64, 8)])
def test_every_worker_gets_spans_and_the_parent_fewest(spans, workers):
    owners = deal(spans, workers)
    counts = [owners.count(worker) for worker in range(workers)]
    assert len(owners) == spans
    assert all(counts[0] <= count for count in counts[1:]) or spans < 2 * workers
    assert max(counts[1:]) - min(counts[1:]) <= 1


def test_a_worker_that_dies_is_made_good():
    class Deadly(type(grid(2, 2))):
        parent = os.getpid()

        def successors(self, state):
            if os.getpid() != self.parent and state[0] == 3:
                os.kill(os.getpid(), signal.SIGKILL)
            return super().successors(state)

    plain = grid(12, 12)
    deadly = Deadly(plain.starts, plain.step, actions=plain.actions)
    result = BreadthFirst(deadly, workers=2, block=6).run()
    assert (result.distinct, result.total, result.depth) == (144, 1 + 2 * 12 * 11, 23)


def test_no_worker_is_left_behind(monkeypatch):
    fork, forked = os.fork, []
    monkeypatch.setattr(os, "fork", lambda: forked.append(pid := fork()) or pid)
    BreadthFirst(two_phase(3), workers=3, block=20).run()
    assert forked
    for process in forked:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


def test_small_levels_are_not_shared_out():
    team = Team(grid(3, 3), 2, FingerprintSet())
    assert team.block(0, 1_000_000) == 1, "the speed is not known yet"
    assert Team(grid(3, 3), 1, FingerprintSet(), block=50).block(0, 100) == 1
    assert Team(grid(3, 3), 2, FingerprintSet(), block=50).block(0, 30) == 30
