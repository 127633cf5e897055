"""Values for what a lemma speaks of: constants that are open, new symbols, a state or a step."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rmqproof.model.evaluate.literals import literal
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.values import FALSE, TRUE, function, model_value
from rmqproof.model.evaluate.values import Function as FunctionOf
from rmqproof.model.judge.values import engine_value, reference_state, reference_value
from rmqproof.model.prove.environment import Environment
from rmqproof.model.prove.formulas import gives_values
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.subject import Subject, open_constants
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.translate import Translator
from rmqproof.model.reference import EvaluationError, Reference
from rmqproof.model.reference.actions import Way
from rmqproof.model.reference.moment import UNSET, Moment
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Atom, Bool, Enum, Function, Int, Record, Seq, Set, Tuple, Type, Union

_LOW, _HIGH, _LONGEST = -1, 4, 3
_STEPS = 40
"""A walk is so long."""

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class World:
    """Values of the Python engine. `now`, `then`: the variables before and after a step."""

    constants: Mapping[core.Constant, Any] = field(default_factory=dict)
    bindings: Mapping[str, Any] = field(default_factory=dict)
    now: Values | None = None
    then: Values | None = None


@dataclass(eq=False)
class Worlds:
    """Worlds of a lemma, drawn. Constant sets are as the configuration gives them."""

    subject: Subject
    lemma: Lemma
    draw: random.Random

    def of_state(self, number: int) -> Iterator[World]:
        """So many: reachable states, such as have variables from other ones, and such with other numbers in them."""
        for _ in range(number):
            now = self._state() if self.subject.types else None
            yield World(self._constants(), self._bindings(now), now)

    def of_step(self, number: int) -> Iterator[World]:
        """For each of so many states, if there is a step from it: one by the lemma's action, and one that it may be."""
        action = next(h.formula for h in self.lemma.hypotheses if gives_values(h.formula))
        for _ in range(number):
            now = self._state()
            bindings = self._bindings(now)
            try:
                found = list(self._after(action, now, bindings))
            except EvaluationError:
                continue
            if found:
                world = World(self._configured, bindings, now, self.draw.choice(found))
                assert world.then is not None
                yield world
                yield replace(world, then=(self._mixed if self.draw.random() < 0.5 else self._shaken)(world.then))

    def _after(self, action: core.Expression, now: Values, bindings: Mapping[str, Any]) -> Iterator[Values]:
        """The states after steps by the action, as the reference evaluator takes them."""
        state = reference_state(now)
        way = Way(Moment(state, (UNSET,) * len(state)))
        env = {b: reference_value(bindings[b.name]) for b, _ in self.lemma.fresh}
        for found in self.reference.actions.follow(action, env, way):
            if found.complete:
                yield tuple(map(engine_value, found.reached))

    @cached_property
    def reference(self) -> Reference:
        return Reference(self.subject.model)

    @cached_property
    def system(self) -> PythonSystem:
        plain = replace(self.subject.model, constraints=(), action_constraints=(), invariants=(), properties=())
        return system_of(plain)

    @cached_property
    def _reachable(self) -> Sequence[Values]:
        found = []
        for _ in range(20):
            state = self.draw.choice(list(self.system.initial_states()))
            for _ in range(_STEPS):
                found.append(self.system.values(state))
                successors = list(self.system.successors(state))
                if not successors:
                    break
                state = self.draw.choice(successors).state
        return found

    def _state(self) -> Values:
        state = self.draw.choice(self._reachable)
        kind = self.draw.random()
        return state if kind < 0.4 else self._mixed(state) if kind < 0.7 else self._shaken(state)

    def _mixed(self, state: Values) -> Values:
        """Some variables as in other states."""
        return tuple(
            self.draw.choice(self._reachable)[index] if self.draw.random() < 0.3 else value
            for index, value in enumerate(state)
        )

    def _shaken(self, state: Values) -> Values:
        """One variable with other numbers, truth values and names."""
        index = self.draw.randrange(len(state))
        return (*state[:index], self._other(state[index]), *state[index + 1 :])

    def _other(self, value: Any) -> Any:
        """The value with some of its parts changed; of the same shape."""
        if value is TRUE or value is FALSE:
            return self.draw.choice((TRUE, FALSE))
        if isinstance(value, int):
            return value + self.draw.choice((-1, 0, 0, 1))
        if isinstance(value, FunctionOf):
            return function({k: self._other(item) if self.draw.random() < 0.5 else item for k, item in value.items()})
        if isinstance(value, tuple):
            items = [self._other(item) if self.draw.random() < 0.5 else item for item in value]
            return tuple(items[: len(items) - 1] if items and self.draw.random() < 0.2 else items)
        if isinstance(value, frozenset):
            return frozenset(self._other(item) for item in value if self.draw.random() < 0.8)
        return value

    def _constants(self) -> dict[core.Constant, Any]:
        return {c: self._of(self.subject.free_type(c)) for c in self.subject.free}

    @cached_property
    def _configured(self) -> dict[core.Constant, Any]:
        return {c: self.system.constant(c.value) for c in self.subject.free if c.value is not None}

    def _bindings(self, now: Values | None) -> dict[str, Any]:
        """Values of the new symbols: of their types, or such as are in the state."""
        found = {name: self._of(type_) for name, type_ in self._types.items()}
        for binding, domain in self.lemma.fresh if now is not None else ():
            inside = [value for value in _parts(now) if self._is_in(value, domain)]
            if inside and self.draw.random() < 0.7:
                found[binding.name] = self.draw.choice(inside)
        return found

    def _is_in(self, value: Any, domain: core.Expression) -> bool:
        try:
            member = core.Builtin(domain.at, "\\in", (literal(value, domain.at), domain))
            return self.reference.holds(member)
        except EvaluationError:
            return False

    @cached_property
    def _types(self) -> dict[str, Type]:
        maker = Maker()
        translator = Translator(axioms=maker.constraints)
        open_constants(self.subject, translator, maker)
        known: dict[core.Binding, Any] = {}
        found: dict[str, Type] = {}
        for binding, domain in self.lemma.fresh:
            found[binding.name] = translator.value(domain, Environment(known)).element
            known[binding] = maker.make(found[binding.name], binding.name)
        return found

    def _of(self, type_: Type) -> Any:
        """Some value of the type, with small numbers and few elements."""
        draw = self.draw
        match type_:
            case Bool():
                return draw.choice((TRUE, FALSE))
            case Int():
                return draw.randint(_LOW, _HIGH)
            case Enum():
                return _named(draw.choice(sorted(type_.atoms)))
            case Seq():
                return tuple(self._of(type_.element) for _ in range(draw.randint(0, _LONGEST)))
            case Set():
                return frozenset(self._of(type_.element) for _ in range(draw.randint(0, _LONGEST)))
            case Tuple():
                return tuple(map(self._of, type_.items))
            case Record():
                return function({name: self._of(item) for name, item in type_.fields})
            case Function(key=Enum(atoms)):
                keys = sorted(atoms)
                kept = keys if type_.total else [key for key in keys if draw.random() < 0.7]
                return function({_named(key): self._of(type_.value) for key in kept})
            case Union():
                return self._of(draw.choice(type_.members))
        raise NotImplementedError(type_)


def _named(atom: Atom) -> Any:
    return model_value(atom.name) if atom.is_model else atom.name


def _parts(value: Any) -> Iterator[Any]:
    """The value and what is in it, each once."""
    seen = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if part not in seen:
            seen.add(part)
            yield part
            if isinstance(part, FunctionOf):
                waiting += [item for pair in part.items() for item in pair]
            elif isinstance(part, tuple | frozenset):
                waiting += part
