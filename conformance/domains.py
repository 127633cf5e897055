"""Which actions there are, and with which arguments each can be asked for.

The arguments come from the bound variables of the next-state action: in `\\E b \\in Broker : Crash(b)` any broker may
be asked to crash. Where a bound's set depends on the state (`\\E r \\in requests : Accept(r)`) it is evaluated in each
state, and what it had in other states is a candidate as well: a request that is gone must be refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from random import Random

from rmqproof.model.evaluate.lazy import frozen
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import (
    CONSTANT,
    Binder,
    Binding,
    Builtin,
    Call,
    Definition,
    Expression,
    Label,
    Let,
    Quantified,
    Reference,
    VariableReference,
)
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.walk import children

_STRANGERS = 4
"""Arguments from other states that are tried in one state, at most."""
_REMEMBERED = 256
"""Arguments from other states that are kept for one parameter, at most."""


@dataclass(slots=True)
class _Parameter:
    """A parameter of an action, in one use of it: what it may be, always (`fixed`) or in a state (`domain`), and what
    it was."""

    domain: Callable[[State], Value] | None = None
    fixed: tuple[Value, ...] | None = None
    seen: dict[Value, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Use:
    """One way in which the next-state action calls an action."""

    action: str
    parameters: list[_Parameter]


class FixedValues:
    """What an argument can be in every state. `members`: the same, to be asked for one."""

    def __init__(self, values: tuple[Value, ...]) -> None:
        self.values, self.members = values, frozenset(values)

    def __call__(self, state: State) -> tuple[Value, ...]:
        return self.values


class ActionDomains:
    """The actions of a model and candidates for their arguments.

    `names`: every action that the next-state relation names, those that are never enabled too.
    """

    def __init__(self, system: PythonSystem, most: int = 4096) -> None:
        self.system = system
        self.most = most
        self.cut: set[str] = set()
        """Actions of which more than `most` tuples of arguments would have had to be tried in a state."""
        self._uses: list[_Use] = []
        assert system.model.next is not None
        self._walk(system.model.next, {}, set())
        known = {use.action for use in self._uses}
        self._uses += [_Use(name, []) for name in system.actions if name not in known and name != "Next"]
        self.names = tuple(dict.fromkeys(use.action for use in self._uses))

    def note(self, action: str, arguments: Sequence[Value]) -> None:
        """Remember arguments that an action had, for parameters whose set is not known."""
        for use in self._uses:
            if use.action == action:
                if not use.parameters and arguments:
                    use.parameters = [_Parameter() for _ in arguments]
                for parameter, value in zip(use.parameters, arguments, strict=False):
                    if parameter.fixed is None and len(parameter.seen) < _REMEMBERED:
                        parameter.seen.setdefault(value)

    def candidates(self, state: State, random: Random) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """Actions and arguments to ask for in a state, the enabled ones among them."""
        for use in self._uses:
            values = [self._values(parameter, state, random) for parameter in use.parameters]
            count = 1
            for items in values:
                count *= len(items)
            if count > self.most:
                self.cut.add(use.action)
                for _ in range(self.most):
                    yield use.action, tuple(random.choice(items) for items in values)
            else:
                for arguments in product(*values):
                    yield use.action, arguments

    def number(self, state: State) -> int:
        """Actions with arguments that a state would have to be asked for, to know all its steps."""
        return sum(
            prod(len(self._possible(parameter)(state)) for parameter in use.parameters if self._known(parameter))
            for use in self._uses
        )

    def _known(self, parameter: _Parameter) -> bool:
        return parameter.fixed is not None or parameter.domain is not None

    def _values(self, parameter: _Parameter, state: State, random: Random) -> Sequence[Value]:
        if parameter.fixed is not None:
            return parameter.fixed
        here: dict[Value, None] = {}
        if parameter.domain is not None:
            here = dict.fromkeys(self._evaluated(parameter.domain, state))
        strangers = [value for value in parameter.seen if value not in here]
        if len(strangers) > _STRANGERS:
            strangers = random.sample(strangers, _STRANGERS)
        return [*here, *strangers]

    def _evaluated(self, domain: Callable[[State], Value], state: State) -> tuple[Value, ...]:
        try:
            return _enumerated(domain(state))
        except TlaError:
            return ()  # a set that has no value in this state offers nothing

    def parameters(self, action: str) -> list[list[Callable[[State], tuple[Value, ...]]]] | None:
        """For each way in which an action is called, what its arguments can be in a state; None: not known."""
        found = []
        for use in self._uses:
            if use.action == action:
                if not all(map(self._known, use.parameters)):
                    return None
                found.append([self._possible(parameter) for parameter in use.parameters])
        definition = self.system.model.specification.definitions.get(action)
        arity = len(definition.parameters) if definition is not None else -1
        return found if found and all(len(use) == arity for use in found) else None

    def _possible(self, parameter: _Parameter) -> Callable[[State], tuple[Value, ...]]:
        if parameter.fixed is not None:
            return FixedValues(parameter.fixed)
        domain = parameter.domain
        assert domain is not None
        return lambda state: self._evaluated(domain, state)

    # --- the next-state action -----------------------------------------------------------------------------------

    def _walk(self, node: Expression, bound: dict[Binding, _Parameter], inside: set[Definition]) -> None:
        """Find the calls of actions among the alternatives of a formula."""
        match node:
            case Builtin(operator="\\/"):
                for argument in node.arguments:
                    self._walk(argument, bound, inside)
            case Quantified(kind="\\E"):
                inner = dict(bound)
                for binder in node.binders:
                    self._bind(binder, inner)
                self._walk(node.body, inner, inside)
            case Label():
                self._walk(node.body, bound, inside)
            case Let():
                self._walk(node.body, bound, inside)
            case Call() if node.definition not in inside:
                self._call(node, bound, inside)
            case _:
                pass

    def _call(self, node: Call, bound: dict[Binding, _Parameter], inside: set[Definition]) -> None:
        definition = node.definition
        given = [self._argument(argument, bound) for argument in node.arguments]
        public = self.system.model.specification.definitions.get(definition.name) is definition
        if public and not _is_choice(definition.body):
            self._uses.append(_Use(definition.name, given))
            return
        inner = dict(zip(definition.parameters, given, strict=True))
        self._walk(definition.body, inner, inside | {definition})

    def _argument(self, node: Expression, bound: dict[Binding, _Parameter]) -> _Parameter:
        if isinstance(node, Reference) and node.binding in bound:
            return bound[node.binding]
        if _closed(node):
            try:
                return _Parameter(None, (self.system.constant(node),))
            except TlaError:
                return _Parameter()
        return _Parameter()

    def _bind(self, binder: Binder, bound: dict[Binding, _Parameter]) -> None:
        for binding in binder.bindings:
            bound[binding] = self._domain(None if binder.is_tuple else binder.domain)

    def _domain(self, node: Expression | None) -> _Parameter:
        if node is None or _mentions_bindings(node):
            return _Parameter()
        if _closed(node):
            try:
                return _Parameter(None, _enumerated(self.system.constant(node)))
            except TlaError:
                return _Parameter()
        return _Parameter(self.system.state_value(node))


def _enumerated(value: Value) -> tuple[Value, ...]:
    """The elements of a set in order. Raise `TlaError` for what cannot be enumerated."""
    return tuple(ordered(frozen(value)))


def _is_choice(node: Expression) -> bool:
    """Whether a formula does nothing but choose between other actions."""
    while True:
        match node:
            case Builtin(operator="\\/"):
                return all(_is_choice(part) or _is_action(part) for part in node.arguments)
            case Quantified(kind="\\E") | Label() | Let():
                node = node.body
            case Call():
                return node.definition.level > CONSTANT
            case _:
                return False


def _is_action(node: Expression) -> bool:
    while isinstance(node, Quantified | Label | Let):
        node = node.body
    return isinstance(node, Call)


def _closed(node: Expression) -> bool:
    """Whether an expression depends on no state and on no bound variable."""
    return _level(node) == CONSTANT and not _mentions_bindings(node)


def _level(node: Expression) -> int:
    if isinstance(node, VariableReference):
        return 1
    if isinstance(node, Call) and node.definition.level > CONSTANT:
        return node.definition.level
    if isinstance(node, Builtin) and node.operator in ("'", "UNCHANGED"):
        return 2
    return max((_level(child) for child in children(node)), default=CONSTANT)


def _mentions_bindings(node: Expression) -> bool:
    """Whether a bound variable is free in an expression. Those that it binds itself count too, to be simple."""
    return isinstance(node, Reference) or any(_mentions_bindings(child) for child in children(node))
