"""What following a formula can do: give a variable a value, or find several ways through it.

A formula that can do neither is a mere test, and need not be followed. The answers for the body of a definition are
found once, and say on which of its parameters they depend.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rmqproof.model.tla import core

from .form import (
    Apply,
    Arms,
    Assignment,
    Changing,
    Choice,
    Composition,
    Conjunction,
    Disjunction,
    Enter,
    EnterParameter,
    ForEach,
    Inside,
    Keep,
    Local,
    Parameter,
    form_of,
)
from .names import NOTHING_PASSED, Scope, variable_of

_NONE: frozenset[core.Binding] = frozenset()


@dataclass(frozen=True, slots=True)
class Reach:
    """`gives`: a variable may get its value; `several`: there may be several ways. `gives_by`, `several_by`: the same
    where one of these parameters stands for an expression that does, or (`gives_by`) for a variable."""

    gives: bool = False
    several: bool = False
    gives_by: frozenset[core.Binding] = _NONE
    several_by: frozenset[core.Binding] = _NONE

    def __or__(self, other: Reach) -> Reach:
        return Reach(
            self.gives or other.gives,
            self.several or other.several,
            self.gives_by | other.gives_by,
            self.several_by | other.several_by,
        )


_TEST = Reach()


@dataclass(slots=True, eq=False)
class Following:
    """The answers for the formulas of Next, or of Init (`initial`)."""

    initial: bool
    _known: dict[int, tuple[core.Expression, Reach]] = field(default_factory=dict)
    _pending: set[core.Definition | core.FunctionConstructor] = field(default_factory=set)
    _cut: set[core.Definition | core.FunctionConstructor] = field(default_factory=set)
    """What calls itself, is looked into now and was taken for a test meanwhile: nothing is kept until that is done."""

    def gives_value(self, node: core.Expression, scope: Scope = NOTHING_PASSED) -> bool:
        """Whether a variable may get its value in the formula."""
        reach = self.reach(node)
        return reach.gives or any(self._parameter_gives(name, scope) for name in reach.gives_by)

    def several_ways(self, node: core.Expression, scope: Scope = NOTHING_PASSED) -> bool:
        """Whether there may be more than one way to make the formula true, as TLC tries it."""
        reach = self.reach(node)
        if reach.several:
            return True
        passed = (scope.passed(name) for name in reach.several_by)
        return any(self.several_ways(*found) for found in passed if found is not None)

    def branches(self, node: core.Expression, scope: Scope = NOTHING_PASSED) -> bool:
        """Whether following the formula can do anything that a test does not."""
        return self.gives_value(node, scope) or self.several_ways(node, scope)

    def _parameter_gives(self, name: core.Binding, scope: Scope) -> bool:
        found = scope.passed(name)
        return found is not None and (
            variable_of(*found, primed=not self.initial) is not None or self.gives_value(*found)
        )

    def reach(self, node: core.Expression) -> Reach:
        known = self._known.get(id(node))
        if known is not None:
            return known[1]
        reach = self._reach(node)
        if not self._cut:
            self._known[id(node)] = (node, reach)
        return reach

    def _reach(self, node: core.Expression) -> Reach:
        match form_of(node, self.initial):
            case Keep() | Composition():
                return Reach(gives=True)
            case EnterParameter():
                return Reach(gives=True, several=True)  # what is passed here is not seen
            case Assignment(target=target):
                return self._target(target)
            case Conjunction(parts=parts):
                return self._any(parts)
            case Disjunction(parts=parts):
                return replace(self._any(parts), several=True)
            case Arms(arms=arms, otherwise=otherwise):
                return self._any([body for _, body in arms] + ([] if otherwise is None else [otherwise]))
            case Choice(quantified=quantified):
                return replace(self.reach(quantified.body), several=True)
            case ForEach(quantified=quantified):
                return self.reach(quantified.body)
            case Local(let=let):
                return self.reach(let.body)
            case Inside(body=body):
                return self.reach(body)
            case Changing(step=step):
                return self.reach(step.action)
            case Parameter(reference=reference):
                return Reach(gives_by=frozenset({reference.binding}), several_by=frozenset({reference.binding}))
            case Enter(call=call):
                return self._call(call)
            case Apply(application=application):
                return self._application(application.function)
        return _TEST

    def _any(self, parts: Iterable[core.Expression]) -> Reach:
        reach = _TEST
        for part in parts:
            reach |= self.reach(part)
        return reach

    def _target(self, node: core.Expression) -> Reach:
        """What `node = …` can do."""
        if variable_of(node, NOTHING_PASSED, primed=not self.initial) is not None:
            return Reach(gives=True)
        while True:
            match node:
                case core.Reference():
                    return Reach(gives_by=frozenset({node.binding}))
                case core.Builtin(operator="'") if not self.initial:
                    node = node.arguments[0]
                case core.Let() | core.Label():
                    node = node.body
                case core.Call() if not node.arguments and not node.definition.recursive:
                    node = node.definition.body
                case _:
                    return _TEST

    def _call(self, call: core.Call) -> Reach:
        definition = call.definition
        return self._with(self._inside(definition, definition.body), definition.parameters, call.arguments)

    def _with(self, reach: Reach, parameters: Sequence[core.Binding], arguments: Sequence[core.Expression]) -> Reach:
        """What a body can do, with arguments in the place of its parameters."""
        found = replace(reach, gives_by=reach.gives_by.difference(parameters),
                        several_by=reach.several_by.difference(parameters))  # fmt: skip
        for parameter, argument in zip(parameters, arguments, strict=True):
            if parameter.arity:
                continue
            if parameter in reach.gives_by:
                given = self.reach(argument) | self._target(argument)
                found |= Reach(gives=given.gives, gives_by=given.gives_by)
            if parameter in reach.several_by:
                given = self.reach(argument)
                found |= Reach(several=given.several, several_by=given.several_by)
        return found

    def _application(self, function: core.Expression) -> Reach:
        """What `function[…]` can do."""
        match function:
            case core.FunctionConstructor():
                return self._inside(function, function.body)
            case core.Let() | core.Label():
                return self._application(function.body)
            case core.FunctionApplication():
                return self._application_of_value(function.function)
            case core.Reference():
                return Reach(gives_by=frozenset({function.binding}), several_by=frozenset({function.binding}))
            case core.Call(definition=definition) if definition not in self._pending:
                self._pending.add(definition)
                try:
                    reach = self._application(definition.body)
                finally:
                    self._pending.discard(definition)
                    self._cut.discard(definition)
                return self._with(reach, definition.parameters, function.arguments)
        return _TEST

    def _application_of_value(self, function: core.Expression) -> Reach:
        """What `function[…][…]` can do."""
        match function:
            case core.FunctionConstructor():
                return self._application(function.body)
            case core.Let() | core.Label():
                return self._application_of_value(function.body)
            case core.Call(definition=definition) if not definition.recursive:
                return self._with(
                    self._application_of_value(definition.body), definition.parameters, function.arguments
                )
        return _TEST

    def _inside(self, owner: core.Definition | core.FunctionConstructor, body: core.Expression) -> Reach:
        """The body of what may call itself."""
        if owner in self._pending:
            self._cut.add(owner)
            return _TEST
        self._pending.add(owner)
        try:
            return self.reach(body)
        finally:
            self._pending.discard(owner)
            self._cut.discard(owner)
