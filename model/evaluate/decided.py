"""Constants of a configuration that have to be TRUE, or there is nothing to check: see `model.tla.decided`."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import TRUE
from rmqproof.model.tla.asking import tells
from rmqproof.model.tla.core import Decided, Definition, Model
from rmqproof.model.tla.decided import is_decided
from rmqproof.model.tla.source import TlaError


def check_decided(system: PythonSystem) -> None:
    """Raise `TlaError` of kind `config` for the first that is not TRUE; one without a value is left to the search."""
    for decided in system.model.decided:
        try:
            value = system.constant(decided.expression)
        except TlaError:
            continue
        if value is not TRUE:
            raise _refused(decided, shorten(value))


def without_told(model: Model) -> Model:
    """The model without invariants and constraints that only tell the search something, as `TLCSet("exit", TRUE)`.

    They are constants: TLC evaluates them once, before there is a search, and never again.
    """

    def kept(definitions: tuple[Definition, ...]) -> tuple[Definition, ...]:
        return tuple(d for d in definitions if not (is_decided(d) and tells(d.body)))

    invariants, constraints = kept(model.invariants), kept(model.constraints)
    return replace(
        model, invariants=invariants, constraints=constraints, action_constraints=kept(model.action_constraints)
    )


def _refused(decided: Decided, value: str) -> TlaError:
    if decided.whole:
        what, remedy = f"the {decided.where} {decided.name} is a constant, {value}", "Name a formula about states."
    else:
        what = f"the {decided.where} is trivially false"
        if decided.name != "FALSE":
            what += f", because {decided.name} is FALSE"
        if value != "FALSE":
            what = f"{decided.name}, a conjunct of the {decided.where}, is a constant, {value}"
        remedy = "Change it, or the constants that it depends on; or leave this conjunct out."
    return TlaError(what, decided.expression.at, remedy, "config")
