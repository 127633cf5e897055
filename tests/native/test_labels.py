"""Predicates of the liveness check in machine code against the Python engine, on every state and step of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rmqproof.model.checking.liveness_graphs import CompiledGraphs
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.temporal import fairness_of, temporal_properties
from rmqproof.model.search.liveness.check import LivenessCheck
from rmqproof.model.search.liveness.evaluation import Evaluation
from rmqproof.model.search.liveness.formula import Atom, Predicate, conjunction, eventually, predicates_of
from rmqproof.model.search.liveness.graph import BehaviourGraph
from rmqproof.model.search.liveness.recorder import behaviour_graph
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.tla import core
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import TlaError
from tests.evaluate.test_random_expressions import DECLARED, Maker, careful_outcome, start
from tests.evaluate.trees import AT, builtin, model

FORMS = """---- MODULE Forms ----
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANT Process
VARIABLES turn, work, queue
vars == <<turn, work, queue>>
Init == turn \\in Process /\\ work = [p \\in Process |-> 0] /\\ queue = <<>>
Do(p) == turn = p /\\ work[p] < 2 /\\ work' = [work EXCEPT ![p] = @ + 1] /\\ UNCHANGED <<turn, queue>>
Pass(p) == turn = p /\\ turn' \\in Process \\ {p} /\\ work' = [work EXCEPT ![p] = 0] /\\ UNCHANGED queue
Put(p) == Len(queue) < 2 /\\ queue' = Append(queue, [who |-> p, what |-> work[p]]) /\\ UNCHANGED <<turn, work>>
Take == queue # <<>> /\\ queue' = Tail(queue) /\\ UNCHANGED <<turn, work>>
Next == Take \\/ \\E p \\in Process : Do(p) \\/ Pass(p) \\/ Put(p)
RECURSIVE Sum(_)
Sum(s) == IF s = {} THEN 0 ELSE LET p == CHOOSE p \\in s : TRUE IN work[p] + Sum(s \\ {p})
Spec == /\\ Init /\\ [][Next]_vars /\\ WF_queue(Take)
        /\\ \\A p \\in Process : SF_vars(Do(p)) /\\ WF_<<turn, work>>(Pass(p))
        /\\ \\A S \\in {{p, q} : p, q \\in Process} : WF_vars(\\E p \\in S : Put(p))
Count == INSTANCE Counter WITH n <- Len(queue)
Properties ==
    /\\ \\A p \\in Process : []<>(turn = p) /\\ (turn = p ~> work[p] > 0)
    /\\ <>[](Sum(Process) > 1) \\/ []<><<Take>>_queue
    /\\ <>[][Len(queue') >= Len(queue)]_queue
    /\\ []<>(ENABLED Take) => []<>~ENABLED (Take \\/ (queue' = <<>> /\\ UNCHANGED <<turn, work>>))
    /\\ \\A f \\in [Process -> {0, 1}] : []<>(work # f)
    /\\ []<>(\\E i \\in 1..Len(queue) : queue[i].who = turn)
    /\\ []<>(queue[1].what = 0)
    /\\ []<>(ToString(work) # "")
    /\\ Count!Fair
====
"""
COUNTER = """---- MODULE Counter ----
EXTENDS Integers
VARIABLE n
Up == n < 2 /\\ n' = n + 1
Fair == WF_n(Up)
====
"""


@pytest.fixture(autouse=True)
def compiled_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests compile more than they run."""
    monkeypatch.setenv("RMQPROOF_CFLAGS", "-O0")


def graph_of(given: core.Model, system: PythonSystem, predicates: Sequence[Predicate], limit: int | None = None) -> Any:
    graph = CompiledGraphs(given, system, predicates).graph(True, Storage(limit), lambda n: False, lambda text: None)
    assert graph is not None
    return graph


def places(graph: BehaviourGraph, predicate: Predicate) -> Iterator[tuple[int, int]]:
    """States with the step, or any."""
    for state in range(len(graph)):
        yield from ((state, step) for step in graph.steps(state)) if predicate.step else [(state, graph.first[state])]


def compare(graph: BehaviourGraph, predicates: Sequence[Predicate]) -> dict[Predicate, list[int]]:
    """What machine code says of each predicate, everywhere; where it does, the Python engine says the same."""
    evaluation = Evaluation(graph)
    evaluation.prepare(conjunction(map(Atom, predicates)))
    found = {}
    for predicate in predicates:
        column, said = evaluation.bits(predicate), []
        for state, step in places(graph, predicate):
            place = step if predicate.step else state
            said.append(column[place >> 2] >> ((place & 3) << 1) & 3)
            states = graph.states[state], graph.states[graph.heads[step]]
            if said[-1]:
                assert bool(predicate.test(*states[: 1 + predicate.step])) is (said[-1] == 2), predicate.text
        found[predicate] = said
    return found


@pytest.fixture(name="forms")
def load_forms(tmp_path):
    (tmp_path / "Forms.tla").write_text(FORMS)
    (tmp_path / "Counter.tla").write_text(COUNTER)
    config = tmp_path / "Forms.cfg"
    config.write_text("CONSTANT Process = {p, q}\nSPECIFICATION Spec\nPROPERTY Properties\nCHECK_DEADLOCK FALSE\n")
    return load_model(tmp_path / "Forms.tla", config)


@pytest.mark.parametrize("limit", [None, 0])
def test_every_form_of_predicate(forms, limit):
    system = system_of(forms)
    formulas = [fairness_of(system), *(prop.formula for prop in temporal_properties(system))]
    predicates = predicates_of(conjunction(formulas))
    graph = graph_of(forms, system, predicates, limit)
    found = compare(graph, predicates)
    whole = [predicate for predicate, said in found.items() if all(said)]
    partly = [predicate for predicate, said in found.items() if any(said) and not all(said)]
    none = [predicate for predicate, said in found.items() if not any(said)]
    needed = {predicate: predicate.needs for predicate in predicates if predicate.needs is not None}
    assert len(needed) == 9 and set(needed.values()) <= set(predicates)  # each WF and SF; steps of those are not asked
    # queue[1] of an empty queue has no value; ToString has no form in C
    assert [len(partly), len(none)] == [1, 1] and len(whole) > 25
    assert sum(predicate.step for predicate in whole) > 10
    varying = [predicate for predicate in whole if len(set(found[predicate])) == 2]
    assert len(varying) > 20


def test_where_there_is_no_value_the_python_engine_is_asked(forms):
    system = system_of(forms)
    formulas = [prop.formula for prop in temporal_properties(system)]
    predicates = predicates_of(conjunction(formulas))
    graph = graph_of(forms, system, predicates)
    (partly,) = [predicate for predicate, said in compare(graph, predicates).items() if any(said) and not all(said)]
    check = LivenessCheck(graph, fairness_of(system))
    with pytest.raises(TlaError, match="1"):
        check.counterexample(eventually(Atom(partly)))


def test_counterexamples_are_those_of_the_python_engine(forms):
    """Also what a wrong label would be worth: it changes a verdict."""
    system = system_of(forms)
    fairness, properties = fairness_of(system), [prop.formula for prop in temporal_properties(system)]
    plain = behaviour_graph(system, system.fingerprint)
    graph = graph_of(forms, system, predicates_of(conjunction([fairness, *properties])))
    expected, found = LivenessCheck(plain, fairness), LivenessCheck(graph, fairness)
    verdicts = []
    for formula in properties[:-3]:
        verdicts.append(expected.counterexample(formula))
        assert found.counterexample(formula) == verdicts[-1]
    assert None in verdicts and any(verdicts)
    for predicate in predicates_of(fairness):
        column = found.evaluation.bits(predicate)
        for place, byte in enumerate(column):
            column[place] = (byte & 0x55) << 1 | (byte & 0xAA) >> 1  # true and false change places
    assert [found.counterexample(formula) for formula in properties[:-3]] != verdicts


def primed(e: core.Expression) -> core.Expression:
    return builtin("'", e)


@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(data=st.data())
def test_random_predicates(data: Any) -> None:
    """Of states, of steps, and ENABLED, on the graph in which every state follows every state."""
    draw = data.draw
    small = st.integers(-1, 3)
    values = st.tuples(small, st.lists(small, max_size=3), st.lists(small, max_size=3), small, st.booleans())
    ends = [(*draw(values), [draw(small), draw(small)]) for _ in range(3)]
    starts = [start(*each) for each in ends]
    moves = [
        builtin("/\\", *(builtin("=", primed(part.arguments[0]), part.arguments[1]) for part in each.arguments))
        for each in starts
        if isinstance(each, core.Builtin) and all(isinstance(part, core.Builtin) for part in each.arguments)
    ]
    made = model(DECLARED, builtin("\\/", *starts), builtin("\\/", *moves))
    given_model = core.Model(made.specification, made.initial, made.next, check_deadlock=False)
    system = system_of(given_model)
    alone = system_of(model(DECLARED, builtin("\\/", *starts)))
    predicates = []
    for _ in range(14):
        kind = draw(st.sampled_from(["int", "bool", "set", "seq"]))
        pair = [Maker(draw).make(kind, draw(st.integers(1, 3)), {}) for _ in range(2)]
        if any(careful_outcome(alone, e, state) is None for e in pair for state in alone.initial_states()):
            continue
        of_state, of_step = builtin("=", *pair), builtin("=", primed(pair[0]), pair[1])
        angle = core.AngleAction(AT, builtin("/\\", builtin("\\/", *moves), of_step), pair[1])
        enabled = builtin("ENABLED", builtin("/\\", of_state, moves[0]))
        for e, step in ((of_state, False), (of_step, True), (angle, True), (enabled, False)):
            test = system.step_condition(e) if step else system.state_condition(e)
            predicates.append(Predicate(test, step, str(e), None, False if e is angle else None, e))
    if predicates:
        compare(graph_of(given_model, system, predicates), predicates)
