"""Temporal formulas over a behaviour that was found: the reference evaluator's reading of them."""

from __future__ import annotations

from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.itf import from_itf
from rmqproof.model.evaluate.values import Boolean, boolean
from rmqproof.model.explore.language import Asked
from rmqproof.model.judge.values import reference_state
from rmqproof.model.reference.problems import EvaluationError, NotInReference
from rmqproof.model.reference.specification import Reference
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.tla.source import TlaError


def lasso_holds(asked: Asked, behaviour: Behaviour) -> Boolean:
    """The truth of a formula of the behaviour; one without a loop stays for ever in its last state.

    Raise `TlaError`.
    """
    model = asked.model
    names = frozenset(model.model_values)
    variables = [variable.name for variable in model.specification.variables]
    states = [reference_state(from_itf(step.state[name], names) for name in variables) for step in behaviour.steps]
    loop = behaviour.loop if behaviour.loop is not None else len(states) - 1
    try:
        return boolean(deeply(Reference(model).lasso_holds, asked.node, states, loop))
    except EvaluationError as error:
        raise TlaError(str(error), asked.node.at, kind="evaluation") from None
    except NotInReference as error:
        raise TlaError(f"{error.construct} cannot be evaluated over a trace", error.at, kind="evaluation") from None
