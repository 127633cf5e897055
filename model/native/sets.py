"""Sets that are built, and membership, which seldom needs them to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    BOOL,
    NOTHING,
    UNKNOWN,
    Bool,
    Enum,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    Union,
    cardinality,
    includes,
    join,
    members_of,
    set_of,
)

from .errors import NotCompilable
from .iteration import IterationWriter
from .questions import (
    all_model,
    comparable,
    is_lazy,
)
from .representation import (
    listed_size,
    universe_size,
)
from .terms import Body, C, Env

NUMBERS = frozenset(["Nat", "Int", ".."])


class SetWriter(IterationWriter):
    """Builds sets and asks for members."""

    __slots__ = ()

    def _element_want(self, want: Type | None, element: Type) -> Type:
        """The wanted element type when it takes `element`."""
        for member in members_of(want) if want is not None else ():
            if (
                isinstance(member, Set)
                and not isinstance(member.element, Nothing)
                and includes(member.element, element)
            ):
                return member.element
        return element

    def enumeration(self, e: core.SetEnumeration, env: Env, want: Type | None) -> C:
        inner_want = want.element if isinstance(want, Set) else None
        items = [self.compile(item, env, inner_want) for item in e.items]
        natural = operators.enumeration([item.type for item in items])
        assert isinstance(natural, Set)
        element = self._element_want(want, natural.element)
        type_ = self.settle(set_of(element, natural.most, natural.full and element == natural.element))
        assert isinstance(type_, Set)
        s = self.name()
        code = self.zero(type_, s)
        risky = any(item.risky for item in items)
        for item in items:
            value = self.to(item, type_.element)
            y = self.name()
            code += f" {{ {self.c_type(type_.element)} {y} = {value.code}; {self.conversions.add(type_, s, y)} }}"
        return C(f"({{ {code} {s}; }})", type_, risky)

    def collected(self, loop: Callable[[Body], tuple[str, bool]], want: Type | None, whole: Type | None = None) -> C:
        """The set of the values that the body of a loop is given; compiled twice, first for the type.

        `whole`: the type of the set, where inference found it to be a whole universe.
        """
        types: list[Type] = []

        def first(x: C) -> str:
            types.append(x.type)
            return ""

        loop(first)
        element: Type = NOTHING
        for type_ in types:
            element = join(element, type_)
        element = self._element_want(want, element)
        full = isinstance(whole, Set) and whole.full and self.settle(whole.element) == self.settle(element)
        target = self.settle(set_of(element, None, full))
        assert isinstance(target, Set)
        s = self.name()

        def second(x: C) -> str:
            y = self.name()
            value = self.to(x, target.element)
            return f"{self.c_type(target.element)} {y} = {value.code}; {self.conversions.add(target, s, y)}"

        code, risky = loop(second)
        vector = universe_size(target.element) is None
        return C(f"({{ {self.zero(target, s)} {code} {s}; }})", target, risky or vector)

    def materialised(self, e: core.Expression, env: Env) -> C:
        type_ = self.typed(e, env)
        size = cardinality(operators.element_of(type_))
        if size is None or size > 1 << 16:
            raise self.refuse(e, "a set too large to be built")
        return self.collected(lambda body: self.each(e, env, body), None, type_)

    def filter(self, e: core.SetFilter, env: Env) -> C:
        domain = self.typed(e.binder.domain, env) if e.binder.domain is not None else UNKNOWN
        most = domain.most if isinstance(domain, Set) else None
        result = self.collected(lambda body: self._each_filtered(e, env, body), None)
        return self._limited(result, most)

    def _limited(self, value: C, most: int | None) -> C:
        if most is None or not isinstance(value.type, Set) or universe_size(value.type.element) is not None:
            return value
        type_ = self.settle(replace(value.type, most=min(most, value.type.most or most)))
        return value if type_ == value.type else self.to(value, type_)

    def set_map(self, e: core.SetMap, env: Env, want: Type | None) -> C:
        inner_want = want.element if isinstance(want, Set) else None
        risks: list[bool] = []

        def loop(body: Body) -> tuple[str, bool]:
            def inner(_: list[C], scope: Env) -> str:
                value = self.compile(e.body, scope, inner_want)
                risks.append(value.risky)
                statements, held = self.held(value)
                return f"{statements} {body(held)}"

            return self.nested(e.binders, env, inner)

        result = self.collected(loop, want)
        return replace(result, risky=result.risky or any(risks))

    def member(self, e: core.Expression, x: C, domain: core.Expression, env: Env) -> C:
        """`x \\in domain`; `x` is a place."""
        whole = self.typed(domain, env)
        if operators.is_full(whole) and includes(operators.element_of(whole), x.type):
            return C(f"((void)({x.code}), 1)" if x.risky else "1", BOOL, x.risky)
        domain, env = self.unfolded(domain, env)
        match domain:
            case core.Builtin():
                return self._member_builtin(e, x, domain, env)
            case core.SetFilter():
                statements, bound = self.bound(domain.binder, x)
                assert domain.binder.domain is not None
                inside = self.member(e, x, domain.binder.domain, env)
                # The predicate may speak only of elements of the domain, whose type can be smaller.
                element = operators.element_of(self.typed(domain.binder.domain, env))
                if not includes(element, x.type):
                    value = self.compile(domain, env)
                    return self.member_of_value(x, value)
                condition = self.condition(domain.body, env.bind(bound))
                return C(
                    f"({inside.code} && ({{ {statements} {condition.code}; }}))", BOOL, inside.risky or condition.risky
                )
            case core.FunctionSet():
                return self._member_function(e, x, domain, env)
            case core.RecordSet():
                return self._member_record(e, x, domain, env)
            case core.Cartesian():
                return self._member_product(e, x, domain, env)
        return self.member_of_value(x, self.compile(domain, env))

    def member_of_value(self, x: C, value: C) -> C:
        if not isinstance(value.type, Set):
            raise NotCompilable(None, "membership in what may be no set")
        element = value.type.element
        if isinstance(element, Nothing):
            return self.after(x, self.after(value, C("0", BOOL)))
        if not comparable(x.type, element):
            raise NotCompilable(None, "membership of a value of another kind")
        statements, s = self.held(value)
        y = self.name()
        size = universe_size(element)
        if listed_size(element) is not None:
            place = self.conversions.place(element, y)
            found = (
                f"({{ I {y}in = 0, {y}at = {place}; for (I i_ = 0; i_ < {s.code}.n; i_++) "
                f"if ({s.code}.a[i_] == {y}at) {{ {y}in = 1; break; }} {y}in; }})"
            )
        elif size is None:
            z, equal = self.name(), self.conversions.equal(element)
            body = f"if ({equal}(c, {z}, {y})) {{ {y}in = 1; break; }}"
            found = f"({{ I {y}in = 0; {self.conversions.each(value.type, s.code, z, body)} {y}in; }})"
        else:
            rank = self.conversions.rank(element, y)
            found = f"({{ I r_ = {rank}; (I)({s.code}.w[r_ >> 6] >> (r_ & 63) & 1); }})"
        convert = self.conversions.convert(x.type, element)
        code = f"({{ {statements} {self.zero(element, y)} {convert}(c, {x.code}, &{y}) ? {found} : 0; }})"
        return C(code, BOOL, x.risky or value.risky)

    def _member_builtin(self, e: core.Expression, x: C, domain: core.Builtin, env: Env) -> C:
        name = operators.short_name(domain.operator)
        arguments = domain.arguments
        whole = self.typed(domain, env)
        if operators.is_full(whole) and includes(operators.element_of(whole), x.type):
            return C("1", BOOL, x.risky)
        if name in NUMBERS and isinstance(x.type, Union):
            return self._member_number(e, x, x.type, domain, env)
        if name == ".." and isinstance(x.type, Int):
            low, high = (self.number(a, env) for a in arguments)
            tests = [C(f"({low.code} <= {x.code})", BOOL, low.risky), C(f"({x.code} <= {high.code})", BOOL, high.risky)]
            return self._together("&", tests, arguments, x.risky)
        if name == "Nat" and isinstance(x.type, Int):
            return C(f"({x.code} >= 0)", BOOL, x.risky)
        if name == "STRING" and isinstance(x.type, Enum):
            return C(f"(!is_model_[{x.code}])", BOOL, x.risky)
        if name == "SUBSET" and isinstance(x.type, Set):
            y = self.name()
            inside = self.member(e, C(y, x.type.element, place=True), arguments[0], env)
            loop = self.conversions.each(x.type, x.code, y, f"if (!({inside.code})) {{ {y}all = 0; break; }}")
            # `break` leaves the innermost of two loops only; the flag stays 0.
            return C(f"({{ I {y}all = 1; {loop} {y}all; }})", BOOL, x.risky or inside.risky)
        if name == "Seq" and isinstance(x.type, Seq | Tuple):
            sequence = self.sequence(domain, x)
            statements, s = self.held(sequence)
            assert isinstance(s.type, Seq)
            if isinstance(s.type.element, Nothing):
                return C("1", BOOL)
            y = self.name()
            inside = self.member(e, C(y, s.type.element, place=True), arguments[0], env)
            loop = (
                f"for (I {y}i = 0; {y}i < {s.code}.n; {y}i++) {{ {self.c_type(s.type.element)} {y} = {s.code}.a[{y}i]; "
                f"if (!({inside.code})) {{ {y}all = 0; break; }} }}"
            )
            return C(f"({{ {statements} I {y}all = 1; {loop} {y}all; }})", BOOL, x.risky or inside.risky)
        if name == "UNION":
            found = self._member_of_some(e, x, arguments[0], env)
            if found is not None:
                return found
        if name in ("\\cup", "\\union"):
            tests = [self.member(e, x, a, env) for a in arguments]
            return self._together("|", tests, arguments)
        if name in ("\\cap", "\\intersect"):
            tests = [self.member(e, x, a, env) for a in arguments]
            return self._together("&", tests, arguments)
        if name == "\\":
            inside, outside = (self.member(e, x, a, env) for a in arguments)
            return self._together("&", [inside, C(f"(!{outside.code})", BOOL, outside.risky)], arguments)
        return self.member_of_value(x, self.compile(domain, env))

    def _member_number(self, e: core.Expression, x: C, kinds: Union, domain: core.Builtin, env: Env) -> C:
        """A value of several kinds in a set of numbers: a model value is in none, other kinds cannot be asked."""
        code, risky = "0", x.risky
        for i, member in enumerate(kinds.members):
            if isinstance(member, Int):
                inside = self.member(e, C(f"{x.code}.m{i}", member, place=True), domain, env)
                code, risky = f"({x.code}.tag == {i} ? {inside.code} : {code})", risky or inside.risky
            elif not all_model(member):
                code, risky = f"({x.code}.tag == {i} ? ({{ {self.fail(e)} (I)0; }}) : {code})", True
        return C(code, BOOL, risky)

    def _member_of_some(self, e: core.Expression, x: C, sets: core.Expression, env: Env) -> C | None:
        """`x \\in UNION {S : …}`, asked of one set after the other; None where one of the sets may fail."""
        sets, env = self.unfolded(sets, env)
        if isinstance(sets, core.SetEnumeration) and sets.items and all(map(is_lazy, sets.items)):
            asked = [self.member(e, x, part, env) for part in sets.items]
            return None if any(a.risky for a in asked) else self._together("|", asked, sets.items, x.risky)
        if not isinstance(sets, core.SetMap) or not is_lazy(sets.body):
            return None
        body, result, end = sets.body, self.name("q"), self.name("end")
        risks: list[bool] = []

        def ask(_: list[C], inner: Env) -> str:
            inside = self.member(e, x, body, inner)
            risks.append(inside.risky)
            return f"if ({inside.code}) {{ {result} = 1; goto {end}; }}"

        loop, risky = self.nested(sets.binders, env, ask)
        if risky or any(risks):
            return None
        return C(f"({{ __label__ {end}; I {result} = 0; {loop} {end}:; {result}; }})", BOOL, x.risky)

    def _together(self, operator: str, tests: Sequence[C], sets: Sequence[core.Expression], risky: bool = False) -> C:
        """Membership in several sets, by `&` or `|`. TLC has the value of each before it asks the first.

        A filter is another matter: its predicate is only for elements that are asked for.
        """
        code = tests[0].code
        for test, items in zip(tests[1:], sets[1:], strict=True):
            whole = test.risky and not isinstance(items, core.SetFilter)
            code = f"(!!({code}) {operator} !!({test.code}))" if whole else f"({code} {operator * 2} {test.code})"
        return C(f"({code})", BOOL, risky or any(test.risky for test in tests))

    def _member_function(self, e: core.Expression, x: C, domain: core.FunctionSet, env: Env) -> C:
        """`f \\in [S -> T]`: DOMAIN f = S and every value in T."""
        whole = self.typed(domain, env)
        if operators.is_full(whole) and includes(operators.element_of(whole), x.type):
            return C("1", BOOL, x.risky)
        f = core.Binding("f", e.at)
        inner = env.bind({f: x})
        reference = core.Reference(e.at, f)
        keys = core.Builtin(e.at, "DOMAIN", (reference,))
        if isinstance(x.type, Union | Set | Int | Bool | Enum | Text):
            raise self.refuse(domain, "membership of a value that may be no function")
        if isinstance(x.type, Seq) and x.type.most == 0:
            return self.compile(core.Builtin(e.at, "=", (domain.domain, core.SetEnumeration(e.at, ()))), env)
        y = core.Binding("y", e.at)
        applied = core.FunctionApplication(e.at, reference, core.Reference(e.at, y))
        member = core.Builtin(e.at, "\\in", (applied, domain.range))
        binder = core.Binder((y,), False, keys)
        body = core.Quantified(e.at, "\\A", (binder,), member)
        same = core.Builtin(e.at, "=", (keys, domain.domain))
        return self.compile(core.Builtin(e.at, "/\\", (same, body)), inner)

    def _member_record(self, e: core.Expression, x: C, domain: core.RecordSet, env: Env) -> C:
        names = tuple(sorted(name for name, _ in domain.fields))
        if isinstance(x.type, Union):
            for i, member in enumerate(x.type.members):
                if isinstance(member, Record) and member.names == names:
                    inner = self._member_record(e, C(f"{x.code}.m{i}", member, place=True), domain, env)
                    return C(f"({x.code}.tag == {i} && {inner.code})", BOOL, inner.risky or x.risky)
            if all(isinstance(m, Record | Seq | Tuple) or all_model(m) for m in x.type.members):
                return C("0", BOOL, x.risky)
        if not isinstance(x.type, Record):
            if all_model(x.type):
                return C("0", BOOL)
            raise self.refuse(domain, "membership of a value that may be no record")
        if x.type.names != names:
            return C("0", BOOL)
        tests = []
        for name, value in domain.fields:
            i = names.index(name)
            field_type = x.type.field(name)
            assert field_type is not None
            tests.append(self.member(e, C(f"{x.code}.f{i}", field_type, place=True), value, env))
        return self._together("&", tests, [value for _, value in domain.fields], x.risky)

    def _member_product(self, e: core.Expression, x: C, domain: core.Cartesian, env: Env) -> C:
        tests = []
        if isinstance(x.type, Tuple) and len(x.type.items) == len(domain.factors):
            parts = [C(f"{x.code}.f{i}", item, place=True) for i, item in enumerate(x.type.items)]
        elif isinstance(x.type, Seq) and x.type.least == x.type.most == len(domain.factors):
            parts = [C(f"{x.code}.a[{i}]", x.type.element, place=True) for i in range(len(domain.factors))]
        else:
            raise self.refuse(domain, "membership of a value that may be no tuple")
        for part, factor in zip(parts, domain.factors, strict=True):
            tests.append(self.member(e, part, factor, env))
        return self._together("&", tests, domain.factors, x.risky)
