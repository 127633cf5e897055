"""What names stand for where an action is followed, and which variable an expression is.

Each engine has environments of its own; what is asked of one is `Scope`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, Self, TypeVar

from rmqproof.model.tla import core


class Scope(Protocol):
    """What the names around an expression stand for."""

    def passed(self, parameter: core.Binding) -> tuple[core.Expression, Self] | None:
        """The expression that a parameter stands for, and the scope of that; None where it stands for a value."""
        ...

    def within(self, definition: core.Definition) -> Self:
        """The scope of the body of a definition without parameters that is used here."""
        ...


S = TypeVar("S", bound=Scope)


class NothingPassed:
    """A scope in which no parameter stands for an expression."""

    def passed(self, parameter: core.Binding) -> None:
        return None

    def within(self, definition: core.Definition) -> NothingPassed:
        return self


NOTHING_PASSED = NothingPassed()


def variable_of(node: core.Expression, scope: Scope, primed: bool) -> core.Variable | None:
    """The variable that an expression is, or is the prime of, through arguments and definitions without parameters
    (TLC's `Tool.getVar` and `getPrimedVar`)."""
    entered: set[core.Definition] = set()
    while True:
        match node:
            case core.VariableReference():
                return None if primed else node.variable
            case core.Builtin(operator="'") if primed:
                node, primed = node.arguments[0], False
            case core.Reference():
                found = scope.passed(node.binding)
                if found is None:
                    return None
                node, scope = found
            case core.Call(definition=used) if not node.arguments and not used.recursive and used not in entered:
                entered.add(used)
                node, scope = used.body, scope.within(used)
            case core.Let() | core.Label():
                node = node.body
            case _:
                return None


def kept_parts(node: core.Expression, scope: S) -> Iterator[tuple[core.Expression, S]]:
    """What UNCHANGED says to keep, part by part: the variables of a tuple of tuples, through arguments and definitions
    without parameters, and whatever else stands there (TLC's `Tool.processUnchanged`)."""
    match node:
        case core.TupleExpression():
            for item in node.items:
                yield from kept_parts(item, scope)
            return
        case core.Call(definition=used) if not node.arguments and not used.recursive:
            yield from kept_parts(used.body, scope.within(used))
            return
        case core.Label():
            yield from kept_parts(node.body, scope)
            return
        case core.Reference() if (found := scope.passed(node.binding)) is not None:
            yield from kept_parts(*found)
            return
    yield node, scope
