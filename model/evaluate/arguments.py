"""What a parameter of an operator that is followed stands for: a value, or the expression that it is given."""

from __future__ import annotations

from enum import Enum, auto

from rmqproof.model.actions.names import variable_of
from rmqproof.model.evaluate.action_writer import ActionWriter
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.steps import Progress
from rmqproof.model.tla import core


class Passed(Enum):
    """`WAYS`: the expression, since it is a formula with several ways, each of which TLC takes; its value would be true
    of the same states."""

    VALUE = auto()
    EXPRESSION = auto()
    WAYS = auto()


def passed(
    writer: ActionWriter,
    definition: core.Definition,
    number: int,
    argument: core.Expression,
    env: Env,
    progress: Progress,
) -> Passed:
    """Of parameter `number`. It stands for an expression where its value is asked in another state, where the
    expression reads what gets a value later, and where it is a variable, or a formula, that gives one."""
    facts = writer.g.analysis.of(argument)
    early = facts.reads if writer.initial else facts.primed
    if not facts.constant and (
        number in writer.g.analysis.by_name_parameters(definition)
        or any(not progress.frame.assigned(index) for index in early)
        or (writer.initial and variable_of(argument, env, primed=False) is not None)
    ):
        return Passed.EXPRESSION
    if writer.effects.gives_value(argument, env):
        return Passed.EXPRESSION
    return Passed.WAYS if writer.effects.several_ways(argument, env) else Passed.VALUE
