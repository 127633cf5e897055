"""Mutants that are compiled with their specification come to what they come to in Python."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof import load
from rmqproof.model.audit import Audit, Budget, Trial
from rmqproof.model.audit.audit import audit, furthest
from rmqproof.model.audit.compiled import Compiled, Unsuited, compiled_model
from rmqproof.model.audit.mutation import mutants_of, mutated
from rmqproof.model.audit.searching import search_of
from rmqproof.model.audit.vacuity import Gap, Kind
from rmqproof.model.cli.audit_report import size_note
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.errors import NotCompilable
from rmqproof.model.native.native_model import NativeModel
from rmqproof.model.native.outcome import Outcome
from rmqproof.model.native.run import Status
from rmqproof.model.search.result import Finding, FindingKind
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached

SPECS = Path(__file__).parents[1] / "specs"
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial"
HERE = Path(__file__).parent / "specs"


def audited(config: Path, states: int, **limits: int) -> Audit:
    spec = next(s for s in (config.with_suffix(".tla"), TUTORIAL / "Lock.tla") if s.exists())
    return audit(load(spec, config).files, Budget(seconds=600, states=states, workers=1, **limits))


def differences(found: Audit) -> list[Gap]:
    return [gap for gap in found.gaps if gap.kind is Kind.ENGINES]


def told(trial: Trial) -> tuple[object, ...]:
    return trial.mutant.number, trial.mutant.sentence, trial.fate, trial.more_states, trial.fewer_states, trial.killers


@pytest.mark.parametrize("name", ["Vacuous.cfg", "Counting.cfg", "LockFair.cfg"])
def test_the_compiled_form_says_what_python_says(name: str) -> None:
    config = TUTORIAL / name if name.startswith("Lock") else HERE / name
    python, compiled = audited(config, 30_000), audited(config, 1)
    assert compiled.compiled and not python.compiled
    assert compiled.states == python.states and set(compiled.properties) == set(python.properties)
    assert sorted(map(told, compiled.trials), key=str) == sorted(map(told, python.trials), key=str)


def test_survivors_have_a_state_and_a_way_to_it() -> None:
    compiled = audited(HERE / "Vacuous.cfg", 1)
    worst = compiled.survivors[0]
    assert worst.more_states and "x = 4" in worst.witness
    assert worst.path == ("Up", "Up", "Up", "Up")
    assert [gap.subject for gap in compiled.gaps if gap.kind is Kind.SYMMETRY] == ["Who"]


def begun(name: str) -> Compiled:
    model = load(HERE / f"{name}.tla", HERE / f"{name}.cfg").files.load()
    found = compiled_model(model, system_of(model), mutants_of(model), lambda: False, Budget().largest, furthest, 1)
    assert found is not None
    return found


def test_what_leaves_the_layout_is_compiled_again() -> None:
    with closing(begun("Counting")) as found:
        (higher,) = (m for m in found.mutants if m.sentence.startswith("<= for < in `x < 5`"))
        trial = found.tried(higher)
        assert trial is not None and trial.killers == ("TypeOK",) and found.growths


@pytest.mark.parametrize("placed", [True, False])
def test_mutants_without_a_compiled_form_are_left_out(placed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the place that is named, or wherever they make a value another."""
    generate = NativeModel.generate

    def refusing(native: NativeModel) -> None:
        assert native.model.next is not None
        wrong = [n for n in reached(native.model.next) if isinstance(n, core.Builtin) and n.operator == "is chosen"]
        for node in wrong:
            if isinstance(node.arguments[0], core.Literal) and node.arguments[0].value in (3, 11):
                raise NotCompilable(node.at if placed else None, "a test")
        generate(native)

    monkeypatch.setattr(NativeModel, "generate", refusing)
    with closing(begun("Vacuous")) as found:
        numbers = {mutant.number for mutant in found.mutants}
        assert not numbers & {3, 11} and len(numbers) >= (17 if placed else 19)
        whole = audited(HERE / "Vacuous.cfg", 1)
        assert len(whole.trials) == 21, "those are searched by themselves"


def test_a_specification_without_end_is_said_to_be_too_large() -> None:
    found = audited(HERE / "Counting.cfg", 1, largest=5)
    assert not found.whole and not found.trials and size_note(found) == "and more: too many to try mutants"


def test_a_search_of_a_mutant_is_not_that_of_its_texts() -> None:
    """What was compiled is kept under a name that the texts give; a mutant has the specification's."""
    files = load(HERE / "Counting.tla", HERE / "Counting.cfg").files
    model = replace(files.load(), invariants=())
    (mutant,) = (m for m in mutants_of(model) if m.sentence.startswith("<= for < in `x < 5`"))
    base = search_of(model, files, engine="native")
    with mutated(model, mutant) as changed:
        other = search_of(changed, files, engine="native")
    assert base.engine == other.engine == "native" and other.distinct > base.distinct


def test_machine_code_that_sees_what_python_does_not_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python takes over, and the audit says that the engines differ."""
    spec = tmp_path / "Low.tla"
    body = "VARIABLE x\nInit == x = 0\nNext == x < 5 /\\ x' = x + 1\nLow == x < 3\nSpec == Init /\\ [][Next]_x\n"
    spec.write_text(f"---- MODULE Low ----\nEXTENDS Naturals\n{body}====\n")
    config = spec.with_suffix(".cfg")
    config.write_text("SPECIFICATION Spec\nINVARIANT Low\nCHECK_DEADLOCK FALSE\n")
    monkeypatch.setattr(Outcome, "_state", lambda self, words: self.system.state((7,)))
    found = audited(config, 1)
    assert not found.compiled and found.violated == ("Low",)
    (told,) = differences(found)
    assert "native engine is wrong" in told.sentence and told in found.vacuous


def test_a_mutant_that_only_machine_code_cannot_evaluate_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(begun("Counting")) as found:
        said: list[Finding] = []
        found.differ = said.extend
        monkeypatch.setattr(Compiled, "_search", lambda *_: Status.FAILURE)
        with pytest.raises(Unsuited):
            found.tried(found.mutants[0])
    assert [each.kind for each in said] == [FindingKind.ENGINES_DIFFER]
