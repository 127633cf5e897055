"""What following a formula can do: give a variable a value, or find several ways through it.

A formula that can do neither is a mere test, and need not be followed. The answers for the body of a definition are
found once, and say on which of its parameters they depend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace

from rmqproof.model.records import dataclass
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
_Owner = core.Definition | core.FunctionConstructor


@dataclass(frozen=True, slots=True)
class Effect:
    """`gives`: a variable may get its value; `several`: there may be several ways. `gives_by`, `several_by`: the same
    where one of these parameters stands for an expression that does, or (`gives_by`) for a variable."""

    gives: bool = False
    several: bool = False
    gives_by: frozenset[core.Binding] = _NONE
    several_by: frozenset[core.Binding] = _NONE

    def __or__(self, other: Effect) -> Effect:
        return Effect(
            self.gives or other.gives,
            self.several or other.several,
            self.gives_by | other.gives_by,
            self.several_by | other.several_by,
        )


_TEST = Effect()


@dataclass(slots=True, eq=False)
class Effects:
    """The answers for the formulas of Next, or of Init (`initial`)."""

    initial: bool
    _known: dict[int, tuple[core.Expression, Effect]] = field(default_factory=dict)
    _assumed: dict[_Owner, Effect] = field(default_factory=dict)
    """Of what is looked into now: what it was found to do so far, which is what it does where it calls itself."""
    _cut: set[_Owner] = field(default_factory=set)
    """What was found to call itself: nothing is kept until it is settled."""
    _rules: dict[core.Binding, core.FunctionConstructor] = field(default_factory=dict)
    """Recursive functions by the name that their own rule has for them."""

    def gives_value(self, node: core.Expression, scope: Scope = NOTHING_PASSED) -> bool:
        """Whether a variable may get its value in the formula."""
        effect = self.of(node)
        return effect.gives or any(self._parameter_gives(name, scope) for name in effect.gives_by)

    def several_ways(self, node: core.Expression, scope: Scope = NOTHING_PASSED) -> bool:
        """Whether there may be more than one way to make the formula true, as TLC tries it."""
        effect = self.of(node)
        if effect.several:
            return True
        passed = (scope.passed(name) for name in effect.several_by)
        return any(self.several_ways(*found) for found in passed if found is not None)

    def branches(self, node: core.Expression, scope: Scope = NOTHING_PASSED) -> bool:
        """Whether following the formula can do anything that a test does not."""
        return self.gives_value(node, scope) or self.several_ways(node, scope)

    def rule_branches(self, function: core.FunctionConstructor, scope: Scope = NOTHING_PASSED) -> bool:
        """Whether following the rule of a function that is applied can do anything that a test does not."""
        self._rule(function)
        return self.branches(function.body, scope)

    def _parameter_gives(self, name: core.Binding, scope: Scope) -> bool:
        found = scope.passed(name)
        # where the parameter is primed, the variable that was passed is not
        return found is not None and (
            variable_of(*found, primed=False) is not None
            or variable_of(*found, primed=True) is not None
            or self.gives_value(*found)
        )

    def of(self, node: core.Expression) -> Effect:
        known = self._known.get(id(node))
        if known is not None:
            return known[1]
        effect = self._find(node)
        if not self._cut:
            self._known[id(node)] = (node, effect)
        return effect

    def _find(self, node: core.Expression) -> Effect:
        match form_of(node, self.initial):
            case Keep() | Composition():
                return Effect(gives=True)
            case EnterParameter():
                return Effect(gives=True, several=True)  # what is passed here is not seen
            case Assignment(target=target):
                return self._target(target)
            case Conjunction(parts=parts):
                return self._any(parts)
            case Disjunction(parts=parts):
                return replace(self._any(parts), several=True)
            case Arms(arms=arms, otherwise=otherwise):
                return self._any([body for _, body in arms] + ([] if otherwise is None else [otherwise]))
            case Choice(quantified=quantified):
                return replace(self.of(quantified.body), several=True)
            case ForEach(quantified=quantified):
                return self.of(quantified.body)
            case Local(let=let):
                return self.of(let.body)
            case Inside(body=body):
                return self.of(body)
            case Changing(step=step):
                return self.of(step.action)
            case Parameter(reference=reference):
                return Effect(gives_by=frozenset({reference.binding}), several_by=frozenset({reference.binding}))
            case Enter(call=call):
                return self._call(call)
            case Apply(application=application):
                return self._application(application.function)
        return _TEST

    def _any(self, parts: Iterable[core.Expression]) -> Effect:
        effect = _TEST
        for part in parts:
            effect |= self.of(part)
        return effect

    def _target(self, node: core.Expression) -> Effect:
        """What `node = …` can do."""
        if variable_of(node, NOTHING_PASSED, primed=not self.initial) is not None:
            return Effect(gives=True)
        return Effect(gives_by=_parameters(node))

    def _call(self, call: core.Call) -> Effect:
        definition = call.definition
        return self._with(
            self._settled(definition, lambda: self.of(definition.body)), definition.parameters, call.arguments
        )

    def _with(self, effect: Effect, parameters: Sequence[core.Binding], arguments: Sequence[core.Expression]) -> Effect:
        """What a body can do, with arguments in the place of its parameters."""
        found = replace(effect, gives_by=effect.gives_by.difference(parameters),
                        several_by=effect.several_by.difference(parameters))  # fmt: skip
        for parameter, argument in zip(parameters, arguments, strict=True):
            if parameter.arity:
                continue
            if parameter in effect.gives_by:
                given = self.of(argument)
                variable = variable_of(argument, NOTHING_PASSED, primed=False) is not None
                found |= Effect(gives=given.gives or variable, gives_by=given.gives_by) | self._target(argument)
            if parameter in effect.several_by:
                given = self.of(argument)
                found |= Effect(several=given.several, several_by=given.several_by)
        return found

    def _application(self, function: core.Expression) -> Effect:
        """What `function[…]` can do."""
        match function:
            case core.FunctionConstructor():
                return self._rule(function)
            case core.Let() | core.Label():
                return self._application(function.body)
            case core.Reference() if function.binding in self._rules:
                return self._rule(self._rules[function.binding])
            case core.FunctionApplication():
                return self._application_of_value(function.function)
            case core.Reference():
                return Effect(gives_by=frozenset({function.binding}), several_by=frozenset({function.binding}))
            case core.Call(definition=definition):
                effect = self._settled(definition, lambda: self._application(definition.body))
                return self._with(effect, definition.parameters, function.arguments)
        return _TEST

    def _rule(self, function: core.FunctionConstructor) -> Effect:
        if function.recursion is not None:
            self._rules[function.recursion] = function
        return self._settled(function, lambda: self.of(function.body))

    def _application_of_value(self, function: core.Expression) -> Effect:
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

    def _settled(self, owner: _Owner, look: Callable[[], Effect]) -> Effect:
        """What the body of something can do that may call itself."""
        if owner in self._assumed:
            self._cut.add(owner)
            return self._assumed[owner]
        self._assumed[owner] = _TEST
        try:
            while True:
                effect = look()
                if owner not in self._cut or effect == self._assumed[owner]:
                    return effect
                self._assumed[owner] = effect
        finally:
            del self._assumed[owner]
            self._cut.discard(owner)


def _parameters(node: core.Expression) -> frozenset[core.Binding]:
    """The parameter that the expression is, or is the prime of, if it is one."""
    while True:
        match node:
            case core.Reference():
                return frozenset({node.binding})
            case core.Builtin(operator="'"):
                node = node.arguments[0]
            case core.Let() | core.Label():
                node = node.body
            case core.Call() if not node.arguments and not node.definition.recursive:
                node = node.definition.body
            case _:
                return _NONE
