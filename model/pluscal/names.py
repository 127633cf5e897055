"""Names that mean two things get an ending, as two processes may have labels or variables of the same name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from rmqproof.model.pluscal.expression import Expression, name
from rmqproof.model.pluscal.lexer import Kind, PlusCalError
from rmqproof.model.pluscal.tree import (
    Algorithm,
    Assert,
    Assignment,
    Await,
    Call,
    Either,
    Goto,
    If,
    Labelled,
    Print,
    Procedure,
    Statement,
    Unit,
    Variable,
    While,
    With,
)


class What(IntEnum):
    """What a name is of, in the order in which names are settled."""

    GLOBAL = 0
    LABEL = 1
    PROCEDURE = 2
    PROCESS = 3
    PROCESS_VARIABLE = 4
    PROCEDURE_VARIABLE = 5
    PARAMETER = 6


_WORDS = (
    "Global variable",
    "Label",
    "Procedure",
    "Process",
    "Process variable",
    "Procedure variable",
    "Parameter",
)
_VARIABLES = (What.GLOBAL, What.PROCESS_VARIABLE, What.PROCEDURE_VARIABLE, What.PARAMETER)


@dataclass(slots=True)
class _Entry:
    what: What
    name: str
    owner: str
    kind: str
    line: int
    column: int
    used: str


def give_final_names(algorithm: Algorithm) -> list[str]:
    """Give the algorithm its final names; a line for each that is another one now."""
    table = _Table(algorithm)
    report = table.final_names()
    for variable in algorithm.variables:
        table.rename_variable(variable, "")
    for procedure in algorithm.procedures:
        table.rename_unit(procedure)
    _close_calls(algorithm)
    for process in algorithm.processes:
        table.rename_unit(process)
    if algorithm.main is not None:
        table.rename_steps(algorithm.main.body, "")
    table.rename_calls(algorithm)
    for procedure in algorithm.procedures:
        procedure.name = table.use(What.PROCEDURE, procedure.name, "")
    for process in algorithm.processes:
        process.name = table.use(What.PROCESS, process.name, "")
    return report


def _close_calls(algorithm: Algorithm) -> None:
    """The procedures that each procedure and process calls, also by way of others."""
    direct = {procedure.name: set(procedure.calls) for procedure in algorithm.procedures}
    reached: dict[str, set[str]] = {}
    for start in direct:
        found: set[str] = set()
        todo = list(direct[start])
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                todo += direct.get(one, set())
        reached[start] = found
    if not algorithm.processes:
        return
    for procedure in algorithm.procedures:
        procedure.calls = [other for other in direct if other in reached[procedure.name]]
    for process in algorithm.processes:
        for called in process.calls:  # grows meanwhile
            process.calls += [
                other for other in direct if other in reached.get(called, ()) and other not in process.calls
            ]


class _Table:
    def __init__(self, algorithm: Algorithm) -> None:
        self.entries: list[_Entry] = []
        self._add(What.GLOBAL, "pc", "", "", 0, 0)
        if algorithm.procedures:
            self._add(What.GLOBAL, "stack", "", "", 0, 0)
        for variable in algorithm.variables:
            self._variable(What.GLOBAL, variable, "", "process")
        for procedure in algorithm.procedures:
            self._unit(procedure, What.PROCEDURE, "procedure")
            for variable in procedure.variables:
                self._variable(What.PROCEDURE_VARIABLE, variable, procedure.name, "procedure")
            for variable in procedure.parameters:
                self._variable(What.PARAMETER, variable, procedure.name, "procedure")
            self._steps(procedure.body, procedure.name, "procedure")
        for process in algorithm.processes:
            self._unit(process, What.PROCESS, "process")
            for variable in process.variables:
                self._variable(What.PROCESS_VARIABLE, variable, process.name, "process")
            self._steps(process.body, process.name, "process")
        if algorithm.main is not None:
            self._steps(algorithm.main.body, "", "")

    def _add(self, what: What, name: str, owner: str, kind: str, line: int, column: int) -> None:
        local = what in (What.PROCESS_VARIABLE, What.PROCEDURE_VARIABLE, What.PARAMETER)
        for entry in self.entries:
            same = entry.name == name and (
                (entry.what is What.GLOBAL and not entry.owner) or entry.owner == owner
                if local
                else entry.what is what and entry.owner == owner
            )
            if same:
                raise PlusCalError(f"{_WORDS[what]} {name} is there twice.", line, column - 1)
        self.entries.append(_Entry(what, name, owner, kind, line, column, name))

    def _variable(self, what: What, variable: Variable, owner: str, kind: str) -> None:
        self._add(what, variable.name, owner, kind, variable.line, variable.column)

    def _unit(self, unit: Unit, what: What, kind: str) -> None:
        self._add(what, unit.name, "", kind, unit.line, unit.column)

    def _steps(self, steps: Sequence[Labelled], owner: str, kind: str) -> None:
        for step in steps:
            self._add(What.LABEL, step.label, owner, kind, step.line, step.column)
            self._body(step.body, owner, kind)

    def _body(self, body: Sequence[Statement], owner: str, kind: str) -> None:
        for statement in body:
            match statement:
                case While():
                    self._body(statement.body, owner, kind)
                    self._steps(statement.labelled, owner, kind)
                case With():
                    self._body(statement.body, owner, kind)
                case If():
                    self._body(statement.then, owner, kind)
                    self._steps(statement.labelled_then, owner, kind)
                    self._body(statement.other, owner, kind)
                    self._steps(statement.labelled_other, owner, kind)
                case Either():
                    for clause in statement.clauses:
                        self._body(clause.body, owner, kind)
                        self._steps(clause.labelled, owner, kind)
                case _:
                    pass

    def final_names(self) -> list[str]:
        report = []
        for what in What:
            for entry in self.entries:
                if entry.what is not what:
                    continue
                length = 0
                while what and self._ambiguous(entry.used):
                    length += 1
                    if length == 1:
                        entry.used += "_"
                    elif length > len(entry.owner) + 1:
                        entry.used += str(int(what))
                    else:
                        entry.used += entry.owner[length - 2]
                if entry.used != entry.name:
                    owner = f" of {entry.kind} {entry.owner}" if entry.owner else ""
                    report.append(
                        f"\\* {_WORDS[what]} {entry.name}{owner} at line {entry.line} col {entry.column} "
                        f"changed to {entry.used}"
                    )
        return report

    def _ambiguous(self, used: str) -> bool:
        return sum(entry.used == used for entry in self.entries) > 1

    def find(self, what: What, name: str, owner: str) -> _Entry | None:
        return next((e for e in self.entries if e.name == name and e.owner == owner and e.what is what), None)

    def use(self, what: What, name: str, owner: str) -> str:
        entry = self.find(what, name, owner)
        return entry.used if entry is not None else name

    def variable(self, name: str, owner: str) -> str:
        entry = next((e for e in self.entries if e.name == name and e.owner == owner), None)
        return entry.used if entry is not None and entry.what in _VARIABLES else name

    def rename_variable(self, variable: Variable, owner: str) -> None:
        variable.name = self.variable(variable.name, owner)
        variable.value = self.expression(variable.value, owner)

    def rename_unit(self, unit: Unit) -> None:
        variables = [*unit.variables, *(unit.parameters if isinstance(unit, Procedure) else [])]
        for variable in variables:
            self.rename_variable(variable, unit.name)
        self.rename_steps(unit.body, unit.name)
        unit.plus = [self.use(What.LABEL, label, unit.name) for label in unit.plus]
        unit.minus = [self.use(What.LABEL, label, unit.name) for label in unit.minus]

    def rename_calls(self, algorithm: Algorithm) -> None:
        """Whom fairness is about by its new name."""
        for unit in algorithm.units:
            unit.calls = [self.use(What.PROCEDURE, called, "") for called in unit.calls]

    def expression(self, expression: Expression, owner: str) -> Expression:
        meaning = {}
        for token in expression.tokens:
            if token.kind is Kind.IDENTIFIER:
                used = self.variable(token.text, owner)
                if used != token.text:
                    meaning[token.text] = name(used)
        return expression.replaced(meaning, parenthesised=False) if meaning else expression

    def rename_steps(self, steps: Sequence[Labelled], owner: str) -> None:
        for step in steps:
            step.label = self.use(What.LABEL, step.label, owner)
            self._rename(step.body, owner)

    def _rename(self, body: Sequence[Statement], owner: str) -> None:
        for statement in body:
            match statement:
                case Assignment():
                    for part in statement.parts:
                        part.variable = self.variable(part.variable, owner)
                        part.subscript = self.expression(part.subscript, owner)
                        part.value = self.expression(part.value, owner)
                case If():
                    statement.test = self.expression(statement.test, owner)
                    self._rename(statement.then, owner)
                    self.rename_steps(statement.labelled_then, owner)
                    self._rename(statement.other, owner)
                    self.rename_steps(statement.labelled_other, owner)
                case Either():
                    for clause in statement.clauses:
                        self._rename(clause.body, owner)
                        self.rename_steps(clause.labelled, owner)
                case With():
                    statement.value = self.expression(statement.value, owner)
                    self._rename(statement.body, owner)
                case While():
                    self._rename(statement.body, owner)
                    self.rename_steps(statement.labelled, owner)
                    statement.test = self.expression(statement.test, owner)
                case Await() | Assert():
                    statement.condition = self.expression(statement.condition, owner)
                case Print():
                    statement.value = self.expression(statement.value, owner)
                case Call():
                    statement.arguments = [self.expression(argument, owner) for argument in statement.arguments]
                    statement.to = self.use(What.PROCEDURE, statement.to, "")
                case Goto():
                    if statement.to != "Done" and self.find(What.LABEL, statement.to, owner) is None:
                        raise PlusCalError(
                            f"There is no label {statement.to} to go to.", statement.line, statement.column - 1
                        )
                    statement.to = self.use(What.LABEL, statement.to, owner)
                case _:
                    pass
