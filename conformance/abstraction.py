"""What an implementation shows, compared with a state of the model; nothing may be left out in silence."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.conformance.adapter import Accountable, Adapter
from rmqproof.model.evaluate.itf import from_itf, to_itf
from rmqproof.model.evaluate.values import Function, Value, function
from rmqproof.model.report.value import canonical

_KEPT = 200_000
"""Projected values that are remembered."""


class AbstractionError(Exception):
    """The adapter does not account for everything. `problems` are sentences."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems,)


@dataclass(slots=True)
class _Tree:
    """Fields that are left out, by name; a tree without branches leaves out the whole."""

    branches: dict[str, _Tree] = field(default_factory=dict)

    def add(self, path: Sequence[str]) -> None:
        if path:
            self.branches.setdefault(path[0], _Tree()).add(path[1:])


@dataclass(slots=True)
class Abstraction:
    """Compares states of the model with what an adapter observes, apart from what it elides.

    `observed`: the indices of the variables that are compared.
    """

    variables: Sequence[str]
    model_values: frozenset[str]
    observed: tuple[int, ...]
    _elided: dict[int, _Tree]
    _projections: dict[tuple[int, Value], Value] = field(default_factory=dict)
    _values: dict[bytes, Value] = field(default_factory=dict)

    @classmethod
    def of(
        cls, variables: Sequence[str], model_values: frozenset[str], shown: Mapping[str, Any], elided: Mapping[str, str]
    ) -> Abstraction:
        """The abstraction of an adapter that shows these variables. Raise `AbstractionError` if any is unaccounted."""
        problems = [f"observe() shows {name}, which is no variable of the model." for name in shown]
        problems = [text for name, text in zip(shown, problems, strict=True) if name not in variables]
        problems += [
            f"The variable {name} is neither observed nor elided: show it in observe(), or give the reason in elided()."
            for name in variables
            if name not in shown and name not in elided
        ]
        problems += [
            f"The variable {name} is both observed and elided: delete one." for name in shown if name in elided
        ]
        problems += [f"elided() gives no reason for {name}." for name, reason in elided.items() if not reason.strip()]
        if problems:
            raise AbstractionError(problems)
        trees: dict[int, _Tree] = {}
        for path in elided:
            name, *inside = path.split(".")
            if name in variables and inside:
                trees.setdefault(list(variables).index(name), _Tree()).add(inside)
        observed = tuple(index for index, name in enumerate(variables) if name in shown)
        return cls(variables, model_values, observed, trees)

    def matches(self, state: Sequence[Value], shown: Mapping[str, Any]) -> bool:
        """Whether this is the state that the implementation shows. Raise `ValueError` for what is no value."""
        if len(shown) != len(self.observed):
            return False
        for index in self.observed:
            name = self.variables[index]
            if name not in shown:
                return False
            value = self._read(shown[name])
            if value == state[index]:
                continue
            expected = self.project(index, state[index])
            value = self._without(value, self._elided[index]) if index in self._elided else value
            # a string may be spelt like a model value: then only the canonical form says that both mean the same
            if value != expected and canonical(to_itf(value)) != canonical(to_itf(expected)):
                return False
        return True

    def _read(self, shown: Any) -> Value:
        """`from_itf`, remembered by the bytes of the value: most values are shown many times."""
        try:
            key = marshal.dumps(shown, 2)  # version 2: no references, so equal values give equal bytes
        except ValueError:
            return from_itf(shown, self.model_values)
        found = self._values.get(key)
        if found is None:
            if len(self._values) > _KEPT:
                self._values.clear()
            found = self._values[key] = from_itf(shown, self.model_values)
        return found

    def project(self, index: int, value: Value) -> Value:
        """The value of a variable without what is elided in it."""
        tree = self._elided.get(index)
        if tree is None:
            return value
        key = (index, value)
        found = self._projections.get(key)
        if found is None:
            if len(self._projections) > _KEPT:
                self._projections.clear()
            found = self._projections[key] = self._without(value, tree)
        return found

    def expected(self, state: Sequence[Value]) -> dict[str, Any]:
        """A state of the model as ITF: the observed variables without what is elided."""
        return {self.variables[index]: to_itf(self.project(index, state[index])) for index in self.observed}

    def shown(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        """What the implementation shows, as ITF in the same form as `expected`, as far as it can be read."""
        form: dict[str, Any] = {}
        for name in shown:
            try:
                value = from_itf(shown[name], self.model_values)
            except ValueError:
                form[name] = {"#unserializable": repr(shown[name])}
                continue
            index = list(self.variables).index(name) if name in self.variables else -1
            form[name] = to_itf(self._without(value, self._elided[index]) if index in self._elided else value)
        return form

    def _without(self, value: Value, tree: _Tree) -> Value:
        kind = type(value)
        if kind is Function:
            if all(type(key) is str for key in value[0].keys):
                return function(
                    {
                        key: self._without(item, tree.branches[key]) if key in tree.branches else item
                        for key, item in value.items()
                        if key not in tree.branches or tree.branches[key].branches
                    }
                )
            return function({key: self._without(item, tree) for key, item in value.items()})
        if kind is tuple:
            return tuple(self._without(item, tree) for item in value)
        if kind is frozenset:
            return frozenset(self._without(item, tree) for item in value)
        return value


@dataclass(slots=True)
class Account:
    """What an `Accountable` adapter leaves unaccounted in the states in which it was asked."""

    seen: set[str] = field(default_factory=set)
    asked: bool = False

    def ask(self, adapter: Adapter) -> list[str]:
        """The fields that are there now and neither mapped nor elided, as sentences; nothing for another adapter."""
        if not isinstance(adapter, Accountable):
            return []
        self.asked = True
        fields = set(adapter.fields())
        covered = {*adapter.mapped(), *adapter.elided()}
        new, self.seen = fields - self.seen, self.seen | fields
        return [
            f"The field {name} of the implementation is neither mapped nor elided."
            for name in sorted(new)
            if not _covered(name, covered)
        ]

    def stale(self, adapter: Adapter, variables: Collection[str]) -> list[str]:
        """What is mapped and was never there, as sentences."""
        if not self.asked or not isinstance(adapter, Accountable):
            return []
        mapped = adapter.mapped()
        return [
            f"mapped() names the field {name}, which the implementation does not have."
            for name in sorted(mapped)
            if not any(field == name or field.startswith(f"{name}.") for field in self.seen)
        ] + [
            f"mapped() says that {name} is shown by {path}, and the model has no variable {path.split('.')[0]}."
            for name, path in sorted(mapped.items())
            if path.split(".")[0] not in variables
        ]


def _covered(name: str, covered: set[str]) -> bool:
    """Whether a field, or one that it is part of, is accounted for."""
    parts = name.split(".")
    return any(".".join(parts[:count]) in covered for count in range(1, len(parts) + 1))
