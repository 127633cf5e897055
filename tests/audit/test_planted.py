"""Vacuities that were planted are found, all of them, and nothing is said of what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.audit import Audit, Budget, Fate, Mutant, Trial
from rmqproof.model.audit.audit import audit_of
from rmqproof.model.audit.mutation import mutated
from rmqproof.model.audit.searching import search_of
from rmqproof.model.audit.vacuity import Kind
from rmqproof.model.cli.models import find_models
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from tools.planted import invented, missed
from tools.planting import planted

TESTS = Path(__file__).parents[1]
ENOUGH = Budget(seconds=600)


def opened(name: str) -> tuple[ModelFiles, core.Model]:
    (files,) = find_models([TESTS / name], [], ())
    return files, files.load()


def test_what_is_planted_is_found_and_nothing_else() -> None:
    files, model = opened("specs/DieHard.cfg")
    before = audit_of(model, files, ENOUGH)
    with planted(model) as garden:
        after = audit_of(garden.model, files, ENOUGH)
        counts = {trial.mutant: counts_of(garden.model, files, trial.mutant) for trial in same_graph(after)}
    assert len(garden.kinds) == 10 and not missed(after, garden)
    assert not invented(before, after, garden)
    # an engine of its own counts the same states without what is said to make no difference
    assert set(counts.values()) == {after.states}


@pytest.mark.parametrize("name", ["BrokenStep", "Constrained"])
def test_in_a_next_state_relation_without_a_name_and_under_constraints(name: str) -> None:
    files, model = opened(f"native/specs/{name}.cfg")
    before = audit_of(model, files, ENOUGH)
    with planted(model, 8) as garden:
        after = audit_of(garden.model, files, ENOUGH)
    assert not missed(after, garden) and not invented(before, after, garden)


def test_what_a_constraint_leaves_out_is_asked_of_as_check_asks() -> None:
    files, model = opened("native/specs/CutAndBroken.cfg")
    assert audit_of(model, files, Budget(mutants=0)).violated == ("Never",)


def same_graph(told: Audit) -> list[Trial]:
    return [trial for trial in told.trials if trial.fate is Fate.EQUIVALENT]


def counts_of(model: core.Model, files: ModelFiles, mutant: Mutant) -> int:
    with mutated(model, mutant) as changed:
        return search_of(changed, files, keep_going=True, engine="python").distinct


def test_a_model_without_anything_vacuous() -> None:
    files, model = opened("specs/TwoPhaseCommit.cfg")
    told = audit_of(model, files, Budget(seconds=600, mutants=6))
    assert [gap.kind for gap in told.gaps] == [Kind.SYMMETRY]


@pytest.mark.parametrize(
    ("kind", "subject", "words"),
    [
        (Kind.VARIABLE, "seen", "No guard and no property depends on seen"),
        (Kind.ACTION, "Never", "enabled in none of the 8 states"),
        (Kind.TRIVIAL, "Assumes", "what it assumes is never true"),
        (Kind.TRIVIAL, "Leads", "`x > 9` is never true"),
        (Kind.BOUND, "Most", "`x < Most` in Up there is more"),
        (Kind.CONJUNCT, "Down", "`x >= 0` in Down may be left out"),
        (Kind.UNFAIR, "Stays", "holds without any fairness"),
        (Kind.SYMMETRY, "Who", "The elements of Who may be exchanged"),
    ],
)
def test_each_kind(kind: Kind, subject: str, words: str, told: Audit) -> None:
    assert any(gap.kind is kind and gap.subject == subject and words in gap.sentence for gap in told.gaps), told.gaps


@pytest.fixture(scope="module")
def told() -> Audit:
    (files,) = find_models([Path(__file__).parent / "specs" / "Vacuous.cfg"], [], ())
    return audit_of(files.load(), files, ENOUGH)


def test_nothing_more_is_said(told: Audit) -> None:
    assert len(told.gaps) == 8


def test_survivors_have_a_state_that_only_they_reach(told: Audit) -> None:
    worst = told.survivors[0]
    assert worst.more_states and worst.witness and worst.path
    assert told.score is not None and 0 < told.score < 1
    assert sum(told.killed_by().values()) >= told.count(Fate.KILLED)


def test_definitions_are_as_before() -> None:
    files, model = opened("specs/DieHard.cfg")
    bodies = {name: each.body for name, each in model.specification.definitions.items()}
    audit_of(model, files, Budget(mutants=5))
    assert all(each.body is bodies[name] for name, each in model.specification.definitions.items())


def test_stronger_invariants(told: Audit) -> None:
    stronger = {each.sentence: each.holds for each in told.stronger}
    assert stronger["< for <= in `x <= 4`"] is True, "x is at most 3"
    assert stronger["< for <= in `0 <= x`"] is False
