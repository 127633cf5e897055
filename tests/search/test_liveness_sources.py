"""One graph, whatever explored it: in Python, packed, spilled to files, or read from the store of a Spark search."""

from __future__ import annotations

import tempfile
from array import array
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.native.graph_code import graph_code
from rmqproof.model.search.kernel import NotEvaluated
from rmqproof.model.search.liveness.check import LivenessCheck
from rmqproof.model.search.liveness.evaluation import Evaluation
from rmqproof.model.search.liveness.formula import Atom, Predicate, always, conjunction, disjunction, eventually
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped
from rmqproof.model.search.liveness.packed import PackedStates, packed_graph
from rmqproof.model.search.liveness.recorder import behaviour_graph
from rmqproof.model.search.liveness.storage import Storage
from tests.search.lassos import formula_of
from tests.search.test_liveness_random import PAIRS, STATES, fairness, formulas
from tests.search.toys import Toy, grid, two_phase


@dataclass
class Columns:
    count: int
    states: bytes
    fingerprints: bytes
    parents: bytes
    inside: bytes
    verdicts: bytes
    outcomes: bytes


@dataclass
class PackedToy:
    """States that are numbers, two words each: what a compiled kernel does, in Python. `fails`: a state without
    successors that can be evaluated."""

    toy: Toy
    fails: int | None = None
    words: int = 2

    def initial(self) -> Columns:
        return self._columns([(0, state, self.toy.within(state)) for state in self.toy.initial_states()], b"\0")

    def expand(self, states: bytes) -> Columns:
        rows = array("Q", states)[::2]
        found = [
            (row, after, self.toy.within(after) and self.toy.allowed(state, after))
            for row, state in enumerate(rows)
            for _, _, after in self.toy.successors(state)
        ]
        return self._columns(found, bytes(4 * (state == self.fails) for state in rows))

    def _columns(self, found: list[tuple[int, int, bool]], outcomes: bytes) -> Columns:
        return Columns(
            len(found),
            array("Q", [word for _, state, _ in found for word in (state, state % 2)]).tobytes(),
            array("Q", [self.toy.fingerprint(state) for _, state, _ in found]).tobytes(),
            array("I", [row for row, _, _ in found]).tobytes(),
            bytes(inside for _, _, inside in found),
            bytes(len(found)),
            outcomes,
        )


def packed(toy: Toy, storage: Storage, **more) -> BehaviourGraph:
    return packed_graph(PackedToy(toy), graph_code(), lambda words: words[0], [(0, 63), (63, 1)], storage, **more)


def content(graph: BehaviourGraph) -> tuple[list, list, list, list]:
    return list(graph.states), graph.initial, list(graph.first), list(graph.heads)


def numbers_on_a_grid() -> Toy:
    """0 to 2,999 by steps of 1, of twice and more, and back to a multiple of 100."""
    step = lambda n: ((0, after) for after in (n + 1, 2 * n, 5 * n + 7, n - n % 100, n) if after < 3_000)  # noqa: E731
    return Toy([0, 5, 3_500], step, constraint=lambda n: n < 2_900, action_constraint=lambda a, b: (a, b) != (3, 22))


@pytest.mark.parametrize("limit", [None, 0])
def test_packed_graph_is_the_one_of_the_exploration_in_python(limit):
    toy = numbers_on_a_grid()
    storage = Storage(limit)
    graph = packed(toy, storage)
    assert content(graph) == content(behaviour_graph(toy, toy.fingerprint))
    assert len(graph) > 2_000


def test_a_spilled_graph_lies_in_files():
    toy = Toy([0], lambda n: ((0, after) for after in (n + 1, n + 2, n // 2) if after < 60_000))
    storage = Storage(1 << 18)
    graph = packed(toy, storage)
    assert storage.filed > 1_500_000 and storage.used < 1 << 20
    assert len(graph) == 60_000 and graph.states[59_999] == 59_999
    assert list(graph.heads[graph.first[10] : graph.first[11]]) == [11, 12, 5, 10]


def test_states_are_asked_for_before_and_named():
    toy = numbers_on_a_grid()
    with pytest.raises(GraphStopped):
        packed(toy, Storage(), stop=lambda states: states > 10)
    with pytest.raises(NotEvaluated):
        packed_graph(PackedToy(toy, fails=700), graph_code(), lambda words: words[0], None, Storage())


def test_keys_are_the_bits_of_the_variables_asked_for():
    numbers = array("Q", [0b1011, 1, 0b0111, 0])
    states = PackedStates(numbers, 2, tuple, [(0, 2), (2, 2), (63, 1)])
    assert [states.keys(frozenset({0}))(n) for n in (0, 1)] == [0b11, 0b11]
    assert [states.keys(frozenset({1}))(n) for n in (0, 1)] == [0b1000, 0b0100]
    assert [states.keys(frozenset({0, 2}))(n) for n in (0, 1)] == [(0b11, 1), (0b11, 0)]
    assert [states.keys(frozenset())(n) for n in (0, 1)] == [0, 0]
    assert states.keys(None)(1) == (0b0111, 0)
    with pytest.raises(IndexError):
        states[2]


def test_a_predicate_is_evaluated_once_for_the_values_that_it_reads():
    """`odd` reads the second variable only; `up` both, of the states before and after."""
    toy = numbers_on_a_grid()
    graph = packed(toy, Storage())
    evaluation = Evaluation(graph)
    odd = Atom(Predicate(lambda n: n % 2 == 1, reads=frozenset({1})))
    for state in range(len(graph)):
        assert evaluation.holds(odd, state, 0) is (graph.states[state] % 2 == 1)
    assert evaluation.evaluated == 2
    up = Atom(Predicate(lambda a, b: b > a, True, reads=frozenset({0}), stuttering=False))
    for state in range(len(graph)):
        for step in graph.steps(state):
            assert evaluation.holds(up, state, step) is (graph.states[graph.heads[step]] > graph.states[state])
    assert evaluation.evaluated == 2 + len(graph.heads) - len(graph), "stuttering steps are not evaluated"


@settings(max_examples=100, deadline=None)
@given(
    edges=st.frozensets(st.sampled_from(PAIRS), min_size=1, max_size=7),
    initial=st.frozensets(st.sampled_from(STATES), min_size=1, max_size=2),
    fair=fairness,
    tree=formulas,
)
def test_counterexamples_are_the_same(edges, initial, fair, tree):
    """The graph, the first behaviour found, also where everything lies in files."""
    toy = Toy(sorted(initial), lambda state: ((0, head) for tail, head in sorted(edges) if tail == state))
    graphs = [behaviour_graph(toy, toy.fingerprint), packed(toy, Storage()), packed(toy, Storage(0))]
    found = [
        LivenessCheck(graph, conjunction(map(formula_of, fair))).counterexample(formula_of(tree)) for graph in graphs
    ]
    assert [content(graph) for graph in graphs[1:]] == [content(graphs[0])] * 2
    assert found[1:] == [found[0]] * 2


def test_machine_code_stops_when_asked_and_passes_on_what_a_predicate_raises():
    graph = packed(numbers_on_a_grid(), Storage())
    small, seven = Atom(Predicate(lambda n: n > 3), False), Atom(Predicate(lambda n: n == 7))
    leads = always(disjunction([small, eventually(seven)]))
    with pytest.raises(GraphStopped):
        LivenessCheck(graph, conjunction([]), stop=lambda: True).counterexample(leads)

    def broken(n: int) -> bool:
        raise ZeroDivisionError(f"state {n}")

    for formula in (eventually(Atom(Predicate(broken))), always(eventually(Atom(Predicate(broken))))):
        with pytest.raises(ZeroDivisionError, match="state"):
            LivenessCheck(graph, conjunction([])).counterexample(formula)


# --- the store of a search on Spark ---------------------------------------------------------------------------------


def stored(toy: Toy, folder: Path, partitions: int, edges: bool, limit: int | None = None) -> BehaviourGraph:
    pytest.importorskip("pyarrow")
    from rmqproof.model.search.liveness.stored import Decoding, stored_graph
    from rmqproof.model.search.spark.system_kernel import decode
    from tests.search.spark.local import search_of

    search = search_of(toy, folder, partitions, edges=edges)
    assert search.run().exhaustive
    decoding = Decoding(None, decode, None)
    return stored_graph(
        search.setting.store, search.manifest, search.kernel, decoding, Storage(limit), lambda states: False
    )


@pytest.mark.parametrize(("edges", "partitions"), [(True, 3), (False, 1)], ids=["stored edges", "edges derived"])
@pytest.mark.parametrize("make", [numbers_on_a_grid, lambda: two_phase(3), lambda: grid(4, 30)])
def test_stored_graph_is_the_same(tmp_path, make, partitions, edges):
    toy = make()
    found = stored(toy, tmp_path, partitions, edges, limit=0)
    assert content(found) == content(behaviour_graph(toy, toy.fingerprint))


@settings(max_examples=15, deadline=None)
@given(
    edges=st.frozensets(st.sampled_from(PAIRS), min_size=1, max_size=7),
    fair=fairness,
    tree=formulas,
    stored_edges=st.booleans(),
)
def test_counterexamples_from_a_store_are_the_same(edges, fair, tree, stored_edges):
    toy = Toy([0, 1], lambda state: ((0, head) for tail, head in sorted(edges) if tail == state))
    with tempfile.TemporaryDirectory() as folder:
        graphs = [behaviour_graph(toy, toy.fingerprint), stored(toy, Path(folder), 2, stored_edges)]
        found = [
            LivenessCheck(graph, conjunction(map(formula_of, fair))).counterexample(formula_of(tree))
            for graph in graphs
        ]
    assert content(graphs[1]) == content(graphs[0])
    assert found[1] == found[0]


def test_a_damaged_edge_file_is_named(tmp_path):
    pytest.importorskip("pyarrow")
    from rmqproof.model.search.liveness.stored import Decoding, stored_graph
    from rmqproof.model.search.spark.store import StoreError
    from rmqproof.model.search.spark.system_kernel import decode
    from tests.search.spark.local import search_of

    search = search_of(grid(5, 5), tmp_path, 1, edges=True)
    search.run()
    manifest, decoding = search.manifest, Decoding(None, decode, None)
    next((tmp_path / "edges" / "level=00003").iterdir()).write_bytes(b"nothing of the kind")
    with pytest.raises(StoreError, match="level=00003"):
        stored_graph(search.setting.store, manifest, search.kernel, decoding, Storage(), lambda states: False)


def test_an_order_that_differs_would_be_seen():
    """What the comparisons above are worth: another order of the same states is another graph."""
    toy = numbers_on_a_grid()
    other = Toy(toy.starts, lambda n: reversed(list(toy.step(n))), constraint=toy.constraint)
    assert content(packed(toy, Storage())) != content(behaviour_graph(other, other.fingerprint))
    assert LivenessCheck(packed(toy, Storage()), always(eventually(Atom(Predicate(lambda n: n > 1))))) is not None
