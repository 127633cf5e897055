"""Expressions to C: each becomes one C expression of the representation of its type.

Loops stand in GNU statement expressions, which gcc, clang and zig's clang take. What can fail at run time calls
`fail_`; a LET whose body can fail is computed "softly": the failure is kept and raised where the name is used.
"""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import with_definitions
from rmqproof.model.types.domain import BOOL, Atom, Nothing, Type, exactly, model_values, strings
from rmqproof.model.types.hints import is_constant

from .errors import NotCompilable
from .questions import (
    construct_of,
    has_free_names,
)
from .structures import StructureWriter
from .terms import C, Closure, Env, Named

LARGEST_PROGRAM = 6_000_000
MOST_EXPRESSIONS = 200_000
"""Compiled, repetitions counted: the specifications of RocketMQ take some 5,000."""
WORTH_KEEPING = (
    core.SetEnumeration,
    core.SetFilter,
    core.SetMap,
    core.Choose,
    core.Quantified,
    core.FunctionConstructor,
    core.RecordSet,
    core.Cartesian,
    core.FunctionSet,
    core.FunctionApplication,
    core.Record,
    core.Except,
    core.Call,
    core.Builtin,
)
SCALAR_OPERATORS = frozenset(["=", "#", "/=", "/\\", "\\/", "~", "=>", "<=>", "'", "UNCHANGED", "ENABLED"])


class Expressions(StructureWriter):
    """Compiles expressions; collects the functions they need."""

    __slots__ = ()

    def compile(self, e: core.Expression, env: Env, want: Type | None = None) -> C:
        """The value of `e`. Where its type fits `want`, it comes in that type's representation."""
        self._asked += 1
        if self._asked > MOST_EXPRESSIONS:
            raise self.refuse(e, "loops inside of each other that unfold to too much code")
        try:
            result = self.hoisted(e, want) if self.is_closed(e) else self._repeated(e, env, want)
        except NotCompilable as error:
            if error.at is None:
                raise NotCompilable(e.at, error.construct) from error
            raise
        self._written += len(result.code) if len(result.code) > 10_000 else 0
        if len(result.code) > LARGEST_PROGRAM or self._written > 60 * LARGEST_PROGRAM:
            raise self.refuse(e, "an expression that unfolds to too much code")
        return result

    def _repeated(self, e: core.Expression, env: Env, want: Type | None) -> C:
        """The value of `e`, which a loop that does not change it computes once."""
        if not self._loops or not isinstance(e, WORTH_KEEPING):
            return self._compile(e, env, want)
        of = None
        if isinstance(e, core.Call) and not e.arguments and e.definition not in self.typing.local:
            state = tuple((v, c.code) for v, c in (env.primed or {}).items()) if env.next else ()
            of = (e.definition, env.current, env.next, state, want, self.target)
            known = self.known(of)
            if known is not None:
                return known
        first = self.names
        return self.kept(self._compile(e, env, want), first, of)

    def is_closed(self, e: core.Expression) -> bool:
        """Whether `e` is a constant worth computing once: no variable and no name bound around it occurs in it."""
        if not isinstance(e, WORTH_KEEPING) or (isinstance(e, core.Builtin) and e.operator in SCALAR_OPERATORS):
            return False
        if e not in self._closed:
            self._closed[e] = is_constant(e) and not self._uses_local(e) and not has_free_names(e, set())
        return self._closed[e]

    def _uses_local(self, e: core.Expression) -> bool:
        if isinstance(e, core.Call) and (e.definition in self.typing.local or e.definition.level > core.CONSTANT):
            return True
        if isinstance(e, core.OperatorArgument | core.CallParameter | core.Let):
            return True
        return any(self._uses_local(child) for child in with_definitions(e))

    def hoisted(self, e: core.Expression, want: Type | None) -> C:
        """A constant, computed once when the search starts; a failure is raised where it is used."""
        key = (e.definition if isinstance(e, core.Call) and not e.arguments else e, want)
        if key not in self._hoisted:
            target, self.target = self.target, -1
            try:
                with self.apart():
                    value = self._compile(e, Env(), want)
            finally:
                self.target = target
            if len(value.code) > 24 and not isinstance(value.type, Nothing):
                value = self._static(value)
            self._hoisted[key] = value
        return self._hoisted[key]

    def _static(self, value: C) -> C:
        name = self.name("constant")
        self.constants.append(f"static {self.c_type(value.type)} {name}; static I {name}bad;")
        self.initialisers.append(
            f"c->soft = 1; c->kept = 0; c->depth = 0; {name} = {value.code}; {name}bad = c->kept; c->soft = 0;"
        )
        code = f"(*(raise_(c, {name}bad), &{name}))" if value.risky else name
        return C(code, value.type, value.risky, True)

    def _compile(self, e: core.Expression, env: Env, want: Type | None) -> C:
        match e:
            case core.Literal():
                if isinstance(e.value, bool):
                    return C("1" if e.value else "0", BOOL)
                if isinstance(e.value, int):
                    if abs(e.value) >= 1 << 62:
                        raise self.refuse(e, "a number of more than 62 bits")
                    return C(f"{e.value}LL", exactly(e.value))
                return C(str(self.atoms.number(Atom(e.value))), strings(e.value))
            case core.ModelValueLiteral():
                return C(str(self.atoms.number(Atom(e.name, True))), model_values(e.name))
            case core.ConstantReference():
                if e.constant.value is None:
                    raise self.refuse(e, "a constant without a value")
                return self.compile(e.constant.value, Env(), want)
            case core.VariableReference():
                return self.variable(e, env)
            case core.Reference():
                bound = env.bindings.get(e.binding)
                if isinstance(bound, Named):
                    return self.named(bound, env, want)
                if not isinstance(bound, C):
                    raise self.refuse(e, f"{e.binding.name} is not a value here")
                return bound
            case core.Call():
                return self.call(e, env, want)
            case core.CallParameter():
                closure = env.bindings.get(e.binding)
                if not isinstance(closure, Closure):
                    raise self.refuse(e, f"{e.binding.name} is not an operator here")
                return self.apply_closure(e, closure, e.arguments, env, want)
            case core.Builtin():
                return self.builtin(e, env, want)
            case core.Quantified():
                return self.quantified(e, env)
            case core.Choose():
                return self.choose(e, env)
            case core.If():
                known = self.truth(e.condition, env)
                if known is not None:
                    return self.compile(e.then if known else e.otherwise, env, want)
                condition = self.condition(e.condition, env)
                then, otherwise = self.alike([self.compile(e.then, env, want), self.compile(e.otherwise, env, want)])
                risky = condition.risky or then.risky or otherwise.risky
                return C(f"({condition.code} ? {then.code} : {otherwise.code})", then.type, risky)
            case core.Case():
                return self.case(e, env, want)
            case core.Let():
                return self.let(e, env, want)
            case core.SetEnumeration():
                return self.enumeration(e, env, want)
            case core.SetFilter():
                return self.filter(e, env)
            case core.SetMap():
                return self.set_map(e, env, want)
            case core.FunctionConstructor():
                return self.function(e, env, want)
            case core.FunctionApplication():
                return self.application(e, env)
            case core.FieldAccess():
                return self.field(e, env)
            case core.Record():
                return self.record(e, env, want)
            case core.TupleExpression():
                return self.row(e, env, want)
            case core.Except():
                return self.updated(e, env, want)
            case core.Label():
                return self.compile(e.body, env, want)
            case core.RecordSet() | core.Cartesian() | core.FunctionSet():
                return self.materialised(e, env)
            case core.BoxAction() | core.AngleAction():
                return self.subscripted(e, env)
        raise self.refuse(e, construct_of(e))

    def case(self, e: core.Case, env: Env, want: Type | None) -> C:
        guards = [self.condition(guard, env) for guard, _ in e.arms]
        parts = [self.compile(body, env, want) for _, body in e.arms]
        if e.other is not None:
            parts.append(self.compile(e.other, env, want))
        bodies = self.alike(parts)
        name = self.name()
        code = ""
        for guard, body in zip(guards, bodies, strict=False):
            code += f"if ({guard.code}) {name} = {body.code}; else "
        code += f"{name} = {bodies[-1].code};" if e.other is not None else self.fail(e)
        risky = e.other is None or any(part.risky for part in (*guards, *bodies))
        return C(f"({{ {self.zero(bodies[0].type, name)} {code} {name}; }})", bodies[0].type, risky)

    def let(self, e: core.Let, env: Env, want: Type | None) -> C:
        self.typing.local.update(e.definitions)
        statements, inner = self.definitions(e, env)
        body = self.compile(e.body, inner, want)
        return C(f"({{ {statements} {body.code}; }})", body.type, body.risky) if statements else body

    def builtin(self, e: core.Builtin, env: Env, want: Type | None) -> C:
        from . import builtins

        return builtins.compile_builtin(self, e, env, want)

    def subscripted(self, e: core.BoxAction | core.AngleAction, env: Env) -> C:
        """`[A]_v` or `<<A>>_v` where the next state is known."""
        if env.primed is None and not env.after:
            raise self.refuse(e, "an action where there is no next state")
        both = (core.Builtin(e.at, "'", (e.subscript,)), e.subscript)
        if isinstance(e, core.BoxAction):
            return self.condition(core.Builtin(e.at, "\\/", (e.action, core.Builtin(e.at, "=", both))), env)
        return self.condition(core.Builtin(e.at, "/\\", (e.action, core.Builtin(e.at, "#", both))), env)


__all__ = ["C", "Closure", "Env", "Expressions"]
