"""The formula of a step: what each statement says of the next state, and what stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rmqproof.model.pluscal.changes import Changes, wrapped
from rmqproof.model.pluscal.expression import Expression
from rmqproof.model.pluscal.lexer import Kind, PlusCalError, Token
from rmqproof.model.pluscal.tree import (
    Assert,
    Assignment,
    Await,
    Either,
    If,
    Labelled,
    Print,
    SingleAssignment,
    Skip,
    Statement,
    With,
)
from rmqproof.model.pluscal.writer import Line, Writer, needs_parentheses

_SHORT = 5
"""A name of so many letters is kept by `x' = x`, a longer one by UNCHANGED."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose step it is: `identity` is the subscript of the process's variables, empty where there is one process."""

    identity: Expression


class StepWriter:
    """`subscripted`: the variables of which each process has one."""

    def __init__(
        self, out: Writer, variables: Sequence[str], subscripted: set[str], place: Owner, several: bool
    ) -> None:
        self.out = out
        self.variables = variables
        self.subscripted = subscripted
        self.several = several
        self.place = place

    def step(self, beginning: str, step: Labelled) -> None:
        out, changes = self.out, Changes(self.variables)
        out.end()
        start, column = len(out.lines), len(beginning)
        prefix = beginning + "/\\ "
        out.origin = step.line
        for statement in step.body:
            self._statement(statement, changes, prefix)
            prefix = " " * column + "/\\ "
        unchanged = changes.unchanged()
        if unchanged:
            self._unchanged(" " * column + "/\\ ", unchanged, self.out.width - column - len("/\\ UNCHANGED << "))
        elif len(step.body) == 1:
            self._without_list(start, column)

    def _without_list(self, start: int, column: int) -> None:
        """One conjunct needs no `/\\`."""
        lines = self.out.lines
        for number in range(start, len(lines)):
            line = lines[number]
            if number == start:
                lines[number] = Line.of(line[:column] + line[column + 3 :], line.origin)
            elif len(line) > 3:
                lines[number] = Line.of(line[3:], line.origin)

    def _unchanged(self, prefix: str, names: Sequence[str], width: int) -> None:
        self.out.end()
        self.out.lines += map(self.out.made, _unchanged_lines(prefix, names, width))

    def _statement(self, statement: Statement, changes: Changes, prefix: str) -> None:
        before = self.out.origin
        self.out.origin = statement.line or before
        self._formula(statement, changes, prefix)
        self.out.origin = before

    def _formula(self, statement: Statement, changes: Changes, prefix: str) -> None:
        out = self.out
        match statement:
            case Assignment():
                self._assignment(statement, changes, prefix)
            case If():
                self._if(statement, changes, prefix)
            case Either():
                self._either(statement, changes, prefix)
            case With():
                self._with(statement, changes, prefix)
            case Await():
                out.put(prefix)
                out.expression(self._now(statement.condition, changes))
                out.end()
            case Print():
                out.put(prefix + "PrintT(")
                out.expression(self._now(statement.value, changes))
                out.put(")")
                out.end()
            case Assert():
                self._assert(statement, changes, prefix)
            case Skip():
                out.put(prefix + "TRUE")
                out.end()
            case _:
                raise AssertionError(statement)

    # --- expressions ---------------------------------------------------------------------------------------------

    def _now(self, expression: Expression, changes: Changes) -> Expression:
        """With primes at what this step has changed, and the subscript of the process."""
        return self._meant(expression, self.place.identity if self.several else None, changes)

    def subscripted_by(self, expression: Expression, identity: Expression) -> Expression:
        return self._meant(expression, identity, Changes(self.variables))

    def chosen(self, expression: Expression, among: Expression) -> Expression:
        """With the variables of some process, as the initial values that are in a set have."""
        start = [Token("CHOOSE", Kind.SYMBOL, 0, 0), Token("self", Kind.IDENTIFIER, 0, 7)]
        before = Expression([[*start, Token("\\in ", Kind.SYMBOL, 0, 12)]])
        end = Expression([[Token(":", Kind.SYMBOL, 0, 0), Token("TRUE", Kind.SYMBOL, 0, 2)]])
        return self.subscripted_by(expression, end.after(among.after(before, 1), 1))

    def _meant(self, expression: Expression, identity: Expression | None, changes: Changes) -> Expression:
        meaning: dict[str, Expression] = {}
        for token in expression.tokens:
            if token.text in meaning:
                continue
            local = token.kind is Kind.IDENTIFIER and token.text in self.subscripted
            subscripted = identity is not None and self.several and (token.kind is Kind.ADDED or local)
            primed = token.kind is Kind.IDENTIFIER and changes.changed(token.text)
            if subscripted or primed:
                words = [Token(token.text, token.kind)]
                if primed:
                    words.append(Token("'", Kind.SYMBOL, 0, words[0].width))
                new = Expression([words])
                if subscripted:
                    assert identity is not None
                    new = _bracketed(identity).after(new)
                meaning[token.text] = new
        return expression.replaced(meaning, parenthesised=False) if meaning else expression

    # --- statements ----------------------------------------------------------------------------------------------

    def _assert(self, statement: Assert, changes: Changes, prefix: str) -> None:
        out = self.out
        out.put(prefix + "Assert(")
        out.expression(self._now(statement.condition, changes))
        said = f'"Failure of assertion at {statement.place}.")'
        out.put(", ")
        if len(out.pending) + len(said) >= out.width:
            out.end()
            out.put(" " * (len(prefix) + len("Assert(")))
        out.put(said)
        out.end()

    def _with(self, statement: With, changes: Changes, prefix: str) -> None:
        out = self.out
        value = self._now(statement.value, changes)
        out.put(prefix + (f"LET {statement.variable} == " if statement.equal else f"\\E {statement.variable} \\in "))
        out.expression(value)
        out.put(" IN" if statement.equal else ":")
        out.end()
        indent = " " * (len(prefix) + 2)
        inner = indent + ("/\\ " if len(statement.body) > 1 else "")
        for each in statement.body:
            self._statement(each, changes, inner)
            inner = indent + "/\\ "

    def _if(self, statement: If, changes: Changes, prefix: str) -> None:
        out = self.out
        then, other = changes.copy(), changes.copy()
        out.put(prefix + "IF ")
        column = len(out.pending)
        out.expression(self._now(statement.test, changes))
        out.end()
        inner = " " * (column + len("THEN ")) + "/\\ "
        text = " " * column + "THEN /\\ "
        for each in statement.then:
            self._statement(each, then, text)
            text = inner
        end_of_then, then_prefix = len(out.lines), text
        text = " " * column + "ELSE /\\ "
        for each in statement.other:
            self._statement(each, other, text)
            text = inner
        if not statement.other:
            out.line(text + "TRUE")
            text = inner
        kept = other.unchanged(then)
        if kept:
            self._unchanged(text, kept, out.width - len(text) - len("UNCHANGED << "))
        kept = then.unchanged(other)
        if kept:
            lines = _unchanged_lines(then_prefix, kept, out.width - len(then_prefix) - len("UNCHANGED << "))
            out.lines[end_of_then:end_of_then] = map(out.made, lines)
        changes.merge(then)
        changes.merge(other)

    def _either(self, statement: Either, changes: Changes, prefix: str) -> None:
        out, everything = self.out, changes.copy()
        column = len(prefix) + 3
        ends: list[tuple[int, Changes]] = []
        for number, clause in enumerate(statement.clauses):
            text = (prefix if not number else " " * len(prefix)) + "\\/ /\\ "
            mine = changes.copy()
            for each in clause.body:
                self._statement(each, mine, text)
                text = " " * column + "/\\ "
            everything.merge(mine)
            ends.append((len(out.lines), mine))
        for end, mine in reversed(ends):
            kept = mine.unchanged(everything)
            start = " " * column + "/\\ "
            if len(kept) > 1:
                out.lines.insert(end, out.made(f"{start}UNCHANGED <<{', '.join(kept)}>>"))
            elif kept:
                out.lines.insert(end, out.made(start + _kept(kept[0])))
        changes.merge(everything)

    # --- assignments ---------------------------------------------------------------------------------------------

    def _assignment(self, statement: Assignment, changes: Changes, prefix: str) -> None:
        out, mine = self.out, changes.copy()
        statement.parts = _sorted(statement.parts)
        out.put(prefix)
        parts, at, listed = statement.parts, 0, False
        while at < len(parts):
            variable = parts[at].variable
            if variable not in self.variables:
                raise PlusCalError(
                    f"{variable} is assigned to, and is no variable of the algorithm.",
                    parts[at].line,
                    parts[at].column - 1,
                )
            end = at
            while end < len(parts) and parts[end].variable == variable:
                end += 1
            same = parts[at:end]
            listed |= end < len(parts)
            if mine.assign(variable) > 1 or (len(same) > 1 and not all(part.subscript for part in same)):
                raise PlusCalError(
                    f"{variable} is assigned twice in one step.",
                    statement.line,
                    statement.column - 1,
                    "Put a label between.",
                )
            beginning = "/\\ " if listed else ""
            if len(same) == 1:
                self._single(same[0], changes, beginning)
            else:
                self._several(same, changes, beginning, len(prefix))
            at = end
            if at < len(parts):
                out.end()
                out.put(" " * len(prefix))
        out.end()
        changes.merge(mine)

    def _single(self, part: SingleAssignment, changes: Changes, beginning: str) -> None:
        out, variable = self.out, part.variable
        value = self._now(part.value, changes)
        own = self.several and (variable in self.subscripted or variable in ("pc", "stack"))
        if not own and not part.subscript:
            parentheses = needs_parentheses(value.text_lines())
            out.put(f"{beginning}{variable}' = " + ("(" if parentheses else ""))
            out.expression(value)
            out.put(")" if parentheses else "")
            return
        out.put(f"{beginning}{variable}' = [{variable} EXCEPT !")
        if own:
            out.put("[")
            out.expression(self.place.identity)
            out.put("]")
        if part.subscript:
            out.expression(self._now(part.subscript, changes))
        out.put(" = ")
        out.expression(value)
        out.put("]")

    def _several(self, parts: Sequence[SingleAssignment], changes: Changes, beginning: str, prefix: int) -> None:
        """Assignments to several places of a variable."""
        out, variable = self.out, parts[0].variable
        start = f"{beginning}{variable}' = [{variable} EXCEPT "
        column = prefix + len(start)
        out.put(start)
        for number, part in enumerate(parts):
            out.put("!")
            if self.several and variable in self.subscripted:
                out.put("[")
                out.expression(self.place.identity)
                out.put("]")
            out.expression(self._now(part.subscript, changes))
            out.put(" = ")
            out.expression(self._now(part.value, changes))
            if number + 1 < len(parts):
                out.put(",")
                out.end()
                out.put(" " * column)
        out.put("]")


def _sorted(parts: Sequence[SingleAssignment]) -> list[SingleAssignment]:
    return sorted(parts, key=lambda part: part.variable.encode("utf-16-be"))


def _bracketed(expression: Expression) -> Expression:
    inner = expression.copy()
    for token in inner.tokens:
        token.column += 1
    end = inner.lines[-1][-1]
    inner.lines[0].insert(0, Token("[", Kind.SYMBOL, 0, 0))
    inner.lines[-1].append(Token("]", Kind.SYMBOL, 0, end.column + end.width))
    return Expression(inner.lines)


def _kept(variable: str) -> str:
    return f"UNCHANGED {variable}" if len(variable) > _SHORT else f"{variable}' = {variable}"


def _unchanged_lines(prefix: str, names: Sequence[str], width: int) -> list[str]:
    if len(names) == 1:
        return [prefix + _kept(names[0])]
    start = prefix + "UNCHANGED << "
    lines = wrapped(names, width)
    lines = [(start if not number else " " * len(start)) + text for number, text in enumerate(lines)]
    lines[-1] += " >>"
    return lines
