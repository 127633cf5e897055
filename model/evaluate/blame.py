"""Why a step is not possible in a state: the first conjunct of the action that is false, and the values in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from rmqproof.model.actions.form import (
    Arms,
    Changing,
    Choice,
    Conjunction,
    Disjunction,
    Enter,
    Inside,
    Local,
    form_of,
)
from rmqproof.model.evaluate.lazy import frozen
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import (
    ACTION,
    Binding,
    Builtin,
    Call,
    ConstantReference,
    Definition,
    Expression,
    FieldAccess,
    FunctionApplication,
    Let,
    Literal,
    Quantified,
    Reference,
    VariableReference,
)
from rmqproof.model.tla.source import Location, TlaError
from rmqproof.model.tla.substitute import substitute
from rmqproof.model.tla.walk import bound_names, children

_COMPARISONS = frozenset(("=", "#", "/=", "\\in", "\\notin", "\\subseteq"))
_MOST_ALTERNATIVES = 16
_MOST_VALUES = 6
_TEXT = 160


@dataclass(frozen=True, slots=True)
class Blame:
    """The first false conjunct. `passed`: conjuncts before it that are true, a measure of how near the step is.

    `text` is the conjunct as it is written, `values` are what its parts are in this state, each as text.
    """

    passed: int
    text: str
    at: Location | None
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action is not possible with these arguments; None: the next-state action does not come to a call of it.

    `blame` None: no conjunct about the state alone is false.
    """

    arguments: tuple[Value, ...] | None
    blame: Blame | None


class Blamer:
    """Asks a model's actions why they are not enabled."""

    def __init__(self, system: PythonSystem) -> None:
        self.system = system

    def blame(self, action: str, arguments: Sequence[Value], state: State) -> Blame | None:
        """The first false conjunct of `action(arguments)`; None when none is found, as where it is enabled."""
        definition = self.system.model.specification.definitions.get(action)
        if definition is None or len(definition.parameters) != len(arguments):
            return None
        return self._walk(self._applied(definition, arguments), state, (), 0)[1]

    def reasons(self, action: str, state: State, most: int = 64) -> list[Reason]:
        """Why `action` is not possible, for each way in which the next-state action calls it: nearest first."""
        found: list[Reason] = []
        assert self.system.model.next is not None
        self._reach(self.system.model.next, action, state, (), found, most)
        if not found:
            found.append(Reason(None, self._walk(self.system.model.next, state, (), 0)[1]))
        return sorted(found, key=lambda reason: -reason.blame.passed if reason.blame is not None else -1_000)

    def _reach(
        self, node: Expression, action: str, state: State, around: tuple[Let, ...], found: list[Reason], most: int
    ) -> None:
        """Go to the calls of an action; what is false before one is come to is the reason."""
        if len(found) >= most or not _leads(node, action):
            return
        match form_of(node):
            case Enter(call) if call.definition.name == action:
                arguments = tuple(self._value(argument, state, around) for argument in call.arguments)
                found.append(Reason(arguments, self._walk(_body(call), state, around, 0)[1]))
            case Enter(call):
                self._reach(_body(call), action, state, around, found, most)
            case Disjunction(parts):
                for part in parts:
                    self._reach(part, action, state, around, found, most)
            case Conjunction(parts):
                for part in parts:
                    blame = None if _has_prime(part) else self._walk(part, state, around, 0)[1]
                    if blame is not None:
                        found.append(Reason(None, blame))
                        return
                    self._reach(part, action, state, around, found, most)
            case Inside(body):
                self._reach(body, action, state, around, found, most)
            case Changing(step):
                self._reach(step.action, action, state, around, found, most)
            case Local(let):
                self._reach(let.body, action, state, (*around, let), found, most)
            case Choice(quantified):
                blame, branches = self._instances(quantified, state, around)
                if blame is not None:
                    found.append(Reason(None, blame))
                for branch in branches:
                    self._reach(branch, action, state, around, found, most)
            case Arms(arms, otherwise):
                self._arm(arms, otherwise, action, state, around, found, most)

    def _arm(
        self,
        arms: Sequence[tuple[Expression, Expression]],
        otherwise: Expression | None,
        action: str,
        state: State,
        around: tuple[Let, ...],
        found: list[Reason],
        most: int,
    ) -> None:
        """The arm that is taken; where another one would lead to the action, its condition is the reason."""
        for condition, body in arms:
            blame = self._walk(condition, state, around, 0)[1]
            if blame is None:
                self._reach(body, action, state, around, found, most)
                return
            if _leads(body, action):
                found.append(Reason(None, blame))
        if otherwise is not None:
            self._reach(otherwise, action, state, around, found, most)

    def _applied(self, definition: Definition, arguments: Sequence[Value]) -> Expression:
        values: dict[Binding, Expression] = {}
        for parameter, value in zip(definition.parameters, arguments, strict=True):
            values[parameter] = self._constant(parameter, value)
        return substitute(definition.body, values)

    def _constant(self, binding: Binding, value: Value) -> Expression:
        return ConstantReference(binding.at, self.system.fixed(binding.name, binding.at, value))

    def _walk(self, node: Expression, state: State, around: tuple[Let, ...], passed: int) -> tuple[int, Blame | None]:
        """How many conjuncts are true, and the first that is not."""
        form = form_of(node)
        match form:
            case Conjunction(parts):
                for part in parts:
                    passed, found = self._walk(part, state, around, passed)
                    if found is not None:
                        return passed, found
                return passed, None
            case Inside(body):
                return self._walk(body, state, around, passed)
            case Local(let):
                return self._walk(let.body, state, (*around, let), passed)
        if not _has_prime(node):
            return self._test(node, state, around, passed)
        match form:
            case Disjunction(parts):
                return self._best([(part, around) for part in parts], state, passed)
            case Choice(quantified):
                return self._exists(quantified, state, around, passed)
            case Changing(step):
                return self._walk(step.action, state, around, passed)
            case Arms(arms, otherwise):
                for guard, body in arms:
                    if self._value(guard, state, around):
                        return self._walk(body, state, around, passed)
                return (passed, None) if otherwise is None else self._walk(otherwise, state, around, passed)
            case Enter(call) if call.definition.level >= ACTION and not call.definition.recursive:
                return self._walk(_body(call), state, around, passed)
        return passed + 1, None  # an effect: it gives a variable its next value

    def _best(
        self, branches: Sequence[tuple[Expression, tuple[Let, ...]]], state: State, passed: int
    ) -> tuple[int, Blame | None]:
        """The alternative that gets farthest."""
        best: tuple[int, Blame | None] | None = None
        for node, around in branches[:_MOST_ALTERNATIVES]:
            found = self._walk(node, state, around, passed)
            if found[1] is None:
                return found
            if best is None or found[0] > best[0]:
                best = found
        return best if best is not None else (passed, None)

    def _exists(self, node: Quantified, state: State, around: tuple[Let, ...], passed: int) -> tuple[int, Blame | None]:
        if node.binders[0].domain is None or node.binders[0].is_tuple:
            return passed + 1, None
        blame, branches = self._instances(node, state, around)
        if blame is not None:
            return passed, replace(blame, passed=passed)
        return self._best([(branch, around) for branch in branches], state, passed)

    def _instances(
        self, node: Quantified, state: State, around: tuple[Let, ...]
    ) -> tuple[Blame | None, list[Expression]]:
        """The body for each element of the first set; or why there is none."""
        binder, *others = node.binders
        rest: Expression = replace(node, binders=tuple(others)) if others else node.body
        if binder.domain is None or binder.is_tuple:
            return None, []
        try:
            elements = ordered(frozen(self._value(binder.domain, state, around)))
        except TlaError as error:
            return Blame(0, written(binder.domain), binder.domain.at, (("error", error.message),)), []
        if not elements:
            text = f"\\E {binder.bindings[0].name} \\in {written(binder.domain)}"
            return Blame(0, text, binder.domain.at, ((written(binder.domain), "{}"),)), []
        branches = []
        for values in product(elements, repeat=len(binder.bindings)):
            given = zip(binder.bindings, values, strict=True)
            branches.append(substitute(rest, {binding: self._constant(binding, value) for binding, value in given}))
        return None, branches

    def _test(self, node: Expression, state: State, around: tuple[Let, ...], passed: int) -> tuple[int, Blame | None]:
        if isinstance(node, Call) and not node.definition.recursive:
            # the conjuncts of a guard that has a name tell more than the name
            body = _body(node)
            if isinstance(body, Builtin) and body.operator == "/\\":
                return self._walk(body, state, around, passed)
        try:
            if self._value(node, state, around):
                return passed + 1, None
        except TlaError as error:
            return passed, Blame(passed, written(node), node.at, (("it cannot be evaluated", error.message),))
        return passed, Blame(passed, written(node), node.at, tuple(self._values(node, state, around)))

    def _values(self, node: Expression, state: State, around: tuple[Let, ...]) -> Iterator[tuple[str, str]]:
        """The values of the parts that say something, largest parts first."""
        seen: set[str] = set()
        for part in _telling(node):
            text = written(part)
            if text in seen or len(seen) >= _MOST_VALUES:
                continue
            seen.add(text)
            try:
                value = shorten(self._value(part, state, around))
            except (TlaError, ValueError):
                continue
            if value != text:
                yield text, value

    def _value(self, node: Expression, state: State, around: tuple[Let, ...]) -> Value:
        for let in reversed(around):
            node = Let(let.at, let.definitions, node)
        return self.system.evaluate_state(node, state)


def _body(call: Call) -> Expression:
    return substitute(call.definition.body, dict(zip(call.definition.parameters, call.arguments, strict=True)))


def _leads(node: Expression, action: str) -> bool:
    """Whether a call of the action stands in the formula, or in a definition that it calls."""
    nodes, seen = [node], set[Definition]()
    while nodes:
        inner = nodes.pop()
        if isinstance(inner, Call) and inner.definition not in seen:
            if inner.definition.name == action:
                return True
            seen.add(inner.definition)
            if inner.definition.level >= ACTION:
                nodes.append(inner.definition.body)
        nodes += children(inner)
    return False


def _telling(node: Expression) -> Iterator[Expression]:
    """The parts of a false formula whose values explain it."""
    match node:
        case Literal():
            return
        case Builtin(operator=operator, arguments=arguments) if operator in _COMPARISONS or "!" in operator:
            yield from (part for part in arguments if not isinstance(part, Literal) and not _free(part))
            return
        case Builtin(operator="~" | "=>" | "/\\" | "\\/" | "<=>", arguments=arguments):
            for part in arguments:
                yield from _telling(part)
            return
        case Call(arguments=arguments):
            yield from (part for part in arguments if not isinstance(part, Literal) and not _free(part))
            body = node.definition.body
            if not node.definition.parameters:
                yield from _telling(body)
            return
        case Quantified(binders=binders):
            for binder in binders:
                if binder.domain is not None and not _free(binder.domain):
                    yield binder.domain
            return
        case VariableReference() | FieldAccess() | FunctionApplication() | ConstantReference():
            yield node
            return
    for part in children(node):
        if not _free(part):
            yield from _telling(part)


def _free(node: Expression, bound: frozenset[Binding] = frozenset()) -> bool:
    """Whether a name stands in it that something around it binds."""
    if isinstance(node, Reference):
        return node.binding not in bound
    bound |= frozenset(bound_names(node))
    return any(_free(part, bound) for part in children(node))


def _has_prime(node: Expression) -> bool:
    if isinstance(node, Builtin) and node.operator in ("'", "UNCHANGED"):
        return True
    if isinstance(node, Call) and node.definition.level >= ACTION:
        return True
    if isinstance(node, Let) and any(_has_prime(definition.body) for definition in node.definitions):
        return True
    return any(_has_prime(part) for part in children(node))


def written(node: Expression) -> str:
    """An expression as it is written, in one line."""
    text = node.at.text
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"
