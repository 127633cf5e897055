"""Small changes of a next-state relation, as a slip of the pen makes them: each is one mutant.

A mutant is a definition (or the next-state relation itself) in which one expression is another. Definitions are changed
in place while a mutant is looked at, and put back: nothing of the tree is copied but the one body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, count

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.walk import children, reached, rebuild, used_by

_SWAPPED: Mapping[str, str] = {
    "Naturals!<": "Naturals!<=",
    "Naturals!<=": "Naturals!<",
    "Naturals!>": "Naturals!>=",
    "Naturals!>=": "Naturals!>",
    "Naturals!+": "Naturals!-",
    "Naturals!-": "Naturals!+",
    "\\cup": "\\cap",
    "\\cap": "\\cup",
}
"""Operators, and what is written for them by mistake, anywhere."""
_IN_GUARDS: Mapping[str, str] = {"=": "#", "#": "=", "\\in": "\\notin", "\\notin": "\\in"}
"""The same where no variable is given a value."""


@dataclass(frozen=True, slots=True, eq=False)
class Mutant:
    """`host` None: the change is in the next-state relation as the configuration names it. `rule` is of `RULES`."""

    number: int
    rule: str
    host: core.Definition | None
    at: Location
    sentence: str
    body: core.Expression
    old: core.Expression
    new: core.Expression
    """`body` is the definition's with `new` in the place of `old`."""
    left_out: core.Expression | None = None
    """One of a list."""
    part: str = ""
    """What is left out of a list, as it is written."""
    bound: str = ""
    """The constants that the conjunct left out compares with."""

    @property
    def where(self) -> str:
        """The definition that is changed."""
        return self.host.name if self.host is not None else "Next"


RULES = (
    "conjunct left out",
    "disjunct left out",
    "update left out",
    "effect left out",
    "comparison",
    "arithmetic",
    "set operation",
    "negation",
    "number",
    "truth value",
    "branches swapped",
    "quantifier",
    "antecedent left out",
    "updates swapped",
)


@contextmanager
def mutated(model: core.Model, mutant: Mutant) -> Iterator[core.Model]:
    """The model with the change; the definitions are as before afterwards."""
    if mutant.host is None:
        yield replace(model, next=mutant.body)
        return
    before = mutant.host.body
    mutant.host.body = mutant.body
    try:
        yield model
    finally:
        mutant.host.body = before


def mutants_of(model: core.Model) -> list[Mutant]:
    """The mutants of the next-state relation, in the order of the text of each definition that it leads to."""
    if model.next is None:
        return []
    analysis = Analysis()
    numbers = count(1)
    found: list[Mutant] = []
    for host, body in hosts_of(model.next):
        for node in _nodes(body):
            for change in _changes(node, analysis):
                at = change.part.at if change.part is not None else node.at
                found.append(
                    Mutant(
                        number=next(numbers),
                        rule=change.rule,
                        host=host,
                        at=at,
                        sentence=change.sentence,
                        body=replaced(body, node, change.new),
                        old=node,
                        new=change.new,
                        left_out=change.part,
                        part=written(at) if change.part is not None else "",
                        bound=_bounds(change.part),
                    )
                )
    return found


def interleaved(mutants: list[Mutant]) -> list[Mutant]:
    """One of each definition in turn, so that a part of them says something of all."""
    by_host: dict[core.Definition | None, list[Mutant]] = {}
    for mutant in mutants:
        by_host.setdefault(mutant.host, []).append(mutant)
    longest = max(map(len, by_host.values()), default=0)
    return [each[turn] for turn in range(longest) for each in by_host.values() if turn < len(each)]


def written(at: Location) -> str:
    """The text of a place, on one line and not too long."""
    return at.text if len(at.text) <= 80 else f"{at.text[:77]}..."


def hosts_of(next_step: core.Expression) -> Iterator[tuple[core.Definition | None, core.Expression]]:
    """The next-state relation and the definitions of the user's modules that it leads to, each with its body."""
    if not isinstance(next_step, core.Call):
        yield None, next_step
    seen: set[core.Definition] = set()
    for node in reached(next_step):
        for definition in used_by(node):
            if definition not in seen and _is_changed(definition):
                yield definition, definition.body
            seen.add(definition)


def _is_changed(definition: core.Definition) -> bool:
    """One of the user's modules that is no constant: those are what the model is about."""
    constant = definition.level == core.CONSTANT and not definition.parameters
    return definition.at.source.name.endswith(".tla") and not definition.recursive and not constant


def _nodes(body: core.Expression) -> Iterator[core.Expression]:
    yield body
    for child in children(body):
        yield from _nodes(child)


def replaced(body: core.Expression, old: core.Expression, new: core.Expression) -> core.Expression:
    """`body` with `new` where `old` stands; what does not contain it is what it was."""
    if body is old:
        return new
    if not any(node is old for node in _nodes(body)):
        return body
    return rebuild(body, partial(replaced, old=old, new=new))


@dataclass(frozen=True, slots=True)
class Change:
    """`new` takes the place; `part` is what was left out of a list."""

    rule: str
    new: core.Expression
    sentence: str
    part: core.Expression | None = None


def _bounds(part: core.Expression | None) -> str:
    """The constant that a comparison keeps something below; empty for another formula."""
    if not isinstance(part, core.Builtin):
        return ""
    sign = part.operator.partition("!")[2]
    upper = part.arguments[1] if sign in ("<", "<=") else part.arguments[0] if sign in (">", ">=") else None
    return upper.constant.name if isinstance(upper, core.ConstantReference) else ""


def _changes(node: core.Expression, analysis: Analysis) -> Iterator[Change]:
    match node:
        case core.Builtin():
            yield from _of_operator(node, analysis)
        case core.Literal():
            yield from _of_literal(node)
        case core.If():
            swapped = core.If(node.at, node.condition, node.otherwise, node.then)
            yield Change("branches swapped", swapped, f"THEN and ELSE swapped in {quoted(node)}")
        case core.Quantified() if not analysis.of(node).primed:
            other = "\\A" if node.kind == "\\E" else "\\E"
            new = core.Quantified(node.at, other, node.binders, node.body)
            yield Change("quantifier", new, f"{other} for {node.kind} in {quoted(node)}")
        case core.Except():
            yield from _of_except(node)


def quoted(node: core.Expression) -> str:
    return f"`{written(node.at)}`"


def _of_operator(node: core.Builtin, analysis: Analysis) -> Iterator[Change]:
    operator, arguments = node.operator, node.arguments
    guard = not analysis.of(node).primed
    if operator == "/\\":
        yield from _of_conjunction(node, analysis)
    elif operator == "\\/" and len(arguments) > 1:
        for index, argument in enumerate(arguments):
            rest = (*arguments[:index], *arguments[index + 1 :])
            yield Change("disjunct left out", _joined(node, rest), f"{quoted(argument)} left out", argument)
    elif _plain(operator) in _SWAPPED:
        name = _SWAPPED[_plain(operator)].partition("!")[2]
        other = f"{operator.partition('!')[0]}!{name}" if name else _SWAPPED[operator]
        rule = "set operation" if not name else "arithmetic" if name in "+-" else "comparison"
        yield Change(rule, core.Builtin(node.at, other, arguments), _swap(operator, other, node))
    elif operator == "\\":
        yield Change("set operation", arguments[0], f"{quoted(arguments[0])} for {quoted(node)}")
    elif operator in _IN_GUARDS and guard:
        other = _IN_GUARDS[operator]
        yield Change("comparison", core.Builtin(node.at, other, arguments), _swap(operator, other, node))
    elif operator == "=>" and guard:
        yield Change("antecedent left out", arguments[1], f"{quoted(arguments[1])} for {quoted(node)}")
    elif operator == "~" and guard:
        yield Change("negation", arguments[0], f"{quoted(arguments[0])} for {quoted(node)}")


def _swap(operator: str, other: str, node: core.Builtin) -> str:
    return f"{other.partition('!')[2] or other} for {operator.partition('!')[2] or operator} in {quoted(node)}"


def _plain(operator: str) -> str:
    """An operator of Integers or Reals by its name in Naturals."""
    module, mark, name = operator.partition("!")
    return f"Naturals!{name}" if mark and module in ("Naturals", "Integers", "Reals") else operator


def _of_conjunction(node: core.Builtin, analysis: Analysis) -> Iterator[Change]:
    arguments = node.arguments
    for index, argument in enumerate(arguments):
        before, after = arguments[:index], arguments[index + 1 :]
        if not analysis.of(argument).primed:
            if before or after:
                new = _joined(node, (*before, *after))
                yield Change("conjunct left out", new, f"{quoted(argument)} left out", argument)
            continue
        variable = _assigned(argument)
        if variable is not None and not _keeps(argument):
            kept = core.Builtin(argument.at, "UNCHANGED", (variable,))
            new = core.Builtin(node.at, "/\\", (*before, kept, *after))
            yield Change("effect left out", new, f"UNCHANGED {variable.variable.name} for {quoted(argument)}", argument)


def _assigned(node: core.Expression) -> core.VariableReference | None:
    """The variable of `x' = e` and `x' \\in S`."""
    if isinstance(node, core.Builtin) and node.operator in ("=", "\\in"):
        return primed_variable(node.arguments[0])
    return None


def primed_variable(node: core.Expression) -> core.VariableReference | None:
    """The variable of `x'`."""
    if isinstance(node, core.Builtin) and node.operator == "'":
        inner = node.arguments[0]
        return inner if isinstance(inner, core.VariableReference) else None
    return None


def _keeps(node: core.Expression) -> bool:
    """`x' = x`."""
    assert isinstance(node, core.Builtin)
    variable, right = _assigned(node), node.arguments[1]
    return variable is not None and isinstance(right, core.VariableReference) and right.variable is variable.variable


def _joined(node: core.Builtin, rest: tuple[core.Expression, ...]) -> core.Expression:
    return rest[0] if len(rest) == 1 else core.Builtin(node.at, node.operator, rest)


def _of_literal(node: core.Literal) -> Iterator[Change]:
    if isinstance(node.value, bool):
        other = str(not node.value).upper()
        yield Change("truth value", core.Literal(node.at, not node.value), f"{other} for {str(node.value).upper()}")
    elif isinstance(node.value, int):
        for number in (node.value + 1, node.value - 1):
            if number >= 0:
                yield Change("number", core.Literal(node.at, number), f"{number} for {node.value}")


def _of_except(node: core.Except) -> Iterator[Change]:
    updates = node.updates
    for index in range(len(updates)):
        rest = (*updates[:index], *updates[index + 1 :])
        new = core.Except(node.at, node.function, rest) if rest else node.function
        yield Change("update left out", new, f"update {index + 1} left out of {quoted(node)}")
    for one, other in combinations(range(len(updates)), 2):
        swapped = list(updates)
        swapped[one] = core.Update(updates[one].path, updates[other].value, updates[other].old)
        swapped[other] = core.Update(updates[other].path, updates[one].value, updates[one].old)
        new = core.Except(node.at, node.function, tuple(swapped))
        yield Change("updates swapped", new, f"the values of two updates swapped in {quoted(node)}")
