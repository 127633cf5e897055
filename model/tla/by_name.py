"""Which parameters of an operator its body looks at in another state: under a prime, UNCHANGED, ENABLED, `\\cdot`, in
`[A]_v`, under fairness or a temporal operator. They are passed as expressions: equal values may give different results.

The front end asks when operators are passed as arguments, the engines when they compile a call.
"""

from __future__ import annotations

from collections.abc import Iterable

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.graph import components
from rmqproof.model.tla.walk import children, definitions_in

OTHER_STATES = frozenset({"'", "UNCHANGED", "ENABLED", "\\cdot", "[]", "<>", "~>", "-+->"})
"""Operators whose result depends on more than the value of their arguments."""

Names = frozenset[core.Binding]
_NONE: Names = frozenset()


@dataclass(slots=True)
class Use:
    """`used`: the names around it that a body depends on; `by_name`: those that it looks at in another state;
    `applied`: for an operator that is a name, the names in what it is applied to."""

    used: Names
    by_name: set[core.Binding]
    applied: dict[core.Binding, Names]


class ByName:
    """What is known of a definition stays: its body may change to one that means the same."""

    def __init__(self) -> None:
        self._known: dict[core.Definition, Use] = {}

    def parameters(self, definition: core.Definition) -> frozenset[int]:
        """The positions of the parameters that have to be passed as expressions."""
        by_name = self._of(definition).by_name
        return frozenset(i for i, parameter in enumerate(definition.parameters) if parameter in by_name)

    def names(self, node: core.Expression) -> Names:
        """The names around the expression that it looks at in another state."""
        for definition in definitions_in(node):
            self._of(definition)
        return frozenset(_Walk(self._known, node).found.by_name)

    def of_operator(self, operator: core.Definition | core.Lambda) -> bool:
        """Whether an operator that is passed looks at more than the values of its arguments."""
        if isinstance(operator, core.Definition):
            return bool(self.parameters(operator))
        return not self.names(operator.body).isdisjoint(operator.parameters)

    def _of(self, definition: core.Definition) -> Use:
        if definition not in self._known:
            for group, cyclic in components([definition], self._unknown):
                self._find([member for member in group if member not in self._known], cyclic)
        return self._known[definition]

    def _unknown(self, definition: core.Definition) -> Iterable[core.Definition]:
        return () if definition in self._known else definitions_in(definition.body)

    def _find(self, group: list[core.Definition], cyclic: bool) -> None:
        """A recursive definition may pass a parameter on in another position: until nothing more is found."""
        for member in group:
            self._known[member] = Use(_NONE, set(), {})
        steady = False
        while not steady:
            steady = True
            for member in group:
                found = _Walk(self._known, member.body).found
                steady = steady and (not cyclic or found == self._known[member])
                self._known[member] = found


class _Walk:
    def __init__(self, known: dict[core.Definition, Use], body: core.Expression) -> None:
        self._known = known
        self.found = Use(_NONE, set(), {})
        self.found.used = self._used(body)

    def _used(self, node: core.Expression) -> Names:
        match node:
            case core.Reference():
                return frozenset((node.binding,))
            case core.Call():
                return self._call(node)
            case core.OperatorArgument(target=core.Binding() as target):
                return frozenset((target,))
            case core.OperatorArgument(target=core.Definition() as target):
                return self._of_definition(target, {})
            case core.Lambda():
                return self._used(node.body).difference(node.parameters)
        used = _NONE.union(*map(self._used, children(node)))
        match node:
            case core.CallParameter():
                self._apply(node.binding, used)
                return used | {node.binding}
            case core.BoxAction() | core.AngleAction() | core.Fairness():
                self.found.by_name |= used
            case core.Builtin(operator=operator) if operator in OTHER_STATES:
                self.found.by_name |= used
        return used

    def _call(self, node: core.Call) -> Names:
        parameters = node.definition.parameters
        given = {parameter: self._used(a) for parameter, a in zip(parameters, node.arguments, strict=True)}
        used = self._of_definition(node.definition, given)
        for parameter, argument in zip(parameters, node.arguments, strict=True):
            if parameter.arity:
                applied = _instead(self._known[node.definition].applied.get(parameter, _NONE), given)
                self._apply_operator(argument, applied)
        return used

    def _of_definition(self, definition: core.Definition, given: dict[core.Binding, Names]) -> Names:
        """What the body of a definition uses, with the names in its arguments instead of its parameters."""
        known = self._known[definition]
        own = dict.fromkeys(definition.parameters, _NONE) | given
        self.found.by_name |= _instead(known.by_name, own)
        for operator, applied in known.applied.items():
            if operator not in own:
                self._apply(operator, _instead(applied, own))
        return _instead(known.used, own)

    def _apply_operator(self, operator: core.Expression, names: Names) -> None:
        """An operator is passed, and `names` are in what it is applied to there."""
        match operator:
            case core.OperatorArgument(target=core.Binding() as target):
                self._apply(target, names)
            case core.OperatorArgument(target=core.Definition() as target):
                if not self._known[target].by_name.isdisjoint(target.parameters):
                    self.found.by_name |= names
            case core.Lambda(parameters=parameters):
                if not self.found.by_name.isdisjoint(parameters):
                    self.found.by_name |= names

    def _apply(self, operator: core.Binding, names: Names) -> None:
        self.found.applied[operator] = self.found.applied.get(operator, _NONE) | names


def _instead(names: Iterable[core.Binding], given: dict[core.Binding, Names]) -> Names:
    return _NONE.union(*(given.get(name, (name,)) for name in names))
