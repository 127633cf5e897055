"""What TLC computes before it searches (`SpecProcessor.processConstants`): it is a value then, and is not followed."""

from __future__ import annotations

from rmqproof.model.actions.listed_sets import is_listed, opened
from rmqproof.model.tla import core


def known_before(call: core.Call) -> bool:
    """Whether what is called is a constant without parameters, which is no LET's."""
    definition = call.definition
    return not call.arguments and definition.level == core.CONSTANT and not definition.local


def is_table(call: core.Call) -> bool:
    """Whether a function that is known before is known by its values, and not by its rule: TLC keeps the rule of one
    that is recursive, or of which a domain is no list of elements (`FcnLambdaValue`, `Reducible`)."""
    function = opened(call)
    if not isinstance(function, core.FunctionConstructor):
        return True
    domains = [binder.domain for binder in function.binders if binder.domain is not None]
    return function.recursion is None and all(map(is_listed, domains))
