"""From the words of an algorithm, in either syntax, to its tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rmqproof.model.pluscal.expression import Expression
from rmqproof.model.pluscal.lexer import PlusCalError, Token
from rmqproof.model.pluscal.reader import Reader
from rmqproof.model.pluscal.tree import (
    Algorithm,
    Assert,
    Assignment,
    Await,
    Call,
    Clause,
    Either,
    Fairness,
    Goto,
    If,
    Macro,
    MacroCall,
    Print,
    Procedure,
    Process,
    Return,
    SingleAssignment,
    Skip,
    Statement,
    Unit,
    Variable,
    While,
    With,
)

_NO_LABELS_TEXT = "while if assert print else elsif either or end with when await skip call return goto "
_NO_LABELS = frozenset(_NO_LABELS_TEXT.split())
_DECLARATIONS_END_TEXT = "begin { procedure process fair define macro "
_DECLARATIONS_END = frozenset(_DECLARATIONS_END_TEXT.split())


def parse(tokens: Sequence[Token], fair: bool, default: Fairness, fair_body: bool) -> Algorithm:
    """The words behind `--algorithm`, or `--fair algorithm`. `default`: of processes that say nothing; `fair_body`: the
    main part may be called fair."""
    return _Parser(tokens, fair, default, fair_body).algorithm()


class _Parser(Reader):
    def __init__(self, tokens: Sequence[Token], fair: bool, default: Fairness, fair_body: bool) -> None:
        super().__init__(tokens)
        self.fair_body = fair_body
        self.default = default
        self.unit: Unit | None = None
        self.procedure = ""
        self.in_macro = False
        self.result = Algorithm("", fair, [], Expression(), [], [], [], None)
        self.statements: dict[str, Callable[[], Statement]] = {
            "if": self.if_,
            "either": self.either,
            "with": self.with_,
            "when": self.await_,
            "await": self.await_,
            "print": self.print_,
            "assert": self.assert_,
            "skip": self.skip,
            "call": self.call,
            "return": self.return_,
            "goto": self.goto,
            "while": self.while_,
        }

    # --- the algorithm -------------------------------------------------------------------------------------------

    def algorithm(self) -> Algorithm:
        result = self.result
        if result.fair:
            self.expect("algorithm")
        result.name = self.take().text
        self.braces = self.peek() == "{"
        if self.braces:
            self.take()
        if self.peek() in ("variable", "variables"):
            result.variables = self.variables()
        if self.peek() == "define":
            result.definitions = self.definitions()
        while self.peek() == "macro":
            result.macros.append(self.macro())
        while self.peek() == "procedure":
            result.procedures.append(self.procedure_())
        if self.peek() == "process" or (self.peek() == "fair" and self.peek(1) in ("process", "+")):
            while self.peek() in ("process", "fair"):
                result.processes.append(self.process())
        else:
            if self.fair_body and self.peek() == "fair":
                self.take()
                result.fair_body = True
            token = self.tokens[min(self.at, len(self.tokens) - 1)]
            self.begin()
            main = Unit("", token.line, token.column + 1, [], [])
            # TLC's translator takes what is called here for calls of the last procedure, and puts it into its checksum
            self.unit = result.procedures[-1] if result.procedures else main
            main.statements = self.sequence()
            result.main = main
            if self.braces:
                self.expect("}")
        self.end("algorithm")
        names = [macro.name for macro in result.macros]
        for macro in result.macros:
            if names.count(macro.name) > 1:
                raise PlusCalError(f"There are two macros {macro.name}.", macro.line, macro.column - 1)
        return result

    def definitions(self) -> Expression:
        self.expect("define")
        if self.braces:
            self.expect("{")
        found = self.expression()
        self.end("define")
        self.semicolon()
        return found

    def variables(self, parameters: bool = False) -> list[Variable]:
        """`parameters`: of a procedure, whose variables have a value."""
        self.expect("variables", "variable")
        found = []
        while self.peek() not in _DECLARATIONS_END:
            found.append(self.variable(parameters))
            if self.peek() == ",":
                self.take()
            else:
                self.semicolon()
        return found

    def variable(self, parameter: bool) -> Variable:
        token = self.identifier("a variable")
        result = Variable(token.text, line=token.line, column=token.column + 1)
        if self.peek() == "=" or (not parameter and self.peek() in ("\\in", "∈")):
            result.equal = self.equal_or_in()
            result.value = self.expression(f"the value of {result.name}")
        else:
            self.result.default_value = True
        return result

    def macro(self) -> Macro:
        start = self.expect("macro")
        result = Macro(self.identifier("a macro").text, [], [], start.line, start.column + 1)
        self.expect("(")
        while self.peek() != ")":
            if result.parameters:
                self.expect(",")
            result.parameters.append(self.identifier("a parameter").text)
        self.take()
        self.begin()
        self.in_macro = True
        result.body = self.sequence()
        self.in_macro = False
        self.end("macro")
        if self.peek() == ";":
            self.take()
        return result

    def procedure_(self) -> Procedure:
        start = self.expect("procedure")
        token = self.identifier("a procedure")
        self.procedure = token.text
        result = Procedure(token.text, start.line, start.column + 1, [], [])
        self.unit = result
        self.expect("(")
        while self.peek() != ")":
            if result.parameters:
                self.expect(",")
            result.parameters.append(self.variable(parameter=True))
        self.take()
        if self.peek() not in ("begin", "{"):
            result.variables = self.variables(parameters=True)
        self.body(result, "procedure")
        self.procedure = ""
        return result

    def body(self, unit: Unit, word: str) -> None:
        self.begin()
        unit.statements = self.sequence()
        self.end(word)
        if self.peek() == ";":
            self.take()

    def process(self) -> Process:
        fairness = self.default
        if self.peek() == "fair":
            self.take()
            fairness = Fairness.STRONG if self.peek() == "+" else Fairness.WEAK
            if fairness is Fairness.STRONG:
                self.take()
        start = self.expect("process")
        if self.braces:
            self.expect("(")
        result = Process(self.identifier("a process").text, start.line, start.column + 1, [], [])
        result.equal = self.equal_or_in()
        result.identity = self.expression(f"what identifies {result.name}")
        result.fairness = fairness
        if self.braces:
            self.expect(")")
        self.unit = result
        if self.peek() not in ("begin", "{"):
            result.variables = self.variables()
        self.body(result, "process")
        return result

    # --- statements ----------------------------------------------------------------------------------------------

    def sequence(self) -> list[Statement]:
        found: list[Statement] = []
        start = self.tokens[min(self.at, len(self.tokens) - 1)]
        ends = ("}",) if self.braces else ("end", "else", "elsif", "or")
        while self.peek() not in ends:
            label = self.label()
            if self.braces and self.peek() == "{":
                found += self.block(label)
            else:
                found.append(self.statement(label))
        if self.braces and not found:
            raise self.wrong("There is no statement here.", start)
        return found

    def label(self) -> str:
        if self.peek() in _NO_LABELS or self.peek(1) != ":":
            return ""
        token = self.take()
        self.take()
        if self.in_macro:
            raise self.wrong("A macro cannot have labels.", token)
        if token.text in ("Done", "Error"):
            raise self.wrong(f"{token.text} cannot be a label: the translation has a meaning for it.", token)
        self.result.labels.add(token.text)
        if self.peek() in ("+", "-"):
            assert self.unit is not None
            (self.unit.plus if self.take().text == "+" else self.unit.minus).append(token.text)
            self.result.marks_labels = True
        return token.text

    def block(self, label: str) -> list[Statement]:
        start = self.expect("{")
        found = self.sequence()
        self.expect("}")
        self.semicolon()
        if label:
            if found[0].label:
                raise self.wrong("This statement has two labels.", start)
            found[0].label = label
        return found

    def some(self) -> list[Statement]:
        """In c-syntax: a statement, or several in braces."""
        label = self.label()
        return self.block(label) if self.peek() == "{" else [self.statement(label)]

    def inner(self) -> list[Statement]:
        return self.some() if self.braces else self.sequence()

    def statement(self, label: str) -> Statement:
        if self.at >= len(self.tokens):
            self.take()
        start, parenthesis = self.tokens[self.at], self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        kind = self.statements.get(self.peek())
        if kind is not None:
            result = kind()
        elif self.peek(1) == "(":
            result = self.macro_call()
        else:
            result = self.assignment()
        if self.braces and isinstance(result, With):
            start = parenthesis  # the comments of the translation say this place
        result.line, result.column, result.label = start.line, start.column + 1, label
        return result

    def parenthesised(self, what: str) -> Expression:
        if self.braces:
            self.expect("(")
        found = self.expression(what)
        if self.braces:
            self.expect(")")
        return found

    def if_(self) -> Statement:
        start = self.expect("if", "elsif")
        test = self.parenthesised("the test")
        if self.braces:
            then = self.some()
            other: list[Statement] = []
            if self.peek() == "else":
                self.take()
                other = self.some()
            return If(test, then, other)
        self.expect("then")
        then, other = self.sequence(), []
        if not then:
            raise self.wrong("There is no statement here.", start)
        if self.peek() == "elsif":
            token = self.tokens[self.at]
            inner = self.if_()
            inner.line, inner.column = token.line, token.column + 1
            other = [inner]
        else:
            if self.peek() == "else":
                self.take()
                other = self.sequence()
        if start.text == "if":
            self.end("if")
            self.semicolon()
        return If(test, then, other)

    def either(self) -> Statement:
        start = self.expect("either")
        clauses = []
        while True:
            body = self.inner()
            if not body:
                raise self.wrong("A part of this `either` is empty.", start)
            clauses.append(Clause(body))
            if self.peek() != "or":
                break
            self.take()
        if not self.braces:
            self.end("either")
            self.semicolon()
        if len(clauses) == 1:
            raise self.wrong("This `either` has no `or`.", start)
        return Either(clauses)

    def with_(self) -> Statement:
        start = self.expect("with")
        if self.braces:
            self.expect("(")
        return self._with(start)

    def _with(self, start: Token) -> With:
        token = self.identifier("a variable")
        equal = self.equal_or_in()
        value = self.expression(f"the value of {token.text}")
        if not self.braces or self.peek() != ")":
            if self.peek() == ",":
                self.take()
            else:
                self.semicolon()
        body: list[Statement]
        if self.peek() == ("do" if not self.braces else ")"):
            self.take()
            body = self.inner()
            if not self.braces:
                self.end("with")
                self.semicolon()
            if not body:
                raise self.wrong("The body of this `with` is missing.", start)
        else:
            inner = self.tokens[min(self.at, len(self.tokens) - 1)]
            body = [self._with(start)]
            body[0].line, body[0].column = inner.line, inner.column + 1
        return With(token.text, equal, value, body)

    def while_(self) -> Statement:
        start = self.expect("while")
        test = self.parenthesised("the test")
        if self.braces:
            body = self.some()
        else:
            self.expect("do")
            body = self.sequence()
            self.end("while")
            self.semicolon()
        if not body:
            raise self.wrong("The body of this `while` is missing.", start)
        return While(test, body)

    def await_(self) -> Statement:
        word = self.take().text
        found = Await(self.expression(f"this `{word}`"))
        self.semicolon()
        return found

    def print_(self) -> Statement:
        self.take()
        found = Print(self.expression("this `print`"))
        self.semicolon()
        return found

    def assert_(self) -> Statement:
        self.take()
        found = Assert(self.expression("this `assert`"))
        self.semicolon()
        return found

    def skip(self) -> Statement:
        self.take()
        self.semicolon()
        return Skip()

    def return_(self) -> Statement:
        self.take()
        self.semicolon()
        return Return(self.procedure)

    def goto(self) -> Statement:
        self.take()
        to = self.take().text
        self.result.uses_goto = True
        self.result.goes_to_done |= to == "Done"
        self.semicolon()
        return Goto(to)

    def arguments(self) -> list[Expression]:
        self.expect("(")
        found = []
        if self.peek() != ")":
            found.append(self.expression("an argument"))
            while self.peek() == ",":
                self.take()
                found.append(self.expression("an argument"))
        self.expect(")")
        return found

    def call(self) -> Statement:
        self.take()
        to = self.identifier("a procedure").text
        found = Call(to, self.arguments(), procedure=self.procedure)
        self.semicolon()
        if self.unit is not None and to not in self.unit.calls:
            self.unit.calls.append(to)
        if self.peek() == "return":
            self.take()
            found.returns = True
            self.semicolon()
        elif self.peek() == "goto":
            self.take()
            found.then_to = self.take().text
            self.result.uses_goto = True
            self.result.goes_to_done |= to == "Done"
            self.semicolon()
        return found

    def macro_call(self) -> Statement:
        name = self.identifier("a macro").text
        found = MacroCall(name, self.arguments())
        self.semicolon()
        return found

    def assignment(self) -> Statement:
        found = Assignment([self.single()])
        while self.peek() in ("||", "‖"):
            self.take()
            found.parts.append(self.single())
        self.semicolon()
        return found

    def single(self) -> SingleAssignment:
        token = self.identifier("a variable, or a statement,")
        subscript = self.expression()
        self.expect(":=", "≔")
        value = self.expression("what is assigned")
        return SingleAssignment(token.text, subscript, value, token.line, token.column + 1)
