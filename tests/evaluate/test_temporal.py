"""Temporal formulas, fairness and refinement on a small module, besides the three for each form in
test_temporal_forms.py. Verdicts are TLC's on the same modules; a temporal formula passed to a temporal operator inside
of one TLC does not take."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.evaluate.temporal import fairness_conditions, fairness_of, temporal_properties
from rmqproof.model.search.liveness.behaviour import steps_of
from rmqproof.model.search.liveness.check import LivenessCheck
from rmqproof.model.search.liveness.fairness import explain
from rmqproof.model.search.liveness.recorder import behaviour_graph
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import TlaError

MODULE = r"""---- MODULE Counter ----
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
Up == x < 3 /\ x' = x + 1 /\ UNCHANGED y
Reset == x = 3 /\ x' = 0 /\ UNCHANGED y
Flip == y' = 1 - y /\ UNCHANGED x
Take == y = 1 /\ x = 0 /\ x' = 3 /\ UNCHANGED y
To(n) == x < n /\ x' = n /\ UNCHANGED y
Leads(P, Q) == [](P => <>Q)
Often(P) == []<>P
Abstract(z) == INSTANCE Parity WITH p <- z
Side == INSTANCE Parity WITH p <- x %% 2
Next == %(next)s
Fair == %(fair)s
Spec == Init /\ [][Next]_vars /\ Fair
Property == %(property)s
====
"""
PARITY = r"""---- MODULE Parity ----
EXTENDS Naturals
VARIABLE p
Step == p' = 1 - p
Spec == p = 0 /\ [][Step]_p /\ WF_p(Step)
Strong == p = 0 /\ [][Step]_p /\ SF_p(Step /\ p = 1)
====
"""
HOLDS = 0
STOPS = 1
"""Violated by a behaviour that stops."""
CYCLE = 2
"""Violated by a behaviour in which something happens for ever."""

UP, RESET, FLIP, TAKE, NEXT = (f"WF_vars({name})" for name in ("Up", "Reset", "Flip", "Take", "Next"))
BOTH = rf"{UP} /\ {RESET}"
ALL = r"Up \/ Reset \/ Flip"
CASES = [
    # Next, fairness, property, how it ends
    (r"Up \/ Reset", NEXT, "x = 3 ~> [](x # 1)", CYCLE),
    (r"Up \/ Flip", UP, "<>[][Flip]_vars", HOLDS),
    (r"Up \/ Flip", UP, "<>[][Up]_vars", CYCLE),
    (r"Take \/ Flip", "SF_vars(Take)", "<>(x = 3)", STOPS),
    (r"Take \/ Flip", "SF_vars(Take)", "WF_vars(Take)", HOLDS),
    (r"Take \/ Flip", "TRUE", "WF_vars(Take)", STOPS),
    (r"Take \/ Flip", "TRUE", "WF_vars(Flip)", STOPS),
    (r"Take \/ Flip", rf"{FLIP} /\ {TAKE}", "SF_vars(Flip)", HOLDS),
    (ALL, r"\A n \in 1..3 : WF_vars(x = n - 1 /\ Up)", r"\A i \in 1..3 : <>(x = i)", HOLDS),
    (ALL, r"\A n \in 1..2 : WF_vars(x = n - 1 /\ Up)", r"\A i \in 1..3 : <>(x = i)", STOPS),
    (ALL, UP, r"\E i \in {7, 3} : <>[](x = i)", CYCLE),
    (ALL, BOTH, r"\A i \in 0..1, j \in 2..3 : x = i ~> x = j", HOLDS),
    (ALL, BOTH, r"\A <<i, j>> \in {<<0, 1>>, <<3, 0>>} : x = i ~> x = j", HOLDS),
    (ALL, BOTH, r"\A i \in 0..3 : \E j \in {i + 1} : x = i ~> x = j", CYCLE),
    (ALL, UP, "[]ENABLED Flip => []<>ENABLED Reset", HOLDS),
    (ALL, UP, r"LET n == 2 f(z) == <>(x = z + n) IN f(0) /\ f(1) /\ \A i \in {0} : f(i)", HOLDS),
    (ALL, UP, r"LET n == 2 f(z) == <>(x = z + n) IN f(2)", STOPS),
    (ALL, BOTH, "Leads(x = 1, x = 0)", HOLDS),
    (ALL, UP, "Leads(x = 1, x = 0)", STOPS),
    (ALL, UP, "<>(x = 1 /\\ <>(x = 2 /\\ <>(x = 3)))", HOLDS),
    (ALL, UP, "<>(x = 1 /\\ <>(x = 2 /\\ <>(x = 0)))", STOPS),
    (ALL, "TRUE", "[](x = 3 => <>[](x = 3) \\/ <>(x = 0))", HOLDS),
    (ALL, "TRUE", "[]<>(x = 3) => []<>(x = 0) \\/ <>[](x = 3)", HOLDS),
    (ALL, "TRUE", "[]<>(x = 3) <=> []<>(x = 0)", STOPS),
    (ALL, "[]<>(y = 1)", "<>(y = 1)", HOLDS),
    (ALL, "<>[](y = 1)", "[]<>(y = 0)", STOPS),
    (ALL, "(x = 0 ~> x = 1)", "<>(x = 1)", HOLDS),
    (r"Flip \/ Take", TAKE, "Abstract(y)!Strong", STOPS),
    (r"Up \/ Reset", BOTH, "Side!Strong", HOLDS),
    (ALL, "~[]<>(y = 1)", "<>[](y = 0)", HOLDS),
    (ALL, UP, "~<>(x = 4)", HOLDS),
    (ALL, FLIP, "~[]<>(y = 1)", CYCLE),
    (ALL, NEXT, "WF_vars(Flip)", CYCLE),
    (ALL, NEXT, "[]<>(x = 3) => []<>(y = 1)", CYCLE),
    (ALL, "TRUE", r"<>(x = 3) \/ []<>(y = 1)", STOPS),
    (ALL, FLIP, r"<>(x = 3) \/ []<>(y = 1)", HOLDS),
    (ALL, FLIP, r"<>(x = 3) \/ <>[](y = 1)", CYCLE),
    (ALL, "TRUE", "<>[][Flip]_vars", CYCLE),
]


def write(folder: Path, step: str, fair: str, formula: str) -> tuple[Path, Path]:
    spec, config = folder / "Counter.tla", folder / "Counter.cfg"
    spec.write_text(MODULE % {"next": step, "fair": fair, "property": formula}, encoding="utf-8")
    (folder / "Parity.tla").write_text(PARITY, encoding="utf-8")
    config.write_text("SPECIFICATION Spec\nPROPERTY Property\nCHECK_DEADLOCK FALSE\n", encoding="utf-8")
    return spec, config


@pytest.mark.parametrize(("step", "fair", "formula", "ending"), CASES, ids=lambda value: str(value))
def test_verdict_is_that_of_tlc(tmp_path, step, fair, formula, ending):
    system = system_of(load_model(*write(tmp_path, step, fair, formula)))
    graph = behaviour_graph(system, system.fingerprint)
    found = LivenessCheck(graph, fairness_of(system)).violated(temporal_properties(system))
    assert [prop.name for prop, _ in found] == ["Property"] * (ending != HOLDS)
    for _, lasso in found:
        assert (len(lasso.cycle) == 1) == (ending == STOPS)
        steps, loop, _ = steps_of(system, graph, lasso, system.fingerprint)
        assert len(steps) - loop == len(lasso.cycle)


FAIR = [
    # Next, fairness, property, what is said of each condition
    (ALL, rf"{FLIP} /\ SF_vars(Reset)", "<>(x = 3)", [
        "WF_vars(Flip): taken at step 2",
        "SF_vars(Reset): never enabled on the cycle",
    ]),
    (ALL, UP, "[]<>(x = 0)", ["WF_vars(Up): not enabled after step 4"]),
    (r"Take \/ Flip", rf"{FLIP} /\ {TAKE}", "<>(x = 3)", [
        "WF_vars(Flip): taken at step 2",
        "WF_vars(Take): not enabled after step 1",
    ]),
    (r"Up \/ Reset", BOTH, "<>[](x = 3)", [
        "WF_vars(Up): taken at step 2",
        "WF_vars(Reset): taken on the way back to step 1",
    ]),
    (ALL, r"\A n \in 1..2 : WF_vars(x = n - 1 /\ Up)", "<>(x = 3)", [
        "WF_vars(x = n - 1 /\\ Up): not enabled after step 3 (n = 1; n = 2)",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("step", "fair", "formula", "lines"), FAIR, ids=lambda value: str(value)[:30])
def test_each_fairness_condition_of_a_counterexample_is_explained(tmp_path, step, fair, formula, lines):
    system = system_of(load_model(*write(tmp_path, step, fair, formula)))
    graph = behaviour_graph(system, system.fingerprint)
    ((_, lasso),) = LivenessCheck(graph, fairness_of(system)).violated(temporal_properties(system))
    steps, loop, back = steps_of(system, graph, lasso, system.fingerprint)
    assert list(explain(fairness_conditions(system), [step.state for step in steps], loop, back)) == lines


REFUSED = [
    (r"\A i \in {x} : <>(y = i)", "set that varies"),
    (r"(x = 0) -+-> (y = 0) /\ <>(x = 1)", "-+->"),
    (r"\EE z : <>(x = z)", "temporal quantifier"),
    (r"\A i \in {j \in Nat : j > 2} : <>(x = i)", "not enumerable"),
    (r"\A <<i, j>> \in {1} : <>(x = i)", "a tuple of 2 is bound here"),
    (r"\A <<i, j>> \in {<<1, 2, 3>>} : <>(x = i)", "a tuple of 2 is bound here"),
    (r"\A i \in 5 : <>(x = i)", "no set"),
]


@pytest.mark.parametrize(("formula", "said"), REFUSED)
def test_what_cannot_be_checked_is_refused_by_name_and_place(tmp_path, formula, said):
    system = system_of(load_model(*write(tmp_path, ALL, "TRUE", formula)))
    with pytest.raises(TlaError) as caught:
        temporal_properties(system)
    assert said in caught.value.message
    assert caught.value.at is not None and "Counter.tla:18" in str(caught.value.at)
