"""What invariants and annotations claim about the variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached

from . import operators
from .annotation import AnnotationError, parse_annotation
from .application import argument_type
from .domain import (
    NOTHING,
    UNKNOWN,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    Unknown,
    join_all,
    set_of,
)
from .functions import bind_all
from .narrowing import clamp
from .typing import Scope, Typing

TYPE_INVARIANT = re.compile(r"(^|!|_)Type(OK|Ok|Invariant|Inv|Correct|s)?$|^(TypeOK|TypeInv)", re.ASCII)
ELEMENT = "*"
"""A step of a path: to the elements of a set or sequence, or the values of a function."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """The part of a variable's value that `path` leads to (a field's name, or ELEMENT) is of this type."""

    path: Path
    type: Type

    def narrow(self, type_: Type) -> Type:
        """`type_`, a variable's, narrowed by the claim where the two fit each other."""
        return _narrow(type_, self.path, self.type)


def _narrow(type_: Type, path: Path, claim: Type) -> Type:
    if not path:
        return clamp(type_, claim)
    step, rest = path[0], path[1:]
    match type_:
        case Record():
            return Record(tuple((n, _narrow(t, rest, claim) if step in (n, ELEMENT) else t) for n, t in type_.fields))
        case Function() if step == ELEMENT:
            return Function(type_.key, _narrow(type_.value, rest, claim), type_.total)
        case Seq() if step == ELEMENT:
            return Seq(_narrow(type_.element, rest, claim), type_.least, type_.most)
        case Tuple() if step == ELEMENT:
            return Tuple(tuple(_narrow(item, rest, claim) for item in type_.items))
        case Set() if step == ELEMENT and not isinstance(type_.element, Nothing):
            element = _narrow(type_.element, rest, claim)
            return set_of(element, type_.most, type_.full and element == type_.element)
        case Union():
            return join_all([_narrow(member, path, claim) for member in type_.members])
    return type_


@dataclass(slots=True)
class _Reader:
    """Collects claims from a formula. `paths`: parameters and bound names that stand for a part of a variable."""

    typing: Typing
    claims: dict[core.Variable, list[Claim]] = field(default_factory=dict)

    def add(self, access: tuple[core.Variable, Path], type_: Type) -> None:
        if not isinstance(type_, Unknown | Nothing):
            self.claims.setdefault(access[0], []).append(Claim(access[1], type_))

    def read(self, e: core.Expression, paths: Mapping[core.Binding, tuple[core.Variable, Path]], scope: Scope) -> None:
        match e:
            case core.Builtin(operator="/\\"):
                for part in e.arguments:
                    self.read(part, paths, scope)
            case core.Label():
                self.read(e.body, paths, scope)
            case core.Quantified(kind="\\A"):
                inner = dict(paths)
                for binder in e.binders:
                    access = None if binder.domain is None or binder.is_tuple else self.access(binder.domain, paths)
                    if access is not None:
                        inner[binder.bindings[0]] = (access[0], (*access[1], ELEMENT))
                self.read(e.body, inner, bind_all(self.typing, e.binders, scope)[0])
            case core.Call() if not e.definition.recursive:
                inner, bound = dict(paths), {}
                for parameter, argument in zip(e.definition.parameters, e.arguments, strict=True):
                    access = self.access(argument, paths)
                    if access is not None:
                        inner[parameter] = access
                    bound[parameter] = argument_type(self.typing, argument, scope)
                self.read(e.definition.body, inner, scope.bind(bound))
            case core.Builtin() if len(e.arguments) == 2:
                self.compare(operators.short_name(e.operator), *e.arguments, paths, scope)

    def compare(
        self,
        name: str,
        left: core.Expression,
        right: core.Expression,
        paths: Mapping[core.Binding, tuple[core.Variable, Path]],
        scope: Scope,
    ) -> None:
        access = self.access(left, paths)
        if access is not None and name in ("\\in", "\\subseteq") and is_constant(right):
            element = operators.element_of(self.typing.of(right, scope))
            self.add(access, element if name == "\\in" else set_of(element))
        if name not in ("<=", "<", ">=", ">") or not is_constant(right):
            return
        limit = self.typing.of(right, scope)
        if not isinstance(limit, Int):
            return
        high = None if limit.high is None else limit.high - (name == "<")
        if access is not None:
            low = None if limit.low is None else limit.low + (name == ">")
            self.add(access, Int(None, high) if name in ("<=", "<") else Int(low, None))
        if isinstance(left, core.Builtin) and name in ("<=", "<"):
            measured = self.access(left.arguments[0], paths) if left.arguments else None
            operator = operators.short_name(left.operator)
            if measured is not None and operator == "Len":
                self.add(measured, Seq(UNKNOWN, 0, high))
            if measured is not None and operator == "Cardinality":
                self.add(measured, Set(UNKNOWN, high))

    def access(
        self, e: core.Expression, paths: Mapping[core.Binding, tuple[core.Variable, Path]]
    ) -> tuple[core.Variable, Path] | None:
        """The part of a variable that `e` names."""
        match e:
            case core.VariableReference():
                return e.variable, ()
            case core.Reference():
                return paths.get(e.binding)
            case core.FieldAccess():
                inner = self.access(e.record, paths)
                return None if inner is None else (inner[0], (*inner[1], e.field))
            case core.FunctionApplication():
                inner = self.access(e.function, paths)
                step = e.argument.value if isinstance(e.argument, core.Literal) else ELEMENT
                return None if inner is None else (inner[0], (*inner[1], step if isinstance(step, str) else ELEMENT))
            case core.Call() if not e.arguments and not e.definition.recursive:
                return self.access(e.definition.body, paths)
        return None


def claims_of(model: core.Model, typing: Typing) -> dict[core.Variable, tuple[Claim, ...]]:
    """Claims of annotations, of the invariants, and of definitions named like TypeOK.

    `v \\in S`, `v[i].f \\in S` under `\\A`, `s \\subseteq S`, `Len(s) <= n`, with sets that no variable occurs in.
    """
    reader = _Reader(typing)
    for variable in model.specification.variables:
        for annotation in variable.annotations:
            if annotation.kind == "type":
                try:
                    reader.add((variable, ()), parse_annotation(annotation.text))
                except AnnotationError:
                    continue
    named = [d for d in model.specification.definitions.values() if TYPE_INVARIANT.search(d.name) and not d.parameters]
    checked = [d for d in model.invariants if not d.parameters]
    for definition in {id(d): d for d in (*checked, *named)}.values():
        reader.read(definition.body, {}, Scope())
    return {variable: tuple(claims) for variable, claims in reader.claims.items()}


def within_claims(type_: Type, claims: tuple[Claim, ...]) -> Type:
    for claim in claims:
        type_ = claim.narrow(type_)
    return type_


def claimed(claims: tuple[Claim, ...]) -> Type:
    """What is claimed of a whole variable, when nothing else is known of it."""
    type_: Type = UNKNOWN
    for claim in claims:
        if not claim.path:
            type_ = clamp(type_, claim.type) if not isinstance(type_, Unknown) else claim.type
    return type_


def conjuncts(e: core.Expression) -> Iterator[core.Expression]:
    match e:
        case core.Builtin(operator="/\\"):
            for part in e.arguments:
                yield from conjuncts(part)
        case core.Call() if not e.arguments:
            yield from conjuncts(e.definition.body)
        case core.Label():
            yield from conjuncts(e.body)
        case _:
            yield e


def is_constant(e: core.Expression) -> bool:
    """Whether no variable occurs in `e` or the definitions it uses."""
    return not any(isinstance(node, core.VariableReference) for node in reached(e))


__all__ = ["NOTHING", "Claim", "claimed", "claims_of", "conjuncts", "is_constant", "within_claims"]
