"""Expressions to C: each becomes one C expression of the representation of its type.

Loops stand in GNU statement expressions, which gcc, clang and zig's clang take. What can fail at run time calls
`fail_`; a LET whose body can fail is computed "softly": the failure is kept and raised where the name is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rmqproof.model.tla import core
from rmqproof.model.tla.types import operators
from rmqproof.model.tla.types.domain import (
    BOOL,
    EMPTY_SEQUENCE,
    NOTHING,
    UNKNOWN,
    Atom,
    Bool,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    Union,
    Unknown,
    cardinality,
    exactly,
    function_of,
    includes,
    join,
    kind,
    members_of,
    model_values,
    set_of,
    strings,
)
from rmqproof.model.tla.types.hints import is_constant
from rmqproof.model.tla.types.truth import decided
from rmqproof.model.tla.types.infer import Closure as TypeClosure
from rmqproof.model.tla.types.infer import Scope, Typing
from rmqproof.model.tla.types.walk import children

from .conversion import Conversions
from .errors import NotCompilable
from .representation import (
    Atoms,
    Capacity,
    Structures,
    domain_size,
    in_rank_order,
    settle,
    universe_size,
    words,
)


@dataclass(frozen=True, slots=True)
class C:
    """A C expression. `risky`: it can fail; `place`: it is a name or a path of fields, free to be written twice."""

    code: str
    type: Type
    risky: bool = False
    place: bool = False


@dataclass(frozen=True, slots=True)
class Closure:
    """An operator passed as an argument, or defined by LET, with what its free names mean."""

    operator: core.OperatorArgument | core.Lambda | core.Definition
    env: Env


@dataclass(frozen=True, slots=True)
class Named:
    """A LET definition, or an argument that may be primed: `body` in the scope `env`.

    `value` is what it was computed to in `env`'s state; without one it is compiled where it is used.
    """

    body: core.Expression
    env: Env
    value: C | None = None


@dataclass(frozen=True, slots=True)
class Recursion:
    """A recursive function inside its own body: a C function of the key, and of what it captures (`captured`)."""

    name: str
    key: Type
    value: Type
    captured: str


@dataclass(frozen=True, slots=True)
class Env:
    """What names mean.

    `primed` holds the next state's variables as far as they are assigned, None where there is no next state. `current`
    points at the state that plain variables are read from; with `next` they are read from `primed` instead. `after`
    points at the next state where it is complete.
    """

    bindings: Mapping[core.Binding, Bound] = field(default_factory=dict)
    local: Mapping[core.Definition, Named | Closure] = field(default_factory=dict)
    primed: Mapping[core.Variable, C] | None = None
    current: str = "s"
    next: bool = False
    after: str = ""
    action: str = ""
    """Of a step: the name of the definition that it comes from."""
    root: bool = True
    """The step has the name of the whole next-state relation so far."""
    final: bool = False
    """The step keeps the name it has."""

    def bind(self, more: Mapping[core.Binding, Bound]) -> Env:
        return replace(self, bindings={**self.bindings, **more}) if more else self

    def define(self, definition: core.Definition, meaning: Named | Closure) -> Env:
        return replace(self, local={**self.local, definition: meaning})

    def assign(self, variable: core.Variable, value: C) -> Env:
        return replace(self, primed={**(self.primed or {}), variable: value})

    def shifted(self) -> Env:
        """The scope in which plain variables are the next state's."""
        if self.after:
            return replace(self, current=self.after, after="", primed=None)
        return replace(self, next=True)

    def same_state(self, other: Env) -> bool:
        return self.current == other.current and self.next == other.next

    def inside(self, captured: Env) -> Env:
        """The captured scope, with the states as they are known here."""
        return replace(
            captured,
            primed=self.primed,
            current=self.current,
            next=self.next or captured.next,
            after=self.after,
            action=self.action,
            root=self.root,
            final=self.final,
        )


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
Bound = C | Closure | Named | Recursion
Body = Callable[[C], str]
LARGEST_PROGRAM = 6_000_000
"""Characters of C that a model may take."""


@dataclass(slots=True)
class Expressions:
    """Compiles expressions; collects the functions they need."""

    variables: dict[core.Variable, Type]
    landmarks: tuple[int, ...]
    capacity: Capacity
    atoms: Atoms
    structures: Structures
    conversions: Conversions
    fold: Callable[[core.Expression], C | None] = lambda e: None
    functions: list[str] = field(default_factory=list)
    prototypes: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    initialisers: list[str] = field(default_factory=list)
    places: list[core.Node] = field(default_factory=list)
    target: int = -1
    """Index of the variable whose assignment is being compiled: overflows are its."""
    _count: int = 0
    _written: int = 0
    _lifted: dict[object, tuple[str, Type, bool]] = field(default_factory=dict)
    _recursion: dict[core.Definition, tuple[str, list[Type], Type]] = field(default_factory=dict)
    _inlining: list[core.Definition] = field(default_factory=list)
    _typing: Typing | None = None
    _closed: dict[int, bool] = field(default_factory=dict)
    _hoisted: dict[tuple[object, Type | None], C] = field(default_factory=dict)

    # --- small things -----------------------------------------------------------------------------------------

    def name(self, prefix: str = "x") -> str:
        self._count += 1
        return f"{prefix}{self._count}_"

    def settle(self, type_: Type) -> Type:
        return settle(type_, self.capacity)

    def c_type(self, type_: Type) -> str:
        return self.structures.of(type_)

    def fail(self, e: core.Expression) -> str:
        """A statement that reports a failure of evaluation at `e`."""
        self.places.append(e)
        return f"fail_(c, EVALUATE, {len(self.places) - 1});"

    def widen(self) -> str:
        return f"fail_(c, WIDEN, {self.target});"

    def zero(self, type_: Type, name: str) -> str:
        """A declaration of `name` with all bits zero."""
        c_type = self.c_type(type_)
        return f"I {name} = 0;" if c_type == "I" else f"{c_type} {name}; memset(&{name}, 0, sizeof {name});"

    def held(self, value: C) -> tuple[str, C]:
        """Statements and a place that holds the value."""
        if value.place:
            return "", value
        name = self.name()
        return f"{self.c_type(value.type)} {name} = {value.code};", C(name, value.type, value.risky, True)

    def coerce(self, value: C, want: Type) -> C:
        """The value in the representation of `want`; checked at run time where the type does not show that it fits."""
        fits = includes(want, value.type)
        if fits and self.structures.same(want, value.type):
            return value
        name = self.name()
        function = self.conversions.convert(value.type, want)
        check = f"(void){function}(c, {value.code}, &{name});"
        if not fits:
            check = f"if (!{function}(c, {value.code}, &{name})) {{ {self.widen()} {self._clear(want, name)} }}"
        return C(f"({{ {self.zero(want, name)} {check} {name}; }})", want, value.risky or not fits)

    def _clear(self, type_: Type, name: str) -> str:
        return f"{name} = 0;" if self.c_type(type_) == "I" else f"memset(&{name}, 0, sizeof {name});"

    def to(self, value: C, want: Type) -> C:
        """`coerce`, with exactly the type `want`."""
        return replace(self.coerce(value, want), type=want)

    def refuse(self, e: core.Expression | core.Binder, construct: str) -> NotCompilable:
        at = e.at if isinstance(e, core.Node) else e.domain.at if e.domain is not None else None
        return NotCompilable(at, construct)

    # --- conditions -------------------------------------------------------------------------------------------

    def condition(self, e: core.Expression, env: Env) -> C:
        value = self.compile(e, env)
        if isinstance(value.type, Nothing):
            return C(f"(int)({value.code})", BOOL, value.risky)
        if not isinstance(value.type, Bool):
            raise self.refuse(e, "a condition that may be no Boolean")
        return value

    # --- expressions --------------------------------------------------------------------------------------------

    def compile(self, e: core.Expression, env: Env, want: Type | None = None) -> C:
        """The value of `e`. Where its type fits `want`, it comes in that type's representation."""
        try:
            result = self.hoisted(e, want) if self.is_closed(e) else self._compile(e, env, want)
        except NotCompilable as error:
            if error.at is None:
                raise NotCompilable(e.at, error.construct) from error
            raise
        self._written += len(result.code) if len(result.code) > 10_000 else 0
        if len(result.code) > LARGEST_PROGRAM or self._written > 60 * LARGEST_PROGRAM:
            raise self.refuse(e, "an expression that unfolds to too much code")
        return result

    def is_closed(self, e: core.Expression) -> bool:
        """Whether `e` is a constant worth computing once: no variable and no name bound around it occurs in it."""
        if not isinstance(e, WORTH_KEEPING) or (isinstance(e, core.Builtin) and e.operator in SCALAR_OPERATORS):
            return False
        if id(e) not in self._closed:
            self._closed[id(e)] = is_constant(e) and not self._uses_local(e) and not _free(e, set())
        return self._closed[id(e)]

    def _uses_local(self, e: core.Expression) -> bool:
        if isinstance(e, core.Call) and (e.definition in self.typing.local or e.definition.level > core.CONSTANT):
            return True
        if isinstance(e, core.OperatorArgument | core.CallParameter | core.Let):
            return True
        return any(self._uses_local(child) for child in children(e))

    def hoisted(self, e: core.Expression, want: Type | None) -> C:
        """A constant, computed once when the search starts; a failure is raised where it is used."""
        key = (e.definition if isinstance(e, core.Call) and not e.arguments else id(e), want)
        if key not in self._hoisted:
            target, self.target = self.target, -1
            try:
                value = self._compile(e, Env(), want)
            finally:
                self.target = target
            if len(value.code) > 24 and not isinstance(value.type, Nothing):
                value = self._static(value)
            self._hoisted[key] = value
        return self._hoisted[key]

    def _static(self, value: C) -> C:
        name = self.name("k")
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
                return self.fold(e) or self.compile(e.constant.value, Env(), want)
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
            case core.BoxAction():
                return self.box(e, env)
        raise self.refuse(e, _construct(e))

    def variable(self, e: core.VariableReference, env: Env) -> C:
        if not env.next:
            return C(f"{env.current}->v{e.variable.index}", self.variables[e.variable], place=True)
        assigned = env.primed.get(e.variable) if env.primed is not None else None
        if assigned is None:
            raise self.refuse(e, f"{e.variable.name} in the next state before it is assigned")
        return assigned

    def named(self, meaning: Named, env: Env, want: Type | None) -> C:
        if meaning.value is not None and meaning.env.same_state(env):
            return meaning.value
        return self.compile(meaning.body, env.inside(meaning.env), want)

    def alike(self, values: list[C]) -> list[C]:
        """The values in one type."""
        type_: Type = NOTHING
        for value in values:
            type_ = join(type_, value.type)
        type_ = self.settle(type_)
        return [self.to(value, type_) for value in values]

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

    # --- LET and operators ----------------------------------------------------------------------------------------

    def let(self, e: core.Let, env: Env, want: Type | None) -> C:
        self.typing.local.update(e.definitions)
        statements, inner = self.definitions(e, env)
        body = self.compile(e.body, inner, want)
        return C(f"({{ {statements} {body.code}; }})", body.type, body.risky) if statements else body

    def definitions(self, e: core.Let, env: Env) -> tuple[str, Env]:
        """Statements that compute the definitions, and the scope of the body."""
        statements = ""
        for i, definition in enumerate(e.definitions):
            if definition.parameters or definition.recursive:
                env = env.define(definition, Closure(definition, env))
                continue
            rest = [d.body for d in e.definitions[i + 1 :]] + [e.body]
            uses = sum(_uses(part, definition, 0) for part in rest)
            if uses == 0:
                continue
            delayed = Named(definition.body, env)
            if uses == 1 or definition.level >= core.ACTION or _is_infinite_or_lazy(definition.body):
                env = env.define(definition, delayed)
                continue
            value = self.compile(definition.body, env)
            if value.place or value.code.rstrip("L").isdigit():
                env = env.define(definition, replace(delayed, value=value))
                continue
            name = self.name()
            if not value.risky:
                statements += f"{self.c_type(value.type)} {name} = {value.code}; (void){name};"
                env = env.define(definition, replace(delayed, value=C(name, value.type, False, True)))
                continue
            more, raising, _ = self.softly(value)
            statements += more
            env = env.define(definition, replace(delayed, value=raising))
        return statements, env

    def softly(self, value: C) -> tuple[str, C, str]:
        """Statements that compute the value and keep its failure, the value where it is used, and the kept failure."""
        name = self.name()
        bad = f"{name}bad"
        statements = (
            f"{self.zero(value.type, name)} I {bad}; {{ int soft_ = c->soft; I kept_ = c->kept; c->soft = 1; "
            f"c->kept = 0; {name} = {value.code}; {bad} = c->kept; c->soft = soft_; c->kept = kept_; }}"
        )
        return statements, C(f"(*(raise_(c, {bad}), &{name}))", value.type, True, True), bad

    def given(self, argument: C) -> tuple[str, C]:
        """Statements that compute an argument, and what stands for it: it fails where it is used, as in TLC."""
        if argument.risky and not argument.place:
            statements, value, _ = self.softly(argument)
            return statements, value
        return self.held(argument)

    def call(self, e: core.Call, env: Env, want: Type | None) -> C:
        definition = e.definition
        meaning = env.local.get(definition)
        if isinstance(meaning, Named):
            return self.named(meaning, env, want)
        folded = self.fold(e)
        if folded is not None:
            return folded
        if isinstance(meaning, Closure):
            return self.apply_closure(e, meaning, e.arguments, env, want)
        if definition.level >= core.ACTION:
            return self.inline(e, definition, self.by_name(e.arguments, env), replace(env, bindings={}, local={}), want)
        return self.apply(e, definition, [self.argument(a, env) for a in e.arguments], env, want)

    def by_name(self, arguments: tuple[core.Expression, ...], env: Env) -> list[Bound]:
        """Arguments of an operator that may prime its parameters."""
        given: list[Bound] = []
        for argument in arguments:
            if isinstance(argument, core.OperatorArgument | core.Lambda):
                given.append(self.argument(argument, env))
            elif isinstance(argument, core.Reference) and isinstance(env.bindings.get(argument.binding), Named):
                given.append(env.bindings[argument.binding])
            elif is_constant(argument) and not isinstance(argument, core.Builtin | core.Call):
                given.append(self.compile(argument, env))
            else:
                given.append(Named(argument, env))
        return given

    def argument(self, e: core.Expression, env: Env) -> C | Closure:
        if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Binding):
            bound = env.bindings.get(e.target)
            if isinstance(bound, Closure):
                return bound
        if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Definition) and e.target in env.local:
            meaning = env.local[e.target]
            if isinstance(meaning, Closure):
                return meaning
        if isinstance(e, core.OperatorArgument | core.Lambda):
            return Closure(e, env)
        return self.compile(e, env)

    def apply(
        self, e: core.Expression, definition: core.Definition, arguments: list[C | Closure], env: Env, want: Type | None
    ) -> C:
        """A definition of a module applied to arguments."""
        if definition.recursive:
            return self.recursive(e, definition, arguments, env)
        closures = any(isinstance(a, Closure) for a in arguments)
        primed = definition.level >= core.ACTION or (env.next and definition.level >= core.STATE)
        if closures or primed or _is_infinite_or_lazy(definition.body):
            return self.inline(e, definition, list(arguments), replace(env, bindings={}, local={}), want)
        values = [a for a in arguments if isinstance(a, C)]
        key = (definition, tuple((a.type, a.risky) for a in values), env.current)
        if key not in self._lifted:
            self._lifted[key] = self._lift(e, definition, values)
        name, type_, risky = self._lifted[key]
        statements, given = "", ""
        for value in values:
            if value.risky:
                more, _, bad = self.softly(value)
                statements += more
                given += f", {bad.removesuffix('bad')}, {bad}"
            else:
                given += f", {value.code}"
        code = f"{name}(c, {env.current}{given})"
        risky = risky or any(a.risky for a in values)
        return C(f"({{ {statements} {code}; }})" if statements else code, type_, risky)

    def _lift(self, e: core.Expression, definition: core.Definition, values: list[C]) -> tuple[str, Type, bool]:
        """A C function for the definition; an argument that can fail comes with its failure, raised when it is used."""
        if definition in self._inlining:
            raise self.refuse(e, f"{definition.name} is recursive")
        name = self.name("op")
        bound: dict[core.Binding, Bound] = {}
        parameters = ""
        for i, (parameter, value) in enumerate(zip(definition.parameters, values, strict=True)):
            parameters += f", {self.c_type(value.type)} p{i}_"
            code = f"p{i}_"
            if value.risky:
                parameters += f", I p{i}_bad"
                code = f"(*(raise_(c, p{i}_bad), &p{i}_))"
            bound[parameter] = C(code, value.type, value.risky, True)
        self._inlining.append(definition)
        target, self.target = self.target, -1
        try:
            body = self.compile(definition.body, Env(bound))
        finally:
            self._inlining.pop()
            self.target = target
        head = f"static {self.c_type(body.type)} {name}(Ctx *c, const S *s{parameters})"
        self.prototypes.append(f"{head};")
        self.functions.append(f"/* {definition.name} */\n{head} {{ (void)c; (void)s; return {body.code}; }}")
        return name, body.type, body.risky

    def inline(
        self,
        e: core.Expression,
        definition: core.Definition,
        arguments: list[Bound],
        env: Env,
        want: Type | None,
    ) -> C:
        """The definition's body with the arguments in place of the parameters; `env` is the definition's own scope."""
        if self._inlining.count(definition) > 40:
            raise self.refuse(e, f"{definition.name} is recursive")
        statements, bound = "", {}
        for parameter, argument in zip(definition.parameters, arguments, strict=True):
            if isinstance(argument, C):
                more, argument = self.given(argument)
                statements += more
            bound[parameter] = argument
        self._inlining.append(definition)
        try:
            body = self.compile(definition.body, env.bind(bound), want)
        finally:
            self._inlining.pop()
        risky = body.risky or any(isinstance(a, C) and a.risky for a in arguments)
        return C(f"({{ {statements} {body.code}; }})" if statements else body.code, body.type, risky)

    def recursive(self, e: core.Expression, definition: core.Definition, arguments: list[C | Closure], env: Env) -> C:
        if any(isinstance(a, Closure) for a in arguments):
            raise self.refuse(e, f"{definition.name} is recursive and takes an operator")
        values = [a for a in arguments if isinstance(a, C)]
        active = self._recursion.get(definition)
        if active is None:
            typing = Typing(dict(self.variables), self.landmarks)
            found, result = typing.recursive(definition, [a.type for a in values], self.scope(env))
            if isinstance(result, Unknown) or any(isinstance(t, Unknown) for t in found):
                raise self.refuse(e, f"{definition.name} is recursive and its type is not known")
            types, result = [self.settle(t) for t in found], self.settle(result)
            key = (definition, tuple(types))
            if key not in self._lifted:
                if _free(definition.body, set(definition.parameters)):
                    raise self.refuse(e, f"{definition.name} is recursive and uses names around it")
                name = self.name("recursive")
                self._recursion[definition] = (name, types, result)
                self._lift_recursive(definition, name, types, result)
                del self._recursion[definition]
                self._lifted[key] = (name, result, True)
            active = (self._lifted[key][0], types, result)
        name, types, result = active
        given = "".join(f", {self.to(a, t).code}" for a, t in zip(values, types, strict=True))
        return C(f"{name}(c, {env.current}{given})", result, True)

    def _lift_recursive(self, definition: core.Definition, name: str, types: list[Type], result: Type) -> None:
        names = [f"p{i}_" for i in range(len(types))]
        inner = Env({p: C(n, t, False, True) for p, n, t in zip(definition.parameters, names, types, strict=True)})
        body = self.to(self.compile(definition.body, inner, result), result)
        parameters = "".join(f", {self.c_type(t)} {n}" for n, t in zip(names, types, strict=True))
        head = f"static {self.c_type(result)} {name}(Ctx *c, const S *s{parameters})"
        self.prototypes.append(f"{head};")
        zero = self.zero(result, "zero_")
        self.functions.append(
            f"/* {definition.name} */\n{head} {{ if (++c->depth > DEEPEST) {{ c->depth--; fail_(c, DEEP, -1); {zero} "
            f"return zero_; }} {self.c_type(result)} result_ = {body.code}; c->depth--; return result_; }}"
        )

    def scope(self, env: Env) -> Scope:
        """The types of what is bound, for inference."""
        known: dict[core.Binding, Type | TypeClosure] = {}
        for binding, value in env.bindings.items():
            if isinstance(value, C):
                known[binding] = value.type
            elif isinstance(value, Named):
                known[binding] = value.value.type if value.value is not None else self.typed(value.body, value.env)
            elif isinstance(value, Recursion):
                known[binding] = function_of(value.key, value.value, False)
            elif isinstance(value.operator, core.Lambda | core.OperatorArgument):
                known[binding] = TypeClosure(value.operator, Scope())
        return Scope(known)

    def apply_closure(
        self,
        e: core.Expression,
        closure: Closure,
        arguments: tuple[core.Expression, ...],
        env: Env,
        want: Type | None = None,
    ) -> C:
        return self.apply_values(e, closure, [self.argument(a, env) for a in arguments], env, want)

    def apply_values(
        self, e: core.Expression, closure: Closure, values: list[C | Closure], env: Env, want: Type | None = None
    ) -> C:
        operator = closure.operator
        inner = env.inside(closure.env)
        if isinstance(operator, core.Definition):
            if operator.recursive:
                return self.recursive(e, operator, values, env)
            # A definition of LET sees itself's scope and what is defined beside it.
            return self.inline(e, operator, list(values), inner, want)
        if isinstance(operator, core.Lambda):
            statements, bound = "", {}
            for parameter, value in zip(operator.parameters, values, strict=True):
                if isinstance(value, C):
                    more, value = self.given(value)
                    statements += more
                bound[parameter] = value
            body = self.compile(operator.body, inner.bind(bound), want)
            return C(f"({{ {statements} {body.code}; }})" if statements else body.code, body.type, body.risky)
        if isinstance(operator.target, core.Definition):
            meaning = inner.local.get(operator.target)
            if isinstance(meaning, Closure):
                return self.apply_values(e, meaning, values, env, want)
            return self.apply(e, operator.target, values, inner, want)
        if isinstance(operator.target, str):
            names = [core.Binding(f"_{i}", e.at) for i in range(len(values))]
            call = core.Builtin(e.at, operator.target, tuple(core.Reference(e.at, n) for n in names))
            return self.compile(call, inner.bind(dict(zip(names, values, strict=True))), want)
        raise self.refuse(e, "an operator that is not known here")

    # --- iteration --------------------------------------------------------------------------------------------

    def each(self, e: core.Expression, env: Env, body: Body) -> tuple[str, bool]:
        """A loop over the elements of the set `e`, each once, in order of rank; and whether computing the set can fail."""
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
        value = self.compile(e, env)
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
                case core.ConstantReference() if e.constant.value is not None and _is_infinite_or_lazy(
                    e.constant.value
                ):
                    e, env = e.constant.value, Env()
                case core.Call() if not e.arguments and not e.definition.recursive:
                    meaning = env.local.get(e.definition)
                    if isinstance(meaning, Named) and (meaning.value is None or not meaning.env.same_state(env)):
                        e, env = meaning.body, env.inside(meaning.env)
                    elif meaning is None and _is_infinite_or_lazy(e.definition.body):
                        e, env = e.definition.body, replace(env, bindings={}, local={})
                    else:
                        return e, env
                case core.Call() if not e.definition.recursive and _is_infinite_or_lazy(e.definition.body):
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
        if not isinstance(base.type, Set):
            raise self.refuse(e, "the subsets of a set that is not known")
        size = universe_size(base.type.element)
        statements, held = self.held(base)
        x, i = self.name(), self.name("i")
        type_ = Set(base.type.element, base.type.most)
        inner = body(C(x, type_, place=True))
        c_type = self.c_type(type_)
        if size is not None and words(size) == 1:
            loop = (
                f"U {i} = 0, {i}all = {held.code}.w[0]; do {{ {c_type} {x}; {x}.w[0] = {i}; {{ {inner} }} "
                f"{i} = ({i} - {i}all) & {i}all; }} while ({i});"
            )
        else:
            y = self.name()
            if size is None:
                listing = f"{i}n = {held.code}.n; for (I k_ = 0; k_ < {i}n; k_++) {i}a[k_] = {held.code}.a[k_];"
            else:
                listing = self.conversions.each(type_, held.code, y, f"{i}a[{i}n++] = {y};")
            most = base.type.most if base.type.most is not None else size or 0
            add = self.conversions.add(type_, x, f"{i}a[k_]")
            loop = (
                f"{self.c_type(type_.element)} {i}a[{max(1, most)}]; I {i}n = 0; {listing} if ({i}n > 40) {{ {self.fail(e)} }} "
                f"else for (U {i} = 0; {i} < ((U)1 << {i}n); {i}++) {{ {self.zero(type_, x)} "
                f"for (I k_ = 0; k_ < {i}n; k_++) if ({i} >> k_ & 1) {{ {add} }} {{ {inner} }} }}"
            )
        return f"{{ {statements} {loop} }}", base.risky

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
        parts = list(e.factors) if isinstance(e, core.Cartesian) else [value for _, value in sorted(e.fields)]
        names = [name for name, _ in sorted(e.fields)] if isinstance(e, core.RecordSet) else []

        def nest(i: int, chosen: list[C]) -> tuple[str, bool]:
            if i == len(parts):
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
            f"{self.c_type(value)} {n}v[{max(1, count)}]; {elements} I {i}[{max(1, size)}]; memset({i}, 0, sizeof {i}); "
            f"if ({n}m > 0 || {n} == 0) for (;;) {{ {self.zero(type_, x)} {start} "
            f"for (I q_ = 0; q_ < {n}; q_++) {{ {put} }} {{ {inner} }} "
            f"I q_ = {n} - 1; while (q_ >= 0 && ++{i}[q_] == {n}m) {i}[q_--] = 0; if (q_ < 0) break; }} }}"
        )
        return code, domain.risky or values.risky

    def _from_one(self, e: core.Expression, env: Env) -> bool:
        return self.typing.starts_at_one(e, self.scope(env))

    def _opened(self, e: core.Expression, env: Env) -> tuple[core.Expression, Env]:
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

    # --- sets ---------------------------------------------------------------------------------------------------

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

    def collected(self, loop: Callable[[Body], tuple[str, bool]], want: Type | None, full: bool = False) -> C:
        """The set of the values that the body of a loop is given; compiled twice, first for the type."""
        types: list[Type] = []

        def first(x: C) -> str:
            types.append(x.type)
            return ""

        loop(first)
        element: Type = NOTHING
        for type_ in types:
            element = join(element, type_)
        element = self._element_want(want, element)
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
        return self.collected(lambda body: self.each(e, env, body), None, operators.is_full(type_))

    def typed(self, e: core.Expression, env: Env) -> Type:
        """The type of `e`, found without generating code."""
        return self.typing.of(e, self.scope(env))

    @property
    def typing(self) -> Typing:
        if self._typing is None:
            self._typing = Typing(dict(self.variables), self.landmarks)
        return self._typing

    def truth(self, e: core.Expression, env: Env, initial: bool = False) -> bool | None:
        """The value of a condition that constants and types decide."""
        return decided(self.typing, e, self.scope(env), initial or env.next)

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
                    return self._member_value(x, value)
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
        return self._member_value(x, self.compile(domain, env))

    def _member_value(self, x: C, value: C) -> C:
        if not isinstance(value.type, Set):
            raise NotCompilable(None, "membership in what may be no set")
        element = value.type.element
        if isinstance(element, Nothing):
            return C("0", BOOL, x.risky)
        if not _comparable(x.type, element):
            raise NotCompilable(None, "membership of a value of another kind")
        statements, s = self.held(value)
        y = self.name()
        size = universe_size(element)
        if size is None:
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
        if name == ".." and isinstance(x.type, Int):
            low, high = (self.number(a, env) for a in arguments)
            return C(f"({low.code} <= {x.code} && {x.code} <= {high.code})", BOOL, low.risky or high.risky or x.risky)
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
        if name in ("\\cup", "\\union"):
            tests = [self.member(e, x, a, env) for a in arguments]
            return C(f"({' || '.join(t.code for t in tests)})", BOOL, any(t.risky for t in tests))
        if name in ("\\cap", "\\intersect"):
            tests = [self.member(e, x, a, env) for a in arguments]
            return C(f"({' && '.join(t.code for t in tests)})", BOOL, any(t.risky for t in tests))
        if name == "\\":
            inside, outside = (self.member(e, x, a, env) for a in arguments)
            return C(f"({inside.code} && !{outside.code})", BOOL, inside.risky or outside.risky)
        return self._member_value(x, self.compile(domain, env))

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
            empty = self.compile(core.Builtin(e.at, "=", (domain.domain, core.SetEnumeration(e.at, ()))), env)
            return empty
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
            if all(isinstance(m, Record | Seq | Tuple) or _all_model(m) for m in x.type.members):
                return C("0", BOOL, x.risky)
        if not isinstance(x.type, Record):
            if _all_model(x.type):
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
        return C(f"({' && '.join(t.code for t in tests)})", BOOL, any(t.risky for t in tests) or x.risky)

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
        return C(f"({' && '.join(t.code for t in tests)})", BOOL, any(t.risky for t in tests) or x.risky)

    # --- functions ------------------------------------------------------------------------------------------------

    def function(self, e: core.FunctionConstructor, env: Env, want: Type | None) -> C:
        recursion = self.recursive_function(e, env) if e.recursion is not None else None
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
            result = Function(keys[0], value_type, typed.total)
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

    def recursive_function(self, e: core.FunctionConstructor, env: Env) -> Recursion:
        """A C function that computes the function's value at a key."""
        assert e.recursion is not None
        names, binders = _names_used(e, env), e.binders
        whole = self.settle(self.typed(e, env))
        types = [self.settle(operators.element_of(self.typed(b.domain, env))) for b in binders if b.domain is not None]
        key = types[0] if len(types) == 1 else Tuple(tuple(types))
        if isinstance(whole, Seq):
            value: Type = whole.element
        elif isinstance(whole, Function):
            value = whole.value
        else:
            raise self.refuse(e, "a recursive function whose domain is not bounded")
        if isinstance(key, Unknown | Nothing) or isinstance(value, Unknown | Nothing):
            raise self.refuse(e, "a recursive function whose type is not known")
        name = self.name("function")
        bound: dict[core.Binding, Bound] = {}
        parameters, captured = "", ""
        for i, binding in enumerate(names):
            around = env.bindings[binding]
            if isinstance(around, C):
                parameters += f", {self.c_type(around.type)} p{i}_"
                captured += f", {around.code}"
                bound[binding] = C(f"p{i}_", around.type, False, True)
            elif isinstance(around, Recursion):
                raise self.refuse(e, "a recursive function inside another")
            else:
                bound[binding] = around
        passed = "".join(f", p{i}_" for i, b in enumerate(names) if isinstance(env.bindings[b], C))
        inner = replace(env, bindings=bound)
        local = {d: Named(m.body, inner) if isinstance(m, Named) else m for d, m in env.local.items()}
        inner = replace(inner, local=local)
        if inner.next or inner.after:
            raise self.refuse(e, "a recursive function of the next state")
        own = Recursion(name, key, value, passed)
        place = C("key_", key, False, True)
        chosen = [place] if len(binders) == 1 else [C(f"key_.f{i}", t, False, True) for i, t in enumerate(types)]
        known: dict[core.Binding, Bound] = {e.recursion: own}
        for binder, at in zip(binders, chosen, strict=True):
            known |= self.bound(binder, at)[1]
        target, self.target = self.target, -1
        outside = ""
        try:
            for binder, at in zip(binders, chosen, strict=True):
                if binder.domain is not None and not operators.is_full(self.typed(binder.domain, env)):
                    test = self.member(e, at, binder.domain, replace(inner, current="s"))
                    outside += f"if (!({test.code})) {{ {self.fail(e)} }} "
            body = self.to(self.compile(e.body, replace(inner.bind(known), current="s"), value), value)
        finally:
            self.target = target
        head = f"static {self.c_type(value)} {name}(Ctx *c, const S *s{parameters}, {self.c_type(key)} key_)"
        self.prototypes.append(f"{head};")
        self.functions.append(
            f"{head} {{ (void)key_; if (++c->depth > DEEPEST) {{ c->depth--; fail_(c, DEEP, -1); "
            f"{self.zero(value, 'zero_')} return zero_; }} {outside}{self.c_type(value)} result_ = {body.code}; c->depth--; "
            f"return result_; }}"
        )
        return Recursion(name, key, value, f", {env.current}" + captured)

    def called(self, e: core.Expression, function: Recursion, argument: C, inside: bool) -> C:
        """The recursive function's value; `inside`: called from its own body."""
        if not _comparable(argument.type, function.key):
            return self._failing(e, NOTHING)
        key = self._checked(e, argument, function.key) if argument.type != function.key else argument
        state = ", s" if inside else ""
        return C(f"{function.name}(c{state}{function.captured}, {key.code})", function.value, True)

    def application(self, e: core.FunctionApplication, env: Env) -> C:
        if isinstance(e.function, core.Reference):
            own = env.bindings.get(e.function.binding)
            if isinstance(own, Recursion):
                return self.called(e, own, self.compile(e.argument, env), True)
        whole, outer = self._opened(e.function, env)
        if isinstance(whole, core.FunctionConstructor) and whole.recursion is not None:
            return self.called(e, self.recursive_function(whole, outer), self.compile(e.argument, env), False)
        function = self.compile(e.function, env)
        argument = self.compile(e.argument, env)
        return self.applied(e, function, argument)

    def applied(self, e: core.Expression, function: C, argument: C) -> C:
        literal = _known(e.argument if isinstance(e, core.FunctionApplication) else None, argument.type)
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
                from rmqproof.model.tla.types.domain import as_function

                return self.applied(e, self.to(function, as_function(f_type)), argument)
        if isinstance(f_type, Tuple):
            if isinstance(literal, int) and 1 <= literal <= len(f_type.items):
                return C(
                    f"{_bracket(function)}.f{literal - 1}", f_type.items[literal - 1], function.risky, function.place
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

    def _checked(self, e: core.Expression, value: C, want: Type) -> C:
        """The value as one of `want`; a failure of evaluation where it is none."""
        name = self.name()
        convert = self.conversions.convert(value.type, want)
        test = f"if (!{convert}(c, {value.code}, &{name})) {{ {self.fail(e)} {self._clear(want, name)} }}"
        return C(f"({{ {self.zero(want, name)} {test} {name}; }})", want, True)

    def _failing(self, e: core.Expression, type_: Type) -> C:
        """An expression that always fails."""
        return C(f"({{ {self.fail(e)} (I)0; }})", type_, True)

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
                f"{_bracket(function)}.a[({argument.code}) - 1]",
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
        if not fits and not _comparable(argument.type, type_.key):
            return self._failing(e, type_.value) if self.c_type(type_.value) == "I" else self._refused_key(e)
        f, k, r = self.name("f"), self.name("k"), self.name("r")
        rank = self.conversions.rank(type_.key, k)
        same = self.structures.same(type_.key, argument.type)
        if fits and same:
            key = f"{self.c_type(type_.key)} {k} = {argument.code}; I {r} = {rank};"
        else:
            convert = self.conversions.convert(argument.type, type_.key)
            bad = "" if fits else f" {{ {self.fail(e)} }}"
            key = f"{self.zero(type_.key, k)} I {r} = 0; if ({convert}(c, {argument.code}, &{k})) {r} = {rank}; else{bad or ' ;'}"
        present = ""
        if not type_.total:
            present = f"if (!({f}->w[{r} >> 6] >> ({r} & 63) & 1)) {{ {self.fail(e)} }}"
        risky = function.risky or argument.risky or not fits or not type_.total
        if fits and same and type_.total and argument.place and function.place:
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
        return C(f"{_bracket(record)}.f{i}", record.type.fields[i][1], record.risky, record.place)

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
        code = f"({{ {statements} {self.zero(values[0].type, result)} switch ({r.code}.tag) {{ {cases} {default} }} {result}; }})"
        return C(code, values[0].type, record.risky or not all_have)

    def record(self, e: core.Record, env: Env, want: Type | None) -> C:
        names = tuple(sorted(name for name, _ in e.fields))
        wanted = (
            next((m for m in members_of(want) if isinstance(m, Record) and m.names == names), None) if want else None
        )
        values = {n: self.compile(v, env, wanted.field(n) if wanted else None) for n, v in e.fields}
        fields = []
        for name in names:
            natural = values[name].type
            target = wanted.field(name) if wanted is not None else None
            fields.append((name, target if target is not None and includes(target, natural) else natural))
        # Enumerations and ranges stay as narrow as they are: only the representation follows what is wanted.
        type_ = Record(tuple((n, _narrower(t, values[n].type, self.structures)) for n, t in fields))
        r = self.name()
        sets = " ".join(f"{r}.f{i} = {self.to(values[n], t).code};" for i, (n, t) in enumerate(type_.fields))
        risky = any(v.risky for v in values.values())
        return C(f"({{ {self.c_type(type_)} {r}; {sets} {r}; }})", type_, risky)

    def row(self, e: core.TupleExpression, env: Env, want: Type | None) -> C:
        if not e.items:
            s = self.name()
            return C(f"({{ {self.zero(EMPTY_SEQUENCE, s)} {s}; }})", EMPTY_SEQUENCE)
        wants: list[Type | None] = [None] * len(e.items)
        for member in members_of(want) if want is not None else ():
            if isinstance(member, Tuple) and len(member.items) == len(e.items):
                wants = list(member.items)
            elif isinstance(member, Seq):
                wants = [member.element] * len(e.items)
        values = [self.compile(item, env, w) for item, w in zip(e.items, wants, strict=True)]
        type_ = Tuple(tuple(v.type for v in values))
        t = self.name()
        sets = " ".join(f"{t}.f{i} = {v.code};" for i, v in enumerate(values))
        return C(f"({{ {self.c_type(type_)} {t}; {sets} {t}; }})", type_, any(v.risky for v in values))

    def updated(self, e: core.Except, env: Env, want: Type | None) -> C:
        result = self.compile(e.function, env, want)
        for update in e.updates:
            # The old value is converted before it is changed, so the type must take both.
            natural = self.settle(join(result.type, self._updated_type(result.type, update.path, update, env)))
            target = want if want is not None and includes(want, natural) and kind(want) == kind(natural) else natural
            start = self.to(result, target)
            t = self.name()
            risks: list[bool] = []
            code = self._update(e, C(t, target, place=True), list(update.path), update, env, risks)
            result = C(
                f"({{ {self.c_type(target)} {t} = {start.code}; {code} {t}; }})",
                target,
                start.risky or result.risky or any(risks),
            )
        return result

    def _updated_type(self, target: Type, path: tuple[core.Expression, ...], update: core.Update, env: Env) -> Type:
        if not path:
            held = C("0", target, place=True)
            return self.compile(update.value, env.bind({update.old: held}), target).type
        argument = self.compile(path[0], env).type
        literal = _known(path[0], argument)
        return operators.update(target, argument, literal, lambda old: self._updated_type(old, path[1:], update, env))

    def _update(
        self,
        e: core.Except,
        place: C,
        path: list[core.Expression],
        update: core.Update,
        env: Env,
        risks: list[bool],
    ) -> str:
        """Statements that change `place`, whose type already takes the new value."""
        if not path:
            old = self.name("old")
            value = self.compile(update.value, env.bind({update.old: C(old, place.type, place=True)}), place.type)
            risks.append(value.risky)
            new = self.to(value, place.type)
            return f"{{ {self.c_type(place.type)} {old} = {place.code}; (void){old}; {place.code} = {new.code}; }}"
        argument = self.compile(path[0], env)
        risks.append(argument.risky)
        literal = _known(path[0], argument.type)
        type_ = place.type
        match type_:
            case Record() if isinstance(literal, str):
                if literal not in type_.names:
                    return ";"
                i = type_.names.index(literal)
                return self._update(
                    e, C(f"{place.code}.f{i}", type_.fields[i][1], place=True), path[1:], update, env, risks
                )
            case Tuple() if isinstance(literal, int):
                if not 1 <= literal <= len(type_.items):
                    return ";"
                item = C(f"{place.code}.f{literal - 1}", type_.items[literal - 1], place=True)
                return self._update(e, item, path[1:], update, env, risks)
            case Seq() if isinstance(argument.type, Int):
                if type_.most == 0:
                    return ";"
                at = self.name("i")
                item = C(f"{place.code}.a[{at} - 1]", type_.element, place=True)
                inner = self._update(e, item, path[1:], update, env, risks)
                return f"{{ I {at} = {argument.code}; if ({at} >= 1 && {at} <= {place.code}.n) {{ {inner} }} }}"
            case Function():
                k, r = self.name("k"), self.name("r")
                if isinstance(type_.key, Nothing) or not _comparable(argument.type, type_.key):
                    raise self.refuse(e, "EXCEPT at an argument of another kind")
                convert = self.conversions.convert(argument.type, type_.key)
                rank = self.conversions.rank(type_.key, k)
                item = C(f"{place.code}.a[{r}]", type_.value, place=True)
                inner = self._update(e, item, path[1:], update, env, risks)
                present = "" if type_.total else f"if ({place.code}.w[{r} >> 6] >> ({r} & 63) & 1)"
                return (
                    f"{{ {self.zero(type_.key, k)} if ({convert}(c, {argument.code}, &{k})) {{ I {r} = {rank}; "
                    f"{present} {{ {inner} }} }} }}"
                )
        raise self.refuse(e, "EXCEPT on a value of several kinds")

    # --- built-in operators -----------------------------------------------------------------------------------------

    def number(self, e: core.Expression, env: Env) -> C:
        value = self.compile(e, env)
        if not isinstance(value.type, Int | Nothing):
            raise self.refuse(e, "arithmetic on what may be no integer")
        return value

    def sequence(self, e: core.Expression, value: C) -> C:
        """The value as a sequence."""
        type_ = value.type
        if isinstance(type_, Seq):
            return value
        if isinstance(type_, Tuple):
            element: Type = NOTHING
            for item in type_.items:
                element = join(element, item)
            return self.to(value, self.settle(Seq(element, len(type_.items), len(type_.items))))
        if isinstance(type_, Function) and isinstance(type_.key, Int) and type_.key.high is not None:
            target = self.settle(Seq(type_.value, 0, max(0, type_.key.high)))
            s = self.name()
            convert = self.conversions.convert(type_, target)
            return C(
                f"({{ {self.zero(target, s)} if (!{convert}(c, {value.code}, &{s})) {{ {self.fail(e)} }} {s}; }})",
                target,
                True,
            )
        if isinstance(type_, Union):
            for i, member in enumerate(type_.members):
                if isinstance(member, Seq | Tuple):
                    statements, u = self.held(value)
                    inner = self.sequence(e, C(f"{u.code}.m{i}", member, place=True))
                    check = f"if ({u.code}.tag != {i}) {{ {self.fail(e)} }}"
                    return C(f"({{ {statements} {check} {inner.code}; }})", inner.type, True)
        raise self.refuse(e, "a sequence operator on what may be no sequence")

    def builtin(self, e: core.Builtin, env: Env, want: Type | None) -> C:
        from . import builtins

        return builtins.compile_builtin(self, e, env, want)

    def box(self, e: core.BoxAction, env: Env) -> C:
        """`[A]_v` where the next state is known."""
        if env.primed is None and not env.after:
            raise self.refuse(e, "an action where there is no next state")
        unchanged = core.Builtin(e.at, "=", (core.Builtin(e.at, "'", (e.subscript,)), e.subscript))
        return self.condition(core.Builtin(e.at, "\\/", (e.action, unchanged)), env)


# --- questions about expressions ------------------------------------------------------------------------------------


def _bracket(value: C) -> str:
    return value.code if value.place else f"({value.code})"


def _known(e: core.Expression | None, type_: Type) -> int | str | None:
    """The argument where it is known when compiling."""
    if isinstance(e, core.Literal) and not isinstance(e.value, bool):
        return e.value
    if isinstance(type_, Int) and type_.low == type_.high:
        return type_.low
    if isinstance(type_, Enum) and len(type_.atoms) == 1:
        atom = next(iter(type_.atoms))
        return None if atom.is_model else atom.name
    return None


def _all_model(type_: Type) -> bool:
    return isinstance(type_, Nothing) or (isinstance(type_, Enum) and all(a.is_model for a in type_.atoms))


def _comparable(a: Type, b: Type) -> bool:
    """Whether TLC surely can compare values of the two types."""
    if isinstance(a, Nothing) or isinstance(b, Nothing) or _all_model(a) or _all_model(b):
        return True
    functional = (Record, Seq, Tuple, Function)
    if isinstance(a, Union) or isinstance(b, Union):
        return any(_comparable(s, t) for s in members_of(a) for t in members_of(b))
    if isinstance(a, functional) and isinstance(b, functional):
        return True
    return kind(a) == kind(b)


def _narrower(target: Type, natural: Type, structures: Structures) -> Type:
    """`natural` if it lies in C as `target` does, else `target`."""
    return natural if structures.same(target, natural) else target


def _uses(e: core.Expression, definition: core.Definition, loops: int) -> int:
    """How often `e` uses a definition; a use inside a loop counts twice."""
    count = 0
    if isinstance(e, core.Call) and e.definition is definition:
        count += 2 if loops else 1
    if isinstance(e, core.OperatorArgument) and e.target is definition:
        count += 2
    inner = loops
    if isinstance(
        e,
        core.Quantified
        | core.Choose
        | core.SetFilter
        | core.SetMap
        | core.FunctionConstructor
        | core.Lambda
        | core.Except,
    ):
        inner += 1
    if isinstance(e, core.Let):
        for part in e.definitions:
            count += _uses(part.body, definition, loops + (1 if part.parameters else 0))
        return count + _uses(e.body, definition, loops)
    for child in children(e):
        count += _uses(child, definition, inner)
    return count


LAZY = frozenset(["SUBSET", "Nat", "Int", "Seq", "STRING"])


def _is_infinite_or_lazy(e: core.Expression) -> bool:
    """Whether the set is better walked or asked than built."""
    match e:
        case core.Label():
            return _is_infinite_or_lazy(e.body)
        case core.FunctionSet() | core.RecordSet() | core.Cartesian():
            return True
        case core.Builtin():
            name = operators.short_name(e.operator)
            if name in ("\\cup", "\\union"):
                return any(_is_infinite_or_lazy(a) for a in e.arguments)
            if name == "\\":
                return _is_infinite_or_lazy(e.arguments[0])
            return name in LAZY
        case core.Call():
            return not e.definition.recursive and _is_infinite_or_lazy(e.definition.body)
        case core.ConstantReference():
            return e.constant.value is not None and _is_infinite_or_lazy(e.constant.value)
        case core.SetFilter():
            return e.binder.domain is not None and _is_infinite_or_lazy(e.binder.domain)
        case core.Let():
            return False
    return False


def _names_used(e: core.Expression, env: Env) -> list[core.Binding]:
    """The bindings of `env` that `e` uses, also through LET definitions around it."""
    found: dict[core.Binding, None] = {}
    seen: set[int] = set()

    def walk(e: core.Expression) -> None:
        if isinstance(e, core.Reference | core.CallParameter) and e.binding in env.bindings:
            found[e.binding] = None
        target = (
            e.definition if isinstance(e, core.Call) else e.target if isinstance(e, core.OperatorArgument) else None
        )
        if isinstance(target, core.Definition) and target in env.local and id(target) not in seen:
            seen.add(id(target))
            walk(target.body)
        for child in children(e):
            walk(child)

    walk(e)
    return list(found)


def _free(e: core.Expression, bound: set[core.Binding]) -> bool:
    """Whether a name that is not bound in `e` or by `bound` occurs."""
    introduced: set[core.Binding] = set()
    match e:
        case core.Reference() | core.CallParameter():
            if e.binding not in bound:
                return True
        case core.Quantified() | core.SetMap() | core.FunctionConstructor():
            introduced = {b for binder in e.binders for b in binder.bindings}
            if isinstance(e, core.FunctionConstructor) and e.recursion is not None:
                introduced.add(e.recursion)
        case core.Choose() | core.SetFilter():
            introduced = set(e.binder.bindings)
        case core.Lambda():
            introduced = set(e.parameters)
        case core.Let():
            introduced = {p for d in e.definitions for p in d.parameters}
        case core.Except():
            introduced = {u.old for u in e.updates}
    return any(_free(child, bound | introduced) for child in children(e))


def _construct(e: core.Expression) -> str:
    names = {
        core.TemporalQuantified: "a temporal quantifier",
        core.AngleAction: "<<A>>_v",
        core.Fairness: "a fairness condition",
        core.Lambda: "LAMBDA as a value",
        core.OperatorArgument: "an operator as a value",
    }
    return names.get(type(e), type(e).__name__)


__all__ = ["C", "Closure", "Env", "Expressions", "domain_size"]
