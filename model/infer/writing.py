"""Expressions of the resolved tree as TLA+ text in one line, with other names for what is bound outside of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rmqproof.model.tla import core
from rmqproof.model.tla.operators import infix_operators, prefix_operators

Names = Mapping[core.Binding, str]


class Unwritten(Exception):
    """There is no text for it that another module can read: it needs a name that is known inside of it only."""


def text_of(e: core.Expression, names: Names, known: Mapping[str, core.Definition], taken: Collection[str] = ()) -> str:
    """The text, in which `names` stand for bindings. `known`: the definitions that may be named. `taken`: what is bound
    inside of it gets none of these names.

    Raise `Unwritten`.
    """
    return _Writer(known, names, frozenset(taken)).text(e)


class _Writer:
    def __init__(self, known: Mapping[str, core.Definition], names: Names, taken: frozenset[str]) -> None:
        self.known, self.names, self.taken = known, dict(names), taken

    def text(self, e: core.Expression) -> str:
        match e:
            case core.Literal(value=bool() as value):
                return "TRUE" if value else "FALSE"
            case core.Literal(value=int() as value):
                return str(value) if value >= 0 else f"({value})"
            case core.Literal(value=str() as value) if value.isprintable() and not set(value) & {'"', "\\"}:
                return f'"{value}"'
            case core.ConstantReference(constant=constant):
                return constant.name
            case core.VariableReference(variable=variable):
                return variable.name
            case core.Reference(binding=binding) if binding in self.names:
                return self.names[binding]
            case core.Call(definition=definition, arguments=arguments):
                if self.known.get(definition.name) is not definition or "!" in definition.name:
                    raise Unwritten(definition.name)
                return definition.name + (f"({self._list(arguments)})" if arguments else "")
            case core.Builtin(operator=operator, arguments=arguments):
                return self._operator(operator.rpartition("!")[2], arguments)
            case core.Quantified(kind=kind, binders=binders, body=body):
                return f"({kind} {self._binders(binders)} : {self.text(body)})"
        return self._brackets(e)

    def _brackets(self, e: core.Expression) -> str:
        match e:
            case core.SetEnumeration(items=items):
                return "{" + self._list(items) + "}"
            case core.SetFilter(binder=binder, body=body):
                return "{" + f"{self._binders((binder,))} : {self.text(body)}" + "}"
            case core.SetMap(binders=binders, body=body):
                bound = self._binders(binders)
                return "{" + f"{self.text(body)} : {bound}" + "}"
            case core.FunctionApplication(function=function, argument=core.TupleExpression(items=items)) if items:
                return f"{self.text(function)}[{self._list(items)}]"
            case core.FunctionApplication(function=function, argument=argument):
                return f"{self.text(function)}[{self.text(argument)}]"
            case core.FieldAccess(record=record, field=field):
                return f"{self.text(record)}.{field}"
            case core.Record(fields=fields):
                return "[" + ", ".join(f"{name} |-> {self.text(value)}" for name, value in fields) + "]"
            case core.TupleExpression(items=items):
                return f"<<{self._list(items)}>>"
            case core.If(condition=condition, then=then, otherwise=otherwise):
                return f"(IF {self.text(condition)} THEN {self.text(then)} ELSE {self.text(otherwise)})"
            case core.Let(definitions=definitions, body=body):
                return f"(LET {' '.join(map(self._defined, definitions))} IN {self.text(body)})"
        raise Unwritten(type(e).__name__)

    def _operator(self, name: str, arguments: tuple[core.Expression, ...]) -> str:
        if name == "'" or not name.isprintable():
            raise Unwritten(name)
        if name in infix_operators() and len(arguments) >= 2:
            return "(" + f" {name} ".join(map(self.text, arguments)) + ")"
        if name in prefix_operators() and len(arguments) == 1:
            return f"({'-' if name == '-.' else name} {self.text(arguments[0])})"
        if not name.replace("_", "a").isalnum():
            raise Unwritten(name)
        return name + (f"({self._list(arguments)})" if arguments else "")

    def _defined(self, definition: core.Definition) -> str:
        if definition.parameters or definition.recursive or definition.name in self.taken:
            raise Unwritten(definition.name)
        text = f"{definition.name} == {self.text(definition.body)}"
        self.known = {**self.known, definition.name: definition}
        return text

    def _list(self, items: Iterable[core.Expression]) -> str:
        return ", ".join(map(self.text, items))

    def _binders(self, binders: tuple[core.Binder, ...]) -> str:
        domains = []
        for binder in binders:
            if binder.is_tuple or binder.domain is None:
                raise Unwritten("a pattern of names")
            domains.append(self.text(binder.domain))
        for binder in binders:
            name = binder.bindings[0].name
            while name in self.taken:
                name += "_"
            self.names[binder.bindings[0]] = name
        bound = (self.names[binder.bindings[0]] for binder in binders)
        return ", ".join(f"{name} \\in {domain}" for name, domain in zip(bound, domains, strict=True))
