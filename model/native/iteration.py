"""Loops over sets, without building the sets where they need not be; quantifiers and CHOOSE."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    BOOL,
    NOTHING,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    cardinality,
    function_of,
)

from .invariant import Loop, outermost
from .operator_writer import OperatorWriter
from .questions import as_written, is_lazy
from .representation import (
    in_rank_order,
    listed_size,
    universe_size,
    words,
)
from .terms import Body, Bound, C, Closure, Env, Named

MOST_KEPT = 64
"""As many subsets are kept of those that a loop finds again and again."""


class IterationWriter(OperatorWriter):
    """Writes loops."""

    __slots__ = ()

    def each(self, e: core.Expression, env: Env, body: Body) -> tuple[str, bool]:
        """A loop over the elements of the set `e`, each once, by rank; and whether computing the set can fail."""
        loops: list[Loop] = []
        first = self.names

        def turn(x: C) -> str:
            with self.turning(first) as loop:
                loops.append(loop)
                return body(x)

        code, risky = self._each(e, env, turn)
        declared = " ".join(filter(None, (loop.declared(code) for loop in loops)))
        return (f"{{ {declared} {code} }}" if declared else code), risky

    def _each(self, e: core.Expression, env: Env, body: Body) -> tuple[str, bool]:
        e, env = self.unfolded(e, env)
        match e:
            case core.Builtin():
                name = operators.short_name(e.operator)
                if name == "..":
                    return self._each_number(e, env, body)
                if name == "SUBSET":
                    return self._each_subset(e, env, body)
                if name == "\\":
                    return self._each_difference(e, env, body)
                if name == "BOOLEAN":
                    x = self.name()
                    return f"for (I {x} = 0; {x} < 2; {x}++) {{ {body(C(x, BOOL, place=True))} }}", False
            case core.SetFilter():
                return self._each_filtered(e, env, body)
            case core.FunctionSet():
                return self._each_function(e, env, body)
            case core.Cartesian() | core.RecordSet():
                return self._each_product(e, env, body)
        value = self.only(e, self.compile(e, env), Set)
        if not isinstance(value.type, Set):
            raise self.refuse(e, "a set that cannot be enumerated")
        if isinstance(value.type.element, Nothing):
            return f"(void)({value.code});" if value.risky else ";", value.risky
        statements, held = self.held(value)
        x = self.name()
        loop = self.conversions.each(value.type, held.code, x, body(C(x, value.type.element, place=True)))
        return f"{{ {statements} {loop} }}", value.risky

    def unfolded(self, e: core.Expression, env: Env) -> tuple[core.Expression, Env]:
        """`e` with names that stand for sets opened, as far as the set is better not built."""
        for _ in range(50):
            match e:
                case core.Label():
                    e = e.body
                case core.Builtin() if as_written(e) is not e:
                    e = as_written(e)
                case core.ConstantReference() if e.constant.value is not None and is_lazy(e.constant.value):
                    e, env = e.constant.value, Env()
                case core.Call() if not e.arguments and not e.definition.recursive:
                    meaning = env.local.get(e.definition)
                    if isinstance(meaning, Named) and (meaning.value is None or not meaning.env.same_state(env)):
                        e, env = meaning.body, env.inside(meaning.env)
                    elif meaning is None and is_lazy(e.definition.body):
                        e, env = e.definition.body, replace(env, bindings={}, local={})
                    else:
                        return e, env
                case core.Call() if not e.definition.recursive and is_lazy(e.definition.body):
                    values = [self.argument(a, env) for a in e.arguments]
                    if not all(isinstance(v, Closure) or v.place or v.code.rstrip("L").isdigit() for v in values):
                        return e, env
                    meaning = env.local.get(e.definition)
                    outer = meaning.env if isinstance(meaning, Closure) else replace(env, bindings={}, local={})
                    bound = dict(zip(e.definition.parameters, values, strict=True))
                    e, env = e.definition.body, env.inside(outer).bind(bound)
                case _:
                    return e, env
        return e, env

    def _each_number(self, e: core.Builtin, env: Env, body: Body) -> tuple[str, bool]:
        low, high = (self.number(a, env) for a in e.arguments)
        type_ = operators.element_of(operators.interval(low.type, high.type))
        x = self.name()
        if isinstance(type_, Nothing):
            return ";", False
        inner = body(C(x, type_, place=True))
        loop = f"for (I {x} = {low.code}, {x}end = {high.code}; {x} <= {x}end; {x}++) {{ {inner} }}"
        return loop, low.risky or high.risky

    def _each_subset(self, e: core.Builtin, env: Env, body: Body) -> tuple[str, bool]:
        base = self.compile(e.arguments[0], env)
        i = self.name("i")
        prepare, build, x = self._subsets(e, base, i)
        inner = body(x)
        code = (
            f"{{ {prepare} else {{ U {i} = 0; do {{ {build} {{ {inner} }} "
            f"{i} = next_subset_(c, {i}, (int){i}n); }} while ({i}); }} }}"
        )
        return code, base.risky

    def _subsets(self, e: core.Builtin, base: C, i: str) -> tuple[str, str, C]:
        """Statements before a loop over the subsets of `base`, which count its elements and end with an `if` for too
        many; statements that make the subset of which `i` is the number; that subset.
        """
        if not isinstance(base.type, Set):
            raise self.refuse(e, "the subsets of a set that is not known")
        size = universe_size(base.type.element)
        statements, held = self.held(base)
        x = self.name()
        type_ = Set(base.type.element, base.type.most)
        if size is not None and words(size) == 1:
            listing = f"U {i}all = {held.code}.w[0]; int {i}n = __builtin_popcountll({i}all);"
            build = (
                f"{self.c_type(type_)} {x}; {x}.w[0] = 0; U {i}r = {i}all; "
                f"for (U b_ = {i}n ? (U)1 << ({i}n - 1) : 0; b_; b_ >>= 1) {{ "
                f"if ({i} & b_) {x}.w[0] |= {i}r & -{i}r; {i}r &= {i}r - 1; }}"
            )
        else:
            if size is None and listed_size(base.type.element) is None:
                listing = f"{i}n = {held.code}.n; for (I k_ = 0; k_ < {i}n; k_++) {i}a[k_] = {held.code}.a[k_];"
            else:
                y = self.name()
                listing = self.conversions.each(type_, held.code, y, f"{i}a[{i}n++] = {y};")
            most = base.type.most if base.type.most is not None else size or 0
            listing = f"{self.c_type(type_.element)} {i}a[{max(1, most)}]; I {i}n = 0; {listing}"
            add = self.conversions.add(type_, x, f"{i}a[k_]")
            build = f"{self.zero(type_, x)} for (I k_ = 0; k_ < {i}n; k_++) if ({i} >> ({i}n - 1 - k_) & 1) {{ {add} }}"
        return f"{statements} {listing} if ({i}n > 40) {{ {self.fail(e)} }}", build, C(x, type_, place=True)

    def _each_kept_subset(self, e: core.SetFilter, env: Env, body: Body) -> tuple[str, bool] | None:
        """A loop over {S \\in SUBSET T : P(S)} that stands in a loop which changes neither T nor P: what was found in a
        turn of that, is not looked for in the next. None where that is not so.

        The subsets that were found are kept, and where to look for the next; if there are too many, those that have no
        room, and what comes after them, are found again each time.
        """
        assert e.binder.domain is not None
        domain, outer = self.unfolded(e.binder.domain, env)
        subsets = isinstance(domain, core.Builtin) and operators.short_name(domain.operator) == "SUBSET"
        if not self._loops or not isinstance(domain, core.Builtin) or not subsets or e.binder.is_tuple:
            return None
        first = self.names
        base = self.compile(domain.arguments[0], outer)
        i = self.name("i")
        prepare, build, x = self._subsets(domain, base, i)
        with self.turning(first) as turn:
            condition = self.condition(e.body, env.bind({e.binder.bindings[0]: x}))
        loop = outermost(self._loops, f"{base.code} {condition.code}", first)
        if loop is None:
            return None
        kept = self.name("kept")
        loop.kept[kept] = f"U {kept}a[{MOST_KEPT}], {kept}at = 0; int {kept}n = 0, {kept}done = 0;"
        sure = " && !(c->soft && c->kept)" if condition.risky else ""
        inner = body(x)
        code = (
            f"{{ {turn.declared(condition.code)} {prepare} else {{ "
            f"int {i}j = 0, {i}done = 0, {i}full = 0; U {i}at = 0; for (;;) {{ "
            f"U {i}; int {i}known = {i}j < {kept}n; if ({i}known) {i} = {kept}a[{i}j++]; else {{ "
            f"if (!{i}full) {{ {i}at = {kept}at; {i}done = {kept}done; }} if ({i}done) break; "
            f"{i} = {i}at; {i}at = next_subset_(c, {i}, (int){i}n); {i}done = !{i}at; }} "
            f"{build} if (!{i}known) {{ int {i}holds = {condition.code}; "
            f"if (!{i}full{sure} && (!{i}holds || {kept}n < {MOST_KEPT})) {{ {kept}at = {i}at; {kept}done = {i}done; "
            f"if ({i}holds) {{ {kept}a[{kept}n++] = {i}; {i}j = {kept}n; }} }} else {i}full = 1; "
            f"if (!{i}holds) continue; }} {{ {inner} }} }} }} }}"
        )
        return code, base.risky or condition.risky

    def _each_difference(self, e: core.Builtin, env: Env, body: Body) -> tuple[str, bool]:
        test: list[bool] = []

        def inner(x: C) -> str:
            outside = self.member(e, x, e.arguments[1], env)
            test.append(outside.risky)
            return f"if (!({outside.code})) {{ {body(x)} }}"

        left = self.typed(e.arguments[0], env)
        right = self.typed(e.arguments[1], env)
        if isinstance(left, Set) and isinstance(right, Set) and universe_size(self.settle(left.element)) is not None:
            value = self.compile(e, env)
            statements, held = self.held(value)
            x = self.name()
            assert isinstance(value.type, Set)
            loop = self.conversions.each(value.type, held.code, x, body(C(x, value.type.element, place=True)))
            return f"{{ {statements} {loop} }}", value.risky
        loop, risky = self.each(e.arguments[0], env, inner)
        return loop, risky or any(test)

    def _each_filtered(self, e: core.SetFilter, env: Env, body: Body) -> tuple[str, bool]:
        kept = self._each_kept_subset(e, env, body)
        if kept is not None:
            return kept
        risks: list[bool] = []

        def inner(x: C) -> str:
            statements, bound = self.bound(e.binder, x)
            condition = self.condition(e.body, env.bind(bound))
            risks.append(condition.risky)
            return f"{statements} if ({condition.code}) {{ {body(x)} }}"

        assert e.binder.domain is not None
        loop, risky = self.each(e.binder.domain, env, inner)
        return loop, risky or any(risks)

    def _each_product(self, e: core.Cartesian | core.RecordSet, env: Env, body: Body) -> tuple[str, bool]:
        fields = (
            [] if isinstance(e, core.Cartesian) else sorted(e.fields, key=lambda field: self._field_order(field[0]))
        )
        parts = list(e.factors) if isinstance(e, core.Cartesian) else [value for _, value in fields]
        names = sorted(name for name, _ in fields)
        at = [names.index(name) for name, _ in fields] if names else list(range(len(parts)))

        def nest(i: int, chosen: list[C]) -> tuple[str, bool]:
            if i == len(parts):
                chosen = [chosen[at.index(j)] for j in range(len(at))]
                types = [x.type for x in chosen]
                type_: Type = Record(tuple(zip(names, types, strict=True))) if names else Tuple(tuple(types))
                r = self.name()
                sets = " ".join(f"{r}.f{j} = {x.code};" for j, x in enumerate(chosen))
                return f"{{ {self.zero(type_, r)} {sets} {body(C(r, type_, place=True))} }}", False
            risks: list[bool] = []

            def inner(x: C) -> str:
                code, risky = nest(i + 1, [*chosen, x])
                risks.append(risky)
                return code

            loop, risky = self.each(parts[i], env, inner)
            return loop, risky or any(risks)

        return nest(0, [])

    def _field_order(self, name: str) -> tuple[int, str]:
        return self.conversions.atoms.order.place(name)

    def _each_function(self, e: core.FunctionSet, env: Env, body: Body) -> tuple[str, bool]:
        domain, values = self.compile(e.domain, env), self.compile(e.range, env)
        if not isinstance(domain.type, Set) or not isinstance(values.type, Set):
            raise self.refuse(e, "a set of functions that cannot be enumerated")
        key, value = domain.type.element, values.type.element
        if isinstance(key, Nothing):
            return f"{{ {body(self.compile(core.TupleExpression(e.at, ()), env))} }}", domain.risky
        type_ = self.settle(function_of(key, value, domain.type.full))
        if (
            isinstance(type_, Function)
            and not domain.type.full
            and isinstance(key, Int)
            and self._from_one(e.domain, env)
        ):
            type_ = self.settle(Seq(value, 0, key.high))
        size = universe_size(key)
        count = cardinality(value) if universe_size(value) is not None else values.type.most
        if size is None or count is None:
            raise self.refuse(e, "a set of functions that cannot be enumerated")
        first, d = self.held(domain)
        second, v = self.held(values)
        n, x, i = self.name("n"), self.name(), self.name("i")
        k, y = self.name(), self.name()
        keys = self.conversions.each(domain.type, d.code, k, f"{n}r[{n}++] = {k}_i;")
        elements = self.conversions.each(values.type, v.code, y, f"{n}v[{n}m++] = {y};")
        if isinstance(type_, Seq):
            put = f"{x}.a[q_] = {n}v[{i}[q_]];"
            start = f"{x}.n = {n};"
        else:
            put = f"{x}.a[{n}r[q_]] = {n}v[{i}[q_]];" + (
                "" if domain.type.full else f" {x}.w[{n}r[q_] >> 6] |= (U)1 << ({n}r[q_] & 63);"
            )
            start = ""
        inner = body(C(x, type_, place=True))
        code = (
            f"{{ {first} {second} I {n} = 0, {n}r[{max(1, size)}]; {keys} (void){n}r; I {n}m = 0; "
            f"{self.c_type(value)} {n}v[{max(1, count)}]; {elements} I {i}[{max(1, size)}]; "
            f"memset({i}, 0, sizeof {i}); "
            f"if ({n}m > 0 || {n} == 0) for (;;) {{ {self.zero(type_, x)} {start} "
            f"for (I q_ = 0; q_ < {n}; q_++) {{ {put} }} {{ {inner} }} "
            f"I q_ = {n} - 1; while (q_ >= 0 && ++{i}[q_] == {n}m) {i}[q_--] = 0; if (q_ < 0) break; }} }}"
        )
        return code, domain.risky or values.risky

    def _from_one(self, e: core.Expression, env: Env) -> bool:
        return self.typing.starts_at_one(e, self.scope(env))

    def opened(self, e: core.Expression, env: Env) -> tuple[core.Expression, Env]:
        """`e` behind names without parameters."""
        for _ in range(50):
            if isinstance(e, core.Label):
                e = e.body
            elif isinstance(e, core.Call) and not e.arguments and not e.definition.recursive:
                meaning = env.local.get(e.definition)
                if isinstance(meaning, Closure):
                    break
                outer = env.inside(meaning.env) if meaning is not None else replace(env, bindings={}, local={})
                e, env = e.definition.body, outer
            else:
                break
        return e, env

    def bound(self, binder: core.Binder, value: C) -> tuple[str, dict[core.Binding, Bound]]:
        """Statements and what the binder's names mean when the element is `value`, a place."""
        if not binder.is_tuple:
            return "", {binder.bindings[0]: value}
        names: dict[core.Binding, Bound] = {}
        if isinstance(value.type, Tuple):
            if len(value.type.items) != len(binder.bindings):
                raise self.refuse(binder, "a tuple pattern of another length")
            for i, (binding, item) in enumerate(zip(binder.bindings, value.type.items, strict=True)):
                names[binding] = C(f"{value.code}.f{i}", item, place=True)
            return "", names
        if isinstance(value.type, Seq) and value.type.least == value.type.most == len(binder.bindings):
            for i, binding in enumerate(binder.bindings):
                names[binding] = C(f"{value.code}.a[{i}]", value.type.element, place=True)
            return "", names
        raise self.refuse(binder, "a tuple pattern over values that may be no tuples")

    def nested(
        self, binders: tuple[core.Binder, ...], env: Env, body: Callable[[list[C], Env], str]
    ) -> tuple[str, bool]:
        """Nested loops over all binders; later domains do not see earlier names."""
        outer = env

        def nest(i: int, chosen: list[C], inner: Env) -> tuple[str, bool]:
            if i == len(binders):
                return body(chosen, inner), False
            domain = binders[i].domain
            if domain is None:
                raise self.refuse(binders[i], "an unbounded quantifier")
            risks: list[bool] = []

            def step(x: C) -> str:
                statements, bound = self.bound(binders[i], x)
                code, risky = nest(i + 1, [*chosen, x], inner.bind(bound))
                risks.append(risky)
                return f"{statements} {code}"

            loop, risky = self.each(domain, outer, step)
            return loop, risky or any(risks)

        return nest(0, [], env)

    def quantified(self, e: core.Quantified, env: Env) -> C:
        result, end = self.name("q"), self.name("end")
        risks: list[bool] = []
        exists = e.kind == "\\E"

        def body(_: list[C], inner: Env) -> str:
            condition = self.condition(e.body, inner)
            risks.append(condition.risky)
            test = condition.code if exists else f"!({condition.code})"
            return f"if ({test}) {{ {result} = {int(exists)}; goto {end}; }}"

        loop, risky = self.nested(e.binders, env, body)
        code = f"({{ __label__ {end}; I {result} = {int(not exists)}; {loop} {end}:; {result}; }})"
        return C(code, BOOL, risky or any(risks))

    def choose(self, e: core.Choose, env: Env) -> C:
        if e.binder.domain is None:
            raise self.refuse(e, "an unbounded CHOOSE")
        result, found, end = self.name(), self.name("found"), self.name("end")
        types: list[Type] = []

        def body(x: C) -> str:
            types.append(x.type)
            statements, bound = self.bound(e.binder, x)
            condition = self.condition(e.body, env.bind(bound))
            if in_rank_order(x.type):
                take = f"{result} = {x.code}; {found} = 1; goto {end};"
            else:
                compare = self.conversions.compare(x.type)
                take = f"if (!{found} || {compare}({x.code}, {result}) < 0) {result} = {x.code}; {found} = 1;"
            return f"{statements} if ({condition.code}) {{ {take} }}"

        loop, _ = self.each(e.binder.domain, env, body)
        type_ = types[0] if types else NOTHING
        code = (
            f"({{ __label__ {end}; {self.zero(type_, result)} int {found} = 0; {loop} goto {end}; {end}: "
            f"if (!{found}) {{ {self.fail(e)} }} {result}; }})"
        )
        return C(code, type_, True)
