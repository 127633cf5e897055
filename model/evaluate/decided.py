"""Constants of a configuration that have to be TRUE, evaluated before anything is checked: see `model.tla.decided`."""

from __future__ import annotations

from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.system import InterpretedSystem
from rmqproof.model.evaluate.values import TRUE
from rmqproof.model.tla.core import Decided
from rmqproof.model.tla.source import TlaError


def check_decided(system: InterpretedSystem) -> None:
    """Raise `TlaError` of kind `config` for the first that is not TRUE; one without a value is left to the search."""
    for decided in system.model.decided:
        try:
            value = system.constant(decided.expression)
        except TlaError:
            continue
        if value is not TRUE:
            raise _refused(decided, shorten(value))


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
