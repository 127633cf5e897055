"""The syntax tree of an algorithm. Lists of statements change as labels and steps are made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rmqproof.model.pluscal.expression import Expression, name


class Fairness(StrEnum):
    UNFAIR = "unfair"
    WEAK = "wf"
    STRONG = "sf"


@dataclass(slots=True, kw_only=True, eq=False)
class Statement:
    """`line` and `column` count from 1, as messages of the translation say them; `called_at` of a macro's call."""

    line: int = 0
    column: int = 0
    called_at: tuple[int, int] | None = None
    label: str = ""

    @property
    def place(self) -> str:
        where = f"line {self.line}, column {self.column}"
        if self.called_at is not None:
            where += f" of macro called at line {self.called_at[0]}, column {self.called_at[1]}"
        return where


@dataclass(slots=True, eq=False)
class SingleAssignment:
    variable: str
    subscript: Expression
    value: Expression
    line: int = 0
    column: int = 0


@dataclass(slots=True, eq=False)
class Assignment(Statement):
    parts: list[SingleAssignment]


@dataclass(slots=True, eq=False)
class If(Statement):
    """`labelled`: some part of it has a label, so that it ends in the middle of a step."""

    test: Expression
    then: list[Statement]
    other: list[Statement]
    labelled_then: list[Labelled] = field(default_factory=list)
    labelled_other: list[Labelled] = field(default_factory=list)
    labelled: bool = True


@dataclass(slots=True, eq=False)
class Clause:
    body: list[Statement]
    labelled: list[Labelled] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Either(Statement):
    clauses: list[Clause]
    labelled: bool = True


@dataclass(slots=True, eq=False)
class With(Statement):
    variable: str
    equal: bool
    value: Expression
    body: list[Statement]


@dataclass(slots=True, eq=False)
class While(Statement):
    test: Expression
    body: list[Statement]
    labelled: list[Labelled] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Await(Statement):
    condition: Expression


@dataclass(slots=True, eq=False)
class Print(Statement):
    value: Expression


@dataclass(slots=True, eq=False)
class Assert(Statement):
    condition: Expression


@dataclass(slots=True, eq=False)
class Skip(Statement):
    pass


@dataclass(slots=True, eq=False)
class Call(Statement):
    """`then_to`: the label of a `goto` behind it; `returns`: a `return` is behind it."""

    to: str
    arguments: list[Expression]
    returns: bool = False
    then_to: str = ""
    procedure: str = ""
    """The one that this stands in."""


@dataclass(slots=True, eq=False)
class Return(Statement):
    procedure: str


@dataclass(slots=True, eq=False)
class Goto(Statement):
    to: str


@dataclass(slots=True, eq=False)
class MacroCall(Statement):
    name: str
    arguments: list[Expression]


@dataclass(slots=True, eq=False)
class Labelled(Statement):
    """A step: a label (`label`) and the statements up to the next one."""

    body: list[Statement]

    @property
    def begins(self) -> int:
        """The line of its process or procedure, also where a macro is called there."""
        return self.called_at[0] if self.called_at is not None else self.line


@dataclass(slots=True, eq=False)
class Variable:
    name: str
    equal: bool = True
    value: Expression = field(default_factory=lambda: name("defaultInitValue"))
    line: int = 0
    column: int = 0


@dataclass(slots=True, eq=False)
class Macro:
    name: str
    parameters: list[str]
    body: list[Statement]
    line: int = 0
    column: int = 0


@dataclass(slots=True, eq=False)
class Unit:
    """A procedure or a process. `statements` before labels are made, `body` after it."""

    name: str
    line: int
    column: int
    variables: list[Variable]
    statements: list[Statement]
    body: list[Labelled] = field(default_factory=list)
    plus: list[str] = field(default_factory=list)
    minus: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        """The label that it begins with."""
        return self.body[0].label


@dataclass(slots=True, eq=False)
class Procedure(Unit):
    parameters: list[Variable] = field(default_factory=list)

    def declared(self) -> list[Variable]:
        return [*self.parameters, *self.variables]


@dataclass(slots=True, eq=False)
class Process(Unit):
    equal: bool = True
    identity: Expression = field(default_factory=Expression)
    fairness: Fairness = Fairness.UNFAIR


@dataclass(slots=True, eq=False)
class Algorithm:
    """With processes, or with a `main` part of its own."""

    name: str
    fair: bool
    variables: list[Variable]
    definitions: Expression
    macros: list[Macro]
    procedures: list[Procedure]
    processes: list[Process]
    main: Unit | None
    fair_body: bool = False
    """Its main part is called fair."""
    labels: set[str] = field(default_factory=set)
    """All labels that somebody wrote."""
    uses_goto: bool = False
    goes_to_done: bool = False
    marks_labels: bool = False
    """Some label has a `+` or `-`."""
    default_value: bool = False
    """Some variable is declared without a value."""
    without_pc: bool = False
    """Every process is one step for ever, so that no `pc` is needed."""
    without_end: bool = False
    """Some process never ends, so that no step is needed for the end."""

    @property
    def units(self) -> list[Unit]:
        return [*self.procedures, *self.processes, *([self.main] if self.main is not None else [])]

    def declared(self) -> list[Variable]:
        of_procedures = [variable for procedure in self.procedures for variable in procedure.declared()]
        return [*self.variables, *of_procedures, *(each for process in self.processes for each in process.variables)]
