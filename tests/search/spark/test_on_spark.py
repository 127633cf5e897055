"""On Spark: the local engines' results, whatever happens to workers and tasks."""

from __future__ import annotations

import os
import random

import pytest

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.spark import spark_runner
from rmqproof.model.search.spark.search import SparkSearch
from rmqproof.model.search.spark.setting import Setting
from rmqproof.model.search.spark.spark_runner import SparkRunner
from rmqproof.model.search.spark.store import Store
from rmqproof.model.search.spark.system_kernel import SystemRecipe, decode

from ..test_random_graphs import comparable
from ..toys import Graph, two_phase
from .faults import FaultyRecipe, fail, kill_worker, never_four, of_graph

pytestmark = pytest.mark.xdist_group("spark")


def explore(spark, recipe, folder, partitions=2, said=None, anchored=None, **setting):
    kernel = recipe.kernel()
    runner = SparkRunner(spark, anchored)
    given = Setting(Store(str(folder)), partitions, **({"hand_over": 0} | setting))
    say = said.append if said is not None else lambda text: None
    return SparkSearch(kernel.system, recipe, kernel, decode, given, spark=lambda: runner, say=say).run()


def local(system):
    return BreadthFirst(system, workers=1).run()


@pytest.mark.parametrize("partitions", [*(pytest.param(n, marks=pytest.mark.large) for n in (1, 2)), 7])
def test_same_result_for_any_number_of_partitions(spark, tmp_path, partitions):
    said = []
    found = explore(spark, SystemRecipe(two_phase, (4,)), tmp_path, partitions, said, hand_over=100)
    assert comparable(found) == comparable(local(two_phase(4)))
    assert (found.distinct, found.total, found.depth) == (1568, 8258, 14)
    assert "Level 5 has 154 states: Spark takes over" in said[0]


def test_parts_stay_with_an_executor(spark, tmp_path):
    """As on a cluster: what a task reads has a row that is kept on some host, and Spark prefers that host."""
    found = explore(spark, SystemRecipe(two_phase, (4,)), tmp_path, 3, anchored=True)
    assert comparable(found) == comparable(local(two_phase(4)))
    rows = SparkRunner(spark, anchored=True)
    anchors = rows._anchors_of(3)
    assert anchors.map(lambda row: row[0]).collect() == [0, 1, 2]
    read = anchors.union(anchors.map(lambda row: row).partitionBy(3, spark_runner._part))
    assert read.getNumPartitions() == 3
    java = read._jrdd.rdd()
    assert [java.preferredLocations(part).size() for part in java.partitions()] == [1, 1, 1]


def test_same_counterexample(spark, tmp_path):
    found = explore(spark, SystemRecipe(never_four), tmp_path, 3)
    assert comparable(found) == comparable(local(never_four()))
    assert len(found.behaviour) == 7


def _edge(choose: random.Random, size: int) -> tuple[int, int]:
    return choose.randrange(3), choose.randrange(size)


@pytest.mark.parametrize("seed", range(3))
def test_random_system(spark, tmp_path, seed):
    """Several ways to most states, states cut, an invariant that may fail."""
    choose = random.Random(seed)
    size = 60
    graph = Graph(
        initial=[choose.randrange(size) for _ in range(3)],
        edges=[
            [(choose.randrange(3), choose.randrange(size)) for _ in range(choose.randrange(1, 4))] for _ in range(size)
        ],
        bad=frozenset({choose.randrange(size)}) if seed else frozenset(),
        outside=frozenset({choose.randrange(size)}),
    )
    found = explore(spark, SystemRecipe(of_graph, (graph,)), tmp_path, 3)
    assert comparable(found) == comparable(local(graph.toy()))


@pytest.mark.parametrize(
    ("fault", "where", "after"),
    [(kill_worker, "expand", 3), (kill_worker, "check", 3), (fail, "check", 4), (fail, "expand", 2)],
    ids=["killed while it expands", "killed while it keeps", "fails while it keeps", "fails while it expands"],
)
def test_a_worker_that_dies_loses_nothing(spark, tmp_path, fault, where, after):
    recipe = FaultyRecipe(two_phase, (4,), fault, where, after, tmp_path / "once", os.getpid())
    found = explore(spark, recipe, tmp_path / "store")
    assert recipe.once.exists(), "the fault did not happen"
    assert comparable(found) == comparable(local(two_phase(4)))
