"""Random typed expressions: the compiled code, fast and careful, against the reference evaluator.

The order in which strings were met, and that in which sets are written, are drawn, too: no value depends on a name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.evaluate.deep_stack import in_deep_stack
from rmqproof.model.evaluate.lazy import plain
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.judge.values import reference_state, reference_value
from rmqproof.model.reference import EvaluationError, Reference
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from tests.evaluate.trees import AT, binder, binding, builtin, literal, model, reference, variables

DECLARED, (X, S, Q, R, F) = variables("x", "s", "q", "r", "f")


def start(x: int, s: list[int], q: list[int], a: int, b: bool, f: list[int]) -> core.Expression:
    """An initial predicate that gives each variable a value of its type."""
    key = binding("k")
    keys = core.SetEnumeration(AT, (literal("u"), literal("v")))
    rule = core.If(AT, builtin("=", reference(key), literal("u")), literal(f[0]), literal(f[1]))
    return builtin(
        "/\\",
        builtin("=", X, literal(x)),
        builtin("=", S, core.SetEnumeration(AT, tuple(map(literal, s)))),
        builtin("=", Q, core.TupleExpression(AT, tuple(map(literal, q)))),
        builtin("=", R, core.Record(AT, (("a", literal(a)), ("b", literal(b))))),
        builtin("=", F, core.FunctionConstructor(AT, (binder(key, keys),), rule)),
    )


class Maker:
    """Draws expressions of a type; `names` are the bindings in scope, by type."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.count = 0

    def pick(self, choices: list[Any]) -> Any:
        return choices[self.draw(st.integers(0, len(choices) - 1))]

    def fresh(self) -> core.Binding:
        self.count += 1
        return binding(f"n{self.count}")

    def make(self, kind: str, depth: int, names: dict[str, list[core.Binding]]) -> core.Expression:
        leaves = [lambda: reference(self.pick(names[kind]))] if names.get(kind) else []
        leaves += self.leaves(kind)
        if depth == 0:
            return self.pick(leaves)()
        deeper = getattr(self, kind)(depth - 1, names)
        general = [lambda: self.conditional(kind, depth - 1, names), lambda: self.let(kind, depth - 1, names)]
        general += [lambda: self.operator(kind, depth - 1, names)]
        return self.pick([*leaves, *deeper, *deeper, *general])()

    def leaves(self, kind: str) -> list[Any]:
        number = self.draw(st.integers(-2, 4))
        return {
            "int": [lambda: literal(number), lambda: X, lambda: core.FieldAccess(AT, R, "a")],
            "bool": [lambda: literal(number > 1), lambda: core.FieldAccess(AT, R, "b")],
            "set": [lambda: S, lambda: builtin("Integers!..", literal(0), literal(number))],
            "seq": [lambda: Q, lambda: core.TupleExpression(AT, ())],
            "sets": [lambda: builtin("SUBSET", core.SetEnumeration(AT, (literal(number), literal(1))))],
            "fun": [lambda: F],
        }[kind]

    def conditional(self, kind: str, depth: int, names: Any) -> core.Expression:
        condition = self.make("bool", depth, names)
        then, otherwise = self.make(kind, depth, names), self.make(kind, depth, names)
        if self.draw(st.booleans()):
            return core.If(AT, condition, then, otherwise)
        other = otherwise if self.draw(st.booleans()) else None
        return core.Case(AT, ((condition, then),), other)

    def let(self, kind: str, depth: int, names: Any) -> core.Expression:
        inner = self.pick(["int", "set", "seq", "fun", "bool"])
        definition = core.Definition("d", "Test", AT, (), self.make(inner, depth, names))
        body = self.make(kind, depth, names)
        uses = [core.Call(AT, definition) for _ in range(2)]
        if inner == kind:
            return core.Let(AT, (definition,), core.If(AT, builtin("=", *uses), uses[0], body))
        return core.Let(AT, (definition,), core.If(AT, builtin("=", *uses), body, body))

    def operator(self, kind: str, depth: int, names: Any) -> core.Expression:
        inner = self.pick(["int", "set", "seq"])
        parameter = self.fresh()
        body = self.make(kind, depth, {**names, inner: [*names.get(inner, []), parameter]})
        definition = core.Definition("Op", "Test", AT, (parameter,), body)
        call = core.Call(AT, definition, (self.make(inner, depth, names),))
        return core.Let(AT, (definition,), call)

    def int(self, depth: int, names: Any) -> list[Any]:
        def arithmetic() -> core.Expression:
            operator = self.pick(["+", "-", "*", "\\div", "%"])
            return builtin(f"Integers!{operator}", self.make("int", depth, names), self.make("int", depth, names))

        return [
            arithmetic,
            lambda: builtin("Sequences!Len", self.make("seq", depth, names)),
            lambda: builtin("Sequences!Head", self.make("seq", depth, names)),
            lambda: builtin("FiniteSets!Cardinality", self.make("set", depth, names)),
            lambda: core.FunctionApplication(AT, self.make("seq", depth, names), self.make("int", depth, names)),
            lambda: core.FunctionApplication(AT, self.make("fun", depth, names), literal(self.pick(["u", "v", "w"]))),
            lambda: self.choose(depth, names),
        ]

    def choose(self, depth: int, names: Any) -> core.Expression:
        bound = self.fresh()
        body = self.make("bool", depth, {**names, "int": [*names.get("int", []), bound]})
        return core.Choose(AT, binder(bound, self.make("set", depth, names)), body)

    def bool(self, depth: int, names: Any) -> list[Any]:
        def quantified() -> core.Expression:
            bound = self.fresh()
            body = self.make("bool", depth, {**names, "int": [*names.get("int", []), bound]})
            binders = (binder(bound, self.make("set", depth, names)),)
            return core.Quantified(AT, self.pick(["\\A", "\\E"]), binders, body)

        def logic() -> core.Expression:
            operator = self.pick(["/\\", "\\/", "=>", "<=>"])
            return builtin(operator, self.make("bool", depth, names), self.make("bool", depth, names))

        def comparison() -> core.Expression:
            kind = self.pick(["int", "set", "seq", "sets", "fun", "bool"])
            return builtin(self.pick(["=", "#"]), self.make(kind, depth, names), self.make(kind, depth, names))

        def member() -> core.Expression:
            item, items = self.pick([("int", "set"), ("set", "sets")])
            operator = self.pick(["\\in", "\\notin"])
            return builtin(operator, self.make(item, depth, names), self.make(items, depth, names))

        return [
            quantified,
            logic,
            comparison,
            member,
            lambda: builtin("~", self.make("bool", depth, names)),
            lambda: builtin(
                self.pick(["Integers!<", "Integers!<="]), self.make("int", depth, names), self.make("int", depth, names)
            ),
            lambda: builtin("\\subseteq", self.make("set", depth, names), self.make("set", depth, names)),
            lambda: self.in_function_set(depth, names),
        ]

    def in_function_set(self, depth: int, names: Any) -> core.Expression:
        keys = core.SetEnumeration(AT, (literal("u"), literal("v")))
        functions = core.FunctionSet(AT, keys, self.make("set", depth, names))
        return builtin("\\in", self.make("fun", depth, names), functions)

    def set(self, depth: int, names: Any) -> list[Any]:
        def binary() -> core.Expression:
            operator = self.pick(["\\cup", "\\cap", "\\"])
            return builtin(operator, self.make("set", depth, names), self.make("set", depth, names))

        def filtered() -> core.Expression:
            bound = self.fresh()
            body = self.make("bool", depth, {**names, "int": [*names.get("int", []), bound]})
            return core.SetFilter(AT, binder(bound, self.make("set", depth, names)), body)

        def mapped() -> core.Expression:
            bound = self.fresh()
            body = self.make("int", depth, {**names, "int": [*names.get("int", []), bound]})
            return core.SetMap(AT, body, (binder(bound, self.make("set", depth, names)),))

        return [
            binary,
            filtered,
            mapped,
            lambda: core.SetEnumeration(AT, (self.make("int", depth, names), self.make("int", depth, names))),
            lambda: builtin("UNION", self.make("sets", depth, names)),
            lambda: builtin("DOMAIN", self.make("seq", depth, names)),
        ]

    def sets(self, depth: int, names: Any) -> list[Any]:
        return [lambda: core.SetEnumeration(AT, (self.make("set", depth, names), self.make("set", depth, names)))]

    def seq(self, depth: int, names: Any) -> list[Any]:
        def changed() -> core.Expression:
            old = binding("@")
            value = self.make("int", depth, {**names, "int": [*names.get("int", []), old]})
            update = core.Update((self.make("int", depth, names),), value, old)
            return core.Except(AT, self.make("seq", depth, names), (update,))

        def constructed() -> core.Expression:
            bound = self.fresh()
            body = self.make("int", depth, {**names, "int": [*names.get("int", []), bound]})
            interval = builtin("Integers!..", literal(1), self.pick([literal(2), X]))
            return core.FunctionConstructor(AT, (binder(bound, interval),), body)

        return [
            changed,
            constructed,
            lambda: core.TupleExpression(AT, (self.make("int", depth, names), self.make("int", depth, names))),
            lambda: builtin("Sequences!Append", self.make("seq", depth, names), self.make("int", depth, names)),
            lambda: builtin("Sequences!\\o", self.make("seq", depth, names), self.make("seq", depth, names)),
            lambda: builtin("Sequences!Tail", self.make("seq", depth, names)),
        ]

    def fun(self, depth: int, names: Any) -> list[Any]:
        def changed() -> core.Expression:
            old = binding("@")
            value = self.make("int", depth, {**names, "int": [*names.get("int", []), old]})
            update = core.Update((literal(self.pick(["u", "v", "w"])),), value, old)
            return core.Except(AT, self.make("fun", depth, names), (update,))

        def record() -> core.Expression:
            return core.Record(AT, (("u", self.make("int", depth, names)), ("v", self.make("int", depth, names))))

        def constructed() -> core.Expression:
            """[k \\in {"v", "u"} |-> ...], whose values depend on the argument."""
            key = self.fresh()
            keys = core.SetEnumeration(AT, tuple(map(literal, self.draw(st.permutations(["u", "v"])))))
            is_u = builtin("=", reference(key), literal("u"))
            body = core.If(AT, is_u, self.make("int", depth, names), self.make("int", depth, names))
            return core.FunctionConstructor(AT, (binder(key, keys),), body)

        return [changed, record, constructed, constructed]


@st.composite
def expressions(draw: Any) -> core.Expression:
    kind = draw(st.sampled_from(["int", "bool", "set", "seq", "fun", "sets"]))
    return Maker(draw).make(kind, draw(st.integers(1, 4)), {})


small = st.integers(-2, 4)


@settings(max_examples=250, deadline=None)
@given(
    expressions(),
    small,
    st.lists(small, max_size=3),
    st.lists(small, max_size=3),
    small,
    st.booleans(),
    st.tuples(small, small),
    st.permutations(["a", "b", "u", "v", "w"]),
)
def test_compiled_code_agrees_with_direct_evaluation(
    node: core.Expression, x: int, s: list[int], q: list[int], a: int, b: bool, f: tuple[int, int], words: list[str]
) -> None:
    asked = replace(model(DECLARED, start(x, s, q, a, b, list(f))), words=tuple(words))
    system, reference = system_of(asked), Reference(asked)
    (state,) = system.initial_states()
    (first,) = reference.initial_states()
    assert reference_state(system.values(state)) == first
    try:
        expected = reference.evaluate(node, state=first)
    except EvaluationError:
        expected = None
    assert outcome(system, node, state) == expected
    assert careful_outcome(system, node, state) == expected


def outcome(system: PythonSystem, node: core.Expression, state: Any) -> Any:
    try:
        return reference_value(system.evaluate_state(node, state))
    except TlaError as error:
        assert error.at is not None
        return None


def careful_outcome(system: PythonSystem, node: core.Expression, state: Any) -> Any:
    run = system.careful().test(node, False, "value")
    try:
        return reference_value(plain(in_deep_stack(lambda: run(state))))
    except Exception:
        return None
