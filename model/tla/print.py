"""Trees back to text. `parse_expression(text_of(e))` is `e` again, apart from places."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.tla import syntax
from rmqproof.model.tla.operators import infix_operators, postfix_operators, prefix_operators

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f"}
_ATOMS = (
    syntax.Number
    | syntax.Decimal
    | syntax.Text
    | syntax.SetEnumeration
    | syntax.SetFilter
    | syntax.SetMap
    | syntax.FunctionConstructor
    | syntax.FunctionSet
    | syntax.FunctionApplication
    | syntax.FieldAccess
    | syntax.Record
    | syntax.RecordSet
    | syntax.TupleExpression
    | syntax.Except
    | syntax.Old
)


def text_of(expression: syntax.Expression, one_line: bool = False) -> str:
    """The expression with every operand in parentheses that is no name, literal or bracket.

    Junction lists go over several lines, by column; with `one_line` they are written with their operator between the
    items (which parses to an equivalent tree, not to the same).
    """
    return _Printer(one_line).print(expression)


class _Printer:
    def __init__(self, one_line: bool) -> None:
        self.one_line = one_line
        self.text: list[str] = []
        self.column = 0

    def print(self, expression: syntax.Expression) -> str:
        self._expression(expression)
        return "".join(self.text)

    def _write(self, *parts: str | syntax.Node) -> None:
        """Strings as they are, nodes as operands."""
        for part in parts:
            if isinstance(part, str):
                self.text.append(part)
                self.column += len(part)
            else:
                self._operand(part)

    def _list(self, items: Sequence[syntax.Node]) -> None:
        for number, item in enumerate(items):
            self._write(", " if number else "")
            if isinstance(item, syntax.Lambda):
                self._expression(item)
            else:
                self._write(item)

    def _operand(self, node: syntax.Node) -> None:
        plain = isinstance(node, _ATOMS)
        if isinstance(node, syntax.Apply):
            plain = bool(node.prefix) or not node.arguments or _is_name(node.name)
        if plain or not isinstance(node, syntax.Expression):
            self._expression(node)
            return
        self._write("(")
        self._expression(node)
        self._write(")")

    def _base(self, node: syntax.Expression) -> None:
        """What stands before `[`, `.` or a postfix operator."""
        if isinstance(node, syntax.Number | syntax.Decimal):
            self._write("(", node, ")")
        else:
            self._write(node)

    def _expression(self, node: syntax.Node) -> None:
        match node:
            case syntax.Number(value=value):
                self._write(str(value))
            case syntax.Decimal(text=text):
                self._write(text)
            case syntax.Text(value=value):
                self._write('"' + "".join(_ESCAPES.get(c, c) for c in value) + '"')
            case syntax.Old():
                self._write("@")
            case syntax.Apply():
                self._apply(node)
            case syntax.Junction(operator=operator, items=items):
                self._junction(operator, items)
            case syntax.Cartesian(factors=factors):
                for number, factor in enumerate(factors):
                    self._write(" \\X " if number else "", factor)
            case syntax.Identifier(name=name):
                self._write(name)
            case syntax.TuplePattern(names=names):
                self._write("<<")
                self._list(names)
                self._write(">>")
            case syntax.Bound(patterns=patterns, domain=domain):
                self._list(patterns)
                if domain is not None:
                    self._write(" \\in ", domain)
            case _:
                self._words(node)

    def _words(self, node: syntax.Node) -> None:
        """What begins with a word."""
        match node:
            case syntax.Quantified(kind=kind, bounds=bounds, body=body):
                self._write(kind, " ")
                self._list(bounds)
                self._write(" : ", body)
            case syntax.TemporalQuantified(kind=kind, names=names, body=body):
                self._write(kind, " ")
                self._list(names)
                self._write(" : ", body)
            case syntax.Choose(pattern=pattern, domain=domain, body=body):
                self._write("CHOOSE ", pattern)
                if domain is not None:
                    self._write(" \\in ", domain)
                self._write(" : ", body)
            case syntax.If(condition=condition, then=then, otherwise=otherwise):
                self._write("IF ", condition, " THEN ", then, " ELSE ", otherwise)
            case syntax.Case(arms=arms, other=other):
                self._write("CASE ")
                for number, arm in enumerate(arms):
                    self._write(" [] " if number else "", arm.guard, " -> ", arm.body)
                if other is not None:
                    self._write(" [] OTHER -> ", other)
            case syntax.Let(units=units, body=body):
                self._write("LET")
                for unit in units:
                    self._write(" ")
                    self._unit(unit)
                self._write(" IN ", body)
            case syntax.Lambda(parameters=parameters, body=body):
                self._write("LAMBDA ")
                self._list(parameters)
                self._write(" : ", body)
            case syntax.Fairness(kind=kind, subscript=subscript, action=action):
                self._write(kind, "_(", subscript, ")(", action, ")")
            case syntax.Label(name=name, parameters=parameters, body=body):
                self._write(name)
                if parameters:
                    self._write("(")
                    self._list(parameters)
                    self._write(")")
                self._write(" :: ", body)
            case _:
                self._brackets(node)

    def _brackets(self, node: syntax.Node) -> None:
        match node:
            case syntax.SetEnumeration(items=items):
                self._write("{")
                self._list(items)
                self._write("}")
            case syntax.SetFilter(pattern=pattern, domain=domain, body=body):
                self._write("{", pattern, " \\in ", domain, " : ", body, "}")
            case syntax.SetMap(body=body, bounds=bounds):
                self._write("{", body, " : ")
                self._list(bounds)
                self._write("}")
            case syntax.FunctionConstructor(bounds=bounds, body=body):
                self._write("[")
                self._list(bounds)
                self._write(" |-> ", body, "]")
            case syntax.FunctionSet(domain=domain, range=values):
                self._write("[", domain, " -> ", values, "]")
            case syntax.FunctionApplication(function=function, arguments=arguments):
                self._base(function)
                self._write("[")
                self._list(arguments)
                self._write("]")
            case syntax.FieldAccess(record=record, field=field):
                self._base(record)
                self._write(".", field)
            case syntax.Record(fields=fields):
                self._fields(fields, " |-> ")
            case syntax.RecordSet(fields=fields):
                self._fields(fields, " : ")
            case syntax.TupleExpression(items=items):
                self._write("<<")
                self._list(items)
                self._write(">>")
            case syntax.Except(function=function, updates=updates):
                self._write("[", function, " EXCEPT ")
                for number, update in enumerate(updates):
                    self._write(", !" if number else "!")
                    for step in update.path:
                        if isinstance(step, syntax.PathField):
                            self._write(".", step.name)
                        else:
                            self._write("[")
                            self._list(step.arguments)
                            self._write("]")
                    self._write(" = ", update.value)
                self._write("]")
            case syntax.BoxAction(action=action, subscript=subscript):
                self._write("[", action, "]_(", subscript, ")")
            case syntax.AngleAction(action=action, subscript=subscript):
                self._write("<<", action, ">>_(", subscript, ")")
            case _:
                raise TypeError(type(node).__name__)

    def _fields(self, fields: tuple[syntax.RecordField, ...], between: str) -> None:
        for number, field in enumerate(fields):
            self._write(", " if number else "[", field.name, between, field.value)
        self._write("]")

    def _apply(self, node: syntax.Apply) -> None:
        for outer in node.prefix:
            self._write("" if outer.name == "()" else outer.name)
            self._arguments(outer.arguments)
            self._write("!")
        name, arguments = node.name, node.arguments
        if not node.prefix and len(arguments) == 2 and name in infix_operators():
            self._write(arguments[0], f" {name} ", arguments[1])
        elif not node.prefix and len(arguments) == 1 and name in prefix_operators():
            self._write("-" if name == "-." else f"{name} ", arguments[0])
        elif not node.prefix and len(arguments) == 1 and name in postfix_operators():
            self._base(arguments[0])
            self._write(name)
        else:
            shown = name if _is_name(name) else f" {name} "
            self._write("" if name == "()" else shown)  # (*) would begin a comment, !!! is !! and !
            self._arguments(arguments)

    def _arguments(self, arguments: tuple[syntax.Expression, ...]) -> None:
        if arguments:
            self._write("(")
            self._list(arguments)
            self._write(")")

    def _junction(self, operator: str, items: tuple[syntax.Expression, ...]) -> None:
        start = self.column
        for number, item in enumerate(items):
            if self.one_line:
                self._write(f" {operator} " if number else "", item)
                continue
            if number:
                self.text.append("\n" + " " * start)
                self.column = start
            self._write(f"{operator} ", item)

    def _unit(self, unit: syntax.Unit) -> None:
        match unit:
            case syntax.Recursive(parameters=parameters):
                self._write("RECURSIVE ")
                self._parameters(parameters)
            case syntax.OperatorDefinition(name=name, parameters=parameters, body=body):
                self._header(name, parameters)
                self._write(" == ", body)
            case syntax.FunctionDefinition(name=name, bounds=bounds, body=body):
                self._write(name, "[")
                self._list(bounds)
                self._write("] == ", body)
            case syntax.ModuleDefinition(name=name, parameters=parameters, instance=instance):
                self._header(name, parameters)
                self._write(" == INSTANCE ", instance.module)
                for number, substitution in enumerate(instance.substitutions):
                    self._write(", " if number else " WITH ", substitution.name, " <- ")
                    self._list([substitution.value])
            case _:
                raise TypeError(f"{type(unit).__name__} in a LET")

    def _header(self, name: str, parameters: tuple[syntax.Parameter, ...]) -> None:
        if len(parameters) == 2 and name in infix_operators():
            self._write(f"{parameters[0].name} {name} {parameters[1].name}")
        elif len(parameters) == 1 and name in prefix_operators():
            self._write(f"{name} {parameters[0].name}")
        elif len(parameters) == 1 and name in postfix_operators():
            self._write(f"{parameters[0].name} {name}")
        else:
            self._write(name)
            if parameters:
                self._write("(")
                self._parameters(parameters)
                self._write(")")

    def _parameters(self, parameters: tuple[syntax.Parameter, ...]) -> None:
        for number, parameter in enumerate(parameters):
            self._write(", " if number else "")
            name = parameter.name
            if parameter.arity == 2 and name in infix_operators():
                self._write(f"_ {name} _")
            elif parameter.arity == 1 and name in prefix_operators():
                self._write(f"{name} _")
            elif parameter.arity == 1 and name in postfix_operators():
                self._write(f"_ {name}")
            elif parameter.arity:
                self._write(name, "(", ", ".join("_" * parameter.arity), ")")
            else:
                self._write(name)


def _is_name(name: str) -> bool:
    return name.replace("_", "a").isalnum() and name not in prefix_operators()
