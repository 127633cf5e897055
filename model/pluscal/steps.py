"""From statements with control to steps that say what becomes of `pc` and `stack`.

The statements inside of `if`, `either` and `with` are changed in place: what they are in the end is what the checksum
of an algorithm is made of.
"""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.pluscal.expression import Expression, spaced
from rmqproof.model.pluscal.lexer import Kind, PlusCalError, Token
from rmqproof.model.pluscal.tree import (
    Algorithm,
    Assignment,
    Await,
    Call,
    Clause,
    Either,
    Goto,
    If,
    Labelled,
    Procedure,
    Return,
    SingleAssignment,
    Statement,
    Unit,
    Variable,
    While,
    With,
)

_FIELDS_COLUMN = 16
"""Where `|->` stands in the record that goes on the stack, where names are short enough."""

_Exploded = tuple[list[Statement], list[Labelled], bool]


def steps_of(algorithm: Algorithm, unit: Unit) -> list[Labelled]:
    """The steps of a body, each with its test of `pc` and its new value of it."""
    last = "Error" if isinstance(unit, Procedure) else "Done"
    return _Steps(algorithm, unit if isinstance(unit, Procedure) else None).sequence(unit.body, last)


class _Steps:
    def __init__(self, algorithm: Algorithm, procedure: Procedure | None) -> None:
        self.algorithm = algorithm
        self.procedure = procedure

    def sequence(self, steps: Sequence[Labelled], after: str) -> list[Labelled]:
        found = []
        for number, step in enumerate(steps):
            found += self.step(step, steps[number + 1].label if number + 1 < len(steps) else after)
        return found

    def step(self, step: Labelled, after: str) -> list[Labelled]:
        if isinstance(step.body[0], While):
            return self.loop(step, step.body[0], after)
        body, more = self.with_goto(list(step.body), after)
        if self.algorithm.without_pc:
            return more
        return [self._new(step, [_at(step.label), *body]), *more]

    def _new(self, step: Labelled, body: list[Statement]) -> Labelled:
        return Labelled(body, line=step.line, column=step.column, called_at=step.called_at, label=step.label)

    def loop(self, step: Labelled, loop: While, after: str) -> list[Labelled]:
        first = loop.labelled[0].label if loop.labelled else step.label
        body, inner = self.with_goto(list(loop.body), first)
        rest, more = self.with_goto(list(step.body[1:]), after)
        statements: list[Statement] = [] if self.algorithm.without_pc else [_at(step.label)]
        for_ever = _is_true(loop.test)
        if for_ever:
            statements += body
        else:
            statements.append(If(loop.test, body, rest, labelled=False, line=loop.line, column=loop.column))
        found = [self._new(step, statements), *self.sequence(loop.labelled, step.label), *inner]
        return found if for_ever else found + more

    def with_goto(self, body: list[Statement], after: str) -> tuple[list[Statement], list[Labelled]]:
        body, more, goes = self.last(body, after)
        if goes:
            body.append(_go(after))
        return body, more

    def last(self, body: list[Statement], after: str) -> _Exploded:
        """The statements with the last one resolved, the steps inside of it, and whether `pc` is still to be set."""
        more: list[Labelled] = []
        goes = True
        body = body if body else []  # what is added to an empty list is no part of the algorithm's own text
        statement = body[-1] if body else None
        match statement:
            case If() if statement.labelled:
                goes = False
                body[-1:], more = self.labelled_if(statement, after)
            case Either() if statement.labelled:
                goes = False
                body[-1:], more = self.labelled_either(statement, after)
            case Goto():
                goes = False
                body[-1] = _go(statement.to)
            case Call():
                goes = False
                body[-1:] = self.call(statement, after)
            case Return():
                goes = False
                body[-1:] = self.return_(statement)
            case If():
                ends = [self.last(part, after) for part in (statement.then, statement.other)]
                more = [step for end in ends for step in end[1]]
                statement.then, statement.other = (end[0] for end in ends)
                goes = self._set_where_missing(ends, after)
            case Either():
                ends = [self.last(clause.body, after) for clause in statement.clauses]
                more = [step for end in ends for step in end[1]]
                for clause, end in zip(statement.clauses, ends, strict=True):
                    clause.body = end[0]
                goes = self._set_where_missing(ends, after)
            case With():
                statement.body, more, goes = self.last(statement.body, after)
            case _:
                pass
        return body, more, goes and not self.algorithm.without_pc

    def _set_where_missing(self, ends: Sequence[_Exploded], after: str) -> bool:
        """Whether all of them leave it to what contains them; else it is set in each that leaves it."""
        if self.algorithm.without_pc:
            return False
        if all(goes for _, _, goes in ends):
            return True
        for body, _, goes in ends:
            if goes:
                body.append(_go(after))
        return False

    def labelled_if(self, statement: If, after: str) -> tuple[list[Statement], list[Labelled]]:
        then, in_then = self.with_goto(statement.then, _first(statement.labelled_then, after))
        other, in_other = self.with_goto(statement.other, _first(statement.labelled_other, after))
        new = If(statement.test, then, other, labelled=False, line=statement.line, column=statement.column)
        more = self.sequence(statement.labelled_then, after) + self.sequence(statement.labelled_other, after)
        return [new], more + in_then + in_other

    def labelled_either(self, statement: Either, after: str) -> tuple[list[Statement], list[Labelled]]:
        clauses, more = [], []
        for clause in statement.clauses:
            body, inner = self.with_goto(clause.body, _first(clause.labelled, after))
            clauses.append(Clause(body))
            more += inner + self.sequence(clause.labelled, after)
        return [Either(clauses, labelled=False, line=statement.line, column=statement.column)], more

    # --- procedures ----------------------------------------------------------------------------------------------

    def _called(self, call: Call) -> Procedure:
        for procedure in self.algorithm.procedures:
            if procedure.name == call.to:
                if len(procedure.parameters) != len(call.arguments):
                    raise PlusCalError(
                        f"{call.to} has {len(procedure.parameters)} parameters, and is called with "
                        f"{len(call.arguments)} arguments.",
                        call.line,
                        call.column - 1,
                    )
                return procedure
        raise PlusCalError(f"There is no procedure {call.to}.", call.line, call.column - 1)

    def call(self, call: Call, after: str) -> list[Statement]:
        to = self._called(call)
        parts: list[SingleAssignment] = []
        if not call.returns:
            back = [Token(call.then_to or after, Kind.STRING)]
            parts.append(_single("stack", _pushed(to, back, [Token("stack", Kind.ADDED)])))
        else:
            own = self._own(call)
            if own.name != to.name:  # else what is on the stack stays right
                parts += [_single(variable.name, _saved(variable.name)) for variable in own.variables]
                parts.append(_single("stack", _pushed(to, _saved("pc").tokens, _of_stack("Tail"))))
        for parameter, argument in zip(to.parameters, call.arguments, strict=True):
            parts.append(SingleAssignment(parameter.name, Expression(), argument, call.line, call.column))
        found: list[Statement] = [Assignment(parts, line=call.line, column=call.column)]
        found += [_placed(_assign(variable.name, variable.value), call) for variable in to.variables]
        return [*found, _go(to.first)]

    def _own(self, statement: Statement) -> Procedure:
        if self.procedure is None:
            raise PlusCalError("This `return` is in no procedure.", statement.line, statement.column - 1)
        return self.procedure

    def return_(self, statement: Return) -> list[Statement]:
        own = self._own(statement)
        statement.procedure = own.name
        found = [_assign("pc", _saved("pc"))]
        restored = (*own.variables, *own.parameters)
        found += [_placed(_assign(variable.name, _saved(variable.name)), statement) for variable in restored]
        return [*found, _assign("stack", Expression([_tight(_of_stack("Tail"))]))]


def _first(steps: Sequence[Labelled], after: str) -> str:
    return steps[0].label if steps else after


def _is_true(test: Expression) -> bool:
    return len(test.lines) == 1 and [token.text for token in test.tokens] in (["TRUE"], ["(", "TRUE", ")"])


def _at(label: str) -> Await:
    return Await(spaced([Token("pc", Kind.ADDED), Token("=", Kind.SYMBOL), Token(label, Kind.STRING)], 1))


def _single(variable: str, value: Expression) -> SingleAssignment:
    return SingleAssignment(variable, Expression(), value)


def _assign(variable: str, value: Expression) -> Assignment:
    return Assignment([_single(variable, value)])


def _placed(made: Assignment, by: Statement) -> Assignment:
    """Where it is said to be wrong: at the statement that it is made for."""
    made.line, made.column, made.called_at = by.line, by.column, by.called_at
    return made


def _go(label: str) -> Assignment:
    return _assign("pc", Expression([[Token(label, Kind.STRING)]]))


def _of_stack(operator: str) -> list[Token]:
    return [
        Token(operator, Kind.IDENTIFIER),
        Token("(", Kind.SYMBOL),
        Token("stack", Kind.ADDED),
        Token(")", Kind.SYMBOL),
    ]


def _tight(tokens: list[Token]) -> list[Token]:
    """Without room between them."""
    column = 0
    for token in tokens:
        token.column = column
        column += token.width
    return tokens


def _saved(field: str) -> Expression:
    """What is on the top of the stack."""
    return Expression([_tight([*_of_stack("Head"), Token(".", Kind.SYMBOL), Token(field, Kind.IDENTIFIER)])])


def _pushed(to: Procedure, back: Sequence[Token], onto: Sequence[Token]) -> Expression:
    """The stack with a record for a call: where it goes on, and the values that variables have now."""
    kept: Sequence[Variable] = (*to.variables, *to.parameters)
    fields = [("procedure", [Token(to.name, Kind.STRING)]), ("pc", list(back))]
    fields += [(variable.name, [Token(variable.name, Kind.IDENTIFIER)]) for variable in kept]
    lines = []
    for number, (field, value) in enumerate(fields):
        column = 6
        line = []
        if not number:
            line = [Token("<<", Kind.SYMBOL, 0, 1), Token("[", Kind.SYMBOL, 0, 4)]
            column = 6
        line.append(Token(field, Kind.IDENTIFIER, 0, column))
        arrow = max(column + len(field) + 1, _FIELDS_COLUMN)
        line.append(Token("|->", Kind.SYMBOL, 0, arrow))
        column = arrow + 5
        for token in value:
            line.append(Token(token.text, token.kind, 0, column))
            column += token.width
        if number + 1 < len(fields):
            line.append(Token(",", Kind.SYMBOL, 0, column))
        else:
            line += [Token("]", Kind.SYMBOL, 0, column + 1), Token(">>", Kind.SYMBOL, 0, column + 3)]
        lines.append(line)
    line = [Token("\\o", Kind.SYMBOL, 0, 2)]
    column = 5
    for token in onto:
        line.append(Token(token.text, token.kind, 0, column))
        column += token.width
    return Expression([*lines, line])
