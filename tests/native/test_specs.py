"""Whole models by both engines: counts, verdict, counterexample, coverage and the states themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rmqproof.model.checking.exit_status import of_result
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.errors import NotCompilable
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.model import load_model
from tests.at_length import all_but
from tests.native.differential import FAST, interpreted, native, outcome

TESTS = Path(__file__).parents[1]
SPECS = TESTS / "specs"
OWN = Path(__file__).parent / "specs"
EVALUATE = TESTS / "evaluate" / "specs"

SMALL = [
    (SPECS / "DieHard.tla", SPECS / "DieHard.cfg"),
    (SPECS / "Paxos.tla", SPECS / "Paxos.cfg"),
    (SPECS / "TokenRing.tla", SPECS / "TokenRing.cfg"),
    (SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit.cfg"),
    (EVALUATE / "Lock.tla", EVALUATE / "LockPlain.cfg"),
    (EVALUATE / "Lock.tla", EVALUATE / "LockConstrained.cfg"),
    (EVALUATE / "Lock.tla", EVALUATE / "LockActionConstrained.cfg"),
    (EVALUATE / "Lock.tla", EVALUATE / "LockSymmetric.cfg"),
    (EVALUATE / "Lock.tla", EVALUATE / "LockView.cfg"),
    (SPECS / "PaxosSymmetric.tla", SPECS / "PaxosSymmetric.cfg"),
    *(
        (path.with_suffix(".tla"), path)
        for path in sorted(OWN.glob("*.cfg"))
        if path.stem not in ("Partial", "FoldedNoBags")
    ),
]


@pytest.mark.parametrize(
    ("spec", "config"), all_but(SMALL, "SteadyParts", "Orbits", "Paxos"), ids=lambda path: path.stem
)
def test_engines_agree(spec: Path, config: Path) -> None:
    model = load_model(spec, config)
    expected = interpreted(model)
    found = native(model)
    assert outcome(found.result) == outcome(expected.result)
    assert found.states == expected.states
    assert outcome(native(model, workers=3).result) == outcome(expected.result)


def test_a_constant_says_how_messages_lie(tmp_path: Path) -> None:
    """`Channels.cfg` keeps them in sequences; here they are a set."""
    config = tmp_path / "Channels.cfg"
    config.write_text((OWN / "Channels.cfg").read_text().replace("Kind = ordered", "Kind = unordered"))
    result = native(load_model(OWN / "Channels.tla", config)).result
    assert (result.verdict, result.distinct, result.total, result.depth) == (Verdict.SUCCESS, 400, 1441, 11)


def test_ways_through_functions_count_as_in_tlc() -> None:
    result = native(model_of("FunctionWays")).result
    assert (result.distinct, result.total, result.depth) == (15, 289, 7)
    assert {action.action: action.total for action in result.coverage} == {
        "Step": 121, "Turn": 32, "Same": 18, "Once": 9, "Pair": 18, "Walk": 30, "Apart": 60,
    }  # fmt: skip


def test_functions_that_are_known_beforehand_count_as_in_tlc() -> None:
    model = model_of("KnownFunctions")
    for result in (interpreted(model).result, native(model).result):
        assert (result.distinct, result.total, result.depth) == (14, 25, 2)


def test_operators_that_prime_reach_what_they_are_applied_to() -> None:
    model = model_of("PassedOperators")
    for result in (interpreted(model).result, native(model).result):
        assert (result.verdict, result.distinct, result.total, result.depth) == (Verdict.SUCCESS, 20, 57, 6)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("PassedActions", (169, 615, 11)),
        ("PassedConditions", (15, 136, 5)),
        ("TakenAtOnce", (16, 69, 9)),
        ("SortedSets", (8526, 44038, 13)),
        ("WideKeys", (2652, 8234, 10)),
        ("FoldedBags", (2380, 21421, 8)),
    ],
)
def test_counts_are_those_of_tlc(name: str, counts: tuple[int, int, int]) -> None:
    model = model_of(name)
    for result in (interpreted(model).result, native(model).result):
        assert result.verdict is Verdict.SUCCESS and (result.distinct, result.total, result.depth) == counts


def test_what_is_no_bag_has_no_fold(tmp_path: Path) -> None:
    """It has no value, in TLC, too."""
    config = (OWN / "FoldedBags.cfg").read_text(encoding="utf-8")
    (tmp_path / "More.cfg").write_text(config.replace("Copies = 2", "Copies = 3"), encoding="utf-8")
    model = load_model(OWN / "FoldedBags.tla", tmp_path / "More.cfg")
    expected, found = interpreted(model).result, native(model).result
    assert expected.verdict is Verdict.ERROR and outcome(found) == outcome(expected)


def test_operators_that_prime_by_way_of_others_that_they_pass(tmp_path: Path) -> None:
    """What the one passed captures, or passes on to another, reaches it as an expression: counts are TLC's."""
    model = model_of("PassedThrough")
    for result in (interpreted(model).result, native(model).result):
        assert (result.verdict, result.distinct, result.total, result.depth) == (Verdict.SUCCESS, 16, 49, 7)
    config = tmp_path / "Stays.cfg"
    config.write_text("INIT Init\nNEXT Next\nPROPERTY Stays\n")
    result = interpreted(load_model(OWN / "PassedThrough.tla", config)).result
    assert (result.verdict, result.distinct, result.total, result.depth) == (Verdict.LIVENESS, 5, 7, 4)


def test_enabled_as_an_operator(tmp_path: Path) -> None:
    config = tmp_path / "Ways.cfg"
    config.write_text("INIT Init\nNEXT Next\nPROPERTY Ways\n")
    result = interpreted(load_model(OWN / "PassedOperators.tla", config)).result
    assert (result.verdict, result.distinct) == (Verdict.SUCCESS, 20)


def test_operators_of_a_let_that_prime_their_parameters(tmp_path: Path) -> None:
    config = tmp_path / "Stays.cfg"
    config.write_text("INIT Init\nNEXT Next\nPROPERTY Stays\n")
    result = native(load_model(OWN / "LocalPrimes.tla", config)).result
    assert (result.verdict, result.distinct, result.depth) == (Verdict.LIVENESS, 2, 2)


def test_composed_steps_count_as_in_tlc(tmp_path: Path) -> None:
    """By TLC with -Dtlc2.tool.impl.Tool.cdot=true. States between A and B count, but none inside of A or B."""
    found = native(model_of("Composed")).result
    assert (found.distinct, found.total, found.depth) == (541, 7523, 11)
    model = composed(tmp_path, "NextStuck")
    for result in (native(model).result, interpreted(model).result):
        assert (result.distinct, result.total, result.depth, result.queue) == (73, 166, 4, 54)
    with pytest.raises(NotCompilable):
        # a search elsewhere would not learn how many states were between
        NativeModel(model, True, arguments=True).generate()
    model = composed(tmp_path, "Next", "INVARIANT Small")
    assert outcome(native(model).result) == outcome(interpreted(model).result)
    with pytest.raises(NotCompilable, match="leaves a variable open"):
        native(composed(tmp_path, "NextOpen"))


def composed(folder: Path, following: str, *more: str) -> Model:
    config = folder / f"{following}.cfg"
    config.write_text("\n".join(("CONSTANT Most = 4", "INIT Init", f"NEXT {following}", *more)))
    return load_model(OWN / "Composed.tla", config)


def test_two_phase_commit_counts_as_tlc_does() -> None:
    model = load_model(SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit7.cfg")
    compiled = NativeModel(model, False)
    compiled.compile()
    for workers in (1, 2, 3):
        result = NativeSearch(compiled, system_of(model), workers=workers).run()
        assert (result.verdict, result.distinct, result.total, result.depth) == (Verdict.SUCCESS, 296448, 2744706, 23)


@pytest.mark.parametrize(
    ("step", "construct", "column"),
    [
        ('TLCGet("level") > x /\\ x\' = 1', "TLCGet", 9),
        ("x' = IF \\E n \\in Nat : n > x THEN 1 ELSE 0", "Nat", 26),
        ("x' = CHOOSE n : n # x", "variable x: a value whose type is not known", 9),
        ("\\A n \\in 0..1 : x' = n", "\\A over what a step may do", 9),
    ],
)
def test_what_is_not_covered_is_refused_with_its_place(tmp_path: Path, step: str, construct: str, column: int) -> None:
    text = f"---- MODULE M ----\nEXTENDS Naturals, TLC\nVARIABLE x\nInit == x = 0\nNext == {step}\n====\n"
    (tmp_path / "M.tla").write_text(text)
    (tmp_path / "M.cfg").write_text("INIT Init\nNEXT Next\n")
    with pytest.raises(NotCompilable) as error:
        NativeModel(load_model(tmp_path / "M.tla", tmp_path / "M.cfg"), True).generate()
    assert construct in error.value.construct
    assert f"M.tla:5:{column}: " in str(error.value)


def test_what_a_loop_does_not_change_is_kept_while_it_runs() -> None:
    """Without that, MCInnerSerial of tlaplus/Examples looked for all total orders again for each value of opOrder'."""
    model = model_of("SteadyParts")
    compiled = NativeModel(model, model.check_deadlock)
    compiled.generate()
    source = compiled.program.source
    found = [name for name in re.findall(r"int (kept\d+_)n = 0", source) if f"{name}a[{name}n++]" in source]
    values = [name for name in re.findall(r"int (kept\d+_)has = 0", source) if f"if (!{name}has)" in source]
    assert len(found) >= 4 and len(values) >= 10


def test_a_bound_that_is_too_small_is_found_and_widened() -> None:
    model = load_model(OWN / "Wide.tla", OWN / "Wide.cfg")
    said: list[str] = []
    compiled = NativeModel(model, model.check_deadlock, said.append, FAST)
    compiled.compile()
    result = NativeSearch(compiled, system_of(model), workers=2).run()
    assert outcome(result) == outcome(interpreted(model).result)
    assert said and "starts over" in said[0]


def test_a_limit_of_states_is_no_success() -> None:
    model = load_model(SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit7.cfg")
    compiled = NativeModel(model, False, flags=FAST)
    compiled.compile()
    result = NativeSearch(compiled, system_of(model), workers=1, control=Control(max_states=5000)).run()
    assert result.verdict is Verdict.ERROR and not result.exhaustive and result.distinct >= 5000


def model_of(name: str) -> Model:
    return load_model(OWN / f"{name}.tla", OWN / f"{name}.cfg")


def test_a_failure_is_told_by_the_python_engine() -> None:
    model = model_of("Partial")
    found = native(model)
    expected = interpreted_failure(model)
    assert found.result.failure is not None
    assert str(found.result.failure.error) == str(expected.failure.error)
    assert (found.result.distinct, found.result.total) == (expected.distinct, expected.total)
    assert found.result.failure.behaviour == expected.failure.behaviour


def test_a_failure_that_did_not_matter_in_one_turn_of_a_loop_matters_in_the_next(tmp_path: Path) -> None:
    """`some` is computed in each turn and needed in the second; the subsets are looked for in the first."""
    (tmp_path / "M.tla").write_text(
        """---- MODULE M ----
EXTENDS Naturals, Sequences, FiniteSets
VARIABLE q
Init == q = <<0, 0>>
Next == q' = <<1, 1>>
Good == {S \\in SUBSET (1..2) : q[Cardinality(S)] >= 0}
Inv == q[1] = 1 =>
  \\A x \\in 0..1 : LET some == \\E S \\in Good : Cardinality(S) >= x IN x = 0 \\/ (some /\\ (some => x = 1))
====
"""
    )
    (tmp_path / "M.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n")
    model = load_model(tmp_path / "M.tla", tmp_path / "M.cfg")
    found, expected = native(model).result, interpreted_failure(model)
    assert found.failure is not None and str(found.failure.error) == str(expected.failure.error)


@pytest.mark.parametrize(
    "what", ["INVARIANT Part", "PROPERTY Always", "CONSTRAINT Part", "ACTION_CONSTRAINT Grows", "VIEW Seen"]
)
def test_a_failure_at_a_new_state_shows_that_state(tmp_path: Path, what: str) -> None:
    """As the Python engine does; so the exit status is TLC's, which asks whether it is an initial state."""
    (tmp_path / "M.tla").write_text(
        """---- MODULE M ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Step == x < 2 /\\ x' = x + 1
Next == Step
Part == 10 \\div (1 - x) > -77
Grows == 10 \\div (1 - x') > -77
Always == [][Grows]_x
Seen == <<x, 10 \\div (1 - x)>>
====
"""
    )
    (tmp_path / "M.cfg").write_text(f"INIT Init\nNEXT Next\n{what}\n")
    model = load_model(tmp_path / "M.tla", tmp_path / "M.cfg")
    found, expected = native(model).result, interpreted_failure(model)
    assert found.failure is not None
    assert [step.action for step in found.failure.behaviour] == [None, "Step"]
    assert found.failure.behaviour == expected.failure.behaviour
    assert (found.failure.during, of_result(found)) == (expected.failure.during, of_result(expected))


def interpreted_failure(model: Model):  # type: ignore[no-untyped-def]
    from rmqproof.model.search.breadth_first import BreadthFirst

    return BreadthFirst(system_of(model), workers=1).run()
