"""A direct evaluator of resolved trees over plain Python objects, to compare the compiler with.

Values are tagged pairs: ("int", 3), ("str", "a"), ("bool", True), ("set", frozenset of values),
("fun", frozenset of (argument, result)). Nothing is shared with the compiler.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from rmqproof.model.evaluate.values import Boolean, Function


class Undefined(Exception):
    """The expression has no value."""


def canonical(value: Any) -> Any:
    """The tagged form of a value of the compiler."""
    if type(value) is int:
        return ("int", value)
    if type(value) is str:
        return ("str", value)
    if type(value) is Boolean:
        return ("bool", value.truth)
    if type(value) is frozenset:
        return ("set", frozenset(map(canonical, value)))
    if type(value) is tuple:
        return ("fun", frozenset((("int", i), canonical(item)) for i, item in enumerate(value, 1)))
    assert type(value) is Function, value
    return ("fun", frozenset((canonical(key), canonical(item)) for key, item in value.items()))


def sort_key(value: Any) -> Any:
    """Integers, strings and Booleans in their order; that is enough for CHOOSE in the tests."""
    return value


def truth(value: Any) -> bool:
    if value[0] != "bool":
        raise Undefined
    return bool(value[1])


def number(value: Any) -> int:
    if value[0] != "int":
        raise Undefined
    return int(value[1])


def elements(value: Any) -> list[Any]:
    if value[0] != "set":
        raise Undefined
    return sorted(value[1], key=repr) if any(item[0] in ("set", "fun") for item in value[1]) else sorted(value[1])


def graph(value: Any) -> dict[Any, Any]:
    if value[0] != "fun":
        raise Undefined
    return dict(value[1])


def sequence(value: Any) -> list[Any]:
    pairs = graph(value)
    if set(pairs) != {("int", i) for i in range(1, len(pairs) + 1)}:
        raise Undefined
    return [pairs[("int", i)] for i in range(1, len(pairs) + 1)]


def of_sequence(items: list[Any]) -> Any:
    return ("fun", frozenset((("int", i), item) for i, item in enumerate(items, 1)))


def boolean(value: bool) -> Any:
    return ("bool", value)


class Evaluator:
    def __init__(self, state: list[Any]) -> None:
        self.state = state

    def run(self, node: Any, env: dict[Any, Any]) -> Any:
        method = getattr(self, "do_" + type(node).__name__)
        return method(node, env)

    def assignments(self, binders: Any, env: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
        names = [binding for b in binders for binding in b.bindings]
        sets = [elements(self.run(b.domain, env)) for b in binders for _ in b.bindings]
        for values in product(*sets):
            yield {**env, **dict(zip(names, values, strict=True))}

    def do_Literal(self, node: Any, env: Any) -> Any:
        if isinstance(node.value, bool):
            return boolean(node.value)
        return ("int" if isinstance(node.value, int) else "str", node.value)

    def do_VariableReference(self, node: Any, env: Any) -> Any:
        return self.state[node.variable.index]

    def do_Reference(self, node: Any, env: Any) -> Any:
        return env[node.binding]

    def do_Call(self, node: Any, env: Any) -> Any:
        arguments = [self.run(argument, env) for argument in node.arguments]
        inner = {**env, **dict(zip(node.definition.parameters, arguments, strict=True))}
        return self.run(node.definition.body, inner)

    def do_Let(self, node: Any, env: Any) -> Any:
        return self.run(node.body, env)

    def do_If(self, node: Any, env: Any) -> Any:
        return self.run(node.then if truth(self.run(node.condition, env)) else node.otherwise, env)

    def do_Case(self, node: Any, env: Any) -> Any:
        for guard, body in node.arms:
            if truth(self.run(guard, env)):
                return self.run(body, env)
        if node.other is None:
            raise Undefined
        return self.run(node.other, env)

    def do_Quantified(self, node: Any, env: Any) -> Any:
        want = node.kind == "\\E"
        for inner in self.assignments(node.binders, env):
            if truth(self.run(node.body, inner)) is want:
                return boolean(want)
        return boolean(not want)

    def do_Choose(self, node: Any, env: Any) -> Any:
        for inner in self.assignments([node.binder], env):
            if truth(self.run(node.body, inner)):
                return inner[node.binder.bindings[0]]
        raise Undefined

    def do_SetEnumeration(self, node: Any, env: Any) -> Any:
        return ("set", frozenset(self.run(item, env) for item in node.items))

    def do_SetFilter(self, node: Any, env: Any) -> Any:
        bound = node.binder.bindings[0]
        found = [i[bound] for i in self.assignments([node.binder], env) if truth(self.run(node.body, i))]
        return ("set", frozenset(found))

    def do_SetMap(self, node: Any, env: Any) -> Any:
        return ("set", frozenset(self.run(node.body, inner) for inner in self.assignments(node.binders, env)))

    def do_TupleExpression(self, node: Any, env: Any) -> Any:
        return of_sequence([self.run(item, env) for item in node.items])

    def do_Record(self, node: Any, env: Any) -> Any:
        return ("fun", frozenset((("str", name), self.run(value, env)) for name, value in node.fields))

    def do_FunctionConstructor(self, node: Any, env: Any) -> Any:
        bound = node.binders[0].bindings[0]
        pairs = {i[bound]: self.run(node.body, i) for i in self.assignments(node.binders, env)}
        return ("fun", frozenset(pairs.items()))

    def do_FunctionApplication(self, node: Any, env: Any) -> Any:
        pairs = graph(self.run(node.function, env))
        argument = self.run(node.argument, env)
        if argument not in pairs:
            raise Undefined
        return pairs[argument]

    def do_FieldAccess(self, node: Any, env: Any) -> Any:
        pairs = graph(self.run(node.record, env))
        if ("str", node.field) not in pairs:
            raise Undefined
        return pairs[("str", node.field)]

    def do_Except(self, node: Any, env: Any) -> Any:
        value = self.run(node.function, env)
        for update in node.updates:
            value = self.changed(value, [self.run(step, env) for step in update.path], update, env)
        return value

    def changed(self, value: Any, path: list[Any], update: Any, env: Any) -> Any:
        pairs = graph(value)
        if path[0] in pairs:
            old = pairs[path[0]]
            if len(path) > 1:
                pairs[path[0]] = self.changed(old, path[1:], update, env)
            else:
                pairs[path[0]] = self.run(update.value, {**env, update.old: old})
        return ("fun", frozenset(pairs.items()))

    def do_FunctionSet(self, node: Any, env: Any) -> Any:
        keys, values = elements(self.run(node.domain, env)), elements(self.run(node.range, env))
        return (
            "set",
            frozenset(("fun", frozenset(zip(keys, some, strict=True))) for some in product(values, repeat=len(keys))),
        )

    def do_RecordSet(self, node: Any, env: Any) -> Any:
        names = [("str", name) for name, _ in node.fields]
        sets = [elements(self.run(value, env)) for _, value in node.fields]
        return ("set", frozenset(("fun", frozenset(zip(names, some, strict=True))) for some in product(*sets)))

    def do_Cartesian(self, node: Any, env: Any) -> Any:
        sets = [elements(self.run(factor, env)) for factor in node.factors]
        return ("set", frozenset(of_sequence(list(some)) for some in product(*sets)))

    def do_Builtin(self, node: Any, env: Any) -> Any:
        name = node.operator.rpartition("!")[2]
        arguments = node.arguments
        if name == "/\\":
            return boolean(all(truth(self.run(argument, env)) for argument in arguments))
        if name == "\\/":
            return boolean(any(truth(self.run(argument, env)) for argument in arguments))
        if name == "=>":
            return boolean(not truth(self.run(arguments[0], env)) or truth(self.run(arguments[1], env)))
        return self.strict(name, [self.run(argument, env) for argument in arguments])

    def strict(self, name: str, v: list[Any]) -> Any:
        match name:
            case "~":
                return boolean(not truth(v[0]))
            case "<=>":
                return boolean(truth(v[0]) == truth(v[1]))
            case "=":
                return boolean(v[0] == v[1])
            case "#":
                return boolean(v[0] != v[1])
            case "\\in":
                return boolean(v[0] in elements(v[1]))
            case "\\notin":
                return boolean(v[0] not in elements(v[1]))
            case "\\subseteq":
                return boolean(set(elements(v[0])) <= set(elements(v[1])))
            case "\\cup":
                return ("set", frozenset(elements(v[0])) | frozenset(elements(v[1])))
            case "\\cap":
                return ("set", frozenset(elements(v[0])) & frozenset(elements(v[1])))
            case "\\":
                return ("set", frozenset(elements(v[0])) - frozenset(elements(v[1])))
            case "SUBSET":
                result = [frozenset[Any]()]
                for item in elements(v[0]):
                    result += [some | {item} for some in result]
                return ("set", frozenset(("set", some) for some in result))
            case "UNION":
                return ("set", frozenset(item for some in elements(v[0]) for item in elements(some)))
            case "DOMAIN":
                return ("set", frozenset(graph(v[0])))
            case "+":
                return ("int", number(v[0]) + number(v[1]))
            case "-":
                return ("int", number(v[0]) - number(v[1]))
            case "*":
                return ("int", number(v[0]) * number(v[1]))
            case "<":
                return boolean(number(v[0]) < number(v[1]))
            case "<=":
                return boolean(number(v[0]) <= number(v[1]))
            case "\\div":
                if number(v[1]) == 0:
                    raise Undefined
                return ("int", number(v[0]) // number(v[1]))
            case "%":
                if number(v[1]) <= 0:
                    raise Undefined
                return ("int", number(v[0]) % number(v[1]))
            case "..":
                return ("set", frozenset(("int", i) for i in range(number(v[0]), number(v[1]) + 1)))
            case "Len":
                return ("int", len(sequence(v[0])))
            case "Append":
                return of_sequence([*sequence(v[0]), v[1]])
            case "\\o":
                return of_sequence(sequence(v[0]) + sequence(v[1]))
            case "Head":
                if not sequence(v[0]):
                    raise Undefined
                return sequence(v[0])[0]
            case "Tail":
                if not sequence(v[0]):
                    raise Undefined
                return of_sequence(sequence(v[0])[1:])
            case "Cardinality":
                return ("int", len(elements(v[0])))
        raise AssertionError(name)
