"""With any number of partitions a search is the one that the local engine makes: counts, verdict, counterexample."""

from __future__ import annotations

import random
import tempfile
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.result import Verdict
from rmqproof.model.search.spark.expanding import BLOCK
from rmqproof.model.search.spark.runner import LocalRunner
from rmqproof.model.search.spark.spool import Spool
from rmqproof.model.search.spark.worker import Worker
from rmqproof.model.search.system import StateProperty
from tests.at_length import first

from ..test_random_graphs import comparable, graphs
from ..toys import Graph, counter, grid, jugs, two_phase
from .local import explore, search_of


def local(system, **options):
    return BreadthFirst(system, workers=1, **options).run()


@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from([1, 2, 3]))
def test_random_graphs(graph, partitions):
    with tempfile.TemporaryDirectory() as folder:
        found = explore(graph.toy(), Path(folder), partitions)
    expected = local(graph.toy())
    assert comparable(found) == comparable(expected)
    assert (found.violations, found.queue) == (expected.violations, expected.queue)


@pytest.mark.parametrize("partitions", [3, 11])
@pytest.mark.parametrize("seed", first(2, range(6)))
def test_many_ways_to_each_state(tmp_path, seed, partitions):
    """Parts expand slices of several files, and of the many steps to a state the first counts."""
    choose = random.Random(seed)
    size = 400
    ways = [choose.randrange(1, 6) for _ in range(size)]
    edges = [[(choose.randrange(3), choose.randrange(size)) for _ in range(count)] for count in ways]
    graph = Graph(initial=[0, 1, 2], edges=edges, outside=frozenset({7})).toy()
    assert comparable(explore(graph, tmp_path, partitions)) == comparable(local(graph))


@pytest.mark.parametrize("partitions", [1, 2, 7, 16])
def test_two_phase_commit(tmp_path, partitions):
    found = explore(two_phase(3), tmp_path, partitions)
    assert (found.distinct, found.total, found.depth, found.verdict) == (288, 1146, 11, Verdict.SUCCESS)
    assert comparable(found) == comparable(local(two_phase(3)))


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_shortest_counterexample(tmp_path, partitions):
    system = jugs(invariants=[StateProperty("BigNotFour", lambda at: at[0] != 4)])
    found = explore(system, tmp_path, partitions)
    assert comparable(found) == comparable(local(system))
    assert len(found.behaviour) == 7


def test_order_is_renumbered_when_its_bits_run_out(tmp_path):
    """A level of a grid takes eight bits of the order, which has sixty-two."""
    assert comparable(explore(grid(30, 40), tmp_path, 3)) == comparable(local(grid(30, 40)))


def test_deadlock_at_the_end_of_a_long_way(tmp_path):
    system = counter(40, check_deadlock=True)
    assert comparable(explore(system, tmp_path, 3)) == comparable(local(system))


@pytest.mark.large
@pytest.mark.parametrize("table_bytes", first(1, [0, 1 << 30]))
@pytest.mark.parametrize("limit", [30, pytest.param(1000, marks=pytest.mark.large)])
def test_claims_in_little_memory(tmp_path, limit, table_bytes):
    """Those that are known are dropped as they come, and later ones of the same state; the rest goes to files."""
    expected = {path: (tmp_path / "whole" / path).stat().st_size for path in explored(tmp_path / "whole")}
    search = search_of(two_phase(4), tmp_path / "little", 3, table_bytes=table_bytes, incoming_bytes=limit)
    assert comparable(search.run()) == comparable(local(two_phase(4)))
    assert search.measure.dropped > 100 or limit == 30
    assert search.measure.spilled
    assert {path: (tmp_path / "little" / path).stat().st_size for path in expected} == expected


class Forgetful(Spool):
    """Loses what every second part has put into it, and half of what the others have."""

    def rows(self, job, level, part):
        found = super().rows(job, level, part)
        return None if part % 2 or found is None else islice(found, 1)


@pytest.mark.large
def test_states_that_are_not_at_hand_any_more_are_computed_again(tmp_path, monkeypatch):
    """Also those of slices of several files, and of an order that was renumbered; the files are the same."""
    monkeypatch.setitem(BLOCK, False, 4)
    expected = {path: (tmp_path / "whole" / path).read_bytes() for path in explored(tmp_path / "whole")}
    search = search_of(two_phase(4), tmp_path / "again", 3)
    search._local = LocalRunner(Worker(Forgetful()))
    assert comparable(search.run()) == comparable(local(two_phase(4)))
    assert search.measure.again > 20
    assert {path: (tmp_path / "again" / path).read_bytes() for path in expected} == expected
    search = search_of(grid(30, 40), tmp_path / "grid", 3)
    search._local = LocalRunner(Worker(Forgetful()))
    assert comparable(search.run()) == comparable(local(grid(30, 40)))
    assert search._ranked or search.measure.again > 20


def test_nothing_is_left_in_the_spool(tmp_path):
    spool = Spool(tmp_path / "spool")
    search = search_of(two_phase(3), tmp_path / "store", 3)
    search._local = LocalRunner(Worker(spool))
    search.run()
    assert list(spool.folder.iterdir()) == []


def explored(folder):
    """The files of states of a search with all the memory that it wants."""
    explore(two_phase(4), folder, 3)
    return sorted(path.relative_to(folder) for path in folder.glob("states/*/*"))


def test_without_room_for_tables(tmp_path):
    """The runs in the files are the visited set; a table only saves reading them."""
    found = explore(two_phase(4), tmp_path, 3, table_bytes=0)
    assert comparable(found) == comparable(local(two_phase(4)))
