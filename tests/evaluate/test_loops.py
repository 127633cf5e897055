"""Loops: temporaries inside of them, sets that are not built, definitions that keep their value."""

from __future__ import annotations

from math import comb
from pathlib import Path

import pytest

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lazy import Filtered
from rmqproof.model.evaluate.lazy_sets import Powerset
from rmqproof.model.evaluate.ordered_elements import OrderMemo
from rmqproof.model.evaluate.support import memoised
from rmqproof.model.tla.core import Call
from tests.calls import calls_of
from tests.evaluate.explore import explore, written

HEAD = """EXTENDS Naturals, Sequences, FiniteSets
VARIABLES n, logs
Entry == [from: {"a", "b"}, number: Nat]
Init == n = 0 /\\ logs = [k \\in {"a", "b"} |-> <<>>]
Next ==
    \\/ /\\ n < 3 /\\ n' = n + 1
       /\\ \\E k \\in {"a", "b"} : logs' = [logs EXCEPT ![k] = Append(@, [from |-> k, number |-> n])]
    \\/ UNCHANGED <<n, logs>>
Pairs == {<<k, logs[k][i].number>> : k \\in {"a"}, i \\in DOMAIN logs["a"]}
"""

TRUE_IN_EVERY_STATE = [
    # what a comprehension iterates over must not assign a temporary, which Python refuses to compile
    '\\A k \\in {"a", "b"} : [logs EXCEPT ![k] = Append(logs[k], [from |-> k, number |-> n])][k] \\in Seq(Entry)',
    '{k \\in {"a", "b"} : Append(logs[k], [from |-> k, number |-> n]) \\in Seq(Entry)} = {"a", "b"}',
    "[i \\in 1..2 |-> [k \\in {i} |-> n]] \\in Seq([{1} -> Nat] \\cup [{2} -> Nat])",
    '{[logs EXCEPT ![k] = [i \\in DOMAIN @ |-> [@[i] EXCEPT !.number = n]]] : k \\in {"a", "b"}} # {}',
    '{[r EXCEPT !.number = r.number + 1] : r \\in {[from |-> "a", number |-> n], [from |-> "b", number |-> n]}}'
    ' = {[from |-> k, number |-> n + 1] : k \\in {"a", "b"}}',
    # a loop whose body is known
    "~ \\E i \\in 0..n : \\E j \\in (IF n > 1 THEN 0..1 ELSE {}) : FALSE",
    "\\A i \\in 0..n : \\A j \\in (IF n > 1 THEN 0..1 ELSE {}) : TRUE",
    # each turn of the loop has a set of its own
    "\\A i \\in 1..3 : [q \\in {1} |-> i] \\in UNION {[{1} -> (y + n)..(y + n)] : y \\in 0..3} <=> i >= n",
    # sets are looked at element by element
    "\\E s \\in {t \\in SUBSET (1..60) : Cardinality(t) >= n} : \\A x \\in s : x \\in 1..60",
    "(CHOOSE s \\in {t \\in SUBSET (1..60) : Cardinality(t) = 1} : 1 \\in s) = {1}",
    "{3} \\in {s \\in SUBSET Nat : \\A x \\in s : x > n} <=> n < 3",
    "{s \\in SUBSET (1..2) : Cardinality(s) = 1} = {{1}, {2}}",
    "Cardinality({s \\in SUBSET (1..10) : Cardinality(s) = 2}) = 45",
    "{s \\in SUBSET (1..n) : Cardinality(s) > n} = {}",
    # a definition that is used in a loop has the value of the state that it is used in
    "\\A i \\in 0..3 : (\\E p \\in Pairs : p[2] = i) <=> (\\E j \\in DOMAIN logs[\"a\"] : logs[\"a\"][j].number = i)",
    # sets of several variables are computed once
    "\\A x, y \\in {p \\in SUBSET Pairs : Cardinality(p) = 1}, z \\in Pairs : z \\in x /\\ z \\in y => x = y",
    "[x, y \\in {p \\in SUBSET (1..2) : p # {}} |-> x \\cup y][{1}, {2}] = {1, 2}",
]  # fmt: skip


@pytest.mark.parametrize("formula", TRUE_IN_EVERY_STATE)
@pytest.mark.parametrize("careful", [False, True], ids=["fast", "careful"])
def test_formulas_that_hold(tmp_path: Path, formula: str, careful: bool) -> None:
    system = written(tmp_path, HEAD + f"Inv == {formula}", "INIT Init\nNEXT Next\nINVARIANT Inv\n")
    states = explore(system).states
    assert len(states) == 15
    if careful:
        assert system.model.invariants[0].body is not None
        test = system.careful_condition(system.model.invariants[0].body)
        assert all(test(state) for state in states)
    assert system.deoptimised == 0


def test_definitions_keep_their_value_apart_in_the_two_states_of_a_step(tmp_path: Path) -> None:
    body = (
        HEAD + "Grow == [][\\A p \\in Pairs : p \\in Pairs' /\\ Pairs' \\ Pairs \\subseteq {<<\"a\", n>>}]_<<n, logs>>"
    )
    system = written(tmp_path, body, "INIT Init\nNEXT Next\nPROPERTY Grow\n")
    assert explore(system).distinct == 15
    assert system.step_properties


@pytest.mark.parametrize(("count", "tested"), [(4, [16, 16, 16]), (40, [42, 84, 126])])
def test_a_filtered_set_is_listed_once_but_where_that_would_take_too_long(count: int, tested: list[int]) -> None:
    asked = []

    def test(value: frozenset[int]) -> bool:
        asked.append(value)
        return len(value) == 2

    items = Filtered(Powerset(frozenset(range(count))), test)
    seen = []
    assert next(items.elements()) == frozenset({0, 1})
    seen.append(len(asked))
    assert next(iter(items)) == frozenset({0, 1})
    seen.append(len(asked))
    assert bool(items)
    seen.append(len(asked))
    assert seen == tested


def test_a_filtered_set_whose_test_fails_fails_each_time() -> None:
    def test(value: frozenset[int]) -> bool:
        if len(value) == 1:
            raise Fault("no")
        return True

    items = Filtered(Powerset(frozenset({1, 2})), test)
    for _ in range(2):
        with pytest.raises(Fault):
            len(items)


def test_remembered_results_go_by_the_variables_that_are_read() -> None:
    calls = []

    def function(state: tuple[object, ...]) -> object:
        calls.append(state)
        return state[0], state[2]

    one, two, three = "1", "2", "3"
    for read in ([0], [0, 2]):
        calls.clear()
        kept = memoised(function, read)
        assert kept((one, one, one)) == kept((one, two, one)) == (one, one)
        assert kept((two, one, one)) == (two, one)
        assert kept((one, three, one)) == (one, one)
        assert len(calls) == 2
        assert kept((three, one, one)) == (three, one)
        assert kept((one, one, one)) == (one, one)


LARGE_CONSTANT = """EXTENDS Naturals, Sequences
VARIABLE q, low
All == UNION {[1..n -> 1..4] : n \\in 1..5}
Sorted == {s \\in All : \\A i, j \\in 1..Len(s) : i < j => s[i] <= s[j]}
Init == q \\in Sorted /\\ low = 1
Next == low < Len(q) /\\ low' = low + 1 /\\ q' = q
Inv == q \\in Sorted
"""


def test_a_large_constant_is_computed_once_and_only_what_is_left_of_it_is_sorted(tmp_path: Path) -> None:
    """SortedSeqs of BinarySearch was computed for every round in which shapes are found, from sequences in order."""
    with calls_of(Generator.evaluate) as evaluated, calls_of(OrderMemo.__missing__) as ordered:
        system = written(tmp_path, LARGE_CONSTANT, "INIT Init\nNEXT Next\nINVARIANT Inv\n")
        found = explore(system)
    computed = [call["node"].definition.name for call in evaluated if isinstance(call["node"], Call)]
    sorted_ = [len(call["items"]) for call in ordered]
    assert found.distinct == sum(length * comb(length + 3, 3) for length in range(1, 6))
    assert computed.count("Sorted") == computed.count("All") == 1
    assert max(sorted_) == sum(comb(length + 3, 3) for length in range(1, 6))
