"""The tree of an algorithm as text, in the form that TLC's translator takes its checksum of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rmqproof.model.pluscal.expression import Expression
from rmqproof.model.pluscal.lexer import Kind
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
    Labelled,
    Print,
    Procedure,
    Process,
    Return,
    SingleAssignment,
    Skip,
    Statement,
    Variable,
    While,
    With,
)


def tree_text(algorithm: Algorithm, old: bool = False, columns: bool = False) -> str:
    """`old`: without fairness, as before version 1.5 of the language; `columns`: with those of conjuncts and disjuncts,
    as the translator after release 1.7.4 takes it."""
    return _Text(columns, old).algorithm(algorithm)


def _expression(expression: Expression, columns: bool) -> str:
    lines, comma = [], ""
    for line in expression.lines:
        text = ""
        for token in line:
            text += comma
            comma = ", "
            if token.kind is Kind.STRING:
                text += f'"\\"", "{token.text}", "\\""'
            elif token.text in ("\\/", "/\\"):
                at = f"(col{token.column}) " if columns else ""
                text += '"' + at + token.text.replace("\\", "\\\\") + '"'
            elif token.text.startswith("\\"):
                text += f'"\\{token.text}"'
            else:
                text += f'"{token.text}"'
        lines.append(text)
    return "<< " + "\n".join(lines) + " >>"


class _Text:
    """`columns`: where lines begin, one for each thing that is open."""

    def __init__(self, with_columns: bool, old: bool) -> None:
        self.columns = [0]
        self.old = old
        self.with_columns = with_columns

    def expression(self, expression: Expression) -> str:
        return _expression(expression, self.with_columns)

    def open(self, text: str = "") -> str:
        self.columns.append(self.columns[-1] + len(text))
        return text

    def close(self) -> str:
        self.columns.pop()
        return ""

    def newline(self) -> str:
        return "\n" + " " * self.columns[-1]

    def sequence(self, parts: Iterable[Callable[[], str]], start: str = "<<", end: str = ">>") -> str:
        text = self.open(start)
        for number, part in enumerate(parts):
            if number:
                text += ", " + self.newline()
            text += part()
        return text + end + self.close()

    def names(self, names: Sequence[str]) -> str:
        return "<<" + ", ".join(f'"{name}"' for name in names) + ">>"

    def field(self, name: str, inner: Callable[[], str], end: str) -> str:
        text = self.open(name) + inner() + end
        self.close()
        return text

    # --- parts ---------------------------------------------------------------------------------------------------

    def algorithm(self, algorithm: Algorithm) -> str:
        several = bool(algorithm.processes)
        pad = "" if several else " "
        text = self.open() + f'[type    {pad}|-> "{"multi" if several else "uni"}process", ' + self.newline()
        text += f' name  |-> "{algorithm.name}", ' + self.newline()
        text += self.field(f" decls{pad} |-> ", lambda: self.variables(algorithm.variables), ",") + self.newline()
        text += self.field(f" defs {pad} |-> ", lambda: self.expression(algorithm.definitions), ",") + self.newline()
        text += self.field(f" prcds{pad} |-> ", lambda: self.procedures(algorithm.procedures), ",") + self.newline()
        if several:
            text += self.field(" procs |-> ", lambda: self.processes(algorithm.processes), "]")
        else:
            assert algorithm.main is not None
            body = algorithm.main.body
            text += self.field(" body  |-> ", lambda: self.steps(body), "]")
        return text + self.close()

    def variables(self, variables: Sequence[Variable]) -> str:
        return self.sequence([lambda each=each: self.variable(each) for each in variables])  # type: ignore[misc]

    def variable(self, variable: Variable) -> str:
        relation = _relation(variable.equal)
        return f'[var |-> "{variable.name}", eqOrIn |-> {relation}, val |-> {self.expression(variable.value)}]'

    def procedures(self, procedures: Sequence[Procedure]) -> str:
        return self.sequence([lambda each=each: self.procedure(each) for each in procedures])  # type: ignore[misc]

    def procedure(self, unit: Procedure) -> str:
        text = self.open() + f'[name   |-> "{unit.name}", ' + self.newline()
        if not self.old:
            text += f"minusLabels |-> {self.names(unit.minus)}, plusLabels |->{self.names(unit.plus)}, "
            text += f"proceduresCalled |->{self.names(unit.calls)}," + self.newline()
        text += self.field(" params |-> ", lambda: self.variables(unit.parameters), ",") + self.newline()
        text += self.field(" decls  |-> ", lambda: self.variables(unit.variables), ",") + self.newline()
        text += self.field(" body   |-> ", lambda: self.steps(unit.body), "]")
        return text + self.close()

    def processes(self, processes: Sequence[Process]) -> str:
        return self.sequence([lambda each=each: self.process(each) for each in processes])  # type: ignore[misc]

    def process(self, unit: Process) -> str:
        text = self.open() + f'[name   |-> "{unit.name}",'
        if self.old:
            text += " "
        else:
            text += self.newline() + f' fairness |-> "{unit.fairness}", minusLabels |-> {self.names(unit.minus)}, '
            text += f"plusLabels |->{self.names(unit.plus)}, proceduresCalled |->{self.names(unit.calls)},"
        text += self.newline() + f" eqOrIn |-> {_relation(unit.equal)}," + self.newline()
        text += f" id     |-> {self.expression(unit.identity)}," + self.newline()
        text += self.field(" decls  |-> ", lambda: self.variables(unit.variables), ",") + self.newline()
        text += self.field(" body   |-> ", lambda: self.steps(unit.body), "]")
        return text + self.close()

    def steps(self, steps: Sequence[Labelled]) -> str:
        return self.sequence([lambda each=each: self.step(each) for each in steps])  # type: ignore[misc]

    def step(self, step: Labelled) -> str:
        text = self.open() + f'[label |-> "{step.label}",' + self.newline()
        return text + self.field(" stmts |-> ", lambda: self.body(step.body), "]") + self.close()

    def body(self, body: Sequence[Statement]) -> str:
        return self.sequence([lambda each=each: self.statement(each) for each in body])  # type: ignore[misc]

    def arguments(self, arguments: Sequence[Expression]) -> str:
        return self.sequence([lambda each=each: self.expression(each) for each in arguments])  # type: ignore[misc]

    def statement(self, statement: Statement) -> str:
        match statement:
            case Assignment():
                text = self.open() + '[type |-> "assignment",' + self.newline()
                return text + self.field(" ass  |-> ", lambda: self.parts(statement.parts), "]") + self.close()
            case If():
                return self.if_(statement)
            case Either():
                return self.either(statement)
            case With():
                return self.with_(statement)
            case While():
                return self.while_(statement)
            case Await() | Assert():
                kind = "when" if isinstance(statement, Await) else "assert"
                return f'[type |-> "{kind}", {self.newline()} exp |-> {self.expression(statement.condition)}]'
            case Print():
                return f'[type |-> "print", {self.newline()} exp |-> {self.expression(statement.value)}]'
            case Skip():
                return '[type |-> "skip"]'
            case Goto():
                return f'[type |-> "goto",  to |-> "{statement.to}"]'
            case Return():
                return f'[type |-> "return", from |-> "{statement.procedure or "null"}"]'
            case Call():
                return self.call(statement)
            case _:
                raise AssertionError(statement)

    def parts(self, parts: Sequence[SingleAssignment]) -> str:
        return self.sequence([lambda each=each: self.part(each) for each in parts])  # type: ignore[misc]

    def part(self, part: SingleAssignment) -> str:
        left = f'[var |-> "{part.variable}", sub |-> {self.expression(part.subscript)}]'
        return self.open() + f"[lhs |-> {left},{self.newline()} rhs |-> {self.expression(part.value)}]" + self.close()

    def if_(self, statement: If) -> str:
        text, test = self.open(), self.expression(statement.test)
        if not statement.labelled:
            text += (
                f'[type    |-> "if", {self.newline()} test    |-> {self.expression(statement.test)},{self.newline()}'
            )
            text += self.field(" then |-> ", lambda: self.body(statement.then), ",") + self.newline()
            return text + self.field(" else |-> ", lambda: self.body(statement.other), "]") + self.close()
        text += f'[type      |-> "labelIf",{self.newline()} test      |-> {test},{self.newline()}'
        text += self.field(" unlabThen |-> ", lambda: self.body(statement.then), ",") + self.newline()
        text += self.field(" labThen   |-> ", lambda: self.steps(statement.labelled_then), ",") + self.newline()
        text += self.field(" unlabElse |-> ", lambda: self.body(statement.other), ",") + self.newline()
        text += self.field(" labElse   |-> ", lambda: self.steps(statement.labelled_other), "]") + self.newline()
        return text + self.close()

    def either(self, statement: Either) -> str:
        text = self.open()
        if not statement.labelled:
            text += f'[type |-> "either", {self.newline()}'
            inner = [lambda each=each: self.body(each.body) for each in statement.clauses]
            return text + self.field(" ors  |-> ", lambda: self.sequence(inner, "<< ", " >>"), "]") + self.close()
        text += f'[type    |-> "labelEither",{self.newline()}'
        clauses = [lambda each=each: self.clause(each) for each in statement.clauses]
        text += self.field(" clauses |-> ", lambda: self.sequence(clauses), "]") + self.newline()
        return text + self.close()

    def clause(self, clause: Clause) -> str:
        text = self.open() + self.field("[unlabOr |-> ", lambda: self.body(clause.body), ",") + self.newline()
        text += self.field(" labOr   |-> ", lambda: self.steps(clause.labelled), "]") + self.newline()
        return text + self.close()

    def with_(self, statement: With) -> str:
        text = self.open() + f'[type   |-> "with", {self.newline()} var    |-> "{statement.variable}",{self.newline()}'
        text += f" eqOrIn |-> {_relation(statement.equal)},{self.newline()}"
        text += f" exp    |-> {self.expression(statement.value)},{self.newline()}"
        return text + self.field(" do     |-> ", lambda: self.body(statement.body), "]") + self.close()

    def while_(self, statement: While) -> str:
        text = self.open() + f'[type    |-> "while", {self.newline()}'
        text += f" test    |-> {self.expression(statement.test)},{self.newline()}"
        text += self.field(" labDo   |-> ", lambda: self.steps(statement.labelled), ",") + self.newline()
        return text + self.field(" unlabDo |-> ", lambda: self.body(statement.body), "]") + self.close()

    def call(self, call: Call) -> str:
        text = self.open()
        if call.returns or call.then_to:
            kind, name, where = (
                ("callReturn", "from  ", call.procedure or "null")
                if call.returns
                else ("callGoto", "after ", call.then_to)
            )
            text += f'[type     |-> "{kind}",{self.newline()} {name}   |-> "{where}",{self.newline()}'
            text += f' to       |-> "{call.to}",{self.newline()}'
            text += self.open("args     |-> ") + self.arguments(call.arguments) + "]" + self.newline()
            return text + self.close() + self.close()
        text += f'[type     |-> "call",{self.newline()} returnTo |-> "",{self.newline()}'
        text += f' to       |-> "{call.to}",{self.newline()}'
        return text + self.field(" args     |-> ", lambda: self.arguments(call.arguments), "]") + self.close()


def _relation(equal: bool) -> str:
    return '"="' if equal else '"\\\\in"'
