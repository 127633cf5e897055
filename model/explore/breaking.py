"""A model that is violated where an expression is true: how every engine stops at the first such state or step."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.explore.language import ASKED, Asked, Language
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError

BREAK_POINT = "BreakPoint_"
_PROPERTIES = ("INVARIANTS", "PROPERTIES", "POSTCONDITIONS", "_POSSIBLE")


def breaking(files: ModelFiles, text: str) -> ModelFiles:
    """The model with one property: that the expression is true of no state, or of no step where it has primes.

    Raise `TlaError` for a mistake in the expression.
    """
    asked = Language(files).read(text)
    if asked.level == core.TEMPORAL:
        raise asked.placed(
            TlaError("this speaks of a whole behaviour", asked.node.at, "Describe a state, or a step with primes.")
        )
    variables = ", ".join(variable.name for variable in asked.model.specification.variables)
    step = asked.level == core.ACTION
    formula = f"[][~{ASKED}]_<<{variables}>>" if step else f"~{ASKED}"
    configuration = files.configuration()
    lists = configuration.lists if configuration is not None else {}
    names = [name.text for section in _PROPERTIES for name in lists.get(section, ())]
    wider = asked.files(files, f"{BREAK_POINT} == {formula}\n")
    return wider.overridden(f"CHECK_DEADLOCK FALSE\n{'PROPERTY' if step else 'INVARIANT'} {BREAK_POINT}\n", names)


def placed(files: ModelFiles, text: str, error: TlaError) -> TlaError:
    """An error of the search with its place in the expression."""
    asked: Asked = Language(files).read(text)
    return asked.placed(error)


def without_verdict(behaviour: Behaviour, files: ModelFiles) -> Behaviour:
    """The behaviour to the place, which violates nothing; it is one of the model as it was."""
    origin = replace(behaviour.origin, specification=str(files.spec), config=str(files.config or ""))
    return replace(behaviour, violated="", sentence="", origin=origin)
