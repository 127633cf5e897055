"""The steps of one action with given arguments, without evaluating all the others.

A run names the action and mostly its arguments, and a model of a long run has many: every message could be
acknowledged, every offset could be where a tail is lost. So the next-state action is written anew with a further
variable that says which action is asked for, and for each of its arguments the set of values to try:

    \\/ asked[1] = "Acknowledge" /\\ \\E a \\in asked[2], b \\in asked[3] : Acknowledge(a, b) /\\ UNCHANGED asked
    \\/ ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rmqproof.model.evaluate.fingerprint import forget
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import (
    ACTION,
    Binder,
    Binding,
    Builtin,
    Call,
    Definition,
    Expression,
    FunctionApplication,
    Literal,
    Quantified,
    Reference,
    SetEnumeration,
    TupleExpression,
    Variable,
    VariableReference,
)


class ActionSteps:
    """Steps of the actions in `names`, which are definitions with parameters that are values."""

    def __init__(self, system: PythonSystem, names: Sequence[str]) -> None:
        model = system.model
        specification = model.specification
        assert model.next is not None
        at = model.next.at
        asked = Variable("asked", at, len(specification.variables))
        known = specification.definitions
        self.names = frozenset(name for name in names if name in known and _plain(known[name]))
        branches = tuple(_branch(known[name], asked) for name in sorted(self.names))
        following = Definition("RunNext", specification.name, at, (), Builtin(at, "\\/", branches), level=ACTION)
        # its shape has to be "anything": it is given values that no step of the model gives it
        reference = VariableReference(at, asked)
        anything = SetEnumeration(at, (Literal(at, 1), Literal(at, ""), TupleExpression(at, ())))
        initial = tuple(
            part for part in (model.initial, Builtin(at, "\\in", (reference, anything))) if part is not None
        )
        self._following = Call(at, following)
        self._test: Callable[[State, State], bool] | None = None
        wider = replace(
            specification,
            variables=(*specification.variables, asked),
            definitions={**known, following.name: following},
        )
        self._system = system_of(
            replace(
                model,
                specification=wider,
                initial=Builtin(at, "/\\", initial),
                next=self._following,
                invariants=(),
                properties=(),
                constraints=(),
                action_constraints=(),
                postconditions=(),
                alias=None,
            )
        )

    def steps(
        self, state: State, name: str, arguments: tuple[frozenset[Value], ...]
    ) -> list[tuple[tuple[Value, ...], State]]:
        """The steps of an action with arguments from these sets: the arguments, and the state after it."""
        asked = (*state[:-1], (name, *arguments), state[-1])
        actions = self._system.actions
        found = []
        for number, values, target in self._system.successors(asked):
            if actions[number] == name:
                found.append((values, (*target[:-2], target[-1])))
        return found

    def holds(self, before: State, name: str, arguments: Sequence[Value], after: State) -> bool:
        """Whether an action with these arguments is true of two states: not found from the first, but asked."""
        if self._test is None:
            self._test = self._system.step_condition(self._following)
        asked = (name, *(frozenset((argument,)) for argument in arguments))
        return bool(self._test((*before[:-1], asked, 0), (*after[:-1], asked, 0)))

    def forget(self) -> None:
        """Free what is remembered of values that were met."""
        forget(self._system.tables)


def _plain(definition: Definition) -> bool:
    return all(not parameter.arity for parameter in definition.parameters)


def _branch(definition: Definition, asked: Variable) -> Expression:
    at = definition.at
    reference = VariableReference(at, asked)
    chosen = Builtin(at, "=", (FunctionApplication(at, reference, Literal(at, 1)), Literal(at, definition.name)))
    bindings = [Binding(parameter.name, at) for parameter in definition.parameters]
    call: Expression = Call(at, definition, tuple(Reference(at, binding) for binding in bindings))
    step: Expression = Builtin(at, "/\\", (call, Builtin(at, "UNCHANGED", (reference,))))
    if bindings:
        binders = tuple(
            Binder((binding,), False, FunctionApplication(at, reference, Literal(at, position)))
            for position, binding in enumerate(bindings, 2)
        )
        step = Quantified(at, "\\E", binders, step)
    return Builtin(at, "/\\", (chosen, step))
