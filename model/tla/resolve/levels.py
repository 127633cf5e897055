"""Levels of expressions and definitions, and the errors that follow from them.

0 constant, 1 state, 2 action, 3 temporal. A definition's level counts its parameters as constants; besides, it says
which parameters raise the level (weight) and up to which level each may go. Source: *Specifying Systems*, 17.2, and
the errors of TLA+'s SANY.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.core import ACTION, CONSTANT, STATE, TEMPORAL
from rmqproof.model.tla.expression_level import definition_level
from rmqproof.model.tla.graph import components
from rmqproof.model.tla.resolve.problems import Problems
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.walk import children, definitions_in

NAMES = ("a constant", "a state function", "an action", "a temporal formula")
_LOGICAL = frozenset(("/\\", "\\/", "=>", "<=>"))
_TRANSPARENT = frozenset(("TLC!Print", "TLC!PrintT", "TLC!TLCEval", "TLC!Assert"))
# operator -> level of the result (None: that of the arguments), highest level of an argument
_RULES: dict[str, tuple[int | None, int]] = {
    "'": (ACTION, STATE),
    "UNCHANGED": (ACTION, STATE),
    "ENABLED": (STATE, ACTION),
    "\\cdot": (ACTION, ACTION),
    "[]": (TEMPORAL, TEMPORAL),
    "<>": (TEMPORAL, TEMPORAL),
    "~>": (TEMPORAL, TEMPORAL),
    "-+->": (TEMPORAL, TEMPORAL),
    "~": (None, TEMPORAL),
    **dict.fromkeys(_LOGICAL, (None, TEMPORAL)),
}


Weighed = tuple[int, frozenset[core.Binding]]


@dataclass(eq=False, slots=True)
class Level:
    """`weights` are the parameters that raise the level; `limits` the highest level that each parameter may have.

    `wants[f][i]` is the highest level of what is passed as argument i to operator parameter f, and the parameters that
    weigh in it. `placed` are the parameters that the result has by way of a constant or a variable of an instantiated
    module, with the highest level that is declared.
    """

    level: int = CONSTANT
    weights: frozenset[core.Binding] = frozenset()
    limits: dict[core.Binding, int] = field(default_factory=dict)
    wants: dict[core.Binding, tuple[Weighed, ...]] = field(default_factory=dict)
    placed: dict[core.Binding, int] = field(default_factory=dict)

    def same(self, other: Level) -> bool:
        return (self.level, self.weights, self.limits, self.wants, self.placed) == (
            *(other.level, other.weights, other.limits, other.wants, other.placed),
        )


_NOTHING: Weighed = (CONSTANT, frozenset())


class Levels:
    """Levels of all `definitions`. `compute` once the bodies are there."""

    def __init__(self, definitions: list[core.Definition], problems: Problems) -> None:
        self.definitions = definitions
        self.problems = problems
        self.declared_recursive: set[core.Definition] = set()
        self._known: dict[core.Definition, Level] = {}
        self._placed: dict[int, tuple[core.Expression, int]] = {}  # by identity: the nodes are kept, so it is one's own

    def put_in_place(self, node: core.Expression, highest: int) -> None:
        """`node` stands in the place of a constant or variable of an instantiated module, which has that level."""
        self._placed[id(node)] = node, highest

    def placed(self, node: core.Expression) -> int | None:
        found = self._placed.get(id(node))
        return None if found is None else found[1]

    def compute(self) -> None:
        """Set `level` and `recursive` of every definition; note level errors."""
        for group, cyclic in components(self.definitions, lambda definition: definitions_in(definition.body)):
            self._group(group, cyclic)

    def level(self, definition: core.Definition) -> Level:
        known = self._known.get(definition)
        if known is None:  # one that was made when the others had their levels: a copy, or a LAMBDA that is applied
            return Level(definition_level(definition), frozenset(definition.parameters))
        return known

    def of(self, expression: core.Expression) -> int:
        """The level of an expression, parameters counted as constants. Notes no errors."""
        return _Walk(self, Level(), None).weigh(expression)[0]

    def check(self, expression: core.Expression) -> int:
        """The level of an expression that stands outside definitions; notes its errors."""
        return _Walk(self, Level(), self.problems).weigh(expression)[0]

    def _group(self, group: list[core.Definition], cyclic: bool) -> None:
        for definition in group:
            self._known[definition] = Level()
            definition.recursive = cyclic
        while True:
            steady = True
            for definition in group:
                found = self._measure(definition, None)
                steady = steady and found.same(self._known[definition])
                self._known[definition] = found
            if steady or not cyclic:
                break
        for definition in group:
            found = self._measure(definition, self.problems)
            definition.level = found.level
            if cyclic or definition in self.declared_recursive:
                self._no_primed_parameters(definition, found)

    def _measure(self, definition: core.Definition, problems: Problems | None) -> Level:
        found = Level()
        walk = _Walk(self, found, problems)
        found.level, found.weights = walk.weigh(definition.body)
        walk.limit_placed(definition.body)
        return found

    def _no_primed_parameters(self, definition: core.Definition, found: Level) -> None:
        for parameter in definition.parameters:
            if found.limits.get(parameter, TEMPORAL) < ACTION:
                self.problems.add(
                    f"recursive operator {definition.name} primes its parameter {parameter.name}",
                    definition.at,
                    "Prime what is passed to it instead.",
                )


class _Walk:
    """Weighs one body. `found` collects the limits; without `problems` errors go unnoticed."""

    def __init__(self, levels: Levels, found: Level, problems: Problems | None) -> None:
        self.levels = levels
        self.found = found
        self.problems = problems
        self.own: dict[core.Binding, int] = {}  # what the body itself puts in the place of constants and variables

    def limit_placed(self, body: core.Expression) -> None:
        """What stands for a constant or variable of an instance has its level, once an operator is applied to it.

        Source: SANY's `Subst.getSubLCSet`, which looks at those only that are constrained at all.
        """
        while isinstance(body, core.Let | core.Label):
            body = body.body
        placed = self.found.placed
        if isinstance(body, core.Reference):
            limited: dict[core.Binding, int] = {}
        elif isinstance(body, core.Call):
            limited = {} if self.levels.placed(body) is not None else self.own
        else:
            limited = {**placed, **self.own}
        for binding, highest in limited.items():
            self.found.limits[binding] = min(highest, self.found.limits.get(binding, TEMPORAL))
        for binding, highest in self.own.items():
            placed[binding] = min(highest, placed.get(binding, TEMPORAL))

    def place(self, node: core.Expression, weights: Iterable[core.Binding]) -> None:
        highest = self.levels.placed(node)
        if highest is not None:
            for binding in weights:
                self.own[binding] = min(highest, self.own.get(binding, TEMPORAL))

    def weigh(self, node: core.Expression) -> Weighed:
        return _METHODS[type(node)](self, node)

    def error(self, message: str, at: Location, remedy: str = "") -> None:
        if self.problems is not None:
            self.problems.add(message, at, remedy)

    def limit(self, node: core.Expression, highest: int, what: str) -> Weighed:
        """Weigh what may be of level `highest` at most."""
        level, weights = self.weigh(node)
        if level > highest:
            self.error(
                f"{what} must be {_at_most(highest)}, and this is {NAMES[level]}", node.at, _advice(level, highest)
            )
        if highest < TEMPORAL:
            for binding in weights:
                self.found.limits[binding] = min(highest, self.found.limits.get(binding, TEMPORAL))
        return level, weights

    def all(self, nodes: Iterable[core.Expression], highest: int, what: str) -> Weighed:
        level, weights = _NOTHING
        for node in nodes:
            found, heavy = self.limit(node, highest, what)
            level = max(level, found)
            if heavy:
                weights = weights | heavy
        return level, weights

    # --- references ------------------------------------------------------------------------------------------------

    def nothing(self, _: Any) -> Weighed:
        return _NOTHING

    def variable(self, _: core.VariableReference) -> Weighed:
        return STATE, frozenset()

    def reference(self, node: core.Reference) -> Weighed:
        self.place(node, (node.binding,))
        return CONSTANT, frozenset((node.binding,))

    def call(self, node: core.Call) -> Weighed:
        known = self.levels.level(node.definition)
        level = known.level
        weights = known.weights.difference(node.definition.parameters)
        for parameter, argument in zip(node.definition.parameters, node.arguments, strict=True):
            highest = known.limits.get(parameter, TEMPORAL)
            found, heavy = self.limit(argument, highest, _argument_of(node.definition, known, parameter))
            if parameter in known.placed:
                for binding in heavy:
                    self._flows(binding, known.placed[parameter])
            if parameter in known.weights:
                level = max(level, found)
                weights = weights | heavy
            if parameter.arity:
                self._passed(node, parameter, argument, known.wants.get(parameter, ()))
        self.place(node, weights)
        for binding, highest in known.placed.items():
            if binding not in node.definition.parameters:
                self._flows(binding, highest)
        for binding, highest in known.limits.items():
            if binding not in node.definition.parameters:
                self.found.limits[binding] = min(highest, self.found.limits.get(binding, TEMPORAL))
        return level, weights

    def _flows(self, binding: core.Binding, highest: int) -> None:
        self.found.placed[binding] = min(highest, self.found.placed.get(binding, TEMPORAL))

    def _passed(
        self, node: core.Call, parameter: core.Binding, argument: core.Expression, wants: tuple[Weighed, ...]
    ) -> None:
        """Does the operator passed accept the levels that it is applied to?"""
        given = dict(zip(node.definition.parameters, node.arguments, strict=True))
        for highest, (wanted, heavy) in zip(self._accepted(argument), wants, strict=False):
            level = max([wanted, *(self.weigh(given[binding])[0] for binding in heavy if binding in given)])
            if level > highest:
                self.error(
                    f"{node.definition.name} applies {parameter.name} to {NAMES[level]}, "
                    f"and the operator passed here takes {NAMES[highest]} at most",
                    argument.at,
                )

    def _accepted(self, operator: core.Expression) -> tuple[int, ...]:
        """The highest level of each argument that an operator takes."""
        if isinstance(operator, core.Lambda):
            known = Level()
            _Walk(self.levels, known, None).weigh(operator.body)
            return tuple(known.limits.get(parameter, TEMPORAL) for parameter in operator.parameters)
        if isinstance(operator, core.OperatorArgument) and isinstance(operator.target, core.Definition):
            known = self.levels.level(operator.target)
            return tuple(known.limits.get(parameter, TEMPORAL) for parameter in operator.target.parameters)
        return ()

    def call_parameter(self, node: core.CallParameter) -> Weighed:
        weighed = [self.weigh(argument) for argument in node.arguments]
        before = self.found.wants.get(node.binding, (_NOTHING,) * len(weighed))
        self.found.wants[node.binding] = tuple(
            (max(old, level), known | weights) for (old, known), (level, weights) in zip(before, weighed, strict=True)
        )
        level = max((level for level, _ in weighed), default=CONSTANT)
        return level, frozenset((node.binding,)).union(*(weights for _, weights in weighed))

    def operator_argument(self, node: core.OperatorArgument) -> Weighed:
        if isinstance(node.target, core.Definition):
            known = self.levels.level(node.target)
            return known.level, known.weights.difference(node.target.parameters)
        return CONSTANT, frozenset((node.target,))

    def lambda_(self, node: core.Lambda) -> Weighed:
        level, weights = self.weigh(node.body)
        return level, weights.difference(node.parameters)

    # --- operators of the language ---------------------------------------------------------------------------------

    def builtin(self, node: core.Builtin) -> Weighed:
        operator, arguments = node.operator, node.arguments
        result, highest = _RULES.get(operator, (None, TEMPORAL if operator in _TRANSPARENT else ACTION))
        what = f"the argument of {operator}" if len(arguments) == 1 else f"an argument of {operator}"
        if operator in _LOGICAL:
            return self._logical(node)
        level, weights = self.all(arguments, highest, what)
        if operator == "[]" and level == ACTION and not isinstance(arguments[0], core.BoxAction | core.Label):
            if not isinstance(arguments[0], core.Let):
                self.error(
                    "[] is followed by an action that is not of the form [A]_v",
                    node.at,
                    "Write [][A]_v: every step is an A step or leaves v unchanged.",
                )
        elif operator == "<>" and level == ACTION and not isinstance(arguments[0], core.AngleAction | core.Label):
            if not isinstance(arguments[0], core.Let):
                self.error(
                    "<> is followed by an action that is not of the form <<A>>_v",
                    node.at,
                    "Write <><<A>>_v: some step is an A step that changes v.",
                )
        elif operator in ("~>", "-+->"):
            for argument in arguments:
                if self.levels.of(argument) == ACTION:
                    self.error(f"{operator} relates states and temporal formulas, and this is an action", argument.at)
        return (level, weights) if result is None else (result, frozenset())

    def _logical(self, node: core.Builtin) -> Weighed:
        level, weights = _NOTHING
        action: core.Expression | None = None
        for argument in node.arguments:
            found, heavy = self.weigh(argument)
            if found == ACTION and action is None:
                action = argument
            level = max(level, found)
            if heavy:
                weights = weights | heavy
        if level == TEMPORAL and action is not None:
            self.error(
                f"an action stands beside a temporal formula under {node.operator}",
                action.at,
                "An action speaks of one step: write [][A]_v for all steps.",
            )
        return level, weights

    def box_or_angle(self, node: core.BoxAction | core.AngleAction) -> Weighed:
        self.limit(node.action, ACTION, "the action")
        self.limit(node.subscript, STATE, "the subscript")
        return ACTION, frozenset()

    def fairness(self, node: core.Fairness) -> Weighed:
        self.limit(node.subscript, STATE, "the subscript")
        self.limit(node.action, ACTION, "the action")
        return TEMPORAL, frozenset()

    def temporal_quantified(self, node: core.TemporalQuantified) -> Weighed:
        _, weights = self.weigh(node.body)
        return TEMPORAL, weights.difference(node.bindings)

    # --- binders ---------------------------------------------------------------------------------------------------

    def _binders(self, binders: Iterable[core.Binder], body: Weighed, temporal: bool = False) -> Weighed:
        level, weights = body
        seen: set[int] = set()
        for binder in binders:
            weights = weights.difference(binder.bindings)
            if binder.domain is None or id(binder.domain) in seen:
                continue
            seen.add(id(binder.domain))
            found, heavy = self.limit(binder.domain, ACTION, "the set of a bound variable")
            if temporal and level == TEMPORAL and found == ACTION:
                self.error("the set of a bound variable in a temporal formula is an action here", binder.domain.at)
            level = max(level, found)
            weights = weights | heavy
        return level, weights

    def quantified(self, node: core.Quantified) -> Weighed:
        return self._binders(node.binders, self.weigh(node.body), temporal=True)

    def choose(self, node: core.Choose) -> Weighed:
        return self._binders((node.binder,), self.limit(node.body, ACTION, "the condition of CHOOSE"))

    def set_filter(self, node: core.SetFilter) -> Weighed:
        return self._binders((node.binder,), self.limit(node.body, ACTION, "the condition of a set"))

    def set_map(self, node: core.SetMap) -> Weighed:
        return self._binders(node.binders, self.limit(node.body, ACTION, "an element of a set"))

    def function_constructor(self, node: core.FunctionConstructor) -> Weighed:
        level, weights = self._binders(node.binders, self.weigh(node.body))
        return level, weights - {node.recursion} if node.recursion is not None else weights

    # --- the rest --------------------------------------------------------------------------------------------------

    def if_(self, node: core.If) -> Weighed:
        return self.all((node.condition, node.then, node.otherwise), TEMPORAL, "")

    def case(self, node: core.Case) -> Weighed:
        parts = [part for arm in node.arms for part in arm]
        return self.all([*parts, *([] if node.other is None else [node.other])], TEMPORAL, "")

    def let(self, node: core.Let) -> Weighed:
        return self.weigh(node.body)

    def except_(self, node: core.Except) -> Weighed:
        level, weights = self.limit(node.function, ACTION, "the function of EXCEPT")
        for update in node.updates:
            found, heavy = self.all((*update.path, update.value), ACTION, "a part of EXCEPT")
            level = max(level, found)
            weights = weights | (heavy - {update.old})
        return level, weights

    def label(self, node: core.Label) -> Weighed:
        return self.weigh(node.body)

    def parts(self, node: core.Expression) -> Weighed:
        return self.all(children(node), ACTION, "a part of this")

    def record(self, node: core.Record) -> Weighed:
        return self.all((value for _, value in node.fields), TEMPORAL, "")


def _argument_of(definition: core.Definition, known: Level, parameter: core.Binding) -> str:
    what = f"this argument of {definition.name}"
    place = known.placed.get(parameter)
    if place is None or place != known.limits.get(parameter):
        return what
    kind = "constant" if place == CONSTANT else "variable"
    return f"{what}, which INSTANCE puts in the place of a {kind} of a module with variables,"


def _at_most(level: int) -> str:
    return "a constant" if level == CONSTANT else f"{NAMES[level]} at most" if level > STATE else "a state function"


def _advice(level: int, highest: int) -> str:
    if level == ACTION and highest == STATE:
        return "It contains a prime (or UNCHANGED) already, and a primed expression cannot be primed again."
    if highest == CONSTANT:
        return "Put a constant there, or have the module declare a VARIABLE for it."
    if level == TEMPORAL:
        return "Temporal formulas ([], <>, ~>, WF, SF) stand under logical operators only."
    return ""


_METHODS: dict[type[Any], Callable[[_Walk, Any], Weighed]] = {
    core.Literal: _Walk.nothing,
    core.ModelValueLiteral: _Walk.nothing,
    core.ConstantReference: _Walk.nothing,
    core.VariableReference: _Walk.variable,
    core.Reference: _Walk.reference,
    core.Call: _Walk.call,
    core.CallParameter: _Walk.call_parameter,
    core.Builtin: _Walk.builtin,
    core.OperatorArgument: _Walk.operator_argument,
    core.Lambda: _Walk.lambda_,
    core.Quantified: _Walk.quantified,
    core.TemporalQuantified: _Walk.temporal_quantified,
    core.Choose: _Walk.choose,
    core.If: _Walk.if_,
    core.Case: _Walk.case,
    core.Let: _Walk.let,
    core.SetEnumeration: _Walk.parts,
    core.SetFilter: _Walk.set_filter,
    core.SetMap: _Walk.set_map,
    core.FunctionConstructor: _Walk.function_constructor,
    core.FunctionSet: _Walk.parts,
    core.FunctionApplication: _Walk.parts,
    core.FieldAccess: _Walk.parts,
    core.Record: _Walk.record,
    core.RecordSet: _Walk.parts,
    core.TupleExpression: _Walk.parts,
    core.Cartesian: _Walk.parts,
    core.Except: _Walk.except_,
    core.BoxAction: _Walk.box_or_angle,
    core.AngleAction: _Walk.box_or_angle,
    core.Fairness: _Walk.fairness,
    core.Label: _Walk.label,
}
