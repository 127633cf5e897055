"""An engine that is wrong is found out: its results are replayed, looked at again, and compared."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.cli.models import ModelFiles
from rmqproof.model.cli.summary import print_outcome
from rmqproof.model.evaluate import maps
from rmqproof.model.evaluate.binders import Loop, loop_clauses
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.shape import Shape, fun_on
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.values import domain_of
from rmqproof.model.judge.judge import Judge
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.outcome import Outcome as NativeOutcome
from rmqproof.model.search.result import FindingKind, PropertyKind, Step, Verdict, Violation
from rmqproof.model.search.sample import MOST, Sample, sampled
from rmqproof.model.search.system import Transition
from rmqproof.model.tla import core
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import TlaError
from tests.evaluate.test_pairings import MODELS, written
from tests.native.differential import FAST

TESTS = Path(__file__).parents[1]
PROJECT = "This is an error of rmqproof"
SYSTEM_ERROR = 153

COUNTER = (
    "VARIABLES x, y\nvars == <<x, y>>\nInit == x = 0 /\\ y = 0\nUp == x < 40 /\\ x' = x + 1 /\\ UNCHANGED y\n"
    "Side == y < 2 /\\ y' = y + 1 /\\ UNCHANGED x\nNext == Up \\/ Side\nSmall == x < 100\n"
    "Spec == Init /\\ [][Next]_vars\n"
    "Fair == Spec /\\ WF_vars(Up)\nEnd == <>(x = 40)\nSides == <>(y = 2)\nGrows == [][x' >= x]_vars"
)


def checked(folder: Path, body: str, config: str, engine: str = "python") -> Outcome:
    files = ModelFiles(*written(folder, body, config))
    options = Options(engine=engine, workers=1)
    return check(files, options)


def printed(outcome: Outcome) -> str:
    text = io.StringIO()
    print_outcome(outcome, Console(file=text, width=500))
    return text.getvalue()


def by_reading_order(g: Generator, node: core.FunctionConstructor, items: Any, element: Shape, env: Env) -> Code:
    """The defect: keys in the order of their names, values in that in which the names were met."""
    inner, clauses = loop_clauses(g, node.binders, env, Loop.ANY_ORDER)
    body = g.plain(node.body, inner)
    domain = domain_of(items)
    shape = fun_on(domain, (body.shape,) * len(items))
    return Code(f"Function(({g.constant(domain)}, *[{body.text} {clauses[0]}]))", shape)


@pytest.fixture
def wrong_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "on_constant_domain", by_reading_order)


@pytest.mark.usefixtures("wrong_pairing")
@pytest.mark.parametrize("name", ["lock", "strings", "ten model values", "a large set", "sets of functions"])
def test_a_wrong_python_engine_gives_no_verdict(name: str, tmp_path: Path) -> None:
    body, config, verdict, _ = MODELS[name]
    outcome = checked(tmp_path, body, config)
    assert outcome.result.verdict is Verdict.ERROR is not verdict
    assert (outcome.status, outcome.behaviour) == (SYSTEM_ERROR, None)
    assert PROJECT in outcome.result.message
    assert PROJECT in printed(outcome)
    assert outcome.json()["reference"]["refuted"]


@pytest.mark.usefixtures("wrong_pairing")
def test_a_right_native_engine_is_not_overruled_by_a_wrong_python_engine(tmp_path: Path) -> None:
    body, config, verdict, distinct = MODELS["lock"]
    outcome = checked(tmp_path, body, config, "native")
    assert (outcome.result.verdict, outcome.result.distinct, outcome.status) == (verdict, distinct, 12)
    assert [step.action for step in outcome.result.behaviour] == [None, "Enter"]
    assert outcome.result.judged.replayed
    (finding,) = (f for f in outcome.result.findings if f.kind is FindingKind.ENGINES_DIFFER)
    assert finding.subject == "Python engine"
    assert "the Python engine is wrong" in finding.sentence
    assert PROJECT in finding.sentence
    assert "lock = a" in finding.sentence or "lock = b" in finding.sentence


def test_a_wrong_native_engine_gives_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = NativeOutcome._event_state

    def nowhere(self: NativeOutcome) -> Any:
        x, y, _ = real(self)
        return self.system.state((x + 1, y))

    monkeypatch.setattr(NativeOutcome, "_event_state", nowhere)
    config = "INVARIANT Low\n"
    outcome = checked(tmp_path, COUNTER + "\nLow == x < 5", config, "native")
    assert (outcome.result.verdict, outcome.result.engine, outcome.status) == (Verdict.SAFETY, "python", 12)
    assert outcome.result.depth == 6
    (finding,) = (f for f in outcome.result.findings if f.kind is FindingKind.ENGINES_DIFFER)
    assert finding.subject == "native engine"


def test_a_counterexample_that_is_none_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = PythonSystem._state_property

    def late(self: PythonSystem, *arguments: Any) -> Any:
        return replace(real(self, *arguments), holds=lambda state: state[0] < 5)

    monkeypatch.setattr(PythonSystem, "_state_property", late)
    outcome = checked(tmp_path, COUNTER, "INVARIANT Small\n")
    assert (outcome.status, outcome.behaviour) == (SYSTEM_ERROR, None)
    assert "Small is not violated" in outcome.result.message


def test_an_error_that_is_none_is_one_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = PythonSystem._state_property

    def failing(state: Any) -> bool:
        if state[0] == 5:
            raise TlaError("no value", kind="evaluation")
        return True

    monkeypatch.setattr(
        PythonSystem, "_state_property", lambda self, *given: replace(real(self, *given), holds=failing)
    )
    outcome = checked(tmp_path, COUNTER, "INVARIANT Small\n")
    assert (outcome.result.verdict, outcome.status) == (Verdict.ERROR, SYSTEM_ERROR)
    assert "finds a value for all that is evaluated there. no value" in outcome.result.message
    assert PROJECT in outcome.result.message


@pytest.mark.parametrize("engine", ["python", "native"])
def test_an_error_that_is_one_stays(engine: str, tmp_path: Path) -> None:
    outcome = checked(tmp_path, COUNTER + "\nOdd == x < 5 \\/ <<>>[x] = 1", "INVARIANT Odd\n", engine)
    assert (outcome.result.verdict, outcome.status) == (Verdict.ERROR, 76)
    assert not outcome.result.judged.refuted and PROJECT not in outcome.result.message


@pytest.mark.parametrize(
    ("assumed", "judged"),
    [
        (r'PrintT(<<"x", {1} \cup {"a"}>>)', ""),
        (r'PrintT(<<"x", Len(<<{7, "b"}>>)>>)', "need not compare these values"),
    ],
)
def test_a_set_of_two_kinds_in_an_assumption_is_an_error_of_the_specification(
    assumed: str, judged: str, tmp_path: Path
) -> None:
    """It was said to be one of the project's where the reference evaluator does not put such a set in order."""
    body = f"""EXTENDS Sequences, TLC
ASSUME {assumed}
VARIABLE x
Init == x = 0
Next == x' = x"""
    outcome = checked(tmp_path, body, "", "python")
    assert outcome.result.verdict is Verdict.ASSUMPTION, outcome.result.message
    assert "TLA+ does not say whether they are equal" in outcome.result.message
    assert judged in outcome.result.judged.left_out and not outcome.result.judged.refuted


@pytest.mark.parametrize("engine", ["python", "native"])
def test_an_argument_that_nothing_asks_for_need_not_have_a_value(engine: str, tmp_path: Path) -> None:
    """The counterexample goes through an action with such an argument, and was called wrong for it."""
    body = """VARIABLE x
First(a, b) == IF x = 0 THEN a ELSE b
Init == x = 0
Next == First(x' = 1, 2 /\\ x' = 0)
Stays == [][FALSE]_x"""
    outcome = checked(tmp_path, body, "PROPERTY Stays\n", engine)
    assert outcome.result.verdict is Verdict.LIVENESS, outcome.result.message


def test_what_the_reference_evaluator_does_not_cover_is_not_called_wrong(tmp_path: Path) -> None:
    """A function on Int as a value of a function, as in one of TLC's own tests: it was said to have no value."""
    body = """EXTENDS Integers
VARIABLE x
f[i \\in Int] == i + 2
Init == x = 12
Next == [f EXCEPT ![3] = [i \\in Int |-> @ + i]][3][7] = 12 /\\ x' = x"""
    outcome = checked(tmp_path, body, "", "python")
    assert outcome.result.verdict is Verdict.SUCCESS, outcome.result.message
    assert "does not cover a function on an infinite set" in str(outcome.result.judged)


def fewer(self: PythonSystem, state: Any) -> Iterator[Transition]:
    """The steps, without those to some states deep inside."""
    return (t for t in self._found(lambda code, out: code.next(state, out), "next", state) if t.state[0] < 20)


def test_an_order_of_typed_model_values_is_not_asked_for_twice(tmp_path: Path) -> None:
    """An engine puts {A_p, 1} in order, where the reference evaluator, as TLC, need not: the error stays an error."""
    body = "CONSTANT p\nVARIABLE x\nInit == x = 0\nNext == 1 \\in {p, 2, 1} /\\ x' = 1 - x"
    outcome = checked(tmp_path, body, "CONSTANT p = A_p\n")
    assert outcome.result.verdict is Verdict.ERROR
    assert "A_p is compared with" in outcome.result.message and PROJECT not in outcome.result.message


def test_states_that_were_not_met_are_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PythonSystem, "successors", fewer)
    outcome = checked(tmp_path, COUNTER, "INVARIANT Small\n")
    assert outcome.status == SYSTEM_ERROR
    assert "has not met" in outcome.result.message


def test_a_success_says_how_much_of_it_was_looked_at_again(tmp_path: Path) -> None:
    for engine in ("python", "native"):
        outcome = checked(tmp_path, COUNTER, "INVARIANT Small\nPROPERTY Grows\n", engine)
        assert (outcome.status, outcome.result.distinct, outcome.result.judged.examined) == (0, 123, MOST)
        assert f"{MOST} states and their" in printed(outcome)
        assert outcome.json()["reference"] == {
            "replayed": False,
            "states": MOST,
            "steps": outcome.result.judged.steps,
            "leftOut": None,
            "refuted": None,
        }


@pytest.mark.parametrize("memory", [None, 2 << 20])
def test_the_native_engine_is_asked_what_it_has_met(memory: int | None) -> None:
    model = load_model(TESTS / "specs" / "TwoPhaseCommit.tla", TESTS / "specs" / "TwoPhaseCommit7.cfg")
    system = system_of(model)
    native = NativeModel(model, model.check_deadlock, flags=FAST)
    native.compile()
    judge = Judge(model, system)
    result = NativeSearch(native, system, workers=2, memory=memory, judge=judge).run()
    assert result.verdict is Verdict.SUCCESS
    assert result.judged.examined > 5
    assert not result.judged.refuted


def test_the_native_engine_is_found_to_miss_states(tmp_path: Path) -> None:
    cut = load_model(*written(tmp_path, COUNTER + "\nFew == x < 7", "CONSTRAINT Few\nINVARIANT Small\n"))
    system = system_of(cut)
    native = NativeModel(cut, False, flags=FAST)
    native.compile()
    whole = Judge(replace(cut, constraints=()), system)
    result = NativeSearch(native, system, workers=1, judge=whole).run()
    assert "has not met the state [x = 7" in result.judged.refuted


# --- behaviours ---------------------------------------------------------------------------------------------


def behaviour(system: PythonSystem, *steps: tuple[str | None, int, int]) -> tuple[Step, ...]:
    return tuple(Step(action, (), system.state((x, y))) for action, x, y in steps)


def replayed(folder: Path, config: str, kind: PropertyKind, name: str, steps: Sequence[Any], loop: int | None) -> str:
    model = load_model(*written(folder, COUNTER, config))
    system = system_of(model)
    violation = Violation(kind, name, "", behaviour(system, *steps), loop)
    judged = Judge(model, system).replay([violation])
    assert judged.replayed != bool(judged.refuted)
    return judged.refuted


def liveness(folder: Path, spec: str, name: str, steps: Sequence[Any], loop: int) -> str:
    module, config = written(folder, COUNTER, "")
    config.write_text(f"SPECIFICATION {spec}\nPROPERTY {name}\nCHECK_DEADLOCK FALSE\n")
    model = load_model(module, config)
    system = system_of(model)
    violation = Violation(PropertyKind.LIVENESS, name, "", behaviour(system, *steps), loop)
    judged = Judge(model, system).replay([violation])
    assert judged.replayed != bool(judged.refuted)
    return judged.refuted


def test_a_lasso_is_replayed(tmp_path: Path) -> None:
    to_the_end = [(None, 0, 0), *(("Up", x, 0) for x in range(1, 41))]
    assert not liveness(tmp_path, "Spec", "End", [(None, 0, 0), ("Side", 0, 1), (None, 0, 1)], 1)
    assert not liveness(tmp_path, "Fair", "Sides", to_the_end, 40)
    assert "fairness" in liveness(tmp_path, "Fair", "End", [(None, 0, 0), ("Side", 0, 1)], 1)
    assert "is not violated" in liveness(tmp_path, "Fair", "End", to_the_end, 40)
    assert "no step" in liveness(tmp_path, "Fair", "Sides", to_the_end, 0)


def test_fairness_of_an_instance_is_left_out(tmp_path: Path) -> None:
    """ENABLED in an instance speaks of the variables of the instance, which here are no variables outside."""
    module, config = written(tmp_path, COUNTER + "\nI == INSTANCE Inner WITH z <- x + y\nRefined == I!Spec", "")
    (tmp_path / "Inner.tla").write_text(
        "---- MODULE Inner ----\nEXTENDS Integers\nVARIABLE z\n"
        "Spec == z = 0 /\\ [][z' = z + 1]_z /\\ WF_z(z < 99 /\\ z' = z + 1)\n====\n"
    )
    config.write_text("SPECIFICATION Fair\nPROPERTY Refined\nCHECK_DEADLOCK FALSE\n")
    files = ModelFiles(module, config)
    outcome = check(files, Options(engine="python"))
    assert (outcome.result.verdict, outcome.status) == (Verdict.LIVENESS, 13)
    assert "WF in an instance" in outcome.result.judged.left_out


@pytest.mark.parametrize("engine", ["python", "native"])
def test_steps_of_an_instance_have_no_name_of_their_own(engine: str, tmp_path: Path) -> None:
    """All of the behaviour is one of the instance's: the engines name its steps by no definition of that."""
    (tmp_path / "Inner.tla").write_text(
        "---- MODULE Inner ----\nEXTENDS Integers\nCONSTANT P\nVARIABLE x\n"
        "Do(p) == x < 3 /\\ p > x /\\ x' = x + 1\nNext == \\E p \\in P : Do(p)\nSpec == x = 0 /\\ [][Next]_x\n====\n"
    )
    spec, config = tmp_path / "Outer.tla", tmp_path / "Outer.cfg"
    spec.write_text("---- MODULE Outer ----\nP == {3}\nVARIABLE x\nI == INSTANCE Inner\nSpec == I!Spec\n====\n")
    config.write_text("SPECIFICATION Spec\n")
    outcome = check(ModelFiles(spec, config), Options(engine=engine))
    assert outcome.result.verdict is Verdict.DEADLOCK, outcome.result.message
    assert [step.action for step in outcome.result.violations[0].behaviour] == [None, "Next", "Next", "Next"]


def test_what_is_no_behaviour_is_refuted(tmp_path: Path) -> None:
    def refuted(*steps: Any, kind: PropertyKind = PropertyKind.INVARIANT, name: str = "Small") -> str:
        return replayed(tmp_path, "INVARIANT Small\n", kind, name, steps, None)

    assert "initial predicate" in refuted((None, 1, 0))
    assert "no step" in refuted((None, 0, 0), ("Up", 2, 0))
    assert "not one of Side" in refuted((None, 0, 0), ("Side", 1, 0))
    assert "Small is not violated" in refuted((None, 0, 0), ("Up", 1, 0))
    assert "deadlock is not violated" in refuted((None, 0, 0), kind=PropertyKind.DEADLOCK, name="deadlock")


def test_a_sample_is_of_the_whole_search() -> None:
    sample = Sample()
    for state in range(100_000):
        sample.meet(state)
    drawn = sample.drawn()
    assert len(set(drawn)) == MOST
    assert min(drawn) < 10_000
    assert max(drawn) > 90_000
    assert drawn == sample.drawn()
    assert len(set(sampled(10**9))) == MOST
    assert sorted(sampled(7)) == list(range(7))
