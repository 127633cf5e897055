"""The types of the variables: what Init and Next assign, iterated to a fixed point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from rmqproof.model.actions.form import (
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
    Local,
    Parameter,
    form_of,
)
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.walk import literals

from . import operators
from .application import argument_type, entered
from .domain import (
    NOTHING,
    Nothing,
    Type,
    Union,
    Unknown,
    join_all,
    set_of,
)
from .expressions import typing_of
from .functions import bind_all
from .guards import narrowed, told
from .hints import Claim, claimed, claims_of, within_claims
from .narrowing import integer_bounds, shallow, widen
from .primed import NONE_PASSED, Passed, passed_in
from .rendering import render
from .truth import arms_left, decided
from .typing import ROUNDS, ROUNDS_BEFORE_WIDENING, Closure, Scope, Typing


@dataclass(frozen=True, slots=True)
class Contribution:
    """`type` is what is assigned `at` this place."""

    at: Location
    type: Type


# --- variables ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Given:
    """What parameters stand for in the calls that are being walked through."""

    entered: tuple[core.Definition, ...] = ()
    named: Mapping[core.Binding, core.Variable] = field(default_factory=dict)
    """A variable that is to be assigned."""
    unprimed: Mapping[core.Binding, core.Variable] = field(default_factory=dict)
    """One whose parameter has to be primed first."""
    formulas: Mapping[core.Binding, tuple[core.Expression, Scope, _Given]] = field(default_factory=dict)
    """An expression, with what names mean where it is passed: it may be a formula that assigns."""


@dataclass(slots=True)
class _Assignments:
    """What Init or Next assigns; `primed` says which of the two."""

    typing: Typing
    primed: bool
    found: dict[core.Variable, list[Contribution]] = field(default_factory=dict)
    _given: _Given = _Given()

    def walk(self, e: core.Expression, scope: Scope) -> Scope:
        """Collect what `e` assigns; the result is the scope of what follows in a conjunction."""
        typing = self.typing
        match form_of(e, not self.primed):
            case Conjunction(parts=parts):
                for part in parts:
                    if decided(typing, part, scope, not self.primed) is False:
                        return scope
                    scope = self.walk(part, scope)
                return scope
            case Disjunction(parts=parts):
                for part in parts:
                    self.walk(part, scope)
                return scope
            case Composition(first=first, second=second):
                # the second begins in a state that the first, too, gives its values
                self.walk(first, scope)
                self.walk(second, scope.primed())
                return scope
            case Assignment(target=target) as given:
                variable = self._target(target)
                if variable is not None:
                    self._contribute(variable, e.at, given, scope)
                    return scope
            case Choice(quantified=quantified) | ForEach(quantified=quantified):
                inner, _, _ = bind_all(typing, quantified.binders, scope)
                self.walk(quantified.body, inner)
                return scope
            case Arms(arms=arms, otherwise=otherwise):
                self._arms(arms, otherwise, scope)
                return scope
            case Local(let=let):
                return self.walk(let.body, scope)
            case Inside(body=body):
                return self.walk(body, scope)
            case Parameter(reference=reference) if reference.binding in self._given.formulas:
                self._walk_passed(reference.binding)
                return scope
            case Changing(step=step):
                return self.walk(step.action, scope)
            case Enter(call=call):
                return self._call(call, scope)
            case EnterParameter(call=call_parameter):
                closure = scope.bindings.get(call_parameter.binding)
                if isinstance(closure, Closure):
                    self._walk_closure(closure, call_parameter.arguments, scope)
                return scope
        return narrowed(typing, e, scope)

    def _contribute(self, variable: core.Variable, at: Location, given: Assignment, scope: Scope) -> None:
        type_ = self.typing.of(given.value, scope)
        if given.operator == "\\in":
            type_ = operators.element_of(type_)
        elif given.operator == "\\subseteq":
            type_ = set_of(operators.element_of(type_))
        self.found.setdefault(variable, []).append(Contribution(at, type_))

    def _arms(
        self,
        arms: Sequence[tuple[core.Expression, core.Expression]],
        otherwise: core.Expression | None,
        scope: Scope,
    ) -> None:
        left, last = arms_left(arms, otherwise, lambda part: decided(self.typing, part, scope, not self.primed))
        for condition, body in left:
            self.walk(body, narrowed(self.typing, condition, scope))
        if last is not None:
            self.walk(last, scope)

    def _call(self, e: core.Call, scope: Scope) -> Scope:
        given = self._given
        if e.definition in given.entered:
            return scope
        self._given = self._named(e.definition.parameters, e.arguments, scope)
        self._given = replace(self._given, entered=(*given.entered, e.definition))
        typing = self.typing
        arguments = {
            p: argument_type(typing, a, scope) for p, a in zip(e.definition.parameters, e.arguments, strict=True)
        }
        after = self.walk(e.definition.body, entered(typing, e.definition, e.arguments, arguments, scope))
        self._given = given
        return told(scope, after, arguments, e.arguments)

    def _walk_passed(self, parameter: core.Binding) -> None:
        """What the formula assigns that a parameter stands for."""
        given = self._given
        formula, scope, self._given = given.formulas[parameter]
        self.walk(formula, scope)
        self._given = given

    def _walk_closure(self, closure: Closure, arguments: Sequence[core.Expression], scope: Scope) -> None:
        operator, given = closure.operator, self._given
        outer = scope.bind(closure.scope.bindings)
        target = operator if isinstance(operator, core.Lambda) else operator.target
        if isinstance(target, core.Lambda | core.Definition):
            types = [argument_type(self.typing, argument, scope) for argument in arguments]
            self._given = self._named(target.parameters, arguments, scope)
            self.walk(target.body, outer.bind(dict(zip(target.parameters, types, strict=True))))
            self._given = given

    def _named(self, parameters: Sequence[core.Binding], arguments: Sequence[core.Expression], scope: Scope) -> _Given:
        """With what these parameters stand for."""
        given = self._given
        named, unprimed, formulas = dict(given.named), dict(given.unprimed), dict(given.formulas)
        for parameter, argument in zip(parameters, arguments, strict=True):
            for meaning, variable in ((named, self._target(argument)), (unprimed, self._variable(argument))):
                if variable is not None:
                    meaning[parameter] = variable
                else:
                    meaning.pop(parameter, None)
            formulas[parameter] = argument, scope, given
        return _Given(given.entered, named, unprimed, formulas)

    def _target(self, e: core.Expression) -> core.Variable | None:
        if isinstance(e, core.Reference):
            return self._given.named.get(e.binding)
        if self.primed:
            return self._variable(e.arguments[0]) if isinstance(e, core.Builtin) and e.operator == "'" else None
        return self._variable(e)

    def _variable(self, e: core.Expression) -> core.Variable | None:
        if isinstance(e, core.Reference):
            return self._given.unprimed.get(e.binding)
        return e.variable if isinstance(e, core.VariableReference) else None


@dataclass(frozen=True, slots=True)
class TypeReport:
    """The types of the variables.

    `contributions` are the places they come from, `claims` what invariants and annotations say.
    """

    variables: dict[core.Variable, Type]
    contributions: dict[core.Variable, tuple[Contribution, ...]]
    claims: dict[core.Variable, tuple[Claim, ...]]
    landmarks: tuple[int, ...] = ()
    passed: Passed = NONE_PASSED

    def typing(self) -> Typing:
        """Types of expressions under this report."""
        return typing_of(dict(self.variables), self.landmarks, self.passed)

    def render(self) -> str:
        """One line a variable; below a union, or a type that is not known, the places that it comes from."""
        lines = []
        width = max((len(v.name) for v in self.variables), default=0)
        for variable, type_ in self.variables.items():
            lines.append(f"{variable.name:<{width}} : {render(type_)}")
            if isinstance(type_, Union | Unknown):
                seen = set()
                for contribution in self.contributions.get(variable, ()):
                    line = f"    {contribution.at}: {render(contribution.type)}"
                    if line not in seen:
                        seen.add(line)
                        lines.append(line)
        return "\n".join(lines)


def infer_types(model: core.Model, unclaimed: frozenset[core.Variable] = frozenset()) -> TypeReport:
    """The types of the model's variables, from Init, Next, TypeOK-like invariants and annotations.

    What invariants and annotations claim of the variables `unclaimed` is left out: it was found to be wrong.
    """
    marks: set[int] = {0, 1}
    seen: set[int] = set()
    for part in (model.initial, model.next, *(d.body for d in model.invariants)):
        if part is not None:
            marks.update(n for n in literals(part, seen) if isinstance(n, int))
    variables = model.specification.variables
    passed = passed_in(model.next)
    typing = typing_of(dict.fromkeys(variables, NOTHING), (), passed)
    claims = {v: claim for v, claim in claims_of(model, typing).items() if v not in unclaimed}
    marks.update(bound for claim in claims.values() for part in claim for bound in integer_bounds(part.type))
    landmarks = tuple(sorted({m + d for m in marks for d in (-1, 0, 1)}))
    contributions: dict[core.Variable, tuple[Contribution, ...]] = {}
    for turn in range(ROUNDS):
        typing = typing_of(dict(typing.variables), landmarks, passed)
        initial, following = _Assignments(typing, primed=False), _Assignments(typing, primed=True)
        if model.initial is not None:
            initial.walk(model.initial, Scope())
        if model.next is not None:
            following.walk(model.next, Scope())
        changed = False
        for variable in variables:
            found = (*initial.found.get(variable, ()), *following.found.get(variable, ()))
            contributions[variable] = found
            old = typing.variables[variable]
            new = shallow(join_all([old, *(c.type for c in found)]))
            if variable in claims:
                new = within_claims(new, claims[variable])
            if turn >= ROUNDS_BEFORE_WIDENING:
                new = widen(old, new, landmarks)
                if variable in claims:
                    new = within_claims(new, claims[variable])
            if new != old:
                changed = True
                typing.variables[variable] = new
        if not changed:
            break
    types = {
        v: claimed(claims.get(v, ())) if isinstance(t, Unknown | Nothing) else t for v, t in typing.variables.items()
    }
    return TypeReport(types, contributions, claims, landmarks, passed)
