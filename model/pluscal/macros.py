"""Calls of macros, replaced by what they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rmqproof.model.pluscal.expression import Expression
from rmqproof.model.pluscal.lexer import Kind, PlusCalError
from rmqproof.model.pluscal.tree import (
    Algorithm,
    Assert,
    Assignment,
    Await,
    Call,
    Clause,
    Either,
    Goto,
    If,
    Macro,
    MacroCall,
    Print,
    Return,
    SingleAssignment,
    Skip,
    Statement,
    While,
    With,
)

_Place = tuple[int, int]


def expand(algorithm: Algorithm) -> None:
    """In every macro with those before it, and in every body."""
    for number, macro in enumerate(algorithm.macros):
        macro.body = _expanded(macro.body, algorithm.macros[:number])
    for unit in algorithm.units:
        unit.statements = _expanded(unit.statements, algorithm.macros)


def _expanded(body: Sequence[Statement], macros: Sequence[Macro]) -> list[Statement]:
    found: list[Statement] = []
    for statement in body:
        if isinstance(statement, If):
            statement.then = _expanded(statement.then, macros)
            statement.other = _expanded(statement.other, macros)
        elif isinstance(statement, Either):
            for clause in statement.clauses:
                clause.body = _expanded(clause.body, macros)
        elif isinstance(statement, With | While):
            statement.body = _expanded(statement.body, macros)
        elif isinstance(statement, MacroCall):
            found += _meaning(statement, macros)
            continue
        found.append(statement)
    return found


def _meaning(call: MacroCall, macros: Sequence[Macro]) -> list[Statement]:
    macro = next((macro for macro in reversed(macros) if macro.name == call.name), None)
    if macro is None:
        raise PlusCalError(
            f"There is no macro {call.name}.",
            call.line,
            call.column - 1,
            "A procedure is called by `call`; a macro has to stand before the one that calls it.",
        )
    if len(macro.parameters) != len(call.arguments):
        raise PlusCalError(
            f"The macro {call.name} has {len(macro.parameters)} parameters, and gets {len(call.arguments)} arguments.",
            call.line,
            call.column - 1,
        )
    meaning = dict(zip(macro.parameters, call.arguments, strict=True))
    found = _copies(macro.body, meaning, (call.line, call.column))
    if found:
        found[0].label = call.label
    return found


def _copies(body: Sequence[Statement], meaning: Mapping[str, Expression], at: _Place) -> list[Statement]:
    return [_copy(statement, meaning, at) for statement in body]


def _copy(statement: Statement, meaning: Mapping[str, Expression], at: _Place) -> Statement:
    def put(expression: Expression) -> Expression:
        return expression.replaced(meaning, parenthesised=True)

    def inner(body: Sequence[Statement]) -> list[Statement]:
        return _copies(body, meaning, at)

    result: Statement
    match statement:
        case Assignment():
            result = Assignment([_assigned(part, meaning, at) for part in statement.parts])
        case If():
            result = If(put(statement.test), inner(statement.then), inner(statement.other))
        case Either():
            result = Either([Clause(inner(clause.body)) for clause in statement.clauses])
        case With():
            result = With(statement.variable, statement.equal, put(statement.value), inner(statement.body))
        case While():
            result = While(put(statement.test), inner(statement.body))
        case Await():
            result = Await(put(statement.condition))
        case Print():
            result = Print(put(statement.value))
        case Assert():
            result = Assert(put(statement.condition))
        case Skip():
            result = Skip()
        case Call():
            arguments = [put(argument) for argument in statement.arguments]
            result = Call(statement.to, arguments, statement.returns, statement.then_to, statement.procedure)
        case Return():
            result = Return(statement.procedure)
        case Goto():
            result = Goto(statement.to)
        case _:
            raise AssertionError(statement)
    result.line, result.column, result.called_at = statement.line, statement.column, at
    return result


def _assigned(part: SingleAssignment, meaning: Mapping[str, Expression], at: _Place) -> SingleAssignment:
    """A variable that is a parameter may stand for another with a subscript."""
    variable, subscript = part.variable, part.subscript.replaced(meaning, parenthesised=True)
    value = part.value.replaced(meaning, parenthesised=True)
    if variable in meaning:
        target = meaning[variable].copy()
        first = target.tokens[0]
        if first.kind is not Kind.IDENTIFIER:
            raise PlusCalError(f"The macro assigns to {variable}, which is `{first.written}` here.", at[0], at[1] - 1)
        variable = first.text
        rest = Expression([target.lines[0][1:], *target.lines[1:]])
        subscript = subscript.after(rest)
    return SingleAssignment(variable, subscript, value, part.line, part.column)
