"""Functions and their application, recursive functions, fields of records."""

from __future__ import annotations

from collections.abc import Callable

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    NOTHING,
    Atom,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Tuple,
    Type,
    Union,
    Unknown,
    includes,
    join,
    strings,
)

from .captures import Captures
from .questions import (
    bracketed,
    comparable,
    known_value,
)
from .representation import domain_size
from .sets import SetWriter
from .terms import Bound, C, Env, Recursion


class FunctionWriter(SetWriter):
    """Builds and applies functions."""

    __slots__ = ()

    def function(self, e: core.FunctionConstructor, env: Env, want: Type | None) -> C:
        recursion = self.function_by_key(e, env) if e.recursion is not None else None
        value_want = want.value if isinstance(want, Function) else want.element if isinstance(want, Seq) else None
        typed = self.settle(self.typed(e, env))
        if isinstance(typed, Seq) and typed.most == 0:
            return self.compile(core.TupleExpression(e.at, ()), env)
        risks: list[bool] = []
        values: list[Type] = []
        keys: list[Type] = []

        def key_of(chosen: list[C]) -> C:
            if len(chosen) == 1:
                return chosen[0]
            type_ = Tuple(tuple(x.type for x in chosen))
            k = self.name()
            sets = " ".join(f"{k}.f{i} = {x.code};" for i, x in enumerate(chosen))
            return C(f"({{ {self.zero(type_, k)} {sets} {k}; }})", type_)

        def value_at(chosen: list[C], inner: Env) -> C:
            if recursion is not None:
                return self.called(e, recursion, key_of(chosen), False)
            return self.compile(e.body, inner, value_want)

        def explore(chosen: list[C], inner: Env) -> str:
            value = value_at(chosen, inner)
            values.append(value.type)
            keys.append(key_of(chosen).type)
            risks.append(value.risky)
            return ""

        self.nested(e.binders, env, explore)
        value_type: Type = NOTHING
        for type_ in values:
            value_type = join(value_type, type_)
        if value_want is not None and includes(value_want, value_type):
            value_type = value_want
        value_type = self.settle(value_type)
        if isinstance(typed, Seq):
            result: Type = Seq(value_type, typed.least, typed.most)
        elif isinstance(typed, Function):
            # What is known of the domain is known of the type that inference found for it, not of a wider one.
            result = Function(typed.key if typed.total else keys[0], value_type, typed.total)
        else:
            raise self.refuse(e, "a function whose domain is not bounded")
        f = self.name()

        def fill(chosen: list[C], inner: Env) -> str:
            key, value = key_of(chosen), self.to(value_at(chosen, inner), value_type)
            if isinstance(result, Seq):
                k = self.name()
                bound = f"if ({k} < 1 || {k} > {result.most}) {{ {self.widen()} }} else "
                place = f"{f}.a[{k} - 1] = {value.code}; if ({f}.n < {k}) {f}.n = {k};"
                return f"I {k} = {key.code}; {bound}{{ {place} }}"
            assert isinstance(result, Function)
            k, r = self.name(), self.name("r")
            mark = "" if result.total else f"{f}.w[{r} >> 6] |= (U)1 << ({r} & 63);"
            key_c = self.to(key, result.key)
            return (
                f"{self.c_type(result.key)} {k} = {key_c.code}; I {r} = {self.conversions.rank(result.key, k)}; "
                f"{f}.a[{r}] = {value.code}; {mark}"
            )

        loop, risky = self.nested(e.binders, env, fill)
        risky = risky or any(risks) or (isinstance(result, Seq) and result.least != result.most)
        return C(f"({{ {self.zero(result, f)} {loop} {f}; }})", result, risky)

    def function_by_key(self, e: core.FunctionConstructor, env: Env) -> Recursion:
        """A C function that computes the value at a key: of a recursive function, or of one that is not computed as a
        whole."""
        recursion = e.recursion
        whole = self.settle(self.typed(e, env))
        if isinstance(whole, Seq):
            value: Type = whole.element
        elif isinstance(whole, Function):
            value = whole.value
        else:
            raise self.refuse(e, "a function whose domain is not bounded")

        def body(own: Recursion, inner: Env) -> C:
            inner = inner if recursion is None else inner.bind({recursion: own})
            return self.to(self.compile(e.body, inner, value), value)

        return self.lifted_function(e, env, value, body)

    def lifted_function(
        self, e: core.FunctionConstructor, env: Env, value: Type, body: Callable[[Recursion, Env], C]
    ) -> Recursion:
        """A C function of a key in the function's domain, with results of type `value`.

        `body` writes what it returns; it is given how the C function is called from there.
        """
        binders = e.binders
        types = [self.settle(operators.element_of(self.typed(b.domain, env))) for b in binders if b.domain is not None]
        key = types[0] if len(types) == 1 else Tuple(tuple(types))
        if isinstance(key, Unknown | Nothing) or isinstance(value, Unknown | Nothing):
            raise self.refuse(e, "a recursive function whose type is not known")
        name = self.name("function")
        captures = Captures()
        inner = captures.scope(e, env)
        place = C("key_", key, False, True)
        chosen = [place] if len(binders) == 1 else [C(f"key_.f{i}", t, False, True) for i, t in enumerate(types)]
        known: dict[core.Binding, Bound] = {}
        for binder, at in zip(binders, chosen, strict=True):
            known |= self.bound(binder, at)[1]
        target, self.target = self.target, -1
        self._lifting.append(e)
        outside = ""
        try:
            with self.apart():
                for binder, at in zip(binders, chosen, strict=True):
                    if binder.domain is not None and not operators.is_full(self.typed(binder.domain, env)):
                        test = self.member(e, at, binder.domain, inner)
                        outside += f"if (!({test.code})) {{ {self.fail(e)} }} "
                result = body(Recursion(name, key, value, captures.passed), inner.bind(known))
        finally:
            self.target = target
            self._lifting.pop()
        parameters = captures.parameters(self.c_type)
        head = f"static {self.c_type(value)} {name}(Ctx *c, const S *s{parameters}, {self.c_type(key)} key_)"
        self.prototypes.append(f"{head};")
        self.functions.append(
            f"{head} {{ (void)key_; if (++c->depth > DEEPEST) {{ c->depth--; fail_(c, DEEP, -1); "
            f"{self.zero(value, 'zero_')} return zero_; }} {outside}{self.c_type(value)} result_ = "
            f"{result.code}; c->depth--; "
            f"return result_; }}"
        )
        return Recursion(name, key, value, f", {env.current}{captures.given}")

    def called(self, e: core.Expression, function: Recursion, argument: C, inside: bool) -> C:
        """The recursive function's value; `inside`: called from its own body."""
        if not comparable(argument.type, function.key):
            return self._failing(e, NOTHING)
        key = self._checked(e, argument, function.key) if argument.type != function.key else argument
        state = ", s" if inside else ""
        return C(f"{function.name}(c{state}{function.captured}, {key.code})", function.value, True)

    def application(self, e: core.FunctionApplication, env: Env) -> C:
        if isinstance(e.function, core.Reference):
            own = env.bindings.get(e.function.binding)
            if isinstance(own, Recursion):
                return self.called(e, own, self.compile(e.argument, env), True)
        whole, outer = self.opened(e.function, env)
        if isinstance(whole, core.FunctionConstructor) and whole.recursion is not None:
            return self.called(e, self.function_by_key(whole, outer), self.compile(e.argument, env), False)
        function = self.compile(e.function, env)
        argument = self.compile(e.argument, env)
        if function.risky and isinstance(whole, core.FunctionConstructor) and isinstance(function.type, Function | Seq):
            # as in TLC the values at other arguments are not computed, and may fail
            return self.called(e, self.function_by_key(whole, outer), argument, False)
        return self.applied(e, function, argument)

    def applied(self, e: core.Expression, function: C, argument: C) -> C:
        literal = known_value(e.argument if isinstance(e, core.FunctionApplication) else None, argument.type)
        f_type = function.type
        if isinstance(f_type, Nothing) or isinstance(argument.type, Nothing):
            return self._failing(e, NOTHING)
        if isinstance(f_type, Seq | Tuple) and isinstance(argument.type, Union):
            number = next((m for m in argument.type.members if isinstance(m, Int)), None)
            if number is not None:
                argument = self._checked(e, argument, number)
        if isinstance(f_type, Union):
            functional = [
                (i, m) for i, m in enumerate(f_type.members) if isinstance(m, Function | Seq | Tuple | Record)
            ]
            if isinstance(argument.type, Int):
                functional = [(i, m) for i, m in functional if not isinstance(m, Record)]
            if len(functional) == 1:
                i, member = functional[0]
                statements, f = self.held(function)
                inner = self.applied(e, C(f"{f.code}.m{i}", member, place=True), argument)
                check = f"if ({f.code}.tag != {i}) {{ {self.fail(e)} }}"
                return C(f"({{ {statements} {check} {inner.code}; }})", inner.type, True)
            if isinstance(literal, str):
                return self._union_field(e, function, literal)
            raise self.refuse(e, "application of a value of several kinds")
        if isinstance(f_type, Record):
            if isinstance(literal, str):
                return self._record_field(e, function, literal)
            if isinstance(argument.type, Enum):
                from rmqproof.model.types.domain import as_function

                return self.applied(e, self.to(function, as_function(f_type)), argument)
        if isinstance(f_type, Tuple):
            if isinstance(literal, int) and 1 <= literal <= len(f_type.items):
                return C(
                    f"{bracketed(function)}.f{literal - 1}", f_type.items[literal - 1], function.risky, function.place
                )
            function = self.sequence(e, function)
            f_type = function.type
        if isinstance(f_type, Seq):
            if f_type.most == 0 or not isinstance(argument.type, Int):
                return self._failing(e, NOTHING)
            return self._element(e, function, argument)
        if isinstance(f_type, Function):
            return self._function_value(e, function, argument)
        raise self.refuse(e, "application of what may be no function")

    def _element(self, e: core.Expression, function: C, argument: C) -> C:
        assert isinstance(function.type, Seq) and isinstance(argument.type, Int)
        type_ = function.type
        safe = (
            argument.type.low is not None
            and argument.type.low >= 1
            and argument.type.high is not None
            and argument.type.high <= type_.least
        )
        if safe and not function.risky and not argument.risky:
            return C(
                f"{bracketed(function)}.a[({argument.code}) - 1]",
                type_.element,
                False,
                function.place and argument.place,
            )
        f, i = self.name("f"), self.name("i")
        check = f"I {i} = {argument.code}; if ({i} < 1 || {i} > {f}->n) {{ {self.fail(e)} {i} = 1; }}"
        return C(self._inside_of(function, f, check, f"{f}->a[{i} - 1]"), type_.element, True)

    def _inside_of(self, whole: C, name: str, statements: str, part: str) -> str:
        """`part` of what `name` points at, which is `whole`: not copied when it is a place."""
        c_type = self.c_type(whole.type)
        if whole.place:
            return f"(*({{ const {c_type} *{name} = &({whole.code}); {statements} &{part}; }}))"
        return f"({{ {c_type} {name}v = {whole.code}; const {c_type} *{name} = &{name}v; {statements} {part}; }})"

    def _function_value(self, e: core.Expression, function: C, argument: C) -> C:
        type_ = function.type
        assert isinstance(type_, Function)
        fits = includes(type_.key, argument.type)
        if isinstance(type_.key, Nothing):
            return self._failing(e, NOTHING)
        if not fits and not comparable(argument.type, type_.key):
            return self._failing(e, type_.value) if self.c_type(type_.value) == "I" else self._refused_key(e)
        f, k, r = self.name("f"), self.name("k"), self.name("r")
        rank = self.conversions.rank(type_.key, k)
        same = self.structures.same(type_.key, argument.type)
        if fits and same:
            key = f"{self.c_type(type_.key)} {k} = {argument.code}; I {r} = {rank};"
            if argument.risky:  # what failed, where that is noted only, has any value
                key += f" if ({r} < 0 || {r} >= {domain_size(type_)}) {r} = 0;"
        else:
            convert = self.conversions.convert(argument.type, type_.key)
            bad = "" if fits else f" {{ {self.fail(e)} }}"
            key = (
                f"{self.zero(type_.key, k)} I {r} = 0; if ({convert}(c, {argument.code}, &{k})) {r} = "
                f"{rank}; else{bad or ' ;'}"
            )
        present = ""
        if not type_.total:
            present = f"if (!({f}->w[{r} >> 6] >> ({r} & 63) & 1)) {{ {self.fail(e)} }}"
        risky = function.risky or argument.risky or not fits or not type_.total
        if fits and same and type_.total and argument.place and function.place and not argument.risky:
            rank_here = self.conversions.rank(type_.key, argument.code)
            return C(f"{function.code}.a[{rank_here}]", type_.value, risky, True)
        return C(self._inside_of(function, f, f"{key} {present}", f"{f}->a[{r}]"), type_.value, risky)

    def _refused_key(self, e: core.Expression) -> C:
        raise self.refuse(e, "a function applied to a value of another kind")

    def field(self, e: core.FieldAccess, env: Env) -> C:
        record = self.compile(e.record, env)
        if isinstance(record.type, Union):
            return self._union_field(e, record, e.field)
        if isinstance(record.type, Record):
            return self._record_field(e, record, e.field)
        if isinstance(record.type, Function):
            key = C(str(self.atoms.number(Atom(e.field))), strings(e.field), place=True)
            return self._function_value(e, record, key)
        if isinstance(record.type, Nothing):
            return C(record.code, NOTHING, True)
        raise self.refuse(e, f"field {e.field} of what may be no record")

    def _record_field(self, e: core.Expression, record: C, name: str) -> C:
        assert isinstance(record.type, Record)
        if name not in record.type.names:
            return self._failing(e, NOTHING)
        i = record.type.names.index(name)
        return C(f"{bracketed(record)}.f{i}", record.type.fields[i][1], record.risky, record.place)

    def _union_field(self, e: core.Expression, record: C, name: str) -> C:
        assert isinstance(record.type, Union)
        statements, r = self.held(record)
        found: list[tuple[int, C]] = []
        for i, member in enumerate(record.type.members):
            if isinstance(member, Record) and name in member.names:
                found.append((i, self._record_field(e, C(f"{r.code}.m{i}", member, place=True), name)))
            elif isinstance(member, Function):
                raise self.refuse(e, "a field of a value of several kinds")
        if not found:
            return self._failing(e, NOTHING)
        values = self.alike([value for _, value in found])
        result = self.name()
        cases = " ".join(f"case {i}: {result} = {v.code}; break;" for (i, _), v in zip(found, values, strict=True))
        all_have = len(found) == len(record.type.members)
        default = "" if all_have else f"default: {self.fail(e)}"
        code = (
            f"({{ {statements} {self.zero(values[0].type, result)} switch ({r.code}.tag) {{ {cases} "
            f"{default} }} {result}; }})"
        )
        return C(code, values[0].type, record.risky or not all_have)
