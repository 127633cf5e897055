"""A mutant that is tried by the pieces it changes has the fate that it has when it is explored as a whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.audit import Trial
from rmqproof.model.audit.audit import asked_of
from rmqproof.model.audit.graph import Space, explored
from rmqproof.model.audit.lasting import Lasting
from rmqproof.model.audit.mutation import mutants_of
from rmqproof.model.audit.pieced import Pieced, divisible
from rmqproof.model.audit.pieces import pieces_of
from rmqproof.model.audit.scoring import Fate, Original, tried
from rmqproof.model.audit.searching import Deadline, liveness_of
from rmqproof.model.cli.models import find_models
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from tests.at_length import all_but, every

TESTS = Path(__file__).parents[1]
MODELS = (
    "specs/DieHard.cfg", "audit/specs/Vacuous.cfg", "audit/specs/Divided.cfg", "audit/specs/DividedAlike.cfg",
    "../docs/tutorial/LockFixed.cfg", "../docs/tutorial/LockFair.cfg",
    "native/specs/Constrained.cfg",
)  # fmt: skip
OVER = Deadline(float("inf"))


def opened(name: str) -> tuple[ModelFiles, core.Model, PythonSystem]:
    (files,) = find_models([TESTS / name], [], ())
    model = files.load()
    return files, model, system_of(model)


def original_of(model: core.Model, system: PythonSystem, pieced: Pieced | None) -> Original:
    asked = asked_of(model, system)
    space = explored(pieced or system, asked, 10_000, OVER)
    assert space.whole and not space.error
    names = tuple(name for name in asked if name not in space.violated)
    return Original(model, system, space, names, 2_000, OVER, 2_000, pieced)


def graph(space: Space) -> tuple[object, ...]:
    return set(space.states), space.initial, space.steps, set(space.violated), space.beyond, sorted(space.taken)


def alike(trial: Trial) -> Trial:
    """What is said of a mutant, but for which of several states or steps is shown, and the order of properties."""
    return replace(trial, killers=tuple(sorted(trial.killers)), witness=(), path=())


@pytest.mark.parametrize("name", every(2, all_but(MODELS, "audit/specs/DividedAlike.cfg")))
def test_pieces_say_what_the_whole_says(name: str) -> None:
    files, model, system = opened(name)
    assert divisible(model, system)
    pieced = Pieced(model, system)
    fast, slow = original_of(model, system, pieced), original_of(model, system_of(model), None)
    assert graph(fast.space) == graph(slow.space)
    assert system.actions == slow.system.actions, "no step has another name"
    if any(prop.liveness for prop in model.properties):
        lasting = Lasting(model, system, OVER)
        assert lasting.of(fast.space) == liveness_of(model, files, OVER) == ()
        fast.liveness = lambda mutant, _, changed, space: lasting.of_mutant(mutant, changed, space)
        slow.liveness = lambda _, changed, *rest: liveness_of(changed, files, OVER)
    mutants = mutants_of(model)
    quick, thorough = list(tried(fast, mutants)), list(tried(slow, mutants))
    for one, other in zip(quick, thorough, strict=True):
        if Fate.OPEN not in (one.fate, other.fate):
            assert alike(one) == alike(other), one.mutant.sentence
            assert len(one.path) == len(other.path)
        assert one.fate is other.fate, one.mutant.sentence
    assert {each.fate for each in quick} >= {Fate.KILLED, Fate.SURVIVED}


def test_a_choice_is_divided_and_a_definition_that_is_called_with_arguments() -> None:
    _, model, _ = opened("audit/specs/Divided.cfg")
    assert model.next is not None
    pieces = list(pieces_of(model.next))
    assert len(pieces) == 5
    assert len({piece.sign for piece in pieces}) == 5
    assert {piece.sign for piece in pieces} == {piece.sign for piece in pieces_of(model.next)}
