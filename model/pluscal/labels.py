"""Where steps begin: labels that are missing are added, and statements are put together to steps.

A label is needed at the beginning of a body, at a `while`, after a `call`, `return` or `goto` (also inside of an `if`
or `either`, as after one that has labels), and at the second assignment to a variable in a step.
"""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.pluscal.lexer import PlusCalError
from rmqproof.model.pluscal.tree import (
    Algorithm,
    Assignment,
    Call,
    Either,
    Goto,
    If,
    Labelled,
    Return,
    Statement,
    Unit,
    While,
    With,
)


def label(algorithm: Algorithm, add: bool, root: str) -> list[str]:
    """Make the steps of every body; the labels that were added, with places. Raise `PlusCalError` where some miss.

    They are added where `add` says so, or where an algorithm without processes has none at all. `root`:
    what the names of those begin with.
    """
    adding = _Adding(algorithm, root)
    procedures, processes = algorithm.procedures, algorithm.processes
    if processes:
        for process in processes:
            adding.to(process, "")
        endless = [_endless(process) for process in processes]
        algorithm.without_end = any(endless)
        algorithm.without_pc = all(_one_step(process) for process in processes)
    for procedure in procedures:
        adding.to(procedure, procedure.name)
    if algorithm.main is not None:
        adding.to(algorithm.main, procedures[-1].name if procedures else "")
        algorithm.without_end = _endless(algorithm.main)
        algorithm.without_pc = _one_step(algorithm.main)
    if adding.added and not add and (processes or algorithm.labels):
        raise _missing(adding.added)
    if procedures or algorithm.uses_goto or algorithm.marks_labels:
        algorithm.without_pc = False
    if algorithm.goes_to_done:
        algorithm.without_end = False
    return [f"{statement.label} at {statement.place}" for statement in adding.added]


def _missing(added: Sequence[Statement]) -> PlusCalError:
    first = added[0]
    others = ", ".join(statement.place for statement in added[1:])
    call = first.called_at
    of_macro = f", where the macro is called at line {call[0]}, column {call[1]}" if call is not None else ""
    return PlusCalError(
        f"A label is missing here{of_macro}." + (f" Others are missing at {others}." if others else ""),
        first.line,
        first.column - 1,
        "A step begins at every `while`, after `call`, `return` and `goto`, before a second assignment to a variable.",
    )


class _Adding:
    def __init__(self, algorithm: Algorithm, root: str) -> None:
        self.algorithm = algorithm
        self.root = root
        self.added: list[Statement] = []
        self.number = 1
        self.procedure = ""

    def to(self, unit: Unit, procedure: str) -> None:
        self.procedure = procedure
        self._sequence(unit.statements, True, False, set())
        unit.body = _steps(unit.statements)
        for step in unit.body:
            _classify(step.body, bool(procedure) and unit is not self.algorithm.main)

    def _need(self, statement: Statement) -> None:
        if not statement.label:
            while f"{self.root}{self.number}" in self.algorithm.labels:
                self.number += 1
            statement.label = f"{self.root}{self.number}"
            self.number += 1
            self.added.append(statement)

    def _sequence(
        self, body: Sequence[Statement], first: bool, in_with: bool, before: set[str]
    ) -> tuple[bool, set[str]]:
        """Whether what follows needs a label, and the variables that are assigned since the last one."""
        assigned, needed, had = set(before), first, False
        for statement in body:
            if statement.label:
                had, assigned = True, set()
                if in_with:
                    raise _wrong("A statement in a `with` cannot have a label.", statement)
            if needed:
                if in_with:
                    raise _wrong("In a `with` nothing can follow a `call`, `return` or `goto`.", statement)
                self._need(statement)
                needed, had, assigned = False, True, set()
            needed, added, assigned = self._statement(statement, in_with, before, assigned)
            had |= added
        return had or needed, assigned

    def _statement(
        self, statement: Statement, in_with: bool, before: set[str], assigned: set[str]
    ) -> tuple[bool, bool, set[str]]:
        """Whether the next one needs a label, whether this one got one, what is assigned since."""
        if isinstance(statement, If | Either):
            bodies = (
                [statement.then, statement.other]
                if isinstance(statement, If)
                else [clause.body for clause in statement.clauses]
            )
            ends = [self._sequence(body, False, in_with, assigned) for body in bodies]
            return any(needed for needed, _ in ends), False, set().union(*(names for _, names in ends))
        if isinstance(statement, While):
            if in_with:
                raise _wrong("A `while` cannot stand in a `with`.", statement)
            self._need(statement)
            self._sequence(statement.body, False, False, set())
            return False, True, set()
        if isinstance(statement, With):
            needed, inner = self._sequence(statement.body, False, True, before if in_with else set())
            if not in_with and not before.isdisjoint(inner):
                self._need(statement)
                return needed, True, set()
            return needed, False, inner
        return self._simple(statement, in_with, assigned)

    def _simple(self, statement: Statement, in_with: bool, assigned: set[str]) -> tuple[bool, bool, set[str]]:
        leaves = isinstance(statement, Call | Return | Goto)
        names = self._assigns(statement)
        if assigned.isdisjoint(names):
            return leaves, False, assigned | names
        if in_with:
            raise _wrong("In a `with` a variable is assigned for the second time.", statement)
        self._need(statement)
        return leaves, True, names

    def _assigns(self, statement: Statement) -> set[str]:
        if isinstance(statement, Assignment):
            return {part.variable for part in statement.parts}
        if not isinstance(statement, Call | Return):
            return set()
        names = {"stack"}
        if isinstance(statement, Return) or statement.returns or statement.to == self.procedure:
            for procedure in self.algorithm.procedures:
                names |= {variable.name for variable in (*procedure.parameters, *procedure.variables)}
        return names


def _wrong(message: str, statement: Statement) -> PlusCalError:
    return PlusCalError(message, statement.line, statement.column - 1)


def _steps(body: Sequence[Statement]) -> list[Labelled]:
    """The steps that a list of statements with a label at its first is."""
    found: list[Labelled] = []
    for statement in body:
        if statement.label:
            found.append(
                Labelled(
                    [],
                    line=statement.line,
                    column=statement.column,
                    called_at=statement.called_at,
                    label=statement.label,
                )
            )
        found[-1].body.append(statement)
    for step in found:
        _split_inner(step.body)
    return found


def _split(body: list[Statement]) -> tuple[list[Statement], list[Labelled]]:
    """What comes before the first label, and the steps from there on."""
    count = next((number for number, statement in enumerate(body) if statement.label), len(body))
    first = body[:count]
    _split_inner(first)
    return first, _steps(body[count:])


def _split_inner(body: Sequence[Statement]) -> None:
    for statement in body:
        if isinstance(statement, If):
            statement.then, statement.labelled_then = _split(statement.then)
            statement.other, statement.labelled_other = _split(statement.other)
        elif isinstance(statement, Either):
            for clause in statement.clauses:
                clause.body, clause.labelled = _split(clause.body)
        elif isinstance(statement, While):
            statement.body, statement.labelled = _split(statement.body)


_PLAIN, _LEAVES, _LABELLED = 0, 1, 2


def _classify(body: Sequence[Statement], in_procedure: bool) -> int:
    """Mark each `if` and `either` that has a label in it; whether the last statement is such a one, or goes away."""
    result = _PLAIN
    for statement in body:
        if isinstance(statement, If):
            parts = [statement.then, statement.other]
            inner = [statement.labelled_then, statement.labelled_other]
            result = _classify_parts(parts, inner, in_procedure)
            statement.labelled = result == _LABELLED
        elif isinstance(statement, Either):
            parts = [clause.body for clause in statement.clauses]
            result = _classify_parts(parts, [clause.labelled for clause in statement.clauses], in_procedure)
            statement.labelled = result == _LABELLED
        elif isinstance(statement, With):
            result = _classify(statement.body, in_procedure)
        elif isinstance(statement, While):
            _classify_parts([statement.body], [statement.labelled], in_procedure)
        elif isinstance(statement, Return) or (isinstance(statement, Call) and statement.returns):
            if not in_procedure:
                raise _wrong("There is nothing to return from: this `return` is in no procedure.", statement)
            result = _LEAVES
        elif isinstance(statement, Call | Goto):
            result = _LEAVES
    return result


def _classify_parts(
    parts: Sequence[Sequence[Statement]], inner: Sequence[Sequence[Labelled]], in_procedure: bool
) -> int:
    kinds = [_classify(part, in_procedure) for part in parts]
    for steps in inner:
        for step in steps:
            _classify(step.body, in_procedure)
            kinds.append(_LABELLED)
    return max(kinds)


def _loop(unit: Unit) -> While | None:
    """The `while (TRUE)` that is all of a body."""
    if len(unit.body) != 1 or len(unit.body[0].body) != 1:
        return None
    (statement,) = unit.body[0].body
    if not isinstance(statement, While):
        return None
    test = statement.test.single
    return statement if test is not None and test.text == "TRUE" else None


def _endless(unit: Unit) -> bool:
    return _loop(unit) is not None


def _one_step(unit: Unit) -> bool:
    loop = _loop(unit)
    if loop is None or loop.labelled:
        return False
    return not any(isinstance(statement, If | Either) and statement.labelled for statement in loop.body)
